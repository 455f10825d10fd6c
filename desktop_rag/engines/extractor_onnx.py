"""Marks the words of passages that answer a question, with an ONNX model that was taught to.

The model reads question and passage together and says of every token how well the answer begins
and ends there; the first token stands for "no answer here" (Devlin et al. 2019, SQuAD 2.0). As
with the embedder, one passage a pass, one thread a pass and one calling thread per core is fastest:
nothing is padded and no matrix is split.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Encoding, Tokenizer

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.spans import NOWHERE, Span
from desktop_rag.engines.model_folders import (
    MODEL,
    TOKENIZER,
    Files,
    damaged,
    guarded,
    missing,
    verify_files,
)
from desktop_rag.engines.onnx_text import Floats, inputs_for, open_session

logger = logging.getLogger(__name__)

DESCRIPTION = "extractor.json"
QUESTION_TOKENS = 64
SPAN_TOKENS = 30
"""No answer is longer."""
_OUTPUTS = ["start_logits", "end_logits"]
_WHAT = "exact-words model"


@dataclass(frozen=True, slots=True)
class ExtractorDescription:
    """What `extractor.json` says. `files` maps a file name to its (size, sha256)."""

    id: str
    max_tokens: int
    """Of question and text together; the rest of the text is not read."""
    files: Files


class OnnxExtractor:
    """Finds spans. Thread-safe; `close` ends its threads.

    Args:
        folder: holds `extractor.json`, `model.onnx` and `tokenizer.json`.
        threads: how many passages are read side by side; one a core is best.

    Raises:
        ModelMissing: a file is not there.
        ModelDamaged: a file differs from its recorded size or checksum, or is no such model.
    """

    def __init__(self, folder: Path, threads: int = 1) -> None:
        self.description = description = read_description(folder)
        verify_files(folder, description.files, _WHAT)
        self._tokenizer = guarded(
            folder / TOKENIZER, _WHAT, lambda: Tokenizer.from_file(str(folder / TOKENIZER))
        )
        self._tokenizer.no_padding()
        # The question, cut before, is never the longer one: only the text loses its end.
        self._tokenizer.enable_truncation(description.max_tokens, strategy="longest_first")
        self._question_tokens = min(QUESTION_TOKENS, description.max_tokens // 4)
        self._session = guarded(folder / MODEL, _WHAT, lambda: _open(folder / MODEL))
        self._pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="extractor")

    def spans(self, question: str, texts: Sequence[str]) -> list[Span]:
        """The likeliest answer in each text, in order; whole words. A blank question finds none."""
        if not question.strip():
            return []
        question = self._cut(question)
        encodings = self._tokenizer.encode_batch([(question, text) for text in texts])
        # Longest first: the last pass, when some threads already idle, is then a short one.
        order = sorted(range(len(texts)), key=lambda n: -len(encodings[n].ids))
        found = dict(zip(order, self._each([encodings[n] for n in order]), strict=True))
        return [found[n] for n in range(len(texts))]

    def close(self) -> None:
        """End the computing threads. The extractor cannot be used afterwards."""
        self._pool.shutdown(wait=True)

    def _cut(self, question: str) -> str:
        """The first `QUESTION_TOKENS` of a question."""
        offsets = self._tokenizer.encode(question, add_special_tokens=False).offsets
        if len(offsets) <= self._question_tokens:
            return question
        return question[: offsets[self._question_tokens - 1][1]]

    def _each(self, encodings: Sequence[Encoding]) -> list[Span]:
        if len(encodings) == 1:
            return [self._span(encodings[0])]
        return list(self._pool.map(self._span, encodings))

    def _span(self, encoding: Encoding) -> Span:
        """The best span of one text; the model is not asked about a text without tokens."""
        inside = np.array([one == 1 for one in encoding.sequence_ids])
        if not inside.any():
            return NOWHERE
        starts, ends = self._logits(encoding)
        first = int(inside.argmax())
        start, end, score = best_pair(starts[inside], ends[inside])
        begin, stop = _whole_words(encoding, first + start, first + end)
        return Span(begin, stop, score - float(starts[0] + ends[0]))

    def _logits(self, encoding: Encoding) -> tuple[Floats, Floats]:
        """Of the answer's first and of its last token, each of shape (tokens,)."""
        tokens, mask, types = (
            np.array([row], np.int64)
            for row in (encoding.ids, encoding.attention_mask, encoding.type_ids)
        )
        feed = inputs_for(self._session, tokens, mask, types)
        starts, ends = self._session.run(_OUTPUTS, feed)
        return np.asarray(starts[0], np.float32), np.asarray(ends[0], np.float32)


