"""From files on disk to a searchable index, with everything that can go wrong on the way."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.domain.chunking import Chunking
from desktop_rag.domain.errors import DiskFull, Paused, RoleUnavailable
from desktop_rag.domain.events import Event, IndexingPaused, IndexingProgress
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.domain.ports import Embedding
from desktop_rag.services.bus import Bus
from desktop_rag.services.indexing import Indexing
from desktop_rag.services.library import Library
from desktop_rag.services.politeness import Politeness
from desktop_rag.services.rechunking import Rechunking
from desktop_rag.services.recognising import Recognition
from desktop_rag.services.scanning import Scanning
from desktop_rag.settings import Settings
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.database import Database
from desktop_rag.storage.jobs import Jobs
from desktop_rag.storage.meta import Meta
from desktop_rag.storage.recognised import RecognisedPages
from desktop_rag.storage.sources import Sources
from desktop_rag.storage.written import WrittenTexts
from tests.helpers.fakes import FakeGenerator, FakeIndex, FakeReader

TIMEOUT_S = 20.0


class Room:
    """A library over real files and a real database, with fake engines."""

    def __init__(
        self,
        database: Database,
        index: FakeIndex | None = None,
        reader: FakeReader | None = None,
        generator: FakeGenerator | None = None,
        chunking: Chunking = Chunking.STRUCTURE,
    ) -> None:
        self.generator = generator or FakeGenerator()
        self.reader = reader or FakeReader()
        self.index, self.bus = index or FakeIndex(), Bus()
        self.catalog, self.changes = Catalog(database), ChangeLog(database)
        self.jobs = Jobs(database)
        self.events: list[Event] = []
        self.bus.subscribe(self.events.append)
        self.is_answering = threading.Event()
        self.hurry = 1.0
        self.settings = Settings()
        self.pages = RecognisedPages(database)
        self.written = WrittenTexts(database)
        self.politeness = Politeness(Meta(database), self.is_answering.is_set, self.has_battery)
        self.is_on_battery = False
        scanning = Scanning(self.catalog, Sources(database), self.reader)
        self.library = Library(self.catalog, Sources(database), scanning)
        self.jobs.recover()
        self.indexing = Indexing(
            self.catalog,
            self.jobs,
            self.changes,
            scanning,
            self.reader,
            self.index,
            self.bus,
            Recognition(self.pages, self.reader, lambda: self.settings.ocr),
            self.politeness,
            Rechunking(chunking, self.index, self.generator),
            self.written,
            clock=lambda: time.time() * self.hurry,
        )

    def has_battery(self) -> bool:
        return self.is_on_battery

    def change(self, **choices: object) -> None:
        self.settings = replace(self.settings, **choices)  # type: ignore[arg-type]
        self.politeness.apply(self.settings)
        self.indexing.adopt_recogniser()

    def add(self, *paths: Path) -> None:
        self.library.add(paths)
        self.settle()

    def settle(self) -> None:
        self.indexing.start()
        assert self.indexing.wait_until_idle(TIMEOUT_S)

    def files(self) -> dict[str, LibraryFile]:
        return {Path(file.path).name: file for file in self.catalog.files()}

    def found(self, question: str) -> list[str]:
        ranking = self.index.search(question, 50)
        hits = [c.chunk for c in ranking.candidates if c.keyword_rank]
        return [chunk.text for chunk in self.catalog.resolve(hits).values()]


@pytest.fixture
def room(database: Database) -> Iterator[Room]:
    made = Room(database)
    yield made
    made.indexing.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "a.txt").write_text("Apples are red.\n\nPears are green.")
    (made / "b.txt").write_text("Plums are blue.")
    return made


def test_a_folder_becomes_searchable(room: Room, folder: Path) -> None:
    room.add(folder)
    assert {name: f.state for name, f in room.files().items()} == {
        "a.txt": FileState.READY,
        "b.txt": FileState.READY,
    }
    assert room.found("plums") == ["Plums are blue."]
    state = room.index.state()
    assert (state.vectors, state.keywords, state.applied_seq) == (3, 3, room.changes.last_seq())
    assert room.jobs.pending() == 0


def test_a_second_start_with_nothing_changed_does_nothing(
    room: Room, folder: Path, database: Database
) -> None:
    room.add(folder)
    room.indexing.close()
    again = Room(database, room.index)
    before = (room.index.embedded, room.index.batches)
    again.settle()
    again.indexing.close()
    assert (room.index.embedded, room.index.batches) == before
    assert not again.reader.reads


def test_an_edit_answers_with_the_new_text_only(room: Room, folder: Path) -> None:
    room.add(folder)
    embedded = room.index.embedded
    (folder / "a.txt").write_text("Apples are golden now.\n\nPears are green.")
    room.settle()
    assert room.found("apples") == ["Apples are golden now."]
    assert room.index.embedded == embedded + 1, "unchanged paragraphs keep their vectors"


def test_a_touched_file_is_not_read_again(room: Room, folder: Path) -> None:
    room.add(folder)
    reads = room.reader.reads.total()
    os.utime(folder / "a.txt", (1, 1))
    room.settle()
    assert room.reader.reads.total() == reads
    assert room.files()["a.txt"].state is FileState.READY


def test_an_edit_that_keeps_size_and_time_is_noticed(room: Room, folder: Path) -> None:
    room.add(folder)
    path = folder / "b.txt"
    before = path.stat()
    path.write_text("Plums are grey.")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    room.settle()
    assert room.found("plums") == ["Plums are grey."]


def test_a_rename_costs_no_work(room: Room, folder: Path) -> None:
    room.add(folder)
    before = (room.index.embedded, room.reader.reads.total(), room.files()["a.txt"].id)
    (folder / "a.txt").rename(folder / "renamed.txt")
    room.settle()
    after = (room.index.embedded, room.reader.reads.total(), room.files()["renamed.txt"].id)
    assert after == before
    assert "a.txt" not in room.files()


def test_a_copy_is_a_second_document_without_embedding(room: Room, folder: Path) -> None:
    room.add(folder)
    embedded = room.index.embedded
    (folder / "sub").mkdir()
    shutil.copy(folder / "a.txt", folder / "sub" / "a.txt")
    room.settle()
    assert room.index.embedded == embedded
    assert room.found("apples") == ["Apples are red."] * 2


def test_a_deleted_file_is_gone_from_catalog_and_index(room: Room, folder: Path) -> None:
    room.add(folder)
    (folder / "a.txt").unlink()
    room.settle()
    assert list(room.files()) == ["b.txt"]
    assert room.index.state().vectors == 1
    assert not room.found("apples")


def test_a_vanished_folder_is_offline_and_stays_searchable(room: Room, folder: Path) -> None:
    room.add(folder)
    embedded = room.index.embedded
    folder.rename(folder.with_name("unplugged"))
    room.settle()
    assert room.found("plums") == ["Plums are blue."]
    assert not room.library.sources()[0].is_online
    folder.with_name("unplugged").rename(folder)
    room.settle()
    assert room.library.sources()[0].is_online
    assert room.index.embedded == embedded


def test_an_empty_mount_point_is_an_unplugged_drive(
    room: Room, folder: Path, database: Database
) -> None:
    room.add(folder)
    source = Sources(database).all()[0]
    Sources(database).set_device(source.id, source.device + 1)
    for file in folder.iterdir():
        file.unlink()
    room.settle()
    assert room.found("plums") == ["Plums are blue."]
    assert not room.library.sources()[0].is_online


def test_bad_files_are_listed_with_their_reasons_and_stop_nobody(room: Room, folder: Path) -> None:
    (folder / "locked.txt").write_text("ENCRYPTED")
    (folder / "broken.txt").write_text("DAMAGED")
    (folder / "empty.txt").write_text("")
    room.add(folder)
    files = room.files()
    assert [files[n].failure_code for n in ("locked.txt", "broken.txt", "empty.txt")] == [
        "encrypted",
        "damaged",
        "no-text",
    ]
    assert all(files[n].failure.endswith(".") for n in ("locked.txt", "broken.txt", "empty.txt"))
    assert room.found("plums")
    progress = [e for e in room.events if isinstance(e, IndexingProgress)]
    assert (progress[-1].done, progress[-1].failed, progress[-1].path) == (2, 3, "")


def test_a_failed_file_is_read_again_when_it_changes(room: Room, folder: Path) -> None:
    (folder / "locked.txt").write_text("ENCRYPTED")
    room.add(folder)
    room.settle()
    assert room.reader.reads[folder / "locked.txt"] == 1
    (folder / "locked.txt").write_text("Open now: quinces.")
    room.settle()
    assert room.found("quinces") == ["Open now: quinces."]
    assert room.files()["locked.txt"].failure == ""


@pytest.mark.parametrize(
    ("mark", "code"), [("CRASH", "reader-crashed"), ("HANG", "reader-timed-out")]
)
def test_a_file_that_breaks_its_reader_is_left_out_after_two_tries(
    room: Room, folder: Path, mark: str, code: str
) -> None:
    (folder / "evil.txt").write_text(mark)
    room.hurry = 100.0
    room.add(folder)
    assert room.reader.reads[folder / "evil.txt"] == 2
    assert room.files()["evil.txt"].failure_code == code
    assert room.found("plums")


def test_a_lost_index_is_filled_from_the_catalog_without_embedding(
    room: Room, folder: Path, database: Database
) -> None:
    room.add(folder)
    room.indexing.close()
    fresh = FakeIndex()
    again = Room(database, fresh)
    again.settle()
    again.indexing.close()
    assert fresh.embedded == 0
    assert fresh.state().vectors == 3
    assert not again.reader.reads


def test_an_index_that_lies_about_its_count_is_rebuilt(
    room: Room, folder: Path, database: Database
) -> None:
    room.add(folder)
    room.indexing.close()
    room.index._chunks.popitem()
    again = Room(database, room.index)
    again.settle()
    again.indexing.close()
    assert room.index.state().vectors == 3


def test_indexing_waits_while_a_question_is_answered(room: Room, folder: Path) -> None:
    room.is_answering.set()
    room.library.add([folder])
    room.indexing.start()
    assert not room.indexing.wait_until_idle(0.4)
    assert room.index.embedded == 0
    room.is_answering.clear()
    assert room.indexing.wait_until_idle(TIMEOUT_S)
    assert room.index.embedded == 3


@pytest.mark.parametrize(
    "error", [DiskFull("The disk is full. Free some space."), RoleUnavailable("It is off.")]
)
def test_what_is_no_files_fault_pauses_and_loses_nothing(
    room: Room, folder: Path, error: DiskFull, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.services.indexing._PAUSE_S", 0.2)
    room.index.failure = error
    room.library.add([folder])
    room.indexing.start()
    with pytest.raises(type(error)):
        room.indexing.wait_until_idle(TIMEOUT_S)
    assert IndexingPaused(error.message, error.code) in room.events
    assert room.jobs.pending() == 2
    room.index.failure = None
    _until(lambda: room.jobs.pending() == 0)
    assert all(file.state is FileState.READY for file in room.files().values())


def test_a_full_disk_pauses_and_goes_on_by_itself_when_there_is_room(
    room: Room, folder: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.services.indexing._PAUSE_S", 0.2)
    for number in range(30):
        words = " ".join(f"word{number}x{n}" for n in range(2000))
        (folder / f"{number}.txt").write_text(words)
    room.library.add([folder])
    # SQLite's own bound: what it reports is what it reports when the disk is full.
    pages = database._writer.execute("PRAGMA page_count").fetchone()[0]
    database._writer.execute(f"PRAGMA max_page_count = {pages + 20}")
    room.indexing.start()
    with pytest.raises(DiskFull):
        room.indexing.wait_until_idle(TIMEOUT_S)
    assert any(isinstance(e, IndexingPaused) and e.code == "disk-full" for e in room.events)
    stored = room.catalog.counts().ready_documents
    assert stored < 32
    time.sleep(0.5)  # some tries in vain
    database._writer.execute(f"PRAGMA max_page_count = {1 << 30}")
    _until(lambda: room.jobs.pending() == 0)
    assert room.indexing.wait_until_idle(TIMEOUT_S)
    assert room.catalog.counts().ready_documents == 32
    assert room.index.state().vectors == 33
    assert all(file.state is FileState.READY for file in room.files().values())


def test_a_sweep_that_failed_is_made_up_for(
    room: Room, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.services.indexing._PAUSE_S", 0.2)
    room.add(folder)
    (folder / "b.txt").write_text("Plums are ripe now.")
    versions, failures = room.reader.versions, [RoleUnavailable("It is off.")]

    def fail_once() -> dict[str, str]:
        if failures:
            raise failures.pop()
        return versions()

    monkeypatch.setattr(room.reader, "versions", fail_once)
    room.indexing.start()
    _until(lambda: room.found("ripe") == ["Plums are ripe now."])


def test_a_person_pauses_and_resumes(room: Room, folder: Path) -> None:
    room.indexing.pause()
    room.library.add([folder])
    room.indexing.start()
    with pytest.raises(Paused, match="resume"):
        room.indexing.wait_until_idle(TIMEOUT_S)
    assert room.indexing.is_paused
    assert not room.reader.reads
    told = [e.code for e in room.events if isinstance(e, IndexingPaused)]
    assert told == ["paused"]
    for _ in range(3):
        room.indexing.start()
        with pytest.raises(Paused):
            room.indexing.wait_until_idle(TIMEOUT_S)
    told = [e.code for e in room.events if isinstance(e, IndexingPaused)]
    assert told == ["paused"], "a pause is told once, not with every sweep"
    room.indexing.resume()
    assert room.indexing.wait_until_idle(TIMEOUT_S)
    assert room.found("plums")


def test_a_removed_file_leaves_the_index_during_a_pause(room: Room, folder: Path) -> None:
    room.add(folder)
    room.indexing.pause()
    (folder / "a.txt").unlink()
    room.indexing.start()
    _until(lambda: room.index.state().vectors == 1)
    assert room.indexing.wait_until_idle(TIMEOUT_S), "nothing waits, so nothing is held up"


def test_on_battery_indexing_waits_if_that_was_chosen(
    room: Room, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.services.politeness.BATTERY_EVERY_S", 0.0)
    monkeypatch.setattr("desktop_rag.services.indexing.BATTERY_EVERY_S", 0.1)
    room.is_on_battery = True
    room.add(folder)
    assert room.found("plums"), "by default it goes on"
    room.change(pause_on_battery=True)
    (folder / "c.txt").write_text("Cherries.")
    room.indexing.start()
    with pytest.raises(Paused, match="plugged in"):
        room.indexing.wait_until_idle(TIMEOUT_S)
    room.is_on_battery = False
    _until(lambda: bool(room.found("cherries")))
    assert room.indexing.wait_until_idle(TIMEOUT_S)


def test_a_low_share_of_the_processor_rests_as_long_as_it_works(
    room: Room, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []
    monkeypatch.setattr(room.indexing._milestones, "sleep", rests.append)
    room.add(folder)
    assert rests == []
    room.change(cpu="low")
    (folder / "c.txt").write_text("Cherries.")
    room.settle()
    assert len(rests) >= 2, "after reading and after embedding"
    assert room.politeness.rest_s(0.5) == 0.5
    assert room.politeness.rest_s(3600.0) == 5.0, "a slow page does not stop indexing for an hour"


def test_small_files_are_embedded_together(room: Room, folder: Path) -> None:
    calls: list[int] = []
    embed = room.index.embed

    def counted(texts: Sequence[str]) -> list[Embedding]:
        calls.append(len(texts))
        time.sleep(0.02)
        return embed(texts)

    room.index.embed = counted  # type: ignore[method-assign]
    for number in range(60):
        (folder / f"{number}.txt").write_text(f"Number {number} of many.")
    room.add(folder)
    assert sum(calls) == 63
    assert len(calls) < 40
    assert room.index.state().vectors == 63


def test_a_file_saved_meanwhile_does_not_wait_for_a_long_document(
    database: Database, folder: Path
) -> None:
    room = Room(database, FakeIndex(delay_s=0.05))
    paragraphs = "\n\n".join(f"Paragraph number {n} of a book." for n in range(3000))
    os.utime(_written(folder / "book.txt", paragraphs), (1, 1))
    room.library.add([folder])
    room.indexing.start()
    _until(lambda: room.index.embedded > 200)
    room.library.add([_written(folder.with_name("new.txt"), "Medlars are brown.")])
    room.indexing.wake()
    _until(lambda: room.found("medlars") == ["Medlars are brown."])
    assert room.files()["book.txt"].state is not FileState.READY
    assert room.indexing.wait_until_idle(TIMEOUT_S)
    assert room.index.state().vectors == 3004
    room.indexing.close()


def test_a_paragraph_that_moves_between_two_files_keeps_its_vector(
    room: Room, folder: Path
) -> None:
    room.add(folder)
    (folder / "a.txt").write_text("Pears are green.")
    (folder / "b.txt").write_text("Plums are blue.\n\nApples are red.")
    room.settle()
    assert room.found("apples") == ["Apples are red."]
    assert room.index.state().vectors == 3


def test_closing_in_the_middle_keeps_what_is_done_and_goes_on_next_time(
    database: Database, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("indexing", "storing"):
        monkeypatch.setattr(f"desktop_rag.services.{module}.EMBED_BATCH", 4)
    for number in range(40):
        (folder / f"{number}.txt").write_text(f"Number {number} of many.")
    first = Room(database)
    embed, may_go_on = first.index.embed, threading.Event()

    def held_in_the_middle(texts: Sequence[str]) -> list[Embedding]:
        if first.index.embedded >= 12:
            may_go_on.wait(TIMEOUT_S)
        return embed(texts)

    first.index.embed = held_in_the_middle  # type: ignore[method-assign]
    first.library.add([folder])
    first.indexing.start()
    _until(lambda: first.catalog.counts().ready_documents > 5)
    first.indexing.ask_to_stop()
    may_go_on.set()
    first.indexing.close()
    done = first.catalog.counts().ready_documents
    assert 5 < done < 42
    second = Room(database, first.index)
    second.settle()
    second.indexing.close()
    assert second.catalog.counts().ready_documents == 42
    assert second.reader.reads.total() <= 42 - done
    assert second.index.state().vectors == 43


def test_a_document_removed_while_it_is_embedded_leaves_nothing(
    database: Database, folder: Path
) -> None:
    room = Room(database, FakeIndex(delay_s=0.3))
    room.library.add([folder])
    room.indexing.start()
    _until(lambda: any(f.state is FileState.READING for f in room.files().values()))
    room.library.remove([folder])
    room.settle()
    room.indexing.close()
    assert (room.files(), room.index.state().vectors) == ({}, 0)


def test_removing_a_file_of_a_folder_keeps_it_out_until_it_is_added(
    room: Room, folder: Path
) -> None:
    room.add(folder)
    room.library.remove([folder / "a.txt"])
    room.settle()
    assert list(room.files()) == ["b.txt"]
    room.add(folder / "a.txt")
    assert sorted(room.files()) == ["a.txt", "b.txt"]
    assert len(room.library.sources()) == 1


def test_adding_a_folder_again_brings_back_what_was_removed_from_it(
    room: Room, folder: Path
) -> None:
    room.add(folder)
    room.library.remove([folder / "a.txt"])
    room.library.remove([folder])
    room.add(folder)
    assert sorted(room.files()) == ["a.txt", "b.txt"]


def test_a_file_of_a_removed_folder_can_be_added_alone(room: Room, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "c.txt").write_text("Cherries.")
    (folder / "sub" / "d.txt").write_text("Dates.")
    room.add(folder)
    room.library.remove([folder / "sub"])
    room.add(folder / "sub" / "c.txt")
    room.settle()
    assert sorted(room.files()) == ["a.txt", "b.txt", "c.txt"]
    assert room.found("cherries") == ["Cherries."]


def test_a_parent_folder_takes_over_the_sources_inside_it(room: Room, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "c.txt").write_text("Cherries.")
    room.add(folder / "sub")
    room.add(folder / "b.txt")
    embedded = room.index.embedded
    ids = {name: file.id for name, file in room.files().items()}
    room.add(folder)
    after = {name: file.id for name, file in room.files().items()}
    assert after.items() >= ids.items(), "with the documents their tags stay"
    assert [source.path for source in room.library.sources()] == [str(folder)]
    assert sorted(room.files()) == ["a.txt", "b.txt", "c.txt"]
    assert room.index.embedded == embedded + 2


def test_adding_names_what_cannot_be_used(room: Room, folder: Path, tmp_path: Path) -> None:
    report = room.library.add([tmp_path / "nowhere", folder])
    assert report.added == (str(folder),)
    assert report.files_queued == 2
    ((path, reason),) = report.skipped
    assert path == str(tmp_path / "nowhere")
    assert "does not exist" in reason


def test_words_of_a_model_find_a_passage_and_are_not_shown(
    database: Database, folder: Path
) -> None:
    generator = FakeGenerator("Fruit of the orchard.\n")
    room = Room(database, generator=generator, chunking=Chunking.CONTEXT)
    room.add(folder)
    assert set(room.found("orchard")) == {
        "Apples are red.",
        "Pears are green.",
        "Plums are blue.",
    }
    assert any(isinstance(e, IndexingProgress) and e.steps == 2 for e in room.events)
    room.indexing.close()


def test_a_pause_stops_the_writing_and_what_was_written_is_kept(
    database: Database, folder: Path
) -> None:
    generator = FakeGenerator("Fruit of the orchard.", delay_s=0.2)
    room = Room(database, generator=generator, chunking=Chunking.CONTEXT)
    room.library.add([folder])
    room.indexing.start()
    _until(lambda: room.written.unfinished() > 0)
    room.indexing.pause()
    time.sleep(1.0)
    asked = len(generator.prompts)
    time.sleep(1.0)
    assert len(generator.prompts) == asked
    room.indexing.close()
    assert room.written.unfinished() > 0


def _until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not is_true():
        assert time.monotonic() < deadline, "it never became true"
        time.sleep(0.01)


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path
