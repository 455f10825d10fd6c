"""Embeds what is new of documents and stores them, each in one transaction.

Small documents are embedded together: the embedder is fast with many texts at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from desktop_rag.domain.documents import ReadDocument
from desktop_rag.domain.errors import FileBusy, NotFound
from desktop_rag.domain.events import LibraryChanged
from desktop_rag.domain.ports import SearchIndex
from desktop_rag.services.bus import Bus
from desktop_rag.services.outcomes import Outcomes, Prepared
from desktop_rag.services.progress import Progress
from desktop_rag.services.synchronising import Synchroniser
from desktop_rag.storage.catalog import Catalog, embedding_hash
from desktop_rag.storage.folders import stamp_of

EMBED_BATCH = 32
_SYNC_AFTER_CHUNKS = 256
_SYNC_AFTER_S = 1.5


class Storing:
    """Called on the indexer thread."""

    def __init__(
        self,
        catalog: Catalog,
        index: SearchIndex,
        synchroniser: Synchroniser,
        outcomes: Outcomes,
        progress: Progress,
        bus: Bus,
        before_batch: Callable[[], None],
        after_batch: Callable[[float], None],
    ) -> None:
        """`before_batch` may wait or raise Cancelled; `after_batch` is told the seconds worked."""
        self._catalog = catalog
        self._index = index
        self._synchroniser = synchroniser
        self._outcomes = outcomes
        self._progress = progress
        self._bus = bus
        self._before_batch = before_batch
        self._after_batch = after_batch
        self._unsynchronised = 0
        self._synchronised_at = time.monotonic()

    def store(self, documents: Sequence[Prepared]) -> None:
        """Embed and store documents; what is raised leaves those that were not stored queued."""
        texts = {
            key: text
            for one in documents
            if one.read is not None
            for key, text in _texts(one.read).items()
        }
        vectors = self._embed_missing(texts, {})
        for one in documents:
            self._store_one(one, vectors)

    def synchronise(self) -> None:
        """Bring the search index up to date with what was stored."""
        self._synchroniser.synchronise()
        self._unsynchronised = 0
        self._synchronised_at = time.monotonic()

    def _store_one(self, prepared: Prepared, vectors: Mapping[bytes, bytes]) -> None:
        job, read = prepared.job, prepared.read
        try:
            if read is None:
                self._catalog.mark_unchanged(job.document, prepared.stamp)
            else:
                self._replace(prepared, read, vectors)
        except FileBusy:
            self._outcomes.wait_for_rest(job)
            return
        except NotFound:
            self._outcomes.forget(job)
            return
        is_finished = read is None or not read.document.coverage.waiting
        self._progress.stored(job, is_finished=is_finished)
        self._bus.publish(LibraryChanged((job.document,)))
        self._synchronise_now_and_then(0 if read is None else len(read.chunks))

    def _replace(
        self, prepared: Prepared, read: ReadDocument, vectors: Mapping[bytes, bytes]
    ) -> None:
        texts = _texts(read)
        # A vector that was there before may have gone with the text of a document stored since.
        found = self._embed_missing(texts, vectors)
        if stamp_of(Path(prepared.job.path)) != prepared.stamp:
            raise FileBusy(f"{prepared.job.path} changed while it was read.")
        fingerprint = self._synchroniser.embedder().fingerprint
        self._catalog.replace(
            prepared.job.document, read, prepared.stamp, prepared.sha256, found, fingerprint
        )

    def _embed_missing(
        self, texts: Mapping[bytes, str], known: Mapping[bytes, bytes]
    ) -> dict[bytes, bytes]:
        """Vectors of those texts the catalog has none for; `known` are not embedded again."""
        fingerprint = self._synchroniser.embedder().fingerprint
        missing = self._catalog.missing_vectors(list(texts), fingerprint)
        vectors = {key: known[key] for key in missing if key in known}
        # Texts of one length together: the embedder pads a batch to its longest.
        keys = sorted(missing - vectors.keys(), key=lambda key: len(texts[key]))
        for start in range(0, len(keys), EMBED_BATCH):
            self._before_batch()
            started = time.monotonic()
            batch = keys[start : start + EMBED_BATCH]
            embedded = self._index.embed([texts[key] for key in batch])
            vectors.update(zip(batch, embedded, strict=True))
            self._after_batch(time.monotonic() - started)
        return vectors

    def _synchronise_now_and_then(self, chunks: int) -> None:
        """A file is not found before the index knows it, and telling it of each costs too much."""
        self._unsynchronised += chunks
        waited_s = time.monotonic() - self._synchronised_at
        if self._unsynchronised >= _SYNC_AFTER_CHUNKS or (
            self._unsynchronised and waited_s >= _SYNC_AFTER_S
        ):
            self.synchronise()


def _texts(read: ReadDocument) -> dict[bytes, str]:
    return {embedding_hash(chunk.embedding_text): chunk.embedding_text for chunk in read.chunks}
