"""The program around its window: tray, closing, opening files, another window, the next start."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QRect, Qt, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.wanted import Wanted
from desktop_rag.ui import desktop as desktop_module
from desktop_rag.ui import starting_jobs
from desktop_rag.ui.chat.session import Running
from desktop_rag.ui.crash_bar import CrashBar
from desktop_rag.ui.crash_report import head
from desktop_rag.ui.crash_watch import CrashWatch
from desktop_rag.ui.desktop import Desktop
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.opening_wishes import OfferBar
from desktop_rag.ui.pages import FIRST_RUN
from desktop_rag.ui.preferences.controls import ChoiceControl
from desktop_rag.ui.preferences.page import SettingsPage
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.smoothness import Sweeper
from tests.helpers.fake_tray import FakeTrayIcon
from tests.helpers.fakes import fake_engines

pytestmark = pytest.mark.qt_log_ignore("does not support raise")

TEXT = "The harbour opened in 1932.\n\nTea is green and grows on hills.\n"


class Start:
    """Starts the program over the same data folder, again and again."""

    def __init__(self, application: QApplication, qtbot: QtBot, folder: Path) -> None:
        self._application = application
        self._qtbot = qtbot
        self.data, self.docs = folder / "data", folder / "docs"
        self.tray: FakeTrayIcon | None = None
        self._running: list[Desktop] = []

    def __call__(self, wanted: Wanted | None = None, watch: CrashWatch | None = None) -> Desktop:
        desktop = self.begin(wanted, watch)
        with self._qtbot.waitSignal(desktop.opened):
            desktop.start()
        return desktop

    def begin(self, wanted: Wanted | None, watch: CrashWatch | None = None) -> Desktop:
        desktop = Desktop(
            self._application,
            lambda: App.open(self.data, fake_engines()),
            self.data,
            wanted,
            find_tray=lambda _: self.tray,
        )
        if watch is not None:
            desktop.watch_crashes(watch)
        self._running.append(desktop)
        return desktop

    def preferences(self) -> Preferences:
        self.data.mkdir(exist_ok=True)
        return Preferences(self.data)

    def file(self, name: str = "harbour.txt", text: str = TEXT) -> Path:
        self.docs.mkdir(exist_ok=True)
        (self.docs / name).write_text(text)
        return self.docs / name

    def library(self, *names: str) -> None:
        with App.open(self.data, fake_engines()) as app:
            for name in names:
                self.file(name)
            app.add([self.docs])
            app.start_indexing()
            assert app.wait_until_indexed(20)

    def end(self) -> None:
        for desktop in self._running:
            desktop.quit()
            desktop.finish()
            desktop.window.deleteLater()
            desktop.theme.set_text_scale(1)
            desktop.theme.deleteLater()
            desktop.deleteLater()
        self._running.clear()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[Start]:
    made = Start(qapp, qtbot, tmp_path)
    yield made
    made.end()


def bar_of(desktop: Desktop) -> OfferBar:
    found = desktop.window.findChild(OfferBar)
    assert isinstance(found, OfferBar)
    return found


# ---------------------------------------------------------------------- open


def test_a_file_of_the_library_is_opened_at_its_words(start: Start, qtbot: QtBot) -> None:
    start.library("harbour.txt")
    desktop = start(Wanted((start.docs / "harbour.txt",), quote="grows on hills"))
    viewer = desktop.window.viewer
    qtbot.waitUntil(viewer.isVisible)
    qtbot.waitUntil(lambda: "harbour" in viewer.head.title.text().lower())
    assert bar_of(desktop).isHidden()


def test_what_is_not_in_the_library_is_offered_and_not_added(start: Start, qtbot: QtBot) -> None:
    path = start.file("new.txt")
    desktop = start(Wanted((path,)))
    bar = bar_of(desktop)
    qtbot.waitUntil(lambda: not bar.isHidden())
    assert bar.sentence.text() == "“new.txt” is not in your library."
    assert desktop._app is not None
    app = desktop._app
    assert app.files() == []
    desktop._on_called(Wanted((start.file("other.txt"), path)))
    qtbot.waitUntil(lambda: bar.sentence.text() == "2 files are not in your library.")
    bar.button.setFocus()
    qtbot.keyClick(bar.button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(app.files()) == 2)
    assert bar.isHidden()
    assert desktop.window.pages.current == "library"


def _says(notice: NoticeBar, sentence: str) -> bool:
    return sentence in notice.sentence.text()


def test_words_that_are_not_there_and_files_that_are_gone_are_told(
    start: Start, qtbot: QtBot
) -> None:
    start.library("harbour.txt")
    desktop = start()
    notice = desktop.window.notice
    for wanted, sentence in (
        (Wanted((start.docs / "harbour.txt",), quote="zeppelin"), "Those words are not in"),
        (Wanted((start.docs / "harbour.txt",), page=7), "has no such page"),
        (Wanted((start.docs / "gone.txt",)), "There is no file"),
    ):
        desktop._on_called(wanted)
        qtbot.waitUntil(partial(_says, notice, sentence))


def test_a_folder_of_the_library_leads_to_the_library(start: Start, qtbot: QtBot) -> None:
    start.library("harbour.txt")
    desktop = start(Wanted((start.docs,)))
    qtbot.waitUntil(lambda: desktop.window.pages.current == "library")


def files_of(desktop: Desktop) -> set[str]:
    assert desktop._app is not None
    return {Path(file.path).name for file in desktop._app.files()}


def test_a_file_that_the_system_sends_is_added(
    start: Start, qtbot: QtBot, qapp: QApplication
) -> None:
    desktop = start()
    path = start.file("sent.txt")
    QApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(path))))
    qtbot.waitUntil(lambda: files_of(desktop) == {"sent.txt"})


def test_what_a_file_manager_opens_is_added_as_if_dropped(start: Start, qtbot: QtBot) -> None:
    start.preferences().set_flag(FIRST_RUN, is_on=True)
    desktop = start(Wanted(added=(start.file("new.txt"),)))
    qtbot.waitUntil(lambda: files_of(desktop) == {"new.txt"})
    qtbot.waitUntil(lambda: desktop.window.pages.current == "library")
    assert bar_of(desktop).isHidden(), "nothing is asked"
    desktop._on_called(Wanted(added=(start.file("b.txt"), start.docs / "gone.txt")))
    qtbot.waitUntil(lambda: files_of(desktop) == {"new.txt", "b.txt"})
    desktop._on_called(Wanted(added=(start.docs,)))
    start.file("c.txt")
    qtbot.waitUntil(lambda: files_of(desktop) == {"new.txt", "b.txt", "c.txt"})


def test_a_known_file_from_a_file_manager_is_shown(start: Start, qtbot: QtBot) -> None:
    start.library("harbour.txt")
    desktop = start(Wanted(added=(start.docs / "harbour.txt",)))
    viewer = desktop.window.viewer
    qtbot.waitUntil(lambda: "harbour" in viewer.head.title.text().lower())
    assert desktop.window.pages.current == "chat"


def test_a_bundle_of_models_leads_to_the_models(start: Start, qtbot: QtBot) -> None:
    desktop = start(Wanted(added=(start.file("Both.ragmodels", "no bundle"),)))
    qtbot.waitUntil(lambda: desktop.window.pages.current == "models")
    qtbot.waitUntil(lambda: _says(desktop.window.notice, "Both.ragmodels holds no models"))
    assert desktop.window.pages.current == "models"
    assert files_of(desktop) == set()


def test_a_menu_entry_begins_a_new_chat(start: Start, qtbot: QtBot) -> None:
    desktop = start()
    desktop.window.show_library()
    desktop._on_called(Wanted(is_new_chat=True))
    assert desktop.window.pages.current == "chat"
    assert desktop.window.session.conversation is None


def test_wishes_of_two_starts_are_both_kept() -> None:
    first = Wanted((Path("/a"),), added=(Path("/b"),), is_new_chat=True)
    both = first.and_then(Wanted((Path("/c"),), 2, "words", added=(Path("/b"), Path("/d"))))
    assert both == Wanted(
        (Path("/a"), Path("/c")), 2, "words", added=(Path("/b"), Path("/d")), is_new_chat=True
    )


# ---------------------------------------------------------------------- tray


def test_closing_leaves_the_program_in_the_tray_and_says_so_once(
    start: Start, qtbot: QtBot
) -> None:
    start.preferences().closes_to_tray = True
    start.tray = FakeTrayIcon()
    desktop = start()
    window = desktop.window
    assert start.tray.isVisible()
    assert (window.close(), window.isVisible(), desktop._is_closing) == (False, False, False)
    assert [title for title, _ in start.tray.messages] == ["Desktop RAG is still there"]
    assert desktop._presence is not None
    assert desktop._presence.tray is not None
    desktop._presence.tray.ask_action.trigger()
    assert window.isVisible()
    assert window.focusWidget() is window.chat.composer.edit
    window.close()
    assert len(start.tray.messages) == 1
    desktop._presence.tray.quit_action.trigger()
    assert desktop._is_closing
    assert not start.tray.isVisible()


def test_without_the_choice_or_the_icon_closing_ends_the_program(start: Start) -> None:
    start.tray = FakeTrayIcon()
    desktop = start()
    desktop.preferences.closes_to_tray = True
    desktop.preferences.has_tray = False
    assert desktop._presence is not None
    desktop._presence.refresh()
    assert desktop.window.close()
    assert desktop._is_closing


def test_logging_out_and_ctrl_q_are_not_answered_with_the_tray(start: Start, qtbot: QtBot) -> None:
    start.preferences().closes_to_tray = True
    start.tray = FakeTrayIcon()
    desktop = start()
    qtbot.waitUntil(desktop.window.isActiveWindow)
    qtbot.keyClick(desktop.window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: desktop._is_closing)
    start.end()
    desktop = start()
    desktop._on_session_ends()
    assert desktop.window.close()


def test_a_system_that_asks_to_quit_is_heard(start: Start, qapp: QApplication) -> None:
    start.preferences().closes_to_tray = True
    start.tray = FakeTrayIcon()
    desktop = start()
    QApplication.sendEvent(qapp, QEvent(QEvent.Type.Quit))
    assert desktop._is_closing


def test_reading_is_paused_from_the_tray(start: Start, qtbot: QtBot) -> None:
    start.tray = FakeTrayIcon()
    desktop = start()
    app = desktop._app
    assert app is not None
    assert desktop._presence is not None
    tray = desktop._presence.tray
    assert tray is not None
    tray.pause_action.trigger()
    qtbot.waitUntil(app.is_paused)
    qtbot.waitUntil(lambda: tray.pause_action.text() == "Resume reading")
    tray.pause_action.trigger()
    qtbot.waitUntil(lambda: not app.is_paused())
    qtbot.waitUntil(lambda: "up to date" in start.tray.toolTip() if start.tray else False)


def test_an_answer_for_a_hidden_window_is_told_and_opened_with_a_click(
    start: Start, qtbot: QtBot
) -> None:
    start.library("harbour.txt")
    start.preferences().closes_to_tray = True
    tray = start.tray = FakeTrayIcon()
    desktop = start()
    window = desktop.window
    window.session.ask("When did the harbour open?")
    window.close()
    qtbot.waitUntil(lambda: tray.messages[-1][0] == "The answer is ready")
    chat = window.session.conversation
    window.session.begin_new()
    tray.messageClicked.emit()
    assert window.isVisible()
    qtbot.waitUntil(lambda: window.session.conversation == chat is not None)


def test_at_login_the_program_waits_in_the_tray(start: Start) -> None:
    start.tray = FakeTrayIcon()
    desktop = start(Wanted(is_hidden=True))
    assert desktop.window.isHidden()
    assert start.tray.isVisible()


def test_at_login_without_a_tray_the_window_is_small(start: Start) -> None:
    desktop = start(Wanted(is_hidden=True))
    assert desktop.window.isVisible()
    assert desktop.window.isMinimized()


# ---------------------------------------------------------------------- another window


def settings_of(desktop: Desktop) -> SettingsPage:
    page = desktop.window.pages.page("settings")
    assert isinstance(page, SettingsPage)
    return page


def test_another_size_of_text_shows_the_same_in_another_window(start: Start, qtbot: QtBot) -> None:
    start.library("harbour.txt")
    start.tray = FakeTrayIcon()
    desktop = start()
    old = desktop.window
    old.session.ask("When did the harbour open?")
    qtbot.waitUntil(lambda: not old.session.is_busy)
    chat = old.session.conversation
    old.chat.composer.edit.setPlainText("And what about")
    old.show_page("settings")
    control = settings_of(desktop).choices["Size of text"].row.control
    assert isinstance(control, ChoiceControl)
    control.box.setFocus()
    with qtbot.waitSignal(desktop.rebuilt):
        control.box.activated.emit(control.box.findData("150"))
    window = desktop.window
    assert not shiboken6.isValid(old)
    assert window.isVisible()
    assert desktop.theme.text_scale == 1.5
    assert window.pages.current == "settings"
    assert window.chat.composer.edit.toPlainText() == "And what about"
    qtbot.waitUntil(lambda: window.session.conversation == chat)
    qtbot.waitUntil(lambda: window.chat.messages.count == 2)
    there = settings_of(desktop).choices["Size of text"].row.control
    assert window.focusWidget() is there.field  # the next arrow is for it, too
    window.session.ask("Is tea green?")
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert window.close()


def test_what_was_typed_in_another_chat_is_there_in_the_other_window(
    start: Start, qtbot: QtBot
) -> None:
    start.library("harbour.txt")
    desktop = start()
    old = desktop.window
    old.session.ask("When did the harbour open?")
    qtbot.waitUntil(lambda: not old.session.is_busy)
    chat = old.session.conversation
    assert chat is not None
    old.chat.composer.edit.setPlainText("And what about")
    old.new_chat()
    old.chat.composer.edit.setPlainText("Is tea")
    with qtbot.waitSignal(desktop.rebuilt):
        desktop.rebuild()
    window = desktop.window
    edit = window.chat.composer.edit
    assert edit.toPlainText() == "Is tea"
    window.session.open(chat)
    qtbot.waitUntil(lambda: edit.toPlainText() == "And what about")
    window.new_chat()
    assert edit.toPlainText() == "Is tea"


def test_garbage_is_searched_for_in_the_other_window_too(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting_jobs, "_SETTLED_MS", 0)
    monkeypatch.setattr(starting_jobs, "leave_the_past_alone", lambda: None)
    desktop = start()
    qtbot.waitUntil(lambda: len(desktop.findChildren(Sweeper)) == 1)
    with qtbot.waitSignal(desktop.rebuilt):
        desktop.rebuild()
    assert len(desktop.findChildren(Sweeper)) == 1


def test_what_waits_behind_an_edited_question_is_kept(start: Start) -> None:
    desktop = start()
    composer = desktop.window.chat.composer
    composer.edit.setPlainText("half a thought")
    composer.begin_edit("When did the harbour open?")
    assert desktop.memory.state_of(desktop.window).draft == "half a thought"
    composer.end_edit()
    assert desktop.memory.state_of(desktop.window).draft == "half a thought"


def test_an_answer_goes_on_in_the_other_window(start: Start, qtbot: QtBot) -> None:
    start.library("harbour.txt")
    desktop = start()
    old = desktop.window
    old.session.ask("When did the harbour open?")
    desktop.preferences.language = "de"
    with qtbot.waitSignal(desktop.rebuilt):
        desktop.rebuild()
    window = desktop.window
    qtbot.waitUntil(lambda: window.session.conversation is not None)
    assert desktop._app is not None
    app, chat = desktop._app, window.session.conversation
    assert chat is not None
    qtbot.waitUntil(lambda: not window.session.is_busy and len(app.messages(chat)) == 2)
    assert app.messages(chat)[1].answer is not None
    desktop.preferences.language = "en"
    with qtbot.waitSignal(desktop.rebuilt):
        desktop.rebuild()


def test_an_answer_that_ends_between_two_windows_is_over(start: Start, qtbot: QtBot) -> None:
    start.library("harbour.txt")
    desktop = start()
    app = desktop._app
    assert app is not None
    handle = app.ask("When did the harbour open?")
    handle.result(10)
    qtbot.wait(100)  # what was told of it has passed
    session = desktop.window.session
    session.adopt([Running("When did the harbour open?", handle.conversation, handle)])
    session.open(handle.conversation)
    qtbot.waitUntil(lambda: session.is_busy)
    qtbot.waitUntil(lambda: not session.is_busy)
    qtbot.waitUntil(lambda: len(desktop.window.chat.messages.answers()) == 1)


def test_what_was_just_dropped_is_added_by_the_other_window(start: Start, qtbot: QtBot) -> None:
    start.library("harbour.txt")
    desktop = start()
    folder = start.docs.parent / "dropped"
    folder.mkdir()
    (folder / "tea.txt").write_text(TEXT)
    for _ in range(3):
        desktop.window.background.run(lambda: time.sleep(0.2))
    desktop.window.add_paths([folder])
    with qtbot.waitSignal(desktop.rebuilt):
        desktop.rebuild()
    app = desktop._app
    assert app is not None
    qtbot.waitUntil(lambda: str(folder) in {one.path for one in app.status().sources})


def test_restart_now_ends_and_starts_again(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = start()
    desktop.window.show_page("settings")
    page = settings_of(desktop)
    page.restart_bar.show()
    qtbot.mouseClick(page.restart, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: desktop._is_closing)
    assert desktop.is_restart_wanted
    assert desktop.finish() == 0


_RESTART = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from desktop_rag.app import App
from desktop_rag.ui import application, restarting
from tests.helpers.fakes import fake_engines
data = Path(sys.argv[1])
again = "import filelock, sys; filelock.FileLock(sys.argv[1]).acquire(timeout=0); print('again')"
lock = str(data / "library.lock")
restarting.start_command = lambda folder: [sys.executable, "-c", again, lock]
class Desktop(application.Desktop):
    def __init__(self, *rest):
        super().__init__(*rest)
        self.opened.connect(lambda: QTimer.singleShot(0, self, self.restart))
application.Desktop = Desktop
sys.exit(application.run(lambda: App.open(data, fake_engines()), data))
"""


