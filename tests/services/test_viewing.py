"""Documents as the viewer opens them, from the catalog alone."""

from __future__ import annotations

import pytest

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import NotFound
from desktop_rag.services.opening import Opening
from desktop_rag.services.viewing import Viewing
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import Database
from desktop_rag.storage.page_lines import PageLines
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

TEXTS = ("The bridge opened in 1932.", "It is red.", "Tea is green and wants warm water.")
ONLY = DocumentId(1)


@pytest.fixture
def catalog(database: Database) -> Catalog:
    return fill_library(database, FakeIndex(), [read_document(*TEXTS, title="Bridges", paged=True)])


@pytest.fixture
def viewing(database: Database, catalog: Catalog) -> Viewing:
    return Viewing(catalog, PageLines(database), Opening(catalog), lambda: None)


def test_a_document_comes_with_pages_without_lines(viewing: Viewing, catalog: Catalog) -> None:
    view = viewing.document(ONLY)
    assert view.text == catalog.text(ONLY)
    assert [page.number for page in view.pages] == [1, 2, 3]
    assert not any(page.lines for page in view.pages)
    assert view.is_missing


def test_lines_come_for_the_pages_that_are_wanted(viewing: Viewing, catalog: Catalog) -> None:
    whole = {page.number: page.lines for page in catalog.pages(ONLY)}
    assert any(whole.values())
    assert viewing.lines(ONLY, [3, 2, 9]) == {2: whole[2], 3: whole[3]}


def test_a_span_has_boxes_on_its_own_pages_only(viewing: Viewing, catalog: Catalog) -> None:
    start = catalog.text(ONLY).index("red")
    boxes = viewing.boxes(ONLY, start, start + 3)
    assert [box.page for box in boxes] == [2]
    line = viewing.lines(ONLY, [2])[2][0]
    assert line.x0 < boxes[0].x0 < boxes[0].x1 <= line.x1
    assert {box.page for box in viewing.boxes(ONLY, 0, 10_000)} == {1, 2, 3}


def test_a_removed_document_says_so(viewing: Viewing) -> None:
    with pytest.raises(NotFound):
        viewing.document(DocumentId(99))
