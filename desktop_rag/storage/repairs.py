"""Mends what `storage.inspection` found, as far as the catalog alone can, a transaction each."""

from __future__ import annotations

from collections.abc import Iterable

from desktop_rag.domain.documents import DocumentId
from desktop_rag.storage.database import Database
from desktop_rag.storage.inspection import unusable_pages


def read_again(database: Database, documents: Iterable[DocumentId]) -> None:
    """Queue documents so that they are read whatever their files' times say.

    Their old text stays searchable until then, and for good where the file cannot be reached.
    """
    with database.write() as db:
        for document in documents:
            db.execute(
                "UPDATE documents SET reader = '', state = 'queued' WHERE id = ?", (document,)
            )
            db.execute("DELETE FROM jobs WHERE document_id = ?", (document,))
            db.execute(
                "INSERT INTO jobs (document_id, state) SELECT id, 'queued' FROM documents"
                " WHERE id = ?",
                (document,),
            )


def queue_waiting(database: Database) -> None:
    """Give every document that waits a job."""
    with database.write() as db:
        db.execute(
            """INSERT INTO jobs (document_id, state) SELECT id, 'queued' FROM documents
               WHERE state = 'queued' AND id NOT IN (SELECT document_id FROM jobs)"""
        )


def drop_odd_vectors(database: Database, fingerprint: str) -> None:
    """Remove vectors of a wrong length; the next start of indexing makes them again."""
    with database.write() as db:
        db.execute(
            """DELETE FROM vectors WHERE fingerprint = ?1 AND length(vector) <> (
                   SELECT length(vector) FROM vectors WHERE fingerprint = ?1
                   GROUP BY length(vector) ORDER BY count(*) DESC LIMIT 1)""",
            (fingerprint,),
        )


def drop_unused(database: Database, fingerprint: str) -> None:
    """Remove vectors and recognised pages that nothing needs.

    Args:
        fingerprint: of the embedder in use; empty when it is not known, which keeps all vectors.
    """
    with database.write() as db:
        if fingerprint:
            db.execute(
                """DELETE FROM vectors WHERE fingerprint <> ? OR NOT EXISTS (
                       SELECT 1 FROM chunks c WHERE c.hash = vectors.hash)""",
                (fingerprint,),
            )
        db.executemany(
            "DELETE FROM recognised_pages WHERE sha256 = ? AND page = ?",
            unusable_pages(db, is_full=True),
        )


def make_indexes_again(database: Database) -> None:
    """Have SQLite build its own indexes anew from its tables."""
    with database.write() as db:
        db.execute("REINDEX")
