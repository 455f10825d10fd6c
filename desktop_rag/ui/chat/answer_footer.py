"""What stands under an answer: how sure it is, what was read, remarks, and what to do with it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Answer, Confidence
from desktop_rag.ui import icons, words
from desktop_rag.ui.announce import announce
from desktop_rag.ui.chat.remark_list import RemarkList
from desktop_rag.ui.chat.remarks import remarks_of
from desktop_rag.ui.chat.verdict import Verdict
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.history.export_menu import ExportMenu
from desktop_rag.ui.plain import PlainLabel, tip
from desktop_rag.ui.theme import XS, M, S, Theme
from desktop_rag.ui.translation import _

_DONE_MS = 1500


class AnswerFooter(QWidget):
    """Shown with the finished answer.

    Signals:
        copy_wanted, copy_with_sources_wanted, why_wanted: buttons.
        export_wanted (str): as this kind of file.
    """

    copy_wanted = Signal()
    copy_with_sources_wanted = Signal()
    why_wanted = Signal()
    export_wanted = Signal(str)

    def __init__(self, theme: Theme, verdict: Verdict) -> None:
        super().__init__()
        self._theme = theme
        self.verdict = verdict
        self._copied: QToolButton | None = None
        self._done = QTimer(self)
        self._done.setSingleShot(True)
        self._done.setInterval(_DONE_MS)
        self._done.timeout.connect(self._colour_icons)
        self._build()
        self.copy_button.clicked.connect(self.copy_wanted)
        self.copy_sources_button.clicked.connect(self.copy_with_sources_wanted)
        self.why_button.clicked.connect(self.why_wanted)
        self.export_button.clicked.connect(self._on_export)
        theme.changed.connect(self._colour_icons)
        self._colour_icons()
        self.hide()

    def _build(self) -> None:
        self.legend = Legend(self._theme)
        self.remarks = RemarkList(self._theme)
        self.failure = PlainLabel()
        self.failure.setObjectName("smallDanger")
        self.failure.setWordWrap(True)
        self.failure.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, S, 0, 0)
        column.setSpacing(XS)
        column.addLayout(self._build_row())
        for widget in (self.legend, self.remarks, self.failure):
            column.addWidget(widget)
        self.verdict.form_made.connect(column.addWidget)

    def _build_row(self) -> QHBoxLayout:
        self.badge = PlainLabel()
        self.badge.setObjectName("badge")
        self.scope = ElidedLabel()
        self.scope.setObjectName("smallMuted")
        self.copy_button = _button(_("Copy answer"))
        self.copy_sources_button = _button(_("Copy with sources"))
        self.export_button = _button(_("Export answer"))
        self.why_button = _button(_("Why these sources?"))
        row = QHBoxLayout()
        row.setSpacing(M)
        row.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.scope, 1)
        actions = QHBoxLayout()
        actions.setSpacing(2)
        for button in (
            self.copy_button,
            self.copy_sources_button,
            self.export_button,
            self.why_button,
            self.verdict.up,
            self.verdict.down,
        ):
            actions.addWidget(button)
        row.addLayout(actions)
        return row

    def show_answer(self, answer: Answer, *, can_ask: bool) -> None:
        """Bring all of it up to date; `can_ask`: the library is there to be asked."""
        self._show_badge(answer)
        self.scope.setText(words.scope_of(answer))
        self.scope.setToolTip(tip(_timings(answer)))
        self.legend.setVisible(bool(answer.unsupported))
        self.remarks.show_remarks(remarks_of(answer))
        has_text, is_searched = bool(answer.text), answer.is_from_documents
        self.copy_button.setVisible(has_text)
        self.copy_sources_button.setVisible(has_text and bool(answer.citations))
        self.export_button.setVisible(can_ask and has_text)
        self.why_button.setVisible(can_ask and is_searched)
        for thumb in (self.verdict.up, self.verdict.down):
            thumb.setVisible(can_ask and has_text)
        self.failure.hide()
        self.show()

    def _show_badge(self, answer: Answer) -> None:
        level = "stopped" if answer.stopped else answer.confidence.value
        self.badge.setText(_("Stopped") if answer.stopped else words.confidence(answer.confidence))
        reason = (
            _("You stopped it; what was written was not checked to its end.")
            if answer.stopped
            else words.confidence_reason(answer.confidence)
        )
        self.badge.setToolTip(reason)
        self.badge.setAccessibleDescription(reason)
        self.badge.setProperty("level", level)
        self.badge.style().unpolish(self.badge)
        self.badge.style().polish(self.badge)
        # A greeting was neither sought nor missed.
        is_talk = answer.found and answer.confidence is Confidence.NONE
        self.badge.setVisible(answer.stopped or not is_talk)

    def export_menu(self) -> ExportMenu:
        """The kinds of files it can become."""
        menu = ExportMenu(self.export_button)
        menu.kind_chosen.connect(self.export_wanted)
        return menu

    def _on_export(self) -> None:
        self.export_menu().popup(
            self.export_button.mapToGlobal(QPoint(0, self.export_button.height()))
        )

    def show_copied(self, button: QToolButton) -> None:
        """Say for a moment that it is in the clipboard."""
        self._colour_icons()
        button.setIcon(icons.icon("check", self._theme.colours.success))
        self._done.start()
        announce(button, _("Copied"))

    def show_failure(self, message: str) -> None:
        """Something of the row did not work."""
        self.failure.setText(message)
        self.failure.show()
        announce(self.failure, message, is_urgent=True)

    def _colour_icons(self) -> None:
        colour = self._theme.colours.muted
        self.copy_button.setIcon(icons.icon("copy", colour))
        self.copy_sources_button.setIcon(icons.icon("copy-sources", colour))
        self.export_button.setIcon(icons.icon("export", colour))
        self.why_button.setIcon(icons.icon("why", colour))


class Legend(QWidget):
    """What the dotted line in the text means."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        words_of_it = _("Underlined: not found in the sources")
        why = _(
            "No passage that was read supports these sentences. They may still be right; look them "
            "up before you rely on them."
        )
        label = PlainLabel(words_of_it)
        label.setObjectName("smallMuted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addSpacing(theme.px(24))
        row.addWidget(label, 1)
        self.setToolTip(why)
        self.setAccessibleName(words_of_it)
        self.setAccessibleDescription(why)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A piece of the line, before the words."""
        del event
        painter = QPainter(self)
        painter.setPen(QPen(self._theme.color("warning"), 1.5, Qt.PenStyle.DotLine))
        width = self._theme.px(16)
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - width if is_mirrored else 0
        y = self.height() // 2 + self._theme.px(4)
        painter.drawLine(left, y, left + width, y)
        painter.end()


def _button(name: str) -> QToolButton:
    button = QToolButton()
    button.setAccessibleName(name)
    button.setToolTip(name)
    return button


def _timings(answer: Answer) -> str:
    lines = [f"{stage}: {spent:,.0f} ms" for stage, spent in answer.figures.timings_ms.items()]
    model = _("Written by {model}").format(model=answer.model) if answer.model else ""
    return "\n".join([*([model] if model else []), *lines])
