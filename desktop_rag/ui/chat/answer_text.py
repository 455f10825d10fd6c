"""The text of an answer: Markdown with citation chips and marks on what no source supports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRectF, QRegularExpression, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QImage,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from desktop_rag.ui import plain
from desktop_rag.ui.chat import markdown, outside_links
from desktop_rag.ui.theme import BODY_PX, SMALL_PX, Theme

_CITATION = QRegularExpression(r"\[(\d+)\]")
_DIALECT = QTextDocument.MarkdownFeature(
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value
    | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)
_UNSUPPORTED_TIP = "No source in your documents supports this."
_LINE_HEIGHT_PERCENT = 145.0


class AnswerText(QTextBrowser):
    """Grows to the height of its text; selectable, copyable, links reachable with Tab.

    Nothing an answer contains is ever fetched: pictures become their words. A link to the web is
    opened only after a click and a question that shows where it leads; other links are text.

    Signals:
        citation_clicked (int): the number of a citation.
    """

    citation_clicked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._tips: dict[int, str] = {}
        self._unsupported: tuple[tuple[int, int], ...] = ()
        self._chips: list[tuple[int, int]] = []
        self._build()
        self.anchorClicked.connect(self._on_anchor)
        theme.changed.connect(self._render)

    def _build(self) -> None:
        self.setObjectName("answerText")
        self.setAccessibleName("Answer")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)

    # content
    def set_answer(
        self,
        text: str,
        tips: Mapping[int, str] | None = None,
        unsupported: Sequence[tuple[int, int]] = (),
    ) -> None:
        """Show `text` (Markdown). `tips` holds a tool tip for each citation number that exists."""
        self._text, self._tips, self._unsupported = text, dict(tips or {}), tuple(unsupported)
        self._render()

    @property
    def source(self) -> str:  # type: ignore[override]
        """The Markdown as the model wrote it."""
        return self._text

    def chip_rects(self) -> dict[int, QRectF]:
        """Where each citation chip is painted, by position in the document; for tests and paint."""
        return {start: self._chip_rect(start, end) for start, end in self._chips}

    def _render(self) -> None:
        document = self.document()
        document.setDefaultFont(self._font())
        document.setMarkdown(markdown.prepare(self._text, self._unsupported), _DIALECT)
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        self._disarm()
        self._style_blocks()
        self._style_unsupported()
        self._style_citations()
        cursor.endEditBlock()
        self._fit()

    def _disarm(self) -> None:
        """Pictures become text, and so do links that lead to files, programs or scripts."""
        for start, length, style in reversed(self._runs()):
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            if style.isImageFormat():
                image = style.toImageFormat()
                told = style.property(QTextFormat.Property.ImageAltText) or image.name()
                cursor.insertText(f"[{told}]", QTextCharFormat())
            elif style.isAnchor() and not outside_links.is_allowed(QUrl(style.anchorHref())):
                cursor.setCharFormat(QTextCharFormat())

    def _runs(self) -> list[tuple[int, int, QTextCharFormat]]:
        """(start, length, format) of all stretches of one format."""
        found, block = [], self.document().begin()
        while block.isValid():
            run = block.begin()
            while not run.atEnd():
                piece = run.fragment()
                found.append((piece.position(), piece.length(), piece.charFormat()))
                run += 1
            block = block.next()
        return found

    def _font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(BODY_PX + 1)
        return font

    def _style_blocks(self) -> None:
        block = self.document().begin()
        while block.isValid():
            cursor = QTextCursor(block)
            style = QTextBlockFormat(block.blockFormat())
            kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
            style.setLineHeight(_LINE_HEIGHT_PERCENT, kind)
            in_list = block.textList() is not None
            style.setTopMargin(0 if block.blockNumber() == 0 or in_list else 6)
            style.setBottomMargin(4 if in_list else 6)
            cursor.setBlockFormat(style)
            if style.headingLevel():
                self._style_heading(cursor, style.headingLevel())
            block = block.next()

    def _style_heading(self, cursor: QTextCursor, level: int) -> None:
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        font = self._font()
        font.setPixelSize({1: BODY_PX + 5, 2: BODY_PX + 3}.get(level, BODY_PX + 1))
        font.setWeight(QFont.Weight.DemiBold)
        made = QTextCharFormat()
        made.setFont(font)
        cursor.mergeCharFormat(made)

    def _style_unsupported(self) -> None:
        mark = QTextCharFormat()
        mark.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        mark.setUnderlineColor(self._theme.color("warning"))
        mark.setForeground(self._theme.color("muted"))
        mark.setToolTip(_UNSUPPORTED_TIP)
        while not (opening := self.document().find(markdown.SPAN_START)).isNull():
            start = opening.selectionStart()
            opening.removeSelectedText()
            closing = self.document().find(markdown.SPAN_END, start)
            if closing.isNull():
                continue
            end = closing.selectionStart()
            closing.removeSelectedText()
            span = QTextCursor(self.document())
            span.setPosition(start)
            span.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            span.mergeCharFormat(mark)

    def _style_citations(self) -> None:
        self._chips = []
        found = self.document().find(_CITATION)
        while not found.isNull():
            number = int(found.selectedText()[1:-1])
            if number in self._tips:
                self._style_chip(found, number)
            found = self.document().find(_CITATION, found)

    def _style_chip(self, found: QTextCursor, number: int) -> None:
        """The text stays "[1]", so a copy is whole; the brackets are only room for the chip."""
        start, end = found.selectionStart(), found.selectionEnd()
        self._chips.append((start, end))
        for first, last, colour in (
            (start, start + 1, QColor(Qt.GlobalColor.transparent)),
            (start + 1, end - 1, self._theme.color("accent_text")),
            (end - 1, end, QColor(Qt.GlobalColor.transparent)),
        ):
            part = QTextCursor(self.document())
            part.setPosition(first)
            part.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
            part.setCharFormat(self._chip_format(number, colour))

    def _chip_format(self, number: int, colour: QColor) -> QTextCharFormat:
        made = QTextCharFormat()
        font = self._font()
        font.setPixelSize(SMALL_PX - 1)
        font.setWeight(QFont.Weight.DemiBold)
        made.setFont(font)
        made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignNormal)
        made.setAnchor(True)
        made.setAnchorHref(f"cite:{number}")
        made.setForeground(colour)
        made.setFontUnderline(False)
        return made

    # geometry
    def _fit(self) -> None:
        width = self.viewport().width()
        if width <= 0:
            return
        self.document().setTextWidth(width)
        height = math.ceil(self.document().size().height())
        if height != self.height():
            self.setFixedHeight(max(1, height))

    def sizeHint(self) -> QSize:
        """As wide as it may be, as high as its text."""
        return QSize(400, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A new width needs another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """The style sheet arrives with the first show and would bring its own size of text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.document().setDefaultFont(self._font())
            self._fit()

    # painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """Chips lie under the text."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_soft"))
        for rect in self.chip_rects().values():
            painter.drawRoundedRect(rect, 5, 5)
        painter.end()
        super().paintEvent(event)

    def _chip_rect(self, start: int, end: int) -> QRectF:
        block = self.document().findBlock(start)
        line = block.layout().lineForTextPosition(start - block.position())
        if not line.isValid():
            return QRectF()
        origin = self.document().documentLayout().blockBoundingRect(block).topLeft()
        left = _x(line.cursorToX(start - block.position()))
        right = _x(line.cursorToX(end - block.position()))
        baseline = origin.y() + line.y() + line.ascent()
        height = SMALL_PX + 5
        top = baseline - height + 4
        return QRectF(origin.x() + left, top, right - left, height)

    # behaviour
    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing an answer names is ever loaded.

        Without a picture in return, Qt would look for a file of that name itself.
        """
        del name
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return ""
        empty = QImage(1, 1, QImage.Format.Format_ARGB32)
        empty.fill(Qt.GlobalColor.transparent)
        return empty

    def event(self, event: QEvent) -> bool:
        """Tool tips: the quote behind a chip, or why a stretch is underlined."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = self.tip_at(self.viewport().mapFromGlobal(event.globalPos()))
            QToolTip.showText(event.globalPos(), plain.tip(tip), self)
            return True
        return super().event(event)

    def tip_at(self, position: QPoint) -> str:
        """The tool tip for a place in the text, or empty."""
        href = self.anchorAt(position)
        if href.startswith("cite:"):
            return self._tips.get(int(href[5:]), "")
        if href:
            return href
        cursor = self.cursorForPosition(position)
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        return cursor.charFormat().toolTip()

    def _on_anchor(self, url: QUrl) -> None:
        if url.scheme() == "cite":
            self.citation_clicked.emit(int(url.path()))
        else:
            outside_links.offer(self, url)


def _x(value: object) -> float:
    """`cursorToX` gives a pair in some versions of the binding."""
    return float(value[0] if isinstance(value, tuple) else value)  # type: ignore[arg-type]
