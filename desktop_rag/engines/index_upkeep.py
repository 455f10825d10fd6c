"""What keeps the stores quick and small, done in the background while they are used.

Merging keywords, rewriting stores that are mostly about what is gone, opening the graph and
bringing it up to date. Everything long is done from a snapshot and without the stores' lock; its
result is made to count under the lock, in one replacement of the manifest. A process killed
meanwhile leaves a folder that the next start removes.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_rag.engines.analysis import Analyzer
from desktop_rag.engines.background import Background
from desktop_rag.engines.index_manifest import KEYWORDS, MATRIX
from desktop_rag.engines.index_stores import IndexStores, OpenGraph, unused_folder
from desktop_rag.engines.keywords_bm25s import KeywordIndex, write_generation
from desktop_rag.engines.vectors_exact import ExactVectorIndex, VectorIndexDamaged

logger = logging.getLogger(__name__)

_ENTRIES_AT_ONCE = 256
_ENTRIES_WHILE_ASKED = 32
"""Of the graph, in one step for which a question waits: 100 ms, and 20 ms."""
_ASKED_S = 2.0
"""So long after a question another one is expected."""
_CLOSE_PATIENCE_S = 3.0
"""So long closing waits for work under way; what is left goes on after the next start."""


class Upkeep:
    """Looks after stores on a thread of its own. Called by whoever changes the stores."""

    def __init__(
        self, stores: IndexStores, analyzer: Analyzer, dimensions: int, open_graph: OpenGraph
    ) -> None:
        self._stores = stores
        self._analyzer = analyzer
        self._dimensions = dimensions
        self._open_graph = open_graph
        self._is_merge_due = False
        self._is_graph_due = False
        self._has_graph_failed = False
        self._failures = 0
        self._asked_at = -_ASKED_S
        self._background = Background(self._step, "search index")

    @property
    def is_idle(self) -> bool:
        """Nothing is being done."""
        return self._background.is_idle

    def merge(self) -> None:
        """Keyword segments are to be merged. Returns at once."""
        self._is_merge_due = True
        self._background.wake()

    def follow(self) -> None:
        """The graph is to be opened and brought up to date. Returns at once."""
        if not self._has_graph_failed:
            self._is_graph_due = True
            self._background.wake()

    def note_question(self) -> None:
        """Somebody is searching: only short steps for a while."""
        self._asked_at = time.monotonic()

    def wait_until_idle(self, timeout_s: float | None = None) -> bool:
        """Wait until nothing is to be done; false on time-out."""
        return self._background.wait_until_idle(timeout_s)

    def close(self) -> None:
        """Finish, or end after the step under way when there is too much left."""
        self._background.close(_CLOSE_PATIENCE_S)
        with self._stores.lock:
            if self._stores.vectors.graph is not None:
                # Nothing writes it any more: it can be gone on with from where it is.
                self._stores.record_graph(is_clean=True)

    def _step(self) -> bool:
        """Do the most urgent thing; false when there is nothing."""
        if self._is_merge_due:
            self._is_merge_due = False
            self._merge()
            return True
        if self._stores.vectors.is_wasteful:
            self._rewrite_matrix()
            return True
        if self._is_graph_due:
            # Before the work: what is asked for during it must not be forgotten.
            self._is_graph_due = False
            if self._follow():
                self._is_graph_due = True
            return self._is_graph_due
        return False

    def _merge(self) -> None:
        """Write a new keyword generation from a snapshot, make it count, remove the old one."""
        stores = self._stores
        with stores.lock:
            source = stores.keywords
            snapshot = source.snapshot()
            folder = unused_folder(stores.folder / KEYWORDS)
            folder.mkdir(parents=True)
        try:
            with _whole_or_gone(folder):
                write_generation(folder, snapshot)
                merged = KeywordIndex(folder, self._analyzer)
        except BaseException:
            with stores.lock:
                source.forget_snapshot()
                if stores.keywords is not source:
                    return  # cleared meanwhile, and the folder swept away with it
            raise
        with stores.lock:
            if stores.keywords is source:
                stores.replace_keywords(merged)
            else:
                merged.close()

    def _rewrite_matrix(self) -> None:
        """Write the vectors that are still there into a new generation; the graph follows."""
        stores = self._stores
        with stores.lock:
            source = stores.vectors.matrix
            entries, table = source.entries, source.table()
            folder = unused_folder(stores.folder / MATRIX)
            folder.mkdir(parents=True)
        with _whole_or_gone(folder):
            source.copy_to(folder, table)
            matrix = ExactVectorIndex(folder, self._dimensions)
        with stores.lock:
            if stores.vectors.matrix is not source:
                matrix.close()
                return
            _repeat(source, entries, matrix)
            stores.replace_matrix(matrix)
        self.follow()

    def _follow(self) -> bool:
        """Bring the graph a step forward; false when it is up to date."""
        stores = self._stores
        if stores.vectors.graph is None:
            self._attach()
            return not self._has_graph_failed
        with stores.lock:
            if stores.vectors.is_followed:
                stores.record_graph(is_clean=True)
                return False
            if stores.manifest.graph.is_clean:
                stores.record_graph(is_clean=False)
            try:
                is_asked = time.monotonic() - self._asked_at < _ASKED_S
                stores.vectors.follow(_ENTRIES_WHILE_ASKED if is_asked else _ENTRIES_AT_ONCE)
            except Exception:
                # Chroma raises anything when it is damaged, or when the disk is full.
                logger.exception("Writing the vector graph failed; it is built anew")
                self._give_up_after(stores)
        return True

    def _attach(self) -> None:
        try:
            self._stores.attach_graph(self._open_graph)
        except VectorIndexDamaged:
            logger.exception("No vector graph can be opened; vectors are compared one by one")
            self._has_graph_failed = True

    def _give_up_after(self, stores: IndexStores) -> None:
        """Once is an accident; the second time vectors are compared one by one until the end."""
        stores.renew_graph()
        self._failures += 1
        self._has_graph_failed = self._failures > 1


@contextmanager
def _whole_or_gone(folder: Path) -> Iterator[None]:
    """Remove a generation that cannot be finished: every try on a full disk would leave one."""
    try:
        yield
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _repeat(source: ExactVectorIndex, entry: int, target: ExactVectorIndex) -> None:
    """Do to `target` what was done to `source` from an entry of its log on."""
    touched = source.touched_since(entry).tolist()
    stored = source.stored(touched)
    target.upsert(list(stored), list(stored.values()))
    target.delete([chunk for chunk in touched if chunk not in stored])
