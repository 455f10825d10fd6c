"""Names are stored with the chunks, go with them, and are found later for older libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.old_library import make_version_1
from tests.helpers.reading import read_document


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "data" / "library.sqlite3")


@pytest.fixture
def catalog(database: Database) -> Catalog:
    return fill_library(
        database,
        FakeIndex(),
        [
            read_document("It was written by Jane Roe.", "A second part.", title="Blue Harbour"),
            read_document("She was born in Port Alder.", title="Jane Roe"),
        ],
    )


def test_a_title_is_what_the_first_passage_of_a_document_is_about(catalog: Catalog) -> None:
    assert catalog.entities.subjects(["blue harbour", "jane roe"], 3) == {
        "blue harbour": [1],
        "jane roe": [3],
    }
    assert catalog.entities.names_in(ChunkId(1)) == ["blue harbour", "jane roe"]


def test_names_go_with_their_document(catalog: Catalog) -> None:
    catalog.remove([DocumentId(2)])
    assert catalog.entities.subjects(["jane roe"], 3) == {}
    assert catalog.entities.names_in(ChunkId(3)) == []


def test_a_name_that_many_passages_are_about_is_left_out(database: Database) -> None:
    documents = [read_document(f"Part {n}.", title="Annual Report") for n in range(4)]
    catalog = fill_library(database, FakeIndex(), documents)
    assert catalog.entities.subjects(["annual report"], 3) == {}
    assert len(catalog.entities.subjects(["annual report"], 4)["annual report"]) == 4


def test_a_name_that_stands_everywhere_is_left_out(database: Database) -> None:
    documents = [read_document("Founded by Acme Corp.", title=f"Plant {n}x") for n in range(25)]
    documents.append(read_document("It makes pumps.", title="Acme Corp"))
    catalog = fill_library(database, FakeIndex(), documents)
    assert catalog.entities.subjects(["acme corp"], 3) == {}


def test_a_library_of_version_1_is_looked_at_later(tmp_path: Path) -> None:
    path = tmp_path / "old" / "library.sqlite3"
    make_version_1(path)
    graph = Catalog(Database(path)).entities
    assert graph.subjects(["lamp"], 3) == {}
    while graph.look_at_older():
        pass
    assert graph.subjects(["lamp"], 3) == {"lamp": [1]}
    assert not graph.look_at_older()


@pytest.mark.parametrize("limit", [1, 2, 200])
def test_looking_at_older_chunks_goes_on_where_it_stopped(
    database: Database, catalog: Catalog, limit: int
) -> None:
    with database.write() as db:
        before = {tuple(row) for row in db.execute("SELECT * FROM chunk_entities")}
        db.execute("DELETE FROM chunk_entities")
        db.execute("INSERT INTO meta VALUES ('entities_missing_through', '3')")
    while catalog.entities.look_at_older(limit):
        pass
    with database.read() as db:
        assert {tuple(row) for row in db.execute("SELECT * FROM chunk_entities")} == before


def test_a_new_library_has_nothing_to_look_at(database: Database) -> None:
    assert not Catalog(database).entities.look_at_older()
