"""What stands in the place of the files while there are none: loading, empty, no match, error."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import L, M, S, Theme, scaled
from desktop_rag.ui.thin_bar import ThinBar
from desktop_rag.ui.translation import _
from desktop_rag.ui.window_words import in_window


class ListStates(QWidget):
    """One picture, one sentence, one or two buttons.

    Signals:
        add_folder_requested, add_files_requested, clear_requested, why_requested, reload_requested
    """

    add_folder_requested = Signal()
    add_files_requested = Signal()
    clear_requested = Signal()
    why_requested = Signal()
    reload_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon_name = "library"
        self._build()
        theme.changed.connect(self._colour_icon)
        self.show_loading()

    def _build(self) -> None:
        self._icon = PlainLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence = PlainLabel()
        self.sentence.setObjectName("lead")
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.bar = ThinBar(_("Loading"), is_busy=True)
        self.bar.setMaximumWidth(scaled(220))
        self.add_folder = self._button(_("Add folder …"), self.add_folder_requested)
        self.add_files = self._button(_("Add files …"), self.add_files_requested)
        self.clear = self._button(_("Clear filters"), self.clear_requested)
        self.why = self._button(_("Why can’t I find it?"), self.why_requested)
        self.reload = self._button(_("Try again"), self.reload_requested)
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addStretch(1)
        for one in (self.add_folder, self.add_files, self.clear, self.why, self.reload):
            buttons.addWidget(one)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setSpacing(M)
        column.addStretch(2)
        column.addWidget(self._icon)
        column.addWidget(self.sentence)
        column.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(L)
        column.addLayout(buttons)
        column.addStretch(3)

    @staticmethod
    def _button(text: str, signal: object) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(lambda: signal.emit())  # type: ignore[attr-defined]
        return button

    def show_loading(self) -> None:
        """The files are on their way."""
        self._show("library", _("Reading the list of your files …"), is_busy=True)

    def show_empty(self) -> None:
        """Nothing was added yet."""
        sentence = _("Nothing here yet. Drop files or folders anywhere on this window.")
        self._show("drop", sentence, self.add_folder, self.add_files)

    def show_no_match(self, *, is_text: bool) -> None:
        """The filters leave nothing over."""
        buttons = [self.clear, self.why] if is_text else [self.clear]
        self._show("search", _("No file matches."), *buttons)

    def show_nothing_there(self) -> None:
        """Folders were added, and no file of them is there or can be read."""
        sentence = _("Your folders hold no file that can be read yet; new ones are noticed.")
        self._show("folder", sentence, self.add_folder, self.add_files)

    def show_error(self, sentence: str) -> None:
        """The list could not be read."""
        self._show("warning", in_window(sentence), self.reload)

    def _show(self, icon: str, sentence: str, *buttons: QPushButton, is_busy: bool = False) -> None:
        self._icon_name = icon
        self._colour_icon()
        self.sentence.setText(sentence)
        self.bar.setVisible(is_busy)
        for one in (self.add_folder, self.add_files, self.clear, self.why, self.reload):
            one.setVisible(one in buttons)

    def _colour_icon(self) -> None:
        colour = self._theme.colours.faint
        self._icon.setPixmap(icons.picture(self._icon_name, colour, 40))
