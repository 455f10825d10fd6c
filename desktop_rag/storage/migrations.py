"""Brings the catalog of an older version to today's schema, in one transaction.

A step is frozen once released: it describes two schemas of the past, so it repeats what
`schema.sql` says instead of reading it. `tests/storage/test_migrations.py` holds that an upgraded
catalog and a new one have the same schema.
"""

from __future__ import annotations

import sqlite3

STEPS: dict[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE sources ADD COLUMN tier TEXT NOT NULL DEFAULT 'normal'",
        "ALTER TABLE sources ADD COLUMN rules TEXT NOT NULL DEFAULT '{}'",
        "ALTER TABLE sources ADD COLUMN mounts TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE documents ADD COLUMN coverage TEXT NOT NULL DEFAULT '{}'",
        "ALTER TABLE document_texts ADD COLUMN parts BLOB NOT NULL DEFAULT x''",
        "ALTER TABLE chunks ADD COLUMN place TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE skipped_files (
            path TEXT PRIMARY KEY,
            source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
            size INTEGER NOT NULL,
            code TEXT NOT NULL,
            reason TEXT NOT NULL
        ) STRICT, WITHOUT ROWID""",
        "CREATE INDEX skipped_by_source ON skipped_files (source_id)",
        """CREATE TABLE document_tags (
            document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            tag TEXT NOT NULL,
            PRIMARY KEY (document_id, tag)
        ) STRICT, WITHOUT ROWID""",
        "CREATE TABLE collections (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
        """CREATE TABLE collection_members (
            collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
            path TEXT NOT NULL,
            PRIMARY KEY (collection_id, path)
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE recognised_pages (
            sha256 TEXT NOT NULL,
            page INTEGER NOT NULL,
            engine TEXT NOT NULL,
            contents BLOB NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            failure TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (sha256, page)
        ) STRICT, WITHOUT ROWID""",
        "ALTER TABLE jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'read'",
        "ALTER TABLE jobs ADD COLUMN rank INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX jobs_by_rank ON jobs (rank, id)",
    ),
    2: (
        "ALTER TABLE chunks ADD COLUMN written TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE chunks ADD COLUMN before TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE chunks ADD COLUMN after TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE token_vectors (
            hash BLOB NOT NULL,
            fingerprint TEXT NOT NULL,
            tokens BLOB NOT NULL,
            PRIMARY KEY (hash, fingerprint)
        ) STRICT""",
        """CREATE TRIGGER vector_removed AFTER DELETE ON vectors
        BEGIN DELETE FROM token_vectors
            WHERE hash = old.hash AND fingerprint = old.fingerprint; END""",
        """CREATE TABLE chunk_entities (
            chunk_id INTEGER NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
            entity TEXT NOT NULL,
            is_subject INTEGER NOT NULL,
            PRIMARY KEY (entity, chunk_id)
        ) STRICT, WITHOUT ROWID""",
        "CREATE INDEX entities_by_chunk ON chunk_entities (chunk_id)",
        "CREATE INDEX chunks_by_subject ON chunk_entities (entity) WHERE is_subject = 1",
        # Names are found by rules that SQL cannot follow: `storage.entity_graph` looks later.
        """INSERT INTO meta (key, value)
            SELECT 'entities_missing_through', max(id) FROM chunks HAVING max(id) IS NOT NULL""",
        """CREATE TABLE written_texts (
            document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            key BLOB NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (document_id, key)
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE query_log (
            id INTEGER PRIMARY KEY,
            asked_at TEXT NOT NULL,
            kind TEXT NOT NULL,
            confidence TEXT NOT NULL,
            passages INTEGER NOT NULL,
            search_ms REAL NOT NULL,
            elapsed_ms REAL NOT NULL
        ) STRICT""",
    ),
    3: ("ALTER TABLE messages ADD COLUMN retired INTEGER NOT NULL DEFAULT 0",),
    4: (
        "ALTER TABLE sources ADD COLUMN position INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE conversations ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE conversations ADD COLUMN deleted_at TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE conversations ADD COLUMN scope TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE feedback (
            message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
            rating INTEGER NOT NULL,
            reason TEXT NOT NULL,
            comment TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT""",
        """CREATE TABLE evaluations (
            id INTEGER PRIMARY KEY,
            created_at TEXT NOT NULL,
            name TEXT NOT NULL,
            figures TEXT NOT NULL
        ) STRICT""",
    ),
}
"""Version to the statements that make the next version of it."""


def upgrade(connection: sqlite3.Connection, version: int, target: int, last: str) -> None:
    """Bring a catalog from `version` to `target`; whatever fails or ends it leaves it as it was.

    `last` is a statement that belongs to it and to today's program.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in range(version, target):
            for statement in STEPS[step]:
                connection.execute(statement)
        connection.execute(last)
        connection.execute(f"PRAGMA user_version = {target}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
