"""Looks for contradictions in a catalog. Reads only, and never trusts what it reads.

Works on any connection, also on one to a damaged file: what SQLite or a decoder refuses is a
finding, not an error. What to say about a finding and how to mend it is `services.upkeep`'s.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from desktop_rag.domain.documents import Coverage, DocumentId
from desktop_rag.storage.catalog import embedding_hash
from desktop_rag.storage.changes import embedded_text_of
from desktop_rag.storage.packing import (
    unpack_blocks,
    unpack_lines,
    unpack_parts,
    unpack_recognised,
)

_SAMPLE = 100
"""Documents that a quick inspection compares with their passages."""
_MAX_MESSAGES = 20
_UNREADABLE = (
    ValueError,
    TypeError,
    LookupError,
    zlib.error,
    msgspec.MsgspecError,
    sqlite3.DatabaseError,
)
"""What decoders raise on bytes that were changed under them."""


@dataclass(slots=True)
class Contradictions:
    """What does not fit together in a catalog. Everything empty or 0: nothing was found."""

    documents: dict[DocumentId, str] = field(default_factory=dict)
    """Documents that must be read again, each with the reason."""
    without_job: int = 0
    """Documents that wait and are not in the queue."""
    without_vector: int = 0
    """Passages without a vector of the embedder in use."""
    odd_vectors: int = 0
    """Vectors of another length than their embedder's."""
    unused_vectors: int = 0
    """Vectors that no passage or no embedder in use needs."""
    unused_pages: int = 0
    """Recognised pages of files that left the library, or that cannot be read."""


def integrity(db: sqlite3.Connection, *, is_full: bool) -> list[str]:
    """What SQLite finds wrong with the file itself; empty when nothing."""
    check = "integrity_check" if is_full else "quick_check"
    try:
        found = [row[0] for row in db.execute(f"PRAGMA {check}({_MAX_MESSAGES})")]
        if is_full:
            orphans = db.execute("PRAGMA foreign_key_check").fetchmany(_MAX_MESSAGES)
            found += [f"{row[0]} refers to a missing row of {row[2]}" for row in orphans]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [one for one in found if one != "ok"]


def only_indexes_are_wrong(messages: Sequence[str]) -> bool:
    """Whether SQLite can mend what `integrity` found by making its own indexes again."""
    signs = ("missing from index", "wrong # of entries in index", "non-unique entry in index")
    return bool(messages) and all(any(sign in one for sign in signs) for one in messages)


def contradictions(db: sqlite3.Connection, fingerprint: str, *, is_full: bool) -> Contradictions:
    """Compare tables with each other, and passages with the text they were cut from.

    Args:
        db: a connection to a catalog of this version.
        fingerprint: of the embedder in use; empty when it is not known.
        is_full: look into every document instead of a hundred.
    """
    found = Contradictions()
    for document, reason in _miscounted(db):
        found.documents.setdefault(document, reason)
    for document in _to_inspect(db, is_full=is_full):
        if reason := _fault_of(db, document):
            found.documents.setdefault(document, reason)
    found.without_job = _count(
        db,
        "SELECT count(*) FROM documents WHERE state = 'queued'"
        " AND id NOT IN (SELECT document_id FROM jobs)",
    )
    if fingerprint:
        _compare_vectors(db, fingerprint, found)
    found.unused_pages = len(unusable_pages(db, is_full=is_full))
    return found


def unusable_pages(db: sqlite3.Connection, *, is_full: bool) -> list[tuple[str, int]]:
    """(sha256, page) of recognised pages that nothing needs or that cannot be decoded."""
    unused = db.execute(
        "SELECT sha256, page FROM recognised_pages"
        " WHERE sha256 NOT IN (SELECT sha256 FROM documents)"
    ).fetchall()
    pages = [(row[0], row[1]) for row in unused]
    if is_full:
        # A page that was given up has a reason and no contents.
        for row in db.execute("SELECT * FROM recognised_pages WHERE contents <> x''"):
            try:
                unpack_recognised(row["contents"])
            except _UNREADABLE:
                pages.append((row["sha256"], row["page"]))
    return sorted(set(pages))


