"""The documents of the library: files, text, structure, chunks and their vectors.

The one place that writes document rows. A document is replaced in one transaction: before it the
old text answers, after it the new one does, and a crash in between changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeVar

import msgspec

from desktop_rag.domain.documents import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    Coverage,
    DocumentId,
    Page,
    Part,
    ReadDocument,
)
from desktop_rag.domain.embedding_text import searchable_text
from desktop_rag.domain.errors import DesktopRagError, NotFound
from desktop_rag.domain.library import FileState, LibraryFile, Tier
from desktop_rag.domain.phrases import SECTION_END
from desktop_rag.domain.ports import Embedding
from desktop_rag.storage.database import Database
from desktop_rag.storage.embeddings import TokenVectors, insert_embeddings
from desktop_rag.storage.entity_graph import EntityGraph, insert_entities
from desktop_rag.storage.jobs import LATE_RANK, JobKind, leave_queue, rank_of
from desktop_rag.storage.neighbours import Neighbours
from desktop_rag.storage.packing import (
    pack_blocks,
    pack_lines,
    pack_parts,
    unpack_blocks,
    unpack_lines,
    unpack_parts,
)
from desktop_rag.storage.rereading import Readers, successor, todays_refusal
from desktop_rag.storage.shelf import Shelf
from desktop_rag.storage.subtree import is_storable, within

_Item = TypeVar("_Item")

_KEPT = "The newer reader failed on this file, so what an older one read is kept."
_BATCH = 500
"""Host parameters of one statement; far below SQLite's limit."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What tells, without reading a file, whether it changed."""

    size: int
    mtime_ns: int
    ctime_ns: int = 0
    """When the file's record last changed: moves even if an editor puts the old mtime back. On
    Windows it is the time of creation and tells nothing."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What a sweep needs to know about a file of the library."""

    document: DocumentId
    path: str
    stamp: FileStamp
    sha256: str
    reader: str
    state: FileState


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with where it comes from, as retrieval needs it."""

    id: ChunkId
    document: DocumentId
    path: str
    title: str
    sha256: str
    section: str
    header: str
    text: str
    start: int
    end: int
    kind: BlockKind
    pages: tuple[int, int] | None
    page_label: str
    place: str = ""
    tier: Tier = Tier.NORMAL
    """Of the source the document came from."""

    @property
    def headed_text(self) -> str:
        """What a cross-encoder reads: the document's own words below their header."""
        return searchable_text(self.header, "", self.text)


@dataclass(frozen=True, slots=True)
class LibraryCounts:
    """How much of the library there is."""

    ready_documents: int
    queued: int
    failed: int
    searchable: int
    """With passages; those that are read again among them."""
    chunks: int
    noted: int = 0
    """With sentences on what was not read, is hidden or gives orders."""


