"""A library as version 1 of the schema left it, with a document, its vector and a chat."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from desktop_rag.domain.documents import Block, BlockKind
from desktop_rag.storage.catalog import embedding_hash
from desktop_rag.storage.database import APPLICATION_ID
from desktop_rag.storage.packing import pack_blocks
from tests.helpers.fakes import fake_vector

SCHEMA = Path(__file__).resolve().parents[1] / "storage" / "schema_version_1.sql"
TEXT = "The lamp of the lighthouse burns 42 litres of oil in a winter night."


def make_version_1(path: Path, source: str = "/gone") -> None:
    """Write it to `path`. The document lies in the folder `source`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    key = embedding_hash(TEXT)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(
            f"{SCHEMA.read_text(encoding='utf-8')}\nPRAGMA application_id = {APPLICATION_ID};"
            "PRAGMA user_version = 1;"
        )
        db.execute("INSERT INTO sources VALUES (1, ?, 1, 7, '2026-01-01')", (source,))
        db.execute(
            "INSERT INTO documents (id, source_id, path, size, mtime_ns, ctime_ns, sha256, state,"
            " format, title, reader, chunk_count) VALUES (1, 1, ?, 70, 1, 1, 'ab', 'ready', 'txt',"
            " 'Lamp', 'text-1+chunker-1', 1)",
            (f"{source}/lamp.txt",),
        )
        blocks = pack_blocks((Block(BlockKind.PARAGRAPH, 0, len(TEXT)),))
        db.execute("INSERT INTO document_texts VALUES (1, ?, ?)", (TEXT, blocks))
        db.execute(
            'INSERT INTO chunks (document_id, ordinal, start, "end", text, header, section, kind,'
            " hash) VALUES (1, 0, 0, ?, ?, '', '', 'paragraph', ?)",
            (len(TEXT), TEXT, key),
        )
        db.execute("INSERT INTO vectors VALUES (?, 'fake-words-1', ?)", (key, fake_vector(TEXT)))
        db.execute("INSERT INTO conversations VALUES (1, 'Oil', '2026-01-01', '2026-01-01')")
        db.commit()
