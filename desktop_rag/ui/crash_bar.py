"""A quiet bar: the last run ended badly. The report can be read, copied and deleted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.crash_report import CrashReport, collect, delete, put_aside
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, M, S, Theme
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.ui.main_window import MainWindow

_LINES = 12
_ONE_LINE_WIDTH = 640


def show_last_crash(window: MainWindow, theme: Theme, logs: Path, own: Path) -> None:
    """Look for what an earlier run left, and show it in the window once. Called when it is open.

    Args:
        window: gets the bar.
        theme: of the window.
        logs: the folder that is looked into.
        own: the file of this run, which is left alone.
    """

    def show(report: CrashReport | None) -> None:
        if report is None:
            return
        bar = CrashBar(theme, report)
        bar.deleted.connect(lambda: window.background.run(lambda: delete(report)))
        window.notices.add(bar)
        bar.show()

    def look() -> CrashReport | None:
        report = collect(logs, own)
        if report is not None:
            put_aside(report)
        return report

    window.background.run(look, show)


class CrashBar(QFrame):
    """Nothing is sent anywhere: the person copies the report if they want to.

    Signals:
        deleted: the report is to be taken off the disk.
        closed: the bar was dismissed or its report deleted.
    """

    deleted = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, report: CrashReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.report = report
        self._build()
        self._connect()
        self._colour_icons()

    def _build(self) -> None:
        self.setObjectName("noticeBar")
        self.setProperty("kind", "info")
        self._picture = PlainLabel()
        self.sentence = PlainLabel(_sentence(self.report))
        self.sentence.setWordWrap(True)
        self.setAccessibleName(self.sentence.text())
        self.text = QPlainTextEdit(self.report.text)
        self.text.setObjectName("reportText")
        self.text.setAccessibleName(_("Report"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * _LINES)
        self.text.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.text.hide()
        column = QVBoxLayout(self)
        set_margins(column, M, S, S, S)
        column.setSpacing(S)
        column.addLayout(self._build_row())
        column.addWidget(self.text)

    def _build_row(self) -> QHBoxLayout:
        self.details = QPushButton(_("Details"))
        self.details.setCheckable(True)
        self.copy = QPushButton(_("Copy report"))
        self.delete = QPushButton(_("Delete"))
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(_("Dismiss"))
        self.close_button.setToolTip(_("Dismiss"))
        buttons = QHBoxLayout()
        buttons.setSpacing(XS)
        for button in (self.details, self.copy, self.delete):
            button.setObjectName("quietButton")
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._words = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._words.addWidget(self.sentence, 1)
        self._words.addLayout(buttons)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self._picture)
        row.addLayout(self._words, 1)
        row.addWidget(self.close_button)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow column the buttons go below the sentence."""
        super().resizeEvent(event)
        is_narrow = self.width() < self._theme.px(_ONE_LINE_WIDTH)
        direction = QBoxLayout.Direction
        self._words.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)

    def _connect(self) -> None:
        self.details.toggled.connect(self.text.setVisible)
        self.copy.clicked.connect(self._on_copy)
        self.delete.clicked.connect(self._on_delete)
        self.close_button.clicked.connect(self._on_close)
        self._theme.changed.connect(self._colour_icons)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.text)
        self.copy.setText(_("Copied"))
        announce(self, _("Copied"))

    def _on_delete(self) -> None:
        self.deleted.emit()
        self._on_close()

    def _on_close(self) -> None:
        self.hide()
        self.closed.emit()

    def _colour_icons(self) -> None:
        colours = self._theme.colours
        self._picture.setPixmap(icons.picture("info", colours.accent_text))
        self.close_button.setIcon(icons.icon("close", colours.muted, 16))


def _sentence(report: CrashReport) -> str:
    if report.is_native:
        return _("Desktop RAG ended unexpectedly last time.")
    return _("Something failed in Desktop RAG last time; the rest went on.")
