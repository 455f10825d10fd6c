"""The three columns of the window: sidebar, middle, and the viewer while it is open."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from desktop_rag.ui.theme import scaled

_SIDE, _MIDDLE, _VIEWER = 252, 760, 520
LEAST_SIDE, LEAST_MIDDLE = 208, 380
_LEAST_WIDTH, _LEAST_HEIGHT = 760, 520
_STRETCH = (0, 3, 2)
_VIEWERS_PLACE = 2


class Columns(QSplitter):
    """Shares the width; where three columns have no room, the sidebar gives way to the viewer."""

    def __init__(self, side: QWidget, middle: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._side, self._middle = side, middle
        self._viewer: QWidget = QWidget()
        """Keeps the place of the viewer until there is one."""
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for place, widget in enumerate((side, middle, self._viewer)):
            self.addWidget(widget)
            self.setStretchFactor(place, _STRETCH[place])
        self.setSizes([scaled(_SIDE), _MIDDLE, _VIEWER])
        self._viewer.hide()

    def put_viewer(self, viewer: QWidget) -> None:
        """Put the viewer, hidden, at the place that was kept for it."""
        viewer.hide()
        self.replaceWidget(_VIEWERS_PLACE, viewer)
        self._viewer.deleteLater()
        self.setStretchFactor(_VIEWERS_PLACE, _STRETCH[_VIEWERS_PLACE])
        self._viewer = viewer

    @property
    def is_viewer_open(self) -> bool:
        """Whether it is in sight."""
        return self._viewer.isVisible()

    def open_viewer(self) -> None:
        """Half of the room beside the sidebar for the viewer, unless it is open already."""
        if self.is_viewer_open:
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
        self._share_width()
        beside = scaled(LEAST_MIDDLE) + scaled(self._viewer.minimumWidth())
        needed = self._side.minimumWidth() + beside + 2 * self.handleWidth()
        self._side.setVisible(self._viewer.isHidden() or self.width() >= needed)

    def _share_width(self) -> None:
        """Large text does not make the sidebar take most of a small window."""
        width = self.window().width()
        side = min(scaled(LEAST_SIDE), max(LEAST_SIDE, width * 2 // 5))
        self._side.setMinimumWidth(side)
        room = width - side - self.handleWidth() if self._viewer.isHidden() else 0
        self._middle.setMinimumWidth(max(LEAST_MIDDLE, min(scaled(LEAST_MIDDLE), room)))

    def focus_next(self) -> None:
        """The focus goes to the next column, around and around."""
        columns = [one for one in (self._side, self._middle, self._viewer) if one.isVisible()]
        focused = QApplication.focusWidget()
        now = next(
            (n for n, one in enumerate(columns) if focused and one.isAncestorOf(focused)), -1
        )
        _focus_first_in(columns[(now + 1) % len(columns)])


def least_size(screen: QScreen) -> QSize:
    """Of the window: large text needs a larger one, as far as the screen has room for it."""
    least, room = QSize(_LEAST_WIDTH, _LEAST_HEIGHT), screen.availableSize()
    return QSize(scaled(_LEAST_WIDTH), scaled(_LEAST_HEIGHT)).boundedTo(room.expandedTo(least))


def _focus_first_in(column: QWidget) -> None:
    """The focus proxy if the column has one to begin with, else its first control."""
    proxy = column.focusProxy()
    for child in [proxy] if proxy and proxy.isVisible() else column.findChildren(QWidget):
        is_stop = bool(child.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if is_stop and child.isVisible() and child.isEnabled():
            child.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
