"""All of the library, for answers that only looking at everything gives: files, texts, chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.library import LibraryFile
from desktop_rag.domain.matching import DocumentFacts
from desktop_rag.domain.scope import Scope
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database

_BATCH = 50
"""Texts in memory at a time."""


@dataclass(frozen=True, slots=True)
class HeldFile:
    """A file of the library, whatever became of it."""

    file: LibraryFile
    facts: DocumentFacts

    @property
    def is_read(self) -> bool:
        """Whether its text is known."""
        return self.file.chunks > 0


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """Where a chunk of a document begins and ends in its text."""

    id: ChunkId
    start: int
    end: int
    section: str


class Holdings:
    """Reads the catalog from end to end. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._catalog = Catalog(database)
        self._collections = Collections(database)

    def files(self, *scopes: Scope) -> list[HeldFile]:
        """The files that all scopes select, by path, with those that were not read.

        Raises:
            NotFound: a scope names a collection or tag that does not exist.
        """
        facts = {one.id: one for one in self._collections.files_in(*scopes)}
        files = self._catalog.files()
        return [HeldFile(file, facts[file.id]) for file in files if file.id in facts]

    def texts(self, documents: Sequence[DocumentId]) -> Iterator[tuple[DocumentId, str]]:
        """Texts of documents in their order; those that were removed meanwhile are missing."""
        for start in range(0, len(documents), _BATCH):
            batch = documents[start : start + _BATCH]
            marks = ", ".join("?" * len(batch))
            with self._database.read() as db:
                rows = db.execute(
                    f"SELECT document_id, text FROM document_texts WHERE document_id IN ({marks})",
                    batch,
                ).fetchall()
            texts = {row[0]: row[1] for row in rows}
            yield from ((one, texts[one]) for one in batch if one in texts)

    def chunks(self, document: DocumentId) -> list[ChunkSpan]:
        """A document's chunks in order."""
        with self._database.read() as db:
            rows = db.execute(
                'SELECT id, start, "end", section FROM chunks WHERE document_id = ? ORDER BY start',
                (document,),
            )
            return [ChunkSpan(ChunkId(row[0]), row[1], row[2], row[3]) for row in rows]
