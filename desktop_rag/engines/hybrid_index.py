"""The search index: embedder, vector store and keyword store behind one port.

Both stores are caches. Whenever there is doubt about them (killed while writing, another embedder,
counts that disagree, a crash while opening) a new, empty generation begins and says `applied_seq`
0; the catalog then sends its stored vectors and texts again, without reading or embedding anything.
"""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import filelock

from desktop_rag import paths
from desktop_rag.domain.answers import Candidate, Ranking
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import DiskFull, LibraryLocked
from desktop_rag.domain.fusion import hybrid_fusion
from desktop_rag.domain.ports import EmbedderInfo, IndexBatch, IndexState
from desktop_rag.domain.queries import weights_for
from desktop_rag.engines.embedder_onnx import OnnxEmbedder
from desktop_rag.engines.index_manifest import (
    KEYWORDS,
    OPENING,
    SCHEMA,
    VECTORS,
    Manifest,
    next_generation,
    read_manifest,
    remove_others,
    write_manifest,
)
from desktop_rag.engines.keywords_bm25s import (
    Analyzer,
    KeywordHits,
    KeywordIndex,
    KeywordIndexDamaged,
)
from desktop_rag.engines.vectors_chroma import ChromaVectorIndex
from desktop_rag.engines.vectors_exact import VectorIndexDamaged

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)

# A process that was killed a moment ago may still hold the lock.
_LOCK_PATIENCE_S = 1.0
_SETTLE_AT = 64
"""Fewer unmerged changes than this (or 1 % of a small index) are not worth writing a base for."""


