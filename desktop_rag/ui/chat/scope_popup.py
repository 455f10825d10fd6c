"""A small window below which a person ticks what a chat shall ask."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.choices import Choice, Options
from desktop_rag.ui.chat.scope_delegate import ScopeDelegate
from desktop_rag.ui.chat.scope_model import ScopeModel
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S, Theme, scaled
from desktop_rag.ui.translation import _

_SEARCH_MS = 120


class ScopePopup(QFrame):
    """Opens over the composer; what is ticked counts when it closes.

    Signals:
        chosen (Choice): it was closed and something is different.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._theme = theme
        self._before = Choice()
        self._is_read = False
        self.model = ScopeModel(self)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("scopePopup")
        self.setAccessibleName(_("What to search"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Find a collection, folder or file"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.search.setClearButtonEnabled(True)
        self.list = QListView()
        self.list.setObjectName("scopeList")
        self.list.setAccessibleName(_("What to search"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(ScopeDelegate(self._theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.told = PlainLabel(_("Reading the list of files …"))
        self.told.setObjectName("muted")
        self.told.setWordWrap(True)
        self.told.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.told)
        self.stack.addWidget(self.list)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, M, M, M)
        column.setSpacing(S)
        column.addWidget(self.search)
        column.addWidget(self.stack, 1)
        column.addLayout(self._build_buttons())

    def _build_buttons(self) -> QHBoxLayout:
        self.all = QPushButton(_("All documents"))
        self.all.setObjectName("quietButton")
        self.done = QPushButton(_("Done"))
        self.done.setObjectName("primaryButton")
        row = QHBoxLayout()
        row.addWidget(self.all)
        row.addStretch(1)
        row.addWidget(self.done)
        return row

    def _connect(self) -> None:
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SEARCH_MS)
        self._soon.timeout.connect(self._on_search)
        self.search.textChanged.connect(lambda: self._soon.start())
        self.search.returnPressed.connect(self._on_enter)
        self.list.clicked.connect(self._on_clicked)
        self.all.clicked.connect(self._on_all)
        self.done.clicked.connect(self.close)

    def sizeHint(self) -> QSize:
        """Room for ten rows of long titles."""
        return QSize(scaled(400), scaled(420))

    def open_above(self, button: QWidget) -> None:
        """Show it over a button, within the screen."""
        self._is_read = False
        self.search.clear()
        self.stack.setCurrentWidget(self.told)
        self.told.setText(_("Reading the list of files …"))
        size = self.sizeHint()
        self.resize(size)
        edge = button.rect().topLeft() if not self.isRightToLeft() else button.rect().topRight()
        corner = button.mapToGlobal(edge) - QPoint(
            size.width() if self.isRightToLeft() else 0, size.height() + S
        )
        room = button.screen().availableGeometry()
        self.move(
            max(room.left(), min(corner.x(), room.right() - size.width())),
            max(room.top(), corner.y()),
        )
        self.show()
        self.search.setFocus()

    def show_options(self, options: Options, choice: Choice) -> None:
        """The list has been read."""
        self._before, self._is_read = choice, True
        self.model.show(options, choice)
        self._on_search()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down goes from the field into the list; Enter ticks there."""
        if event.key() == Qt.Key.Key_Down and self.search.hasFocus() and self.model.rowCount():
            self.list.setFocus()
            self.list.setCurrentIndex(self.model.index(0))
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.list.hasFocus():
            self._on_clicked(self.list.currentIndex())
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """However it was closed: what is ticked counts."""
        super().hideEvent(event)
        has_rows = self.stack.currentWidget() is self.list or bool(self.search.text())
        if self._is_read and has_rows and self.model.choice != self._before:
            self.chosen.emit(self.model.choice)

    def _on_search(self) -> None:
        if not self._is_read:
            return  # the rows of the last time are those of another chat
        self.model.search(self.search.text())
        self._show_rows()

    def _on_enter(self) -> None:
        if self._soon.isActive():
            self._soon.stop()
            self._on_search()
        if self._is_read and self.model.rowCount() == 1:
            self.model.toggle(self.model.index(0))

    def _show_rows(self) -> None:
        has_rows = self.model.rowCount() > 0
        if not has_rows:
            found_none = _("Nothing in the library is called like that.")
            empty = _("There is nothing in the library yet.")
            self.told.setText(found_none if self.search.text() else empty)
        self.stack.setCurrentWidget(self.list if has_rows else self.told)

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.isValid():
            self.model.toggle(index)

    def _on_all(self) -> None:
        self.model.clear()
        self.close()
