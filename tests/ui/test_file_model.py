"""The list of files behind the view: filters, orders, changes one by one, portions."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop_rag.domain.documents import Coverage, DocumentId
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.ui.library.file_filter import FileFilter, Order, Show, SortBy
from desktop_rag.ui.library.file_words import coverage_words, missing_pages
from desktop_rag.ui.models import files as files_module
from desktop_rag.ui.models.files import FileModel, paths_in, reordered, rows_of
from desktop_rag.ui.window_words import in_window


def file(number: int, path: str, state: FileState = FileState.READY, size: int = 1) -> LibraryFile:
    kind = path.rpartition(".")[2]
    return LibraryFile(DocumentId(number), path, state, kind, "", size, 0, 1, "", "")


@pytest.fixture
def model(qtbot: QtBot, qtmodeltester: ModelTester) -> FileModel:
    made = FileModel()
    made.replace_files([file(n, f"/d/{n}.txt", size=n) for n in range(1, 6)])
    qtmodeltester.check(made)
    return made


def numbers(model: FileModel) -> list[int]:
    return [int(one.id) for one in model.shown()]


def test_a_change_in_place_tells_one_row_only(model: FileModel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged) as told:
        model.update([file(3, "/d/3.txt", FileState.FAILED)])
    assert told.args is not None
    assert [index.row() for index in told.args[:2]] == [2, 2]
    assert model.shown()[2].state is FileState.FAILED


def test_files_come_go_and_are_renamed_one_by_one(model: FileModel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(model.modelReset):
        model.update([file(9, "/d/0.txt")])
        model.update([], [DocumentId(2)])
        model.update([file(1, "/d/9.txt")])
    assert numbers(model) == [9, 3, 4, 5, 1]
    assert [one.path for one in model.files()] == [one.path for one in model.shown()]


def test_a_filter_lets_files_in_and_out_as_they_change(model: FileModel) -> None:
    model.filter_by(FileFilter(show=Show.FAILED))
    assert numbers(model) == []
    model.update([file(4, "/d/4.txt", FileState.FAILED)])
    assert numbers(model) == [4]
    model.update([file(4, "/d/4.txt")])
    assert numbers(model) == []


def test_many_changes_at_once_are_one_new_list(model: FileModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(model.modelReset):
        model.update([file(100 + n, f"/e/{n:03}.txt") for n in range(200)])
    assert model.rowCount() == 205


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("by", list(SortBy))
def test_changes_keep_every_order(model: FileModel, by: SortBy, is_reversed: bool) -> None:
    order = Order(by, is_reversed)
    model.order_by(order)
    for changed in (file(8, "/a/8.pdf", size=3), file(3, "/d/3.txt", FileState.FAILED, 50)):
        model.update([changed])
    model.update([], [DocumentId(5)])
    assert [row[2] for row in rows_of(model.files(), order)] == model.shown()


def test_files_that_change_while_others_sort_are_kept(model: FileModel) -> None:
    order = Order(SortBy.SIZE)
    snapshot = model.snapshot()
    made = reordered(snapshot, order)
    model.update([file(3, "/d/3.txt", FileState.FAILED, 3)])
    model.adopt(order, snapshot, made)
    assert numbers(model) == [5, 4, 3, 2, 1]
    assert model.shown()[2].state is FileState.FAILED


def test_hidden_files_stay_hidden_until_they_are_brought_back(model: FileModel) -> None:
    model.hide([(2, "")])
    model.update([file(2, "/d/2.txt", FileState.FAILED)])
    assert numbers(model) == [1, 3, 4, 5]
    model.unhide([(2, "")])
    assert numbers(model) == [1, 2, 3, 4, 5]


def test_a_view_learns_of_many_files_in_portions(
    monkeypatch: pytest.MonkeyPatch, qtmodeltester: ModelTester
) -> None:
    model = FileModel()  # without a tester, which fetches everything itself
    monkeypatch.setattr(files_module, "_PORTION", 10)
    model.replace_files([file(n, f"/d/{n:03}.txt") for n in range(35)])
    assert (model.rowCount(), model.matching, len(model.keys())) == (10, 35, 10)
    model.update([file(900, "/d/000a.txt")])
    assert (model.rowCount(), model.matching) == (11, 36)
    model.update([file(901, "/d/034a.txt")])
    assert (model.rowCount(), model.matching) == (11, 37)
    model.update([], [DocumentId(900), DocumentId(34)])
    assert (model.rowCount(), model.matching) == (10, 35)
    while model.canFetchMore(model.index(-1)):
        model.fetchMore(model.index(-1))
    assert model.rowCount() == 35
    model.update([file(902, "/d/999.txt")])
    assert model.rowCount() == 36
    qtmodeltester.check(model)


def test_folders_collections_and_tags_narrow(model: FileModel) -> None:
    model.replace_files(
        [
            file(1, "/d/a.txt"),
            file(2, "/d/sub/b.txt"),
            file(3, "/data/c.txt"),
            replace(file(4, "C:\\d\\e.txt"), tags=("Old",)),
        ]
    )
    model.filter_by(FileFilter(places=("/d",)))
    assert numbers(model) == [1, 2], "not what only begins alike"
    model.filter_by(FileFilter(places=("/d/sub/", "/data/c.txt")))
    assert sorted(numbers(model)) == [2, 3]
    model.filter_by(FileFilter(places=("C:\\d",)))
    assert numbers(model) == [4]
    model.filter_by(FileFilter(is_placed=True))
    assert numbers(model) == [], "an empty collection"
    model.filter_by(FileFilter(tags=("Old", "New")))
    assert numbers(model) == [4]
    model.filter_by(FileFilter(text="OLD"))
    assert numbers(model) == [4], "tags are looked for, too"


def test_a_drag_carries_paths_of_any_name(model: FileModel) -> None:
    model.replace_files([file(1, "/d/a b#ü%.txt"), file(2, "/d/new\nline.txt")])
    data = model.mimeData([model.index(0), model.index(1)])
    assert paths_in(data) == ["/d/a b#ü%.txt", "/d/new\nline.txt"]
    assert not data.hasUrls(), "no other program takes it for a copy"


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (Coverage(), ""),
        (Coverage(pages=14, read=12, blank=(3, 4)), "12 of 14 pages have text"),
        (Coverage(pages=14, read=10, recognised=(1, 2, 3, 4)), "14 pages"),
        (Coverage(pages=1, read=1), "1 page"),
        (Coverage(pages=4, read=2, waiting=(1, 2)), "2 of 4 pages wait for text recognition"),
    ],
)
def test_coverage_in_words(coverage: Coverage, said: str) -> None:
    assert coverage_words(coverage) == said


def test_which_pages_are_missing() -> None:
    coverage = Coverage(9, 4, (5,), (), (1, 2), ((7, "why"), (8, "why")))
    assert missing_pages(coverage) == "Blank: 1-2 · Not read: 7-8 · Recognised: 5"


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Nothing to change.", "Nothing to change."),
        (
            "It is a scan; turn it on with `desktop-rag settings ocr on`.",
            "It is a scan; switch it on in the settings.",
        ),
        (
            "Indexing is paused. Press Resume, or run `desktop-rag resume`, to go on.",
            "Indexing is paused. Press Resume to go on.",
        ),
        ("`desktop-rag files` lists what is.", "The Library page lists what is."),
        ("Run `desktop-rag models install x`.", "See the Models page."),
        (
            "/a is in the library already. Remove it first: desktop-rag remove /a",
            "/a is in the library already. Remove it first.",
        ),
    ],
)
def test_no_command_is_named_in_the_window(sentence: str, shown: str) -> None:
    assert in_window(sentence) == shown
