"""The change log brings any index up to date, however far behind it is."""

from __future__ import annotations

import pytest

from desktop_rag.domain.checksums import checksum_of
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.ports import Embedding, IndexBatch
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.database import Database
from desktop_rag.storage.sources import Sources
from tests.helpers.reading import read_document
from tests.storage.test_catalog import chunk_ids, store


@pytest.fixture
def catalog(database: Database) -> Catalog:
    Sources(database).add("/docs", is_folder=True, device=1)
    return Catalog(database)


def replay(batches: list[IndexBatch], held: dict[ChunkId, str] | None = None) -> dict[ChunkId, str]:
    index = dict(held or {})
    for batch in batches:
        index.update({chunk.chunk: chunk.text for chunk in batch.upserts})
        for gone in batch.deletes:
            index.pop(gone, None)
    return index


def held_by(database: Database, catalog: Catalog) -> dict[ChunkId, str]:
    return {
        chunk.id: f"{chunk.header}\n{chunk.text}"
        for chunk in catalog.resolve(chunk_ids(database)).values()
    }


@pytest.mark.parametrize("batch_size", [1, 2, 3, 100])
def test_replaying_from_any_point_gives_the_catalog(
    catalog: Catalog, database: Database, batch_size: int
) -> None:
    log = ChangeLog(database, batch_size)
    document = store(catalog, "/docs/a.txt", read_document("one", "two"))
    store(catalog, "/docs/b.txt", read_document("three"))
    middle = log.last_seq()
    at_middle = replay(list(log.since(0, "fp")))
    store(catalog, "/docs/b.txt", read_document("four", "five"))
    catalog.remove([document])
    expected = held_by(database, catalog)
    assert expected
    assert replay(list(log.since(0, "fp"))) == expected
    assert replay(list(log.since(middle, "fp")), at_middle) == expected
    assert replay(list(log.everything("fp"))) == expected


def test_a_filled_index_is_complete_only_with_the_last_batch(
    catalog: Catalog, database: Database
) -> None:
    store(catalog, "/docs/a.txt", read_document(*[f"p{i}" for i in range(5)]))
    log = ChangeLog(database, 2)
    seqs = [batch.last_seq for batch in log.everything("fp")]
    assert seqs[:-1] == [0] * (len(seqs) - 1)
    assert seqs[-1] == log.last_seq() > 0


def test_filling_an_index_that_kept_something_removes_what_is_gone(
    catalog: Catalog, database: Database
) -> None:
    log = ChangeLog(database, 2)
    document = store(catalog, "/docs/a.txt", read_document("one", "two", "three"))
    kept = replay(list(log.everything("fp")))
    log.prune(log.last_seq())
    catalog.remove([document])
    store(catalog, "/docs/b.txt", read_document("four"))
    assert replay(list(log.everything("fp")), kept) == held_by(database, catalog)


def test_the_checksum_is_that_of_the_chunk_numbers(catalog: Catalog, database: Database) -> None:
    log = ChangeLog(database)
    assert log.checksum() == 0
    document = store(catalog, "/docs/a.txt", read_document("one", "two"))
    store(catalog, "/docs/b.txt", read_document("three"))
    before = log.checksum()
    assert before == checksum_of(chunk_ids(database))
    catalog.remove([document])
    store(catalog, "/docs/c.txt", read_document("four", "five"))
    assert log.checksum() == checksum_of(chunk_ids(database)) != before


def test_after_pruning_an_older_index_cannot_catch_up(catalog: Catalog, database: Database) -> None:
    log = ChangeLog(database)
    store(catalog, "/docs/a.txt", read_document("one"))
    first = log.last_seq()
    store(catalog, "/docs/b.txt", read_document("two"))
    assert log.unapplied_chunks() == 2
    log.prune(log.last_seq())
    assert log.unapplied_chunks() == 0
    assert not log.can_catch_up(first)
    assert log.can_catch_up(log.last_seq())
    assert not log.can_catch_up(log.last_seq() + 1), "an index from another library"
    assert list(log.since(log.last_seq(), "fp")) == []


def test_an_embedder_that_is_new_gets_all_text(catalog: Catalog, database: Database) -> None:
    store(catalog, "/docs/a.txt", read_document("one", "two"))
    log = ChangeLog(database)
    assert log.chunks_without_vector("fp", 10) == []
    missing = log.chunks_without_vector("new", 10)
    assert [text for _, text in missing] == ["Title\none", "Title\ntwo"]
    log.add_embeddings({key: Embedding(b"n", b"") for key, _ in missing}, "new")
    upserts = [chunk for batch in log.everything("new") for chunk in batch.upserts]
    assert [chunk.vector for chunk in upserts] == [b"n", b"n"]
