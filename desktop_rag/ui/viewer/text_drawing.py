"""Draws segments of a document into Qt's rich text, and keeps account of what stands where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
)

from desktop_rag.domain.documents import Part, PartKind
from desktop_rag.ui.theme import BODY_PX, SMALL_PX, Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.text_pieces import Pieces, shown
from desktop_rag.ui.viewer.text_segments import Kind, Segment, Source, cells, lines, segments

if TYPE_CHECKING:
    from collections.abc import Callable

_HEADINGS = {1: BODY_PX + 7, 2: BODY_PX + 4, 3: BODY_PX + 2}
_ITEM = re.compile(r"(\s*)([-*•]|\d{1,4}[.)])?\s*")
_INDENT_PX = 22
_LINE_HEIGHT = 145.0
_MAIL_LABEL = re.compile(r"\w+:")


class Drawing:
    """One stretch of a document in a `QTextDocument` that is cleared before."""

    def __init__(self, document: QTextDocument, font: QFont, theme: Theme, source: Source) -> None:
        self._document = document
        self._font = font
        self._theme = theme
        self._text = source.text
        self._source = source
        self.pieces = Pieces(source.text)
        self._cursor = QTextCursor(document)
        self._is_empty = True
        self._draw: dict[Kind, Callable[[Segment], None]] = {
            Kind.HEADING: self._heading,
            Kind.PARAGRAPH: self._paragraph,
            Kind.LIST: self._list,
            Kind.CODE: self._code,
            Kind.TABLE: self._table,
            Kind.MAIL_HEAD: self._mail_head,
            Kind.NUMBERED_LINES: self._numbered_lines,
            Kind.LABEL: self._label,
        }

    def draw(self, first: int, last: int) -> Pieces:
        """Draw `text[first:last]`."""
        self._document.setDefaultFont(self._font)
        self._cursor.beginEditBlock()
        for segment in segments(self._source, first, last):
            self._draw[segment.kind](segment)
        self._cursor.endEditBlock()
        return self.pieces

    # kinds
    def _heading(self, segment: Segment) -> None:
        style = QTextCharFormat()
        style.setFont(self._sized(_HEADINGS.get(segment.level, BODY_PX + 1), is_bold=True))
        self._begin_block(_spaced(top=14, bottom=4), level=segment.level)
        self._put(segment.start, segment.end, style)

    def _paragraph(self, segment: Segment) -> None:
        self._begin_block(_spaced(top=4, bottom=6))
        self._put(segment.start, segment.end, self._plain())

    def _list(self, segment: Segment) -> None:
        for start, end in lines(self._text, segment.start, segment.end):
            found = _ITEM.match(self._text, start, end)
            indent = len(found[1]) // 2 if found else 0
            block = _spaced(top=1, bottom=2)
            px = self._theme.px(_INDENT_PX)
            is_item = bool(found and found[2])
            block.setIndent(indent + 1)
            block.setTextIndent(-px * 0.7 if is_item else 0)
            self._begin_block(block)
            begin = start + len(found[1]) if found else start
            self._put(begin, end, self._plain(), is_item=is_item)

    def _code(self, segment: Segment) -> None:
        block = _spaced(top=6, bottom=8)
        block.setBackground(self._theme.color("raised"))
        block.setLineHeight(130.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        block.setNonBreakableLines(False)
        self._begin_block(block)
        self._put(segment.start, segment.end, self._monospace())

    def _numbered_lines(self, segment: Segment) -> None:
        block = _spaced(top=0, bottom=0)
        block.setLineHeight(130.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        block.setTopMargin(0)
        style = self._monospace()
        for start, end in lines(self._text, segment.start, segment.end):
            self._begin_block(block)
            self._put(start, end, style)

    def _label(self, segment: Segment) -> None:
        if segment.part is None or not (words := label_of(segment.part)):
            return
        style = QTextCharFormat()
        style.setFont(self._sized(SMALL_PX, is_bold=True))
        style.setForeground(self._theme.color("accent_text"))
        self._begin_block(_spaced(top=20, bottom=0))
        self._cursor.insertText(words, style)

    def _table(self, segment: Segment) -> None:
        rows = [
            list(cells(self._text, *line)) for line in lines(self._text, segment.start, segment.end)
        ]
        table = self._insert_table(rows, self._grid_format())
        for number, row in enumerate(rows):
            style = QTextCharFormat(self._plain())
            if number == 0 and len(rows) > 1:
                style.setFontWeight(QFont.Weight.DemiBold)
            for column, span in enumerate(row):
                self._fill(table.cellAt(number, column).firstCursorPosition(), span, style)
        self._leave(table)

    def _mail_head(self, segment: Segment) -> None:
        rows = []
        for start, end in lines(self._text, segment.start, segment.end):
            found = _MAIL_LABEL.match(self._text, start, end)
            split = found.end() if found else start
            rows.append([(start, split), (split + 1, end)])
        table = self._insert_table(rows, self._head_format())
        label = self._plain()
        label.setForeground(self._theme.color("muted"))
        for number, (name, value) in enumerate(rows):
            self._fill(table.cellAt(number, 0).firstCursorPosition(), name, label)
            style = self._plain()
            if self._text.startswith("Subject", name[0]):
                style.setFontWeight(QFont.Weight.DemiBold)
            self._fill(table.cellAt(number, 1).firstCursorPosition(), value, style)
        self._leave(table)

    # putting
    def _begin_block(self, style: QTextBlockFormat, level: int = 0) -> None:
        if level:
            style.setHeadingLevel(min(level, 6))
        if self._is_empty:
            self._cursor.setBlockFormat(style)
            self._is_empty = False
            return
        self._cursor.insertBlock(style, QTextCharFormat())

    def _put(self, start: int, end: int, style: QTextCharFormat, *, is_item: bool = False) -> None:
        written = shown(self._text[start:end])
        if is_item and written[:1] in {"-", "*"}:
            written = "•" + written[1:]
        self.pieces.add(start, end, self._cursor.position())
        self._cursor.insertText(written, style)

    def _fill(self, cursor: QTextCursor, span: tuple[int, int], style: QTextCharFormat) -> None:
        start, end = span
        if start >= end:
            return
        block = QTextBlockFormat()
        block.setLineHeight(120.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(block)
        self.pieces.add(start, end, cursor.position())
        cursor.insertText(shown(self._text[start:end]), style)

    def _insert_table(
        self, rows: list[list[tuple[int, int]]], style: QTextTableFormat
    ) -> QTextTable:
        if self._is_empty:
            self._is_empty = False
        else:
            self._cursor.insertBlock(_spaced(top=0, bottom=0), QTextCharFormat())
        return self._cursor.insertTable(len(rows), max(map(len, rows)), style)

    def _leave(self, table: QTextTable) -> None:
        self._cursor.setPosition(table.lastPosition() + 1)

    # formats
    def _plain(self) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setFont(self._font)
        return style

    def _sized(self, px: int, *, is_bold: bool) -> QFont:
        font = QFont(self._font)
        font.setPixelSize(self._theme.px(px))
        if is_bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def _monospace(self) -> QTextCharFormat:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(self._theme.px(BODY_PX - 1))
        style = QTextCharFormat()
        style.setFont(font)
        return style

    def _grid_format(self) -> QTextTableFormat:
        made = QTextTableFormat()
        made.setBorder(1)
        made.setBorderCollapse(True)
        made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        made.setBorderBrush(self._theme.color("border_strong"))
        made.setCellPadding(self._theme.px(6))
        made.setCellSpacing(0)
        made.setTopMargin(8)
        made.setBottomMargin(8)
        made.setHeaderRowCount(1)
        return made

    def _head_format(self) -> QTextTableFormat:
        made = QTextTableFormat()
        made.setBorder(0)
        made.setCellPadding(self._theme.px(3))
        made.setCellSpacing(0)
        made.setBackground(self._theme.color("raised"))
        made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        made.setBottomMargin(12)
        fixed, rest = self._theme.px(78), QTextLength(QTextLength.Type.VariableLength, 0)
        made.setColumnWidthConstraints([QTextLength(QTextLength.Type.FixedLength, fixed), rest])
        made.setAlignment(Qt.AlignmentFlag.AlignLeading)
        return made


def label_of(part: Part) -> str:
    """What stands above a part that its text does not name itself."""
    names = {
        PartKind.SLIDE: _("Slide {n}"),
        PartKind.MESSAGE: _("Message {n}"),
        PartKind.PAGE: _("Page {n}"),
    }
    if part.kind in names and part.number:
        return names[part.kind].format(n=part.number)
    if part.kind is PartKind.ATTACHMENT:
        return _("Attachment")
    if part.kind is PartKind.SHEET and part.name:
        return _("Sheet")
    return ""


def _spaced(top: float, bottom: float) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setTopMargin(top)
    made.setBottomMargin(bottom)
    made.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return made
