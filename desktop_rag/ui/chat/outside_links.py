"""Links of an answer that lead out of the program: opened only when the person agrees.

A document decides what a link says and where it leads, so the place is shown first, in the form in
which look-alike letters show.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop_rag.ui.translation import _

_SCHEMES = frozenset({"http", "https", "mailto"})
_MAX_SHOWN = 500


def is_allowed(url: QUrl) -> bool:
    """Whether a link may be offered: to the web or to a mail program, never to a file."""
    if url.scheme() not in _SCHEMES or not url.isValid():
        return False
    return url.scheme() == "mailto" or bool(url.host())


def offer(parent: QWidget, url: QUrl) -> QMessageBox | None:
    """Ask whether to open a link in the person's browser; `None` when it may not be opened."""
    if not is_allowed(url):
        return None
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(_("Open a link"))
    box.setText(_question(url))
    box.setInformativeText(_shown(url))
    box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    box.button(QMessageBox.StandardButton.Open).clicked.connect(
        lambda: QDesktopServices.openUrl(url)
    )
    box.open()
    return box


def _question(url: QUrl) -> str:
    if url.scheme() == "mailto":
        return _("Open your mail program outside Desktop RAG?")
    place = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
    return _("Open {place} outside Desktop RAG?").format(place=place)


def _shown(url: QUrl) -> str:
    address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
    return address if len(address) <= _MAX_SHOWN else f"{address[:_MAX_SHOWN]} …"