class VectorIndex(Protocol):
    """Chunk numbers with unit vectors; see `ChromaVectorIndex` and `ExactVectorIndex`."""

    def count(self) -> int:
        """How many chunks are stored."""
        ...

    def upsert(self, chunks: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Add or replace; on disk when it returns."""
        ...

    def delete(self, chunks: Sequence[int]) -> None:
        """Remove; unknown numbers are ignored."""
        ...

    def query(self, vector: bytes, limit: int) -> list[tuple[int, float]]:
        """Nearest chunks with cosine, best first; never more than there are."""
        ...

    def similarities(self, vector: bytes, chunks: Sequence[int]) -> dict[int, float]:
        """Cosine of each named chunk that is stored."""
        ...

    def close(self) -> None:
        """Write what is pending and let go."""
        ...


OpenVectors = Callable[[Path, int, int], VectorIndex]
"""(folder, dimensions, threads) to an open store; raises `VectorIndexDamaged`."""


def open_index(
    index_dir: Path,
    embedder_dir: Path,
    threads: int,
    open_vectors: OpenVectors = ChromaVectorIndex,
) -> HybridIndex:
    """Lock the folder, load the embedder, open both stores or begin new ones.

    Args:
        index_dir: owned by this process until `close`; created when missing.
        embedder_dir: of the ONNX embedder.
        threads: processor threads for embedding and for building the vector graph.
        open_vectors: which vector store to use.

    Raises:
        LibraryLocked: another process has the folder open.
        ModelMissing, ModelDamaged: of the embedder.
        DiskFull: no room for a new generation.
    """
    lock = _locked(index_dir)
    try:
        embedder = OnnxEmbedder(embedder_dir, threads)
    except BaseException:
        lock.release()
        raise
    try:
        return HybridIndex(index_dir, embedder, lock, lambda f, d: open_vectors(f, d, threads))
    except BaseException:
        embedder.close()
        lock.release()
        raise


class HybridIndex:
    """Implements `domain.ports.SearchIndex`. Not thread-safe: one caller at a time."""

    def __init__(
        self,
        folder: Path,
        embedder: OnnxEmbedder,
        lock: filelock.BaseFileLock,
        open_vectors: Callable[[Path, int], VectorIndex],
    ) -> None:
        self._folder = folder
        self._embedder = embedder
        self._info = embedder.info()
        self._lock = lock
        self._open_vectors = open_vectors
        self._analyzer = Analyzer("english", paths.shipped("resources", "stopwords", "english.txt"))
        self._vectors: VectorIndex
        self._keywords: KeywordIndex
        self._manifest: Manifest
        with _disk_full_told(folder):
            if not self._open_known():
                self._begin()
            self._sweep()

    def embedder(self) -> EmbedderInfo:
        """Which embedder is loaded."""
        return self._info

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text, in order; longer texts than `max_tokens` are truncated."""
        return self._embedder.embed(texts)

    def state(self) -> IndexState:
        """What is stored; never writes."""
        return IndexState(
            applied_seq=self._manifest.applied_seq,
            vectors=self._vectors.count(),
            keywords=self._keywords.count(),
            fingerprint=self._manifest.fingerprint,
        )

    def apply(self, batch: IndexBatch) -> IndexState:
        """Store a batch in both stores, then record `last_seq`. Idempotent.

        Raises:
            ValueError: a vector has the wrong length; nothing was changed.
            DiskFull: the batch may be half there; applying it again makes it whole.
        """
        size = 2 * self._info.dimensions
        if any(len(one.vector) != size for one in batch.upserts):
            raise ValueError(f"a vector does not have {self._info.dimensions} dimensions")
        with _disk_full_told(self._folder):
            if batch.upserts or batch.deletes:
                self._record(is_clean=False)
                self._write(batch)
            seq = max(batch.last_seq, self._manifest.applied_seq)
            self._record(is_clean=True, applied_seq=seq, chunks=self._keywords.count())
            if self._keywords.wants_merge:
                self._merge()
        return self.state()

    def settle(self) -> None:
        """Merge keyword segments when enough has changed. Searching waits meanwhile."""
        pending = self._keywords.pending
        if pending and pending >= min(_SETTLE_AT, self._keywords.count() // 100):
            with _disk_full_told(self._folder):
                self._merge()

    def clear(self) -> None:
        """Begin a new, empty generation; the old one is removed."""
        with _disk_full_told(self._folder):
            self._close_stores()
            self._begin()
            self._sweep()

    def search(self, question: str, limit: int, among: Sequence[ChunkId] | None = None) -> Ranking:
        """Dense and keyword candidates (`limit` each), fused, best first. Any text is a question.

        Every candidate carries its cosine, also those that only keywords found.
        """
        searched = self._keywords.count()
        if not question.strip() or not searched or limit <= 0:
            return Ranking(candidates=(), searched=searched)
        watch = _Stopwatch()
        vector = self._embedder.embed_query(question)
        watch.lap("embed")
        dense = self._nearest(vector, limit, among)
        watch.lap("vectors")
        hits = self._keywords.search(question, limit, among)
        watch.lap("keywords")
        cosines = dict(dense)
        missing = [chunk for chunk in hits.chunks if chunk not in cosines]
        cosines.update(self._vectors.similarities(vector, missing))
        candidates = _fused(question, [chunk for chunk, _ in dense], hits, cosines)
        watch.lap("fuse")
        return Ranking(candidates, searched, hits.matched, hits.unmatched, watch.laps_ms)

    def _nearest(
        self, vector: bytes, limit: int, among: Sequence[ChunkId] | None
    ) -> list[tuple[int, float]]:
        if among is None:
            return self._vectors.query(vector, limit)
        cosines = self._vectors.similarities(vector, among)
        return sorted(cosines.items(), key=lambda item: (-item[1], item[0]))[:limit]

    def close(self) -> None:
        """Write what is pending, let go of the folder and end all threads."""
        self._close_stores()
        self._embedder.close()
        self._lock.release()

    def _open_known(self) -> bool:
        """Open the generations the manifest names; false when they cannot be trusted."""
        manifest = read_manifest(self._folder)
        marker = self._folder / OPENING
        if doubt := _doubt(manifest, self._info.fingerprint, has_crashed=marker.exists()):
            logger.info("The search index starts anew: %s", doubt)
            return False
        assert manifest is not None
        # A native crash below leaves the marker behind: the next start then begins anew.
        marker.touch()
        try:
            self._vectors = self._open_vectors(
                self._folder / VECTORS / manifest.vectors, self._info.dimensions
            )
        except VectorIndexDamaged:
            logger.info("The search index starts anew: the vector store does not open")
            return False
        try:
            self._keywords = KeywordIndex(
                self._folder / KEYWORDS / manifest.keywords, self._analyzer
            )
        except KeywordIndexDamaged:
            logger.info("The search index starts anew: the keyword store does not open")
            self._vectors.close()
            return False
        self._manifest = manifest
        if not self._is_whole():
            logger.info("The search index starts anew: its stores disagree")
            self._close_stores()
            return False
        marker.unlink(missing_ok=True)
        return True

    def _is_whole(self) -> bool:
        """Both stores hold as many chunks as recorded, and the graph can be walked.

        A Chroma store that was damaged may count well and yet fail, or find nothing, when asked.
        """
        chunks = self._manifest.chunks
        if self._keywords.count() != chunks or self._vectors.count() != chunks:
            return False
        if not chunks:
            return True
        anything = self._embedder.embed_query("")
        try:
            return len(self._vectors.query(anything, 3)) == min(3, chunks)
        except Exception:  # noqa: BLE001 - Chroma raises anything on a damaged graph
            return False

    def _begin(self) -> None:
        vectors = next_generation(self._folder / VECTORS)
        keywords = next_generation(self._folder / KEYWORDS)
        self._vectors = self._open_vectors(self._folder / VECTORS / vectors, self._info.dimensions)
        self._keywords = KeywordIndex.create(self._folder / KEYWORDS / keywords, self._analyzer)
        self._manifest = Manifest(
            schema=SCHEMA,
            fingerprint=self._info.fingerprint,
            applied_seq=0,
            chunks=0,
            is_clean=True,
            vectors=vectors,
            keywords=keywords,
        )
        write_manifest(self._folder, self._manifest)
        (self._folder / OPENING).unlink(missing_ok=True)

    def _write(self, batch: IndexBatch) -> None:
        if batch.upserts:
            chunks = [one.chunk for one in batch.upserts]
            self._vectors.upsert(chunks, [one.vector for one in batch.upserts])
        if batch.deletes:
            self._vectors.delete(batch.deletes)
        self._keywords.apply([(one.chunk, one.text) for one in batch.upserts], batch.deletes)

    def _merge(self) -> None:
        """Write a new keyword generation, make it count, remove the old one."""
        parent = self._folder / KEYWORDS
        name = next_generation(parent)
        merged = self._keywords.merge_into(parent / name)
        self._keywords.close()
        self._keywords = merged
        self._record(keywords=name)
        remove_others(parent, name)

    def _record(
        self,
        *,
        is_clean: bool | None = None,
        applied_seq: int | None = None,
        chunks: int | None = None,
        keywords: str | None = None,
    ) -> None:
        """Write the manifest with the given fields changed, if that changes anything."""
        old = self._manifest
        new = replace(
            old,
            is_clean=old.is_clean if is_clean is None else is_clean,
            applied_seq=old.applied_seq if applied_seq is None else applied_seq,
            chunks=old.chunks if chunks is None else chunks,
            keywords=old.keywords if keywords is None else keywords,
        )
        if new != old:
            write_manifest(self._folder, new)
            self._manifest = new

    def _sweep(self) -> None:
        remove_others(self._folder / VECTORS, self._manifest.vectors)
        remove_others(self._folder / KEYWORDS, self._manifest.keywords)

    def _close_stores(self) -> None:
        self._vectors.close()
        self._keywords.close()


class _Stopwatch:
    """Milliseconds between laps."""

    def __init__(self) -> None:
        self.laps_ms: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps_ms[name] = (now - self._last) * 1000
        self._last = now


def _fused(
    question: str, dense: list[int], hits: KeywordHits, cosines: dict[int, float]
) -> tuple[Candidate, ...]:
    keyword_scores = dict(zip(hits.chunks, hits.scores, strict=True))
    share = weights_for(question).dense
    fused = hybrid_fusion(dense, hits.chunks, cosines, keyword_scores, share)
    dense_ranks = {chunk: rank for rank, chunk in enumerate(dense, start=1)}
    keyword_ranks = {chunk: rank for rank, chunk in enumerate(hits.chunks, start=1)}
    return tuple(
        Candidate(
            chunk=ChunkId(chunk),
            score=score,
            similarity=cosines.get(chunk),
            dense_rank=dense_ranks.get(chunk),
            keyword_rank=keyword_ranks.get(chunk),
            keyword_score=keyword_scores.get(chunk),
        )
        for chunk, score in fused
    )


def _doubt(manifest: Manifest | None, fingerprint: str, *, has_crashed: bool) -> str:
    """Why stored generations cannot be trusted; empty when they can."""
    if manifest is None:
        return "there is no manifest this version understands"
    if has_crashed:
        return "the last start ended while opening it"
    if manifest.fingerprint != fingerprint:
        return "it was made with another embedder"
    if not manifest.is_clean:
        return "the program was stopped while writing it"
    return ""


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
