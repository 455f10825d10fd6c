"""Documents are opened around passages, from the catalog."""

from __future__ import annotations

import pytest

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.errors import NotFound
from desktop_rag.services.opening import Opening
from desktop_rag.storage.catalog import Catalog, FileStamp
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

TEXTS = ("The bridge opened in 1932.", "It is red.", "Tea is green and wants warm water.")


@pytest.fixture
def catalog(database: Database) -> Catalog:
    return fill_library(database, FakeIndex(), [read_document(*TEXTS, title="Bridges", paged=True)])


@pytest.fixture
def opening(catalog: Catalog) -> Opening:
    return Opening(catalog)


def path_of(catalog: Catalog) -> str:
    return catalog.file(DocumentId(1)).path


def test_a_passage_alone(opening: Opening) -> None:
    opened = opening.passage(ChunkId(2), 0)
    assert opened.text == "It is red."
    assert (opened.start, opened.end) == (opened.passage.start, opened.passage.end)
    assert (opened.title, opened.page, opened.is_changed) == ("Bridges", 2, True)


@pytest.mark.parametrize("around", range(1, 40))
def test_words_are_not_cut_in_two(opening: Opening, catalog: Catalog, around: int) -> None:
    opened = opening.passage(ChunkId(2), around)
    whole = catalog.text(DocumentId(1))
    assert opened.text == whole[opened.start : opened.end]
    assert "It is red." in opened.text
    assert set(opened.text.split()) <= set(whole.split())
    assert len(opened.text) <= len("It is red.") + 2 * around


def test_everything_around_is_the_whole_document(opening: Opening, catalog: Catalog) -> None:
    opened = opening.passage(ChunkId(1), 10_000)
    assert opened.text == catalog.text(DocumentId(1))
    assert (opened.start, opened.end) == (0, opened.length)


@pytest.mark.parametrize(
    ("offset", "text"), [(0, 0), (25, 0), (28, 1), (39, 1), (50, 2), (10**9, 2)]
)
def test_an_offset_opens_the_passage_there(
    opening: Opening, catalog: Catalog, offset: int, text: int
) -> None:
    assert opening.at(path_of(catalog), offset, 0).text == TEXTS[text]


def test_what_is_not_there_is_said(opening: Opening, catalog: Catalog) -> None:
    with pytest.raises(NotFound, match="no passage 99"):
        opening.passage(ChunkId(99), 0)
    with pytest.raises(NotFound, match="no file of the library"):
        opening.at("/elsewhere", 0, 0)
    with pytest.raises(NotFound, match="no file of the library"):
        opening.at("", 0, 0)
    catalog.enqueue(1, "/documents/new.txt", FileStamp(1, 1))
    with pytest.raises(NotFound, match="still to be read"):
        opening.at("/documents/new.txt", 0, 0)