class LateExtractor:
    """An extractor that is loaded when it is first wanted. Without one that works: no spans.

    Searching must neither wait for it nor fail with it. Thread-safe.
    """

    def __init__(self, folder: Path | None, threads: int = 1) -> None:
        self._folder = folder
        self._threads = threads
        # Guards `_loaded`; held for moments, the loading itself goes on without it.
        self._lock = threading.Lock()
        self._loaded: Future[OnnxExtractor | None] | None = None
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="extractor-loading")

    def spans(self, question: str, texts: Sequence[str]) -> list[Span]:
        """As `SearchIndex.spans`."""
        if self._folder is None or not question.strip():
            return []
        loading = self._begin(self._folder)
        extractor = loading.result() if texts else None
        return extractor.spans(question, texts) if extractor is not None else []

    def close(self) -> None:
        """End all threads; nothing may be asked afterwards."""
        self._loader.shutdown(wait=True)
        extractor = self._loaded.result() if self._loaded is not None else None
        if extractor is not None:
            extractor.close()

    def _begin(self, folder: Path) -> Future[OnnxExtractor | None]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._loader.submit(_opened, folder, self._threads)
            return self._loaded


def read_description(folder: Path) -> ExtractorDescription:
    """Read `extractor.json`.

    Raises:
        ModelMissing: there is none.
        ModelDamaged: it is not what the program came with.
    """
    path = folder / DESCRIPTION
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        files = {
            name: (int(raw["files"][name]["size"]), str(raw["files"][name]["sha256"]))
            for name in (MODEL, TOKENIZER)
        }
        return ExtractorDescription(str(raw["id"]), int(raw["max_tokens"]), files)
    except FileNotFoundError as exc:
        raise missing(path, _WHAT) from exc
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise damaged(path, _WHAT) from exc


def best_pair(
    starts: npt.NDArray[np.float32], ends: npt.NDArray[np.float32], longest: int = SPAN_TOKENS
) -> tuple[int, int, float]:
    """First and last token of the best span and its score, `starts[first] + ends[last]`.

    Args:
        starts: logits of the answer's first token, shape (tokens,), at least one.
        ends: of its last one, same shape.
        longest: how many tokens a span may have.
    """
    padded = np.concatenate([ends, np.full(longest - 1, -np.inf, np.float32)])
    # Row i: the ends that a span which begins at token i may have.
    scores = starts[:, None] + np.lib.stride_tricks.sliding_window_view(padded, longest)
    first, more = divmod(int(scores.argmax()), longest)
    return first, first + more, float(scores[first, more])


def _whole_words(encoding: Encoding, first: int, last: int) -> tuple[int, int]:
    """Characters from one token to another, with the rest of the words they are pieces of."""
    words, sides = encoding.word_ids, encoding.sequence_ids
    while sides[first - 1] == 1 and words[first - 1] == words[first]:
        first -= 1
    while sides[last + 1] == 1 and words[last + 1] == words[last]:
        last += 1
    return encoding.offsets[first][0], encoding.offsets[last][1]


def _open(model: Path) -> onnxruntime.InferenceSession:
    """A session of a model that gives what an extractor gives.

    Raises:
        Exception: of any kind, when it is no such model.
    """
    session = open_session(model)
    absent = set(_OUTPUTS) - {one.name for one in session.get_outputs()}
    if absent:
        raise ValueError(f"no output {', '.join(sorted(absent))}")
    return session


def _opened(folder: Path, threads: int) -> OnnxExtractor | None:
    try:
        return OnnxExtractor(folder, threads)
    except DesktopRagError as exc:
        logger.warning("Words that answer are not marked: %s", exc.message)
        return None
