"""What happens while nobody looks is said through Qt's accessibility interface."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from pytestqt.qtbot import QtBot

from desktop_rag.domain.errors import RoleUnavailable
from desktop_rag.domain.events import IndexingProgress
from desktop_rag.ui import announce as announce_module
from desktop_rag.ui.main_window import MainWindow
from tests.helpers.fake_app import FakeApp

Politeness = QAccessible.AnnouncementPoliteness


class Reader:
    """A screen reader that remembers; it stands for Qt's interface to the system's."""

    AnnouncementPoliteness = Politeness

    def __init__(self) -> None:
        self.said: list[str] = []
        self.urgent: list[str] = []

    @staticmethod
    def isActive() -> bool:  # noqa: N802 - Qt's name
        return True

    def updateAccessibility(self, event: QAccessibleEvent) -> None:  # noqa: N802 - Qt's name
        assert isinstance(event, QAccessibleAnnouncementEvent)
        self.said.append(event.message())
        if event.politeness() == Politeness.Assertive:
            self.urgent.append(event.message())


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    made = Reader()
    monkeypatch.setattr(announce_module, "QAccessible", made)
    return made


def test_an_answer_is_told_when_it_begins_and_when_it_is_there(
    window: MainWindow, reader: Reader, qtbot: QtBot
) -> None:
    window.session.ask("How long is the coffee machine covered?")
    qtbot.waitUntil(lambda: "The answer is being written." in reader.said)
    qtbot.waitUntil(lambda: not window.session.is_busy)
    [done] = [one for one in reader.said if one.startswith("Answer with 4 sources: ")]
    assert "24 months" in done
    assert "**" not in done
    assert not reader.urgent


def test_an_answer_that_fails_is_told_at_once(
    app: FakeApp,
    reader: Reader,
    open_window: Callable[[FakeApp], MainWindow],
    qtbot: QtBot,
) -> None:
    window = open_window(app)
    app.fail_with = RoleUnavailable("The language model stopped. Try again.")
    window.session.ask("How long?")
    qtbot.waitUntil(lambda: "The language model stopped. Try again." in reader.urgent)


def test_warnings_are_told_at_once_and_news_when_there_is_time(
    window: MainWindow, reader: Reader
) -> None:
    window.tell("Queued 2 files.", "info")
    assert reader.said == ["Queued 2 files."]
    assert not reader.urgent
    window.tell("The disk is full.")
    assert reader.urgent == ["The disk is full."]


def test_what_can_be_undone_is_told(window: MainWindow, reader: Reader) -> None:
    window.undoable("Removed “lease.pdf”.", lambda: None)
    assert reader.said == ["Removed “lease.pdf”. This can be undone."]


def test_a_search_tells_how_much_it_found(window: MainWindow, reader: Reader, qtbot: QtBot) -> None:
    window.show_library()
    qtbot.waitUntil(lambda: window.library.model.total > 0)
    window.library.search.setText("insurance")
    qtbot.waitUntil(lambda: "2 files found" in reader.said)


def test_the_end_of_reading_is_told_once(window: MainWindow, reader: Reader) -> None:
    strip = window.sidebar.progress
    strip.show_progress(IndexingProgress(done=1, total=3, failed=0, path="/a/b.pdf"))
    assert not reader.said
    for _again in range(2):
        strip.show_progress(IndexingProgress(done=2, total=3, failed=1, path=""))
    assert reader.said == ["All files were read, 1 failed."]
