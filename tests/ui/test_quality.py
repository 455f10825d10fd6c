"""The Quality page: runs over the real library, plots and tables over figures from memory."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.answers import MessageId, Role
from desktop_rag.domain.feedback import Reason
from desktop_rag.services.quality import Origin
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.quality.page import QualityPage
from desktop_rag.ui.quality.plot_card import PlotCard
from desktop_rag.ui.theme import Theme
from tests.helpers.fake_app import FakeApp
from tests.helpers.pages import opened

TIMEOUT_MS = 15_000
TIMEOUT_S = 10.0
_TEXTS = {
    "kiln.txt": "The kiln reaches twelve hundred degrees when both dampers are closed at noon.",
    "ferry.txt": "The ferry to Lindholm leaves the northern harbour at quarter past five daily.",
}


def _open(window: MainWindow, qtbot: QtBot) -> QualityPage:
    page = opened(window, "quality", QualityPage)
    qtbot.waitUntil(lambda: page.is_drawn, timeout=TIMEOUT_MS)
    return page


def _texts(widget: QualityPage | PlotCard) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


@pytest.fixture
def page(real_window: MainWindow, qtbot: QtBot) -> QualityPage:
    return _open(real_window, qtbot)


@pytest.fixture
def drawn(window: MainWindow, qtbot: QtBot) -> QualityPage:
    return _open(window, qtbot)


def test_what_draws_is_loaded_when_the_page_is_seen_and_not_before() -> None:
    code = (
        "import sys; import desktop_rag.ui.main_window, desktop_rag.ui.quality.page;"
        "print([name for name in ('pyqtgraph', 'numpy') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_a_new_library_says_what_there_will_be(page: QualityPage) -> None:
    said = _texts(page)
    for sentence in (
        "Nothing was measured yet.",
        "No search is in the log yet.",
        "Empty: no file was read yet",
        "You have not rated an answer yet",
    ):
        assert sentence in said
    assert not page.log_off.isVisible()
    assert not page.forget.isVisible()


def test_measuring_without_documents_says_why_not(
    page: QualityPage, real_window: MainWindow, qtbot: QtBot
) -> None:
    page.measuring.start.click()
    qtbot.waitUntil(lambda: real_window.notice.isVisible())
    assert "nothing to measure" in real_window.notice.sentence.text()
    assert page.measuring.start.isVisible()


def test_a_run_is_shown_and_forgotten(
    page: QualityPage, add_files: Callable[[dict[str, str]], Path], qtbot: QtBot
) -> None:
    add_files(_TEXTS)
    page.measuring.start.click()
    assert page.measuring.stop.isVisible()
    qtbot.waitUntil(lambda: page.runs.figures.isVisible(), timeout=TIMEOUT_MS)
    assert page.runs.figures.values[0].text() == "100 %"
    assert "2 files searchable" in page.age_row.title.text()
    page.runs.toggle.click()
    assert "Questions made from your documents" in _texts(page.runs)
    qtbot.waitUntil(lambda: page.forget.isVisible())
    page.forget.click()
    qtbot.waitUntil(lambda: page.runs.empty.isVisible())


def test_a_run_can_be_stopped(
    page: QualityPage,
    real_app: App,
    real_window: MainWindow,
    add_files: Callable[[dict[str, str]], Path],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    add_files(_TEXTS)
    is_asked, may_go_on = threading.Event(), threading.Event()
    find = real_app.find

    def slowly(*arguments: object) -> object:
        is_asked.set()
        may_go_on.wait(TIMEOUT_S)
        return find(*arguments)  # type: ignore[arg-type]

    object.__setattr__(real_app.quality._texts, "find", slowly)
    page.measuring.start.click()
    assert is_asked.wait(TIMEOUT_S)
    page.measuring.stop.click()
    may_go_on.set()
    qtbot.waitUntil(lambda: page.measuring.start.isVisible())
    assert "nothing was kept" in real_window.notice.sentence.text()
    assert real_app.quality.figures().runs == ()


def test_a_file_of_questions_is_asked(
    page: QualityPage,
    add_files: Callable[[dict[str, str]], Path],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    folder = add_files(_TEXTS)
    questions = folder / "mine.jsonl"
    questions.write_text(json.dumps({"question": "How hot is the kiln?", "file": "kiln.txt"}))
    chosen = [("", ""), (str(questions), "")]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: chosen.pop(0))
    page.measuring.origin.setCurrentIndex(page.measuring.origin.findData(Origin.FILE))
    page.measuring.start.click()
    assert page.measuring.start.isVisible(), "no file was chosen"
    page.measuring.start.click()
    qtbot.waitUntil(lambda: page.runs.figures.isVisible(), timeout=TIMEOUT_MS)
    page.runs.toggle.click()
    assert "mine.jsonl" in _texts(page.runs)


def test_the_log_of_searches_is_turned_on_from_here(
    page: QualityPage, real_app: App, qtbot: QtBot
) -> None:
    real_app.change_setting("query_log", "off")
    page.activate()
    qtbot.waitUntil(lambda: page.log_off.isVisible())
    assert not page.speed.isVisible()
    page.turn_on.click()
    qtbot.waitUntil(lambda: page.speed.isVisible())
    assert real_app.settings().query_log
    assert not page.log_off.isVisible()


def test_searches_and_thumbs_are_shown(
    page: QualityPage,
    real_app: App,
    add_files: Callable[[dict[str, str]], Path],
    qtbot: QtBot,
) -> None:
    add_files(_TEXTS)
    handle = real_app.ask("When does the ferry to Lindholm leave?")
    handle.result(TIMEOUT_S)
    told = real_app.messages(handle.conversation)
    answer = next(one.id for one in told if one.role is Role.ASSISTANT)
    real_app.feedback.rate(MessageId(answer), is_good=False, reason=Reason.INCOMPLETE)
    deadline = time.monotonic() + TIMEOUT_S
    while not real_app.quality.figures().searches.count:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    page.activate()
    qtbot.waitUntil(lambda: page.speed.figures.isVisible(), timeout=TIMEOUT_MS)
    qtbot.waitUntil(lambda: page.empty_results.figures.values[1].text() == "1")
    qtbot.waitUntil(lambda: page.feedback.figures.isVisible())
    assert [one.text() for one in page.feedback.figures.values] == ["0 %", "0", "1"]
    page.feedback.toggle.click()
    assert "incomplete" in _texts(page.feedback)


# ---------------------------------------------------------------------- plots


def test_every_plot_has_a_table_that_says_the_same(drawn: QualityPage, qtbot: QtBot) -> None:
    cards = (drawn.runs, drawn.speed, drawn.empty_results, drawn.feedback)
    qtbot.waitUntil(lambda: all(card.plot is not None for card in cards))
    for card in cards:
        assert card.plot is not None
        assert card.plot.isVisible()
        assert len(card.plot.accessibleName()) > len(card.heading.text())
        card.toggle.click()
        assert not card.plot.isVisible()
        assert card.table.isVisible()
        assert card.table.labels
    assert len(drawn.speed.table.labels) == 2 * 28


def test_a_plot_takes_the_colours_of_the_theme(
    drawn: QualityPage, theme: Theme, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: drawn.empty_results.plot is not None)
    plot = drawn.empty_results.plot
    assert plot is not None
    for toggle in (lambda: None, theme.toggle):
        toggle()
        qtbot.wait(50)
        picture = plot._graph.grab().toImage()
        colours = {
            picture.pixelColor(x, y).name()
            for x in range(0, picture.width(), 2)
            for y in range(0, picture.height(), 2)
        }
        assert theme.color("accent").name() in colours, "bars"
        assert theme.color("window").name() in colours, "the ground"


def test_a_plot_takes_nothing_from_the_mouse(drawn: QualityPage, qtbot: QtBot) -> None:
    """Else the wheel would stop scrolling the page wherever a plot passes below it."""
    qtbot.waitUntil(lambda: drawn.runs.plot is not None and drawn.runs.plot.isVisible())
    plot = drawn.runs.plot
    assert plot is not None
    target = drawn.childAt(plot._graph.mapTo(drawn, plot._graph.rect().center()))
    assert target is not None
    assert target is not plot._graph
    assert not plot._graph.isAncestorOf(target)


def test_one_point_is_a_figure_and_no_line(app: FakeApp, window: MainWindow, qtbot: QtBot) -> None:
    del app.quality.runs[1:]
    page = _open(window, qtbot)
    assert page.runs.figures.isVisible()
    assert page.runs.plot is None


def test_an_empty_library_has_designed_cards(
    app: FakeApp, window: MainWindow, qtbot: QtBot
) -> None:
    app.quality.is_empty = True
    page = _open(window, qtbot)
    for card in (page.runs, page.speed, page.empty_results, page.feedback):
        assert card.empty.isVisible()
        assert not card.figures.isVisible()
        assert not card.toggle.isVisible()
