"""Collections and tags: how a person sorts the library, and what a scope selects from it.

A collection names paths, not documents: what is added to a folder later belongs to it at once, and
a file that is read again stays in it. Tags belong to documents and follow a renamed file.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.library import Collection
from desktop_rag.domain.matching import DocumentFacts, selected
from desktop_rag.domain.scope import Scope
from desktop_rag.storage.database import Database

_IS_MEMBER = """
(d.path = m.path OR substr(d.path, 1, length(rtrim(m.path, '/\\')) + 1)
    IN (rtrim(m.path, '/\\') || '/', rtrim(m.path, '/\\') || '\\'))
"""
"""Both separators: a restored library may come from another system."""

_SLIDES = re.compile(r"slides? (\d+)(?:-(\d+))?")
"""The place of a chunk of a presentation, which has slides where others have pages."""


class Collections:
    """The store. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Collection]:
        """Collections by name, each with its members and how many files they hold now."""
        with self._database.read() as db:
            names = db.execute("SELECT * FROM collections ORDER BY name").fetchall()
            return [_collection(db, row["id"], row["name"]) for row in names]

    def create(self, name: str, paths: Iterable[str] = ()) -> None:
        """Make sure a collection exists and holds these paths."""
        with self._database.write() as db:
            db.execute("INSERT OR IGNORE INTO collections (name) VALUES (?)", (name,))
            number = _required(db, name)
            db.executemany(
                "INSERT OR IGNORE INTO collection_members VALUES (?, ?)",
                [(number, path) for path in paths],
            )

    def leave_out(self, name: str, paths: Sequence[str]) -> None:
        """Take members out of a collection; the files stay in the library.

        Raises:
            NotFound: there is no such collection or member; nothing was changed.
        """
        with self._database.write() as db:
            number = _required(db, name)
            for path in paths:
                gone = db.execute(
                    "DELETE FROM collection_members WHERE collection_id = ? AND path = ?",
                    (number, path),
                )
                if not gone.rowcount:
                    raise NotFound(f"{path} is not a member of the collection “{name}”.")

    def rename(self, name: str, new_name: str) -> None:
        """Give a collection another name.

        Raises:
            NotFound: there is no such collection.
            InvalidInput: the new name is taken.
        """
        with self._database.write() as db:
            number = _required(db, name)
            try:
                db.execute("UPDATE collections SET name = ? WHERE id = ?", (new_name, number))
            except sqlite3.IntegrityError as error:
                raise InvalidInput(
                    f"There is a collection “{new_name}” already; choose another name."
                ) from error

    def delete(self, name: str) -> None:
        """Forget a collection; its files stay in the library.

        Raises:
            NotFound: there is no such collection.
        """
        with self._database.write() as db:
            db.execute("DELETE FROM collections WHERE id = ?", (_required(db, name),))

    def tag(self, documents: Iterable[DocumentId], tag: str) -> int:
        """Tag documents; returns how many did not have the tag before."""
        with self._database.write() as db:
            return sum(
                db.execute(
                    "INSERT OR IGNORE INTO document_tags VALUES (?, ?)", (document, tag)
                ).rowcount
                for document in documents
            )

    def untag(self, documents: Iterable[DocumentId], tag: str) -> int:
        """Take a tag off; returns how many had it."""
        with self._database.write() as db:
            return sum(
                db.execute(
                    "DELETE FROM document_tags WHERE document_id = ? AND tag = ?", (document, tag)
                ).rowcount
                for document in documents
            )

    def rename_tag(self, tag: str, new_tag: str) -> None:
        """Call a tag otherwise; a file that has both keeps one."""
        with self._database.write() as db:
            db.execute("UPDATE OR IGNORE document_tags SET tag = ? WHERE tag = ?", (new_tag, tag))
            if new_tag != tag:
                db.execute("DELETE FROM document_tags WHERE tag = ?", (tag,))

    def delete_tag(self, tag: str) -> None:
        """Take a tag off all files."""
        with self._database.write() as db:
            db.execute("DELETE FROM document_tags WHERE tag = ?", (tag,))

    def holding(self, path: str) -> tuple[str, ...]:
        """Names of the collections that hold a file."""
        with self._database.read() as db:
            rows = db.execute(
                f"""SELECT DISTINCT c.name FROM collections c
                    JOIN collection_members m ON m.collection_id = c.id, (SELECT ? AS path) d
                    WHERE {_IS_MEMBER} ORDER BY c.name""",
                (path,),
            )
            return tuple(row[0] for row in rows)

    def tags(self) -> list[tuple[str, int]]:
        """All tags by name with the number of their files."""
        with self._database.read() as db:
            rows = db.execute("SELECT tag, count(*) FROM document_tags GROUP BY tag ORDER BY tag")
            return [(row[0], row[1]) for row in rows]

    # ------------------------------------------------------------------ scopes

    def documents(self) -> list[DocumentFacts]:
        """What filters look at, of all searchable documents."""
        with self._database.read() as db:
            return _facts(db, Scope())

    def chunks_in(self, *scopes: Scope) -> list[ChunkId]:
        """The chunks that all scopes select, in ascending order.

        Raises:
            NotFound: a scope names a collection or tag that does not exist.
        """
        with self._database.read() as db:
            rows = db.execute(
                """SELECT id, first_page, last_page, place FROM chunks
                   WHERE document_id IN (SELECT value FROM json_each(?)) ORDER BY id""",
                [json.dumps(_selected(db, scopes))],
            )
            wanted = [scope.pages for scope in scopes if scope.pages]
            return [ChunkId(row[0]) for row in rows if all(_is_on(row, one) for one in wanted)]

    def files_in(self, *scopes: Scope) -> list[DocumentFacts]:
        """All files that the scopes select, also those that were not, or could not be, read.

        Raises:
            NotFound: a scope names a collection or tag that does not exist.
        """
        with self._database.read() as db:
            known = _facts(db, Scope(), is_read=False)
            chosen = {*_selected(db, scopes, is_read=False)} if scopes else None
        return [one for one in known if chosen is None or one.id in chosen]

    def count_documents(self, *scopes: Scope) -> int:
        """How many searchable documents all scopes select, whatever page is asked for."""
        with self._database.read() as db:
            return len(_selected(db, scopes))


