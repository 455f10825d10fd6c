"""Turns text into vectors with an ONNX encoder on the processor.

One session, a single thread inside each call, and one calling thread per core: for passages of a
few hundred tokens this is far faster than one call that splits its matrices over the cores, because
this model's matrices are so small that cores wait for each other. `tests/benchmarks` prints both.
One text a pass is fastest, too (7,970 tokens/s; with 2: 7,310, with 4: 7,500): nothing is padded.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Encoding, Tokenizer

from desktop_rag.domain.embedding_text import MarkedPart, marked_part
from desktop_rag.domain.ports import EmbedderInfo, Embedding
from desktop_rag.engines.model_folders import (
    MODEL,
    TOKENIZER,
    Files,
    damaged,
    guarded,
    missing,
    verify_files,
)
from desktop_rag.engines.onnx_text import (
    POOLINGS,
    Floats,
    inputs_for,
    open_session,
    pooled,
    text_output,
)
from desktop_rag.engines.token_vectors import CODEBOOK, TokenCodebook, TokenQuery
from desktop_rag.engines.tokenizing import TokenCounter

_T = TypeVar("_T")
Ids = npt.NDArray[np.int64]

DESCRIPTION = "embedder.json"
_WHAT = "search model"
VECTOR_TYPE = np.dtype("<f2")
"""How a vector crosses a port: float16, little-endian."""

_QUERIES_KEPT = 64
"""With the vectors of its tokens a question takes 20 kB, the longest 400 kB."""


@dataclass(frozen=True, slots=True)
class EmbedderDescription:
    """What `embedder.json` says. `files` maps a file name to its (size, sha256).

    Only an embedder with a codebook gives vectors of tokens.
    """

    id: str
    dimensions: int
    max_tokens: int
    pooling: str
    normalise: bool
    query_prefix: str
    passage_prefix: str
    files: Files
    languages: tuple[str, ...]
    """Those it knows, by their English names in small letters; empty: all."""

    @property
    def fingerprint(self) -> str:
        """Equal for two embedders exactly when their vectors can share an index."""
        parts = (
            self.id,
            self.files[MODEL][1],
            self.files[TOKENIZER][1],
            self.files.get(CODEBOOK, (0, ""))[1],
            self.dimensions,
            self.max_tokens,
            self.pooling,
            self.normalise,
            self.query_prefix,
            self.passage_prefix,
        )
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
        return f"{self.id}-{digest[:16]}"


@dataclass(frozen=True, slots=True)
class _Query:
    vector: bytes
    tokens: TokenQuery | None


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
        verify_files(folder, self.description.files, _WHAT)
        self._tokenizer_file = folder / TOKENIZER
        self._tokenizer, self._session = _load(folder, self.description)
        self._output = text_output(self._session)
        self._pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="embedder")
        self._codebook = _load_codebook(folder, self.description)
        self._queries: OrderedDict[str, _Query] = OrderedDict()
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

        Texts with a marked part (`domain.embedding_text`) have the embedding of that part; those
        that are the same but for the marks are read in one pass.
        """
        prefix = self.description.passage_prefix
        parts = [marked_part(prefix + text) for text in texts]
        wanted: dict[str, list[MarkedPart]] = {}
        for part in dict.fromkeys(parts):
            wanted.setdefault(part.text, []).append(part)
        # Longest first: the last pass, when some threads already idle, is then a short one.
        passes = sorted(wanted.items(), key=lambda one: -len(one[0]))
        encodings = self._tokenizer.encode_batch([text for text, _ in passes])
        found = self._each(self._embedded, encodings, [parts for _, parts in passes])
        made = {part: embedding for pairs in found for part, embedding in pairs}
        return [made[part] for part in parts]

    def embed_query(self, text: str) -> bytes:
        """Unit vector of a question; the latest few dozen are remembered."""
        return self._query(text).vector

    def late_scores(self, question: str, passages: Sequence[bytes]) -> list[float | None]:
        """Late interaction of a question with `Embedding.tokens`; see `TokenCodebook.scores`."""
        query = self._query(question).tokens
        if self._codebook is None or query is None:
            return [None] * len(passages)
        return self._codebook.scores(query, passages)

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

    def _query(self, text: str) -> _Query:
        with self._lock:
            known = self._queries.get(text)
            if known is not None:
                self._queries.move_to_end(text)
                return known
        ids = _ids(self._tokenizer.encode(self.description.query_prefix + text))
        states = self._states(ids)
        tokens = None if self._codebook is None else self._codebook.query(ids, states)
        query = _Query(self._pooled(states, self.description.pooling), tokens)
        with self._lock:
            self._queries[text] = query
            if len(self._queries) > _QUERIES_KEPT:
                self._queries.popitem(last=False)
        return query

    def _each(
        self,
        compute: Callable[[Encoding, list[MarkedPart]], _T],
        encodings: Sequence[Encoding],
        parts: Sequence[list[MarkedPart]],
    ) -> list[_T]:
        """Side by side, or right here when there is only one thing to do."""
        if len(encodings) == 1:
            return [compute(encodings[0], parts[0])]
        return list(self._pool.map(compute, encodings, parts))

    def _embedded(
        self, encoding: Encoding, parts: list[MarkedPart]
    ) -> list[tuple[MarkedPart, Embedding]]:
        """Embeddings of parts of one text, from one pass over it (Günther et al. 2024)."""
        ids = _ids(encoding)
        states = self._states(ids)
        return [(part, self._embedding(ids, states, encoding, part)) for part in parts]

    def _embedding(
        self, ids: Ids, states: Floats, encoding: Encoding, part: MarkedPart
    ) -> Embedding:
        pooling = self.description.pooling
        if not part.is_whole:
            inside = [a < part.end and b > part.start for a, b in encoding.offsets]
            # A part that lies beyond what the model reads has the vector of all the rest.
            if any(inside):
                ids, states = ids[inside], states[inside]
            pooling = "mean"
        tokens = b"" if self._codebook is None else self._codebook.encode(ids, states)
        return Embedding(self._pooled(states, pooling), tokens)

    def _pooled(self, states: Floats, pooling: str) -> bytes:
        mask = np.ones((1, len(states)), dtype=np.int64)
        vector = pooled(states[None], mask, pooling, is_normalised=self.description.normalise)[0]
        raw: bytes = vector.astype(VECTOR_TYPE).tobytes()
        return raw

    def _states(self, ids: Ids) -> Floats:
        """Vectors of all tokens of one text, shape (tokens, dimensions).

        The one vector of the whole, shape (1, dimensions), when the model has its pooling inside.
        """
        tokens = ids[None, :]
        feed = inputs_for(self._session, tokens, np.ones_like(tokens))
        states: Floats = self._session.run([self._output], feed)[0]
        return states.reshape(-1, states.shape[-1])


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
                for name in (MODEL, TOKENIZER, *({CODEBOOK} & raw["files"].keys()))
            },
            languages=tuple(map(str, raw.get("languages", ["english"]))),
        )
    except FileNotFoundError as exc:
        raise missing(path, _WHAT) from exc
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise damaged(path, _WHAT) from exc
    if description.pooling not in POOLINGS:
        raise damaged(path, _WHAT)
    return description


def _ids(encoding: Encoding) -> Ids:
    return np.array(encoding.ids, dtype=np.int64)


def _load(
    folder: Path, description: EmbedderDescription
) -> tuple[Tokenizer, onnxruntime.InferenceSession]:
    tokenizer = guarded(
        folder / TOKENIZER, _WHAT, lambda: Tokenizer.from_file(str(folder / TOKENIZER))
    )
    tokenizer.no_padding()
    # A prefix takes nothing away from what is read of a text.
    prefixes = [description.query_prefix, description.passage_prefix]
    counts = [len(one.ids) for one in tokenizer.encode_batch(prefixes, add_special_tokens=False)]
    tokenizer.enable_truncation(description.max_tokens + max(counts))
    session = guarded(folder / MODEL, _WHAT, lambda: open_session(folder / MODEL))
    return tokenizer, session


def _load_codebook(folder: Path, description: EmbedderDescription) -> TokenCodebook | None:
    if CODEBOOK not in description.files:
        return None
    return guarded(folder / CODEBOOK, _WHAT, lambda: TokenCodebook(folder / CODEBOOK))