def test_the_program_that_is_started_again_finds_the_library_free(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _RESTART, str(tmp_path / "data")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (0, "again\n"), done.stderr


# ---------------------------------------------------------------------- the next start


def test_the_next_start_shows_what_was_open(start: Start, qtbot: QtBot) -> None:
    start.library("harbour.txt")
    desktop = start()
    window = desktop.window
    window.session.ask("When did the harbour open?")
    qtbot.waitUntil(lambda: not window.session.is_busy)
    chat = window.session.conversation
    window.chat.composer.edit.setPlainText("half a question")
    window.show_library()
    assert desktop._app is not None
    placed = desktop._app.placing.find(start.docs / "harbour.txt", quote="grows on hills")
    assert placed.citation is not None
    window.show_place(placed.citation)
    qtbot.waitUntil(lambda: window.viewer.reading is not None)
    start.end()
    desktop = start()
    assert desktop.window.pages.current == "library"
    assert desktop.window.chat.composer.edit.toPlainText() == "half a question"
    qtbot.waitUntil(lambda: desktop.window.session.conversation == chat)
    qtbot.waitUntil(lambda: desktop.window.chat.messages.count > 0)
    assert desktop.window.chat.composer.edit.toPlainText() == "half a question"
    qtbot.waitUntil(lambda: desktop.window.viewer.reading is not None)
    reading = desktop.window.viewer.reading
    assert reading is not None
    assert Path(reading.path).name == "harbour.txt"
    assert reading.quote == "grows on hills"


def test_who_begins_a_chat_at_once_is_not_taken_back_to_the_old_one(
    start: Start, qtbot: QtBot
) -> None:
    start.library("harbour.txt")
    desktop = start()
    desktop.window.session.ask("When did the harbour open?")
    qtbot.waitUntil(lambda: not desktop.window.session.is_busy)
    start.end()
    desktop = start()
    desktop.window.new_chat()
    desktop.window.background.run(lambda: None, lambda _: desktop.window.tell("Looked.", "info"))
    qtbot.waitUntil(lambda: desktop.window.notice.sentence.text() == "Looked.")
    qtbot.wait(200)
    assert desktop.window.session.conversation is None


def test_a_crash_loses_no_more_than_the_last_minute(start: Start, qtbot: QtBot) -> None:
    desktop = start()
    desktop.window.chat.composer.edit.setPlainText("half a question")
    desktop._keeping.timeout.emit()
    assert "half a question" in (start.data / "window.ini").read_text()
    desktop.window.chat.composer.edit.clear()


def test_nothing_comes_back_for_who_does_not_want_that(start: Start, qtbot: QtBot) -> None:
    start.preferences().restores_session = False
    desktop = start()
    desktop.window.chat.composer.edit.setPlainText("a secret")
    desktop.window.show_library()
    start.end()
    assert "secret" not in (start.data / "window.ini").read_text()
    desktop = start()
    assert desktop.window.pages.current == "chat"


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "[]",
        "{",
        json.dumps({"chat": 99, "page": "nowhere", "draft": "x", "columns": [0, 0]}),
        json.dumps({"chat": "x", "page": 1, "draft": None, "columns": 7}),
    ],
)
def test_a_memory_that_makes_no_sense_does_no_harm(start: Start, qtbot: QtBot, kept: str) -> None:
    preferences = start.preferences()
    preferences.set_text("session", kept)
    preferences.save()
    desktop = start()
    qtbot.waitUntil(lambda: desktop.window.pages.current == "first-run")
    assert desktop.window.session.conversation is None
    assert desktop.window.notice.isHidden()