def _collection(db: sqlite3.Connection, number: int, name: str) -> Collection:
    members = db.execute(
        "SELECT path FROM collection_members WHERE collection_id = ? ORDER BY path", (number,)
    ).fetchall()
    files = db.execute(
        f"""SELECT count(*) FROM documents d WHERE EXISTS
            (SELECT 1 FROM collection_members m WHERE m.collection_id = ? AND {_IS_MEMBER})""",
        (number,),
    ).fetchone()
    return Collection(name, tuple(row["path"] for row in members), files[0])


def _required(db: sqlite3.Connection, name: str) -> int:
    row = db.execute("SELECT id FROM collections WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise NotFound(
            f"There is no collection “{name}”; `desktop-rag collection list` shows what there is."
        )
    return int(row["id"])


def _check_names(db: sqlite3.Connection, scope: Scope) -> None:
    for name in scope.collections:
        _required(db, name)
    for tag in scope.tags:
        if not db.execute("SELECT 1 FROM document_tags WHERE tag = ?", (tag,)).fetchone():
            raise NotFound(f"No file has the tag “{tag}”; `desktop-rag tag list` shows the tags.")


def _selected(
    db: sqlite3.Connection, scopes: Sequence[Scope], *, is_read: bool = True
) -> list[DocumentId]:
    """The documents that all scopes let through."""
    chosen: list[DocumentId] | None = None
    for scope in scopes:
        _check_names(db, scope)
        found = [one.id for one in selected(_facts(db, scope, is_read=is_read), scope)]
        chosen = found if chosen is None else sorted({*chosen} & {*found})
    return chosen or []


def _is_on(row: sqlite3.Row, pages: Sequence[tuple[int, int]]) -> bool:
    """Whether a chunk touches one of the pages, or slides."""
    span = (row["first_page"], row["last_page"])
    if span[0] is None:
        slides = _SLIDES.match(row["place"])
        if slides is None:
            return False
        span = (int(slides[1]), int(slides[2] or slides[1]))
    return any(span[0] <= last and first <= span[1] for first, last in pages)


def _facts(db: sqlite3.Connection, scope: Scope, *, is_read: bool = True) -> list[DocumentFacts]:
    """Documents in the collections, tags, paths and tiers of a scope; searchable ones only."""
    where, values = _condition(scope)
    least = int(is_read)
    rows = db.execute(
        f"""SELECT d.id, d.path, d.created, d.mtime_ns FROM documents d
            JOIN sources s ON s.id = d.source_id WHERE d.chunk_count >= {least} AND {where}""",
        values,
    )
    return [DocumentFacts(DocumentId(row[0]), row[1], row[2], row[3]) for row in rows]


def _condition(scope: Scope) -> tuple[str, list[str]]:
    """SQL over `documents d` and `sources s` with its values."""
    parts: list[str] = ["1"]
    values: list[str] = []
    if scope.collections:
        parts.append(
            f"""EXISTS (SELECT 1 FROM collection_members m JOIN collections n
                ON n.id = m.collection_id WHERE n.name IN ({_marks(scope.collections)})
                AND {_IS_MEMBER})"""
        )
        values += scope.collections
    if scope.tags:
        parts.append(
            f"""EXISTS (SELECT 1 FROM document_tags t WHERE t.document_id = d.id
                AND t.tag IN ({_marks(scope.tags)}))"""
        )
        values += scope.tags
    if scope.paths:
        given = " UNION ALL ".join("SELECT ? AS path" for _ in scope.paths)
        parts.append(f"EXISTS (SELECT 1 FROM ({given}) m WHERE {_IS_MEMBER})")
        values += scope.paths
    if scope.tiers:
        parts.append(f"s.tier IN ({_marks(scope.tiers)})")
        values += scope.tiers
    return " AND ".join(parts), values


def _marks(items: Sequence[object]) -> str:
    return ", ".join("?" * len(items))
