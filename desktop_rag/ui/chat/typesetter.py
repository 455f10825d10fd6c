"""Dresses the text document that Qt makes from Markdown: type, tables, code, chips and marks."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from PySide6.QtCore import QRegularExpression, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)

from desktop_rag.ui.chat import markdown, outside_links
from desktop_rag.ui.chat.document_parts import (
    all_of,
    row_words,
    runs,
    selection,
    tables,
    words_of,
)
from desktop_rag.ui.chat.reading_direction import is_right_to_left
from desktop_rag.ui.theme import BODY_PX, SMALL_PX, L, M, S, Theme
from desktop_rag.ui.translation import _

DIALECT = QTextDocument.MarkdownFeature(
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value
    | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)
CODE = QTextFormat.Property.UserProperty.value + 1
"""Property of every block of a listing."""
_CITATION = QRegularExpression(r"\[(\d+)\]")
_INDENT = 26
_PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_HEIGHT_PERCENT, _TABLE_HEIGHT_PERCENT, _CODE_HEIGHT_PERCENT = 145.0, 125.0, 130.0


@dataclass(frozen=True, slots=True)
class Chip:
    """A citation in the text: `[1]` from `start` to `end`."""

    start: int
    end: int
    number: int


class Typesetter:
    """One look for all answers, in the colours and sizes of the theme."""

    def __init__(self, theme: Theme, font: QFont) -> None:
        self._theme = theme
        self._base = QFont(font)
        self.font = self._sized(BODY_PX + 1)
        self._code_font = self._fixed(BODY_PX - 1)
        self._chip_font = self._sized(SMALL_PX - 1, QFont.Weight.DemiBold)

    def _sized(self, px: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        made = QFont(self._base)
        made.setPixelSize(self._theme.px(px))
        made.setWeight(weight)
        return made

    def _fixed(self, px: float) -> QFont:
        made = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        made.setPixelSize(self._theme.px(px))
        return made

    def begin(self, document: QTextDocument) -> None:
        """Type and measures of a whole document."""
        document.setDefaultFont(self.font)
        document.setIndentWidth(self._theme.px(_INDENT))

    def dress(self, document: QTextDocument, start: int, numbers: Container[int]) -> list[Chip]:
        """Style everything from `start` on; returns the chips there, of citations that exist."""
        self._disarm(document, start)
        self._dress_blocks(document, start)
        for table in tables(document.rootFrame()):
            if table.lastPosition() >= start:
                self._dress_table(table)
        self._mark_unsupported(document, start)
        return self._make_chips(document, start, numbers)

    # safety
    def _disarm(self, document: QTextDocument, start: int) -> None:
        """Pictures become text, and so do links that lead to files, programs or scripts."""
        for first, length, style in reversed(list(runs(document, start))):
            cursor = selection(document, first, first + length)
            if style.isImageFormat():
                image = style.toImageFormat()
                told = style.property(QTextFormat.Property.ImageAltText) or image.name()
                cursor.insertText(f"[{told}]", QTextCharFormat())
            elif style.isAnchor() and not outside_links.is_allowed(QUrl(style.anchorHref())):
                cursor.setCharFormat(QTextCharFormat())
            elif style.fontFixedPitch() and not _is_code(cursor.block()):
                self._dress_inline_code(cursor)

    def _dress_inline_code(self, cursor: QTextCursor) -> None:
        made = QTextCharFormat()
        made.setFont(self._code_font)
        made.setBackground(self._theme.color("raised"))
        cursor.setCharFormat(made)

    # blocks
    def _dress_blocks(self, document: QTextDocument, start: int) -> None:
        block = document.findBlock(start)
        while block.isValid():
            cursor = QTextCursor(block)
            if _is_code(block):
                self._dress_code(cursor, block)
            elif not block.text() and cursor.currentTable() is None:
                cursor.setBlockFormat(nothing())
            else:
                self._dress_paragraph(cursor, block)
            block = block.next()

    def _dress_paragraph(self, cursor: QTextCursor, block: QTextBlock) -> None:
        style = QTextBlockFormat(block.blockFormat())
        in_list, in_table = block.textList() is not None, cursor.currentTable() is not None
        is_tight = in_list or in_table or block.blockNumber() == 0
        style.setLineHeight(_TABLE_HEIGHT_PERCENT if in_table else _HEIGHT_PERCENT, _PROPORTIONAL)
        style.setTopMargin(0 if is_tight else 6)
        style.setBottomMargin(0 if in_table else 4 if in_list else 6)
        if (is_mirrored := is_right_to_left(block.text())) is not None:
            style.setLayoutDirection(_direction(is_mirrored=is_mirrored))
        cursor.setBlockFormat(style)
        if style.headingLevel():
            self._dress_heading(cursor, style)

    def _dress_heading(self, cursor: QTextCursor, style: QTextBlockFormat) -> None:
        if cursor.block().blockNumber():
            style.setTopMargin(L)
            cursor.setBlockFormat(style)
        px = {1: BODY_PX + 6, 2: BODY_PX + 3}.get(style.headingLevel(), BODY_PX + 1)
        font = self._sized(px, QFont.Weight.DemiBold)
        run = cursor.block().begin()
        while not run.atEnd():
            piece = run.fragment()
            made = QTextCharFormat(piece.charFormat())
            made.clearProperty(QTextFormat.Property.FontSizeAdjustment.value)  # Qt's own sizes
            made.setFont(font)
            end = piece.position() + piece.length()
            selection(cursor.document(), piece.position(), end).setCharFormat(made)
            run += 1

    def _dress_code(self, cursor: QTextCursor, block: QTextBlock) -> None:
        style = QTextBlockFormat(block.blockFormat())
        is_first, is_last = not _is_code(block.previous()), not _is_code(block.next())
        style.setProperty(CODE, 1)
        style.setNonBreakableLines(False)  # a long line is wrapped, not cut off
        style.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        style.setLineHeight(_CODE_HEIGHT_PERCENT, _PROPORTIONAL)
        style.setLeftMargin(M)
        style.setRightMargin(M)
        style.setTopMargin(M + S if is_first else 0)
        style.setBottomMargin(M + S if is_last else 0)
        made = QTextCharFormat()
        made.setFont(self._code_font)
        made.setForeground(self._theme.color("text"))
        cursor.setBlockFormat(style)
        cursor.setBlockCharFormat(made)
        all_of(block).setCharFormat(made)

    # tables
    def _dress_table(self, table: QTextTable) -> None:
        style = table.format()
        style.setBorder(1)
        style.setBorderCollapse(True)
        style.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        style.setBorderBrush(self._theme.color("border_strong"))
        style.setCellPadding(S)
        style.setCellSpacing(0)
        style.setTopMargin(S)
        style.setBottomMargin(M)
        if is_right_to_left(" ".join(words_of(table))):
            style.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            style.setAlignment(Qt.AlignmentFlag.AlignRight)
        is_headed = table.rows() == 1 or any(row_words(table, 0))
        style.setHeaderRowCount(int(is_headed))
        table.setFormat(style)
        if is_headed:
            self._dress_header(table)
        else:
            table.removeRows(0, 1)  # of rows without names of columns

    def _dress_header(self, table: QTextTable) -> None:
        for column in range(table.columns()):
            cell, below = table.cellAt(0, column), table.cellAt(table.rows() - 1, column)
            cursor = cell.firstCursorPosition()
            aligned = QTextBlockFormat()
            aligned.setAlignment(below.firstCursorPosition().blockFormat().alignment())
            cursor.mergeBlockFormat(aligned)
            bold = QTextCharFormat()
            bold.setFontWeight(QFont.Weight.DemiBold)
            all_of(cursor.block()).mergeCharFormat(bold)
            style = cell.format()
            style.setBackground(self._theme.color("raised"))
            cell.setFormat(style)

    # marks and chips
    def _mark_unsupported(self, document: QTextDocument, start: int) -> None:
        mark = QTextCharFormat()
        mark.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        mark.setUnderlineColor(self._theme.color("warning"))
        mark.setForeground(self._theme.color("muted"))
        mark.setToolTip(_("Not found in the sources: nothing in your documents supports this."))
        while not (opening := document.find(markdown.SPAN_START, start)).isNull():
            first = opening.selectionStart()
            opening.removeSelectedText()
            closing = document.find(markdown.SPAN_END, first)
            if not closing.isNull():
                last = closing.selectionStart()
                closing.removeSelectedText()
                selection(document, first, last).mergeCharFormat(mark)

    def _make_chips(
        self, document: QTextDocument, start: int, numbers: Container[int]
    ) -> list[Chip]:
        made = []
        found = document.find(_CITATION, start)
        while not found.isNull():
            number = int(found.selectedText()[1:-1])
            if number in numbers and not _is_code(found.block()):
                chip = Chip(found.selectionStart(), found.selectionEnd(), number)
                self._make_chip(document, chip)
                made.append(chip)
            found = document.find(_CITATION, found)
        return made

    def _make_chip(self, document: QTextDocument, chip: Chip) -> None:
        """The text stays "[1]", so a copy is whole; the brackets are only room for the chip."""
        clear = QColor(Qt.GlobalColor.transparent)
        colours = (clear, self._theme.color("accent_text"), clear)
        edges = (chip.start, chip.start + 1, chip.end - 1, chip.end)
        for first, last, colour in zip(edges, edges[1:], colours, strict=False):
            selection(document, first, last).setCharFormat(self._chip_format(chip, colour))

    def _chip_format(self, chip: Chip, colour: QColor) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._chip_font)
        made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignNormal)
        made.setAnchor(True)
        made.setAnchorHref(f"cite:{chip.number}")
        made.setForeground(colour)
        made.setFontUnderline(False)
        return made


def _is_code(block: QTextBlock) -> bool:
    style = block.blockFormat()
    return block.isValid() and (style.hasProperty(CODE) or style.nonBreakableLines())


def nothing() -> QTextBlockFormat:
    """Of the empty blocks that Qt leaves beside tables."""
    made = QTextBlockFormat()
    made.setLineHeight(1, _FIXED)
    return made


def _direction(*, is_mirrored: bool) -> Qt.LayoutDirection:
    sides = Qt.LayoutDirection
    return sides.RightToLeft if is_mirrored else sides.LeftToRight
