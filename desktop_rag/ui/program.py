"""The application object: hears what the system asks of a program that runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Program(QApplication):
    """A class of its own instead of an event filter, which would see every event of every widget.

    Signals:
        file_sent (Path): macOS sends files to a program that runs already.
        quit_asked: the system or the Dock wants the program to end; without anybody who listens Qt
            closes the windows itself.
    """

    file_sent = Signal(object)
    quit_asked = Signal()

    def __init__(self, argv: Sequence[str]) -> None:
        super().__init__(list(argv))
        self.has_listener = False

    def event(self, event: QEvent) -> bool:
        """Only what is meant for the application itself comes here."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_sent.emit(Path(event.file()))
            return True
        if event.type() == QEvent.Type.Quit and self.has_listener:
            self.quit_asked.emit()
            return True
        return super().event(event)