def embedding_hash(text: str) -> bytes:
    """Key of a vector: BLAKE2b-128 of the embedded text. Equal text shares one vector."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def now() -> str:
    """UTC time in ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Catalog:
    """Documents and chunks. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.readers = Readers(database)
        """Which readers read the files."""
        self.entities = EntityGraph(database)
        """What passages name and are about."""
        self.token_vectors = TokenVectors(database)
        """What late interaction compares."""
        self.neighbours = Neighbours(database)
        """What stands around chunks."""
        self.shelf = Shelf(database)
        """Documents by what people call them."""

    # ------------------------------------------------------------------ files

    def known_files(self, source_id: int, below: str | None = None) -> list[KnownFile]:
        """All files of a source, or those that are `below` or lie below it."""
        where = "source_id = ?"
        values: list[int | str] = [source_id]
        if below is not None:
            condition, limits = within(below)
            where += f" AND {condition}"
            values += limits
        with self._database.read() as db:
            rows = db.execute(f"{_KNOWN} WHERE {where}", values)
            return [_known_file(row) for row in rows]

    def known_file(self, document: DocumentId) -> KnownFile | None:
        """One file, or `None` when it was removed meanwhile."""
        with self._database.read() as db:
            row = db.execute("SELECT * FROM documents WHERE id = ?", (document,)).fetchone()
            return _known_file(row) if row else None

    def enqueue(self, source_id: int, path: str, stamp: FileStamp) -> bool:
        """Make sure the file is in the library and has a live job; false if it had one already.

        A job that waits to recognise pages of this very file goes on as it is.
        """
        return self.enqueue_all([(source_id, path, stamp)]) == 1

    def enqueue_all(self, files: Sequence[tuple[int, str, FileStamp]]) -> int:
        """`enqueue` for many, some hundred in a transaction; returns how many had no live job.

        Between two transactions others may write: 100,000 files take seconds.
        """
        queued = 0
        for batch in _batches(files):
            with self._database.write() as db:
                queued += sum(_enqueue(db, *file) for file in batch)
        return queued

    def rename(self, document: DocumentId, source_id: int, path: str, stamp: FileStamp) -> None:
        """Record that the same file now has another path; nothing is read or embedded again."""
        with self._database.write() as db:
            db.execute(
                "UPDATE documents SET path = ?, source_id = ?, ctime_ns = ? WHERE id = ?",
                (path, source_id, stamp.ctime_ns, document),
            )

    def mark_unchanged(self, document: DocumentId, stamp: FileStamp) -> None:
        """The file was touched but holds the same bytes; finish its job."""
        with self._database.write() as db:
            db.execute(
                """UPDATE documents SET size = ?, mtime_ns = ?, ctime_ns = ?,
                   state = iif(chunk_count, 'ready', 'queued') WHERE id = ?""",
                (stamp.size, stamp.mtime_ns, stamp.ctime_ns, document),
            )
            leave_queue(db, document)

    def settle_for_now(self, document: DocumentId) -> None:
        """The file cannot be looked at now: what was read of it before is what there is."""
        with self._database.write() as db:
            db.execute(
                "UPDATE documents SET state = 'ready' WHERE id = ? AND chunk_count > 0", (document,)
            )

    def mark_failed(
        self, document: DocumentId, stamp: FileStamp, sha256: str, error: DesktopRagError
    ) -> None:
        """Keep the reason; whatever was searchable of an older version of the file is removed.

        An answer from text that the file may no longer hold is worse than none. When only the
        reader is another and the file is the same, what the old one read stays, with a note. Other
        readers than today's may have another try, so that they are marked, too.
        """
        with self._database.write() as db:
            if _is_still_true(db, document, sha256):
                _keep_what_was_read(db, document, stamp, error)
                return
            _delete_contents(db, document)
            db.execute(
                """UPDATE documents SET state = 'failed', failure_code = ?, failure = ?, size = ?,
                   mtime_ns = ?, ctime_ns = ?, sha256 = ?, reader = ?, page_count = 0,
                   chunk_count = 0, coverage = '{}', indexed_at = ? WHERE id = ?""",
                (
                    error.code,
                    error.message,
                    stamp.size,
                    stamp.mtime_ns,
                    stamp.ctime_ns,
                    sha256,
                    todays_refusal(db),
                    now(),
                    document,
                ),
            )

    def remove(self, documents: Iterable[DocumentId]) -> int:
        """Forget documents with all that was made from them; returns how many there were."""
        removed = 0
        with self._database.write() as db:
            for document in documents:
                _delete_contents(db, document)
                removed += db.execute("DELETE FROM documents WHERE id = ?", (document,)).rowcount
        return removed

    def requeue(self, documents: Iterable[DocumentId]) -> None:
        """Give documents a fresh job, whatever became of their last one."""
        with self._database.write() as db:
            for document in documents:
                db.execute("UPDATE documents SET state = 'queued' WHERE id = ?", (document,))
                db.execute(
                    """INSERT INTO jobs (document_id, state)
                       SELECT id, 'queued' FROM documents WHERE id = ?
                       ON CONFLICT (document_id) DO UPDATE
                       SET attempts = 0, not_before = 0, kind = 'read', rank = 0""",
                    (document,),
                )
                # Whoever asks for another try means the pages that were given up, too.
                db.execute(
                    """DELETE FROM recognised_pages WHERE failure <> '' AND sha256 =
                       (SELECT sha256 FROM documents WHERE id = ?)""",
                    (document,),
                )

    def documents_under(self, path: str) -> list[DocumentId]:
        """Documents that are `path` or lie below it."""
        if not is_storable(path):
            return []
        condition, limits = within(path)
        with self._database.read() as db:
            rows = db.execute(f"SELECT id FROM documents WHERE {condition}", limits).fetchall()
        return [DocumentId(row["id"]) for row in rows]

    def document_at(self, path: str) -> DocumentId | None:
        """The document of a file; `None` when there is none of exactly this path."""
        if not is_storable(path):
            return None
        with self._database.read() as db:
            row = db.execute("SELECT id FROM documents WHERE path = ?", (path,)).fetchone()
        return DocumentId(row["id"]) if row else None

    def documents_with(self, sha256: str) -> list[DocumentId]:
        """Documents with these contents; none for an empty checksum."""
        if not sha256:
            return []
        with self._database.read() as db:
            rows = db.execute("SELECT id FROM documents WHERE sha256 = ? ORDER BY id", (sha256,))
            return [DocumentId(row["id"]) for row in rows]

    def files(self) -> list[LibraryFile]:
        """All files by path."""
        with self._database.read() as db:
            rows = db.execute(_FILES + " ORDER BY d.path")
            return [_library_file(row) for row in rows]

    def files_of(self, documents: Sequence[DocumentId]) -> list[LibraryFile]:
        """These files by path; those that were removed are missing."""
        with self._database.read() as db:
            rows = db.execute(
                _FILES + " WHERE d.id IN (SELECT value FROM json_each(?)) ORDER BY d.path",
                (json.dumps(list(documents)),),
            )
            return [_library_file(row) for row in rows]

    def titles(self) -> list[tuple[str, str]]:
        """Path and title of every file, by path."""
        with self._database.read() as db:
            rows = db.execute("SELECT path, title FROM documents ORDER BY path").fetchall()
        return [(row["path"], row["title"]) for row in rows]

    def latest_titles(self, limit: int) -> list[str]:
        """Titles of files that have text to search, the last changed first."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT title FROM documents WHERE state = 'ready' AND chunk_count > 0"
                " ORDER BY mtime_ns DESC, id DESC LIMIT ?",
                (limit,),
            ).fetchall()
        return [row["title"] for row in rows]

    def file(self, document: DocumentId) -> LibraryFile:
        """One file.

        Raises:
            NotFound: it was removed from the library.
        """
        with self._database.read() as db:
            row = db.execute(
                _FILES + " WHERE d.id = ?",
                (document,),
            ).fetchone()
        if row is None:
            raise NotFound("This document is no longer in the library. Add it again to open it.")
        return _library_file(row)

    def counts(self) -> LibraryCounts:
        """Counts by state. Cheap at any size: it reads document rows only."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT state, count(*) AS files, sum(chunk_count) AS chunks,"
                " sum(chunk_count > 0) AS searchable, sum(notes <> '[]') AS noted"
                " FROM documents GROUP BY state"
            ).fetchall()
        files = {row["state"]: row["files"] for row in rows}
        return LibraryCounts(
            ready_documents=files.get(FileState.READY, 0),
            queued=files.get(FileState.QUEUED, 0),
            failed=files.get(FileState.FAILED, 0),
            searchable=sum(row["searchable"] for row in rows),
            chunks=sum(row["chunks"] for row in rows),
            noted=sum(row["noted"] for row in rows),
        )

    # ------------------------------------------------------------------ contents

    def replace(
        self,
        document: DocumentId,
        read: ReadDocument,
        stamp: FileStamp,
        sha256: str,
        embeddings: Mapping[bytes, Embedding],
        fingerprint: str,
    ) -> None:
        """Store what was read, in one transaction, and finish the document's job.

        Pages that wait for text recognition keep it alive; until then a document without any text
        counts as queued.

        Args:
            embeddings: by `embedding_hash`, for those `missing_vectors` named.
            fingerprint: of the embedder that made them.

        Raises:
            NotFound: the document was removed meanwhile; nothing is stored.
        """
        with self._database.write() as db:
            if not db.execute("SELECT 1 FROM documents WHERE id = ?", (document,)).fetchone():
                raise NotFound("The document was removed while it was read.")
            kept = {embedding_hash(chunk.embedding_text) for chunk in read.chunks}
            _delete_contents(db, document, keep_vectors=kept)
            _insert_text(db, document, read)
            _insert_chunks(db, document, read.chunks)
            insert_embeddings(db, embeddings, fingerprint)
            _mark_ready(db, document, read, stamp, sha256)
            insert_entities(db, document)
            leave_queue(db, document)

    def missing_vectors(self, hashes: Sequence[bytes], fingerprint: str) -> set[bytes]:
        """Those of the hashes that have no vector of this embedder yet."""
        found: set[bytes] = set()
        with self._database.read() as db:
            for batch in _batches(hashes):
                rows = db.execute(
                    f"SELECT hash FROM vectors WHERE fingerprint = ? AND hash IN ({_marks(batch)})",
                    (fingerprint, *batch),
                )
                found.update(row[0] for row in rows)
        return set(hashes) - found

    def resolve(self, chunk_ids: Sequence[ChunkId]) -> dict[ChunkId, StoredChunk]:
        """Chunks by id. Unknown ids are missing: a stale index can never cite a removed file."""
        found: dict[ChunkId, StoredChunk] = {}
        with self._database.read() as db:
            for batch in _batches(chunk_ids):
                for row in db.execute(_RESOLVE.format(marks=_marks(batch)), batch):
                    chunk = _stored_chunk(row)
                    found[chunk.id] = chunk
        return found

    def searched_texts(self, chunk_ids: Sequence[ChunkId]) -> dict[ChunkId, str]:
        """Section and text of chunks by id, `SECTION_END` between; unknown ids are missing."""
        found: dict[ChunkId, str] = {}
        with self._database.read() as db:
            for batch in _batches(chunk_ids):
                rows = db.execute(
                    f"SELECT id, section, text FROM chunks WHERE id IN ({_marks(batch)})", batch
                )
                found.update((ChunkId(row[0]), f"{row[1]}{SECTION_END}{row[2]}") for row in rows)
        return found

    def text(self, document: DocumentId) -> str:
        """The document's text; empty when it was removed or never read."""
        with self._database.read() as db:
            row = db.execute(
                "SELECT text FROM document_texts WHERE document_id = ?", (document,)
            ).fetchone()
        return str(row[0]) if row else ""

    def blocks(self, document: DocumentId) -> tuple[Block, ...]:
        """The document's blocks in reading order."""
        with self._database.read() as db:
            row = db.execute(
                "SELECT blocks FROM document_texts WHERE document_id = ?", (document,)
            ).fetchone()
        return unpack_blocks(row[0]) if row else ()

    def parts(self, document: DocumentId) -> tuple[Part, ...]:
        """The document's slides, sheets, chapters …; empty for formats with none."""
        with self._database.read() as db:
            row = db.execute(
                "SELECT parts FROM document_texts WHERE document_id = ?", (document,)
            ).fetchone()
        return unpack_parts(row[0]) if row else ()

    def pages(self, document: DocumentId) -> tuple[Page, ...]:
        """The document's pages with their lines; empty for formats without pages."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT * FROM pages WHERE document_id = ? ORDER BY number", (document,)
            ).fetchall()
        return tuple(_page(row) for row in rows)


_KNOWN = "SELECT id, path, size, mtime_ns, ctime_ns, sha256, reader, state FROM documents"

_FILES = """
SELECT d.*, j.state AS job, j.kind,
    (SELECT group_concat(tag, char(10)) FROM document_tags t WHERE t.document_id = d.id) AS tags
