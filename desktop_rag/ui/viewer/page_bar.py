"""Page turning and zoom above a page."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from desktop_rag.domain.documents import Page
from desktop_rag.ui import icons
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, S, Theme

_BUTTONS = (
    ("previous", "Previous page (Ctrl+Page Up)"),
    ("next", "Next page (Ctrl+Page Down)"),
    ("zoom-out", "Zoom out (Ctrl+-)"),
    ("zoom-in", "Zoom in (Ctrl++)"),
    ("fit-width", "Fit width"),
)


class PageBar(QWidget):
    """Buttons and what they act on.

    Signals:
        turned (int): -1 or 1 pages.
        zoom_in_requested, zoom_out_requested, fit_requested
    """

    turned = Signal(int)
    zoom_in_requested = Signal()
    zoom_out_requested = Signal()
    fit_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._build()
        self._connect()
        self._colour_icons()

    def _build(self) -> None:
        self.setObjectName("pageBar")
        self.buttons = {name: _button(label) for name, label in _BUTTONS}
        self.buttons["fit-width"].setCheckable(True)
        self.page = PlainLabel()
        self.page.setObjectName("smallText")
        self.zoom = PlainLabel()
        self.zoom.setObjectName("smallMuted")
        self.zoom.setMinimumWidth(40)
        self.zoom.setAlignment(Qt.AlignmentFlag.AlignCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(S, XS, S, XS)
        row.setSpacing(XS)
        row.addWidget(self.buttons["previous"])
        row.addWidget(self.page)
        row.addWidget(self.buttons["next"])
        row.addStretch(1)
        row.addWidget(self.buttons["zoom-out"])
        row.addWidget(self.zoom)
        row.addWidget(self.buttons["zoom-in"])
        row.addWidget(self.buttons["fit-width"])

    def _connect(self) -> None:
        self.buttons["previous"].clicked.connect(lambda: self.turned.emit(-1))
        self.buttons["next"].clicked.connect(lambda: self.turned.emit(1))
        self.buttons["zoom-in"].clicked.connect(self.zoom_in_requested)
        self.buttons["zoom-out"].clicked.connect(self.zoom_out_requested)
        self.buttons["fit-width"].clicked.connect(self.fit_requested)
        self._theme.changed.connect(self._colour_icons)

    def show_page(self, page: Page, total: int) -> None:
        """The label printed on the page, and the count where they differ."""
        is_plain = page.label in {"", str(page.number)}
        words = f"Page {page.number} of {total}"
        self.page.setText(words if is_plain else f"Page {page.label}  ({page.number} of {total})")
        self.buttons["previous"].setEnabled(page.number > 1)
        self.buttons["next"].setEnabled(page.number < total)

    def show_zoom(self, percent: int, *, is_fitted: bool) -> None:
        """The zoom now."""
        self.zoom.setText(f"{percent} %")
        self.buttons["fit-width"].setChecked(is_fitted)

    def _colour_icons(self) -> None:
        for name, button in self.buttons.items():
            button.setIcon(icons.icon(name, self._theme.colours.muted))


def _button(label: str) -> QToolButton:
    button = QToolButton()
    button.setToolTip(label)
    button.setAccessibleName(label)
    return button
