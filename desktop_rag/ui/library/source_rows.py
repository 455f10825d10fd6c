"""The folders and files the person added, each with a way to take it out again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from desktop_rag.domain.library import Source
from desktop_rag.ui import icons, words
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, M, S, Theme


class SourceRows(QWidget):
    """One row each; an unreachable one says so.

    Signals:
        remove_requested (Path)
    """

    remove_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sources: tuple[Source, ...] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(XS)
        self.buttons: list[QToolButton] = []
        theme.changed.connect(self._render)

    def show_sources(self, sources: Sequence[Source]) -> None:
        """Replace the rows when something changed."""
        folders = tuple(source for source in sources if source.is_folder)
        if folders != self._sources:
            self._sources = folders
            self._render()

    def _render(self) -> None:
        self.buttons = []
        while (item := self._layout.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for source in self._sources:
            self._layout.addWidget(self._row(source))
        self.setVisible(bool(self._sources))

    def _row(self, source: Source) -> QWidget:
        row = QFrame()
        row.setObjectName("sourceRow")
        layout = QHBoxLayout(row)
        layout.setContentsMargins(M, XS, XS, XS)
        layout.setSpacing(S)
        picture = PlainLabel()
        picture.setPixmap(icons.icon("folder", self._theme.colours.muted).pixmap(18, 18))
        path = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        path.setText(source.path)
        layout.addWidget(picture)
        layout.addWidget(path, 1)
        if not source.is_online:
            layout.addWidget(_offline_badge(), 0, Qt.AlignmentFlag.AlignVCenter)
        count = PlainLabel(words.count(source.files, "file"))
        count.setObjectName("smallMuted")
        layout.addWidget(count)
        layout.addWidget(self._remove_button(source))
        return row

    def _remove_button(self, source: Source) -> QToolButton:
        button = QToolButton()
        button.setIcon(icons.icon("close", self._theme.colours.muted, 16))
        button.setToolTip("Take this folder out of the library; its files stay where they are")
        button.setAccessibleName(f"Remove folder {source.path}")
        button.clicked.connect(lambda: self.remove_requested.emit(Path(source.path)))
        self.buttons.append(button)
        return button


def _offline_badge() -> PlainLabel:
    badge = PlainLabel("Offline")
    badge.setObjectName("badge")
    badge.setProperty("level", "medium")
    badge.setToolTip("Not reachable now. What was read from it can still be asked.")
    return badge
