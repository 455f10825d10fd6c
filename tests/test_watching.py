"""The whole program hears of changes on the disk: fake engines, the real system's events."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.events import Event, WatchingChanged
from desktop_rag.services import watching as watching_module
from desktop_rag.services.bus import Bus
from desktop_rag.services.scanning import Scanning
from desktop_rag.services.watching import OpenWatch, Watching
from desktop_rag.settings import Settings
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import Database
from desktop_rag.storage.sources import Sources
from desktop_rag.storage.watching import FolderWatch, watched_places
from tests.helpers.fakes import FakeGenerator, FakeIndex, FakeReader, fake_engines

TIMEOUT_S = 20.0


class Library:
    """An open, watching App over a folder, and its fake engines."""

    def __init__(self, data_dir: Path, folder: Path) -> None:
        self.index, self.reader = FakeIndex(), FakeReader()
        self.app = App.open(data_dir, fake_engines(self.reader, self.index, FakeGenerator()))
        self.folder = folder
        self.app.add([folder])
        self.app.start_indexing()
        assert self.app.wait_until_indexed(TIMEOUT_S)
        self.app.start_watching()
        until(lambda: self.app._watching._watch is not None)
        time.sleep(0.3)  # the sweep that follows

    def names(self) -> list[str]:
        return sorted(Path(f.path).relative_to(self.folder).as_posix() for f in self.app.files())

    def finds(self, word: str) -> list[str]:
        texts = [passage.text for passage in self.app.search(word).passages]
        return [text for text in texts if word in text.lower()]

    def work_done(self) -> tuple[int, int]:
        return self.index.embedded, self.reader.reads.total()


def until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not is_true():
        assert time.monotonic() < deadline, "it never became true"
        time.sleep(0.02)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    (made / "sub").mkdir(parents=True)
    (made / "a.txt").write_text("Apples are red.")
    (made / "sub" / "c.txt").write_text("Cherries are dark.")
    for path in (made / "a.txt", made / "sub" / "c.txt"):
        os.utime(path, (1, 1))
    return made


@pytest.fixture
def library(tmp_path: Path, folder: Path) -> Iterator[Library]:
    made = Library(tmp_path / "data", folder)
    yield made
    made.app.close()


def test_a_new_file_and_its_edits_are_searchable_and_a_deleted_one_is_gone(
    library: Library, folder: Path
) -> None:
    (folder / "new.txt").write_text("Quinces are yellow.")
    until(lambda: library.finds("quinces") == ["Quinces are yellow."])
    (folder / "new.txt").write_text("Quinces are golden.")  # the same size
    until(lambda: library.finds("quinces") == ["Quinces are golden."])
    partial = folder / "new.txt.saved"
    partial.write_text("Quinces were eaten.")
    partial.replace(folder / "new.txt")
    until(lambda: library.finds("quinces") == ["Quinces were eaten."])
    (folder / "new.txt").unlink()
    until(lambda: library.names() == ["a.txt", "sub/c.txt"])
    until(lambda: library.index.state().vectors == 2)


def test_an_edit_that_keeps_size_and_time_is_noticed(library: Library, folder: Path) -> None:
    (folder / "a.txt").write_text("Apples are raw.")
    os.utime(folder / "a.txt", (1, 1))
    until(lambda: library.finds("apples") == ["Apples are raw."])


def test_moves_cost_no_reading_and_no_embedding(library: Library, folder: Path) -> None:
    before = library.work_done()
    (folder / "a.txt").rename(folder / "renamed.txt")
    until(lambda: library.names() == ["renamed.txt", "sub/c.txt"])
    (folder / "sub").rename(folder / "moved")
    until(lambda: library.names() == ["moved/c.txt", "renamed.txt"])
    (folder / "moved" / "c.txt").rename(folder / "c.txt")
    until(lambda: library.names() == ["c.txt", "renamed.txt"])
    assert library.work_done() == before


def test_a_move_to_another_source_costs_no_embedding(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    library.app.add([other])
    until(lambda: str(other) in library.app._watching._watch.places)  # type: ignore[union-attr]
    embedded, reads = library.work_done()
    (folder / "sub").rename(other / "sub")
    # Both places are listed for a moment on a busy computer: new ones are heard of one by one.
    until(
        lambda: (
            sorted(f.path for f in library.app.files())
            == sorted(map(str, (folder / "a.txt", other / "sub" / "c.txt")))
        )
    )
    # If the new place is heard of first, the file is read once to see that it is the same.
    assert library.work_done() in [(embedded, reads), (embedded, reads + 1)]


def test_a_folder_that_is_deleted_and_made_again_is_heard(library: Library, folder: Path) -> None:
    shutil.rmtree(folder / "sub")
    (folder / "sub" / "deep").mkdir(parents=True)
    until(lambda: library.names() == ["a.txt"])
    (folder / "sub" / "deep" / "d.txt").write_text("Dates.")
    until(lambda: library.names() == ["a.txt", "sub/deep/d.txt"])
    time.sleep(1.5)
    (folder / "sub" / "deep" / "e.txt").write_text("Elderberries.")
    until(lambda: "sub/deep/e.txt" in library.names())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all names are text")
@pytest.mark.parametrize("is_folder", [False, True])
def test_a_name_that_is_no_text_stops_nothing(
    library: Library, folder: Path, *, is_folder: bool
) -> None:
    bad = os.fsencode(folder) + b"/bad\xff.txt"
    if is_folder:
        os.mkdir(bad)  # noqa: PTH102 - such a name is no Path's business
    else:
        os.close(os.open(bad, os.O_CREAT))
    (folder / "a.txt").unlink()
    (folder / "new.txt").write_text("Quinces are yellow.")
    until(lambda: library.names() == ["new.txt", "sub/c.txt"])
    until(lambda: library.finds("quinces") == ["Quinces are yellow."])
    until(lambda: [f.failure_code for f in library.app.skipped_files()] == ["bad-name"])
    (folder / "sub" / "d.txt").write_text("Dates are brown.")
    until(lambda: library.finds("dates") == ["Dates are brown."])


def test_a_copied_tree_is_found_whole(library: Library, folder: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for number in range(20):
        (tree / str(number) / "x").mkdir(parents=True)
        (tree / str(number) / "x" / "f.txt").write_text(f"File {number}.")
    shutil.copytree(tree, folder / "tree")
    until(lambda: len(library.names()) == 22)


def test_a_growing_file_is_read_once_it_rests(library: Library, folder: Path) -> None:
    growing = folder / "growing.txt"
    with growing.open("w") as file:
        for number in range(30):
            file.write(f"Line {number} of the growing file.\n")
            file.flush()
            time.sleep(0.1)
        assert library.reader.reads[growing] == 0
        file.write("\nThe end is zucchini.")
    until(lambda: library.finds("zucchini") == ["The end is zucchini."])
    assert library.reader.reads[growing] == 1


def test_changed_rules_take_effect_at_once(library: Library, folder: Path) -> None:
    (folder / ".desktopragignore").write_text("sub/\n")
    until(lambda: library.names() == ["a.txt"])
    assert not library.finds("cherries")
    (folder / ".desktopragignore").unlink()
    until(lambda: library.names() == ["a.txt", "sub/c.txt"])


def test_a_drive_that_comes_back_is_heard_again(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching_module, "_RETURN_S", 0.3)
    before = library.work_done()
    folder.rename(folder.with_name("unplugged"))
    until(lambda: not library.app.status().sources[0].is_online)
    time.sleep(1.0)
    assert library.finds("apples")
    folder.with_name("unplugged").rename(folder)
    until(lambda: library.app.status().sources[0].is_online)
    until(lambda: str(folder) in library.app._watching._scanning.trees())
    assert library.work_done() == before
    (folder / "new.txt").write_text("Quinces are yellow.")
    until(lambda: bool(library.finds("quinces")))


def test_a_single_file_is_watched_too(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("Apples.")
    library = Library(tmp_path / "data", path)
    try:
        path.write_text("Apples and pears now.")
        until(lambda: library.finds("pears") == ["Apples and pears now."])
    finally:
        library.app.close()


# ---------------------------------------------------------------------- limits


class Corner:
    """Watching alone, with a watch that may refuse."""

    def __init__(
        self,
        database: Database,
        open_watch: OpenWatch,
        *sources: Path,
        settings: Settings = Settings(),  # noqa: B008 - frozen
        is_remote: bool = False,
    ) -> None:
        self.sources, self.bus = Sources(database), Bus()
        self.catalog = Catalog(database)
        self.scanning = Scanning(self.catalog, self.sources, FakeReader())
        self.events: list[Event] = []
        self.bus.subscribe(self.events.append)
        self.wakes = threading.Semaphore(0)
        for path in sources:
            self.sources.add(str(path), is_folder=True, device=path.stat().st_dev)
        self.scanning.sweep()
        self.watching = Watching(
            self.scanning,
            self.bus,
            self.wakes.release,
            lambda _timeout_s: True,
            lambda: settings,
            open_watch,
            lambda _path: is_remote,
        )

    def limits(self) -> list[str]:
        return [event.limit for event in self.events if isinstance(event, WatchingChanged)]

    def names(self) -> list[str]:
        return [Path(file.path).name for file in self.catalog.files()]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "data" / "library.sqlite3")
    yield opened
    opened.close()


def test_at_the_systems_limit_it_sweeps_and_says_so_once(database: Database, folder: Path) -> None:
    def refuse(trees: Mapping[str, Collection[str]]) -> FolderWatch:
        if trees:
            raise OSError('OS file watch limit reached. about ["/docs"]')
        return FolderWatch(trees)

    corner = Corner(database, refuse, folder, settings=Settings(sweep_minutes=0))
    corner.watching.start()
    (folder / "new.txt").write_text("Quinces.")
    until(lambda: "new.txt" in corner.names())
    time.sleep(1.5)
    corner.watching.close()
    (limit,) = corner.limits()
    assert str(folder) in limit
    assert "fs.inotify.max_user_watches" in limit
    assert corner.watching.limit == limit


def test_the_limit_leaves_small_folders_watched(
    database: Database, folder: Path, tmp_path: Path
) -> None:
    small = tmp_path / "small"
    small.mkdir()

    def allow_one(trees: Mapping[str, Collection[str]]) -> FolderWatch:
        if sum(map(len, trees.values())) > 1:
            raise OSError("OS file watch limit reached.")
        return FolderWatch(trees)

    corner = Corner(database, allow_one, folder, small)
    corner.watching.start()
    until(lambda: bool(corner.limits()))
    assert str(small) not in corner.watching.limit
    (small / "new.txt").write_text("Quinces.")
    until(lambda: "new.txt" in corner.names())
    corner.watching.close()


def test_a_network_drive_is_said_to_be_swept(database: Database, folder: Path) -> None:
    corner = Corner(database, FolderWatch, folder, is_remote=True)
    corner.watching.start()
    until(lambda: bool(corner.limits()))
    corner.watching.close()
    assert corner.limits() == [
        f"Changes in {folder} that other computers make are noticed every 10 minutes only: "
        "network drives do not tell them."
    ]


def test_switched_off_it_still_sweeps(database: Database, folder: Path) -> None:
    watched: list[object] = []

    def note(trees: Mapping[str, Collection[str]]) -> FolderWatch:
        watched.extend(trees)
        return FolderWatch(trees)

    corner = Corner(database, note, folder, settings=Settings(watch=False, sweep_minutes=0))
    corner.watching.start()
    (folder / "new.txt").write_text("Quinces.")
    until(lambda: "new.txt" in corner.names())
    corner.watching.close()
    assert watched == []


def test_it_sweeps_even_if_hearing_fails_every_time(
    database: Database,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Deaf(FolderWatch):
        def hints(self, timeout_s: float, stop: threading.Event) -> set[str]:
            raise AssertionError("this system tells nothing")

    monkeypatch.setattr(watching_module, "_RETURN_S", 0.05)
    corner = Corner(database, Deaf, folder, settings=Settings(sweep_minutes=0))
    corner.watching.start()
    (folder / "new.txt").write_text("Quinces.")
    until(lambda: "new.txt" in corner.names())
    corner.watching.close()
    caplog.clear()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="they watch whole trees")
def test_what_links_lead_to_and_what_rules_leave_out_is_not_watched(
    database: Database, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (folder / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (folder / ".git" / "objects").mkdir(parents=True)
    (folder / "built" / "deep").mkdir(parents=True)
    (folder / ".desktopragignore").write_text("built/\n")
    corner = Corner(database, FolderWatch, folder)
    assert watched_places(corner.scanning.trees()) == {str(folder), str(folder / "sub")}
    before = _inotify_watches()
    watch = FolderWatch(corner.scanning.trees())
    assert _inotify_watches() - before == 2
    watch.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux' own")
def test_the_real_limit_is_an_error(tmp_path: Path) -> None:
    for name in "abcdef":
        (tmp_path / name).mkdir()
    program = (
        "from pathlib import Path; from desktop_rag.storage.watching import FolderWatch\n"
        f"root = Path({str(tmp_path)!r})\n"
        "FolderWatch({str(root): [str(one) for one in root.iterdir()]})"
    )
    limited = 'echo 3 > /proc/sys/user/max_inotify_watches && exec "$@"'
    command = ["unshare", "-U", "-r", "sh", "-c", limited, "sh", sys.executable, "-c", program]
    if not shutil.which("unshare"):
        pytest.skip("there is no unshare here")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "max_inotify_watches" in done.stderr:
        pytest.skip("name spaces are not allowed here")
    assert "OSError: OS file watch limit reached" in done.stderr


def _inotify_watches() -> int:
    texts = []
    for file in Path("/proc/self/fdinfo").iterdir():
        try:
            texts.append(file.read_text())
        except OSError:
            continue
    return sum(text.count("inotify wd") for text in texts)
