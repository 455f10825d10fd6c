"""Embeds what is new of documents and stores them, each in one transaction.

Small documents are embedded together: the embedder is fast with many texts at once. And while
they are, those that were embedded before are stored, so that the embedder never waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.documents import ReadDocument
from desktop_rag.domain.errors import FileBusy, NotFound
from desktop_rag.domain.events import LibraryChanged
from desktop_rag.domain.ports import Embedding, SearchIndex
from desktop_rag.services.bus import Bus
from desktop_rag.services.outcomes import Outcomes, Prepared
from desktop_rag.services.progress import Progress
from desktop_rag.services.synchronising import Synchroniser
from desktop_rag.storage.catalog import Catalog, embedding_hash
from desktop_rag.storage.folders import stamp_of

EMBED_BATCH = 32
_SYNC_AFTER_CHUNKS = 256
_SYNC_AFTER_S = 1.5


@dataclass(frozen=True, slots=True)
class EmbeddingBatch:
    """Documents whose new texts are being embedded."""

    documents: Sequence[Prepared]
    keys: Sequence[bytes]
    found: Future[list[Embedding]] | None
    """Of the keys; `None` when the texts are too many to be embedded at once."""


class Storing:
    """Called on the indexer thread; `after_batch` is also called on the embedding thread."""

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
        embeddings = self._embed_missing(_all_texts(documents), {})
        for one in documents:
            self._store_one(one, embeddings)

    def begin(
        self, documents: Sequence[Prepared], embedders: Executor, before: EmbeddingBatch | None
    ) -> EmbeddingBatch:
        """Have small documents embedded; `before` are those that still are, or wait for `end`."""
        texts = _all_texts(documents)
        missing = self._catalog.missing_vectors(list(texts), self._fingerprint())
        if before is not None:
            missing.difference_update(before.keys)  # stored when the turn of these comes
        keys = _by_length(missing, texts)
        if len(keys) > EMBED_BATCH:
            return EmbeddingBatch(documents, (), None)
        self._before_batch()
        wanted = [texts[key] for key in keys]
        return EmbeddingBatch(documents, keys, embedders.submit(self._embed, wanted))

    def end(self, embedding: EmbeddingBatch) -> None:
        """Store documents as soon as they are embedded; raises as `store` does."""
        if embedding.found is None:
            self.store(embedding.documents)
            return
        embeddings = dict(zip(embedding.keys, embedding.found.result(), strict=True))
        for one in embedding.documents:
            self._store_one(one, embeddings)

    def synchronise(self) -> None:
        """Bring the search index up to date with what was stored."""
        self._synchroniser.synchronise()
        self._unsynchronised = 0
        self._synchronised_at = time.monotonic()

    def _store_one(self, prepared: Prepared, known: Mapping[bytes, Embedding]) -> None:
        job, read = prepared.job, prepared.read
        try:
            if read is None:
                self._catalog.mark_unchanged(job.document, prepared.stamp)
            else:
                self._replace(prepared, read, known)
        except FileBusy:
            self._outcomes.wait_for_rest(job)
            return
        except NotFound:
            self._outcomes.forget(job)
            return
        is_finished = read is None or not read.document.coverage.waiting
        pages = 0 if read is None else len(read.document.pages)
        self._progress.stored(job, is_finished=is_finished, pages=pages)
        self._bus.publish(LibraryChanged((job.document,)))
        self._synchronise_now_and_then(0 if read is None else len(read.chunks))

    def _replace(
        self, prepared: Prepared, read: ReadDocument, known: Mapping[bytes, Embedding]
    ) -> None:
        texts = _texts(read)
        # A vector that was there before may have gone with the text of a document stored since.
        found = self._embed_missing(texts, known)
        if stamp_of(Path(prepared.job.path)) != prepared.stamp:
            raise FileBusy(f"{prepared.job.path} changed while it was read.")
        self._catalog.replace(
            prepared.job.document, read, prepared.stamp, prepared.sha256, found, self._fingerprint()
        )

    def _embed_missing(
        self, texts: Mapping[bytes, str], known: Mapping[bytes, Embedding]
    ) -> dict[bytes, Embedding]:
        """Vectors of those texts the catalog has none for; `known` are not embedded again."""
        missing = self._catalog.missing_vectors(list(texts), self._fingerprint())
        found = {key: known[key] for key in missing if key in known}
        keys = _by_length(missing - found.keys(), texts)
        for start in range(0, len(keys), EMBED_BATCH):
            self._before_batch()
            batch = keys[start : start + EMBED_BATCH]
            found.update(zip(batch, self._embed([texts[key] for key in batch]), strict=True))
        return found

    def _embed(self, texts: Sequence[str]) -> list[Embedding]:
        """On the indexer or the embedding thread."""
        if not texts:
            return []
        started = time.monotonic()
        embeddings = self._index.embed(texts)
        self._after_batch(time.monotonic() - started)
        return embeddings

    def _fingerprint(self) -> str:
        return self._synchroniser.embedder().fingerprint

    def _synchronise_now_and_then(self, chunks: int) -> None:
        """A file is not found before the index knows it, and telling it of each costs too much."""
        self._unsynchronised += chunks
        waited_s = time.monotonic() - self._synchronised_at
        if self._unsynchronised >= _SYNC_AFTER_CHUNKS or (
            self._unsynchronised and waited_s >= _SYNC_AFTER_S
        ):
            self.synchronise()


def _all_texts(documents: Sequence[Prepared]) -> dict[bytes, str]:
    return {
        key: text
        for one in documents
        if one.read is not None
        for key, text in _texts(one.read).items()
    }


def _by_length(keys: Collection[bytes], texts: Mapping[bytes, str]) -> list[bytes]:
    """Texts of one length together: the embedder pads a batch to its longest."""
    return sorted(keys, key=lambda key: len(texts[key]))


def _texts(read: ReadDocument) -> dict[bytes, str]:
    return {embedding_hash(chunk.embedding_text): chunk.embedding_text for chunk in read.chunks}
