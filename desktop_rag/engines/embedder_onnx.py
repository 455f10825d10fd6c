"""Turns text into vectors with an ONNX encoder on the processor.

One session, a single thread inside each call, and one calling thread per core: for passages of a
few hundred tokens this is far faster than one call that splits its matrices over the cores, because
this model's matrices are so small that cores wait for each other. `tests/benchmarks` prints both.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Encoding, Tokenizer

from desktop_rag.domain.embedding_text import MarkedPart, marked_part
from desktop_rag.domain.errors import ModelDamaged, ModelMissing
from desktop_rag.domain.ports import EmbedderInfo, Embedding
from desktop_rag.engines.onnx_text import (
    POOLINGS,
    Floats,
    inputs_for,
    open_session,
    pooled,
    text_output,
)
from desktop_rag.engines.tokenizing import TokenCounter

_T = TypeVar("_T")

DESCRIPTION = "embedder.json"
MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
VECTOR_TYPE = np.dtype("<f2")
"""How a vector crosses a port: float16, little-endian."""

# One text a pass: measured fastest (7,970 tokens/s; 2: 7,310, 4: 7,500), and it needs no padding.
_TEXTS_PER_PASS = 1
_QUERIES_KEPT = 256


@dataclass(frozen=True, slots=True)
class EmbedderDescription:
    """What `embedder.json` says. `files` maps a file name to its (size, sha256)."""

    id: str
    dimensions: int
    max_tokens: int
    pooling: str
    normalise: bool
    query_prefix: str
    passage_prefix: str
    files: dict[str, tuple[int, str]]
    languages: tuple[str, ...]
    """Those it knows, by their English names in small letters; empty: all."""

    @property
    def fingerprint(self) -> str:
        """Equal for two embedders exactly when their vectors can share an index."""
        parts = (
            self.id,
            self.files[MODEL][1],
            self.files[TOKENIZER][1],
            self.dimensions,
            self.max_tokens,
            self.pooling,
            self.normalise,
            self.query_prefix,
            self.passage_prefix,
        )
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
        return f"{self.id}-{digest[:16]}"


class OnnxEmbedder:
    """Embeds passages and questions. Thread-safe; `close` ends its threads.

    Args:
        folder: holds `embedder.json`, `model.onnx` and `tokenizer.json`.
        threads: how many texts are computed side by side; one a core is best.

    Raises:
        ModelMissing: a file is not there.
        ModelDamaged: a file differs from its recorded size or checksum, or does not load.
    """

    def __init__(self, folder: Path, threads: int = 2) -> None:
        self.description = read_description(folder)
        verify_files(folder, self.description)
        self._tokenizer_file = folder / TOKENIZER
        self._tokenizer, self._session = _load(folder, self.description)
        self._output = text_output(self._session)
        self._pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="embedder")
        self._queries: OrderedDict[str, bytes] = OrderedDict()
        # Guards `_queries`; held for a dictionary operation only.
        self._lock = threading.Lock()

    def info(self) -> EmbedderInfo:
        """Birth certificate of the vectors."""
        return EmbedderInfo(
            id=self.description.id,
            fingerprint=self.description.fingerprint,
            dimensions=self.description.dimensions,
            max_tokens=self.description.max_tokens,
            languages=self.description.languages,
        )

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        """One embedding a text, in order; text beyond `max_tokens` is not read.

        Texts with a marked part (`domain.embedding_text`) have the vector of that part; those that
        are the same but for the marks are read in one pass.
        """
        prefix = self.description.passage_prefix
        parts = [marked_part(prefix + text) for text in texts]
        plain = [n for n, part in enumerate(parts) if part.is_whole]
        vectors = dict(zip(plain, self._vectors([parts[n].text for n in plain]), strict=True))
        marked = {part for part in parts if not part.is_whole}
        late = self._late(marked) if marked else {}
        return [
            Embedding(vectors[n] if part.is_whole else late[part], tokens=b"")
            for n, part in enumerate(parts)
        ]

    def embed_query(self, text: str) -> bytes:
        """Unit vector of a question; the latest few hundred are remembered."""
        with self._lock:
            known = self._queries.get(text)
            if known is not None:
                self._queries.move_to_end(text)
                return known
        vector = self._vectors([self.description.query_prefix + text])[0]
        with self._lock:
            self._queries[text] = vector
            if len(self._queries) > _QUERIES_KEPT:
                self._queries.popitem(last=False)
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens the model would read of each text: special ones counted, cut at `max_tokens`."""
        return [len(one.ids) for one in self._tokenizer.encode_batch_fast(list(texts))]

    def measure(self, texts: Sequence[str]) -> list[int]:
        """Tokens each text has for the model, special ones counted, however long it is."""
        counter = TokenCounter(self._tokenizer_file)  # does not cut, and is for one thread only
        special = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        return [counter.count(text) + special for text in texts]

    def knows(self, word: str) -> bool:
        """Whether a word is frequent enough to be a token of its own, and so is spelled right."""
        return len(self._tokenizer.encode(word, add_special_tokens=False).ids) == 1

    def close(self) -> None:
        """End the computing threads. The embedder cannot be used afterwards."""
        self._pool.shutdown(wait=True)

    def _late(self, parts: Collection[MarkedPart]) -> dict[MarkedPart, bytes]:
        """Means of the token vectors of parts of longer texts (Günther et al. 2024)."""
        by_text: dict[str, list[MarkedPart]] = {}
        for part in parts:
            by_text.setdefault(part.text, []).append(part)
        encodings = self._tokenizer.encode_batch(list(by_text))

        def compute(encoding: Encoding, wanted: list[MarkedPart]) -> list[tuple[MarkedPart, bytes]]:
            states = self._states(*padded([encoding.ids]))
            return [(part, self._pooled(states, encoding, part)) for part in wanted]

        vectors = self._pool.map(compute, encodings, by_text.values())
        return {part: vector for found in vectors for part, vector in found}

    def _pooled(self, states: Floats, encoding: Encoding, part: MarkedPart) -> bytes:
        inside = [a < part.end and b > part.start for a, b in encoding.offsets]
        # A part that lies beyond what the model reads has the vector of all the rest.
        mask = np.array([inside if any(inside) else encoding.attention_mask], dtype=np.int64)
        vector = pooled(states, mask, "mean", is_normalised=self.description.normalise)[0]
        raw: bytes = vector.astype(VECTOR_TYPE).tobytes()
        return raw

    def _vectors(self, texts: list[str]) -> list[bytes]:
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts)]
        # Longest first: the last pass, when some threads already idle, is then a short one.
        order = sorted(range(len(ids)), key=lambda i: -len(ids[i]))
        passes = [
            order[start : start + _TEXTS_PER_PASS]
            for start in range(0, len(order), _TEXTS_PER_PASS)
        ]
        vectors: list[bytes] = [b""] * len(ids)
        for members, rows in zip(passes, self._map(passes, ids), strict=True):
            for i, row in zip(members, rows, strict=True):
                vectors[i] = row.astype(VECTOR_TYPE).tobytes()
        return vectors

    def _map(self, passes: list[list[int]], ids: list[list[int]]) -> list[Floats]:
        def compute(members: list[int]) -> Floats:
            return self._forward([ids[i] for i in members])

        if len(passes) == 1:
            return [compute(passes[0])]
        return list(self._pool.map(compute, passes))

    def _forward(self, batch: list[list[int]]) -> Floats:
        """Pooled vectors, shape (texts, dimensions), of one pass."""
        tokens, mask = padded(batch)
        states = self._states(tokens, mask)
        return pooled(
            states, mask, self.description.pooling, is_normalised=self.description.normalise
        )

    def _states(self, tokens: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]) -> Floats:
        """Vectors of all tokens, shape (texts, tokens, dimensions).

        Of whole texts, shape (texts, dimensions), when the model was exported with its pooling.
        """
        states: Floats = self._session.run([self._output], inputs_for(self._session, tokens, mask))[
            0
        ]
        return states


