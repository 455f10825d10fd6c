"""The walk reads no document, follows no link, and has a reason for all that it leaves out."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from desktop_rag.domain.errors import NotFound
from desktop_rag.domain.library import FolderRules
from desktop_rag.storage.folders import Ground, Survey, sha256_of, stamp_of, survey

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")


def look(
    root: Path,
    start: Path | None = None,
    excluded: frozenset[str] = frozenset(),
    rules: FolderRules | None = None,
    max_bytes: int = 1000,
) -> Survey:
    ground = Ground(
        str(root), lambda name: name.endswith(".txt"), excluded, rules or FolderRules(), max_bytes
    )
    return survey(ground, str(start) if start else None)


def names(found: Survey, root: Path) -> list[str]:
    return sorted(Path(path).relative_to(root).as_posix() for path in found.files)


def reasons(found: Survey, root: Path) -> dict[str, str]:
    return {Path(p).relative_to(root).as_posix(): one.code for p, one in found.left_out.items()}


def test_wanted_files_are_found_and_droppings_are_nothing(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "b/c.txt", ".hidden.txt", ".git/x.txt", "~$a.txt", "e.txt.tmp")
    found = look(tmp_path)
    assert names(found, tmp_path) == ["a.txt", "b/c.txt"]
    assert found.left_out == {}
    assert sorted(found.folders) == [str(tmp_path), str(tmp_path / "b")]


def test_droppings_are_nothing_in_capital_letters_too(tmp_path: Path) -> None:
    write(tmp_path, "A.TXT.TMP", "Movie.Part")
    found = look(tmp_path)
    assert (found.files, found.left_out) == ({}, {})


def test_kinds_that_are_not_wanted_are_left_out_with_the_reason(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "b.LOG", "log", "x.log/c.txt")
    wanted = Ground(str(tmp_path), lambda _: True, unwanted=frozenset({".log"}))
    found = survey(wanted)
    assert names(found, tmp_path) == ["a.txt", "log", "x.log/c.txt"]
    assert reasons(found, tmp_path) == {"b.LOG": "kind"}


def test_what_no_reader_takes_is_left_out_with_the_reason(tmp_path: Path) -> None:
    write(tmp_path, "setup.exe", "LICENSE")
    (tmp_path / "long.txt").write_text("x" * 1001)
    found = look(tmp_path)
    assert names(found, tmp_path) == []
    assert reasons(found, tmp_path) == {
        "setup.exe": "unsupported",
        "LICENSE": "unsupported",
        "long.txt": "too-large",
    }
    assert found.left_out[str(tmp_path / "long.txt")].size == 1001
    assert ".exe" in found.left_out[str(tmp_path / "setup.exe")].reason


@needs_posix
def test_links_are_not_followed_and_say_where_they_lead(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    write(tmp_path, "secret/s.txt", "docs/in/a.txt", "docs/.store/real.txt")
    (root / "in" / "loop").symlink_to(root, target_is_directory=True)
    (root / "again").symlink_to(root / "in", target_is_directory=True)
    (root / "escape").symlink_to(tmp_path / "secret", target_is_directory=True)
    (root / "out.txt").symlink_to(tmp_path / "secret" / "s.txt")
    (root / "same.txt").symlink_to(root / "in" / "a.txt")
    (root / "dangling.txt").symlink_to(root / "nowhere.txt")
    (root / "circle.txt").symlink_to(root / "circle.txt")
    (root / "kept.txt").symlink_to(root / ".store" / "real.txt")
    found = look(root)
    # The last one is the only name under which that file can be read.
    assert names(found, root) == ["in/a.txt", "kept.txt"]
    told = {Path(p).name: one.reason for p, one in found.left_out.items()}
    assert {one.code for one in found.left_out.values()} == {"link"}
    assert "back to" in told["loop"]
    assert "read itself" in told["same.txt"]
    assert "looked at itself" in told["again"]
    assert "out of the folder" in told["escape"]
    assert "out of the folder" in told["out.txt"]
    assert "nowhere" in told["dangling.txt"]
    assert "in a circle" in told["circle.txt"]


@needs_posix
def test_pipes_and_sockets_are_told_and_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(tmp_path)  # a socket's path may not be long
        listener.bind("socket.txt")
        found = look(tmp_path)
    assert {p: o.reason for p, o in found.left_out.items()} == {
        str(tmp_path / "pipe.txt"): "It is a pipe, not a file.",
        str(tmp_path / "socket.txt"): "It is a socket, not a file.",
    }


def test_odd_names_are_found(tmp_path: Path) -> None:
    odd = ["Ä & 100% #1 [draft]/данные.txt", "文档/é.txt", "文档/e\u0301.txt"]
    write(tmp_path, *odd)
    assert names(look(tmp_path), tmp_path) == sorted(odd)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_text_is_shown_escaped(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.txt")).write_text("x")
    write(tmp_path, "good.txt")
    found = look(tmp_path)
    assert names(found, tmp_path) == ["good.txt"]
    assert reasons(found, tmp_path) == {"bad\\xff.txt": "bad-name"}


def test_excluded_paths_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "b/c.txt", "b/d.txt")
    found = look(tmp_path, excluded=frozenset({str(tmp_path / "b" / "c.txt")}))
    assert names(found, tmp_path) == ["a.txt", "b/d.txt"]
    assert names(look(tmp_path, excluded=frozenset({str(tmp_path / "b")})), tmp_path) == ["a.txt"]


def test_a_folder_that_cannot_be_listed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.txt", "shut/b.txt")
    real = os.scandir

    def scandir(folder: str) -> object:
        if folder.endswith("shut"):
            raise PermissionError(13, "Permission denied", folder)
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    found = look(tmp_path)
    assert names(found, tmp_path) == ["a.txt"]
    assert found.unreadable == [str(tmp_path / "shut")]
    assert reasons(found, tmp_path) == {"shut": "unreadable"}
    assert look(tmp_path / "gone").unreadable == [str(tmp_path / "gone")]


def test_ignore_files_hold_from_their_folder_down(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "draft.txt", "sub/draft.txt", "sub/deep/draft.txt", "old/x.txt")
    (tmp_path / ".desktopragignore").write_text("# mine\ndraft.txt\n/old/\n")
    (tmp_path / "sub" / ".desktopragignore").write_text("!draft.txt\n/deep/\n")
    found = look(tmp_path)
    assert names(found, tmp_path) == ["a.txt", "sub/draft.txt"]
    # A folder that is left out is one entry, and is not entered.
    assert reasons(found, tmp_path) == {"draft.txt": "rule", "old": "rule", "sub/deep": "rule"}
    told = found.left_out[str(tmp_path / "draft.txt")].reason
    assert told == f"The rule “draft.txt” in {tmp_path / '.desktopragignore'} leaves it out."


@pytest.mark.parametrize(
    "ignored",
    [
        pytest.param("\ufeffnotes.txt\r\nzoe\u0308.txt\r\n", id="as Windows' Notepad saves it"),
        pytest.param("notes.txt\nzo\u00eb.txt\n", id="letters in one piece"),
    ],
)
def test_an_ignore_file_means_what_it_shows(tmp_path: Path, ignored: str) -> None:
    write(tmp_path, "a.txt", "notes.txt", "zo\u00eb.txt")
    (tmp_path / ".desktopragignore").write_bytes(ignored.encode())
    assert names(look(tmp_path), tmp_path) == ["a.txt"]


def test_a_line_that_is_no_pattern_is_told_and_the_others_hold(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "b.txt")
    (tmp_path / ".desktopragignore").write_text("[z-a]\na.txt\n!\n")
    found = look(tmp_path)
    assert names(found, tmp_path) == ["b.txt"]
    told = found.left_out[str(tmp_path / ".desktopragignore")]
    assert told.code == "bad-rule"
    assert "line 1 (“[z-a]”), line 3 (“!”)" in told.reason


def test_the_rules_of_a_source_include_and_exclude(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "Report.TXT.txt", "drafts/report.txt", "notes/report.txt", "n.txt")
    rules = FolderRules(include=("report*", "/a.txt"), exclude=("Drafts/",))
    found = look(tmp_path, rules=rules)
    assert names(found, tmp_path) == ["Report.TXT.txt", "a.txt", "notes/report.txt"]
    assert reasons(found, tmp_path) == {"drafts": "rule", "n.txt": "rule"}


def test_a_look_at_a_part_finds_what_a_look_at_all_finds_there(tmp_path: Path) -> None:
    write(tmp_path, "sub/a.txt", "sub/b.exe", "sub/.h/c.txt", "out/d.txt", "sub/no.txt")
    (tmp_path / ".desktopragignore").write_text("out/\n")
    (tmp_path / "sub" / ".desktopragignore").write_text("no.txt\n")
    everything = look(tmp_path)
    for start in (
        "sub",
        "sub/a.txt",
        "sub/b.exe",
        "sub/.h/c.txt",
        "out/d.txt",
        "sub/no.txt",
        "x/y",
    ):
        part = look(tmp_path, tmp_path / start)
        inside = [p for p in everything.files if Path(p).is_relative_to(tmp_path / start)]
        assert sorted(part.files) == sorted(inside), start
        left = [p for p in everything.left_out if Path(p).is_relative_to(tmp_path / start)]
        assert sorted(part.left_out) == sorted(left), start


@needs_posix
def test_a_look_at_a_link_alone_knows_what_is_read_itself(tmp_path: Path) -> None:
    write(tmp_path, "a.txt")
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    found = look(tmp_path, tmp_path / "link.txt")
    assert found.files == {}
    assert reasons(found, tmp_path) == {"link.txt": "link"}


@needs_posix
def test_only_a_file_with_several_names_has_an_identity(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "c.txt")
    os.link(tmp_path / "a.txt", tmp_path / "b.txt")
    found = look(tmp_path).files
    assert found[str(tmp_path / "a.txt")].identity == found[str(tmp_path / "b.txt")].identity
    assert found[str(tmp_path / "a.txt")].identity is not None
    assert found[str(tmp_path / "c.txt")].identity is None


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="does not exist"):
        stamp_of(tmp_path / "gone.txt")
    with pytest.raises(NotFound, match="does not exist"):
        sha256_of(tmp_path / "gone.txt")
