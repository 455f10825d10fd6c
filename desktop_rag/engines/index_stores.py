"""The two stores of the index folder, and the manifest that says what of them counts.

Each store is taken up as the manifest describes it, or begun anew when it cannot be trusted
(damaged, missing, of another version; for vectors also: of another embedder). While one of them is
not whole `applied_seq` is 0, and the other goes on answering.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from desktop_rag.domain.ports import EmbedderInfo, IndexBatch
from desktop_rag.engines.analysis import Analyzer
from desktop_rag.engines.index_manifest import (
    KEYWORDS,
    MATRIX,
    OPENING,
    SCHEMA,
    VECTORS,
    GraphRecord,
    Manifest,
    StoreRecord,
    next_generation,
    read_manifest,
    remove_others,
    write_manifest,
)
from desktop_rag.engines.keywords_bm25s import KeywordIndex, KeywordIndexDamaged
from desktop_rag.engines.vector_store import VectorIndex, VectorStore, close_quietly
from desktop_rag.engines.vectors_exact import ExactVectorIndex, VectorIndexDamaged
from desktop_rag.engines.vocabulary import Vocabulary

WORDS = "words.txt"
logger = logging.getLogger(__name__)

OpenGraph = Callable[[Path, int], VectorIndex]
"""(folder, dimensions) to an open graph; raises `VectorIndexDamaged`."""


class IndexStores:
    """Keywords, vectors and manifest of one folder, which nobody else has open.

    Args:
        folder: of the index.
        embedder: whose vectors are stored.
        analyzer: of texts and questions.

    Raises:
        OSError: no room for a new generation, or the folder cannot be written.
    """

    def __init__(self, folder: Path, embedder: EmbedderInfo, analyzer: Analyzer) -> None:
        self.folder = folder
        self._embedder = embedder
        self._analyzer = analyzer
        # Guards everything here. Callers hold it for one call, the background thread for one step:
        # some 20 ms while questions are asked, else 100; embedding and merging are done without.
        self.lock = threading.RLock()
        manifest = read_manifest(folder)
        if manifest is None:
            logger.info("The search index starts anew: no manifest this version understands")
        self.words = Vocabulary(folder / WORDS)
        self.keywords, has_keywords = self._open_keywords(manifest)
        self.vectors, has_vectors = self._open_vectors(manifest)
        is_whole = has_keywords and has_vectors and self.is_consistent and not self.words.is_new
        graph = self._open_graph_record(manifest) if has_vectors else None
        if graph is None:
            graph = GraphRecord(next_generation(folder / VECTORS))
        self.vectors.graph_entries = graph.entries
        self.manifest = self._described(manifest.applied_seq if manifest and is_whole else 0, graph)
        if self.manifest != manifest:
            write_manifest(folder, self.manifest)
        self._sweep()

    @property
    def is_consistent(self) -> bool:
        """Both stores hold the same chunks."""
        return self.keywords.checksum == self.vectors.matrix.checksum

    def apply(self, batch: IndexBatch) -> None:
        """Write a batch to both stores, then record how far they are."""
        matrix = self.vectors.matrix
        if batch.upserts:
            chunks = [one.chunk for one in batch.upserts]
            matrix.upsert(chunks, [one.vector for one in batch.upserts])
        if batch.deletes:
            matrix.delete(batch.deletes)
        self.words.add(one.text for one in batch.upserts)
        self.keywords.apply([(one.chunk, one.text) for one in batch.upserts], batch.deletes)
        self._record(max(batch.last_seq, self.manifest.applied_seq), self.manifest.graph)

    def clear(self) -> None:
        """Begin with empty stores; what was there is removed."""
        self.words.clear()
        self.keywords.close()
        self.vectors.close()
        self.keywords = self._new_keywords()
        self.vectors = self._new_vectors()
        self._record(0, GraphRecord(next_generation(self.folder / VECTORS)))
        self._sweep()

    def replace_keywords(self, merged: KeywordIndex) -> None:
        """Make a merged generation count, with what came after its snapshot."""
        old = self.keywords
        old.take_over(merged)
        self.keywords = merged
        old.close()
        self._record(self.manifest.applied_seq, self.manifest.graph)
        self._sweep()

    def replace_matrix(self, matrix: ExactVectorIndex) -> None:
        """Make a rewritten matrix count, and have a new graph built over it."""
        self.vectors.close()
        self.vectors = VectorStore(matrix, graph_entries=0)
        self._record(self.manifest.applied_seq, GraphRecord(next_generation(self.folder / VECTORS)))
        self._sweep()

    def renew_graph(self) -> None:
        """Forget the graph; another is built from the matrix."""
        self.vectors.drop_graph()
        self.vectors.graph_entries = 0
        graph = GraphRecord(next_generation(self.folder / VECTORS))
        self._record(self.manifest.applied_seq, graph)
        self._sweep()

    def record_graph(self, *, is_clean: bool) -> None:
        """Say that the graph is about to be written, or that all it holds is on disk."""
        graph = replace(self.manifest.graph, entries=self.vectors.graph_entries, is_clean=is_clean)
        self._record(self.manifest.applied_seq, graph)

    def attach_graph(self, open_graph: OpenGraph) -> None:
        """Open the graph, or begin another when it cannot be trusted. Takes a second.

        Called on the background thread, without the lock.

        Raises:
            VectorIndexDamaged: not even a new one can be opened.
        """
        with self.lock:
            vectors, generation = self.vectors, self.manifest.graph.generation
        marker = self.folder / OPENING
        folder = self.folder / VECTORS / generation
        # A native crash below leaves the marker behind: the next start then builds another graph.
        marker.touch()
        graph: VectorIndex | None = None
        try:
            graph = open_graph(folder, self._embedder.dimensions)
            with self.lock:
                if self.manifest.graph.generation == generation:
                    vectors.attach(graph)
                else:  # cleared meanwhile
                    graph.close()
        except VectorIndexDamaged:
            if graph is not None:
                close_quietly(graph.close)
            if not vectors.graph_entries:
                raise
            logger.info("The vector graph is built anew: it does not open, or lacks vectors")
            with self.lock:
                if self.vectors is vectors:
                    self.renew_graph()
        finally:
            marker.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the files."""
        self.words.close()
        self.keywords.close()
        self.vectors.close()

    # ------------------------------------------------------------------ opening

    def _open_keywords(self, manifest: Manifest | None) -> tuple[KeywordIndex, bool]:
        """The store, and whether it is the one that the manifest describes."""
        if manifest is not None:
            record = manifest.keywords
            try:
                store = KeywordIndex(
                    self.folder / KEYWORDS / record.generation, self._analyzer, record.length
                )
            except KeywordIndexDamaged:
                logger.info("The keyword store is filled anew: it does not open")
            else:
                if (store.count(), store.checksum) == (record.chunks, record.checksum):
                    return store, True
                logger.info("The keyword store is filled anew: it lacks chunks")
                store.close()
        return self._new_keywords(), False

    def _open_vectors(self, manifest: Manifest | None) -> tuple[VectorStore, bool]:
        if manifest is not None and manifest.fingerprint == self._embedder.fingerprint:
            record = manifest.matrix
            try:
                matrix = ExactVectorIndex(
                    self.folder / MATRIX / record.generation,
                    self._embedder.dimensions,
                    record.length,
                )
            except VectorIndexDamaged:
                logger.info("The vector store is filled anew: it does not open")
            else:
                if (matrix.count(), matrix.checksum) == (record.chunks, record.checksum):
                    return VectorStore(matrix, 0), True
                logger.info("The vector store is filled anew: it lacks chunks")
                matrix.close()
        return self._new_vectors(), False

    def _open_graph_record(self, manifest: Manifest | None) -> GraphRecord | None:
        """Which graph to go on with; `None` when none can be trusted."""
        if manifest is None:
            return None
        graph, marker = manifest.graph, self.folder / OPENING
        is_there = not graph.entries or (self.folder / VECTORS / graph.generation).is_dir()
        if marker.exists():
            logger.info("The vector graph is built anew: the program ended while opening it")
            marker.unlink()
        elif not graph.is_clean:
            logger.info("The vector graph is built anew: the program ended while writing it")
        elif is_there and graph.entries <= manifest.matrix.length:
            return graph
        return None

    def _new_keywords(self) -> KeywordIndex:
        parent = self.folder / KEYWORDS
        return KeywordIndex.create(parent / next_generation(parent), self._analyzer)

    def _new_vectors(self) -> VectorStore:
        parent = self.folder / MATRIX
        folder = parent / next_generation(parent)
        return VectorStore(ExactVectorIndex(folder, self._embedder.dimensions), 0)

    def _described(self, applied_seq: int, graph: GraphRecord) -> Manifest:
        """The manifest of the stores as they are."""
        keywords, matrix = self.keywords, self.vectors.matrix
        return Manifest(
            schema=SCHEMA,
            fingerprint=self._embedder.fingerprint,
            applied_seq=applied_seq,
            keywords=StoreRecord(
                keywords.folder.name, keywords.journal_bytes, keywords.count(), keywords.checksum
            ),
            matrix=StoreRecord(matrix.folder.name, matrix.entries, matrix.count(), matrix.checksum),
            graph=graph,
        )

    def _record(self, applied_seq: int, graph: GraphRecord) -> None:
        """Make what the stores hold now count, if that changes anything."""
        manifest = self._described(applied_seq, graph)
        if manifest != self.manifest:
            write_manifest(self.folder, manifest)
            self.manifest = manifest

    def _sweep(self) -> None:
        remove_others(self.folder / KEYWORDS, self.manifest.keywords.generation)
        remove_others(self.folder / MATRIX, self.manifest.matrix.generation)
        remove_others(self.folder / VECTORS, self.manifest.graph.generation)


def unused_folder(parent: Path) -> Path:
    """Where a new generation may be written."""
    return parent / next_generation(parent)
