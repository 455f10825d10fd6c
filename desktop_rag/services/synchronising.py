"""Brings the search index up to date with the catalog.

The catalog is the truth. Whatever the index lost, missed or never had is sent again from stored
text and stored vectors: nothing is parsed, and nothing is embedded twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from desktop_rag.domain.ports import EmbedderInfo, SearchIndex
from desktop_rag.storage.changes import ChangeLog

logger = logging.getLogger(__name__)

_EMBED_BATCH = 32


class Synchroniser:
    """Applies the change log to the index. Called on the indexer thread only."""

    def __init__(
        self, changes: ChangeLog, index: SearchIndex, check_stop: Callable[[], None]
    ) -> None:
        self._changes = changes
        self._index = index
        self._check_stop = check_stop
        self._embedder: EmbedderInfo | None = None
        self._is_settled = True

    def embedder(self) -> EmbedderInfo:
        """The loaded embedder. Asks the index role once."""
        if self._embedder is None:
            self._embedder = self._index.embedder()
        return self._embedder

    def synchronise(self) -> None:
        """Send everything the index does not hold yet. Does nothing when it is up to date."""
        fingerprint = self.embedder().fingerprint
        state = self._index.state()
        if state.applied_seq == self._changes.last_seq():
            return
        if state.applied_seq and self._changes.can_catch_up(state.applied_seq):
            batches = self._changes.since(state.applied_seq, fingerprint)
        else:
            self._embed_missing(fingerprint)
            if state.applied_seq:
                self._index.clear()
            batches = self._changes.everything(fingerprint)
        applied = 0
        for batch in batches:
            self._check_stop()
            self._is_settled = False
            applied = self._index.apply(batch).applied_seq
        if applied:
            self._changes.prune(applied)

    def repair(self, chunks: int) -> None:
        """Rebuild an index that claims to be complete but holds other chunks than the catalog."""
        state = self._index.state()
        is_whole = state.checksum == self._changes.checksum()
        if state.applied_seq == self._changes.last_seq() and not is_whole:
            logger.info(
                "Index holds %d vectors and %d keyword rows for %d chunks: rebuilding",
                state.vectors,
                state.keywords,
                chunks,
            )
            self._index.clear()
            self.synchronise()

    def settle(self) -> None:
        """Let the index put in order what it was sent: no more is expected for now."""
        if not self._is_settled:
            self._index.settle()
            self._is_settled = True

    def _embed_missing(self, fingerprint: str) -> None:
        """Vectors for stored text that this embedder has not seen (after a change of model)."""
        while missing := self._changes.chunks_without_vector(fingerprint, _EMBED_BATCH):
            self._changes.note_reembedding(fingerprint)
            self._check_stop()
            found = self._index.embed([text for _, text in missing])
            self._changes.add_embeddings(
                {key: one for (key, _), one in zip(missing, found, strict=True)}, fingerprint
            )
        self._changes.note_reembedding("")
