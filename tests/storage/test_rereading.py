"""A newer reader: what is to be read again is counted, comes last, and loses nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import Damaged
from desktop_rag.domain.library import FileState
from desktop_rag.storage.catalog import Catalog, FileStamp
from desktop_rag.storage.database import Database
from desktop_rag.storage.jobs import Jobs
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

ONE = DocumentId(1)
STAMP = FileStamp(1, 1)
SHA256 = f"{1:064}"


@pytest.fixture
def catalog(database: Database) -> Catalog:
    old = [replace(read_document(f"Text {n}."), reader="pdf-1+chunker-1") for n in range(3)]
    return fill_library(database, FakeIndex(), old)


def test_what_a_newer_reader_has_to_read_is_counted(catalog: Catalog) -> None:
    assert catalog.readers.rereading().sentence == ""
    catalog.readers.note(["pdf-1+chunker-1", "text-1+chunker-1"])
    assert catalog.readers.rereading().waiting == 0
    catalog.readers.note(["pdf-2+chunker-1", "text-1+chunker-1"])
    assert catalog.readers.rereading().sentence.startswith("3 of 3 files are being read again")


def test_noting_the_same_readers_writes_nothing(catalog: Catalog, database: Database) -> None:
    catalog.readers.note(["b", "a"])
    with database.read() as db:
        before = db.execute("PRAGMA data_version").fetchone()[0]
        catalog.readers.note(["a", "b"])
        assert db.execute("PRAGMA data_version").fetchone()[0] == before
        assert db.execute("SELECT value FROM meta WHERE key = 'readers'").fetchone()[0]


def test_new_files_come_before_files_that_are_read_again(
    catalog: Catalog, database: Database
) -> None:
    catalog.enqueue(1, "/documents/1.pdf", STAMP)
    catalog.enqueue(1, "/documents/new.pdf", FileStamp(50_000_000, 5))
    jobs = Jobs(database)
    turns = [job.path for _ in range(2) if (job := jobs.claim(10.0))]
    assert turns == ["/documents/new.pdf", "/documents/1.pdf"]
    assert catalog.file(ONE).chunks == 1


def test_a_changed_file_does_not_wait_behind_them(catalog: Catalog, database: Database) -> None:
    catalog.enqueue(1, "/documents/1.pdf", STAMP)
    catalog.enqueue(1, "/documents/2.pdf", FileStamp(2, 2))
    job = Jobs(database).claim(10.0)
    assert job is not None
    assert job.path == "/documents/2.pdf"


class TestANewReaderThatFails:
    def test_on_the_same_bytes_keeps_what_the_old_one_read(self, catalog: Catalog) -> None:
        catalog.readers.note(["pdf-2+chunker-1", "text-1+chunker-1"])
        catalog.mark_failed(ONE, STAMP, SHA256, Damaged("1.pdf is damaged."))
        file = catalog.file(ONE)
        assert (file.state, file.chunks) == (FileState.READY, 1)
        assert "1.pdf is damaged." in file.notes[-1]
        assert catalog.text(ONE).startswith("Text 0.")

    def test_is_not_tried_at_every_start(self, catalog: Catalog) -> None:
        catalog.readers.note(["pdf-2+chunker-1", "text-1+chunker-1"])
        for _ in range(2):
            catalog.mark_failed(ONE, STAMP, SHA256, Damaged("1.pdf is damaged."))
        known = catalog.known_file(ONE)
        assert known is not None
        assert known.reader == "pdf-2+chunker-1"
        assert sum("newer reader" in note for note in catalog.file(ONE).notes) == 1

    def test_on_other_bytes_removes_the_old_text(self, catalog: Catalog) -> None:
        catalog.mark_failed(ONE, FileStamp(2, 2), f"{9:064}", Damaged("1.pdf is damaged."))
        assert (catalog.file(ONE).state, catalog.text(ONE)) == (FileState.FAILED, "")
