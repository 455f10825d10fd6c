"""The walk reads nothing, follows no loop and names what it cannot list."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from desktop_rag.domain.errors import NotFound
from desktop_rag.storage.folders import sha256_of, stamp_of, walk


def names(root: Path, excluded: frozenset[str] = frozenset()) -> list[str]:
    unreadable: list[str] = []
    found = walk(root, lambda name: name.endswith(".txt"), excluded, unreadable.append)
    return sorted(Path(file.path).relative_to(root).as_posix() for file in found)


def test_the_walk_takes_wanted_files_and_no_droppings(tmp_path: Path) -> None:
    for name in ("a.txt", "b/c.txt", ".hidden.txt", ".git/x.txt", "~$a.txt", "d.exe", "e.txt.tmp"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    assert names(tmp_path) == ["a.txt", "b/c.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("x")
    (tmp_path / "in" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "dangling.txt").symlink_to(tmp_path / "nowhere.txt")
    assert names(tmp_path) == ["in/a.txt"]


def test_odd_names_are_found(tmp_path: Path) -> None:
    odd = ["Ä & 100% #1 [draft]/данные.txt", "文档/é.txt", "文档/e\u0301.txt"]
    for name in odd:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert names(tmp_path) == sorted(odd)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_text_is_passed_over(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.txt")).write_text("x")
    (tmp_path / "good.txt").write_text("x")
    assert names(tmp_path) == ["good.txt"]


def test_excluded_paths_are_passed_over(tmp_path: Path) -> None:
    for name in ("a.txt", "b/c.txt", "b/d.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert names(tmp_path, frozenset({str(tmp_path / "b" / "c.txt")})) == ["a.txt", "b/d.txt"]
    assert names(tmp_path, frozenset({str(tmp_path / "b")})) == ["a.txt"]


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path) -> None:
    unreadable: list[str] = []
    gone = tmp_path / "gone"
    assert list(walk(gone, lambda _: True, frozenset(), unreadable.append)) == []
    assert unreadable == [str(gone)]


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="does not exist"):
        stamp_of(tmp_path / "gone.txt")
    with pytest.raises(NotFound, match="does not exist"):
        sha256_of(tmp_path / "gone.txt")