FROM documents d LEFT JOIN jobs j ON j.document_id = d.id
"""

_RESOLVE = """
SELECT c.*, d.path, d.title, d.sha256, s.tier, coalesce(p.label, '') AS page_label
FROM chunks c JOIN documents d ON d.id = c.document_id JOIN sources s ON s.id = d.source_id
LEFT JOIN pages p ON p.document_id = c.document_id AND p.number = c.first_page
WHERE c.id IN ({marks})
"""


def _enqueue(db: sqlite3.Connection, source_id: int, path: str, stamp: FileStamp) -> bool:
    rank = rank_of(stamp.size, stamp.mtime_ns, time.time())
    kept = db.execute(
        """SELECT d.chunk_count, j.kind FROM documents d
           LEFT JOIN jobs j ON j.document_id = d.id
           WHERE d.path = ? AND (d.size, d.mtime_ns, d.ctime_ns) = (?, ?, ?)
           AND d.reader <> ''""",
        (path, stamp.size, stamp.mtime_ns, stamp.ctime_ns),
    ).fetchone()
    if kept and kept["kind"] == "recognise":
        return False
    if kept and kept["chunk_count"]:
        rank = LATE_RANK  # the same file, searchable already: only its reader is newer
    db.execute(
        """INSERT INTO documents (source_id, path, size, mtime_ns, ctime_ns, state)
           VALUES (?, ?, ?, ?, ?, 'queued')
           ON CONFLICT (path) DO UPDATE SET state = 'queued'""",
        (source_id, path, stamp.size, stamp.mtime_ns, stamp.ctime_ns),
    )
    inserted = db.execute(
        """INSERT INTO jobs (document_id, state, rank)
           SELECT id, 'queued', ? FROM documents WHERE path = ?
           ON CONFLICT (document_id) DO UPDATE SET kind = 'read', rank = excluded.rank
           WHERE kind <> 'read'""",
        (rank, path),
    )
    return inserted.rowcount > 0


def _delete_contents(
    db: sqlite3.Connection, document: DocumentId, keep_vectors: Iterable[bytes] = ()
) -> None:
    hashes = {
        row[0] for row in db.execute("SELECT hash FROM chunks WHERE document_id = ?", (document,))
    }
    db.execute("DELETE FROM chunks WHERE document_id = ?", (document,))
    db.execute("DELETE FROM document_texts WHERE document_id = ?", (document,))
    db.execute("DELETE FROM pages WHERE document_id = ?", (document,))
    db.executemany(
        "DELETE FROM vectors WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM chunks WHERE hash = ?1)",
        [(key,) for key in hashes.difference(keep_vectors)],
    )


def _is_still_true(db: sqlite3.Connection, document: DocumentId, sha256: str) -> bool:
    """Whether what is stored was read from these very bytes."""
    found = db.execute(
        "SELECT 1 FROM documents WHERE id = ? AND sha256 = ? AND chunk_count > 0 AND reader <> ''",
        (document, sha256),
    ).fetchone()
    return bool(sha256) and found is not None


def _keep_what_was_read(
    db: sqlite3.Connection, document: DocumentId, stamp: FileStamp, error: DesktopRagError
) -> None:
    row = db.execute("SELECT reader, notes FROM documents WHERE id = ?", (document,)).fetchone()
    note = f"{_KEPT} ({error.message})"
    notes = [one for one in json.loads(row["notes"]) if not one.startswith(_KEPT)] + [note]
    db.execute(
        """UPDATE documents SET state = 'ready', size = ?, mtime_ns = ?, ctime_ns = ?, reader = ?,
           notes = ? WHERE id = ?""",
        (
            stamp.size,
            stamp.mtime_ns,
            stamp.ctime_ns,
            # Or it would be tried again at every start.
            successor(db, row["reader"]),
            json.dumps(notes, ensure_ascii=False),
            document,
        ),
    )


def _insert_text(db: sqlite3.Connection, document: DocumentId, read: ReadDocument) -> None:
    parsed = read.document
    db.execute(
        "INSERT INTO document_texts (document_id, text, blocks, parts) VALUES (?, ?, ?, ?)",
        (document, parsed.text, pack_blocks(parsed.blocks), pack_parts(parsed.parts)),
    )
    db.executemany(
        "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (document, p.number, p.label, p.start, p.end, p.width, p.height, pack_lines(p.lines))
            for p in parsed.pages
        ],
    )


def _insert_chunks(db: sqlite3.Connection, document: DocumentId, chunks: Sequence[Chunk]) -> None:
    db.executemany(
        """INSERT INTO chunks (document_id, ordinal, start, "end", text, header, section, kind,
           first_page, last_page, hash, place, written, before, after)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (
                document,
                chunk.ordinal,
                chunk.start,
                chunk.end,
                chunk.text,
                chunk.header,
                chunk.section,
                chunk.kind,
                *(chunk.pages or (None, None)),
                embedding_hash(chunk.embedding_text),
                chunk.place,
                chunk.written,
                chunk.before,
                chunk.after,
            )
            for chunk in chunks
        ],
    )


