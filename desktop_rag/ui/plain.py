"""Text as it is: nothing that a document, a file name or a model wrote is taken for HTML.

Qt looks at the text of a label or tool tip and renders what looks like HTML. A title, a quote or a
chat's name could then load pictures from the disk or from another computer, and on Windows asking
a computer for a file (`\\\\name\\share`) tells it the person's log-in.
"""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


class PlainLabel(QLabel):
    """A label that shows tags as they are written. All labels of the window are of this kind."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if self.isRightToLeft():
            # Else a Latin file name stands at the other side than the words around it.
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
            self.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self.setText(text)


def centred(text: str, name: str) -> PlainLabel:
    """Text that breaks into lines around the middle, in the look of `name`."""
    label = PlainLabel(text)
    label.setObjectName(name)
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    label.setWordWrap(True)
    return label


def tip(text: str) -> str:
    """A tool tip that shows `text` as it is; tool tips have no switch of their own for that."""
    if "<" not in text:
        return text
    return f'<p style="white-space:pre-wrap">{html.escape(text)}</p>'
