"""How Markdown of an answer is shown: tables, code, direction, and all of it while it grows."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextFormat
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.ui.chat.answer_text import AnswerText
from desktop_rag.ui.chat.copying import plain_text
from desktop_rag.ui.chat.document_parts import tables
from desktop_rag.ui.chat.typesetter import CODE
from desktop_rag.ui.theme import Appearance, Theme

WHOLE = """# Pump plan

The pump is covered for **24 months** [1]. Use `pump.reset()` first [2].

## Steps

1. Close the valve [1]

2. Open it
   - nested

| Model | Price |
|---|---:|
| HX-250 | 1,200 [2] |
| HX-300 | 1,450 |

From the sheet:

Item | Price
Pump | 200 [1]
Hose | 20

```python
def reset(pump):

    return True
```

> Keep the receipt.

الضمان 24 شهرا [1].

The end [2]."""
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")
NUMBERS = {1: "", 2: ""}


@pytest.fixture
def text(theme: Theme, qtbot: QtBot) -> Iterator[AnswerText]:
    page = QWidget()
    qtbot.addWidget(page)
    made = AnswerText(theme)
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(made)
    layout.addStretch(1)
    page.resize(700, 900)
    with qtbot.waitExposed(page):
        page.show()
    yield made
    page.close()


def cells(text: AnswerText, which: int = 0) -> list[list[str]]:
    table = tables(text.document().rootFrame())[which]
    return [
        [
            table.cellAt(row, column).firstCursorPosition().block().text().replace("\xa0", " ")
            for column in range(table.columns())
        ]
        for row in range(table.rows())
    ]


def looks(text: AnswerText) -> list[tuple[object, ...]]:
    """All that can be seen of each paragraph."""
    found: list[tuple[object, ...]] = []
    block = text.document().begin()
    while block.isValid():
        style, lines, run = block.blockFormat(), block.textList(), block.begin()
        fonts = []
        while not run.atEnd():
            piece = run.fragment()
            fonts.append((piece.text(), piece.charFormat().font().pixelSize()))
            run += 1
        if block.text():
            found.append(
                (
                    fonts,
                    style.topMargin(),
                    style.bottomMargin(),
                    style.headingLevel(),
                    style.hasProperty(CODE),
                    style.hasProperty(QTextFormat.Property.BlockQuoteLevel.value),
                    style.layoutDirection(),
                    lines.format().style() if lines is not None else None,
                    QTextCursor(block).currentTable() is not None,
                )
            )
        block = block.next()
    return found


class TestTables:
    def test_a_table_is_one_with_a_header(self, text: AnswerText, theme: Theme) -> None:
        text.set_answer("| Model | Price |\n|---|---:|\n| HX | 12 |\n| HY | 9 |")
        assert cells(text) == [["Model", "Price"], ["HX", "12"], ["HY", "9"]]
        table = tables(text.document().rootFrame())[0]
        assert table.format().border() == 1
        header = table.cellAt(0, 1)
        assert header.format().background().color() == theme.color("raised")
        alignment = header.firstCursorPosition().blockFormat().alignment()
        assert alignment & Qt.AlignmentFlag.AlignRight

    def test_rows_as_documents_write_them_become_a_table(self, text: AnswerText) -> None:
        text.set_answer("From the sheet:\nItem | Price\nPump | 200 [1]\nHose | 20\n\nEnd", NUMBERS)
        assert cells(text) == [["Item", "Price"], ["Pump", "200 [1]"], ["Hose", "20"]]
        assert " | " not in text.toPlainText()
        assert len(text.chip_rects()) == 1

    def test_rows_without_names_of_columns_have_no_header(self, text: AnswerText) -> None:
        text.set_answer("Pump | 200\nHose | 20")
        assert cells(text) == [["Pump", "200"], ["Hose", "20"]]

    @pytest.mark.parametrize(
        "source", ["One | two is a line.", "```\na | b\nc | d\n```", "- a | b\n- c | d"]
    )
    def test_what_is_no_table_stays_text(self, text: AnswerText, source: str) -> None:
        text.set_answer(source)
        assert tables(text.document().rootFrame()) == []
        assert " | " in text.toPlainText()

    def test_a_wide_table_can_be_scrolled_and_is_not_cut_off(
        self, text: AnswerText, qtbot: QtBot
    ) -> None:
        row = "|" + " considerable |" * 14
        text.set_answer(f"{row}\n|{'---|' * 14}\n{row}")
        bar = text.horizontalScrollBar()
        qtbot.waitUntil(lambda: bar.maximum() > 0)
        assert bar.isVisible()
        assert text.height() >= text.document().size().height() + bar.height()
        text.set_answer("Short.")
        qtbot.waitUntil(lambda: not bar.isVisible())

    def test_a_doubt_in_a_cell_is_marked_there(self, text: AnswerText) -> None:
        source = "| Model | Price |\n|---|---|\n| HX | 12 |"
        start = source.index("HX")
        text.set_answer(source, (), [(start, len(source))])
        assert cells(text) == [["Model", "Price"], ["HX", "12"]]
        cursor = tables(text.document().rootFrame())[0].cellAt(1, 1).firstCursorPosition()
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        assert cursor.charFormat().underlineStyle() == cursor.charFormat().UnderlineStyle.DotLine


class TestCode:
    def test_a_listing_has_a_ground_and_a_button_that_copies_it(
        self, text: AnswerText, theme: Theme, qtbot: QtBot
    ) -> None:
        text.set_answer("Do:\n\n```python\nif a:\n\n    b()\n```\n\nDone [1].", NUMBERS)
        listing = text._places.listings()[0]
        picture = text.grab().toImage()
        ratio = picture.devicePixelRatio()
        x, y = (listing.rect.left() + 4) * ratio, listing.rect.center().y() * ratio
        assert picture.pixelColor(round(x), round(y)) == theme.color("raised")
        button = text._buttons.shown[0]
        assert listing.rect.toRect().contains(button.geometry())
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert QGuiApplication.clipboard().text() == "if a:\n\n    b()"
        assert button.accessibleName() == "Copy code"
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus

    def test_buttons_come_and_go_with_the_listings(self, text: AnswerText) -> None:
        text.set_answer("```\na\n```\n\nand\n\n```\nb\n```")
        assert [one.text_to_copy for one in text._buttons.shown] == ["a", "b"]
        text.set_answer("No code.")
        assert text._buttons.shown == []

    def test_a_long_line_is_wrapped_not_cut(self, text: AnswerText) -> None:
        text.set_answer("```\n" + "word " * 80 + "\n```")
        assert text.document().size().width() <= text.viewport().width()
        assert text.document().begin().layout().lineCount() > 3

    def test_a_citation_in_code_is_code(self, text: AnswerText) -> None:
        text.set_answer("```\nvalues[1]\n```", NUMBERS)
        assert text.chip_rects() == {}


class TestDirection:
    def test_each_paragraph_runs_as_its_letters_do(self, text: AnswerText) -> None:
        text.set_answer("الضمان 24 شهرا [1].\n\nThe cover [1].\n\n保修期 [1]。\n\n- עברית", NUMBERS)
        directions = []
        block = text.document().begin()
        while block.isValid():
            directions.append(block.textDirection())
            block = block.next()
        right, left = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight
        assert directions == [right, left, left, right]
        first = next(iter(text.chip_rects().values()))
        assert first.width() > 8
        assert first.left() > text.viewport().width() / 2

    def test_a_table_of_arabic_begins_on_the_right(self, text: AnswerText) -> None:
        text.set_answer("| الطراز | السعر |\n|---|---:|\n| مضخة | 12 |")
        assert cells(text) == [["السعر", "الطراز"], ["12", "مضخة"]]
        table = tables(text.document().rootFrame())[0]
        place = text.document().documentLayout().frameBoundingRect(table)
        assert place.right() > text.viewport().width() - 4
        assert plain_text(text.document()) == "الطراز\tالسعر\nمضخة\t12"


class TestGrowing:
    @pytest.mark.parametrize("seed", range(6))
    def test_a_text_that_grew_looks_like_one_that_came_whole(
        self, text: AnswerText, seed: int
    ) -> None:
        dice, end = random.Random(seed), 0
        while end < len(WHOLE):
            end = min(len(WHOLE), end + dice.randint(1, 40))
            text.grow(WHOLE[:end], NUMBERS)
        grown, height = (looks(text), len(text.chip_rects())), text.height()
        text.set_answer(WHOLE, NUMBERS)
        assert grown == (looks(text), len(text.chip_rects()))
        assert abs(height - text.height()) <= 8

    def test_a_selection_above_survives_what_comes(self, text: AnswerText) -> None:
        text.grow("First paragraph.\n\nSecond one.\n\nThird", NUMBERS)
        cursor = text.document().find("First")
        text.setTextCursor(cursor)
        text.grow("First paragraph.\n\nSecond one.\n\nThird and more.", NUMBERS)
        assert text.textCursor().selectedText() == "First"

    def test_another_text_begins_anew(self, text: AnswerText) -> None:
        text.grow("One [1].", NUMBERS)
        text.grow("Two.", NUMBERS)
        assert text.toPlainText() == "Two."
        assert text.chip_rects() == {}

    def test_citations_that_become_known_are_chips(self, text: AnswerText) -> None:
        text.grow("First [1].\n\nSecond", {})
        assert text.chip_rects() == {}
        text.grow("First [1].\n\nSecond [2]", NUMBERS)
        assert len(text.chip_rects()) == 2

    def test_late_words_of_a_long_answer_cost_no_more_than_early_ones(
        self, text: AnswerText
    ) -> None:
        paragraph = "The machine is covered for **24 months** from the purchase [1] on. " * 4
        whole = "\n\n".join([paragraph] * 40)
        text.grow(whole, NUMBERS)
        begin = time.perf_counter()
        for n in range(20):
            text.grow(whole + "\n\nEnd" + " word" * n, NUMBERS)
        growing = (time.perf_counter() - begin) / 20
        begin = time.perf_counter()
        for _ in range(4):
            text.set_answer(whole, NUMBERS)
        assert growing < (time.perf_counter() - begin) / 4 / 3


def test_colours_follow_the_theme(text: AnswerText, theme: Theme) -> None:
    text.set_answer("See [1].", NUMBERS)
    theme.choose(Appearance.DARK)
    cursor = text.document().find("1")
    assert cursor.charFormat().foreground().color() == theme.color("accent_text")
    theme.choose(Appearance.LIGHT)
