"""A library that cannot be opened: what happened, who has it, and what would help."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.errors import (
    DesktopRagError,
    DiskFull,
    LibraryDamaged,
    LibraryLocked,
    LibraryTooNew,
    RoleUnavailable,
    UserError,
    WorkerCrashed,
)
from desktop_rag.domain.events import EngineState, IndexingPaused, IndexingProgress
from desktop_rag.paths import DataDir
from desktop_rag.services.update_check import UpdateFound
from desktop_rag.storage.archives import write_backup
from desktop_rag.ui.desktop import Desktop
from desktop_rag.ui.error_page import ErrorPage
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.screen import has_screen
from desktop_rag.ui.starting_jobs import tell_update
from desktop_rag.ui.theme import Theme
from tests.helpers.fakes import fake_engines


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> ErrorPage:
    made = ErrorPage(theme)
    made.resize(900, 600)
    qtbot.addWidget(made)
    made.show()
    return made


def shown(page: ErrorPage) -> set[str]:
    buttons = (page.retry, page.restore, page.other, page.quit)
    return {button.text() for button in buttons if button.isVisible()}


@pytest.mark.parametrize(
    ("error", "heading", "advice", "offered"),
    [
        (
            LibraryLocked("It is open.", pid="77", command="add"),
            "open somewhere else",
            "The command “add” has it, process 77.",
            {"Try again"},
        ),
        (
            LibraryLocked("It is open.", pid="77", command=""),
            "open somewhere else",
            "The other window is process 77.",
            {"Try again"},
        ),
        (LibraryTooNew("It is too new."), "newer version", "", set()),
        (
            LibraryTooNew("It is too new.", copy="/d/backups/library-v5-x", copied="2026-11-30"),
            "newer version",
            "There is a copy of 2026-11-30, from before the update.",
            {"Go back to the copy"},
        ),
        (
            LibraryDamaged("It is damaged."),
            "cannot be read",
            "A backup brings back",
            {"Try again", "Restore a backup…"},
        ),
        (DiskFull("No room."), "disk is full", "Nothing that was read is lost", {"Try again"}),
        (UserError("Not allowed."), "could not be opened", "", {"Try again"}),
    ],
)
def test_each_state_says_what_happened_and_what_helps(
    page: ErrorPage, error: DesktopRagError, heading: str, advice: str, offered: set[str]
) -> None:
    page.show_error(error)
    assert heading in page.heading.text()
    assert page.sentence.text() == error.message
    assert page.advice.text().startswith(advice)
    assert page.advice.isVisible() == bool(advice)
    assert shown(page) == {"Open another data folder…", "Quit", *offered}
    assert page.first_button.isVisible()
    assert error.message in page.accessibleName()


def test_going_back_to_a_copy_takes_that_copy(page: ErrorPage, qtbot: QtBot) -> None:
    message = (
        "The library was written by a newer version. Or go back to the copy that was made on "
        "2026-11-30, without what came later: `desktop-rag restore /d/a.b.sqlite3 --force`."
    )
    page.show_error(LibraryTooNew(message, copy="/d/a.b.sqlite3", copied="2026-11-30"))
    assert page.sentence.text() == "The library was written by a newer version."
    with qtbot.waitSignal(page.backup_chosen) as chosen:
        page.restore.click()
    assert chosen.args == [Path("/d/a.b.sqlite3")]
    page.show_error(LibraryDamaged("It is damaged."))
    assert page.restore.text() == "Restore a backup…"


def test_a_folder_that_cannot_be_used_names_the_button_instead_of_an_option(
    page: ErrorPage,
) -> None:
    page.show_error(UserError("Check its permissions, or choose another one with --data-dir."))
    assert page.sentence.text() == "Check its permissions, or open another data folder."


@pytest.mark.parametrize(
    "sentence",
    [
        "The library in /home/a/.local/share/desktop-rag is damaged: put it back.",
        "/data/desktop-rag/library.sqlite3 is empty, though there was a library in it.",
        r"C:\Users\a\desktop-rag is read-only.",
    ],
)
def test_a_folder_that_is_called_like_the_command_keeps_its_name(
    page: ErrorPage, sentence: str
) -> None:
    page.show_error(UserError(sentence))
    assert page.sentence.text() == sentence


class Start:
    def __init__(self, application: QApplication, qtbot: QtBot, data: Path) -> None:
        self._application, self._qtbot, self.data = application, qtbot, data
        self.running: list[Desktop] = []

    def __call__(self) -> Desktop:
        desktop = Desktop(
            self._application,
            lambda: App.open(self.data, fake_engines()),
            self.data,
            find_tray=lambda _: None,
        )
        self.running.append(desktop)
        with self._qtbot.waitSignal(desktop.refused):
            desktop.start()
        return desktop


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[Start]:
    made = Start(qapp, qtbot, tmp_path / "data")
    yield made
    for desktop in made.running:
        desktop.quit()
        desktop.finish()
        desktop.window.deleteLater()
        desktop.theme.deleteLater()
        desktop.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def dialog_of(desktop: Desktop, qtbot: QtBot) -> QFileDialog:
    page = desktop.window.error_page
    qtbot.waitUntil(lambda: page.findChild(QFileDialog) is not None)
    found = page.findChild(QFileDialog)
    assert isinstance(found, QFileDialog)
    return found


def test_a_locked_library_opens_when_the_other_process_ends(start: Start, qtbot: QtBot) -> None:
    with App.open(start.data, fake_engines()):
        desktop = start()
        assert "process" in desktop.window.error_page.advice.text()
    with qtbot.waitSignal(desktop.opened):
        desktop.window.error_page.retry.click()


def test_a_damaged_library_is_put_back_from_a_backup(
    start: Start, qtbot: QtBot, tmp_path: Path
) -> None:
    document = tmp_path / "tea.txt"
    document.write_text("Tea is green and grows on hills.")
    with App.open(start.data, fake_engines()) as app:
        app.add([document])
        app.start_indexing()
        assert app.wait_until_indexed(20)
    write_backup(DataDir(start.data), tmp_path / "kept.backup")
    DataDir(start.data).database.write_bytes(b"no database at all" * 500)
    desktop = start()
    page = desktop.window.error_page
    assert page.first_button is page.restore
    wrong = tmp_path / "wrong.backup"
    wrong.write_text("x")
    page.restore.click()
    dialog_of(desktop, qtbot).fileSelected.emit(str(wrong))
    qtbot.waitUntil(page.isEnabled)
    qtbot.waitUntil(lambda: str(wrong) in page.advice.text())
    page.restore.click()
    with qtbot.waitSignal(desktop.opened, timeout=10_000):
        dialog_of(desktop, qtbot).fileSelected.emit(str(tmp_path / "kept.backup"))
    assert desktop._app is not None
    assert [Path(file.path).name for file in desktop._app.files()] == ["tea.txt"]
    assert "is kept in" in desktop.window.notice.sentence.text()


def test_another_data_folder_is_opened_by_another_start(
    start: Start, qtbot: QtBot, tmp_path: Path
) -> None:
    with App.open(start.data, fake_engines()):
        desktop = start()
        desktop.window.error_page.other.click()
        dialog_of(desktop, qtbot).fileSelected.emit(str(tmp_path / "other"))
        qtbot.waitUntil(lambda: desktop._is_closing)
        assert (desktop.is_restart_wanted, desktop.next_data_dir) == (True, tmp_path / "other")


def test_quit_is_reached_with_the_keyboard(start: Start, qtbot: QtBot) -> None:
    with App.open(start.data, fake_engines()):
        desktop = start()
        page = desktop.window.error_page
        assert desktop.window.focusWidget() is page.retry
        page.quit.setFocus()
        qtbot.keyClick(page.quit, Qt.Key.Key_Return)
        assert desktop._is_closing


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"QT_QPA_PLATFORM": "offscreen"}, True),
        ({"DISPLAY": ":4711"}, False),
        ({"DISPLAY": "elsewhere:10.0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-77", "XDG_RUNTIME_DIR": "/nowhere"}, False),
    ],
)
def test_a_display_that_does_not_answer_is_none(
    environment: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert has_screen(environment) is expected


def test_a_worker_that_gave_up_is_started_again_from_its_sentence(
    real_window: MainWindow, real_app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    restarted: list[str] = []
    monkeypatch.setattr(real_app, "restart_engine", restarted.append)
    real_app.bus.publish(EngineState("index", "unavailable", "The search index crashed thrice."))
    notice = real_window.notice
    qtbot.waitUntil(lambda: "crashed thrice" in notice.sentence.text())
    assert notice.offered is not None
    notice.offered.setFocus()
    qtbot.keyClick(notice.offered, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: restarted == ["index"])
    assert notice.isHidden()


def test_a_pause_leaves_the_button_that_starts_the_worker_again(
    real_window: MainWindow, real_app: App, qtbot: QtBot
) -> None:
    sentence = "The search index crashed thrice."
    real_app.bus.publish(EngineState("index", "unavailable", sentence))
    real_app.bus.publish(IndexingPaused(sentence, RoleUnavailable.code))
    notice = real_window.notice
    qtbot.waitUntil(lambda: notice.sentence.text() == sentence)
    qtbot.wait(50)
    assert notice.offered is not None


def test_what_is_told_of_a_crash_goes_when_the_work_goes_on(
    real_window: MainWindow, real_app: App, qtbot: QtBot
) -> None:
    notice, publish = real_window.notice, real_app.bus.publish
    publish(EngineState("ocr", "unavailable", "Text recognition crashed thrice."))
    qtbot.waitUntil(notice.isVisible)
    publish(EngineState("index", "ready", ""))
    publish(IndexingProgress(1, 2, 0, "a.txt"))
    qtbot.wait(50)
    assert notice.isVisible(), "it is still off"
    publish(EngineState("ocr", "ready", ""))
    qtbot.waitUntil(notice.isHidden)
    publish(IndexingPaused("The reader crashed.", WorkerCrashed.code))
    qtbot.waitUntil(notice.isVisible)
    publish(IndexingProgress(1, 2, 0, "a.txt"))
    qtbot.waitUntil(notice.isHidden)


def test_a_newer_version_is_told_with_a_way_to_it(
    real_window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        "desktop_rag.ui.starting_jobs.QDesktopServices.openUrl",
        lambda url: opened.append(url.toString()),
    )
    tell_update(real_window, UpdateFound("9.0", "0.1.0", "https://x.example/"))
    assert real_window.notice.sentence.text() == "Version 9.0 is there; you have 0.1.0."
    assert real_window.notice.offered is not None
    qtbot.mouseClick(real_window.notice.offered, Qt.MouseButton.LeftButton)
    assert opened == ["https://x.example/"]
