"""What of a folder is read and how much it counts, with a look at what the rules leave out."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.errors import Cancelled, DesktopRagError
from desktop_rag.domain.library import FolderRules, RulesPreview, Source, Tier
from desktop_rag.ui import words
from desktop_rag.ui.background import Background, Task
from desktop_rag.ui.chat.flowing_row import FlowingRow
from desktop_rag.ui.dialog_size import open_at
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.plain import PlainLabel, tip
from desktop_rag.ui.theme import XL, M, S, Theme
from desktop_rag.ui.translation import _, counted
from desktop_rag.ui.window_words import in_window

if TYPE_CHECKING:
    from desktop_rag.app import App

_TYPING_MS = 350


class FolderDialog(QDialog):
    """Rules are tried while they are typed; nothing changes before Save.

    Signals:
        saved (FolderRules, Tier)
        relocate_requested, show_requested
    """

    saved = Signal(object, object)
    relocate_requested = Signal()
    show_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        background: Background,
        app: App,
        source: Source,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        del theme
        self._background = background
        self._app = app
        self._source = source
        self._task: Task | None = None
        self._is_stopped = threading.Event()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Folder options"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_MS)
        self._timer.timeout.connect(self._preview)
        self._build()
        self._fill(source)
        open_at(self, 820, 620)
        self._preview()

    # building
    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(M)
        column.addLayout(self._build_head())
        middle = QHBoxLayout()
        middle.setSpacing(XL)
        middle.addLayout(self._build_rules(), 1)
        middle.addLayout(self._build_preview(), 1)
        column.addLayout(middle, 1)
        column.addLayout(self._build_tiers())
        column.addLayout(self._build_buttons())

    def _build_head(self) -> QHBoxLayout:
        name = PlainLabel(Path(self._source.path).name or self._source.path)
        name.setObjectName("pageTitle")
        path = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        path.setText(self._source.path)
        path.setObjectName("muted")
        names = QVBoxLayout()
        names.addWidget(name)
        names.addWidget(path)
        self.show_button = QPushButton(_("Open in file manager"))
        self.show_button.setEnabled(self._source.is_online)
        self.show_button.clicked.connect(self.show_requested)
        self.moved = QPushButton(_("It lies elsewhere now …"))
        self.moved.setVisible(not self._source.is_online)
        self.moved.clicked.connect(self.relocate_requested)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addLayout(names, 1)
        row.addWidget(self.moved)
        row.addWidget(self.show_button)
        return row

    def _build_rules(self) -> QVBoxLayout:
        self.include = self._patterns(_("Read only files like these"), "*.pdf\nreports/")
        self.exclude = self._patterns(_("Leave out files and folders like these"), "drafts/\n*.bak")
        self.limit = QSpinBox()
        self.limit.setObjectName("sizeLimit")
        self.limit.setRange(0, 100_000)
        self.limit.setSpecialValueText(_("No limit of its own"))
        self.limit.setSuffix(_(" MB"))
        self.limit.setAccessibleName(_("Leave out files larger than"))
        self.limit.valueChanged.connect(lambda: self._timer.start())
        hint = PlainLabel(_("One pattern a line, as in a .gitignore file."))
        hint.setObjectName("smallMuted")
        hint.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(S)
        for editor in (self.include, self.exclude):
            heading = PlainLabel(editor.accessibleName())
            heading.setObjectName("panelTitle")
            heading.setBuddy(editor)
            column.addWidget(heading)
            column.addWidget(editor, 1)
        column.addWidget(hint)
        heading = PlainLabel(self.limit.accessibleName())
        heading.setObjectName("panelTitle")
        column.addWidget(heading)
        column.addWidget(self.limit)
        return column

    def _patterns(self, name: str, example: str) -> QPlainTextEdit:
        editor = QPlainTextEdit()
        editor.setObjectName("patterns")
        editor.setAccessibleName(name)
        editor.setPlaceholderText("\n".join(map(words.isolated, example.split("\n"))))
        editor.setTabChangesFocus(True)
        editor.setAcceptDrops(False)
        editor.textChanged.connect(lambda: self._timer.start())
        return editor

    def _build_preview(self) -> QVBoxLayout:
        heading = PlainLabel(_("What the rules leave out"))
        heading.setObjectName("panelTitle")
        self.sum = PlainLabel()
        self.sum.setObjectName("smallMuted")
        self.sum.setWordWrap(True)
        self.preview = QListWidget()
        self.preview.setObjectName("plainTable")
        self.preview.setAccessibleName(_("What the rules leave out"))
        self.preview.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        column = QVBoxLayout()
        column.setSpacing(S)
        column.addWidget(heading)
        column.addWidget(self.sum)
        column.addWidget(self.preview, 1)
        return column

    def _build_tiers(self) -> QVBoxLayout:
        heading = PlainLabel(_("When documents contradict each other, this folder"))
        heading.setObjectName("panelTitle")
        heading.setWordWrap(True)
        self.tiers = {
            Tier.PRIMARY: QRadioButton(_("counts more")),
            Tier.NORMAL: QRadioButton(_("counts as others do")),
            Tier.BACKGROUND: QRadioButton(_("counts less")),
        }
        row = FlowingRow()
        for button in self.tiers.values():
            row.add(button)
        column = QVBoxLayout()
        column.setSpacing(S)
        column.addWidget(heading)
        column.addWidget(row)
        return column

    def _build_buttons(self) -> QHBoxLayout:
        self.cancel = QPushButton(_("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self.save = QPushButton(_("Save"))
        self.save.setObjectName("primaryButton")
        self.save.setDefault(True)
        self.save.clicked.connect(self._on_save)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.save)
        return row

    # content
    def _fill(self, source: Source) -> None:
        self.include.setPlainText("\n".join(source.rules.include))
        self.exclude.setPlainText("\n".join(source.rules.exclude))
        self.limit.setValue(source.rules.max_mb)
        self.tiers[source.tier].setChecked(True)

    def rules(self) -> FolderRules:
        """As they stand in the fields."""
        return FolderRules(_lines(self.include), _lines(self.exclude), max_mb=self.limit.value())

    def tier(self) -> Tier:
        """As it is chosen."""
        return next(tier for tier, button in self.tiers.items() if button.isChecked())

    def _preview(self) -> None:
        self._stop()
        self.sum.setText(_("Looking …"))
        stopped = self._is_stopped = threading.Event()

        def step() -> None:
            if stopped.is_set():
                raise Cancelled("Other rules are tried.")

        app, place, rules = self._app, Path(self._source.path), self.rules()
        self._task = self._background.run(
            lambda: app.previewing.preview(place, rules, step), self._on_preview, self._on_error
        )

    def _stop(self) -> None:
        self._timer.stop()
        self._is_stopped.set()
        if self._task is not None:
            self._task.forget()

    def _on_preview(self, found: RulesPreview) -> None:
        self.save.setEnabled(True)
        self.preview.clear()
        if not found.is_online:
            self.sum.setText(_("The folder cannot be reached now, so nobody can say."))
            return
        root = len(self._source.path) + 1
        for path, reason in found.left_out:
            self.preview.addItem(path[root:])
            self.preview.item(self.preview.count() - 1).setToolTip(tip(f"{path}\n{reason}"))
        self.sum.setText(_summed(found))

    def _on_error(self, error: DesktopRagError) -> None:
        if isinstance(error, Cancelled):
            return
        self.preview.clear()
        self.save.setEnabled(False)
        self.sum.setText(in_window(error.message))

    def _on_save(self) -> None:
        self.saved.emit(self.rules(), self.tier())
        self.accept()

    def done(self, code: int) -> None:
        """Closed: nothing is tried any more."""
        self._stop()
        super().done(code)


def _lines(editor: QPlainTextEdit) -> tuple[str, ...]:
    lines = (line.strip() for line in editor.toPlainText().splitlines())
    return tuple(line for line in lines if line)


def _summed(found: RulesPreview) -> str:
    kept = counted("{n} file is read", "{n} files are read", found.kept)
    if not found.left_out_count:
        return _("{kept}; the rules leave nothing out.").format(kept=kept)
    out = counted("{n} left out", "{n} left out", found.left_out_count)
    if found.leaving:
        gone = counted(
            "{n} leaves the library when you save",
            "{n} leave the library when you save",
            found.leaving,
        )
        return f"{kept} · {out} · {gone}"
    return f"{kept} · {out}"
