"""The search index: embedder, vector store and keyword store behind one port.

Both stores are caches (`index_stores`). While one of them is not whole `state().applied_seq` is 0:
the catalog then sends its stored vectors and texts again, without reading or embedding anything,
and the other store goes on answering meanwhile. What takes long is done in the background
(`index_upkeep`), so that searching never waits for it.
"""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import filelock
import numpy as np

from desktop_rag.domain.answers import Candidate, Ranking
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import DiskFull, LibraryLocked
from desktop_rag.domain.fusion import Shares, fused
from desktop_rag.domain.languages import FOREIGN_SHARE, word_evidence
from desktop_rag.domain.ports import (
    LATE_INTERACTION,
    EmbedderInfo,
    Embedding,
    HeldCount,
    IndexBatch,
    IndexState,
    Reranking,
    RerankItem,
    TextFacts,
)
from desktop_rag.domain.queries import NAMED_SHARE, shares_for
from desktop_rag.domain.spans import Span
from desktop_rag.domain.spelling import corrected
from desktop_rag.engines.analysis import shipped_analyzer
from desktop_rag.engines.embedder_onnx import OnnxEmbedder
from desktop_rag.engines.extractor_onnx import LateExtractor
from desktop_rag.engines.index_stores import IndexStores, OpenGraph
from desktop_rag.engines.index_upkeep import Upkeep
from desktop_rag.engines.keywords_bm25s import KeywordHits
from desktop_rag.engines.reranker_onnx import OnnxReranker
from desktop_rag.engines.sorted_numbers import Numbers, ascending
from desktop_rag.engines.vector_store import EXACT_BELOW, VectorIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)

# A process that was killed a moment ago may still hold the lock.
_LOCK_PATIENCE_S = 1.0

OpenVectors = Callable[[Path, int, int], VectorIndex]
"""(folder, dimensions, threads) to an open graph; raises `VectorIndexDamaged`."""


def open_chroma(folder: Path, dimensions: int, threads: int) -> VectorIndex:
    """Open Chroma, whose import alone takes over half a second, when it is wanted."""
    from desktop_rag.engines.vectors_chroma import ChromaVectorIndex

    return ChromaVectorIndex(folder, dimensions, threads)


def open_index(
    index_dir: Path,
    embedder_dir: Path,
    threads: int,
    open_vectors: OpenVectors = open_chroma,
    reranker_dir: Path | None = None,
    extractor_dir: Path | None = None,
) -> HybridIndex:
    """Lock the folder, load the embedder, open both stores or begin new ones.

    Args:
        index_dir: owned by this process until `close`; created when missing.
        embedder_dir: of the ONNX embedder.
        threads: processor threads for embedding and for building the vector graph.
        open_vectors: which graph to use over the vectors.
        reranker_dir: of an ONNX cross-encoder, which can then read passages again.
        extractor_dir: of the model behind `spans`; loaded when it is first wanted.

    Raises:
        LibraryLocked: another process has the folder open.
        ModelMissing, ModelDamaged: of the embedder or the re-ranker.
        DiskFull: no room for a new generation.
    """
    lock = _locked(index_dir)
    try:
        embedder = OnnxEmbedder(embedder_dir, threads)
    except BaseException:
        lock.release()
        raise
    try:
        reranker = OnnxReranker(reranker_dir, threads) if reranker_dir else None
        return HybridIndex(
            index_dir,
            embedder,
            lock,
            lambda f, d: open_vectors(f, d, threads),
            reranker,
            LateExtractor(extractor_dir, threads),
        )
    except BaseException:
        embedder.close()
        lock.release()
        raise


