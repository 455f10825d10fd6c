from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.errors import InvalidInput, NotFound, NothingIndexed
from desktop_rag.domain.library import Tier
from desktop_rag.domain.scope import Scope
from desktop_rag.services.organising import Organising
from desktop_rag.services.retrieval import Retrieval
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

FIRST = "The harbour bridge opened in 1932 after eight years of work."
SECOND = "The harbour bridge was painted grey in 1960 by forty men."
FOLDER, ONE, TWO = Path("/documents"), Path("/documents/1.pdf"), Path("/documents/2.pdf")


class Desk:
    def __init__(self, database: Database) -> None:
        index = FakeIndex()
        self.database = database
        catalog = fill_library(
            database,
            index,
            [read_document(FIRST, title="Bridges"), read_document(SECOND, title="Paint")],
        )
        self.catalog: Catalog = catalog
        collections = Collections(database)
        self.organising = Organising(catalog, collections)
        self.retrieval = Retrieval(index, catalog, collections)

    def found(self, scope: Scope) -> list[str]:
        result = self.retrieval.search("harbour bridge", scope=scope)
        assert result.figures.searched_documents == len({p.document for p in result.passages})
        return sorted(passage.path for passage in result.passages)


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


def test_a_collection_searches_only_its_members(desk: Desk) -> None:
    desk.organising.collect("Paint", [TWO])
    assert desk.found(Scope(collections=("Paint",))) == [str(TWO)]
    assert desk.found(Scope()) == [str(ONE), str(TWO)]


def test_a_folder_in_a_collection_stands_for_what_is_below(desk: Desk) -> None:
    desk.organising.collect("All", [FOLDER])
    assert desk.organising.collections()[0].files == 2
    assert desk.found(Scope(collections=("All",))) == [str(ONE), str(TWO)]


def test_a_file_whose_name_only_begins_alike_is_no_member(desk: Desk) -> None:
    with desk.database.write() as db:
        db.execute("UPDATE documents SET path = '/documents/1.pdf.txt' WHERE id = 2")
    desk.organising.collect("One", [ONE])
    assert desk.found(Scope(collections=("One",))) == [str(ONE)]


def test_members_of_another_system_are_matched_with_its_separator(desk: Desk) -> None:
    with desk.database.write() as db:
        db.execute("UPDATE documents SET path = 'C:\\Papers\\a.pdf' WHERE id = 1")
    Collections(desk.database).create("Papers", ["C:\\Papers"])
    assert desk.found(Scope(collections=("Papers",))) == ["C:\\Papers\\a.pdf"]


def test_the_root_folder_holds_everything(desk: Desk) -> None:
    desk.organising.collect("All", [Path("/")])
    assert desk.organising.collections()[0].files == 2


def test_tags_narrow_collections(desk: Desk) -> None:
    desk.organising.collect("All", [FOLDER])
    assert desk.organising.tag("signed", [ONE]) == 1
    assert desk.organising.tag("signed", [ONE]) == 0
    assert desk.found(Scope(collections=("All",), tags=("signed",))) == [str(ONE)]
    assert desk.catalog.files()[0].tags == ("signed",)
    assert desk.organising.tags() == [("signed", 1)]
    assert desk.organising.untag("signed", [FOLDER]) == 1
    assert desk.catalog.files()[0].tags == ()


def test_a_folder_narrows_without_a_collection(desk: Desk) -> None:
    assert desk.found(Scope(folders=(str(TWO),))) == [str(TWO)]


def test_values_of_one_kind_add_up(desk: Desk) -> None:
    scope = Scope(folders=(str(ONE), str(TWO)))
    assert desk.found(scope) == [str(ONE), str(TWO)]


def test_an_empty_selection_says_what_was_selected(desk: Desk) -> None:
    with pytest.raises(NothingIndexed, match="tier background"):
        desk.retrieval.search("bridge", scope=Scope(tiers=(Tier.BACKGROUND,)))


def test_unknown_names_are_told_apart_from_empty_results(desk: Desk) -> None:
    with pytest.raises(NotFound, match="no collection “Nope”"):
        desk.retrieval.search("bridge", scope=Scope(collections=("Nope",)))
    with pytest.raises(NotFound, match="tag “nope”"):
        desk.retrieval.search("bridge", scope=Scope(tags=("nope",)))


def test_a_source_in_the_background_comes_after_a_primary_one(database: Database) -> None:
    desk = Desk(database)
    question = "When was the harbour bridge painted grey?"
    assert desk.retrieval.search(question).passages[0].text == SECOND
    with database.write() as db:
        db.execute(
            "INSERT INTO sources (id, path, is_folder, device, added_at, tier)"
            " VALUES (2, '/old', 1, 0, '', 'background')"
        )
        db.execute("UPDATE documents SET source_id = 2 WHERE id = 2")
    best = desk.retrieval.search(question).passages
    assert [passage.text for passage in best] == [FIRST, SECOND]


def test_what_is_not_in_the_library_cannot_be_sorted(desk: Desk) -> None:
    with pytest.raises(NotFound, match="is not in the library"):
        desk.organising.collect("X", [ONE, Path("/elsewhere")])
    assert desk.organising.collections() == []


def test_names_are_trimmed_and_never_empty(desk: Desk) -> None:
    desk.organising.collect("  My  papers ", [ONE])
    assert desk.organising.collections()[0].name == "My papers"
    with pytest.raises(InvalidInput):
        desk.organising.collect(" \n", [ONE])
    with pytest.raises(InvalidInput):
        desk.organising.tag("x" * 101, [ONE])


def test_collections_are_renamed_emptied_and_deleted(desk: Desk) -> None:
    desk.organising.collect("A", [ONE, TWO])
    desk.organising.collect("B", [ONE])
    with pytest.raises(InvalidInput, match="already"):
        desk.organising.rename("A", "B")
    desk.organising.rename("A", "C")
    desk.organising.leave_out("C", [TWO])
    assert [(c.name, c.members) for c in desk.organising.collections()] == [
        ("B", (str(ONE),)),
        ("C", (str(ONE),)),
    ]
    with pytest.raises(NotFound):
        desk.organising.leave_out("C", [TWO])
    desk.organising.delete("C")
    with pytest.raises(NotFound):
        desk.organising.delete("C")
    assert len(desk.catalog.files()) == 2
