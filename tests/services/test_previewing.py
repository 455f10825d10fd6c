"""Rules shown before they are chosen, and the order of folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.library import NO_RULES, FolderRules
from tests.helpers.fakes import fake_engines


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with App.open(tmp_path / "data", fake_engines()) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    (made / "drafts").mkdir(parents=True)
    for name in ("a.txt", "b.md", "drafts/c.txt"):
        (made / name).write_text("words")
    return made


def test_a_preview_names_what_would_be_left_out(app: App, folder: Path) -> None:
    app.add([folder])
    seen = app.previewing.preview(folder, FolderRules(exclude=("drafts/", "*.md")))
    assert seen.kept == 1
    assert [Path(path).name for path, _ in seen.left_out] == ["b.md", "drafts"]
    assert "*.md" in seen.left_out[0][1]
    assert (seen.left_out_count, seen.leaving) == (2, 2)
    assert len(app.files()) == 3, "nothing was changed"
    assert app.previewing.preview(folder, NO_RULES).left_out == ()


def test_a_folder_has_a_limit_of_its_own_for_large_files(app: App, folder: Path) -> None:
    with (folder / "big.txt").open("wb") as file:
        file.truncate(3_000_000)
    rules = FolderRules(max_mb=2)
    (left_out,) = app.previewing.preview(folder, rules).left_out
    assert "larger than 2 MB" in left_out[1]
    app.add([folder], rules)
    assert {Path(file.path).name for file in app.files()} == {"a.txt", "b.md", "c.txt"}
    assert app.change_folder(folder).rules.max_mb == 2
    with pytest.raises(InvalidInput):
        app.change_folder(folder, FolderRules(max_mb=-1))


def test_a_pattern_that_means_nothing_is_refused(app: App, folder: Path) -> None:
    with pytest.raises(InvalidInput):
        app.previewing.preview(folder, FolderRules(exclude=("[a",)))


def test_a_folder_that_is_gone_has_no_preview(app: App, tmp_path: Path) -> None:
    assert not app.previewing.preview(tmp_path / "gone", NO_RULES).is_online


def test_folders_stay_in_the_order_a_person_gave_them(app: App, tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("a", "b", "c")]
    for place in places:
        place.mkdir()
    app.add(places)
    app.order_folders([places[2], places[0]])
    assert [Path(one.path).name for one in app.status().sources] == ["c", "a", "b"]
    late = tmp_path / "0-late"
    late.mkdir()
    app.add([late])
    assert next(Path(one.path).name for one in app.status().sources) == "c"


def test_files_are_looked_up_one_by_one(app: App, folder: Path) -> None:
    app.add([folder])
    every = app.files()
    assert app.files_of([every[1].id]) == [every[1]]
    app.remove([Path(every[1].path)])
    assert app.files_of([every[0].id, every[1].id]) == [every[0]]
    assert app.files_of([]) == []


def test_a_collection_can_be_empty_at_first(app: App) -> None:
    app.organising.create("Taxes")
    assert [(one.name, one.files) for one in app.organising.collections()] == [("Taxes", 0)]
    with pytest.raises(InvalidInput):
        app.organising.create("Taxes")