def read_description(folder: Path) -> EmbedderDescription:
    """Read `embedder.json`.

    Raises:
        ModelMissing: there is none.
        ModelDamaged: it is not what the program wrote, or asks for pooling of another kind.
    """
    path = folder / DESCRIPTION
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        description = EmbedderDescription(
            id=str(raw["id"]),
            dimensions=int(raw["dimensions"]),
            max_tokens=int(raw["max_tokens"]),
            pooling=str(raw["pooling"]),
            normalise=bool(raw["normalise"]),
            query_prefix=str(raw["query_prefix"]),
            passage_prefix=str(raw["passage_prefix"]),
            files={
                name: (int(raw["files"][name]["size"]), str(raw["files"][name]["sha256"]))
                for name in (MODEL, TOKENIZER)
            },
            languages=tuple(map(str, raw.get("languages", ["english"]))),
        )
    except FileNotFoundError as exc:
        raise _missing(path) from exc
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise _damaged(path) from exc
    if description.pooling not in POOLINGS:
        raise _damaged(path)
    return description


def verify_files(folder: Path, description: EmbedderDescription) -> None:
    """Compare sizes and checksums with the description; about 20 ms for 23 MB.

    Raises:
        ModelMissing, ModelDamaged: naming the file.
    """
    for name, (size, sha256) in description.files.items():
        path = folder / name
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                if file.tell() != size or digest != sha256:
                    raise _damaged(path)
        except FileNotFoundError as exc:
            raise _missing(path) from exc
        except OSError as exc:
            raise _damaged(path) from exc


def padded(batch: list[list[int]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Token ids and attention mask, both of shape (texts, longest text)."""
    longest = max(len(ids) for ids in batch)
    tokens = np.zeros((len(batch), longest), dtype=np.int64)
    mask = np.zeros_like(tokens)
    for row, ids in enumerate(batch):
        tokens[row, : len(ids)] = ids
        mask[row, : len(ids)] = 1
    return tokens, mask


def _load(
    folder: Path, description: EmbedderDescription
) -> tuple[Tokenizer, onnxruntime.InferenceSession]:
    tokenizer = _guarded(folder / TOKENIZER, lambda: Tokenizer.from_file(str(folder / TOKENIZER)))
    tokenizer.no_padding()
    # A prefix takes nothing away from what is read of a text.
    prefixes = [description.query_prefix, description.passage_prefix]
    counts = [len(one.ids) for one in tokenizer.encode_batch(prefixes, add_special_tokens=False)]
    tokenizer.enable_truncation(description.max_tokens + max(counts))
    session = _guarded(folder / MODEL, lambda: open_session(folder / MODEL))
    return tokenizer, session


def _guarded(path: Path, load: Callable[[], _T]) -> _T:
    try:
        return load()
    except Exception as exc:
        raise _damaged(path) from exc


def _missing(path: Path) -> ModelMissing:
    return ModelMissing(
        f"The search model's file {path} is missing; reinstall the program, or put the file back.",
        path=str(path),
    )


def _damaged(path: Path) -> ModelDamaged:
    return ModelDamaged(
        f"The search model's file {path} is damaged; reinstall the program, or put the original"
        " file back.",
        path=str(path),
    )
