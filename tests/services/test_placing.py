"""A path of the disk is found in the library, with a page and with words."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.documents import DocumentId
from desktop_rag.services.placing import Placing
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex, fake_engines
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

TEXTS = ("A page that was added.", "The bridge opened in 1932.", "Tea is green. Bridge.")


@pytest.fixture
def catalog(database: Database) -> Catalog:
    return fill_library(database, FakeIndex(), [read_document(*TEXTS, title="Bridges", paged=True)])


@pytest.fixture
def path(catalog: Catalog) -> Path:
    return Path(catalog.file(DocumentId(1)).path)


def test_a_file_opens_at_its_beginning(catalog: Catalog, path: Path) -> None:
    placed = Placing(catalog).find(path)
    assert placed.file is not None
    assert placed.file.title == "Bridges"
    assert placed.citation is None


def test_a_page_is_a_place_without_words(catalog: Catalog, path: Path) -> None:
    placed = Placing(catalog).find(path, page=2)
    assert placed.citation is not None
    assert (placed.citation.page, placed.citation.quote) == (2, "")
    beyond = Placing(catalog).find(path, page=9)
    assert beyond.has_no_such_page
    assert beyond.citation is None


def test_words_are_found_whatever_their_case_and_white_space(catalog: Catalog, path: Path) -> None:
    placed = Placing(catalog).find(path, quote="the  BRIDGE\nopened")
    assert placed.citation is not None
    assert placed.citation.quote == "The bridge opened"
    assert placed.citation.page == 2


def test_words_are_looked_for_on_their_page_first(catalog: Catalog, path: Path) -> None:
    placed = Placing(catalog).find(path, page=3, quote="bridge")
    assert placed.citation is not None
    assert placed.citation.page == 3
    earlier = Placing(catalog).find(path, page=3, quote="added")
    assert earlier.citation is not None
    assert earlier.citation.page == 1


def test_words_that_are_not_there_leave_the_page(catalog: Catalog, path: Path) -> None:
    placed = Placing(catalog).find(path, page=2, quote="The tunnel (")
    assert placed.has_no_such_words
    assert placed.citation is not None
    assert placed.citation.page == 2
    assert Placing(catalog).find(path, quote="The tunnel").citation is None


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with App.open(tmp_path / "data", fake_engines()) as made:
        yield made


Add = Callable[[str], Path]


@pytest.fixture
def add(app: App, tmp_path: Path) -> Add:
    def write(name: str) -> Path:
        path = tmp_path / "docs" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("Tea is green and grows on hills.")
        app.add([path.parent])
        app.start_indexing()
        assert app.wait_until_indexed(20)
        return path

    return write


def test_links_and_accents_lead_to_the_same_file(app: App, add: Add, tmp_path: Path) -> None:
    path = add("résumé.txt")
    other = Path(unicodedata.normalize("NFD", str(path)))
    assert app.placing.find(other).file is not None
    link = tmp_path / "link.txt"
    link.symlink_to(path)
    assert app.placing.find(link).file is not None


def test_what_is_not_in_the_library_says_whether_it_is_there(
    app: App, add: Add, tmp_path: Path
) -> None:
    path = add("a.txt")
    assert app.placing.find(path.parent).is_folder
    there = tmp_path / "b.txt"
    there.write_text("x")
    placed = app.placing.find(there)
    assert placed.file is None
    assert not placed.is_missing
    assert app.placing.find(tmp_path / "c.txt").is_missing


def test_a_place_without_words_is_still_a_place(app: App, add: Add) -> None:
    """The viewer asks where a citation stands today."""
    placed = app.placing.find(add("a.txt"), quote="grows on")
    assert placed.citation is not None
    view, citation = app.cited_document(placed.citation)
    assert citation is not None
    assert view.text[citation.start : citation.end] == "grows on"


def test_a_name_that_is_no_text_is_no_file_of_the_library(catalog: Catalog, path: Path) -> None:
    other = path.with_name("caf\udce9.txt")
    assert catalog.documents_under(str(other)) == []
    placed = Placing(catalog).find(other)
    assert placed.file is None
    assert placed.is_missing
