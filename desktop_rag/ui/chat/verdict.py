"""Thumbs up and down under an answer, and the form that asks why."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QToolButton

from desktop_rag.domain.answers import Answer, MessageId
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.feedback import Rating
from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.chat.answer_desk import AnswerDesk
from desktop_rag.ui.chat.rating_form import RatingForm, reason_words
from desktop_rag.ui.chat.revealing import reveal_soon
from desktop_rag.ui.plain import tip
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _


class Verdict(QObject):
    """Keeps the two buttons, the form and what is stored in step.

    Up is kept at once and taken back by another press. Down asks why first; a kept one opens the
    form again, to be changed or taken back.

    Signals:
        form_made (RatingForm): somebody needs the form; it wants a place.
        form_opened: there is something in the form that must not be lost.
        failed (str): a verdict could not be kept; the sentence says why.
    """

    form_made = Signal(object)
    form_opened = Signal()
    failed = Signal(str)

    def __init__(self, theme: Theme, desk: AnswerDesk | None, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._desk = desk
        self._answer: Answer | None = None
        self._message: MessageId | None = None
        self.rating: Rating | None = None
        self.up = _thumb(_("Good answer"))
        self.down = _thumb(_("Bad answer"))
        self._form: RatingForm | None = None
        self.up.clicked.connect(self._on_up)
        self.down.clicked.connect(self._on_down)
        theme.changed.connect(self._show)
        self._show()

    @property
    def form(self) -> RatingForm:
        """Made when it is needed first: few answers are found bad, and it is a third of one."""
        if self._form is None:
            self._form = self._make_form()
        return self._form

    def _make_form(self) -> RatingForm:
        form = RatingForm()
        form.saved.connect(self._keep)
        form.taken_back.connect(lambda: self._keep(None))
        form.cancelled.connect(self._close_form)
        self.form_made.emit(form)
        return form

    @property
    def is_form_open(self) -> bool:
        """Whether the person is asked what was wrong."""
        return self._form is not None and self._form.isVisible()

    @property
    def message(self) -> MessageId | None:
        """Under which number the answer is stored, as far as that is known here."""
        return self._message

    def identify(self, message: MessageId) -> None:
        """The answer is stored under this number; its verdict may be, too."""
        self._message = message
        if self._desk is not None:
            self._desk.recall(self, message, self._on_recalled)

    def attach(self, answer: Answer) -> None:
        """Verdicts are about this answer."""
        self._answer = answer
        if self._desk is not None and self._message is None:
            known = self._desk.verdict_on(answer)
            if known is not None:
                self._message, self.rating = known
        self._show()

    def _on_recalled(self, rating: Rating) -> None:
        self.rating = rating
        self._show()

    def _on_up(self) -> None:
        is_kept = self.rating is not None and self.rating.is_good
        self._keep(None if is_kept else Rating(is_good=True))

    def _on_down(self) -> None:
        if self.is_form_open:
            self._close_form()
            return
        is_kept = self.rating is not None and not self.rating.is_good
        self.form.open_with(self.rating if is_kept else None)
        self.form_opened.emit()
        reveal_soon(self.form)
        self._show()

    def _keep(self, rating: Rating | None) -> None:
        """Show it at once; what cannot be kept is taken back again."""
        if self._desk is None or self._answer is None:
            return
        before, self.rating = self.rating, rating
        self._show()
        self._desk.rate(
            self,
            self._answer,
            self._message,
            rating,
            lambda message: self._on_kept(message, rating),
            lambda error: self._on_failed(before, error),
        )

    def _on_kept(self, message: MessageId, rating: Rating | None) -> None:
        self._message = message
        if self.is_form_open:
            self._close_form()
        announce(self.up, _("Thank you, kept") if rating else _("Taken back"))

    def _on_failed(self, before: Rating | None, error: DesktopRagError) -> None:
        self.rating = before
        self._show()
        if self.is_form_open:
            self.form.show_failure(error.message)
        else:
            self.failed.emit(error.message)

    def _close_form(self) -> None:
        had_focus = self.form.isAncestorOf(self.form.window().focusWidget() or self.form)
        self.form.hide()
        self._show()
        if had_focus:
            self.down.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self) -> None:
        is_good = self.rating is not None and self.rating.is_good
        is_bad = self.rating is not None and not self.rating.is_good
        self._show_thumb(self.up, "thumb-up", is_on=is_good)
        self._show_thumb(self.down, "thumb-down", is_on=is_bad)
        why = reason_words(self.rating.reason) if is_bad and self.rating else ""
        comment = self.rating.comment if is_bad and self.rating else ""
        told = " · ".join(filter(None, (_("Bad answer"), why, comment)))
        self.down.setToolTip(tip(told))
        self.down.setAccessibleDescription(told if is_bad else "")

    def _show_thumb(self, button: QToolButton, icon: str, *, is_on: bool) -> None:
        colours = self._theme.colours
        button.setIcon(icons.icon(icon, colours.accent_text if is_on else colours.muted))
        button.setChecked(is_on or (button is self.down and self.is_form_open))


def _thumb(name: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName("thumb")
    button.setCheckable(True)
    button.setAccessibleName(name)
    button.setToolTip(name)
    return button
