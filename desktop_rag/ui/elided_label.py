"""A label on one line that ends in an ellipsis where the room does."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOption, QWidget

from desktop_rag.ui.plain import PlainLabel, tip


class ElidedLabel(PlainLabel):
    """Never asks for more width than it gets; the tool tip holds the whole text."""

    def __init__(
        self,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent=parent)
        self._mode = mode
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        """Show `text`, and all of it as a tool tip."""
        super().setText(text)
        self.setToolTip(tip(text))

    def minimumSizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(20, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what fits."""
        del event
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        style = self.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        text = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        sides = Qt.AlignmentFlag
        side = sides.AlignRight if self.isRightToLeft() else sides.AlignLeft
        flags = int(side | sides.AlignAbsolute | sides.AlignVCenter)
        # A path in an Arabic window is at its side, but runs as its letters do.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), flags, text)
        painter.end()
