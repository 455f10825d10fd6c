"""Widgets side by side that go on in another line where the room ends."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget

from desktop_rag.ui.theme import S


class _Flow(QLayout):
    """Qt has no such layout. Right-to-left, the lines begin on the right."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), is_real=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items]
        return QSize(
            max((one.width() for one in sizes), default=0),
            max((one.height() for one in sizes), default=0),
        )

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, is_real=True)

    def _arrange(self, rect: QRect, *, is_real: bool) -> int:
        """Put the items into lines; returns the height of all."""
        x, y, line = 0, 0, 0
        parent = self.parentWidget()
        is_mirrored = parent is not None and (
            parent.layoutDirection() == Qt.LayoutDirection.RightToLeft
        )
        for item in self._items:
            size = item.sizeHint()
            if x and x + size.width() > rect.width():
                x, y, line = 0, y + line + S, 0
            left = rect.right() + 1 - x - size.width() if is_mirrored else rect.left() + x
            if is_real:
                item.setGeometry(QRect(left, rect.top() + y, size.width(), size.height()))
            x, line = x + size.width() + S, max(line, size.height())
        return y + line


class FlowingRow(QWidget):
    """See the module."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = _Flow(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        """Put a widget at the end."""
        self._flow.addWidget(widget)
