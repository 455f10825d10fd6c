"""What is said of the file behind a citation: as read, changed, read again, gone, removed."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.citation_state import CitationState
from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.services.cited_files import CitedFiles
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import Database
from desktop_rag.storage.folders import stamp_of
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "bridges.txt"
    made.write_text("The bridge opened in 1932.", encoding="utf-8")
    return made


@pytest.fixture
def catalog(database: Database, file: Path) -> Catalog:
    """As if the file had been read as it is."""
    made = fill_library(database, FakeIndex(), [read_document("The bridge opened in 1932.")])
    stamp = stamp_of(file)
    with database.write() as db:
        db.execute(
            "UPDATE documents SET path = ?, size = ?, mtime_ns = ?, ctime_ns = ?",
            (str(file), stamp.size, stamp.mtime_ns, stamp.ctime_ns),
        )
    return made


@pytest.fixture
def cited(catalog: Catalog) -> Citation:
    known = catalog.file(DocumentId(1))
    return Citation(
        1, known.id, ChunkId(1), known.path, "", "", None, "", "opened in 1932", 11, 25,
        known.sha256, 0.9,
    )  # fmt: skip


def test_a_file_that_is_as_it_was(catalog: Catalog, cited: Citation) -> None:
    assert CitedFiles(catalog).state(cited) is CitationState.AS_READ


def test_a_file_that_was_read_again_since(catalog: Catalog, cited: Citation) -> None:
    older = replace(cited, sha256="0" * 64)
    assert CitedFiles(catalog).state(older) is CitationState.READ_AGAIN


def test_a_file_that_changes_and_vanishes(catalog: Catalog, cited: Citation, file: Path) -> None:
    os.utime(file, ns=(1, 1))
    assert CitedFiles(catalog).state(cited) is CitationState.CHANGED
    file.unlink()
    assert CitedFiles(catalog).state(cited) is CitationState.GONE


def test_a_file_that_left_the_library(catalog: Catalog, cited: Citation) -> None:
    away = replace(cited, document=DocumentId(77), sha256="9" * 64, path="/elsewhere/a.txt")
    assert CitedFiles(catalog).state(away) is CitationState.REMOVED