def _miscounted(db: sqlite3.Connection) -> Iterator[tuple[DocumentId, str]]:
    rows = db.execute(
        """SELECT d.id, d.state, d.chunk_count,
               (SELECT count(*) FROM chunks c WHERE c.document_id = d.id) AS chunks,
               EXISTS (SELECT 1 FROM document_texts t WHERE t.document_id = d.id) AS has_text
           FROM documents d"""
    )
    for row in rows:
        if row["chunks"] != row["chunk_count"]:
            yield row["id"], f"{row['chunks']} of {row['chunk_count']} passages are there"
        elif row["state"] == "ready" and not row["has_text"]:
            yield row["id"], "its text is missing"


def _to_inspect(db: sqlite3.Connection, *, is_full: bool) -> list[DocumentId]:
    ids = [row[0] for row in db.execute("SELECT document_id FROM document_texts ORDER BY 1")]
    step = 1 if is_full else max(1, len(ids) // _SAMPLE)
    return ids[::step]


def _fault_of(db: sqlite3.Connection, document: DocumentId) -> str:
    """Why what is stored of a document cannot be believed; empty when it can."""
    try:
        stored = db.execute(
            "SELECT * FROM document_texts WHERE document_id = ?", (document,)
        ).fetchone()
        text = str(stored["text"])
        blocks, parts = unpack_blocks(stored["blocks"]), unpack_parts(stored["parts"])
        lines = [
            line
            for row in db.execute("SELECT lines FROM pages WHERE document_id = ?", (document,))
            for line in unpack_lines(row["lines"])
        ]
        about = db.execute("SELECT * FROM documents WHERE id = ?", (document,)).fetchone()
        msgspec.json.decode(about["coverage"], type=Coverage)
        json.loads(about["notes"])
    except _UNREADABLE:
        return "its structure cannot be read"
    spans = [(one.start, one.end) for one in blocks]
    spans += [(one.start, one.end) for one in parts]
    spans += [(one.start, one.end) for one in lines]
    if any(not 0 <= start <= end <= len(text) for start, end in spans):
        return "its structure points outside of its text"
    return _fault_of_chunks(db, document, text)


def _fault_of_chunks(db: sqlite3.Connection, document: DocumentId, text: str) -> str:
    for row in db.execute("SELECT * FROM chunks WHERE document_id = ?", (document,)):
        if text[row["start"] : row["end"]] != row["text"]:
            return "a passage differs from the text it was cut from"
        if embedding_hash(embedded_text_of(row)) != row["hash"]:
            return "a passage does not match its checksum"
    return ""


def _compare_vectors(db: sqlite3.Connection, fingerprint: str, found: Contradictions) -> None:
    found.without_vector = _count(
        db,
        "SELECT count(*) FROM chunks c WHERE NOT EXISTS"
        " (SELECT 1 FROM vectors v WHERE v.hash = c.hash AND v.fingerprint = ?)",
        fingerprint,
    )
    sizes = db.execute(
        "SELECT count(*) FROM vectors WHERE fingerprint = ? GROUP BY length(vector)"
        " ORDER BY 1 DESC",
        (fingerprint,),
    ).fetchall()
    found.odd_vectors = sum(row[0] for row in sizes[1:])
    found.unused_vectors = _count(
        db,
        "SELECT count(*) FROM vectors v WHERE fingerprint <> ? OR NOT EXISTS"
        " (SELECT 1 FROM chunks c WHERE c.hash = v.hash)",
        fingerprint,
    )


def _count(db: sqlite3.Connection, query: str, *parameters: object) -> int:
    return int(db.execute(query, parameters).fetchone()[0])
