"""Scanned pages: recognised after everything else, page by page, and never twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.documents import RecognisedPage
from desktop_rag.domain.errors import NotFound, Paused, RoleUnavailable
from desktop_rag.domain.events import IndexingProgress
from desktop_rag.domain.library import FileState
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex, FakeReader
from tests.services.test_indexing import TIMEOUT_S, Room, _until

_LETTER = "# Letter\n\nOwn text about apples.\f[scan]A picture about pears.\f[scan]And plums."


@pytest.fixture
def room(database: Database) -> Iterator[Room]:
    made = Room(database)
    made.hurry = 100.0
    yield made
    made.indexing.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    return made


def _scan(path: Path, *pages: str) -> Path:
    path.write_text("\f".join(f"[scan]{page}" for page in pages))
    return path


def _progress(room: Room) -> list[tuple[int, int]]:
    pages = [(e.page, e.pages) for e in room.events if isinstance(e, IndexingProgress) and e.page]
    return list(dict.fromkeys(pages))


def test_pictures_of_text_become_searchable(room: Room, folder: Path) -> None:
    (folder / "letter.pdf").write_text(_LETTER)
    _scan(folder / "photo.pdf", "Quinces on a photograph.")
    room.add(folder)
    files = room.files()
    assert files["letter.pdf"].coverage.recognised == (2, 3)
    assert files["letter.pdf"].coverage.waiting == ()
    assert files["photo.pdf"].state is FileState.READY
    assert room.found("pears") == ["A picture about pears."]
    assert room.found("quinces") == ["Quinces on a photograph."]
    assert room.jobs.pending() == 0
    assert set(room.reader.recognitions.values()) == {1}
    assert room.index.embedded == 5, "what was embedded before the recognition is not again"


def test_own_text_is_searchable_before_pages_are_recognised(
    database: Database, folder: Path
) -> None:
    (folder / "letter.pdf").write_text(_LETTER)
    _scan(folder / "scan.pdf", "Quinces.", "Figs.")
    (folder / "z.txt").write_text("Dates are sweet.")
    room = Room(database, reader=FakeReader(page_s=0.3))
    room.library.add([folder])
    room.indexing.start()
    assert room.indexing.wait_until_read(TIMEOUT_S)
    assert room.found("apples")
    assert room.found("dates")
    files = room.files()
    assert files["letter.pdf"].state is FileState.READY
    assert files["letter.pdf"].coverage.waiting == (2, 3)
    assert files["scan.pdf"].state is not FileState.READY, "nothing of it can be found yet"
    assert room.jobs.workload().pages == 4
    assert not room.indexing.wait_until_idle(0.05)
    assert room.indexing.wait_until_idle(TIMEOUT_S)
    assert room.found("figs")
    room.indexing.close()


def test_progress_tells_the_page(room: Room, folder: Path) -> None:
    _scan(folder / "scan.pdf", "One.", "Two.", "Three.")
    room.add(folder)
    assert _progress(room) == [(1, 3), (2, 3), (3, 3)]
    last = [e for e in room.events if isinstance(e, IndexingProgress)][-1]
    assert (last.done, last.total, last.path) == (1, 1, "")


def test_a_file_saved_meanwhile_does_not_wait_for_a_long_scan(
    database: Database, folder: Path
) -> None:
    _scan(folder / "book.pdf", *[f"Chapter {n}." for n in range(60)])
    room = Room(database, reader=FakeReader(page_s=0.1))
    room.library.add([folder])
    room.indexing.start()
    _until(lambda: room.reader.recognitions.total() > 1)
    (folder / "new.txt").write_text("Medlars are brown.")
    room.indexing.start()
    _until(lambda: room.found("medlars") == ["Medlars are brown."])
    assert room.reader.recognitions.total() < 20
    room.indexing.close()


def test_a_photograph_comes_before_a_book(room: Room, folder: Path) -> None:
    _scan(folder / "a-book.pdf", "One.", "Two.", "Three.")
    _scan(folder / "photo.pdf", "A photograph.")
    room.add(folder)
    assert next(iter(room.reader.recognitions))[0].name == "photo.pdf"


def test_after_an_end_in_the_middle_only_the_rest_is_recognised(
    database: Database, folder: Path
) -> None:
    scan = _scan(folder / "scan.pdf", *[f"Page number {n}." for n in range(1, 9)])
    first = Room(database, reader=FakeReader(page_s=0.1))
    first.library.add([folder])
    first.indexing.start()
    _until(lambda: first.reader.recognitions.total() >= 4)
    first.indexing.close()
    kept = {page.number for page in first.pages.of(first.files()["scan.pdf"].sha256, "fake-ocr-1")}
    assert len(kept) >= 3
    second = Room(database, first.index)
    second.settle()
    second.indexing.close()
    again = {page for path, page in second.reader.recognitions if path == scan}
    assert again == set(range(1, 9)) - kept
    assert len(second.found("number")) == 8


def test_a_long_scan_is_searchable_from_its_beginning_early(
    database: Database, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.services.reading._SHOW_AFTER_S", 0.3)
    _scan(folder / "book.pdf", *[f"Chapter {n}." for n in range(40)])
    room = Room(database, reader=FakeReader(page_s=0.05))
    room.library.add([folder])
    room.indexing.start()
    _until(lambda: bool(room.found("chapter")))
    file = room.files()["book.pdf"]
    assert file.state is FileState.READY
    assert 0 < len(file.coverage.waiting) < 40
    assert room.indexing.wait_until_idle(TIMEOUT_S)
    assert room.files()["book.pdf"].coverage.recognised == tuple(range(1, 41))
    assert room.index.embedded == 40, "chunks that did not change keep their vectors"
    room.indexing.close()


@pytest.mark.parametrize(
    ("mark", "reason", "tries"),
    [
        ("CRASH", "it crashed the recogniser twice", 2),
        ("HANG", "it took too long twice", 2),
        ("DAMAGED", "mixed.pdf is damaged; open it, save it again and retry.", 1),
    ],
)
def test_a_page_that_breaks_the_recogniser_is_skipped_for_good(
    room: Room, folder: Path, database: Database, mark: str, reason: str, tries: int
) -> None:
    scan = _scan(folder / "mixed.pdf", "Good pears.", mark, "Good plums.")
    room.add(folder)
    coverage = room.files()["mixed.pdf"].coverage
    assert coverage.skipped == ((2, reason),)
    assert coverage.recognised == (1, 3)
    assert coverage.waiting == ()
    (note,) = room.files()["mixed.pdf"].notes
    assert note.startswith("Page 2 could not be recognised: ")
    assert len(room.found("good")) == 2
    assert room.reader.recognitions[scan, 2] == tries
    room.indexing.close()
    again = Room(database, room.index)
    again.settle()
    again.indexing.close()
    assert not again.reader.recognitions


def test_a_page_that_is_not_there_is_skipped_and_the_file_stays(
    room: Room, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recognise = room.reader.recognise

    def without_page_2(path: Path, page: int) -> RecognisedPage:
        if page == 2:
            raise NotFound("scan.pdf has no page 2.")
        return recognise(path, page)

    monkeypatch.setattr(room.reader, "recognise", without_page_2)
    _scan(folder / "scan.pdf", "Pears.", "Plums.")
    room.add(folder)
    coverage = room.files()["scan.pdf"].coverage
    assert (coverage.recognised, coverage.waiting) == ((1,), ())
    assert coverage.skipped == ((2, "scan.pdf has no page 2."),)


def test_a_crash_of_an_earlier_recogniser_is_not_held_against_a_new_one(
    room: Room, folder: Path
) -> None:
    scan = _scan(folder / "scan.pdf", "Good pears.", "CRASH")
    room.pages.add_failure(room.reader.digest(scan), 2, "fake-ocr-0", 1, "")
    room.add(folder)
    assert room.reader.recognitions[scan, 2] == 2


def test_a_scan_that_breaks_on_every_page_is_given_up_early(room: Room, folder: Path) -> None:
    _scan(folder / "evil.pdf", *["CRASH"] * 20)
    room.add(folder)
    file = room.files()["evil.pdf"]
    assert file.failure_code == "no-text"
    assert "it crashed the recogniser twice" in file.failure
    assert room.reader.recognitions.total() == 6


def test_pictures_without_text_say_so(room: Room, folder: Path) -> None:
    _scan(folder / "blank.pdf", "", "")
    (folder / "half.pdf").write_text("Own words.\f[scan]")
    room.add(folder)
    assert room.files()["blank.pdf"].failure_code == "no-text"
    assert room.files()["half.pdf"].coverage.blank == (2,)
    assert room.files()["half.pdf"].state is FileState.READY
    assert room.jobs.pending() == 0


def test_a_renamed_and_a_copied_scan_are_not_recognised_again(room: Room, folder: Path) -> None:
    scan = _scan(folder / "scan.pdf", "Pears.", "Plums.")
    room.add(folder)
    (folder / "sub").mkdir()
    (folder / "sub" / "copy.pdf").write_bytes(scan.read_bytes())
    scan.rename(folder / "renamed.pdf")
    room.settle()
    assert room.reader.recognitions.total() == 2
    assert len(room.found("plums")) == 2


def test_an_edit_during_the_recognition_begins_anew(database: Database, folder: Path) -> None:
    scan = _scan(folder / "scan.pdf", *["Old words."] * 30)
    room = Room(database, reader=FakeReader(page_s=0.1))
    room.library.add([folder])
    room.indexing.start()
    _until(lambda: room.reader.recognitions.total() > 1)
    _scan(scan, "Entirely new.")
    room.indexing.start()
    assert room.indexing.wait_until_idle(TIMEOUT_S)
    assert room.found("new") == ["Entirely new."]
    assert not room.found("old")
    room.indexing.close()
    assert {r.number for r in room.pages.records(room.files()["scan.pdf"].sha256)} == {1}


def test_a_scan_that_vanishes_meanwhile_leaves_nothing(database: Database, folder: Path) -> None:
    scan = _scan(folder / "scan.pdf", *["Words."] * 30)
    room = Room(database, reader=FakeReader(page_s=0.1))
    room.library.add([folder])
    room.indexing.start()
    _until(lambda: room.reader.recognitions.total() > 1)
    scan.unlink()
    assert room.indexing.wait_until_idle(TIMEOUT_S)
    room.indexing.close()
    assert (room.files(), room.jobs.pending()) == ({}, 0)


class TestSwitchedOff:
    def test_scans_say_how_to_switch_it_on(self, room: Room, folder: Path) -> None:
        (folder / "letter.pdf").write_text(_LETTER)
        _scan(folder / "scan.pdf", "Quinces.")
        room.change(ocr=False)
        room.add(folder)
        letter, scan = room.files()["letter.pdf"], room.files()["scan.pdf"]
        assert (scan.state, scan.failure_code) == (FileState.FAILED, "recognition-off")
        assert scan.failure == (
            "scan.pdf is a scan and text recognition is off; turn it on with "
            "`desktop-rag settings ocr on`."
        )
        assert letter.state is FileState.READY
        assert letter.coverage.skipped == (
            (2, "text recognition is off"),
            (3, "text recognition is off"),
        )
        assert letter.notes[0].startswith("Pages 2-3 are pictures of text and not searchable")
        assert not room.reader.recognitions
        assert room.jobs.workload().pages == 0

    def test_switching_on_reads_exactly_what_was_left_out(self, room: Room, folder: Path) -> None:
        (folder / "letter.pdf").write_text(_LETTER)
        (folder / "plain.txt").write_text("Dates.")
        _scan(folder / "scan.pdf", "Quinces.")
        room.change(ocr=False)
        room.add(folder)
        reads = room.reader.reads.copy()
        room.change(ocr=True)
        room.settle()
        assert room.found("quinces")
        assert room.found("pears")
        assert room.files()["letter.pdf"].notes == ()
        assert room.reader.reads[folder / "plain.txt"] == reads[folder / "plain.txt"]

    def test_switching_off_in_the_middle_keeps_what_there_is(
        self, database: Database, folder: Path
    ) -> None:
        _scan(folder / "scan.pdf", *[f"Page {n}." for n in range(1, 31)])
        room = Room(database, reader=FakeReader(page_s=0.1))
        room.library.add([folder])
        room.indexing.start()
        _until(lambda: room.reader.recognitions.total() > 2)
        room.change(ocr=False)
        assert room.indexing.wait_until_idle(TIMEOUT_S)
        coverage = room.files()["scan.pdf"].coverage
        assert 1 <= len(coverage.recognised) < 30
        assert len(coverage.recognised) + len(coverage.skipped) == 30
        assert room.found("page")
        room.indexing.close()

    def test_a_single_page_is_named_by_its_number(self, room: Room, folder: Path) -> None:
        (folder / "letter.pdf").write_text("Own words.\f[scan]Pears.")
        room.change(ocr=False)
        room.add(folder)
        (note,) = room.files()["letter.pdf"].notes
        assert note.startswith("Page 2 is a picture of text and not searchable")

    def test_switching_on_is_made_up_for_when_the_reader_is_away(
        self, room: Room, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("desktop_rag.services.indexing._PAUSE_S", 0.2)
        _scan(folder / "scan.pdf", "Quinces.")
        room.change(ocr=False)
        room.add(folder)
        recogniser, failures = room.reader.recogniser, [RoleUnavailable("It is off.")]

        def fail_once() -> str:
            if failures:
                raise failures.pop()
            return recogniser()

        monkeypatch.setattr(room.reader, "recogniser", fail_once)
        room.change(ocr=True)
        _until(lambda: room.found("quinces") == ["Quinces."])

    def test_a_missing_recogniser_is_told_apart(self, room: Room, folder: Path) -> None:
        room.reader.engine = ""
        _scan(folder / "scan.pdf", "Quinces.")
        room.add(folder)
        assert "not installed" in room.files()["scan.pdf"].failure
        room.reader.engine = "fake-ocr-1"
        room.settle()
        assert room.found("quinces")


def test_a_changed_recogniser_looks_again_and_the_old_text_stays_meanwhile(
    room: Room, folder: Path, database: Database
) -> None:
    _scan(folder / "scan.pdf", "Quinces.", "")
    (folder / "plain.txt").write_text("Dates.")
    room.add(folder)
    room.indexing.close()
    reader = FakeReader(page_s=0.2)
    reader.engine = "fake-ocr-2"
    again = Room(database, room.index, reader)
    again.indexing.start()
    _until(lambda: again.reader.recognitions.total() == 1)
    assert again.found("quinces")
    assert again.files()["scan.pdf"].state is FileState.READY
    assert again.indexing.wait_until_idle(TIMEOUT_S)
    again.indexing.close()
    assert again.reader.recognitions.total() == 2
    assert _progress(again) == [(1, 2), (2, 2)]
    assert list(again.reader.reads) == [folder / "scan.pdf"]
    sha256 = again.files()["scan.pdf"].sha256
    assert len(again.pages.of(sha256, "fake-ocr-2")) == 2


def test_recognition_waits_while_a_question_is_answered(room: Room, folder: Path) -> None:
    _scan(folder / "scan.pdf", "Quinces.")
    room.is_answering.set()
    room.library.add([folder])
    room.indexing.start()
    assert not room.indexing.wait_until_read(0.3)
    assert not room.reader.reads
    room.is_answering.clear()
    assert room.indexing.wait_until_idle(TIMEOUT_S)
    assert room.found("quinces")


def test_a_pause_stops_before_the_next_page_and_outlives_a_restart(
    database: Database, folder: Path
) -> None:
    _scan(folder / "scan.pdf", *["Words."] * 30)
    room = Room(database, reader=FakeReader(page_s=0.1))
    room.library.add([folder])
    room.indexing.start()
    _until(lambda: room.reader.recognitions.total() > 1)
    room.indexing.pause()
    with pytest.raises(Paused):
        room.indexing.wait_until_idle(TIMEOUT_S)
    count = room.reader.recognitions.total()
    room.indexing.close()
    again = Room(database, FakeIndex())
    again.indexing.start()
    with pytest.raises(Paused):
        again.indexing.wait_until_idle(TIMEOUT_S)
    assert not again.reader.recognitions
    again.indexing.resume()
    assert again.indexing.wait_until_idle(TIMEOUT_S)
    assert again.reader.recognitions.total() == 30 - count
    again.indexing.close()
