"""From a citation to the marked passage."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from desktop_rag.domain.documents import Block, BlockKind
from desktop_rag.domain.errors import DesktopRagError, WorkerCrashed
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.viewer import external
from desktop_rag.ui.viewer.page_canvas import Fit
from desktop_rag.ui.viewer.text_view import TextView
from tests.helpers.fake_app import NOTES, NOTES_QUOTE, PAGE_WIDTH, FakeApp
from tests.ui.conftest import MARK


@pytest.fixture
def answered(window: MainWindow, app: FakeApp, qtbot: QtBot) -> MainWindow:
    """The stored chat with four citations is open."""
    window.session.open(next(iter(app.chats)))
    qtbot.waitUntil(lambda: bool(window.chat.messages.answers()))
    return window


def click_chip(window: MainWindow, qtbot: QtBot, number: int) -> None:
    text = window.chat.messages.answers()[-1].text
    rect = list(text.chip_rects().values())[number - 1]
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint())


def channels(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def is_multiplied(colour: QColor, ground: str, marker: str) -> bool:
    parts = zip(channels(colour), channels(QColor(ground)), channels(QColor(marker)), strict=True)
    return all(abs(seen - one * two / 255) <= 3 for seen, one, two in parts)


def test_a_chip_opens_its_page_with_the_lines_marked(answered: MainWindow, qtbot: QtBot) -> None:
    click_chip(answered, qtbot, 1)
    view = answered.viewer.body.pages.view
    qtbot.waitUntil(lambda: view.has_picture)
    qtbot.waitUntil(lambda: view.isVisible() and view.fit is Fit.WIDTH)
    assert answered.viewer.body.page_bar.number.text() == "2"
    page, scale = view.page_rect(2), view.pixels_per_point
    assert page.width() == pytest.approx(PAGE_WIDTH * scale)
    assert view.highlight_rects() == [
        QRectF(page.left() + 72 * scale, page.top() + 200 * scale, 468 * scale, 16 * scale),
        QRectF(page.left() + 72 * scale, page.top() + 218 * scale, 228 * scale, 16 * scale),
    ]


def test_the_mark_lies_on_the_quoted_lines_in_the_picture(
    answered: MainWindow, qtbot: QtBot
) -> None:
    """The fake page paints each quoted line on a ground of its own: pixels must agree."""
    click_chip(answered, qtbot, 1)
    view = answered.viewer.body.pages.view
    qtbot.waitUntil(lambda: view.has_picture)
    qtbot.waitUntil(lambda: view.is_at_rest)
    picture = view.viewport().grab().toImage()
    marker = answered._theme.colours.highlight
    # Below the letters, above the lower edge.
    second = view.highlight_rects()[1]
    scale = view.pixels_per_point
    inside = QPoint(round(second.left() + 1), round(second.bottom() - 2 * scale))
    beside = QPoint(round(second.right() + 8 * scale), round(second.center().y()))
    assert is_multiplied(picture.pixelColor(inside), MARK, marker)
    assert picture.pixelColor(beside) == QColor("#ffffff")
    # The other quote of this page is not cited here: its ground is as the page has it.
    other = QPoint(round(view.page_rect(2).left() + 290 * scale), 0)
    other.setY(round(view.page_rect(2).top() + (260 + 18 + 14) * scale))
    assert picture.pixelColor(other) == QColor(MARK)


def test_pages_turn_and_labels_are_shown(answered: MainWindow, qtbot: QtBot) -> None:
    click_chip(answered, qtbot, 1)
    bar, view = answered.viewer.body.page_bar, answered.viewer.body.pages.view
    qtbot.waitUntil(lambda: view.has_picture)
    qtbot.mouseClick(bar.buttons["previous"], Qt.MouseButton.LeftButton)
    assert (bar.number.text(), bar.page.text()) == ("i", "(1 of 4)")
    assert not bar.buttons["previous"].isEnabled()
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert (bar.number.text(), bar.page.text()) == ("2", "of 4")
    assert [rect.height() for rect in view.highlight_rects()] == [16 * view.pixels_per_point] * 2


def test_zoom_keeps_marks_on_their_lines_and_asks_for_a_sharper_picture(
    answered: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    click_chip(answered, qtbot, 1)
    bar, view = answered.viewer.body.page_bar, answered.viewer.body.pages.view
    qtbot.waitUntil(lambda: view.has_picture)
    before, renders = view.pixels_per_point, len([c for c in app.calls if c.startswith("render")])
    qtbot.mouseClick(bar.buttons["zoom-in"], Qt.MouseButton.LeftButton)
    assert view.pixels_per_point > before
    assert not bar.fits["width"].isChecked()
    first = view.highlight_rects()[0]
    assert first.left() == pytest.approx(view.page_rect().left() + 72 * view.pixels_per_point)
    qtbot.waitUntil(lambda: len([c for c in app.calls if c.startswith("render")]) > renders)
    bar.fits["width"].trigger()
    assert view.pixels_per_point == pytest.approx(before, rel=0.05)


def test_a_file_without_pages_opens_as_text_with_the_passage_in_view(
    answered: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    notes = app.library[1]
    long = "A line of an old release.\n" * 400
    app.texts[notes.id] = long + NOTES
    citation = app.citations()[3]
    start = (long + NOTES).index(NOTES_QUOTE)
    object.__setattr__(citation, "start", start)
    object.__setattr__(citation, "end", start + len(NOTES_QUOTE))
    answered.show_place(citation)
    view = answered.viewer.body.texts.view
    qtbot.waitUntil(lambda: view.marked_text() == NOTES_QUOTE)
    qtbot.waitUntil(view.is_mark_in_view)
    assert not answered.viewer.body.page_bar.isVisible()


def test_a_changed_file_shows_the_quote_as_it_was(
    answered: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.is_changed = True
    click_chip(answered, qtbot, 4)
    qtbot.waitUntil(answered.viewer.notes.quote.isVisible)
    assert "changed since" in answered.viewer.notes.notice.sentence.text()
    assert NOTES_QUOTE in answered.viewer.notes.quote.text()


def test_a_quote_that_moved_is_marked_where_it_stands_now(
    answered: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    notes = app.library[1]
    app.texts[notes.id] = "A line that was added later.\n" + NOTES
    app.library[1] = replace(notes, sha256="another", path="/moved/notes.txt")
    click_chip(answered, qtbot, 4)
    qtbot.waitUntil(lambda: answered.viewer.body.texts.view.marked_text() == NOTES_QUOTE)
    assert "still stands" in answered.viewer.notes.notice.sentence.text()
    assert answered.viewer.notes.notice.isVisible()
    assert not answered.viewer.notes.quote.isVisible()


def test_a_quote_that_is_gone_from_a_text_is_shown_and_nothing_is_marked(
    answered: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    notes = app.library[1]
    app.texts[notes.id] = "Everything was written anew." * 40
    app.library[1] = replace(notes, sha256="another")
    click_chip(answered, qtbot, 4)
    qtbot.waitUntil(answered.viewer.notes.quote.isVisible)
    assert "stands in it no more" in answered.viewer.notes.notice.sentence.text()
    assert NOTES_QUOTE in answered.viewer.notes.quote.text()
    assert answered.viewer.body.texts.view.marked_text() == ""


def test_a_quote_that_is_gone_from_a_page_leaves_no_mark_on_it(
    answered: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.is_quote_gone = True
    click_chip(answered, qtbot, 1)
    qtbot.waitUntil(answered.viewer.notes.quote.isVisible)
    view = answered.viewer.body.pages.view
    qtbot.waitUntil(lambda: view.has_picture)
    assert view.highlight_rects() == []
    app.is_quote_gone = False
    click_chip(answered, qtbot, 2)
    qtbot.waitUntil(lambda: bool(view.highlight_rects()))
    assert not answered.viewer.notes.quote.isVisible()


def test_a_removed_document_still_shows_its_quote(
    answered: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    citation = app.citations()[0]
    app.library = app.library[1:]
    answered.show_place(citation)
    message = answered.viewer.body.state
    qtbot.waitUntil(lambda: "removed" in message.sentence.text())
    assert message.isVisible()
    assert citation.quote in message.quote.text()


def test_a_removed_document_keeps_no_note_of_the_one_before(
    answered: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.is_changed = True
    click_chip(answered, qtbot, 4)
    qtbot.waitUntil(answered.viewer.notes.quote.isVisible)
    citation = app.citations()[0]
    app.library = app.library[1:]
    answered.show_place(citation)
    qtbot.waitUntil(answered.viewer.body.state.isVisible)
    assert not answered.viewer.notes.notice.isVisible()


def test_a_page_that_cannot_be_painted_says_so(
    answered: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise WorkerCrashed("The reader stopped; open the file in its own program.")

    monkeypatch.setattr(app, "render_page", crash)
    click_chip(answered, qtbot, 1)
    message = answered.viewer.body.state
    qtbot.waitUntil(lambda: "The reader stopped" in message.sentence.text())
    assert message.isVisible()


def test_a_source_row_opens_the_same_place(answered: MainWindow, qtbot: QtBot) -> None:
    row = answered.chat.messages.answers()[-1].sources.rows[2]
    row.setFocus()
    qtbot.keyClick(row, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: answered.viewer.body.page_bar.number.text() == "3")


def test_a_passage_opens_before_the_answer_is_there(
    answered: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    answered.show_place(app.passages()[2])
    qtbot.waitUntil(lambda: answered.viewer.body.page_bar.number.text() == "3")


def test_escape_and_the_button_close_the_viewer(answered: MainWindow, qtbot: QtBot) -> None:
    click_chip(answered, qtbot, 1)
    assert answered.viewer.isVisible()
    qtbot.mouseClick(answered.viewer.head.close_button, Qt.MouseButton.LeftButton)
    assert not answered.viewer.isVisible()
    click_chip(answered, qtbot, 1)
    qtbot.keyClick(answered, Qt.Key.Key_Escape)
    assert not answered.viewer.isVisible()


def test_a_file_that_is_gone_is_not_opened(
    answered: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    assert external.open_file(tmp_path / "gone.pdf") is False
    assert external.show_in_folder(tmp_path / "gone" / "gone.pdf") is False
    click_chip(answered, qtbot, 1)
    qtbot.waitUntil(answered.viewer.head.open_button.isEnabled)
    qtbot.mouseClick(answered.viewer.head.open_button, Qt.MouseButton.LeftButton)
    said = answered.viewer.notes.notice.sentence
    qtbot.waitUntil(lambda: "not at its place" in said.text())
    assert answered.viewer.notes.find_button.isVisible()


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Plain words and the passage here.", "the passage"),
        ("Three 😀😀😀 faces, then the passage.", "the passage"),
        ("Windows\r\nlines\r\nand the passage.", "the passage"),
        ("Old\rMac\u2029lines, the passage\x00.", "the passage"),
    ],
)
def test_the_mark_is_exact_in_any_text(qtbot: QtBot, theme: Theme, text: str, quote: str) -> None:
    view = TextView(theme)
    qtbot.addWidget(view)
    start = text.index(quote)
    view.show_text(text, (), (start, start + len(quote)))
    assert view.marked_text() == quote


def test_other_colours_keep_the_one_mark(qtbot: QtBot, theme: Theme) -> None:
    view = TextView(theme)
    qtbot.addWidget(view)
    view.show_text(NOTES, (Block(BlockKind.HEADING, 0, 13, 1),), (0, 13))
    theme.toggle()
    rest = view.document().find("Version")
    assert rest.charFormat().background().style() == Qt.BrushStyle.NoBrush
    assert view.marked_text() == NOTES[:13]


def test_a_huge_text_is_shown_in_part(qtbot: QtBot, theme: Theme) -> None:
    view = TextView(theme)
    qtbot.addWidget(view)
    text = "word " * 200_000
    start = 500_000
    view.show_text(text, (), (start, start + 4))
    assert view.is_part
    assert view.marked_text() == "word"


def test_errors_without_a_target_are_shown_too(answered: MainWindow) -> None:
    answered.viewer._on_error(DesktopRagError("No."))
    assert answered.viewer.body.state.sentence.text() == "No."


def test_the_place_is_named_where_there_are_no_pages(answered: MainWindow, app: FakeApp) -> None:
    cited = replace(app.citations()[3], place="sheet Sales, rows 12-40")
    answered.show_place(cited)
    assert answered.viewer.head.subtitle.text() == f"sheet Sales, rows 12-40 · {cited.path}"
    answered.show_place(app.citations()[3])
    assert answered.viewer.head.subtitle.text() == cited.path
