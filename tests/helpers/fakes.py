"""Engines made of plain Python: deterministic, quick, and real enough to build an `App` on.

They keep every contract of `domain.ports` (see `tests/contracts`). The same classes run inside a
real spawned child (`tests/helpers/fake_hosts.py`); there a file that starts with CRASH ends the
process for real, while in process it raises what the proxy would raise.
"""

from __future__ import annotations

import ctypes
import math
import re
import struct
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.answers import Candidate, Ranking, Turn
from desktop_rag.domain.checksums import checksum_of
from desktop_rag.domain.documents import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    Coverage,
    Line,
    Page,
    PageImage,
    ParsedDocument,
    ReadDocument,
    RecognisedLine,
    RecognisedPage,
)
from desktop_rag.domain.errors import (
    Damaged,
    DesktopRagError,
    Encrypted,
    NoText,
    NotFound,
    Unreadable,
    Unsupported,
    WorkerCrashed,
    WorkerTimedOut,
)
from desktop_rag.domain.ports import (
    LATE_INTERACTION,
    DocumentReader,
    EmbedderInfo,
    Embedding,
    GenerationLimits,
    Generator,
    GeneratorInfo,
    HeldCount,
    IndexBatch,
    IndexedChunk,
    IndexState,
    Reranking,
    RerankItem,
    SearchIndex,
    TextFacts,
)
from desktop_rag.domain.spans import NOWHERE, Span
from desktop_rag.domain.tuning import Tuning
from desktop_rag.storage.folders import sha256_of

if TYPE_CHECKING:
    from desktop_rag.app import Engines

SCAN = "[scan]"
READER = "fake-1+paragraphs-1"
SUFFIXES = (".txt", ".md", ".html", ".docx", ".pdf")
DIMENSIONS = 256
FINGERPRINT = "fake-words-1"
PAGE_WIDTH, PAGE_HEIGHT = 595.0, 842.0
_MARGIN, _LINE_HEIGHT, _CHAR_WIDTH = 50.0, 14.0, 6.0
_PARAGRAPH = re.compile(r"[^\n\f]*\S[^\n\f]*(?:\n[^\n\f]*\S[^\n\f]*)*")
_WORD = re.compile(r"\w+")
_STOP_WORDS = frozenset(
    """
    a an and are as at be by did do does for from has have how in is it of on or that the this to
    was were what when where which who why will with
    """.split()  # noqa: SIM905 - a list of words reads better as words
)


def crash_for_real() -> None:
    """End this process as a bug in native code does: a segmentation fault."""
    ctypes.string_at(0)


