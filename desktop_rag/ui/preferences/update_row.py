"""The row that asks now whether there is a newer version, and says what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from desktop_rag import __version__
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui.announce import announce
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import L, M, S
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.update_check import UpdateFound
    from desktop_rag.ui.background import Background


class UpdateRow(QFrame):
    """Nothing is asked before the button is pressed."""

    def __init__(self, background: Background, app: App, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._app = app
        self._page = ""
        self._build()
        self.check.clicked.connect(self._on_check)
        self.page_button.clicked.connect(self._on_page)

    def _build(self) -> None:
        self.setObjectName("settingRow")
        self.sentence = PlainLabel(_("This is version {version}.").format(version=__version__))
        self.sentence.setWordWrap(True)
        self.check = QPushButton(_("Check now"))
        self.page_button = QPushButton(_("What is new"))
        self.page_button.setObjectName("quietButton")
        self.page_button.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(L, M, L, M)
        row.setSpacing(S)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.page_button)
        row.addWidget(self.check)

    def _on_check(self) -> None:
        self.check.setEnabled(False)
        self._say(_("Asking…"), is_wrong=False)
        self._background.run(self._app.updates.check, self._on_found, self._on_failed)

    def _on_found(self, found: UpdateFound) -> None:
        self.check.setEnabled(True)
        self._page = found.page if found.is_newer else ""
        self.page_button.setVisible(bool(self._page))
        if found.is_newer:
            text = _("Version {newest} is there; you have {current}.")
        else:
            text = _("You have the newest version, {current}.")
        self._say(text.format(newest=found.newest, current=found.current), is_wrong=False)

    def _on_failed(self, error: DesktopRagError) -> None:
        self.check.setEnabled(True)
        self.page_button.hide()
        self._say(error.message, is_wrong=True)

    def _say(self, sentence: str, *, is_wrong: bool) -> None:
        self.sentence.setText(sentence)
        self.sentence.setObjectName("smallDanger" if is_wrong else "")
        self.style().unpolish(self.sentence)
        self.style().polish(self.sentence)
        announce(self, sentence)

    def _on_page(self) -> None:
        QDesktopServices.openUrl(QUrl(self._page))
