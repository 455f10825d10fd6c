"""Whose turn it is, and which pages are left."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from desktop_rag.domain.documents import (
    Coverage,
    DocumentId,
    ParsedDocument,
    ReadDocument,
    RecognisedLine,
    RecognisedPage,
)
from desktop_rag.domain.errors import NoText, RecognitionOff
from desktop_rag.domain.library import FileState
from desktop_rag.storage.catalog import Catalog, FileStamp
from desktop_rag.storage.database import Database
from desktop_rag.storage.jobs import BIG_BYTES, LATE_RANK, JobKind, Jobs
from desktop_rag.storage.recognised import RecognisedPages

_OLD = FileStamp(10, 1, 1)
_OFF = "recognition is off"


@pytest.fixture
def catalog(database: Database) -> Catalog:
    with database.write() as db:
        db.execute(
            "INSERT INTO sources (id, path, is_folder, device, added_at) VALUES (1, '/d', 1, 0, '')"
        )
    return Catalog(database)


@pytest.fixture
def jobs(database: Database) -> Jobs:
    return Jobs(database)


def _claimed(jobs: Jobs) -> list[str]:
    found = []
    while (job := jobs.claim(time.time())) is not None:
        found.append(job.path)
    return found


def _store(
    catalog: Catalog, document: int, coverage: Coverage, sha256: str = "s", stamp: FileStamp = _OLD
) -> None:
    read = ReadDocument(ParsedDocument("pdf", "", (), coverage=coverage), (), "pdf-1")
    catalog.replace(DocumentId(document), read, stamp, sha256, {}, "f")


def _page(number: int, engine: str, texts: Sequence[str] = ("words",)) -> RecognisedPage:
    lines = tuple(RecognisedLine(text, 0, 0, 1, 1, 0.9) for text in texts)
    return RecognisedPage(number, lines, engine=engine)


def test_what_was_saved_just_now_comes_first_and_big_files_last(
    catalog: Catalog, jobs: Jobs
) -> None:
    now = time.time_ns()
    catalog.enqueue(1, "/d/big", FileStamp(BIG_BYTES + 1, now))
    catalog.enqueue(1, "/d/old", _OLD)
    catalog.enqueue(1, "/d/recent", FileStamp(5, now - 300_000_000_000))
    catalog.enqueue(1, "/d/now", FileStamp(5, now))
    assert _claimed(jobs) == ["/d/now", "/d/recent", "/d/old", "/d/big"]


def test_waiting_pages_keep_a_job_alive_behind_all_reading(catalog: Catalog, jobs: Jobs) -> None:
    for name in "abc":
        catalog.enqueue(1, f"/d/{name}", _OLD)
    _store(catalog, 1, Coverage(pages=9, waiting=(1, 2, 3)))
    _store(catalog, 2, Coverage(pages=1, waiting=(1,)))
    assert _claimed(jobs) == ["/d/c", "/d/b", "/d/a"]
    assert jobs.workload().pages == 4
    assert [file.state for file in catalog.files()] == [FileState.READING] * 3
    _store(catalog, 1, Coverage(pages=9, recognised=(1, 2, 3)))
    assert not jobs.is_live(DocumentId(1))
    assert jobs.workload().pages == 1


def test_a_sweep_leaves_a_recognition_alone_and_an_edit_begins_anew(
    catalog: Catalog, jobs: Jobs
) -> None:
    catalog.enqueue(1, "/d/a", _OLD)
    _store(catalog, 1, Coverage(waiting=(1,)))
    assert not catalog.enqueue(1, "/d/a", _OLD)
    job = jobs.claim(time.time())
    assert job is not None
    assert job.kind is JobKind.RECOGNISE
    assert catalog.enqueue(1, "/d/a", FileStamp(11, 2, 2))
    jobs.put_back(job, 0.0, is_attempt=False)
    again = jobs.claim(time.time())
    assert again is not None
    assert again.kind is JobKind.READ


def test_only_asked_kinds_are_claimed(catalog: Catalog, jobs: Jobs) -> None:
    catalog.enqueue(1, "/d/a", _OLD)
    _store(catalog, 1, Coverage(waiting=(1,)))
    assert jobs.claim(time.time(), (JobKind.READ,)) is None


def test_a_page_that_was_given_up_stays_so_until_somebody_retries(
    catalog: Catalog, database: Database
) -> None:
    pages = RecognisedPages(database)
    catalog.enqueue(1, "/d/a", _OLD)
    _store(catalog, 1, Coverage())
    pages.add_failure("s", 4, "ocr-1", 2, "it took too long")
    pages.add("s", _page(5, "ocr-1"))
    assert [(r.number, r.failure, r.page is None) for r in pages.records("s")] == [
        (4, "it took too long", True),
        (5, "", False),
    ]
    catalog.requeue([DocumentId(1)])
    assert [record.number for record in pages.records("s")] == [5]


def test_pages_of_forgotten_files_are_pruned(catalog: Catalog, database: Database) -> None:
    pages = RecognisedPages(database)
    catalog.enqueue(1, "/d/a", _OLD)
    _store(catalog, 1, Coverage(), "kept")
    pages.add("kept", _page(1, "ocr-1"))
    pages.add("gone", _page(1, "ocr-1"))
    assert pages.prune() == 1
    assert pages.prune() == 0
    assert len(pages.records("kept")) == 1


def test_switching_recognition_on_queues_exactly_what_was_left_out(
    catalog: Catalog, jobs: Jobs, database: Database
) -> None:
    pages = RecognisedPages(database)
    for name in "abcd":
        catalog.enqueue(1, f"/d/{name}", _OLD)
    _store(catalog, 1, Coverage(pages=2, skipped=((2, _OFF),)), "a")
    _store(catalog, 2, Coverage(pages=2, skipped=((2, "it is damaged"),)), "b")
    catalog.mark_failed(DocumentId(3), _OLD, "c", RecognitionOff("is off"))
    catalog.mark_failed(DocumentId(4), _OLD, "d", NoText("nothing there"))
    while (job := jobs.claim(time.time())) is not None:
        jobs.finish(job)
    assert pages.adopt("", "recognition-off", (_OFF,)) == 0
    assert pages.adopt("ocr-1", "recognition-off", (_OFF,)) == 2
    assert pages.adopt("ocr-1", "recognition-off", (_OFF,)) == 0
    claimed = [jobs.claim(time.time()), jobs.claim(time.time()), jobs.claim(time.time())]
    assert [(job.path, job.kind) for job in claimed if job is not None] == [
        ("/d/c", JobKind.READ),
        ("/d/a", JobKind.RECOGNISE),
    ]


def test_a_changed_engine_looks_again_at_all_it_has_not_seen(
    catalog: Catalog, jobs: Jobs, database: Database
) -> None:
    pages = RecognisedPages(database)
    pages.adopt("ocr-1", "recognition-off", (_OFF,))
    for name in "abc":
        catalog.enqueue(1, f"/d/{name}", _OLD)
    _store(catalog, 1, Coverage(recognised=(1,)), "a")
    catalog.mark_failed(DocumentId(2), _OLD, "b", NoText("nothing there"))
    _store(catalog, 3, Coverage(pages=1, read=1), "c")
    pages.add("a", _page(1, "ocr-1"))
    pages.add("b", _page(1, "ocr-1", ()))
    while (job := jobs.claim(time.time())) is not None:
        jobs.finish(job)
    assert pages.adopt("ocr-2", "recognition-off", (_OFF,)) == 2
    assert not pages.records("b"), "nothing was found, so there is nothing to keep meanwhile"
    with database.read() as db:
        ranks = dict(db.execute("SELECT document_id, rank FROM jobs").fetchall())
    assert ranks[1] == LATE_RANK, "scans without any text come before text that may get better"
    assert pages.adopt("ocr-2", "recognition-off", (_OFF,)) == 0
    while (job := jobs.claim(time.time())) is not None:
        jobs.finish(job)
    assert pages.adopt("ocr-2", "recognition-off", (_OFF,)) == 0, "a start queues nothing anew"
    assert len(pages.records("a")) == 1, "the old text is searchable until there is a new one"
