from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from desktop_rag.domain.errors import DesktopRagError, NotFound
from desktop_rag.ui.background import Background


@pytest.fixture
def background(qtbot: QtBot) -> Iterator[Background]:
    made = Background()
    yield made
    made.close()


def test_work_happens_elsewhere_and_the_result_comes_home(
    background: Background, qtbot: QtBot
) -> None:
    seen: list[object] = []
    background.run(
        lambda: threading.current_thread().name,
        lambda name: seen.extend([name, QThread.isMainThread()]),
    )
    qtbot.waitUntil(lambda: len(seen) == 2)
    assert str(seen[0]).startswith("ui-background")
    assert seen[1] is True


def test_an_error_of_ours_goes_to_who_asked(background: Background, qtbot: QtBot) -> None:
    errors: list[DesktopRagError] = []

    def fail() -> None:
        raise NotFound("That chat was deleted; start a new one.")

    background.run(fail, on_error=errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], NotFound)


def test_an_error_nobody_asked_about_is_told(background: Background, qtbot: QtBot) -> None:
    def fail() -> None:
        raise NotFound("Gone.")

    with qtbot.waitSignal(background.failed) as told:
        background.run(fail)
    assert told.args[0].message == "Gone."


def test_a_bug_is_logged_and_told_in_one_sentence(
    background: Background, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with qtbot.waitSignal(background.failed) as told:
        background.run(fail)
    assert "log" in told.args[0].message
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    caplog.clear()


def test_a_forgotten_task_stays_silent(background: Background, qtbot: QtBot) -> None:
    seen: list[str] = []
    gate = threading.Event()
    task = background.run(gate.wait, lambda _: seen.append("forgotten"))
    task.forget()
    gate.set()
    background.run(lambda: None, lambda _: seen.append("kept"))
    qtbot.waitUntil(lambda: "kept" in seen)
    qtbot.wait(30)
    assert seen == ["kept"]


def test_closing_ends_the_threads(qtbot: QtBot) -> None:
    before = threading.enumerate()  # windows of other tests may still be on their way out
    made = Background()
    own = [thread for thread in threading.enumerate() if thread not in before]
    assert len(own) == 3
    made.run(lambda: None)
    made.close()
    assert not any(thread.is_alive() for thread in own)


def test_a_window_replaced_in_this_moment_costs_nothing_that_is_owed(qtbot: QtBot) -> None:
    made = Background()
    gate, done = threading.Event(), threading.Event()
    for _ in range(3):
        made.run(lambda: gate.wait(5))
    made.run(done.set, is_owed=True)
    shiboken6.delete(made)  # before it could be let go of: as between a look and the reply
    gate.set()
    assert done.wait(5)
    made.let_go()
