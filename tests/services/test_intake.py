"""What may be dropped on the window, and what is said about it."""

from __future__ import annotations

import os
import plistlib
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.errors import Cancelled
from desktop_rag.domain.library import DropKind, Dropped
from desktop_rag.storage.sources import Sources, StoredSource
from tests.helpers.fakes import fake_engines


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with App.open(tmp_path / "data", fake_engines()) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    (made / "inner").mkdir(parents=True)
    (made / "a.txt").write_text("words")
    (made / "inner" / "b.md").write_text("more words")
    (made / "film.mkv").write_bytes(b"x")
    return made


def look(app: App, given: Path | str) -> Dropped:
    (item,) = app.receiving.look_at([str(given)]).items
    return item


def test_a_folder_is_counted_with_what_can_be_read(app: App, folder: Path) -> None:
    item = look(app, folder)
    assert (item.kind, item.path) == (DropKind.FOLDER, str(folder))
    assert (item.files, item.size) == (2, len("words") + len("more words"))


def test_things_dropped_together_are_summed_up(app: App, folder: Path, tmp_path: Path) -> None:
    lone = tmp_path / "lone.txt"
    lone.write_text("x" * 100)
    intake = app.receiving.look_at([str(folder), str(lone), str(lone), "/nowhere/gone.pdf"])
    assert [item.kind for item in intake.items] == [
        DropKind.FOLDER, DropKind.FILE, DropKind.MISSING,
    ]  # fmt: skip
    assert (intake.files, len(intake.wanted), len(intake.refused)) == (3, 2, 1)
    assert intake.size == 15 + 100


