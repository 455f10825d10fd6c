"""The library page over the real façade: folders, filters, details, undo, drops, tracing."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import DiskFull, NotFound
from desktop_rag.domain.library import FileDetails, FolderRules, LibraryFile, Source, Tier
from desktop_rag.ui.library import drop_flow
from desktop_rag.ui.library.counting_dialog import CountingDialog
from desktop_rag.ui.library.file_filter import Order, Show, SortBy
from desktop_rag.ui.library.folder_dialog import FolderDialog
from desktop_rag.ui.library.left_out_dialog import LeftOutDialog
from desktop_rag.ui.library.library_page import LibraryPage
from desktop_rag.ui.library.name_dialog import NameDialog
from desktop_rag.ui.library.why_dialog import TraceDialog
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.models.files import FILE_ROLE
from desktop_rag.ui.models.places import Place, PlaceKind
from tests.helpers.fake_app import drag_enter
from tests.helpers.fakes import SCAN

AddFiles = Callable[[dict[str, str]], Path]
FILES = {
    "pump.txt": "The harbour pump holds four litres of oil.",
    "lease.md": "# Lease\n\nThe deposit is two rents.",
    "old/locked.txt": "ENCRYPTED",
    "old/broken.txt": "DAMAGED",
}


@pytest.fixture
def folder(add_files: AddFiles) -> Path:
    return add_files(FILES)


@pytest.fixture
def page(folder: Path, real_window: MainWindow, qtbot: QtBot) -> LibraryPage:
    real_window.show_library()
    page = real_window.library
    qtbot.waitUntil(lambda: page.model.total == len(FILES), timeout=10_000)
    qtbot.waitUntil(lambda: bool(page.places_model.folders()))
    return page


def rows(page: LibraryPage) -> list[str]:
    return [str(page.model.index(row).data()) for row in range(page.model.rowCount())]


def mark(page: LibraryPage, *names: str) -> None:
    page.list.clearSelection()
    flag = page.list.selectionModel().SelectionFlag
    for name in names:
        index = page.model.index(rows(page).index(name))
        page.list.selectionModel().setCurrentIndex(index, flag.Select)


_Dialog = TypeVar("_Dialog", bound=QWidget)


def dialog_of(window: QWidget, kind: type[_Dialog], qtbot: QtBot) -> _Dialog:
    def shown() -> list[_Dialog]:
        return [one for one in window.findChildren(kind) if one.isVisible()]

    qtbot.waitUntil(lambda: bool(shown()))
    return shown()[0]


def notice(window: MainWindow, qtbot: QtBot, part: str) -> str:
    qtbot.waitUntil(
        lambda: window.notice.isVisible() and part in window.notice.sentence.text(), timeout=8000
    )
    return window.notice.sentence.text()


# ---------------------------------------------------------------------- states and filters


def test_the_page_sums_up_what_can_be_asked(page: LibraryPage, real_window: MainWindow) -> None:
    assert page.head.summary.text() == "2 of 4 files searchable · 3 passages"
    assert real_window.sidebar.counts.text() == "2 of 4 files · 3 passages"
    assert real_window.sidebar.problems.text() == "2 failed"


def test_states_kinds_text_and_places_narrow_the_list(
    page: LibraryPage, folder: Path, qtbot: QtBot
) -> None:
    bar = page.filters
    bar.show_states(Show.READY)
    assert rows(page) == ["lease.md", "pump.txt"]
    assert page.shown.text() == "2 of 4 files"
    bar._fill_kinds()
    choose(bar.kind.menu(), "MD  (1)")
    assert rows(page) == ["lease.md"]
    bar.reset()
    assert len(rows(page)) == 4
    bar.search.setText("PUMP")
    qtbot.waitUntil(lambda: rows(page) == ["pump.txt"])
    bar.search.setText("nothing like it")
    qtbot.waitUntil(page.states.clear.isVisible)
    assert page.states.why.isVisible()
    page.states.clear.click()
    assert len(rows(page)) == 4
    page.places.choose(PlaceKind.FOLDER, str(folder))
    assert len(rows(page)) == 4


def choose(menu: object, text: str) -> None:
    actions = {action.text(): action for action in menu.actions()}  # type: ignore[attr-defined]
    actions[text].trigger()


def test_the_order_is_the_persons(page: LibraryPage) -> None:
    bar = page.filters
    assert rows(page) == ["lease.md", "broken.txt", "locked.txt", "pump.txt"]
    bar._fill_orders()
    choose(bar.sort.menu(), "By name")
    assert rows(page) == ["broken.txt", "lease.md", "locked.txt", "pump.txt"]
    bar._fill_orders()
    choose(bar.sort.menu(), "The other way round")
    assert rows(page) == ["pump.txt", "locked.txt", "lease.md", "broken.txt"]
    bar._fill_orders()
    choose(bar.sort.menu(), "Problems first")
    assert page.model.order == Order(SortBy.STATE, is_reversed=True)


def test_problems_stand_in_groups_with_what_helps(
    page: LibraryPage, folder: Path, qtbot: QtBot
) -> None:
    page.filters.problems.click()
    panel = page.problems_panel
    qtbot.waitUntil(panel.isVisible)
    names = [button.accessibleName() for button in panel.buttons()]
    assert "Retry: 1 file: locked with a password" in names
    assert "Retry: 1 file: damaged" in names
    (folder / "old" / "locked.txt").write_text("Open words.")
    next(b for b in panel.buttons() if b.accessibleName().startswith("Retry: 1 file: lo")).click()
    qtbot.waitUntil(lambda: rows(page) == ["broken.txt"], timeout=10_000)


def test_all_problems_are_tried_again_at_once(
    page: LibraryPage, folder: Path, qtbot: QtBot
) -> None:
    for name in ("locked", "broken"):
        (folder / "old" / f"{name}.txt").write_text(f"Good words of {name}.")
    page.filters.problems.click()
    qtbot.waitUntil(page.problems_panel.isVisible)
    page.problems_panel.retry_all.click()
    qtbot.waitUntil(lambda: page.head.summary.text().startswith("4 files"), timeout=10_000)
    qtbot.waitUntil(lambda: page.model.filter.show is Show.ALL)
    assert len(rows(page)) == 4


def test_recognition_is_switched_on_where_that_helps(
    page: LibraryPage, real_app: App, folder: Path, qtbot: QtBot
) -> None:
    real_app.change_setting("ocr", "off")
    (folder / "scan.txt").write_text(f"{SCAN}Recognised words.")
    real_app.start_indexing()
    assert real_app.wait_until_indexed(20)
    page.filters.problems.click()
    labels = lambda: [b.text() for b in page.problems_panel.buttons()]  # noqa: E731
    qtbot.waitUntil(lambda: "Recognise text" in labels(), timeout=10_000)
    next(b for b in page.problems_panel.buttons() if b.text() == "Recognise text").click()
    qtbot.waitUntil(lambda: real_app.settings().ocr)
    qtbot.waitUntil(lambda: "scan.txt" not in rows(page), timeout=10_000)


# ---------------------------------------------------------------------- details, tags, collections


def test_details_tell_everything_about_a_file(
    page: LibraryPage, folder: Path, qtbot: QtBot
) -> None:
    mark(page, "lease.md")
    details = page.details
    qtbot.waitUntil(lambda: details.value("Reader") == "fake-1+paragraphs-1")
    assert details.name.text() == "lease.md"
    assert details.value("Added folder").replace("\u200b", "") == str(folder)
    assert details.value("Collections") == "None"
    assert details.value("Passages") == "2"
    assert details.value("Read")
    details.close_button.click()
    assert not details.isVisible()
    mark(page, "pump.txt")
    assert not details.isVisible(), "it was closed"
    page.list.details_requested.emit(page.list.chosen()[0])
    assert details.isVisible()


def test_a_failed_file_says_what_helps(page: LibraryPage) -> None:
    mark(page, "locked.txt")
    assert "password" in page.details.reason.text()
    assert "without the password" in page.details.advice.text()


def test_a_file_that_is_gone_takes_no_details_of_another_away(
    page: LibraryPage, real_app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, told = threading.Event(), threading.Event()
    known = real_app.file_details
    (first,) = (one.id for one in real_app.files() if one.path.endswith("lease.md"))

    def late(number: DocumentId) -> FileDetails:
        if number != first:
            return known(number)
        answer.wait(10)
        told.set()
        raise NotFound("It is gone.")

    monkeypatch.setattr(real_app, "file_details", late)
    mark(page, "lease.md")
    mark(page, "locked.txt")
    qtbot.waitUntil(lambda: bool(page.details.value("Added folder")))
    answer.set()
    qtbot.waitUntil(told.is_set)
    qtbot.wait(50)
    assert page.details.name.text() == "locked.txt"
    assert page.details.isVisible()


def test_tags_come_and_go_in_the_details(page: LibraryPage, real_app: App, qtbot: QtBot) -> None:
    mark(page, "lease.md")
    field = page.details.tags.field
    qtbot.keyClicks(field, "Home")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [b.text() for b in page.details.tags.chips()] == ["Home  ×"])
    assert real_app.organising.tags() == [("Home", 1)]
    qtbot.waitUntil(lambda: any(p.kind is PlaceKind.TAG for p in page.places_model.places()))
    page.places.choose(PlaceKind.TAG, "Home")
    qtbot.waitUntil(lambda: rows(page) == ["lease.md"])
    mark(page, "lease.md")
    page.details.tags.chips()[0].click()
    qtbot.waitUntil(lambda: real_app.organising.tags() == [])


def test_many_files_get_a_tag_and_join_a_collection(
    page: LibraryPage, real_app: App, real_window: MainWindow, qtbot: QtBot
) -> None:
    mark(page, "lease.md", "pump.txt")
    bar = page.selection_bar
    assert bar.isVisible()
    assert bar.number.text() == "2 files marked"
    bar.tag.click()
    name_it(real_window, "Important", qtbot)
    qtbot.waitUntil(lambda: real_app.organising.tags() == [("Important", 2)])
    bar.collect.click()
    name_it(real_window, "Harbour", qtbot)
    qtbot.waitUntil(lambda: [c.files for c in real_app.organising.collections()] == [2])
    bar.clear.click()
    assert not bar.isVisible()


def test_a_file_is_taken_out_of_the_collection_that_is_shown(
    page: LibraryPage, real_app: App, qtbot: QtBot
) -> None:
    paths = [Path(file.path) for file in real_app.files()][:2]
    real_app.organising.collect("Harbour", paths)
    page.activate()
    qtbot.waitUntil(lambda: bool(page.tasks.collections))
    assert "Take out of “Harbour”" not in menu_of(page)
    page.places.choose(PlaceKind.COLLECTION, "Harbour")
    qtbot.waitUntil(lambda: page.model.matching == 2)
    mark(page, paths[0].name)
    menu_of(page)["Take out of “Harbour”"].trigger()
    qtbot.waitUntil(lambda: [c.files for c in real_app.organising.collections()] == [1])
    qtbot.waitUntil(lambda: page.model.matching == 1)


def menu_of(page: LibraryPage) -> dict[str, QAction]:
    menu = page.list.menu_for(page.list.chosen())
    return {action.text(): action for action in menu.actions()}


def name_it(window: MainWindow, name: str, qtbot: QtBot) -> None:
    dialog = dialog_of(window, NameDialog, qtbot)
    assert not dialog.save.isEnabled()
    qtbot.keyClicks(dialog.field, name)
    dialog.save.click()


def test_a_collection_is_made_renamed_and_deleted_with_undo(
    page: LibraryPage, real_app: App, real_window: MainWindow, qtbot: QtBot
) -> None:
    page.places.new_collection_requested.emit()
    name_it(real_window, "Taxes", qtbot)
    qtbot.waitUntil(lambda: names_of(page, PlaceKind.COLLECTION) == ["Taxes"])
    page.places.choose(PlaceKind.COLLECTION, "Taxes")
    assert rows(page) == [], "an empty one holds nothing"
    index = page.places.currentIndex()
    assert page.places_model.setData(index, "Tax 2026")
    qtbot.waitUntil(lambda: names_of(page, PlaceKind.COLLECTION) == ["Tax 2026"])
    page.places.choose(PlaceKind.COLLECTION, "Tax 2026")
    qtbot.keyClick(page.places, Qt.Key.Key_Delete)
    assert names_of(page, PlaceKind.COLLECTION) == []
    assert len(rows(page)) == 4, "what it narrowed is shown again"
    real_window.undo_bar.button.click()
    assert names_of(page, PlaceKind.COLLECTION) == ["Tax 2026"]
    page.places.choose(PlaceKind.COLLECTION, "Tax 2026")
    qtbot.keyClick(page.places, Qt.Key.Key_Delete)
    real_window.undo_bar.settle()
    qtbot.waitUntil(lambda: real_app.organising.collections() == [])


def names_of(page: LibraryPage, kind: PlaceKind) -> list[str]:
    return [one.name for one in page.places_model.places() if one.kind is kind]


def test_files_are_dragged_onto_a_collection_and_a_tag(
    page: LibraryPage, real_app: App, folder: Path, qtbot: QtBot
) -> None:
    real_app.organising.create("Manuals")
    real_app.organising.tag("Old", [folder / "lease.md"])
    page._read_names()
    qtbot.waitUntil(lambda: names_of(page, PlaceKind.TAG) == ["Old"])
    model = page.places_model
    data = page.model.mimeData([page.model.index(rows(page).index("pump.txt"))])
    action = Qt.DropAction.LinkAction
    for kind in (PlaceKind.COLLECTION, PlaceKind.TAG):
        row = next(n for n, p in enumerate(model.places()) if p.kind is kind)
        assert model.canDropMimeData(data, action, -1, -1, model.index(row))
        model.dropMimeData(data, action, -1, -1, model.index(row))
    qtbot.waitUntil(lambda: real_app.organising.tags() == [("Old", 2)])
    qtbot.waitUntil(lambda: [c.files for c in real_app.organising.collections()] == [1])
    assert not model.canDropMimeData(data, action, 0, 0, QModelIndex()), "not between rows"


def test_a_tag_is_renamed_and_deleted(
    page: LibraryPage, real_app: App, real_window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    real_app.organising.tag("Old", [folder])
    page._read_names()
    qtbot.waitUntil(lambda: names_of(page, PlaceKind.TAG) == ["Old"])
    page.places.choose(PlaceKind.TAG, "Old")
    page.places_model.setData(page.places.currentIndex(), "Ancient")
    qtbot.waitUntil(lambda: real_app.organising.tags() == [("Ancient", 4)])
    qtbot.waitUntil(lambda: names_of(page, PlaceKind.TAG) == ["Ancient"])
    page.places.choose(PlaceKind.TAG, "Ancient")
    qtbot.keyClick(page.places, Qt.Key.Key_Delete)
    real_window.undo_bar.settle()
    qtbot.waitUntil(lambda: real_app.organising.tags() == [])


# ---------------------------------------------------------------------- removal


def test_a_removed_file_comes_back_or_is_gone_for_good(
    page: LibraryPage, real_app: App, real_window: MainWindow, qtbot: QtBot
) -> None:
    mark(page, "pump.txt")
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    assert "pump.txt" not in rows(page)
    assert len(real_app.files()) == 4
    real_window.undo_bar.button.click()
    assert "pump.txt" in rows(page)
    mark(page, "pump.txt", "lease.md")
    page.selection_bar.remove.click()
    assert real_window.undo_bar.sentence.text() == "Removed 2 files from the library."
    real_window.undo_bar.settle()
    qtbot.waitUntil(lambda: len(real_app.files()) == 2)
    qtbot.waitUntil(lambda: page.model.total == 2, timeout=10_000)
    assert rows(page) == ["broken.txt", "locked.txt"]


def test_a_removal_is_carried_out_when_the_window_closes(
    page: LibraryPage, real_app: App, real_window: MainWindow
) -> None:
    mark(page, "pump.txt")
    page.tasks.remove(page.list.chosen())
    real_window.close()
    assert [Path(file.path).name for file in real_app.files()] == [
        "lease.md", "broken.txt", "locked.txt",
    ]  # fmt: skip


def test_folders_are_put_in_order_by_keys_and_by_dragging(
    page: LibraryPage, real_app: App, folder: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    others = [tmp_path / name for name in ("x", "y")]
    for one in others:
        one.mkdir()
        (one / "a.txt").write_text(f"Words of {one.name}.")
    real_app.add(others)
    wanted = [str(folder), *map(str, others)]
    qtbot.waitUntil(lambda: sorted(names_of(page, PlaceKind.FOLDER)) == sorted(wanted))
    qtbot.waitUntil(lambda: not real_app.status().queued, timeout=10_000)
    page.places.choose(PlaceKind.FOLDER, str(others[1]))
    qtbot.keyClick(page.places, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    order = [str(folder), str(others[1]), str(others[0])]
    assert names_of(page, PlaceKind.FOLDER) == order
    qtbot.waitUntil(lambda: [one.path for one in real_app.status().sources] == order)
    model = page.places_model
    first = next(n for n, p in enumerate(model.places()) if p.kind is PlaceKind.FOLDER)
    data = model.mimeData([model.index(first + 2)])
    model.dropMimeData(data, Qt.DropAction.MoveAction, first, 0, QModelIndex())
    order = [str(others[0]), str(folder), str(others[1])]
    assert names_of(page, PlaceKind.FOLDER) == order
    qtbot.waitUntil(lambda: [one.path for one in real_app.status().sources] == order)


def test_what_is_added_again_before_the_undo_ran_out_is_kept(
    page: LibraryPage, real_app: App, real_window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    sources = real_app.status().sources
    for _ in range(2):
        page.tasks.remove_places(page.places_model.folders())
        assert rows(page) == []
        real_window.add_paths([folder])
        qtbot.waitUntil(lambda: len(rows(page)) == len(FILES))
    real_window.undo_bar.settle()
    qtbot.wait(50)
    assert real_app.status().sources == sources
    assert names_of(page, PlaceKind.FOLDER) == [str(folder)]
    mark(page, "pump.txt")
    page.tasks.remove(page.list.chosen())
    real_window.add_paths([folder / "pump.txt"])
    qtbot.waitUntil(lambda: "pump.txt" in rows(page))
    real_window.undo_bar.settle()
    qtbot.wait(50)
    assert len(real_app.files()) == len(FILES)


def test_several_folders_are_removed_at_once(
    page: LibraryPage, real_app: App, real_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "a.txt").write_text("More words.")
    real_app.add([extra])
    qtbot.waitUntil(lambda: len(page.places_model.folders()) == 2)
    page.places.selectAll()
    qtbot.keyClick(page.places, Qt.Key.Key_Delete)
    assert page.places_model.folders() == []
    assert real_window.undo_bar.sentence.text() == "Removed 2 folders from the library."
    real_window.undo_bar.settle()
    qtbot.waitUntil(lambda: real_app.files() == [])
    qtbot.waitUntil(page.states.add_folder.isVisible, timeout=10_000)


# ---------------------------------------------------------------------- folder options


def test_rules_are_previewed_while_they_are_typed(
    page: LibraryPage, real_app: App, real_window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    page.tasks.show_options(page.places_model.folders()[0])
    dialog = dialog_of(real_window, FolderDialog, qtbot)
    qtbot.waitUntil(lambda: dialog.sum.text() == "4 files are read; the rules leave nothing out.")
    dialog.exclude.setPlainText("old/\n*.md")
    qtbot.waitUntil(lambda: dialog.preview.count() == 2)
    shown = {dialog.preview.item(row).text() for row in range(2)}
    assert shown == {"old", "lease.md"}
    assert "3 leave the library when you save" in dialog.sum.text()
    dialog.exclude.setPlainText("[a")
    qtbot.waitUntil(lambda: not dialog.save.isEnabled())
    assert "no pattern" in dialog.sum.text()
    dialog.exclude.setPlainText("old/")
    dialog.tiers[Tier.PRIMARY].setChecked(True)
    dialog.limit.setValue(5)
    qtbot.waitUntil(dialog.save.isEnabled)
    dialog.save.click()
    notice(real_window, qtbot, "hold now")
    source = real_app.change_folder(folder)
    assert source.rules == FolderRules(exclude=("old/",), max_mb=5)
    assert source.tier is Tier.PRIMARY
    qtbot.waitUntil(lambda: page.model.total == 2, timeout=10_000)


def test_an_offline_folder_says_so_and_is_found_elsewhere(
    page: LibraryPage, real_app: App, real_window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    elsewhere = folder.with_name("elsewhere")
    folder.rename(elsewhere)
    real_app.start_indexing()
    real_window.refresh_library()

    def source() -> Source | None:
        return page.places_model.folders()[0].source

    qtbot.waitUntil(lambda: (s := source()) is not None and not s.is_online, timeout=10_000)
    texts = [a.text() for a in page.places.menu_for(page.places_model.folders()).actions()]
    assert "It lies elsewhere now …" in texts
    spoken = page.places_model.index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "offline" in spoken
    page._actions.relocate(folder, elsewhere)
    notice(real_window, qtbot, "new place")
    qtbot.waitUntil(lambda: [p.name for p in page.places_model.folders()] == [str(elsewhere)])
    assert len(real_app.files()) == 4


# ---------------------------------------------------------------------- drops


def drop(window: MainWindow, *urls: QUrl) -> None:
    data = QMimeData()
    data.setUrls(list(urls))
    enter = drag_enter(data)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    action, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDropEvent(QPointF(700, 400), action, data, left, none))


def test_one_sentence_tells_what_came_of_a_drop(
    real_window: MainWindow, real_app: App, tmp_path: Path, qtbot: QtBot
) -> None:
    good = tmp_path / "good"
    good.mkdir()
    (good / "a.txt").write_text("Words.")
    odd = tmp_path / "film.mkv"
    odd.write_bytes(b"x")
    drop(
        real_window,
        QUrl.fromLocalFile(str(good)),
        QUrl.fromLocalFile(str(odd)),
        QUrl("https://example.org/paper.pdf"),
    )
    said = notice(real_window, qtbot, "Added good with 1 file.")
    assert "2 things were left out: " in said
    offered = real_window.notice.offered
    assert offered is not None
    offered.click()
    dialog = dialog_of(real_window, LeftOutDialog, qtbot)
    reasons = [label.text() for label in dialog.reasons]
    assert "no reader for .mkv" in reasons[0]
    assert "save the page" in reasons[1]
    dialog.accept()
    real_window.tell("Another thing.", "info")
    assert real_window.notice.offered is None


def test_an_address_alone_gets_a_kind_answer(real_window: MainWindow, qtbot: QtBot) -> None:
    drop(real_window, QUrl("https://example.org/"))
    assert "Web pages are not fetched" in notice(real_window, qtbot, "Web pages")


def test_an_address_as_text_is_an_address(real_window: MainWindow, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setText("https://example.org/page")
    enter = drag_enter(data)
    QApplication.sendEvent(real_window, enter)
    assert enter.isAccepted()
    assert real_window.overlay.heading == "Web pages are not fetched"
    data.setText("only some words")
    enter = drag_enter(data)
    QApplication.sendEvent(real_window, enter)
    assert not enter.isAccepted()
    real_window.overlay.hide()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_a_pipe_and_the_own_folder_are_refused(
    real_window: MainWindow, real_app: App, tmp_path: Path, qtbot: QtBot
) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    real_window.add_paths([tmp_path / "pipe.txt"])
    notice(real_window, qtbot, "device or a pipe")
    real_window.add_paths([tmp_path / "data"])
    notice(real_window, qtbot, "belongs to Desktop RAG")
    real_window.add_paths([Path("/nowhere/gone.pdf")])
    notice(real_window, qtbot, "does not exist")
    assert real_app.status().sources == ()


def test_very_many_files_are_asked_about(
    real_window: MainWindow,
    real_app: App,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drop_flow, "MANY_FILES", 50)
    many = tmp_path / "many"
    many.mkdir()
    for number in range(60):
        (many / f"{number}.txt").write_text("Words.")
    real_window.add_paths([many])
    dialog = dialog_of(real_window, CountingDialog, qtbot)
    qtbot.waitUntil(dialog.add.isVisible)
    assert dialog.sentence.text() == "Add 60 files (360 bytes)?"
    dialog.stop.click()
    assert real_app.status().sources == ()
    real_window.add_paths([many])
    dialog = dialog_of(real_window, CountingDialog, qtbot)
    qtbot.waitUntil(dialog.add.isVisible)
    dialog.add.click()
    notice(real_window, qtbot, "Added many with 60 files.")


def test_counting_is_shown_and_can_be_stopped(
    real_window: MainWindow,
    real_app: App,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drop_flow, "_PATIENCE_MS", 0)
    look_at = real_app.receiving.look_at

    def slow(given: list[str], on_count: Callable[[int], None]) -> object:
        for count in range(1000):
            on_count(count)
            time.sleep(0.01)
        return look_at(given)

    monkeypatch.setattr(real_app.receiving, "look_at", slow)
    real_window.add_paths([tmp_path])
    dialog = dialog_of(real_window, CountingDialog, qtbot)
    qtbot.waitUntil(lambda: "found so far" in dialog.detail.text())
    dialog.stop.click()
    qtbot.waitUntil(lambda: not real_window.findChildren(drop_flow.DropFlow), timeout=5000)
    assert real_app.status().sources == ()
    assert not real_window.findChildren(QMessageBox)


# ---------------------------------------------------------------------- why


def test_why_follows_a_file_and_offers_what_helps(
    page: LibraryPage, real_app: App, real_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("Quinces are yellow.")
    page.head.why.click()
    dialog = dialog_of(real_window, TraceDialog, qtbot)
    qtbot.keyClicks(dialog.text, str(outside))
    qtbot.keyClick(dialog.text, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.trace.rows() == [("stopped", "Added")])
    assert "no folder" in dialog.conclusion.text()
    (button,) = dialog.trace.buttons()
    assert button.text() == "Add"
    button.click()
    notice(real_window, qtbot, "Added outside.txt.")
    qtbot.waitUntil(lambda: not real_app.status().queued, timeout=10_000)
    dialog.look.click()
    qtbot.waitUntil(lambda: ("passed", "Search index") in dialog.trace.rows(), timeout=10_000)
    dialog.ask("quinces are yellow")
    qtbot.waitUntil(lambda: ("passed", "Shown") in dialog.trace.rows())
    assert dialog.conclusion.property("kind") == "good"
    dialog.ask("…")
    qtbot.waitUntil(lambda: "Type the name" in dialog.conclusion.text())
    dialog.reject()


def test_enter_looks_once(
    page: LibraryPage, real_window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.head.why.click()
    dialog = dialog_of(real_window, TraceDialog, qtbot)
    looked: list[object] = []
    monkeypatch.setattr(dialog, "_stop", lambda: looked.append(dialog.text.text()))
    for field in (dialog.text, dialog.file):
        qtbot.keyClicks(field, "quinces")
        qtbot.keyClick(field, Qt.Key.Key_Return)
        qtbot.waitUntil(dialog.bar.isHidden)
    assert looked == ["quinces", "quinces"]
    monkeypatch.undo()
    dialog.reject()


def test_why_is_asked_of_a_file_in_the_list(
    page: LibraryPage, real_window: MainWindow, qtbot: QtBot
) -> None:
    mark(page, "locked.txt")
    page.details.why.click()
    dialog = dialog_of(real_window, TraceDialog, qtbot)
    qtbot.waitUntil(lambda: ("stopped", "Read") in dialog.trace.rows())
    dialog.reject()


# ---------------------------------------------------------------------- the list itself


def test_only_what_changed_is_read_again(
    page: LibraryPage, real_app: App, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole: list[int] = []
    files = real_app.files

    def counted() -> list[LibraryFile]:
        whole.append(1)
        return files()

    monkeypatch.setattr(real_app, "files", counted)
    document = next(f for f in real_app.files() if f.path.endswith("locked.txt"))
    whole.clear()
    (folder / "old" / "locked.txt").write_text("Open words.")
    real_app.pause_indexing()
    real_app.retry([document.id])

    def state() -> str:
        index = page.model.index(rows(page).index("locked.txt"))
        return str(index.data(FILE_ROLE).state)

    qtbot.waitUntil(lambda: state() == "queued")
    assert whole == []
    real_app.resume_indexing()
    qtbot.waitUntil(lambda: state() == "ready", timeout=10_000)


def test_a_paused_library_says_how_many_files_wait(
    page: LibraryPage, real_app: App, folder: Path, qtbot: QtBot
) -> None:
    page.progress.pause_requested.emit()
    qtbot.waitUntil(real_app.is_paused)
    (folder / "new.txt").write_text("New words.")
    real_app.add([folder])
    qtbot.waitUntil(lambda: page.progress.counts.text() == "1 file waits", timeout=10_000)
    assert page.progress.name.text() == "Indexing is paused."
    page.progress.pause.click()
    qtbot.waitUntil(lambda: page.model.total == 5, timeout=10_000)
    qtbot.waitUntil(lambda: page.head.summary.text().startswith("3 of 5"), timeout=10_000)


def test_a_list_that_cannot_be_read_says_so_and_tries_again(
    page: LibraryPage, real_app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = real_app.files

    def fail() -> None:
        raise DiskFull("The disk is full; free some space, then try again.")

    monkeypatch.setattr(real_app, "files", fail)
    page.feed.reload()
    qtbot.waitUntil(page.states.reload.isVisible, timeout=10_000)
    assert "disk is full" in page.states.sentence.text()
    monkeypatch.setattr(real_app, "files", files)
    page.states.reload.click()
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.list, timeout=15_000)


def test_a_narrow_page_has_menus_in_the_place_of_lists(
    page: LibraryPage, real_window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    real_window.resize(real_window.minimumSize())
    qtbot.waitUntil(lambda: not page.places.isVisible())
    assert page.filters.place.isVisible()
    page.filters._fill_places()
    choose(page.filters.place.menu(), folder.name)
    assert page.places.marked()[0] == Place(
        PlaceKind.FOLDER, str(folder), 4, (str(folder),), page.places_model.folders()[0].source
    )
    mark(page, "lease.md")
    assert page.middle.orientation() == Qt.Orientation.Vertical


def test_no_sentence_names_a_command(
    page: LibraryPage, real_app: App, folder: Path, qtbot: QtBot
) -> None:
    real_app.change_setting("ocr", "off")
    (folder / "mixed.txt").write_text(f"Typed.\f{SCAN}Scanned.")
    real_app.start_indexing()
    assert real_app.wait_until_indexed(20)
    qtbot.waitUntil(lambda: "mixed.txt" in rows(page), timeout=10_000)
    qtbot.waitUntil(lambda: page.head.summary.text().startswith("3 of 5"), timeout=10_000)
    mark(page, "mixed.txt")
    qtbot.waitUntil(lambda: bool(page.details.reason.text()))
    index = page.model.index(rows(page).index("mixed.txt"))
    told = page.details.reason.text() + str(index.data(Qt.ItemDataRole.ToolTipRole))
    assert "desktop-rag" not in told
    assert "switch it on in the settings" in told
