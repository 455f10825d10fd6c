"""The whole road with the real engines: drop a folder, ask, click the citation, see the place.

Mouse and keys are events of the window system; what is highlighted is read off the pixels.
`xvfb-run -a env QT_QPA_PLATFORM=xcb python -m pytest tests/end_to_end` does it in a real window.
With a language model installed, answers are written by it; without one they are quotations.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QTableView, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.ui.chat.messages import AnswerMessage
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Appearance, Theme
from tests.end_to_end.documents import DOCUMENTS, GROUND, Sought, make_documents

READ_MS = 120_000
ANSWER_MS = 120_000
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(params=["quoted", pytest.param("written", marks=pytest.mark.llm)])
def library(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[App]:
    if request.param == "quoted":
        monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "no models"))
    elif not list(paths.models_dir().glob("**/*.gguf")):
        pytest.skip("no language model is installed")
    with App.open(tmp_path / "data") as app:
        app.start_indexing()
        yield app


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "House rules"
    make_documents(made)
    return made


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, Appearance.LIGHT)


@pytest.fixture
def window(library: App, theme: Theme, qtbot: QtBot) -> Iterator[MainWindow]:
    made = MainWindow(theme)
    made.resize(1400, 900)
    with qtbot.waitExposed(made):
        made.show()
    made.attach(library)
    yield made
    made.close()
    made.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def drop(window: MainWindow, folder: Path) -> None:
    """As a file manager does it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    middle = window.rect().center()
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    action = Qt.DropAction.CopyAction
    QApplication.sendEvent(window, QDragEnterEvent(middle, action, data, buttons, keys))
    QApplication.sendEvent(window, QDropEvent(QPointF(middle), action, data, buttons, keys))


def ask(window: MainWindow, question: str, qtbot: QtBot) -> AnswerMessage:
    qtbot.mouseClick(window.sidebar.new_chat, Qt.MouseButton.LeftButton)
    edit = window.chat.composer.edit
    qtbot.keyClicks(edit, question)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.is_busy)
    qtbot.waitUntil(lambda: not window.session.is_busy, timeout=ANSWER_MS)
    return window.chat.messages.answers()[-1]


def click_first_citation(message: AnswerMessage, qtbot: QtBot) -> None:
    area = next(iter(message.text.chip_rects().values()))
    qtbot.mouseClick(
        message.text.viewport(), Qt.MouseButton.LeftButton, pos=area.center().toPoint()
    )


def grabbed(widget: QWidget) -> QImage:
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def near(colour: QColor, other: QColor, most: int = 12) -> bool:
    return (
        max(
            abs(colour.red() - other.red()),
            abs(colour.green() - other.green()),
            abs(colour.blue() - other.blue()),
        )
        <= most
    )


def bounds(image: QImage, colour: QColor) -> tuple[int, QRect]:
    """How many pixels have a colour, and the smallest rectangle around them."""
    points = [
        QPoint(x, y)
        for y in range(0, image.height(), 2)
        for x in range(0, image.width(), 2)
        if near(image.pixelColor(x, y), colour)
    ]
    if not points:
        return 0, QRect()
    left, right = min(p.x() for p in points), max(p.x() for p in points)
    top, bottom = min(p.y() for p in points), max(p.y() for p in points)
    return len(points), QRect(QPoint(left, top), QPoint(right, bottom))


def multiplied(ground: QColor, marker: QColor) -> QColor:
    """What a text marker makes of a ground."""
    return QColor(
        ground.red() * marker.red() // 255,
        ground.green() * marker.green() // 255,
        ground.blue() * marker.blue() // 255,
    )


def check_page(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    """The coloured ground of the sought line is under the marker, and nothing else is."""
    marker = QColor(theme.colours.highlight)
    ground = QColor.fromRgbF(*GROUND)
    qtbot.waitUntil(
        lambda: bounds(grabbed(window.viewer), multiplied(ground, marker))[0] > 100, timeout=20_000
    )
    image = grabbed(window.viewer)
    marked, place = bounds(image, multiplied(ground, marker))
    bare, _elsewhere = bounds(image, ground)
    assert bare < marked / 2  # the ground reaches a little above and below the letters
    beyond, around = bounds(image, marker)  # white paper under the marker
    assert not beyond or place.adjusted(-12, -10, 12, 10).contains(around)


def check_words(window: MainWindow, theme: Theme, words: str, qtbot: QtBot) -> None:
    """Where the marker is, the words of the sought place stand."""
    marker = QColor(theme.colours.highlight_text)

    def is_marked() -> bool:
        count, place = bounds(grabbed(window.viewer), marker)
        return count > 50 and words in " ".join(words_at(window.viewer, place).split())

    qtbot.waitUntil(is_marked, timeout=20_000)


def words_at(viewer: QWidget, place: QRect) -> str:
    """What the widget under a rectangle shows there: the row of a grid, the paragraph of a text."""
    port = viewer.childAt(place.center())
    if port is None:
        return ""
    shown = port if isinstance(port, QTextEdit | QTableView) else port.parentWidget()
    at = port.mapFrom(viewer, place.center())
    if isinstance(shown, QTableView):
        row = shown.indexAt(at).row()
        model = shown.model()
        cells = [model.index(row, column).data() for column in range(model.columnCount())]
        return " | ".join(str(cell) for cell in cells if cell is not None)
    return shown.cursorForPosition(at).block().text() if isinstance(shown, QTextEdit) else ""


def check_place(window: MainWindow, theme: Theme, sought: Sought, qtbot: QtBot) -> None:
    if sought.name.endswith(".pdf"):
        check_page(window, theme, qtbot)
    else:
        check_words(window, theme, sought.words, qtbot)


def test_from_a_dropped_folder_to_the_marked_place(
    window: MainWindow, theme: Theme, library: App, folder: Path, qtbot: QtBot
) -> None:
    drop(window, folder)
    qtbot.waitUntil(lambda: window.sidebar.counts.text().startswith("5 files"), timeout=READ_MS)
    assert library.wait_until_indexed(READ_MS / 1000)
    qtbot.waitUntil(lambda: library.status().pages_waiting == 0, timeout=READ_MS)
    assert library.status().failed == 0
    for sought in DOCUMENTS:
        message = ask(window, sought.question, qtbot)
        assert message.text.chip_rects(), message.text.toPlainText()
        click_first_citation(message, qtbot)
        qtbot.waitUntil(window.viewer.isVisible)
        check_place(window, theme, sought, qtbot)
        qtbot.mouseClick(window.viewer.head.close_button, Qt.MouseButton.LeftButton)
        assert window.viewer.isHidden()
