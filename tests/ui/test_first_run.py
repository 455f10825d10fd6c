"""The first steps over the real façade: folders, language model, go."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.errors import DiskFull
from desktop_rag.services.suggestions import PlaceKind, Suggestions
from desktop_rag.ui.first_run import first_run_page
from desktop_rag.ui.first_run.first_run_page import FOLDERS, GO, MODEL, FirstRunPage
from desktop_rag.ui.first_run.folder_step import sample_documents
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.pages import FIRST_RUN
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.shortcuts import ShortcutsSheet
from desktop_rag.ui.theme import Theme
from tests.helpers.fakes import fake_engines
from tests.helpers.model_shelf import BIG, Shelf


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with documents and a cloud."""
    home = tmp_path / "home"
    for name in ("Documents", "Dropbox"):
        (home / name).mkdir(parents=True)
    for number in range(3):
        (home / "Documents" / f"{number}.txt").write_text(
            f"Note {number}. " * 125, encoding="utf-8"
        )
    return home


@pytest.fixture
def app(shelf: Shelf, home: Path, tmp_path: Path) -> Iterator[App]:
    with App.open(tmp_path / "data", fake_engines()) as opened:
        opened.suggestions = Suggestions(
            lambda: {".txt"}, lambda: home, lambda: {PlaceKind.DOCUMENTS: home / "Documents"}
        )
        opened.start_indexing()
        yield opened


MakeWindow = Callable[[], MainWindow]


@pytest.fixture
def start(app: App, theme: Theme, tmp_path: Path, qtbot: QtBot) -> Iterator[MakeWindow]:
    """Opens a window as a start of the program does, with preferences that are kept."""
    made: list[MainWindow] = []

    def make() -> MainWindow:
        window = MainWindow(theme, Preferences(tmp_path / "data"))
        made.append(window)
        qtbot.addWidget(window)
        window.show()
        window.attach(app)
        qtbot.waitUntil(lambda: bool(window.sidebar.counts.text()))
        return window

    yield make
    for window in made:
        window.close()


@pytest.fixture
def page(start: MakeWindow, qtbot: QtBot) -> FirstRunPage:
    return page_of(start(), qtbot)


def page_of(window: MainWindow, qtbot: QtBot) -> FirstRunPage:
    qtbot.waitUntil(lambda: window.pages.current == FIRST_RUN)
    page = window.pages.page(FIRST_RUN)
    assert isinstance(page, FirstRunPage)
    return page


def window_of(page: FirstRunPage) -> MainWindow:
    window = page.window()
    assert isinstance(window, MainWindow)
    return window


# when it is shown
def test_an_empty_new_library_begins_with_it_once(start: MakeWindow, qtbot: QtBot) -> None:
    window = start()
    page = page_of(window, qtbot)
    assert page.step == FOLDERS
    page.skip.click()
    assert window.pages.current == "chat"
    window.close()
    again = start()
    qtbot.waitUntil(lambda: bool(again.sidebar.counts.text()))
    assert again.pages.current == "chat"


def test_a_library_with_files_begins_with_the_chat(
    start: MakeWindow, app: App, home: Path, qtbot: QtBot
) -> None:
    app.add([home / "Documents"])
    window = start()
    qtbot.waitUntil(lambda: bool(window.sidebar.counts.text()))
    assert window.pages.current == "chat"


def test_it_can_be_opened_again_from_the_help(start: MakeWindow, qtbot: QtBot) -> None:
    window = start()
    page_of(window, qtbot).skip.click()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    [sheet] = window.findChildren(ShortcutsSheet)
    sheet.first_steps.click()
    assert window.pages.current == FIRST_RUN


# folders
def test_the_usual_folders_are_offered_and_nothing_is_chosen(
    page: FirstRunPage, app: App, home: Path, qtbot: QtBot
) -> None:
    rows = page.folders.rows
    qtbot.waitUntil(lambda: len(rows) == 2)
    documents, cloud = rows[home / "Documents"], rows[home / "Dropbox"]
    qtbot.waitUntil(lambda: documents.size_text.text() == "3 files, 3 kB")
    qtbot.waitUntil(lambda: cloud.size_text.text() == "nothing to read")
    assert "fetched by the program of Dropbox" in cloud.toolTip()
    assert app.status().sources == ()


def test_a_folder_is_added_and_removed_with_one_press(
    page: FirstRunPage, app: App, home: Path, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: len(page.folders.rows) == 2)
    row = page.folders.rows[home / "Documents"]
    qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row.is_added)
    assert [source.path for source in app.status().sources] == [str(home / "Documents")]
    assert row.button.accessibleName() == "Remove Documents"
    row.button.click()
    assert not row.is_added
    window_of(page).undo_bar.settle()
    qtbot.waitUntil(lambda: app.status().sources == ())
    assert not row.is_added


def test_a_folder_that_is_removed_by_mistake_is_kept(
    page: FirstRunPage, app: App, home: Path, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: len(page.folders.rows) == 2)
    row = page.folders.rows[home / "Documents"]
    row.button.click()
    qtbot.waitUntil(lambda: row.is_added)
    kept = app.status().sources
    undo = window_of(page).undo_bar
    row.button.click()
    assert undo.sentence.text() == "Removed Documents from the library."
    undo.button.click()
    qtbot.waitUntil(lambda: row.is_added)
    row.button.click()
    row.button.click()  # or added again while it can still be undone
    qtbot.waitUntil(lambda: row.is_added)
    undo.settle()
    qtbot.wait(50)
    assert row.is_added
    assert app.status().sources == kept


