"""What the chat shows before there is anything to show."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.plain import PlainLabel, centred
from desktop_rag.ui.theme import XL, XXL, L, M, S, Theme
from desktop_rag.ui.translation import _


class FirstRun(QWidget):
    """The big friendly target: drop a folder, or choose one.

    Signals:
        add_folder_requested, add_files_requested
    """

    add_folder_requested = Signal()
    add_files_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._build()
        self._connect()
        self._colour_icons()

    def _build(self) -> None:
        self._target = _Target(self._theme)
        self._target.setMaximumSize(600, 380)
        self._picture = PlainLabel()
        self.add_folder = QPushButton(_("Add a folder …"))
        self.add_folder.setObjectName("primaryButton")
        self.add_files = QPushButton(_("Add files …"))
        column = QVBoxLayout(self._target)
        column.setContentsMargins(XXL, XXL, XXL, XXL)
        column.setSpacing(S)
        column.addStretch(1)
        column.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(centred(_("Drop a folder here"), "hero"))
        column.addWidget(
            centred(_("Then ask questions and get answers that show where they stand."), "lead")
        )
        column.addSpacing(L)
        column.addLayout(self._build_buttons())
        column.addSpacing(M)
        formats = _(
            "PDF, Office, mail, scans, pictures, text and more. Your files stay where they are."
        )
        column.addWidget(centred(formats, "finePrint"))
        column.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(XL, XL, XL, XL)
        layout.addStretch(1)
        layout.addWidget(self._target, 1000)
        layout.addStretch(1)

    def _build_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addStretch(1)
        row.addWidget(self.add_folder)
        row.addWidget(self.add_files)
        row.addStretch(1)
        return row

    def _connect(self) -> None:
        self.add_folder.clicked.connect(self.add_folder_requested)
        self.add_files.clicked.connect(self.add_files_requested)
        self._theme.changed.connect(self._colour_icons)

    def _colour_icons(self) -> None:
        self._picture.setPixmap(icons.picture("folder", self._theme.colours.accent, 56))


class _Target(QWidget):
    """A dashed frame."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._theme.color("border_strong"), 1.6)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(self._theme.color("sidebar"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 18, 18)
        painter.end()