def test_a_window_whose_screen_is_gone_comes_back_into_sight(
    start: Start, qapp: QApplication
) -> None:
    desktop = start()
    desktop.window.setGeometry(QRect(9000, 7000, 1000, 700))
    start.end()
    desktop = start()
    screen = qapp.primaryScreen().availableGeometry()
    assert screen.intersects(desktop.window.frameGeometry())


# ---------------------------------------------------------------------- crashes


def test_what_an_earlier_run_left_is_shown_once(start: Start, qtbot: QtBot) -> None:
    logs = start.data / "logs"
    logs.mkdir(parents=True)
    (logs / "crash-1.txt").write_text(head() + "Fatal Python error: Aborted\n")
    watch = CrashWatch(logs)
    desktop = start(watch=watch)
    qtbot.waitUntil(lambda: desktop.window.findChild(CrashBar) is not None)
    bar = desktop.window.findChild(CrashBar)
    assert isinstance(bar, CrashBar)
    qtbot.waitUntil(bar.isVisible)
    bar.delete.click()
    qtbot.waitUntil(lambda: not list(logs.glob("*crash-1.txt")))
    watch.close()


def test_a_slot_that_fails_is_told_and_the_program_goes_on(
    start: Start, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    watch = CrashWatch(start.data / "logs")
    desktop = start(watch=watch)
    with qtbot.captureExceptions():
        watch.install()
        desktop.window.session.chats_changed.connect(lambda: 1 / 0)
        desktop.window.session.chats_changed.emit()
    qtbot.waitUntil(lambda: "Something failed" in desktop.window.notice.sentence.text())
    watch.close()
    caplog.clear()
    assert "ZeroDivisionError" in watch.file.read_text()
    desktop.window.show_library()
    assert desktop.window.pages.current == "library"


# ---------------------------------------------------------------------- from the command line


def test_open_hands_paths_page_and_words_to_the_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from desktop_rag import __main__ as program

    asked: list[tuple[Path, Wanted]] = []

    def window(data_dir: Path, wanted: Wanted) -> int:
        asked.append((data_dir, wanted))
        return 0

    path = tmp_path / "a b.txt"
    path.write_text("x")
    monkeypatch.setattr(program, "_open_window", window)
    run: Callable[..., int] = program._start
    data = str(tmp_path / "data")
    for argv, code in (
        (["open", str(path), "--page", "3", "--quote", "two words"], 0),
        (["open", str(path), "--page", "0"], 2),
        (["open", str(tmp_path / "gone.txt")], 3),
        (["--hidden"], 0),
        (["--open"], 0),
        (["--open", str(path), "gone.txt"], 0),
        (["--new-chat"], 0),
    ):
        monkeypatch.setattr(sys, "argv", ["desktop-rag", "--data-dir", data, *argv])
        assert run() == code
    assert asked == [
        (Path(data), Wanted((path,), 3, "two words")),
        (Path(data), Wanted(is_hidden=True)),
        (Path(data), Wanted()),
        (Path(data), Wanted(added=(path, Path("gone.txt").absolute()))),
        (Path(data), Wanted(is_new_chat=True)),
    ]
    assert "There is no file or folder" in capsys.readouterr().err
    assert desktop_module.Desktop is Desktop
