"""The whole window when the library cannot be opened: what happened and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XXL, L, S, Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.window_words import in_window

_BOX_WIDTH = 560


@dataclass(frozen=True, slots=True)
class _Face:
    """How one kind of error looks. Another try is worth offering unless it cannot help."""

    icon: str
    heading: str
    advice: str = ""
    can_retry: bool = True
    can_restore: bool = False


def _faces() -> dict[str, _Face]:
    """By the code of the error."""
    return {
        "library-locked": _Face("lock", _("Your library is open somewhere else")),
        "library-too-new": _Face(
            "info",
            _("This library needs a newer version"),
            can_retry=False,
        ),
        "library-damaged": _Face(
            "warning",
            _("This library cannot be read"),
            _("A backup brings back all that was read. What is there now is kept, too."),
            can_restore=True,
        ),
        "disk-full": _Face(
            "warning",
            _("The disk is full"),
            _("Nothing that was read is lost."),
        ),
        "invalid-input": _Face("warning", _("The settings cannot be understood")),
    }


class ErrorPage(QWidget):
    """One kind sentence, with the next step as a button.

    Signals:
        retry_requested, quit_requested
        folder_chosen (Path): open the library in this data folder instead.
        backup_chosen (Path): put the library back from this file.
    """

    retry_requested = Signal()
    quit_requested = Signal()
    folder_chosen = Signal(object)
    backup_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._face = _Face("warning", "")
        self._copy = ""
        """Of the library, from before an upgrade: this version can go back to it."""
        self._build()
        self.retry.clicked.connect(self.retry_requested)
        self.quit.clicked.connect(self.quit_requested)
        self.other.clicked.connect(self._choose_folder)
        self.restore.clicked.connect(self._choose_backup)
        theme.changed.connect(self._colour_icons)

    def _build(self) -> None:
        self._picture = PlainLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.heading, self.sentence, self.advice = PlainLabel(), PlainLabel(), PlainLabel()
        self.heading.setObjectName("hero")
        self.sentence.setObjectName("lead")
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.advice.setObjectName("muted")
        box = QWidget()
        box.setMaximumWidth(self._theme.px(_BOX_WIDTH))
        column = QVBoxLayout(box)
        column.setSpacing(S)
        column.addStretch(1)
        column.addWidget(self._picture)
        for label in (self.heading, self.sentence, self.advice):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addSpacing(L)
        column.addLayout(self._build_buttons())
        column.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(XXL, XXL, XXL, XXL)
        row.addStretch(1)
        row.addWidget(box, 1000)
        row.addStretch(1)

    def _build_buttons(self) -> QVBoxLayout:
        """What is likely to help on one line, what ends or leaves this library below it."""
        self.retry = QPushButton(_("Try again"))
        self.restore = QPushButton(_("Restore a backup…"))
        self.other = QPushButton(_("Open another data folder…"))
        self.quit = QPushButton(_("Quit"))
        rows = QVBoxLayout()
        rows.setSpacing(S)
        for buttons in ((self.restore, self.retry), (self.other, self.quit)):
            row = QHBoxLayout()
            row.setSpacing(S)
            row.addStretch(1)
            for button in buttons:
                row.addWidget(button)
            row.addStretch(1)
            rows.addLayout(row)
        for button in (self.other, self.quit):
            button.setObjectName("quietButton")
        return rows

    def show_error(self, error: DesktopRagError) -> None:
        """Say what happened, and offer what helps."""
        self._face = _faces().get(error.code, _Face("warning", _other_heading()))
        self.heading.setText(self._face.heading)
        self.sentence.setText(in_window(error.message))
        self._copy = error.details.get("copy", "")
        self.advice.setText(_holder(error) or _way_back(error) or self._face.advice)
        self.advice.setVisible(bool(self.advice.text()))
        self.retry.setVisible(self._face.can_retry)
        self.restore.setText(_("Go back to the copy") if self._copy else _("Restore a backup…"))
        self.restore.setVisible(self._face.can_restore or bool(self._copy))
        self._mark_primary()
        self.setEnabled(True)
        self.setAccessibleName(f"{self._face.heading}. {self.sentence.text()}")
        announce(self, self.accessibleName(), is_urgent=True)
        self._colour_icons()

    @property
    def first_button(self) -> QPushButton:
        """What is likely to help."""
        if self._face.can_restore:
            return self.restore
        return self.retry if self._face.can_retry else self.other

    def _mark_primary(self) -> None:
        for button in (self.retry, self.restore):
            button.setObjectName("primaryButton" if button is self.first_button else "")
            self.style().unpolish(button)
            self.style().polish(button)

    def show_restoring(self) -> None:
        """A backup is being put back."""
        self.advice.setText(_("Putting the library back…"))
        self.advice.show()
        self.setEnabled(False)

    def show_failed_restore(self, error: DesktopRagError) -> None:
        """The backup was not taken; the library is as it was."""
        self.advice.setText(in_window(error.message))
        self.setEnabled(True)
        self.restore.setFocus()
        announce(self, self.advice.text(), is_urgent=True)

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, _("Open another data folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        _open(dialog, self.folder_chosen.emit)

    def _choose_backup(self) -> None:
        if self._copy:
            self.backup_chosen.emit(Path(self._copy))
            return
        dialog = QFileDialog(self, _("Restore a backup"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        _open(dialog, self.backup_chosen.emit)

    def _colour_icons(self) -> None:
        self._picture.setPixmap(icons.picture(self._face.icon, self._theme.colours.accent, 52))


def _open(dialog: QFileDialog, take: object) -> None:
    assert callable(take)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda name: take(Path(name)))
    dialog.open()


def _way_back(error: DesktopRagError) -> str:
    """What going back from a library of a newer version means, where there is a way."""
    if not error.details.get("copy"):
        return ""
    return _(
        "There is a copy of {day}, from before the update. It lacks what came later; the library "
        "as it is now is kept, too."
    ).format(day=error.details.get("copied", ""))


def _other_heading() -> str:
    return _("Your library could not be opened")


def _holder(error: DesktopRagError) -> str:
    """Who has the library open, where that is known."""
    pid, command = error.details.get("pid", ""), error.details.get("command", "")
    if not pid:
        return ""
    if not command:
        return _("The other window is process {pid}.").format(pid=pid)
    return _("The command “{command}” has it, process {pid}.").format(command=command, pid=pid)