def test_a_folder_that_cannot_be_added_can_be_tried_again(
    page: FirstRunPage, app: App, home: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_paths: list[Path]) -> None:
        raise DiskFull("The disk is full.")

    monkeypatch.setattr(app, "add", refuse)
    qtbot.waitUntil(lambda: len(page.folders.rows) == 2)
    row = page.folders.rows[home / "Documents"]
    row.button.click()
    qtbot.waitUntil(lambda: window_of(page).notice.sentence.text() == "The disk is full.")
    qtbot.waitUntil(row.button.isEnabled)
    assert not row.is_added


def test_what_is_dropped_is_listed(
    page: FirstRunPage, home: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.txt").write_text("Apples.", encoding="utf-8")
    window_of(page).add_paths([tmp_path / "elsewhere"])
    qtbot.waitUntil(lambda: tmp_path / "elsewhere" in page.folders.rows)
    assert page.folders.rows[tmp_path / "elsewhere"].is_added


def test_the_sample_documents_are_one_press_away(
    page: FirstRunPage, app: App, qtbot: QtBot
) -> None:
    page.folders.samples.click()
    qtbot.waitUntil(lambda: page.step == GO)
    assert [source.path for source in app.status().sources] == [str(sample_documents())]
    qtbot.waitUntil(lambda: "Aurora heat pump" in page.go.tip.text())


def test_sample_documents_that_come_late_lead_nobody_back(page: FirstRunPage) -> None:
    page.skip.click()
    page.folders.samples_added.emit()
    assert page.step == FOLDERS
    assert window_of(page).pages.current == "chat"


# the language model
def test_without_a_model_one_is_suggested_and_can_be_passed_over(
    page: FirstRunPage, qtbot: QtBot
) -> None:
    page.forward.click()
    assert page.step == MODEL
    qtbot.waitUntil(lambda: page.model.card is not None)
    card = page.model.card
    assert card is not None
    assert card.model_id == BIG
    assert card.main_action.text().startswith("Download")
    assert "package index" in card.origin.text()
    assert page.forward.text() == "Continue without"
    assert page.model.without.isVisible()
    page.forward.click()
    qtbot.waitUntil(lambda: "word for word" in page.go.model.text())


def test_a_model_is_picked_from_a_file(page: FirstRunPage, shelf: Shelf, qtbot: QtBot) -> None:
    page.forward.click()
    qtbot.waitUntil(lambda: page.model.card is not None)
    page.model.add.chosen.emit(shelf.write(shelf.big, "from usb.gguf"))
    qtbot.waitUntil(lambda: page.model.has_model)
    assert page.forward.text() == "Continue"
    assert "is installed" in page.model.sentence.text()
    assert not page.model.without.isVisible()
    page.forward.click()
    qtbot.waitUntil(lambda: BIG in page.go.model.text())


def test_a_broken_model_file_is_refused_here_too(
    page: FirstRunPage, shelf: Shelf, qtbot: QtBot
) -> None:
    page.forward.click()
    qtbot.waitUntil(lambda: page.model.card is not None)
    page.model.add.chosen.emit(shelf.write(shelf.big[:-4000], "half.gguf"))
    notice = window_of(page).notice
    qtbot.waitUntil(lambda: "4,000 bytes are missing" in notice.sentence.text())
    assert not page.model.has_model


# go
def test_the_library_is_usable_while_it_is_read(
    page: FirstRunPage, app: App, home: Path, qtbot: QtBot
) -> None:
    app.add([home / "Documents"])
    page.turn_to(GO)
    qtbot.waitUntil(lambda: page.go.files.text() == "3 files are searchable.")
    page.forward.click()
    window = window_of(page)
    assert window.pages.current == "chat"
    assert window.chat.composer.edit.hasFocus()


def test_an_empty_library_is_said_to_be_empty(page: FirstRunPage, qtbot: QtBot) -> None:
    page.turn_to(GO)
    qtbot.waitUntil(lambda: "still empty" in page.go.files.text())


# keyboard alone, and screen readers
def test_the_keyboard_alone_leads_through_and_each_step_is_announced(
    page: FirstRunPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(first_run_page, "announce", lambda _widget, text: said.append(text))
    window_of(page).activateWindow()
    assert page.folders.choose_folder.hasFocus()
    page.forward.setFocus()
    for _press in range(3):
        focused = QApplication.focusWidget()
        assert focused is page.forward
        qtbot.keyClick(focused, Qt.Key.Key_Return)
    assert said == [
        "Step 2 of 3. Who writes the answers?",
        "Step 3 of 3. Ready when you are",
    ]
    assert window_of(page).pages.current == "chat"


def test_the_folders_are_reached_by_tab_before_what_stands_below_them(
    page: FirstRunPage, qtbot: QtBot
) -> None:
    folders = page.folders
    qtbot.waitUntil(lambda: [row.isVisible() for row in folders.rows.values()] == [True, True])
    expected = [*(row.button for row in folders.rows.values()), folders.samples]
    folders.choose_files.setFocus()
    reached = []
    for _press in expected:
        focused = QApplication.focusWidget()
        assert focused is not None
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
    assert reached == expected


def test_back_leads_back(page: FirstRunPage) -> None:
    page.turn_to(GO)
    assert not page.skip.isVisible()
    page.back.click()
    assert page.step == MODEL
    page.back.click()
    assert page.step == FOLDERS
    assert not page.back.isVisible()