def test_counting_can_be_stopped(app: App, tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(500):
        (many / f"{number}.txt").touch()
    told: list[int] = []

    def stop(count: int) -> None:
        told.append(count)
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        app.receiving.look_at([str(many)], stop)
    assert told == [200]


@pytest.mark.parametrize("address", ["https://example.org/a.pdf", "HTTP://x", "data:text,abc"])
def test_a_page_of_the_web_is_not_fetched(app: App, address: str) -> None:
    item = look(app, address)
    assert item.kind is DropKind.WEB
    assert "save the page" in item.sentence


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_devices_and_pipes_are_no_documents(app: App, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/null")):
        item = look(app, path)
        assert item.kind is DropKind.SPECIAL
        assert "not a document" in item.sentence


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_symbolic_link_stands_for_what_it_leads_to(
    app: App, folder: Path, tmp_path: Path
) -> None:
    link, broken = tmp_path / "link", tmp_path / "broken"
    link.symlink_to(folder)
    broken.symlink_to(tmp_path / "gone")
    assert look(app, link).path == str(folder)
    item = look(app, broken)
    assert item.kind is DropKind.SHORTCUT
    assert "gone" in item.sentence


def shell_link(target: str) -> bytes:
    """A `.lnk` with a local path and no list of ids."""
    head = struct.pack("<I16sI", 76, b"\x01\x14\x02", 2).ljust(76, b"\0")
    path = target.encode("cp1252") + b"\0"
    return head + struct.pack("<IIIIIII", 28 + len(path), 28, 1, 0, 28, 0, 0) + path


@pytest.mark.parametrize("kind", ["desktop", "url", "webloc", "lnk"])
def test_a_shortcut_stands_for_what_it_leads_to(
    app: App, folder: Path, tmp_path: Path, kind: str
) -> None:
    address = folder.as_uri()
    contents = {
        "desktop": f"[Desktop Entry]\nType=Link\nURL={address}\n".encode(),
        "url": f"[InternetShortcut]\r\nURL={address}\r\n".encode(),
        "webloc": plistlib.dumps({"URL": address}),
        "lnk": shell_link(str(folder)),
    }[kind]
    shortcut = tmp_path / f"short.{kind}"
    shortcut.write_bytes(contents)
    assert look(app, shortcut).path == str(folder)


@pytest.mark.parametrize(
    ("name", "contents", "kind", "said"),
    [
        ("app.desktop", b"[Desktop Entry]\nType=Application\n", DropKind.SHORTCUT, "no document"),
        ("page.url", b"URL=https://example.org", DropKind.WEB, "page.url"),
        ("far.url", b"URL=file:///nowhere/x.pdf", DropKind.SHORTCUT, "not on this computer"),
        ("short.lnk", b"L\0", DropKind.SHORTCUT, "no document"),
        ("odd.webloc", b"<plist><dict>", DropKind.SHORTCUT, "no document"),
        ("date.webloc", b"<plist><date>soon</date></plist>", DropKind.SHORTCUT, "no document"),
        ("key.webloc", b"<plist><key>URL</key></plist>", DropKind.SHORTCUT, "no document"),
        ("odd.url", b"URL=http://[x", DropKind.SHORTCUT, "no document"),
        ("chain.url", b"URL=file:///a.url", DropKind.SHORTCUT, "no document"),
    ],
)
def test_a_shortcut_to_nothing_says_so(
    app: App, tmp_path: Path, name: str, contents: bytes, kind: DropKind, said: str
) -> None:
    (tmp_path / name).write_bytes(contents)
    item = look(app, tmp_path / name)
    assert item.kind is kind
    assert said in item.sentence


def test_what_cannot_be_read_is_named_with_its_ending(app: App, folder: Path) -> None:
    item = look(app, folder / "film.mkv")
    assert item.kind is DropKind.UNSUPPORTED
    assert ".mkv" in item.sentence
    (folder / "Makefile").write_text("all:")
    assert "no ending" in look(app, folder / "Makefile").sentence


def test_a_file_over_the_limit_is_left_out(app: App, folder: Path) -> None:
    app.change_setting("max_file_mb", "1")
    with (folder / "big.txt").open("wb") as file:
        file.truncate(2_000_000)
    assert look(app, folder / "big.txt").kind is DropKind.TOO_LARGE


def test_an_empty_folder_is_added_and_told(app: App, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    item = look(app, empty)
    assert item.kind is DropKind.EMPTY
    assert "is empty" in item.sentence
    (empty / "film.mkv").write_bytes(b"x")
    assert "no file that can be read" in look(app, empty).sentence


def test_the_programs_own_folder_is_refused(app: App, tmp_path: Path) -> None:
    own = tmp_path / "data"
    assert look(app, own).kind is DropKind.OWN
    assert look(app, own / "library.sqlite3").kind is DropKind.OWN


def test_what_is_there_already_is_said_kindly(app: App, folder: Path) -> None:
    app.add([folder])
    assert look(app, folder).kind is DropKind.ALREADY
    inner = look(app, folder / "inner")
    assert inner.kind is DropKind.ALREADY
    assert str(folder) in inner.sentence
    assert look(app, folder / "a.txt").kind is DropKind.ALREADY
    app.remove([folder / "inner"])
    assert look(app, folder / "inner").kind is DropKind.FOLDER


def test_a_name_no_system_has_is_answered(app: App) -> None:
    assert look(app, "/a\0b").kind is DropKind.UNREADABLE
    assert look(app, "/" + "x" * 5000).kind in {DropKind.UNREADABLE, DropKind.MISSING}
    assert look(app, "http://[x").kind is DropKind.UNREADABLE


@pytest.mark.parametrize("nothing", ["", "."])
def test_an_address_without_a_path_is_not_the_folder_the_program_was_started_in(
    app: App, nothing: str
) -> None:
    intake = app.receiving.look_at([nothing])
    assert not intake.wanted
    assert "cannot be opened" in intake.refused[0].sentence


def test_many_files_are_added_without_reading_the_whole_list_for_each(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / f"{n}.txt" for n in range(30)]
    for file in files:
        file.write_text("Some words.", encoding="utf-8")
    app.add(files[:1])
    read: list[int] = []
    everything = Sources.all

    def counting(self: Sources) -> list[StoredSource]:
        read.append(1)
        return everything(self)

    monkeypatch.setattr(Sources, "all", counting)
    report = app.add(files)
    assert len(report.added) == 29
    assert report.already_there == (str(files[0]),)
    assert len(read) < 5
