"""Markdown in a text document that grows to the height of its text, also while it is written."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QUrl
from PySide6.QtGui import (
    QImage,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from desktop_rag.ui.chat import markdown
from desktop_rag.ui.chat.answer_places import Places
from desktop_rag.ui.chat.document_parts import tables
from desktop_rag.ui.chat.listing_buttons import ListingButtons
from desktop_rag.ui.chat.table_room import give_room
from desktop_rag.ui.chat.typesetter import DIALECT, Chip, Typesetter, nothing
from desktop_rag.ui.theme import Theme

ROUND = 5.0


class MarkdownText(QTextBrowser):
    """Selectable and copyable; citations of the text are painted as chips.

    Nothing a text contains is ever fetched: pictures become their words.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._numbers: Container[int] = ()
        self._unsupported: tuple[tuple[int, int], ...] = ()
        self._chips: list[Chip] = []
        self._settled_chars = 0
        self._settled_end = 0
        """Of the source, and of the document: what a growing text does not change any more."""
        self._build()
        theme.changed.connect(self._render)

    def _build(self) -> None:
        self.setObjectName("answerText")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self._places = Places(self)
        self._buttons = ListingButtons(self._theme, self.viewport(), self)
        self.horizontalScrollBar().valueChanged.connect(self._on_scrolled)

    # content
    def set_answer(
        self,
        text: str,
        numbers: Container[int] = (),
        unsupported: Sequence[tuple[int, int]] = (),
    ) -> None:
        """Show `text` (Markdown). `numbers` are those of the citations that exist."""
        self._text, self._numbers, self._unsupported = text, numbers, tuple(unsupported)
        self._render()

    def grow(self, text: str, numbers: Container[int] = ()) -> None:
        """Show a text that goes on from the one shown; only its last block is laid out again."""
        is_same = text.startswith(self._text) and numbers == self._numbers
        if not is_same or not self._text or self._unsupported:
            self._begin(text, numbers)
        self._text = text
        self._go_on()

    @property
    def source(self) -> str:  # type: ignore[override]
        """The Markdown as the model wrote it."""
        return self._text

    def chip_rects(self) -> dict[int, QRectF]:
        """Where each citation chip is painted, by position in the document."""
        return {chip.start: self._places.rect(chip.start, chip.end) for chip in self._chips}

    def _begin(self, text: str, numbers: Container[int]) -> None:
        self._text, self._numbers, self._unsupported = text, numbers, ()
        self._settled_chars = self._settled_end = 0
        self._chips = []
        self.document().clear()
        self._typesetter().begin(self.document())

    def _go_on(self) -> None:
        """Replace what is not settled yet by all that has arrived since."""
        setter, cursor = self._typesetter(), QTextCursor(self.document())
        stable = markdown.settled(self._text, self._settled_chars)
        kept = self._settled_end
        cursor.setPosition(kept)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if not cursor.block().text():
            cursor.setBlockFormat(nothing())  # Qt gives it the looks of what was removed
        self._chips = [chip for chip in self._chips if chip.end <= kept]
        if stable > self._settled_chars:
            self._insert(setter, self._text[self._settled_chars : stable])
            self._settled_chars, self._settled_end = stable, self._end()
        self._insert(setter, self._text[stable:])
        self._fit(kept)

    def _insert(self, setter: Typesetter, text: str) -> None:
        """Add Markdown at the end. Qt's own way to do so forgets what the first block is."""
        part = QTextDocument()
        part.setDefaultFont(setter.font)
        part.setMarkdown(markdown.prepare(text), DIALECT)
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        start = cursor.position()
        if start:
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
            start += 1
        cursor.insertFragment(QTextDocumentFragment(part))
        first = part.begin()
        if first.textList() is None and QTextCursor(first).currentTable() is None:
            QTextCursor(self.document().findBlock(start)).setBlockFormat(first.blockFormat())
        self._dress(setter, start)

    def _dress(self, setter: Typesetter, start: int) -> None:
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._chips += setter.dress(self.document(), start, self._numbers)
        cursor.endEditBlock()

    def _end(self) -> int:
        return self.document().characterCount() - 1

    def _render(self) -> None:
        document, setter = self.document(), self._typesetter()
        setter.begin(document)
        document.setMarkdown(markdown.prepare(self._text, self._unsupported), DIALECT)
        self._chips = []
        self._dress(setter, 0)
        self._settled_chars = self._settled_end = 0
        self._fit()

    def _typesetter(self) -> Typesetter:
        return Typesetter(self._theme, self.font())

    # geometry
    def _fit(self, kept: int = 0) -> None:
        """Be as high as the text; up to `kept` nothing has moved."""
        width = self.viewport().width()
        if width <= 0:
            return
        for table in tables(self.document().rootFrame()):
            give_room(table, width)
        if self.document().textWidth() != width:  # else Qt would lay out everything again
            self.document().setTextWidth(width)
            kept = 0
        self._places.forget(kept)
        size = self.document().size()
        bar, policies = self.horizontalScrollBar(), Qt.ScrollBarPolicy
        is_wide = size.width() > width + 1
        self.setHorizontalScrollBarPolicy(
            policies.ScrollBarAlwaysOn if is_wide else policies.ScrollBarAlwaysOff
        )
        height = math.ceil(size.height()) + (bar.sizeHint().height() if is_wide else 0)
        if height != self.height():
            self.setFixedHeight(max(1, height))
        self._place_buttons()

    def _on_scrolled(self) -> None:
        self._places.forget()
        self._place_buttons()

    def _place_buttons(self) -> None:
        self._buttons.place(self._places.listings())

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
            self._typesetter().begin(self.document())
            self._fit()

    # painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """Grounds lie under the text."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = self._theme.color("border") if self._theme.is_high_contrast else Qt.PenStyle.NoPen
        painter.setPen(edge)  # there, grounds are all of one colour
        painter.setBrush(self._theme.color("raised"))
        for listing in self._places.listings():
            painter.drawRoundedRect(listing.rect, 2 * ROUND, 2 * ROUND)
        painter.setBrush(self._theme.color("border_strong"))
        for bar in self._places.quotation_bars():
            painter.drawRoundedRect(bar, 1.5, 1.5)
        painter.setBrush(self._theme.color("accent_soft"))
        for rect in self.chip_rects().values():
            if rect.intersects(event.rect()):
                painter.drawRoundedRect(rect, ROUND, ROUND)
        painter.end()
        super().paintEvent(event)

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
