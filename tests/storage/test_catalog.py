"""Documents are replaced whole, resolved exactly, and leave nothing behind."""

from __future__ import annotations

import pytest

from desktop_rag.domain.documents import ChunkId, DocumentId, ReadDocument
from desktop_rag.domain.errors import Damaged, NotFound
from desktop_rag.domain.library import FileState
from desktop_rag.domain.ports import Embedding
from desktop_rag.storage.catalog import Catalog, FileStamp, embedding_hash
from desktop_rag.storage.database import Database
from desktop_rag.storage.embeddings import TokenVectors
from desktop_rag.storage.jobs import Jobs
from desktop_rag.storage.sources import Sources
from tests.helpers.reading import read_document

STAMP = FileStamp(10, 20)


@pytest.fixture
def catalog(database: Database) -> Catalog:
    Sources(database).add("/docs", is_folder=True, device=1)
    return Catalog(database)


def hashes_of(read: ReadDocument) -> list[bytes]:
    return [embedding_hash(chunk.embedding_text) for chunk in read.chunks]


def store(catalog: Catalog, path: str, read: ReadDocument) -> DocumentId:
    catalog.enqueue(1, path, STAMP)
    document = next(f.id for f in catalog.files() if f.path == path)
    made = dict.fromkeys(catalog.missing_vectors(hashes_of(read), "fp"), Embedding(b"v", b"t"))
    catalog.replace(document, read, STAMP, "sha-" + path, made, "fp")
    return document


def rows(database: Database, table: str) -> int:
    with database.read() as db:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def chunk_ids(database: Database) -> list[ChunkId]:
    with database.read() as db:
        return [ChunkId(row[0]) for row in db.execute("SELECT id FROM chunks ORDER BY id")]


def test_what_is_stored_is_resolved_exactly(catalog: Catalog, database: Database) -> None:
    read = read_document("First paragraph.", "Zweiter Absatz, ß.", paged=True)
    document = store(catalog, "/docs/a.pdf", read)
    second = catalog.resolve(chunk_ids(database))[chunk_ids(database)[1]]
    assert (second.document, second.path, second.text) == (
        document,
        "/docs/a.pdf",
        "Zweiter Absatz, ß.",
    )
    assert catalog.text(document)[second.start : second.end] == second.text
    assert (second.pages, second.page_label, second.title) == ((2, 2), "ii", "Title")
    assert catalog.pages(document) == read.document.pages
    assert catalog.blocks(document) == read.document.blocks
    file = catalog.file(document)
    assert (file.state, file.pages, file.chunks, file.notes) == (FileState.READY, 2, 2, ("a note",))


def test_a_new_version_replaces_the_old_one_under_new_ids(
    catalog: Catalog, database: Database
) -> None:
    document = store(catalog, "/docs/a.txt", read_document("old", "same"))
    old = chunk_ids(database)
    assert store(catalog, "/docs/a.txt", read_document("new", "same")) == document
    assert not catalog.resolve(old)
    assert [c.text for c in catalog.resolve(chunk_ids(database)).values()] == ["new", "same"]
    assert rows(database, "vectors") == 2


def test_equal_text_shares_a_vector_until_its_last_copy_goes(
    catalog: Catalog, database: Database
) -> None:
    first = store(catalog, "/docs/a.txt", read_document("shared"))
    second = store(catalog, "/docs/b.txt", read_document("shared"))
    assert rows(database, "vectors") == 1
    catalog.remove([first])
    assert rows(database, "vectors") == 1
    catalog.remove([second])
    for table in ("documents", "document_texts", "pages", "chunks", "vectors", "jobs"):
        assert rows(database, table) == 0


def test_only_text_without_a_vector_is_missing(catalog: Catalog) -> None:
    read = read_document("one", "two")
    store(catalog, "/docs/a.txt", read_document("one"))
    one, two = hashes_of(read)
    assert catalog.missing_vectors([one, two], "fp") == {two}
    assert catalog.missing_vectors([one, two], "another embedder") == {one, two}


def test_storing_a_removed_document_stores_nothing(catalog: Catalog, database: Database) -> None:
    document = store(catalog, "/docs/a.txt", read_document("one"))
    catalog.remove([document])
    with pytest.raises(NotFound):
        catalog.replace(document, read_document("two"), STAMP, "x", {}, "fp")
    assert rows(database, "chunks") == 0


def test_a_failure_keeps_its_reason_and_no_old_text(catalog: Catalog, database: Database) -> None:
    document = store(catalog, "/docs/a.txt", read_document("old"))
    catalog.mark_failed(document, STAMP, "sha", Damaged("It is damaged."))
    file = catalog.file(document)
    assert (file.state, file.failure_code, file.failure) == (
        FileState.FAILED,
        "damaged",
        "It is damaged.",
    )
    assert rows(database, "chunks") == 0
    assert catalog.counts().failed == 1


def test_enqueueing_twice_is_one_job(catalog: Catalog, database: Database) -> None:
    assert catalog.enqueue(1, "/docs/a.txt", STAMP)
    assert not catalog.enqueue(1, "/docs/a.txt", STAMP)
    jobs = Jobs(database)
    assert jobs.claim(0.0) is not None
    assert jobs.claim(0.0) is None


def test_a_claimed_job_is_put_back_after_a_kill(catalog: Catalog, database: Database) -> None:
    catalog.enqueue(1, "/docs/a.txt", STAMP)
    jobs = Jobs(database)
    job = jobs.claim(0.0)
    assert job is not None
    assert catalog.files()[0].state is FileState.READING
    Jobs(database).recover()
    assert jobs.claim(0.0) == job


def test_a_job_waits_for_its_time_and_counts_attempts(catalog: Catalog, database: Database) -> None:
    catalog.enqueue(1, "/docs/a.txt", STAMP)
    jobs = Jobs(database)
    job = jobs.claim(0.0)
    assert job is not None
    jobs.put_back(job, 50.0, is_attempt=True)
    assert jobs.next_due() == 50.0
    assert jobs.claim(49.0) is None
    again = jobs.claim(50.0)
    assert again is not None
    assert again.attempts == 1


def test_documents_under_takes_folders_by_whole_names(catalog: Catalog) -> None:
    inside = store(catalog, "/docs/a/x.txt", read_document("one"))
    store(catalog, "/docs/ab/y.txt", read_document("two"))
    assert catalog.documents_under("/docs/a") == [inside]
    assert len(catalog.documents_under("/docs")) == 2


def test_token_vectors_live_and_die_with_the_vector(catalog: Catalog, database: Database) -> None:
    document = store(catalog, "/docs/a.txt", read_document("one", "two"))
    with database.read() as db:
        chunks = [ChunkId(row[0]) for row in db.execute("SELECT id FROM chunks")]
    tokens = TokenVectors(database)
    assert tokens.of(chunks, "fp") == dict.fromkeys(chunks, b"t")
    assert tokens.of(chunks, "another embedder") == {}
    assert tokens.of([], "fp") == {}
    catalog.remove([document])
    assert rows(database, "token_vectors") == 0
