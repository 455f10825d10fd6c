"""The three columns of the window: sidebar, middle, and the viewer while it is open."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from desktop_rag.ui.theme import scaled

_SIDE, _MIDDLE, _VIEWER = 252, 760, 520


class Columns(QSplitter):
    """Shares the width; where three columns have no room, the sidebar gives way to the viewer."""

    def __init__(self, side: QWidget, middle: QWidget, viewer: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._side, self._middle, self._viewer = side, middle, viewer
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for widget, stretch in ((side, 0), (middle, 3), (viewer, 2)):
            self.addWidget(widget)
            self.setStretchFactor(self.count() - 1, stretch)
        self.setSizes([scaled(_SIDE), _MIDDLE, _VIEWER])
        viewer.hide()

    def open_viewer(self) -> None:
        """Half of the room beside the sidebar for the viewer, unless it is open already."""
        if self._viewer.isVisible():
            return
        self._viewer.show()
        self.fit()
        side = 0 if self._side.isHidden() else self._side.width()
        room = self.width() - side
        self.setSizes([side, room // 2, room - room // 2])

    def close_viewer(self) -> None:
        """Give the room back."""
        self._viewer.hide()
        self.fit()

    def fit(self) -> None:
        """Show the sidebar if there is room for it."""
        columns = (self._side, self._middle, self._viewer)
        needed = sum(column.minimumWidth() for column in columns) + 2 * self.handleWidth()
        self._side.setVisible(self._viewer.isHidden() or self.width() >= needed)

    def focus_next(self) -> None:
        """The focus goes to the next column, around and around."""
        columns = [one for one in (self._side, self._middle, self._viewer) if one.isVisible()]
        focused = QApplication.focusWidget()
        now = next(
            (n for n, one in enumerate(columns) if focused and one.isAncestorOf(focused)), -1
        )
        _focus_first_in(columns[(now + 1) % len(columns)])


def _focus_first_in(column: QWidget) -> None:
    """The focus proxy if the column has one to begin with, else its first control."""
    proxy = column.focusProxy()
    for child in [proxy] if proxy and proxy.isVisible() else column.findChildren(QWidget):
        is_stop = bool(child.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if is_stop and child.isVisible() and child.isEnabled():
            child.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
