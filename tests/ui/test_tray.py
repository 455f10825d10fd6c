"""The tray says how far reading is; notifications tell what nobody saw, and quote nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QIcon, QImage
from PySide6.QtWidgets import QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.domain.answers import Answer, Confidence, ConversationId, RetrievalFigures
from desktop_rag.domain.errors import Cancelled, DiskFull, Paused
from desktop_rag.domain.events import (
    AnswerCompleted,
    AnswerFailed,
    EngineState,
    IndexingPaused,
    IndexingProgress,
)
from desktop_rag.ui.notifications import Notifications
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.tray import Tray
from desktop_rag.ui.tray_picture import tray_picture
from tests.helpers.fake_tray import FakeTrayIcon

SECRET = "The patient has a broken heart."


def reading(done: int, total: int, failed: int = 0) -> IndexingProgress:
    return IndexingProgress(done, total, failed, "/docs/a.pdf" if done < total else "")


def picture(icon: QIcon) -> QImage:
    return icon.pixmap(64, 64).toImage()


# ---------------------------------------------------------------------- the icon


@pytest.fixture
def icon(qtbot: QtBot) -> FakeTrayIcon:
    return FakeTrayIcon()


@pytest.fixture
def tray(icon: FakeTrayIcon) -> Iterator[Tray]:
    made = Tray(icon)
    made.show()
    yield made
    made.menu.deleteLater()


def test_the_tool_tip_is_a_sentence_on_reading(tray: Tray, icon: FakeTrayIcon) -> None:
    assert "Your library is up to date." in icon.toolTip()
    tray.show_progress(reading(1, 3))
    assert "Reading: 2 files to go." in icon.toolTip()
    tray.show_progress(reading(2, 3, failed=1))
    assert "Reading: 1 file to go, 1 failed." in icon.toolTip()
    tray.show_paused(is_paused=True)
    assert "Reading is paused." in icon.toolTip()
    tray.show_progress(reading(3, 3))
    tray.show_paused(is_paused=False)
    assert "Your library is up to date." in icon.toolTip()


def test_the_ring_fills(tray: Tray, icon: FakeTrayIcon) -> None:
    idle = picture(icon.icon())
    ring = [QColor(picture(tray_picture(part)).pixel(2, 32)) for part in (0.2, 0.9)]
    assert ring[0] != ring[1], "the left edge is reached after three quarters"
    tray.show_progress(reading(9, 10))
    assert picture(icon.icon()) == picture(tray_picture(0.9)) != idle
    tray.show_paused(is_paused=True)
    assert picture(icon.icon()) != picture(tray_picture(0.9))


def test_the_menu_opens_asks_pauses_and_quits(tray: Tray, qtbot: QtBot) -> None:
    for action, signal in (
        (tray.open_action, tray.open_wanted),
        (tray.ask_action, tray.ask_wanted),
        (tray.quit_action, tray.quit_wanted),
    ):
        with qtbot.waitSignal(signal):
            action.trigger()
    assert tray.pause_action.text() == "Pause reading"
    with qtbot.waitSignal(tray.pause_wanted) as wanted:
        tray.pause_action.trigger()
    assert wanted.args == [True]
    tray.show_paused(is_paused=True)
    assert tray.pause_action.text() == "Resume reading"
    with qtbot.waitSignal(tray.pause_wanted) as wanted:
        tray.pause_action.trigger()
    assert wanted.args == [False]


def test_a_click_opens_and_the_menu_button_does_not(
    tray: Tray, icon: FakeTrayIcon, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(tray.open_wanted):
        icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    with qtbot.assertNotEmitted(tray.open_wanted):
        icon.activated.emit(QSystemTrayIcon.ActivationReason.Context)


def test_another_language_makes_another_menu(tray: Tray) -> None:
    before = tray.open_action
    tray.say_in_language()
    assert tray.open_action is not before
    assert len(tray.menu.actions()) == 6


def test_what_is_hidden_says_nothing(tray: Tray, icon: FakeTrayIcon) -> None:
    tray.say("a", "b")
    tray.hide()
    tray.say("c", "d")
    assert icon.messages == [("a", "b")]


# ---------------------------------------------------------------------- notifications


class FakeBridge(QObject):
    completed = Signal(AnswerCompleted)
    failed = Signal(AnswerFailed)
    progress = Signal(IndexingProgress)
    paused = Signal(IndexingPaused)
    engine_state = Signal(EngineState)


class Desk:
    def __init__(self, folder: Path) -> None:
        self.window, self.bridge = QWidget(), FakeBridge()
        self.preferences = Preferences(folder)
        self.is_masking = False
        self.said: list[tuple[str, str, object]] = []
        self.notifications = Notifications(
            self.window,
            self.bridge,  # type: ignore[arg-type]
            self.preferences,
            lambda: self.is_masking,
        )
        self.notifications.said.connect(lambda *words: self.said.append(words))

    def complete(self, *, stopped: bool = False, found: bool = True) -> None:
        answer = Answer(
            question="What ails\nhim?",
            text=SECRET,
            citations=(),
            confidence=Confidence.HIGH,
            found=found,
            figures=RetrievalFigures(9, 3, 5, 2, 1),
            stopped=stopped,
        )
        self.bridge.completed.emit(AnswerCompleted(1, ConversationId(7), answer))


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    qtbot.addWidget(made.window)
    return made


def test_an_answer_is_told_while_the_window_is_out_of_sight(desk: Desk) -> None:
    desk.complete()
    assert desk.said == [("The answer is ready", "Your question has an answer.", 7)]
    desk.window.show()
    desk.complete()
    assert len(desk.said) == 1
    desk.window.showMinimized()
    desk.complete(found=False)
    assert desk.said[1][1] == "Your documents do not say."
    desk.complete(stopped=True)
    assert len(desk.said) == 2


def test_the_switch_turns_all_of_them_off(desk: Desk) -> None:
    desk.preferences.notifies = False
    desk.complete()
    desk.bridge.paused.emit(IndexingPaused("The disk is full.", DiskFull.code))
    assert desk.said == []


def test_a_question_is_shown_only_by_choice_and_never_while_data_is_masked(desk: Desk) -> None:
    desk.preferences.names_in_notifications = True
    desk.complete()
    assert desk.said[-1][1] == "What ails him?\nYour question has an answer."
    desk.is_masking = True
    desk.complete()
    assert desk.said[-1][1] == "Your question has an answer."
    assert not any(SECRET in word for words in desk.said for word in map(str, words))


def test_the_end_of_reading_is_told_once(desk: Desk) -> None:
    desk.bridge.progress.emit(reading(0, 12))
    desk.bridge.progress.emit(reading(11, 12, failed=2))
    desk.bridge.progress.emit(reading(12, 12, failed=2))
    desk.bridge.progress.emit(reading(12, 12, failed=2))
    assert desk.said == [
        ("All files are read", "Your library is up to date; 2 files could not be read.", None)
    ]
    desk.bridge.progress.emit(reading(0, 1))
    desk.bridge.progress.emit(reading(1, 1))
    assert len(desk.said) == 1, "one file that was saved again is no news"


def test_problems_are_told_and_choices_are_not(desk: Desk) -> None:
    desk.bridge.paused.emit(IndexingPaused("You paused it.", Paused.code))
    desk.bridge.failed.emit(AnswerFailed(1, ConversationId(7), Cancelled.code, "Stopped."))
    desk.bridge.engine_state.emit(EngineState("llm", "unavailable", "There is no model."))
    assert desk.said == []
    desk.bridge.paused.emit(IndexingPaused("The disk is full.", DiskFull.code))
    desk.bridge.failed.emit(AnswerFailed(1, ConversationId(7), "role-unavailable", SECRET))
    desk.bridge.engine_state.emit(EngineState("index", "unavailable", "It crashed."))
    assert [title for title, _, _ in desk.said] == [
        "Reading waits",
        "No answer",
        "Something does not work",
    ]
