"""Searching in the document that is shown: what, how often, and on to the next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from desktop_rag.domain.text_search import MOST
from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.icon_button import icon_button
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, S, Theme
from desktop_rag.ui.translation import _, numeral

_WAIT_MS = 200


class FindBar(QWidget):
    """Shown by Ctrl+F, closed by Esc.

    Signals:
        wanted (str): find this; empty: nothing.
        stepped (int): 1 to the next place, -1 to the one before.
        closed: nothing is looked for any more.
    """

    wanted = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, invitation: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._invitation = invitation or _("Find in this document")
        self._build()
        self._connect()
        self._colour_icons()

    def _build(self) -> None:
        self.setObjectName("findBar")
        self.edit = _Edit()
        self.edit.setPlaceholderText(self._invitation)
        self.edit.setAccessibleName(self._invitation)
        self.edit.setClearButtonEnabled(True)
        self.count = PlainLabel()
        self.count.setObjectName("smallMuted")
        self.previous = icon_button(_("Previous place (Shift+F3)"))
        self.next = icon_button(_("Next place (F3)"))
        self.close_button = icon_button(_("Close the search (Esc)"))
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_WAIT_MS)
        row = QHBoxLayout(self)
        row.setContentsMargins(S, XS, S, XS)
        row.setSpacing(XS)
        row.addWidget(self.edit, 1)
        for widget in (self.count, self.previous, self.next, self.close_button):
            row.addWidget(widget)

    def _connect(self) -> None:
        self.edit.textEdited.connect(lambda _: self._wait.start())
        self.edit.textChanged.connect(lambda text: text or self._wait.start())
        self._wait.timeout.connect(lambda: self.wanted.emit(self.edit.text()))
        self.previous.clicked.connect(lambda: self.step(-1))
        self.next.clicked.connect(lambda: self.step(1))
        self.close_button.clicked.connect(self.close_search)
        self._theme.changed.connect(self._colour_icons)

    def begin(self, text: str = "") -> None:
        """Ready to type; what is selected in the document is looked for at once."""
        self.show()
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if text:
            self.edit.setText(text)
        self.edit.selectAll()
        if self.edit.text():
            self.wanted.emit(self.edit.text())

    def close_search(self) -> None:
        """Put away; marks go with it."""
        self._wait.stop()
        self.hide()
        self.closed.emit()

    def step(self, by: int) -> None:
        """To another place; what was just typed is looked for first."""
        if self._wait.isActive():
            self._wait.stop()
            self.wanted.emit(self.edit.text())
            return
        self.stepped.emit(by)

    def show_count(self, current: int, total: int) -> None:
        """`3 of 17`; the first is 0, and -1 means that none is stepped to yet."""
        many = numeral(total) + ("+" if total >= MOST else "")
        if not self.edit.text().strip():
            words = ""
        elif not total:
            words = _("Not found")
        else:
            words = _("{n} of {total}").format(n=numeral(current + 1), total=many)
        if words != self.count.text():
            self.count.setText(words)
            announce(self, words)
        for button in (self.previous, self.next):
            button.setEnabled(total > 0)

    def show_nothing(self) -> None:
        """There is nothing to search in: neither found nor not found."""
        self.count.clear()
        for button in (self.previous, self.next):
            button.setEnabled(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, Shift+Enter back, Esc closes."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.edit.hasFocus():
            is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.step(-1 if is_back else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.close_search()
        else:
            super().keyPressEvent(event)

    def _colour_icons(self) -> None:
        colour = self._theme.colours.muted
        for button, name in (
            (self.previous, "up"),
            (self.next, "down"),
            (self.close_button, "close"),
        ):
            button.setIcon(icons.icon(name, colour))


class _Edit(QLineEdit):
    """Esc belongs to the search while it is typed in, not to the window."""

    def event(self, event: QEvent) -> bool:
        """Claim the key before a shortcut does."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)
