"""A document without pages as text, with the cited passage marked and in view."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from desktop_rag.domain.documents import Block, BlockKind
from desktop_rag.ui.theme import BODY_PX, Theme

_SHOWN_CHARS = 200_000
"""Text laid out at once; of a longer document the part around the passage is shown."""


class TextView(QTextBrowser):
    """Offsets are those of the document's text (code points); Qt counts UTF-16 units."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._span: tuple[int, int] | None = None
        self._marked: tuple[int, int] | None = None
        self._content: tuple[str, Sequence[Block]] = ("", ())
        self.is_part = False
        self.setObjectName("textView")
        self.setAccessibleName("Document text")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.document().setDocumentMargin(24)
        theme.changed.connect(self._render)

    def show_text(
        self, text: str, blocks: Sequence[Block], span: tuple[int, int] | None = None
    ) -> None:
        """Show `text` and mark `span`."""
        self._content, self._span = (text, blocks), span
        self._render()

    def marked_text(self) -> str:
        """What is marked, as it stands in the view."""
        if self._marked is None:
            return ""
        cursor = self._select(*self._marked)
        return cursor.selectedText().replace("\u2029", "\n")

    def is_mark_in_view(self) -> bool:
        """Whether the beginning of the marked passage is on screen."""
        if self._marked is None:
            return False
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._marked[0])
        return self.viewport().rect().intersects(self.cursorRect(cursor))

    def _render(self) -> None:
        text, blocks = self._content
        first, last = _window(len(text), self._span)
        self.is_part = last - first < len(text)
        shown = _plain(text[first:last])
        self.document().setDefaultFont(self._font())
        # New text takes the format at the cursor, which may be a heading's or the mark's.
        self.clear()
        self.setCurrentCharFormat(QTextCharFormat())
        self.setPlainText(shown)
        to_qt = _Utf16(shown)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._space_lines()
        for block in blocks:
            start, end = max(block.start, first) - first, min(block.end, last) - first
            if start < end:
                self._style(block, to_qt(start), to_qt(end))
        self._mark(first, last, to_qt)
        cursor.endEditBlock()
        QTimer.singleShot(0, self, self._reveal)

    def _font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(BODY_PX)
        return font

    def _space_lines(self) -> None:
        style = QTextBlockFormat()
        style.setLineHeight(150.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(style)

    def _style(self, block: Block, start: int, end: int) -> None:
        style = QTextCharFormat()
        if block.kind is BlockKind.HEADING:
            font = self._font()
            font.setPixelSize({1: BODY_PX + 7, 2: BODY_PX + 4}.get(block.level, BODY_PX + 2))
            font.setWeight(QFont.Weight.DemiBold)
            style.setFont(font)
        elif block.kind in {BlockKind.CODE, BlockKind.TABLE}:
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
            font.setPixelSize(BODY_PX - 1)
            style.setFont(font)
        else:
            return
        self._select(start, end).mergeCharFormat(style)

    def _mark(self, first: int, last: int, to_qt: _Utf16) -> None:
        self._marked = None
        if self._span is None:
            return
        start, end = max(self._span[0], first) - first, min(self._span[1], last) - first
        if start >= end:
            return
        self._marked = (to_qt(start), to_qt(end))
        style = QTextCharFormat()
        style.setBackground(self._theme.color("highlight_text"))
        self._select(*self._marked).mergeCharFormat(style)

    def _select(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _reveal(self) -> None:
        if self._marked is None:
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._marked[0])
        self.setTextCursor(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect().top() - self.viewport().height() // 3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other line breaks move the passage; it stays in view."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            QTimer.singleShot(0, self, self._reveal)


class _Utf16:
    """Turns offsets in code points into Qt's offsets, where an emoji counts twice."""

    def __init__(self, text: str) -> None:
        self._wide = [n for n, char in enumerate(text) if ord(char) > 0xFFFF]

    def __call__(self, offset: int) -> int:
        return offset + bisect_left(self._wide, offset)


def _window(length: int, span: tuple[int, int] | None) -> tuple[int, int]:
    if length <= _SHOWN_CHARS:
        return 0, length
    middle = span[0] if span else 0
    first = max(0, min(middle - _SHOWN_CHARS // 2, length - _SHOWN_CHARS))
    return first, first + _SHOWN_CHARS


def _plain(text: str) -> str:
    """The same length in characters, without those that Qt would drop or turn into something."""
    text = text.replace("\r\n", " \n").replace("\r", "\n")
    return text.translate({0x0: "\ufffd", 0xFDD0: "\ufffd", 0xFDD1: "\ufffd", 0x2029: "\n"})
