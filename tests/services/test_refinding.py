"""Old citations open the right place after documents changed, came back or left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.errors import NotFound
from desktop_rag.services.refinding import Refinding
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

TEXTS = ("A page that was added.", "The bridge opened in 1932.", "Tea is green.")


@pytest.fixture
def catalog(database: Database) -> Catalog:
    return fill_library(database, FakeIndex(), [read_document(*TEXTS, title="Bridges", paged=True)])


@pytest.fixture
def cited(catalog: Catalog) -> Citation:
    """As it was quoted when the document began with the bridge."""
    file = catalog.file(DocumentId(1))
    quote = TEXTS[1]
    return Citation(
        1, file.id, ChunkId(1), file.path, "Bridges", "", 1, "1", quote, 0, len(quote), "old", 0.9
    )


def test_a_quote_that_moved_within_its_document_is_found(catalog: Catalog, cited: Citation) -> None:
    found = Refinding(catalog).current(cited)
    assert found is not None
    assert catalog.text(found.document)[found.start : found.end] == cited.quote
    assert found.page == 2
    assert found.quote == cited.quote


def test_what_has_not_changed_keeps_its_boxes(catalog: Catalog, cited: Citation) -> None:
    start = catalog.text(DocumentId(1)).index(cited.quote)
    same = replace(
        cited,
        start=start,
        end=start + len(cited.quote),
        sha256=catalog.file(DocumentId(1)).sha256,
        page=7,
    )
    assert Refinding(catalog).current(same) == same


def test_a_quote_that_is_gone_has_no_place(catalog: Catalog, cited: Citation) -> None:
    gone = replace(cited, quote="The bridge opened in 1933.")
    assert Refinding(catalog).current(gone) is None


@pytest.mark.parametrize("known_by", ["contents", "path"])
def test_a_document_that_came_back_is_known(
    catalog: Catalog, cited: Citation, known_by: str
) -> None:
    file = catalog.file(DocumentId(1))
    old = replace(cited, document=DocumentId(99), sha256=file.sha256, path="/elsewhere.txt")
    if known_by == "path":
        old = replace(old, sha256="old", path=file.path)
    found = Refinding(catalog).current(old)
    assert found is not None
    assert (found.document, found.path) == (file.id, file.path)


def test_a_document_that_left_is_not_found(catalog: Catalog, cited: Citation) -> None:
    left = replace(cited, document=DocumentId(99), path="/elsewhere.txt")
    with pytest.raises(NotFound, match="no longer in the library"):
        Refinding(catalog).current(left)
