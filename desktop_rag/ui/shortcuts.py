"""Keys of the window, and the sheet that shows them all.

A shortcut is made by `shortcut`, which wants words for it: the sheet lists what there is, so it
cannot leave out one or promise one that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFormLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XL, M, S, scaled
from desktop_rag.ui.translation import _

_WIDTH, _HEIGHT = 520, 560


def shortcut(
    keys: str | QKeySequence.StandardKey,
    label: str,
    slot: Callable[[], object],
    over: QWidget,
    *,
    is_local: bool = False,
) -> QShortcut:
    """Let keys do something in the window of `over`, or only while the focus is in `over`."""
    made = QShortcut(QKeySequence(keys), over)
    made.setWhatsThis(label)
    if is_local:
        made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    made.activated.connect(slot)
    return made


def listed(window: QWidget) -> list[tuple[str, str]]:
    """(keys as this system writes them, what they do), of the whole window, each once."""
    found = {
        _native(one.key()): one.whatsThis()
        for one in window.findChildren(QShortcut)
        if one.whatsThis()
    }
    return sorted([*found.items(), *_keys_of_widgets()], key=lambda one: one[1])


def _native(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


def _keys_of_widgets() -> list[tuple[str, str]]:
    """What a field or a list does by itself, without a shortcut object."""
    return [
        (_("Enter"), _("Send the question")),
        (_("Shift+Enter"), _("Begin a new line of the question")),
        ("F2", _("Rename the marked chat")),
        (_native(QKeySequence("Del")), _("Delete the marked chat")),
        (_("Tab"), _("Go to the next control; citations are controls, too")),
    ]


class ShortcutsSheet(QDialog):
    """All keys on one sheet; Esc closes it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("sheet")
        self.setWindowTitle(_("Keyboard shortcuts"))
        self.resize(scaled(_WIDTH), min(scaled(_HEIGHT), window.height()))
        rows = QWidget()
        form = QFormLayout(rows)
        form.setHorizontalSpacing(XL)
        form.setVerticalSpacing(S)
        for keys, meaning in listed(window):
            key = PlainLabel(keys)
            key.setObjectName("keyCap")
            key.setAccessibleName(f"{keys}: {meaning}")
            told = PlainLabel(meaning)
            told.setWordWrap(True)
            form.addRow(key, told)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setAccessibleName(_("Keyboard shortcuts"))
        area.setWidget(rows)
        title = PlainLabel(_("Keyboard shortcuts"))
        title.setObjectName("pageTitle")
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(M)
        column.addWidget(title)
        column.addWidget(area, 1)
        self.first_steps = QPushButton(_("Show the first steps again"))
        self.first_steps.clicked.connect(self.accept)
        column.addWidget(self.first_steps, 0, Qt.AlignmentFlag.AlignLeading)
        area.setFocus()