class HybridIndex:
    """Implements `domain.ports.SearchIndex`. Thread-safe, though callers wait for each other."""

    def __init__(
        self,
        folder: Path,
        embedder: OnnxEmbedder,
        lock: filelock.BaseFileLock,
        open_graph: OpenGraph,
        reranker: OnnxReranker | None = None,
        extractor: LateExtractor | None = None,
    ) -> None:
        self._folder = folder
        self._reranker = reranker
        self._extractor = extractor or LateExtractor(None)
        self._embedder = embedder
        self._info = embedder.info()
        self._lock = lock
        self._analyzer = analyzer = shipped_analyzer()
        with _disk_full_told(folder):
            self._stores = IndexStores(folder, self._info, analyzer)
        self._upkeep = Upkeep(self._stores, analyzer, self._info.dimensions, open_graph)
        if not self._stores.vectors.is_followed:
            self._upkeep.follow()

    def embedder(self) -> EmbedderInfo:
        """Which embedder is loaded."""
        return self._info

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        """One embedding a text, in order; longer texts than `max_tokens` are truncated."""
        return self._embedder.embed(texts)

    def look_at(self, texts: Sequence[str]) -> list[TextFacts]:
        """How many tokens and what language each text has."""
        languages = map(self._analyzer.language_of, texts)
        return [
            TextFacts(tokens, language)
            for tokens, language in zip(self._embedder.measure(texts), languages, strict=True)
        ]

    def state(self) -> IndexState:
        """What is stored; never writes."""
        with self._stores.lock:
            keywords, matrix = self._stores.keywords, self._stores.vectors.matrix
            return IndexState(
                applied_seq=self._stores.manifest.applied_seq,
                vectors=matrix.count(),
                keywords=keywords.count(),
                fingerprint=self._info.fingerprint,
                checksum=keywords.checksum if self._stores.is_consistent else None,
                is_settled=self._upkeep.is_idle,
            )

    def count_among(self, chunks: Sequence[ChunkId]) -> HeldCount:
        """How many of these chunks each store holds; never writes."""
        chosen = ascending(chunks)
        with self._stores.lock:
            return HeldCount(
                vectors=self._stores.vectors.matrix.count_among(chosen),
                keywords=self._stores.keywords.count_among(chosen),
            )

    def apply(self, batch: IndexBatch) -> IndexState:
        """Store a batch in both stores, then record `last_seq`. Idempotent.

        The graph follows when no more is to come (`settle`): it takes time from embedding, and
        until then everything is found without it.

        Raises:
            ValueError: a vector has the wrong length; nothing was changed.
            DiskFull: the batch may be half there; applying it again makes it whole.
        """
        with self._stores.lock, _disk_full_told(self._folder):
            self._stores.apply(batch)
            is_merge_due = self._stores.keywords.wants_merge
            is_wasteful = self._stores.vectors.is_wasteful
        if is_merge_due:
            self._upkeep.merge()
        if is_wasteful:
            self._follow()
        return self.state()

    def settle(self) -> None:
        """Merge keywords and build the graph in the background if it pays. Returns at once."""
        with self._stores.lock:
            is_merge_due = self._stores.keywords.is_worth_merging
        if is_merge_due:
            self._upkeep.merge()
        self._follow()

    def clear(self) -> None:
        """Begin a new, empty generation; the old one is removed."""
        with self._stores.lock, _disk_full_told(self._folder):
            self._stores.clear()

    def search(self, question: str, limit: int, among: Sequence[ChunkId] | None = None) -> Ranking:
        """Dense and keyword candidates (`limit` each), fused, best first. Any text is a question.

        Every candidate carries its cosine, also those that only keywords found. It is `None` while
        vectors are missing (another embedder), and when the embedder does not know the question's
        language: then it means nothing, and candidates carry `word_evidence`.
        """
        self._upkeep.note_question()
        chosen = None if among is None else ascending(among)
        searched = self._searched(chosen)
        if not question.strip() or not searched or limit <= 0:
            return Ranking(candidates=(), searched=searched)
        watch = _Stopwatch()
        with self._stores.lock:
            corrections = self._stores.keywords.corrections(
                question, self._stores.words, self._embedder.knows
            )
        watch.lap("spelling")
        vector = self._embedder.embed_query(corrected(question, corrections))
        watch.lap("embed")
        with self._stores.lock:
            dense = self._nearest(vector, limit, chosen)
            watch.lap("vectors")
            hits = self._stores.keywords.search(question, limit, chosen, corrections)
            watch.lap("keywords")
            cosines = dict(dense)
            missing = [chunk for chunk in hits.chunks if chunk not in cosines]
            cosines.update(self._stores.vectors.matrix.similarities(vector, missing))
        language = "" if self._info.knows(hits.language) else hits.language
        share = _dense_share(question, hits, language)
        candidates = _fused(share, [chunk for chunk, _ in dense], hits, cosines)
        if language:
            candidates = _judged_by_words(candidates, hits, language)
        watch.lap("fuse")
        return Ranking(
            candidates,
            searched,
            hits.matched,
            hits.unmatched,
            tuple(corrections),
            watch.laps_ms,
            share,
            language,
            self._info.fingerprint,
        )

    def select(
        self,
        holding: Sequence[str],
        without: Sequence[str],
        among: Sequence[ChunkId] | None = None,
    ) -> list[ChunkId]:
        """Chunks (of `among`) that hold some words and do not hold others; see `SearchIndex`."""
        chosen = None if among is None else ascending(among)
        with self._stores.lock:
            found = self._stores.keywords.select(holding, without, chosen)
        return [ChunkId(chunk) for chunk in found.tolist()]

    def rerank(self, question: str, items: Sequence[RerankItem]) -> Reranking:
        """Scores by late interaction; cosines; whether there is a cross-encoder to read with."""
        with self._stores.lock:
            stored = self._stores.vectors.matrix.stored([item.chunk for item in items])
        similarities = _similarities(items, stored)
        if not question.strip():
            return Reranking((None,) * len(items), similarities)
        late = self._embedder.late_scores(question, [item.tokens for item in items])
        name = LATE_INTERACTION if any(score is not None for score in late) else ""
        reader = self._reranker.id if self._reranker is not None else ""
        return Reranking(tuple(late), similarities, name, reader)

    def read_again(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Scores by the cross-encoder; none without one."""
        if self._reranker is None:
            return ()
        return tuple(self._reranker.score(question, texts))

    def spans(self, question: str, texts: Sequence[str]) -> list[Span]:
        """The words of each text that answer a question; see `SearchIndex`."""
        return self._extractor.spans(question, texts)

    def wait_until_settled(self, timeout_s: float | None = None) -> bool:
        """Wait until nothing is done in the background any more; false on time-out."""
        return self._upkeep.wait_until_idle(timeout_s)

    def close(self) -> None:
        """Write what is pending, let go of the folder and end all threads."""
        self._upkeep.close()
        self._stores.close()
        self._embedder.close()
        self._extractor.close()
        self._lock.release()

    def _follow(self) -> None:
        with self._stores.lock:
            is_followed = self._stores.vectors.is_followed
        if not is_followed:
            self._upkeep.follow()

    def _searched(self, among: Numbers | None) -> int:
        """How many chunks (of `among`) at least one store can find."""
        with self._stores.lock:
            keywords, matrix = self._stores.keywords, self._stores.vectors.matrix
            if among is None:
                return max(keywords.count(), matrix.count())
            return max(keywords.count_among(among), matrix.count_among(among))

    def _nearest(self, vector: bytes, limit: int, among: Numbers | None) -> list[tuple[int, float]]:
        vectors = self._stores.vectors
        if vectors.graph is None and vectors.matrix.count() >= EXACT_BELOW:
            self._upkeep.follow()
        try:
            return vectors.nearest(vector, limit, among)
        except Exception:
            # Chroma raises anything on a damaged graph.
            if vectors.graph is None:
                raise
            logger.exception("The vector graph failed; it is built anew")
            self._stores.renew_graph()
            self._upkeep.follow()
            return vectors.nearest(vector, limit, among)


class _Stopwatch:
    """Milliseconds between laps."""

    def __init__(self) -> None:
        self.laps_ms: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps_ms[name] = (now - self._last) * 1000
        self._last = now


def _dense_share(question: str, hits: KeywordHits, language: str) -> float:
    """Of vectors against keywords; little when they do not know the language or miss a name."""
    if language:
        return FOREIGN_SHARE
    return NAMED_SHARE if hits.has_name else shares_for(question).dense


def _judged_by_words(
    candidates: Sequence[Candidate], hits: KeywordHits, language: str
) -> tuple[Candidate, ...]:
    return tuple(
        replace(
            one,
            similarity=None,
            word_evidence=word_evidence(one.keyword_score or 0.0, hits.possible, language),
        )
        for one in candidates
    )


def _fused(
    share: float, dense: list[int], hits: KeywordHits, cosines: dict[int, float]
) -> tuple[Candidate, ...]:
    keyword_scores = dict(zip(hits.chunks, hits.scores, strict=True))
    dense_ranks = {chunk: rank for rank, chunk in enumerate(dense, start=1)}
    keyword_ranks = {chunk: rank for rank, chunk in enumerate(hits.chunks, start=1)}
    candidates = [
        Candidate(
            chunk=ChunkId(chunk),
            score=0.0,
            similarity=cosines.get(chunk),
            dense_rank=dense_ranks.get(chunk),
            keyword_rank=keyword_ranks.get(chunk),
            keyword_score=keyword_scores.get(chunk),
        )
        for chunk in dense_ranks | keyword_ranks
    ]
    return tuple(fused(candidates, Shares(share, 1 - share)))


def _similarities(
    items: Sequence[RerankItem], stored: Mapping[int, bytes]
) -> tuple[tuple[float, ...], ...]:
    """Cosine of each item with every earlier one; -1 where one of them has no vector."""
    rows = [n for n, item in enumerate(items) if item.chunk in stored]
    cosines = np.full((len(items), len(items)), -1.0, np.float32)
    if rows:
        raw = b"".join(stored[items[n].chunk] for n in rows)
        vectors = np.frombuffer(raw, "<f2").reshape(len(rows), -1).astype(np.float32)
        cosines[np.ix_(rows, rows)] = vectors @ vectors.T
    return tuple(tuple(cosines[n, :n].tolist()) for n in range(len(items)))


def _locked(folder: Path) -> filelock.BaseFileLock:
    with _disk_full_told(folder):
        folder.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(folder / "index.lock", timeout=_LOCK_PATIENCE_S)
    try:
        lock.acquire()
    except filelock.Timeout as exc:
        raise LibraryLocked(
            f"The search index in {folder} is open in another Desktop RAG; close that one first.",
            path=str(folder),
        ) from exc
    return lock


@contextmanager
def _disk_full_told(folder: Path) -> Iterator[None]:
    """Turn the many ways in which libraries say "no room" into `DiskFull`."""
    try:
        yield
    except Exception as exc:
        is_full = isinstance(exc, OSError) and exc.errno in (errno.ENOSPC, errno.EDQUOT)
        # SQLite inside Chroma: "database or disk is full" (code 13).
        if is_full or "disk is full" in str(exc):
            raise DiskFull(
                f"No room is left on the disk that holds {folder}; free some space and try again.",
                path=str(folder),
            ) from exc
        raise