class FakeReader:
    """Reads UTF-8 files; a chunk a paragraph, `# …` is a heading, a form feed begins a page.

    What a file starts with decides how reading ends: ENCRYPTED, DAMAGED, CRASH, HANG; an empty
    file raises NoText, a suffix outside `SUFFIXES` Unsupported. `reads` counts reads by path.

    A page that starts with `[scan]` is a picture of the text that follows: it has to be
    recognised, which may end with CRASH, HANG or DAMAGED. `recognitions` counts (path, page).
    """

    def __init__(
        self, *, is_child: bool = False, delay_s: float = 0.0, page_s: float = 0.0
    ) -> None:
        self.is_child = is_child
        self.delay_s = delay_s
        self.page_s = page_s
        self.engine = "fake-ocr-1"
        self.reads: Counter[Path] = Counter()
        self.recognitions: Counter[tuple[Path, int]] = Counter()

    def read(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ReadDocument:
        self.reads[path] += 1
        text, coverage = _with_recognised(self._text(path), recognised)
        if not text.strip() and not coverage.waiting:
            raise NoText(f"{path.name} holds no text; nothing of it can be found.")
        if self.delay_s:
            time.sleep(self.delay_s)
        blocks = tuple(_block(text, *span) for span in _paragraphs(text))
        title = next((_heading(text, b) for b in blocks if b.kind is BlockKind.HEADING), path.stem)
        pages = _pages(text)
        document = ParsedDocument(
            format=path.suffix.lstrip(".").lower(),
            text=text,
            blocks=blocks,
            pages=pages,
            title=title,
            coverage=coverage,
        )
        return ReadDocument(document, _chunks(document), READER)

    def recognise(self, path: Path, page: int) -> RecognisedPage:
        self.recognitions[path, page] += 1
        pages = self._text(path).split("\f")
        if not 1 <= page <= len(pages):
            raise NotFound(f"{path.name} has no page {page}; it has {len(pages)} pages.")
        if self.page_s:
            time.sleep(self.page_s)
        text = pages[page - 1].removeprefix(SCAN)
        self._misbehave(path, text or " ", is_page=True)
        lines = [
            RecognisedLine(line, _MARGIN, y * _LINE_HEIGHT, PAGE_WIDTH, (y + 1) * _LINE_HEIGHT, 0.9)
            for y, line in enumerate(text.splitlines())
        ]
        return RecognisedPage(page, tuple(lines), engine=self.engine)

    def recogniser(self) -> str:
        return self.engine

    def digest(self, path: Path) -> str:
        return sha256_of(path)

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        pages = _pages(self._text(path))
        if not 1 <= page <= len(pages):
            raise NotFound(f"{path.name} has no page {page}; it has {len(pages)} pages.")
        width, height = round(PAGE_WIDTH * scale), round(PAGE_HEIGHT * scale)
        return PageImage(white_png(width, height), PAGE_WIDTH, PAGE_HEIGHT)

    def versions(self) -> dict[str, str]:
        return dict.fromkeys(SUFFIXES, READER)

    def _text(self, path: Path) -> str:
        if path.suffix.lower() not in SUFFIXES:
            raise Unsupported(f"There is no reader for {path.name}; save it as PDF and add that.")
        try:
            text = path.read_bytes().decode("utf-8")
        except FileNotFoundError as exc:
            raise NotFound(f"{path.name} is no longer where it was.") from exc
        except OSError as exc:
            raise Unreadable(
                f"{path.name} cannot be opened; check that it is still there."
            ) from exc
        except UnicodeDecodeError as exc:
            raise Damaged(f"{path.name} is damaged; open it, save it again and retry.") from exc
        self._misbehave(path, text)
        return text

    def _misbehave(self, path: Path, text: str, *, is_page: bool = False) -> None:
        if not text.strip() and not is_page:
            raise NoText(f"{path.name} holds no text; nothing of it can be found.")
        if text.startswith("ENCRYPTED"):
            raise Encrypted(f"{path.name} needs a password; save a copy without one and add that.")
        if text.startswith("DAMAGED"):
            raise Damaged(f"{path.name} is damaged; open it, save it again and retry.")
        if text.startswith("CRASH"):
            if self.is_child:
                crash_for_real()
            raise WorkerCrashed(f"The reader crashed on {path.name}.")
        if text.startswith("HANG"):
            if self.is_child:
                time.sleep(600)
            raise WorkerTimedOut(f"The reader took too long on {path.name}.")


def _with_recognised(text: str, recognised: Sequence[RecognisedPage]) -> tuple[str, Coverage]:
    """The text with pictures replaced by what was recognised in them."""
    if SCAN not in text:
        return text, Coverage(pages=text.count("\f") + 1 if "\f" in text else 0)
    known = {page.number: "\n".join(line.text for line in page.lines) for page in recognised}
    pages = text.split("\f")
    scans = [n for n, page in enumerate(pages, start=1) if page.startswith(SCAN)]
    shown = [known.get(n, "") if n in scans else page for n, page in enumerate(pages, start=1)]
    coverage = Coverage(
        pages=len(pages),
        read=len(pages) - len(scans),
        recognised=tuple(n for n in scans if known.get(n)),
        waiting=tuple(n for n in scans if n not in known),
        blank=tuple(n for n in scans if n in known and not known[n]),
    )
    return "\f".join(shown), coverage


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    for match in _PARAGRAPH.finditer(text):
        inner = match.group().strip()
        start = text.index(inner, match.start())
        yield start, start + len(inner)


def _block(text: str, start: int, end: int) -> Block:
    marks = len(text[start:end]) - len(text[start:end].lstrip("#"))
    return Block(BlockKind.HEADING if marks else BlockKind.PARAGRAPH, start, end, marks)


def _heading(text: str, block: Block) -> str:
    return text[block.start : block.end].lstrip("# ")


def _pages(text: str) -> tuple[Page, ...]:
    """Pages as form feeds divide them; none without a form feed."""
    if "\f" not in text:
        return ()
    pages, start = [], 0
    for number, part in enumerate(text.split("\f"), start=1):
        lines = tuple(_lines(part, start))
        pages.append(
            Page(number, str(number), start, start + len(part), PAGE_WIDTH, PAGE_HEIGHT, lines)
        )
        start += len(part) + 1
    return tuple(pages)


def _lines(part: str, offset: int) -> Iterator[Line]:
    y = _MARGIN
    for line in part.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        if bare:
            x1 = min(_MARGIN + _CHAR_WIDTH * len(bare), PAGE_WIDTH - _MARGIN)
            yield Line(offset, offset + len(bare), _MARGIN, y, x1, y + _LINE_HEIGHT)
        offset += len(line)
        y += _LINE_HEIGHT


def _chunks(document: ParsedDocument) -> tuple[Chunk, ...]:
    chunks, section = [], ""
    for ordinal, block in enumerate(document.blocks):
        if block.kind is BlockKind.HEADING:
            section = _heading(document.text, block)
        header = " > ".join(dict.fromkeys(part for part in (document.title, section) if part))
        chunks.append(
            Chunk(
                ordinal=ordinal,
                start=block.start,
                end=block.end,
                text=document.text[block.start : block.end],
                header=header,
                section=section,
                kind=block.kind,
                pages=_pages_of(document.pages, block.start, block.end),
            )
        )
    return tuple(chunks)


def _pages_of(pages: Sequence[Page], start: int, end: int) -> tuple[int, int] | None:
    touched = [page.number for page in pages if page.start < end and start < page.end]
    return (touched[0], touched[-1]) if touched else None


def white_png(width: int, height: int) -> bytes:
    """A valid white picture, written by hand (PNG 1.2, 8 bit grey)."""

    def part(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + b"\xff" * width) * height
    return (
        b"\x89PNG\r\n\x1a\n"
        + part(b"IHDR", header)
        + part(b"IDAT", zlib.compress(rows, 1))
        + part(b"IEND", b"")
    )


def words(text: str) -> list[str]:
    """Lower-case words that carry meaning, with a plural s taken off."""
    found = (word.lower() for word in _WORD.findall(text))
    return [w.removesuffix("s") if len(w) > 3 else w for w in found if w not in _STOP_WORDS]


def fake_vector(text: str) -> bytes:
    """Hashed bag of words of unit length, `DIMENSIONS` float16 values."""
    counts = [0.0] * DIMENSIONS
    for word in words(text):
        counts[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
    length = math.sqrt(sum(c * c for c in counts))
    if not length:
        counts[0] = length = 1.0
    return struct.pack(f"<{DIMENSIONS}e", *(c / length for c in counts))


class FakeIndex:
    """In-memory index: cosine over hashed words and BM25, fused with RRF (k = 60).

    `embedded` counts texts, `batches` applied batches, `questions` keeps what was searched,
    `reranked` what was looked at more closely, `extracted` whose answers were marked. Set
    `extractor` to mark words of a text that answer a question, `failure` to have every call raise,
    `language` to one that this embedder does not know. Forgets everything when a child of its own
    ends, as a lost index folder would.
    """

    def __init__(self, *, delay_s: float = 0.0) -> None:
        self.delay_s = delay_s
        self.embedded = 0
        self.batches = 0
        self.settled = 0
        self.questions: list[str] = []
        self.reranked: list[str] = []
        self.extracted: list[str] = []
        self.extractor: Callable[[str, str], Span] | None = None
        self.language = ""
        self.reranker = LATE_INTERACTION
        self.reader = ""
        self.read: list[str] = []
        self.failure: DesktopRagError | None = None
        self._chunks: dict[ChunkId, IndexedChunk] = {}
        self._applied_seq = 0
        self._lock = threading.Lock()

    def embedder(self) -> EmbedderInfo:
        self._check()
        return EmbedderInfo("fake-words", FINGERPRINT, DIMENSIONS, 256)

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        self._check()
        if self.delay_s:
            time.sleep(self.delay_s)
        self.embedded += len(texts)
        return [Embedding(fake_vector(text), tokens=fake_tokens(text)) for text in texts]

    def look_at(self, texts: Sequence[str]) -> list[TextFacts]:
        self._check()
        return [TextFacts(len(words(text)) + 2, "english") for text in texts]

    def state(self) -> IndexState:
        self._check()
        with self._lock:
            held = len(self._chunks)
            checksum = checksum_of(self._chunks)
            return IndexState(self._applied_seq, held, held, FINGERPRINT, checksum)

    def count_among(self, chunks: Sequence[ChunkId]) -> HeldCount:
        self._check()
        with self._lock:
            held = len(self._chunks.keys() & set(chunks))
        return HeldCount(held, held)

    def apply(self, batch: IndexBatch) -> IndexState:
        self._check()
        with self._lock:
            for chunk in batch.upserts:
                self._chunks[chunk.chunk] = chunk
            for deleted in batch.deletes:
                self._chunks.pop(deleted, None)
            self._applied_seq = max(self._applied_seq, batch.last_seq)
            self.batches += 1
        return self.state()

    def settle(self) -> None:
        self._check()
        self.settled += 1

    def clear(self) -> None:
        self._check()
        with self._lock:
            self._chunks.clear()
            self._applied_seq = 0

    def search(self, question: str, limit: int, among: Sequence[ChunkId] | None = None) -> Ranking:
        self._check()
        self.questions.append(question)
        with self._lock:
            chunks = dict(self._chunks)
        if among is not None:
            chunks = {chunk: chunks[chunk] for chunk in among if chunk in chunks}
        cosines = _cosines(question, chunks)
        scores, matched, unmatched = _bm25(question, chunks)
        dense = _best(cosines, limit)
        keyword = _best({chunk: score for chunk, score in scores.items() if score > 0}, limit)
        candidates = [
            Candidate(
                chunk=chunk,
                score=sum(1 / (60 + r) for r in (dense.get(chunk), keyword.get(chunk)) if r),
                similarity=cosines[chunk] if chunk in dense else None,
                dense_rank=dense.get(chunk),
                keyword_rank=keyword.get(chunk),
                keyword_score=scores[chunk] if chunk in keyword else None,
            )
            for chunk in dense.keys() | keyword.keys()
        ]
        candidates.sort(key=lambda c: (-c.score, c.chunk))
        return Ranking(
            tuple(candidates),
            len(chunks),
            matched,
            unmatched,
            timings_ms={"search": 0.1},
            language=self.language,
            fingerprint=FINGERPRINT,
        )

    def select(
        self,
        holding: Sequence[str],
        without: Sequence[str],
        among: Sequence[ChunkId] | None = None,
    ) -> list[ChunkId]:
        self._check()
        with self._lock:
            held = {chunk: set(words(one.text)) for chunk, one in self._chunks.items()}
        wanted = {word for text in holding for word in words(text)}
        unwanted = [set(words(text)) for text in without if words(text)]
        return sorted(
            chunk
            for chunk, found in held.items()
            if (among is None or chunk in among)
            and wanted <= found
            and not any(one <= found for one in unwanted)
        )

    def rerank(self, question: str, items: Sequence[RerankItem]) -> Reranking:
        """Scores are shares of the question's words; items without tokens have none."""
        self._check()
        self.reranked.append(question)
        asked = set(words(question))
        scores = [
            len(asked & set(item.tokens.decode().split())) / max(1, len(asked))
            if asked and item.tokens
            else None
            for item in items
        ]
        with self._lock:
            rows = [_unpacked(self._chunks[item.chunk].vector) for item in items]
        cosines = tuple(tuple(_dot(one, row) for row in rows[:n]) for n, one in enumerate(rows))
        is_scored = any(score is not None for score in scores)
        name = self.reranker if is_scored else ""
        return Reranking(tuple(scores), cosines, name, self.reader if question.strip() else "")

    def read_again(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Scores are numbers of the question's words."""
        self._check()
        self.read.append(question)
        asked = set(words(question))
        return tuple(float(len(asked & set(words(text)))) for text in texts) if self.reader else ()

    def spans(self, question: str, texts: Sequence[str]) -> list[Span]:
        """What `extractor` says of each text; nothing without one."""
        self._check()
        if self.extractor is None or not question.strip():
            return []
        self.extracted.append(question)
        return [self.extractor(question, text) if text.strip() else NOWHERE for text in texts]

    def close(self) -> None:
        """Nothing to let go of."""

    def _check(self) -> None:
        if self.failure is not None:
            raise self.failure


def asked_word(question: str, text: str) -> Span:
    """A `FakeIndex.extractor`: the first of the question's words that the text has, or not."""
    for word in words(question):
        at = text.lower().find(word)
        if at >= 0:
            return Span(at, at + len(word), 1.0)
    return Span(0, len(text), -1.0)


def _cosines(question: str, chunks: dict[ChunkId, IndexedChunk]) -> dict[ChunkId, float]:
    asked = _unpacked(fake_vector(question))
    return {key: _dot(asked, _unpacked(chunk.vector)) for key, chunk in chunks.items()}


def _unpacked(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{DIMENSIONS}e", vector)


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def fake_tokens(text: str) -> bytes:
    """What `rerank` reads of a passage: its words."""
    return " ".join(words(text)).encode()


def _bm25(
    question: str, chunks: dict[ChunkId, IndexedChunk], k1: float = 1.5, b: float = 0.75
) -> tuple[dict[ChunkId, float], tuple[str, ...], tuple[str, ...]]:
    terms = list(dict.fromkeys(words(question)))
    counts = {key: Counter(words(chunk.text)) for key, chunk in chunks.items()}
    mean = sum(c.total() for c in counts.values()) / (len(counts) or 1) or 1.0
    frequency = {term: sum(term in c for c in counts.values()) for term in terms}

    def score(count: Counter[str]) -> float:
        norm = k1 * (1 - b + b * count.total() / mean)
        return sum(
            math.log(1 + (len(counts) - frequency[t] + 0.5) / (frequency[t] + 0.5))
            * count[t]
            * (k1 + 1)
            / (count[t] + norm)
            for t in terms
            if count[t]
        )

    matched = tuple(t for t in terms if frequency[t])
    unmatched = tuple(t for t in terms if not frequency[t])
    return {key: score(count) for key, count in counts.items()}, matched, unmatched


def _best(scores: dict[ChunkId, float], limit: int) -> dict[ChunkId, int]:
    """Ranks (from 1) of the `limit` best."""
    ordered = sorted(scores, key=lambda key: (-scores[key], key))[:limit]
    return {key: rank for rank, key in enumerate(ordered, start=1)}


Script = Callable[[Sequence[Turn]], str]


def quote_first_passage(turns: Sequence[Turn]) -> str:
    """Answer with the first sentence of passage [1] of the prompt, citing it."""
    prompt = next((turn.content for turn in turns if "[1]" in turn.content), "")
    match = re.search(r"\[1\](.*?)(?=\[2\]|\n\s*\n|\Z)", prompt, re.DOTALL)
    lines = [line.strip() for line in match.group(1).splitlines()] if match else []
    body = next((line for line in reversed(lines) if line), "The documents say so.")
    sentence = re.split(r"(?<=[.!?])\s", body)[0].rstrip(".!?")
    return f"{sentence} [1]."


class KeptInMemory:
    """What was written about a document, for `services.rechunking`."""

    def __init__(self) -> None:
        self.texts: dict[bytes, str] = {}

    def get(self, key: bytes) -> str | None:
        return self.texts.get(key)

    def add(self, key: bytes, text: str) -> None:
        self.texts[key] = text

    def keep_only(self, keys: Iterable[bytes]) -> None:
        self.texts = {key: self.texts[key] for key in keys if key in self.texts}


class FakeGenerator:
    """Streams `answer` word by word; `prompts` and `limits` keep what it was given.

    `delay_s` is waited before every word, `is_endless` repeats the answer for ever, `crash_after`
    crashes after so many words, `is_deaf` ignores `is_cancelled`, every call raises `failure`,
    `tuned_to` is what tuning finds out. `weights` are the logarithms that `weigh` gives for
    openings, `weighed` keeps the turns it was asked about.
    """

    def __init__(
        self,
        answer: str | Script = quote_first_passage,
        *,
        delay_s: float = 0.0,
        is_endless: bool = False,
        is_deaf: bool = False,
        crash_after: int | None = None,
        is_child: bool = False,
        failure: DesktopRagError | None = None,
        context_tokens: int = 4096,
        model_id: str = "fake-llm",
        tuned_to: Tuning | None = None,
        prompt_tokens_per_s: float = 0.0,
        tokens_per_word: int = 1,
    ) -> None:
        self.answer = answer
        self.delay_s = delay_s
        self.is_endless = is_endless
        self.is_deaf = is_deaf
        self.crash_after = crash_after
        self.is_child = is_child
        self.failure = failure
        self.prompts: list[tuple[Turn, ...]] = []
        self.limits: list[GenerationLimits] = []
        self.tokens_per_word = tokens_per_word
        self.weighed: list[tuple[Turn, ...]] = []
        self.weights = {"Yes": -0.1, "No": -3.0}
        self.tunings = 0
        self._tuned_to = tuned_to
        self._info = GeneratorInfo(
            model_id, context_tokens, prompt_tokens_per_s, is_tuned=tuned_to is None
        )

    def info(self) -> GeneratorInfo:
        self._check()
        return self._info

    def shrink_to(self, context_tokens: int) -> None:
        """Be another model from now on."""
        self._info = replace(self._info, context_tokens=context_tokens)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        self._check()
        return [len(re.findall(r"\w+|[^\w\s]", one)) * self.tokens_per_word for one in texts]

    def stream(
        self, turns: Sequence[Turn], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> Iterator[str]:
        self._check()
        self.prompts.append(tuple(turns))
        self.limits.append(limits)
        answer = self.answer if isinstance(self.answer, str) else self.answer(turns)
        answer = answer.removeprefix(limits.begun)
        for count, word in enumerate(self._words(answer, limits.max_tokens)):
            if count == self.crash_after:
                self._crash()
            if self.delay_s:
                time.sleep(self.delay_s)
            if is_cancelled() and not self.is_deaf:
                return
            yield word

    def weigh(
        self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[float, ...]]:
        self._check()
        self.weighed.append(tuple(turns))
        if not is_cancelled():
            yield tuple(self.weights.get(one, -3.0) for one in openings)

    def tune(self, is_cancelled: Callable[[], bool]) -> Iterator[Tuning]:
        self._check()
        self.tunings += 1
        if self._tuned_to is not None and not is_cancelled():
            self._info = replace(self._info, is_tuned=True)
            yield self._tuned_to

    def close(self) -> None:
        """Nothing to let go of."""

    def _words(self, answer: str, max_tokens: int) -> Iterator[str]:
        pieces = re.findall(r"\s*\S+", answer)
        if not self.is_endless:
            yield from pieces[:max_tokens]
            return
        while pieces:
            yield from pieces

    def _crash(self) -> None:
        if self.is_child:
            crash_for_real()
        raise WorkerCrashed("The language model crashed; it starts again with the next question.")

    def _check(self) -> None:
        if self.failure is not None:
            raise self.failure


def fake_engines(
    reader: DocumentReader | None = None,
    index: SearchIndex | None = None,
    generator: Generator | None = None,
) -> Engines:
    """Fakes for `App.open`; pass your own to look into them afterwards."""
    # Here, so that the fakes' own child processes need not load the whole program.
    from desktop_rag.app import Engines

    return Engines(
        reader=reader or FakeReader(),
        index=index or FakeIndex(),
        generator=generator or FakeGenerator(),
        close=lambda: None,
    )
