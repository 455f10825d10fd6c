"""Folders that are offered to somebody who has just arrived."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.services.suggestions import PlaceKind, Suggestions
from desktop_rag.storage.folder_size import Limits, size_of_folder

SUFFIXES = {".txt": "text-1", ".pdf": "pdf-1"}


def suggestions(home: Path) -> Suggestions:
    usual = {
        PlaceKind.DOCUMENTS: home / "Documents",
        PlaceKind.DESKTOP: home,
        PlaceKind.DOWNLOADS: home / "Downloads",
    }
    return Suggestions(lambda: SUFFIXES, lambda: home, lambda: usual)


def test_only_what_exists_and_never_the_whole_home_folder(tmp_path: Path) -> None:
    for name in ("Documents", "Dropbox", "OneDrive - Acme", "Nextcloud"):
        (tmp_path / name).mkdir()
    found = [(place.kind, place.name, place.path.name) for place in suggestions(tmp_path).places()]
    assert found == [
        (PlaceKind.DOCUMENTS, "Documents", "Documents"),
        (PlaceKind.CLOUD, "OneDrive", "OneDrive - Acme"),
        (PlaceKind.CLOUD, "Dropbox", "Dropbox"),
        (PlaceKind.CLOUD, "Nextcloud", "Nextcloud"),
    ]


def test_a_folder_by_two_names_is_offered_once(tmp_path: Path) -> None:
    (tmp_path / "Nextcloud").mkdir()
    (tmp_path / "Documents").symlink_to(tmp_path / "Nextcloud", target_is_directory=True)
    assert [place.name for place in suggestions(tmp_path).places()] == ["Documents"]


def test_the_systems_own_folders_are_asked_for() -> None:
    assert {place.kind for place in Suggestions(lambda: SUFFIXES).places()} <= set(PlaceKind)


def test_counts_what_could_be_read(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "a.txt").write_bytes(b"x" * 10)
    (tmp_path / "deep" / "er" / "B.PDF").write_bytes(b"x" * 5)
    (tmp_path / "deep" / "song.mp3").write_bytes(b"x" * 1000)
    (tmp_path / ".hidden.txt").write_bytes(b"x")
    (tmp_path / "~$a.txt").write_bytes(b"x")
    (tmp_path / "round").symlink_to(tmp_path, target_is_directory=True)
    size = suggestions(tmp_path).size(tmp_path)
    assert (size.files, size.n_bytes, size.is_all) == (2, 15, True)


def test_gives_up_at_the_limit_and_when_cancelled(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number}.txt").write_bytes(b"x")
    few = size_of_folder(tmp_path, SUFFIXES, limits=Limits(entries=10))
    assert (few.files, few.is_all) == (10, False)
    assert size_of_folder(tmp_path, SUFFIXES, limits=Limits(seconds=-1)).is_all is False
    assert suggestions(tmp_path).size(tmp_path, lambda: True).files == 0


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may list everything")
def test_a_folder_that_cannot_be_listed_counts_as_empty(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert suggestions(tmp_path).size(closed).files == 0


def test_a_folder_that_vanished_counts_as_empty(tmp_path: Path) -> None:
    assert suggestions(tmp_path).size(tmp_path / "gone").files == 0
