"""Hands a chat, or one answer, over as a file: asks where to, writes it, and says where it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from desktop_rag.domain.answers import ConversationId, MessageId
from desktop_rag.domain.chats import ExportFormat, file_name
from desktop_rag.ui.announce import announce
from desktop_rag.ui.history.kinds import PDF, export_kinds, suffix
from desktop_rag.ui.history.pdf import PdfMaking
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.external import show_in_folder

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background

_SHOWN_MS = 15_000


class ChatExporting(QObject):
    """Signals:
    told (str, str): a sentence and its kind.
    written (Path): the file is there.
    """

    told = Signal(str, str)
    written = Signal(object)

    def __init__(self, background: Background, over: QWidget) -> None:
        super().__init__(over)
        self._background = background
        self._over = over
        self._app: App | None = None
        self._folder = ""
        self._makings: list[PdfMaking] = []

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def choose(
        self,
        title: str,
        kind: str,
        conversation: ConversationId,
        message: MessageId | None = None,
    ) -> QFileDialog:
        """Ask where to; the system asks before a file is replaced."""
        dialog = QFileDialog(self._over, _("Export the chat"), self._start_folder())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(f"{export_kinds()[kind]} (*{suffix(kind)})")
        dialog.setDefaultSuffix(suffix(kind)[1:])
        dialog.selectFile(file_name(title, suffix(kind)))
        dialog.fileSelected.connect(
            lambda name: self.write(Path(name), kind, conversation, message)
        )
        dialog.open()
        return dialog

    def write(
        self,
        path: Path,
        kind: str,
        conversation: ConversationId,
        message: MessageId | None = None,
    ) -> None:
        """Write the file; what goes wrong is told."""
        if self._app is None:
            return
        self._folder = str(path.parent)
        app = self._app
        if kind == PDF:
            self._background.run(
                lambda: app.history.pages(conversation, message),
                lambda made: self._paint(path, *made),
            )
            return
        self._background.run(
            lambda: app.history.export(path, ExportFormat(kind), conversation, message),
            lambda _: self.written.emit(path),
        )

    def stop(self) -> None:
        """The window closes."""
        for making in self._makings:
            making.stop()
        self._makings.clear()

    def _paint(self, path: Path, title: str, pieces: list[str]) -> None:
        self.told.emit(_("Making “{name}” …").format(name=path.name), "info")
        making = PdfMaking(title, pieces, self)
        making.done.connect(lambda contents: self._on_painted(making, path, contents))
        self._makings.append(making)
        making.start()

    def _on_painted(self, making: PdfMaking, path: Path, contents: bytes) -> None:
        if self._app is None or making not in self._makings:
            return
        app = self._app
        self._makings.remove(making)
        making.deleteLater()
        self._background.run(
            lambda: app.history.write(path, contents), lambda _: self.written.emit(path)
        )

    def _start_folder(self) -> str:
        places = QStandardPaths.StandardLocation
        return self._folder or QStandardPaths.writableLocation(places.DocumentsLocation)


class WrittenBar(NoticeBar):
    """Says where an exported file is, and shows it there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "info", parent=parent)
        self._path = Path()
        self.button = QPushButton(_("Show in folder"))
        self.button.setObjectName("quietButton")
        self.button.clicked.connect(lambda: show_in_folder(self._path))
        self.add_button(self.button)
        self._timer = QTimer(self)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self._on_time_up)
        self.hide()

    def show_written(self, path: Path) -> None:
        """A file was written."""
        self._path = path
        self.say(_("Exported to “{name}”.").format(name=path.name))
        self.show()
        announce(self, self.sentence.text())
        self._timer.start()

    def _on_time_up(self) -> None:
        if not self.button.hasFocus() and not self.underMouse():
            self._timer.stop()
            self.hide()