def _mark_ready(
    db: sqlite3.Connection,
    document: DocumentId,
    read: ReadDocument,
    stamp: FileStamp,
    sha256: str,
) -> None:
    parsed = read.document
    db.execute(
        """UPDATE documents SET state = ?, failure_code = '', failure = '', size = ?,
           mtime_ns = ?, ctime_ns = ?, sha256 = ?, format = ?, title = ?, author = ?, created = ?,
           reader = ?, notes = ?, page_count = ?, chunk_count = ?, coverage = ?,
           indexed_at = ? WHERE id = ?""",
        (
            FileState.READY if read.chunks else FileState.QUEUED,
            stamp.size,
            stamp.mtime_ns,
            stamp.ctime_ns,
            sha256,
            parsed.format,
            parsed.title,
            parsed.author,
            parsed.created,
            read.reader,
            json.dumps(parsed.notes, ensure_ascii=False),
            len(parsed.pages),
            len(read.chunks),
            msgspec.json.encode(parsed.coverage).decode(),
            now(),
            document,
        ),
    )


def _known_file(row: sqlite3.Row) -> KnownFile:
    return KnownFile(
        document=DocumentId(row["id"]),
        path=row["path"],
        stamp=FileStamp(row["size"], row["mtime_ns"], row["ctime_ns"]),
        sha256=row["sha256"],
        reader=row["reader"],
        state=FileState(row["state"]),
    )


