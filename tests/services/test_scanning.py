"""A sweep finds what changed on the disk, and believes nothing that it could not see."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

from desktop_rag.domain.documents import ReadDocument
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.library import FolderRules, Tier
from desktop_rag.services import scanning as scanning_module
from desktop_rag.services.library import Library
from desktop_rag.services.scanning import Scanning, SweepReport
from desktop_rag.settings import Settings
from desktop_rag.storage import folders
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import Database
from desktop_rag.storage.folders import device_of, sha256_of, stamp_of
from desktop_rag.storage.sources import NOT_SEEN_HERE, Sources
from tests.helpers.fakes import FakeReader

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")


class Desk:
    """Sources and a catalog without an indexer: what is queued is stored by hand."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.reader = FakeReader()
        self.catalog, self.sources = Catalog(database), Sources(database)
        self.settings = Settings()
        self.scanning = Scanning(
            self.catalog, self.sources, self.reader, settings=lambda: self.settings
        )
        self.library = Library(self.catalog, self.sources, self.scanning)

    def add(self, *paths: Path, rules: FolderRules | None = None) -> None:
        self.library.add(paths, rules or FolderRules())
        self.work()

    def sweep(self) -> SweepReport:
        report = self.scanning.sweep()
        self.work()
        return report

    def look_at(self, *paths: Path) -> SweepReport:
        report = self.scanning.look_at([str(path) for path in paths])
        self.work()
        return report

    def work(self) -> None:
        """Read what is queued, as the indexer does."""
        with self.database.read() as db:
            jobs = db.execute(
                "SELECT d.id, d.path FROM jobs j JOIN documents d ON d.id = j.document_id"
            ).fetchall()
        for document, path in jobs:
            read: ReadDocument = self.reader.read(Path(path))
            self.catalog.replace(
                document, read, stamp_of(Path(path)), sha256_of(Path(path)), {}, "fake"
            )

    def paths(self) -> list[str]:
        return [file.path for file in self.catalog.files()]

    def names(self) -> list[str]:
        return [Path(path).name for path in self.paths()]

    def left_out(self) -> dict[str, str]:
        return {Path(f.path).name: f.failure_code for f in self.library.skipped()}

    def writes(self) -> int:
        with self.database.write() as db:
            return db.total_changes


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    for name in ("a.txt", "b.txt", "sub/c.txt"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(f"The text of {name}.")
    return made


# ---------------------------------------------------------------------- looks at a part


def test_a_look_at_one_path_leaves_the_rest_alone(desk: Desk, folder: Path) -> None:
    desk.add(folder)
    (folder / "new.txt").write_text("New.")
    (folder / "other.txt").write_text("Not looked at.")
    (folder / "b.txt").unlink()
    assert desk.look_at(folder / "new.txt") == SweepReport(queued=1)
    assert desk.names() == ["a.txt", "b.txt", "new.txt", "c.txt"]
    assert desk.look_at(folder / "b.txt") == SweepReport(removed=1)
    assert desk.look_at(folder / "sub", folder.parent / "elsewhere") == SweepReport()


def test_a_new_folder_is_looked_at_with_all_that_is_in_it(desk: Desk, folder: Path) -> None:
    desk.add(folder)
    (folder / "x" / "y").mkdir(parents=True)
    (folder / "x" / "y" / "d.txt").write_text("D.")
    assert desk.look_at(folder / "x").queued == 1
    assert str(folder / "x" / "y") in desk.scanning.trees()[str(folder)]


def test_a_moved_folder_costs_no_reading(desk: Desk, folder: Path) -> None:
    desk.add(folder)
    ids = {Path(f.path).name: f.id for f in desk.catalog.files()}
    reads = desk.reader.reads.total()
    (folder / "sub").rename(folder / "moved")
    assert desk.look_at(folder / "sub", folder / "moved") == SweepReport(moved=1)
    assert str(folder / "moved" / "c.txt") in desk.paths()
    assert {Path(f.path).name: f.id for f in desk.catalog.files()} == ids
    assert desk.reader.reads.total() == reads


def test_a_move_between_two_sources_costs_no_reading(
    desk: Desk, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "z.txt").write_text("Z.")
    desk.add(folder, tmp_path / "second")
    reads = desk.reader.reads.total()
    (folder / "a.txt").rename(tmp_path / "second" / "a.txt")
    assert desk.sweep() == SweepReport(moved=1)
    (tmp_path / "second" / "a.txt").rename(folder / "a2.txt")
    assert desk.look_at(tmp_path / "second" / "a.txt", folder / "a2.txt") == SweepReport(moved=1)
    assert desk.reader.reads.total() == reads
    assert [source.files for source in desk.sources.all()] == [3, 1]


def test_a_file_moved_over_another_takes_its_place(desk: Desk, folder: Path) -> None:
    desk.add(folder)
    reads = desk.reader.reads.total()
    (folder / "a.txt").replace(folder / "b.txt")
    assert desk.look_at(folder / "a.txt", folder / "b.txt") == SweepReport(moved=1)
    (file,) = [f for f in desk.catalog.files() if f.path == str(folder / "b.txt")]
    assert desk.catalog.text(file.id) == "The text of a.txt."
    assert desk.names() == ["b.txt", "c.txt"]
    assert desk.reader.reads.total() == reads


def test_of_copies_the_one_of_the_same_name_moved(desk: Desk, folder: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (folder / "sub" / name).write_text("The same text.")
        os.utime(folder / "sub" / name, (1, 1))
    desk.add(folder)
    ids = {Path(f.path).name: f.id for f in desk.catalog.files()}
    (folder / "sub").rename(folder / "moved")
    assert desk.sweep().moved == 3
    assert {Path(f.path).name: f.id for f in desk.catalog.files()} == ids


def test_of_copies_that_vanish_the_one_of_the_same_name_moved(desk: Desk, folder: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (folder / "sub" / name).write_text("The same text.")
        os.utime(folder / "sub" / name, (1, 1))
    desk.add(folder)
    ids = {Path(f.path).name: f.id for f in desk.catalog.files()}
    (folder / "sub" / "one.txt").unlink()
    (folder / "sub" / "two.txt").rename(folder / "two.txt")
    assert desk.sweep() == SweepReport(moved=1, removed=1)
    (moved,) = [f for f in desk.catalog.files() if f.path == str(folder / "two.txt")]
    assert moved.id == ids["two.txt"]


def test_what_is_in_a_folder_that_cannot_be_listed_is_not_taken_for_deleted(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.add(folder)
    real = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("sub"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert desk.sweep() == SweepReport()
    assert desk.names() == ["a.txt", "b.txt", "c.txt"]


def test_a_file_that_is_being_written_is_not_queued_yet(desk: Desk, folder: Path) -> None:
    desk.add(folder)
    (folder / "new.txt").write_text("Half")
    report = desk.scanning.look_at([str(folder)], lambda file: file.path != f"{folder}/new.txt")
    assert report == SweepReport(restless=frozenset({str(folder / "new.txt")}))
    assert "new.txt" not in desk.names()


def test_many_hints_are_one_look_at_the_source(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning_module, "_MANY_HINTS", 3)
    desk.add(folder)
    new = [folder / f"{n}.txt" for n in range(5)]
    for path in new:
        path.write_text("New.")
    (folder / "b.txt").unlink()
    assert desk.look_at(*new) == SweepReport(queued=5, removed=1)


# ---------------------------------------------------------------------- rules


def test_a_changed_ignore_file_takes_files_out_and_gives_them_back(
    desk: Desk, folder: Path
) -> None:
    desk.add(folder)
    (folder / ".desktopragignore").write_text("/sub/\nb.txt\n")
    assert desk.look_at(folder).removed == 2
    assert desk.names() == ["a.txt"]
    assert desk.left_out() == {"sub": "rule", "b.txt": "rule"}
    (folder / ".desktopragignore").unlink()
    assert desk.look_at(folder).queued == 2
    assert desk.left_out() == {}


def test_rules_of_a_folder_are_stored_shown_and_changed(desk: Desk, folder: Path) -> None:
    desk.add(folder, rules=FolderRules(exclude=("sub/",)))
    assert desk.names() == ["a.txt", "b.txt"]
    assert desk.library.sources()[0].rules == FolderRules(exclude=("sub/",))
    desk.add(folder)
    assert desk.names() == ["a.txt", "b.txt"], "adding it again keeps its rules"
    changed = desk.library.change(folder, FolderRules(include=("sub/",)), Tier.PRIMARY)
    desk.work()
    assert (changed.rules, changed.tier) == (FolderRules(include=("sub/",)), Tier.PRIMARY)
    assert desk.names() == ["c.txt"]
    desk.library.change(folder, FolderRules())
    desk.work()
    assert desk.names() == ["a.txt", "b.txt", "c.txt"]
    assert desk.library.sources()[0].tier is Tier.PRIMARY


def test_patterns_that_mean_nothing_are_refused(desk: Desk, folder: Path) -> None:
    with pytest.raises(InvalidInput, match=r"“\[z-a\]” is no pattern"):
        desk.library.add([folder], FolderRules(include=("*.pdf", "[z-a]")))
    assert desk.library.sources() == ()
    desk.add(folder, folder / "a.txt")
    with pytest.raises(InvalidInput, match="no pattern"):
        desk.library.change(folder, FolderRules(exclude=("",)))
    with pytest.raises(NotFound, match="status"):
        desk.library.change(folder / "sub", FolderRules())


def test_kinds_that_were_chosen_to_be_left_out_leave_the_library(
    desk: Desk, tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a.txt", "b.md"):
        (folder / name).write_text(name)
    desk.add(folder)
    desk.settings = Settings(leave_out="md")
    desk.sweep()
    assert [Path(file.path).name for file in desk.catalog.files()] == ["a.txt"]
    desk.settings = Settings()
    desk.sweep()
    assert [Path(file.path).name for file in desk.catalog.files()] == ["a.txt", "b.md"]


def test_a_file_over_the_limit_leaves_and_comes_back(desk: Desk, folder: Path) -> None:
    desk.add(folder)
    desk.settings = Settings(max_file_mb=0)
    assert desk.sweep().removed == 3
    assert set(desk.left_out().values()) == {"too-large"}
    desk.settings = Settings()
    assert desk.sweep().queued == 3


# ---------------------------------------------------------------------- nothing in silence


def test_what_is_left_out_is_listed_until_it_is_gone(desk: Desk, folder: Path) -> None:
    (folder / "setup.exe").write_text("x")
    (folder / "sub" / "data.bin").write_text("x")
    desk.add(folder)
    assert desk.left_out() == {"setup.exe": "unsupported", "data.bin": "unsupported"}
    assert desk.library.count_skipped() == 2
    (folder / "setup.exe").unlink()
    desk.look_at(folder / "setup.exe")
    assert desk.left_out() == {"data.bin": "unsupported"}
    (folder / "sub").rename(folder / "sub2")
    desk.look_at(folder / "sub", folder / "sub2")
    assert [f.path for f in desk.library.skipped()] == [str(folder / "sub2" / "data.bin")]
    desk.library.remove([folder])
    assert desk.left_out() == {}


def test_a_file_its_folder_leaves_out_is_read_when_it_is_named(desk: Desk, folder: Path) -> None:
    (folder / "notes.md").write_text("Left out by a rule.")
    (folder / "code.xyz").write_text("No reader.")
    desk.add(folder, rules=FolderRules(exclude=("*.md",)))
    report = desk.library.add([folder / "notes.md", folder / "code.xyz"])
    assert report.added == (str(folder / "notes.md"), str(folder / "code.xyz"))
    assert report.already_there == ()
    assert report.files_queued == 2, "the reader looks at it, and says why when it cannot"
    assert desk.left_out() == {"notes.md": "rule", "code.xyz": "unsupported"} or not desk.left_out()
    desk.scanning.sweep()
    assert desk.left_out() == {}
    assert {"notes.md", "code.xyz"} <= set(desk.names())


def test_a_named_file_keeps_its_place_when_its_folder_is_added_later(
    desk: Desk, folder: Path
) -> None:
    desk.add(folder / "a.txt")
    (folder / "odd.xyz").write_text("No reader.")
    desk.library.add([folder / "odd.xyz"])
    desk.library.add([folder])
    assert sorted(Path(s.path).name for s in desk.library.sources()) == ["docs", "odd.xyz"]


# ---------------------------------------------------------------------- one file, one document


@needs_posix
def test_a_link_and_its_target_are_one_document(desk: Desk, folder: Path) -> None:
    (folder / "again.txt").symlink_to(folder / "a.txt")
    (folder / "folder").symlink_to(folder / "sub", target_is_directory=True)
    (folder / "sub" / "up").symlink_to(folder, target_is_directory=True)
    desk.add(folder)
    assert desk.names() == ["a.txt", "b.txt", "c.txt"]
    assert desk.left_out() == {"again.txt": "link", "folder": "link", "up": "link"}


@needs_posix
def test_a_hard_link_is_no_second_document(desk: Desk, folder: Path) -> None:
    desk.add(folder)
    os.link(folder / "b.txt", folder / "a-again.txt")
    desk.look_at(folder / "a-again.txt")
    desk.sweep()
    assert desk.names() == ["a.txt", "b.txt", "c.txt"], "the name known longest stays"
    assert desk.left_out() == {"a-again.txt": "same-file"}
    (folder / "b.txt").unlink()
    reads = desk.reader.reads.total()
    desk.sweep()
    assert desk.names() == ["a-again.txt", "a.txt", "c.txt"]
    assert desk.reader.reads.total() == reads


@pytest.mark.parametrize("form", ["Ä & 100% #1 [draft]", "文档", "Документы", "A\u0308rger"])
def test_odd_folder_names_are_one_source(desk: Desk, tmp_path: Path, form: str) -> None:
    made = tmp_path / form
    made.mkdir()
    (made / "a.txt").write_text("A.")
    desk.add(made)
    desk.add(made)
    assert desk.paths() == [str(made / "a.txt")]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take both forms for the same")
@pytest.mark.parametrize(("on_disk", "typed"), [("é", "e\u0301"), ("e\u0301", "é")])
def test_accents_typed_in_the_other_form_name_the_same_folder(
    desk: Desk, tmp_path: Path, on_disk: str, typed: str
) -> None:
    (tmp_path / on_disk).mkdir()
    (tmp_path / on_disk / "a.txt").write_text("A.")
    report = desk.library.add([tmp_path / typed, tmp_path / on_disk])
    assert report.added == (str(tmp_path / on_disk),)
    assert report.already_there == (str(tmp_path / on_disk),)


def test_two_files_of_one_name_are_two_documents(desk: Desk, folder: Path) -> None:
    (folder / "sub" / "a.txt").write_text("Another text.")
    desk.add(folder)
    assert desk.names().count("a.txt") == 2


# ---------------------------------------------------------------------- drives


def test_an_emptied_folder_is_empty_and_a_vanished_one_is_offline(desk: Desk, folder: Path) -> None:
    desk.add(folder)
    folder.rename(folder.with_name("away"))
    assert desk.sweep() == SweepReport(offline=(str(folder),))
    assert desk.look_at(folder / "a.txt") == SweepReport(offline=(str(folder),))
    assert len(desk.names()) == 3
    folder.with_name("away").rename(folder)
    assert desk.sweep() == SweepReport()
    for path in (folder / "a.txt", folder / "b.txt", folder / "sub" / "c.txt"):
        path.unlink()
    assert desk.sweep() == SweepReport(removed=3)


def test_a_drive_that_does_not_answer_is_offline_and_holds_up_nobody(
    desk: Desk, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "second").mkdir()
    desk.add(folder, tmp_path / "second")
    monkeypatch.setattr(scanning_module, "_STALL_S", 0.3)
    monkeypatch.setattr(scanning_module, "_QUICK_STALL_S", 0.3)
    is_back = threading.Event()
    real = device_of

    def slow(path: Path) -> int | None:
        if path.is_relative_to(folder):
            assert is_back.wait(20.0)
        return real(path)

    monkeypatch.setattr("desktop_rag.services.scanning.device_of", slow)
    (tmp_path / "second" / "new.txt").write_text("Found all the same.")
    began = time.monotonic()
    assert desk.sweep() == SweepReport(queued=1, offline=(str(folder),))
    assert desk.sweep().offline == (str(folder),), "and nobody asks it again"
    assert [source.is_online for source in desk.library.sources()] == [False, True]
    assert time.monotonic() - began < 3.0
    assert len(desk.names()) == 4
    is_back.set()
    deadline = time.monotonic() + 10.0
    while desk.sweep().offline:
        assert time.monotonic() < deadline
    assert len(desk.names()) == 4
    assert desk.library.sources()[0].is_online


def test_a_big_folder_on_a_slow_drive_is_not_taken_for_a_dead_one(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning_module, "_STALL_S", 1.0)
    real = os.scandir

    def scandir(path: str) -> object:
        time.sleep(0.4)
        return real(path)

    for name in ("d1", "d2", "d3"):
        (folder / name).mkdir()
    monkeypatch.setattr(os, "scandir", scandir)
    desk.add(folder)
    assert len(desk.names()) == 3


# ---------------------------------------------------------------------- cost


def test_a_sweep_of_ten_thousand_unchanged_files_writes_nothing(desk: Desk, tmp_path: Path) -> None:
    root = tmp_path / "many"
    for number in range(100):
        (root / str(number)).mkdir(parents=True)
        for inner in range(100):
            (root / str(number) / f"{inner}.txt").touch()
    desk.library.add([root])
    _pretend_all_is_read(desk)
    desk.scanning.sweep()
    before, began = desk.writes(), time.monotonic()
    assert desk.scanning.sweep() == SweepReport()
    took = time.monotonic() - began
    assert desk.writes() == before
    assert not desk.reader.reads
    assert took < 5.0  # far below a second on an idle machine


def _pretend_all_is_read(desk: Desk) -> None:
    versions = desk.reader.versions()
    with desk.database.write() as db:
        db.execute("DELETE FROM jobs")
        db.execute(
            "UPDATE documents SET state = 'ready', sha256 = 'x', reader = ?", (versions[".txt"],)
        )


def test_a_stray_file_at_the_mount_point_does_not_make_a_drive_an_emptied_folder(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.add(folder)
    known = desk.names()
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "README.txt").write_text("Mount the drive here.")
    here = device_of(folder)
    monkeypatch.setattr(scanning_module, "device_of", lambda _path: (here or 0) + 1)
    assert desk.sweep().removed == 0
    assert set(known) < set(desk.names())
    assert [source.is_online for source in desk.library.sources()] == [False]


def test_adding_an_empty_mount_point_again_takes_nothing_along(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.add(folder)
    known = desk.names()
    shutil.rmtree(folder)
    folder.mkdir()
    here = device_of(folder)
    monkeypatch.setattr(scanning_module, "device_of", lambda _path: (here or 0) + 1)
    desk.add(folder)
    assert desk.names() == known


def test_single_files_are_each_there_or_gone(desk: Desk, folder: Path) -> None:
    files = [folder / "a.txt", folder / "b.txt", folder / "sub" / "c.txt"]
    for file in files:
        desk.add(file)
    files[1].unlink()
    online = {one.path: one.is_online for one in desk.library.sources()}
    assert online == {str(file): file != files[1] for file in files}


@pytest.mark.skipif(sys.platform == "win32", reason="drives in folders are links there")
def test_a_drive_inside_a_folder_is_offline_when_it_is_unplugged(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = folder / "drive"
    (drive / "deep").mkdir(parents=True)
    (drive / "deep" / "far.txt").write_text("Far away.")
    here = folder.stat().st_dev
    drives = {str(drive): here + 1, str(drive / "deep"): here + 1}
    monkeypatch.setattr(folders, "_drive_of", lambda entry: drives.get(entry.path, here))
    desk.add(folder)
    known = desk.names()
    drives.clear()
    shutil.rmtree(drive / "deep")

    assert desk.look_at(drive / "deep").removed == 0
    assert desk.sweep().removed == 0
    assert desk.names() == known
    assert [(o.path, o.failure_code) for o in desk.sources.skipped.files()] == [
        (str(drive), "offline")
    ]

    drives[str(drive)] = here + 2  # it is back, and the file was deleted elsewhere
    assert desk.sweep().removed == 1
    assert set(known) - set(desk.names()) == {"far.txt"}
    assert list(desk.sources.skipped.files()) == []


def test_a_folder_that_was_never_a_drive_is_emptied_at_once(desk: Desk, folder: Path) -> None:
    (folder / "sub2").mkdir()
    (folder / "sub2" / "x.txt").write_text("Gone soon.")
    desk.add(folder)
    shutil.rmtree(folder / "sub2")
    assert desk.sweep().removed == 1


@pytest.mark.skipif(sys.platform == "win32", reason="a Windows library on another system")
def test_a_library_from_windows_finds_its_folder_here(desk: Desk, folder: Path) -> None:
    desk.add(folder)
    with desk.database.write() as db:
        db.execute("UPDATE sources SET path = 'C:\\Docs', device = ?", (NOT_SEEN_HERE,))
        db.execute(
            "UPDATE documents SET path = 'C:\\Docs' || replace(substr(path, ?), '/', '\\')",
            (len(str(folder)) + 1,),
        )
    known = {file.sha256: file.id for file in desk.catalog.files()}
    desk.library.relocate(Path("C:\\Docs"), folder)
    assert desk.names() == ["a.txt", "b.txt", "c.txt"]
    assert {file.sha256: file.id for file in desk.catalog.files()} == known
    assert desk.library.sources()[0].is_online
