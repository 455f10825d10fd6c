"""A searchable library in one call: real catalog, fake index."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.documents import ChunkId, DocumentId, ReadDocument
from desktop_rag.domain.ports import Embedding, IndexBatch, IndexedChunk
from desktop_rag.storage.catalog import Catalog, FileStamp, embedding_hash
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FINGERPRINT, FakeIndex, fake_tokens, fake_vector

_STAMP = FileStamp(1, 1)


def fill_library(
    database: Database,
    index: FakeIndex,
    documents: Sequence[ReadDocument],
    names: Sequence[str] = (),
) -> Catalog:
    """Store documents as /documents/1.pdf, 2.pdf …, or by names, and index all their chunks."""
    catalog = Catalog(database)
    with database.write() as db:
        db.execute(
            "INSERT INTO sources (id, path, is_folder, device, added_at)"
            " VALUES (1, '/documents', 1, 0, '')"
        )
    for number, read in enumerate(documents, start=1):
        name = names[number - 1] if names else f"{number}.pdf"
        catalog.enqueue(1, f"/documents/{name}", _STAMP)
        made = {
            embedding_hash(c.embedding_text): Embedding(
                fake_vector(c.embedding_text), fake_tokens(c.embedding_text)
            )
            for c in read.chunks
        }
        catalog.replace(DocumentId(number), read, _STAMP, f"{number:064}", made, FINGERPRINT)
    index.apply(IndexBatch(tuple(_chunks(database)), (), 1))
    return catalog


def _chunks(database: Database) -> list[IndexedChunk]:
    with database.read() as db:
        rows = db.execute("SELECT id, header, text FROM chunks").fetchall()
    texts = [(row["id"], f"{row['header']}\n{row['text']}") for row in rows]
    return [IndexedChunk(ChunkId(key), text, fake_vector(text)) for key, text in texts]