def _library_file(row: sqlite3.Row) -> LibraryFile:
    # What is searchable stays so while more pages of it are recognised.
    is_searchable = row["kind"] == JobKind.RECOGNISE and row["chunk_count"]
    is_reading = row["job"] == "running" and not is_searchable
    return LibraryFile(
        id=DocumentId(row["id"]),
        path=row["path"],
        state=FileState.READING if is_reading else FileState(row["state"]),
        format=row["format"],
        title=row["title"],
        size=row["size"],
        pages=row["page_count"],
        chunks=row["chunk_count"],
        sha256=row["sha256"],
        indexed_at=row["indexed_at"],
        failure_code=row["failure_code"],
        failure=row["failure"],
        notes=tuple(json.loads(row["notes"])) if row["notes"] != "[]" else (),
        coverage=_coverage(row["coverage"]),
        tags=tuple(sorted((row["tags"] or "").split("\n"))) if row["tags"] else (),
    )


@lru_cache(maxsize=1024)
def _coverage(contents: str) -> Coverage:
    """Most files are covered alike: a list of 100,000 is read in half the time."""
    return msgspec.json.decode(contents, type=Coverage)


def _stored_chunk(row: sqlite3.Row) -> StoredChunk:
    has_pages = row["first_page"] is not None
    return StoredChunk(
        id=ChunkId(row["id"]),
        document=DocumentId(row["document_id"]),
        path=row["path"],
        title=row["title"],
        sha256=row["sha256"],
        section=row["section"],
        header=row["header"],
        text=row["text"],
        start=row["start"],
        end=row["end"],
        kind=BlockKind(row["kind"]),
        pages=(row["first_page"], row["last_page"]) if has_pages else None,
        page_label=row["page_label"],
        place=row["place"],
        tier=Tier(row["tier"]),
    )


def _page(row: sqlite3.Row) -> Page:
    return Page(
        number=row["number"],
        label=row["label"],
        start=row["start"],
        end=row["end"],
        width=row["width"],
        height=row["height"],
        lines=unpack_lines(row["lines"]),
    )


def _batches(items: Sequence[_Item]) -> Iterable[Sequence[_Item]]:
    return (items[i : i + _BATCH] for i in range(0, len(items), _BATCH))


def _marks(items: Sequence[object]) -> str:
    return ", ".join("?" * len(items))
