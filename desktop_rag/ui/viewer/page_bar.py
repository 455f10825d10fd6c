"""Page turning, going to a page, and zoom above the pages."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QToolButton, QWidget

from desktop_rag.domain.documents import Page
from desktop_rag.ui import icons
from desktop_rag.ui.icon_button import icon_button
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, S, Theme
from desktop_rag.ui.translation import _, numeral

_ICONS = ("thumbnails", "previous", "next", "zoom-out", "zoom-in", "text")
_PERCENT = (50, 75, 100, 125, 150, 200, 400)


class PageBar(QWidget):
    """Buttons and what they act on.

    Signals:
        turned (int): -1 or 1 pages.
        page_chosen (int): a page by number or printed label.
        zoom_in_requested, zoom_out_requested
        fit_requested (str): `width` or `page`.
        percent_requested (int)
        thumbnails_toggled (bool), text_toggled (bool)
    """

    turned = Signal(int)
    page_chosen = Signal(int)
    zoom_in_requested = Signal()
    zoom_out_requested = Signal()
    fit_requested = Signal(str)
    percent_requested = Signal(int)
    thumbnails_toggled = Signal(bool)
    text_toggled = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pages: tuple[Page, ...] = ()
        self._build()
        self._connect()
        self._colour_icons()

    def _build(self) -> None:
        self.setObjectName("pageBar")
        labels = (
            _("Page thumbnails"),
            _("Previous page (Ctrl+Page Up)"),
            _("Next page (Ctrl+Page Down)"),
            _("Zoom out (Ctrl+-)"),
            _("Zoom in (Ctrl++)"),
            _("Show the text of the pages"),
        )
        self.buttons = {
            name: icon_button(label) for name, label in zip(_ICONS, labels, strict=True)
        }
        for name in ("thumbnails", "text"):
            self.buttons[name].setCheckable(True)
        self.number = QLineEdit()
        self.number.setObjectName("pageNumber")
        self.number.setAccessibleName(_("Page"))
        self.number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.page = PlainLabel()
        self.page.setObjectName("smallText")
        self._build_zoom()
        self._build_row()

    def _build_row(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(S, XS, S, XS)
        row.setSpacing(2)
        row.addWidget(self.buttons["thumbnails"])
        row.addWidget(self.buttons["previous"])
        row.addWidget(self.number)
        row.addWidget(self.page)
        row.addWidget(self.buttons["next"])
        row.addStretch(1)
        row.addWidget(self.buttons["zoom-out"])
        row.addWidget(self.zoom)
        row.addWidget(self.buttons["zoom-in"])
        row.addWidget(self.buttons["text"])

    def _build_zoom(self) -> None:
        self.zoom = icon_button(_("Zoom"))
        self.zoom.setObjectName("zoomButton")
        self.zoom.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.zoom.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.zoom)
        self.fits: dict[str, QAction] = {}
        for key, label in (("width", _("Fit width (Ctrl+0)")), ("page", _("Fit page"))):
            action = menu.addAction(label)
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, key=key: self.fit_requested.emit(key))
            self.fits[key] = action
        menu.addSeparator()
        for percent in _PERCENT:
            action = menu.addAction(_("{percent} %").format(percent=numeral(percent)))
            action.triggered.connect(lambda _=False, p=percent: self.percent_requested.emit(p))
        self.zoom.setMenu(menu)

    def _connect(self) -> None:
        self.buttons["previous"].clicked.connect(lambda: self.turned.emit(-1))
        self.buttons["next"].clicked.connect(lambda: self.turned.emit(1))
        self.buttons["zoom-in"].clicked.connect(self.zoom_in_requested)
        self.buttons["zoom-out"].clicked.connect(self.zoom_out_requested)
        self.buttons["thumbnails"].toggled.connect(self.thumbnails_toggled)
        self.buttons["text"].toggled.connect(self.text_toggled)
        self.number.returnPressed.connect(self._on_number)
        self._theme.changed.connect(self._colour_icons)

    def show_pages(self, pages: tuple[Page, ...]) -> None:
        """Another document."""
        self._pages = pages
        longest = max((len(page.label) for page in pages), default=1)
        digits = "0" * max(min(longest, 6), len(str(len(pages))), 2)
        self.number.ensurePolished()
        width = self.number.fontMetrics().horizontalAdvance(digits)
        self.number.setFixedWidth(width + 2 * self._theme.px(S) + 4)
        self.show_page(1)

    def show_page(self, number: int) -> None:
        """The label printed on the page, its number where that differs, and the count."""
        if not 1 <= number <= len(self._pages):
            return
        page, total = self._pages[number - 1], numeral(len(self._pages))
        is_plain = page.label in {"", str(page.number)}
        self.number.setText(str(page.number) if is_plain else page.label)
        if is_plain:
            self.page.setText(_("of {total}").format(total=total))
        else:
            self.page.setText(_("({n} of {total})").format(n=numeral(page.number), total=total))
        self.number.setToolTip(f"{self.number.text()} {self.page.text()}")
        self._make_room()
        self.buttons["previous"].setEnabled(page.number > 1)
        self.buttons["next"].setEnabled(page.number < len(self._pages))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What only tells gives way where the buttons have no room: large text, a narrow panel."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        telling = (self.page, self.zoom)
        fixed = sum(one.sizeHint().width() + 2 for one in self.buttons.values())
        left = self.width() - 3 * S - fixed - self.number.width()
        for one in telling:
            left -= one.sizeHint().width() + 2
            one.setVisible(left >= 0)

    def show_zoom(self, percent: int, fit: str) -> None:
        """The zoom now, and what it follows: `width`, `page` or nothing."""
        if not all(map(shiboken6.isValid, (self.zoom, *self.fits.values()))):
            return  # the window is being taken apart, and pages are resized on the way
        self.zoom.setText(_("{percent} %").format(percent=numeral(percent)))
        for key, action in self.fits.items():
            action.setChecked(key == fit)

    def _on_number(self) -> None:
        wanted = self.number.text().strip()
        by_label = [page.number for page in self._pages if page.label == wanted]
        if by_label:
            self.page_chosen.emit(by_label[0])
        elif wanted.isdecimal():
            self.page_chosen.emit(max(1, min(int(wanted), len(self._pages))))

    def _colour_icons(self) -> None:
        mirrored = {"previous": "next", "next": "previous"} if self.isRightToLeft() else {}
        for name, button in self.buttons.items():
            button.setIcon(icons.icon(mirrored.get(name, name), self._theme.colours.muted))
