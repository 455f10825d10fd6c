"""A folder that can be added with one press, or was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.services.suggestions import PlaceKind
from desktop_rag.ui import byte_size, icons
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S, Theme
from desktop_rag.ui.translation import _, counted
from desktop_rag.ui.words import isolated

if TYPE_CHECKING:
    from desktop_rag.storage.folder_size import FolderSize


class PlaceRow(QFrame):
    """Signals:
    add_requested, remove_requested (Path)
    """

    add_requested = Signal(object)
    remove_requested = Signal(object)

    def __init__(self, theme: Theme, name: str, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("placeRow")
        self._theme = theme
        self.path = path
        self.is_added = False
        self.picture = PlainLabel()
        self.name = PlainLabel(name)
        self.name.setObjectName("panelTitle")
        self.where = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.where.setObjectName("smallMuted")
        self.where.setText(isolated(str(path)))
        self.size_text = PlainLabel()
        self.size_text.setObjectName("smallMuted")
        self.button = QPushButton()
        self.button.clicked.connect(self._on_pressed)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self.name)
        names.addWidget(self.where)
        row = QHBoxLayout(self)
        set_margins(row, M, S, S, S)
        row.setSpacing(M)
        row.addWidget(self.picture)
        row.addLayout(names, 1)
        row.addWidget(self.size_text)
        row.addWidget(self.button)
        theme.changed.connect(self._colour_icons)
        self.show_added(is_added=False)

    def show_added(self, *, is_added: bool) -> None:
        """Whether the folder is in the library."""
        self.is_added = is_added
        self.button.setEnabled(True)
        text = _("Remove") if is_added else _("Add")
        self.button.setText(text)
        named = _("Remove {folder}") if is_added else _("Add {folder}")
        self.button.setAccessibleName(named.format(folder=self.name.text()))
        self._colour_icons()

    def show_counting(self) -> None:
        """Its files are being counted."""
        self.size_text.setText(_("counting …"))

    def show_size(self, size: FolderSize) -> None:
        """What is in it."""
        files = counted("{n} file", "{n} files", size.files)
        if not size.files and size.is_all:
            self.size_text.setText(_("nothing to read"))
            return
        text = _("{files}, {size}") if size.is_all else _("more than {files}, {size}")
        self.size_text.setText(text.format(files=files, size=byte_size.size(size.n_bytes)))

    def _on_pressed(self) -> None:
        self.button.setEnabled(False)  # until the library has answered
        (self.remove_requested if self.is_added else self.add_requested).emit(self.path)

    def _colour_icons(self) -> None:
        colours = self._theme.colours
        name, colour = ("check", colours.success) if self.is_added else ("folder", colours.accent)
        self.picture.setPixmap(icons.picture(name, colour, 22))


def note_on(kind: PlaceKind, name: str) -> str:
    """What somebody should know before a folder is added; empty for most."""
    if kind is not PlaceKind.CLOUD:
        return ""
    return _(
        "Files that are only in the cloud are fetched by the program of {service} when they are "
        "read."
    ).format(service=name)
