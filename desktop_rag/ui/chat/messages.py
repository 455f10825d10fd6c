"""One message of the chat: the person's question, or an answer in any stage of its life."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Answer, Citation, Confidence, MessageId, Passage
from desktop_rag.ui import words
from desktop_rag.ui.chat import copying
from desktop_rag.ui.chat.activity import Activity
from desktop_rag.ui.chat.answer_desk import AnswerDesk
from desktop_rag.ui.chat.answer_footer import AnswerFooter
from desktop_rag.ui.chat.answer_text import AnswerText
from desktop_rag.ui.chat.citation_preview import CitationPreview
from desktop_rag.ui.chat.failure_box import FailureBox
from desktop_rag.ui.chat.quote_card import QuoteCard
from desktop_rag.ui.chat.source_list import SourceList
from desktop_rag.ui.chat.verdict import Verdict
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, Theme
from desktop_rag.ui.translation import _, counted

_BUBBLE_SHARE = 0.82
_SPOKEN = 1000
"""Characters of an answer that are said when it is there; the rest is read from the answer."""
_SHOWN_CHARS = 2000
"""As much of a question as is searched for; laying out a pasted book would hold the window up."""
_REST_FACTOR = 4
"""Layout of a growing answer takes at most a fifth of the time."""


class QuestionMessage(QWidget):
    """The person's words in a bubble on the right, as wide as they need."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel(_shown(text))
        self._label.setObjectName("questionBubble")
        self._label.setAccessibleName(
            _("You asked: {question}").format(question=self._label.text())
        )
        self._label.setWordWrap(True)
        # With a styled frame Qt would indent by half an "x" and wrap a word too early.
        self._label.setIndent(0)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addStretch(1)
        layout.addWidget(self._label)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the words at a share of the column, or earlier when they are few."""
        super().resizeEvent(event)
        self._label.ensurePolished()
        padding = 32
        lines = self._label.text().splitlines() or [""]
        natural = max(self._label.fontMetrics().horizontalAdvance(line) for line in lines)
        width = min(natural + padding + 2, round(self.width() * _BUBBLE_SHARE))
        if width != self._label.width():
            self._label.setFixedWidth(width)


class AnswerMessage(QWidget):
    """An answer: searching, sources found, streaming, finished, stopped or failed.

    Signals:
        opened (Citation | Passage): a chip or a source was clicked.
        retry_requested: the person wants to ask the failed question again.
        unfolded: the person opened something in it that is to stay open.
    """

    opened = Signal(object)
    retry_requested = Signal()
    unfolded = Signal()

    def __init__(
        self, theme: Theme, desk: AnswerDesk | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._desk = desk
        self._answer: Answer | None = None
        self._written = ""
        self._doing = _("Writing …")
        self._places: dict[int, Citation | Passage] = {}
        self._rest_ms = 0
        self._since = QElapsedTimer()
        self._since.start()
        self._pace = QTimer(self)
        self._pace.setSingleShot(True)
        self._pace.timeout.connect(self._show_written)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.activity = Activity(self._theme)
        self.activity.say(_("Searching your documents …"))
        self.text = AnswerText(self._theme)
        self.text.hide()
        self.preview = CitationPreview(self._theme, self.text, self._desk)
        self.extract = QuoteCard()
        self.sources = SourceList(self._theme)
        self.failure = FailureBox(_("Ask again"))
        self.failure.hide()
        self.verdict = Verdict(self._theme, self._desk, self)
        self.footer = AnswerFooter(self._theme, self.verdict)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(XS)
        for widget in (self.text, self.activity, self.extract, self.failure, self.sources):
            layout.addWidget(widget)
        layout.addWidget(self.footer)

    def _connect(self) -> None:
        self.text.citation_clicked.connect(self._on_citation)
        self.preview.opened.connect(self._on_citation)
        self.extract.opened.connect(self.opened)
        self.sources.opened.connect(self.opened)
        self.failure.retry.clicked.connect(self.retry_requested)
        self.footer.copy_wanted.connect(self._on_copy)
        self.footer.copy_with_sources_wanted.connect(self._on_copy_with_sources)
        self.footer.why_wanted.connect(self._on_why)
        self.footer.export_wanted.connect(self._on_export)
        self.verdict.failed.connect(self.footer.show_failure)
        for signal in (
            self.sources.unfolded,
            self.footer.remarks.unfolded,
            self.verdict.form_opened,
        ):
            signal.connect(self.unfolded)

    @property
    def is_begun(self) -> bool:
        """Whether words of it were shown already."""
        return bool(self._written)

    def identify(self, message: MessageId) -> None:
        """Under which number this answer is stored."""
        self.verdict.identify(message)

    # stages
    def show_extract(self, citation: Citation) -> None:
        """The best sentence, long before the first word; it stands below what is written then."""
        self.extract.show_quote(citation)

    def show_passages(self, passages: Sequence[Passage]) -> None:
        """Sources stand here before the first word."""
        if not passages:
            return
        documents = len({passage.document for passage in passages})
        self.activity.say(
            _("Reading {passages} from {files} …").format(
                passages=counted("{n} passage", "{n} passages", len(passages)),
                files=counted("{n} file", "{n} files", documents),
            )
        )
        # The model cites passages by their order here; the finished answer brings its citations.
        self._places = self.preview.places = dict(enumerate(passages, start=1))
        self.sources.show_sources(_("Found in"), self._places)

    def show_progress(self, sentence: str) -> None:
        """How far an answer is that takes long."""
        self._doing = sentence
        self.activity.say(sentence)

    def append(self, text: str) -> None:
        """More of a streamed answer; only this message is laid out again."""
        self._written += text
        if not self._pace.isActive():
            self._pace.start(max(0, round(self._rest_ms - self._since.elapsed())))

    def _show_written(self) -> None:
        """Lay out what has arrived; a long answer rests longer, so the window keeps breathing."""
        self._since.restart()
        self.activity.say(self._doing)
        self.text.show()
        self.text.grow(self._written, self._places)
        self._rest_ms = self._since.elapsed() * _REST_FACTOR

    def show_text(self, text: str) -> None:
        """A message that was stored without the rest of its answer."""
        self._written = text
        self.activity.hide()
        self.text.show()
        self.text.set_answer(text)

    def complete(self, answer: Answer) -> None:
        """The finished answer replaces everything streamed."""
        self._pace.stop()
        self._written = words.said(answer)
        self._places = {citation.number: citation for citation in answer.citations}
        self.preview.places = self._places
        self.activity.hide()
        self.extract.hide()
        if answer.extract is not None and _wants_quote(answer, answer.extract):
            self.show_extract(answer.extract)
        self.failure.hide()
        self.text.set_answer(self._written, self._places, answer.unsupported)
        self.text.setVisible(bool(answer.text))
        self.sources.show_sources(_sources_heading(answer), self._places)
        self._show_footer(answer)

    @property
    def spoken(self) -> str:
        """The finished answer as it is said to who does not see it: its beginning, and no marks."""
        text = copying.plain_text(self.text.document())
        if not text.strip():
            return _("The answer ended without words.")
        sources = counted("{n} source", "{n} sources", len(self._places))
        return _("Answer with {sources}: {text}").format(
            sources=sources, text=words.preview(text, _SPOKEN)
        )

    def fail(self, message: str) -> None:
        """The sentence of the error; what was written before it stays."""
        if self._pace.isActive():
            self._pace.stop()
            self._show_written()
        self.activity.hide()
        self.failure.say(message)
        self.failure.show()

    def _show_footer(self, answer: Answer) -> None:
        self._answer = answer
        self.verdict.attach(answer)
        self.footer.show_answer(answer, can_ask=self._desk is not None)
        doubts = words.doubtful(len(answer.unsupported)) if answer.unsupported else ""
        self.text.setAccessibleDescription(doubts)

    def hideEvent(self, event: QHideEvent) -> None:
        """The card of a citation lies in the window and would stay; this message may be deleted."""
        super().hideEvent(event)
        self.preview.hide()

    @property
    def places(self) -> tuple[Citation | Passage, ...]:
        """What it cites, in the order of the numbers."""
        return tuple(self._places.values())

    def _on_citation(self, number: int) -> None:
        if number in self._places:
            self.opened.emit(self._places[number])

    def _on_why(self) -> None:
        if self._desk is not None and self._answer is not None:
            from desktop_rag.ui.chat.why_dialog import WhyDialog

            dialog = WhyDialog(self._theme, self._desk, self._answer, self.window())
            # Not to this message: of a long chat it may be gone before the dialog is.
            dialog.opened.connect(self._desk.place_wanted)
            dialog.show()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(copying.plain_text(self.text.document()))
        self.footer.show_copied(self.footer.copy_button)

    def _on_export(self, kind: str) -> None:
        if self._desk is not None and self._answer is not None:
            self._desk.export(
                self,
                self._answer,
                self.verdict.message,
                kind,
                lambda error: self.footer.show_failure(error.message),
            )

    def _on_copy_with_sources(self) -> None:
        if self._answer is not None:
            QGuiApplication.clipboard().setText(copying.with_sources(self._answer))
            self.footer.show_copied(self.footer.copy_sources_button)


def _shown(question: str) -> str:
    if len(question) <= _SHOWN_CHARS:
        return question
    told = counted("({n} character)", "({n} characters)", len(question))
    return f"{question[:_SHOWN_CHARS].rstrip()} …\n\n{told}"


def _wants_quote(answer: Answer, extract: Citation) -> bool:
    """Whether the sentence shown at once stays: nothing was written, or little to lean on.

    What a small model writes under "low confidence" may be wrong where the sentence was right.
    """
    quotes = {citation.quote for citation in answer.citations}
    is_doubtful = answer.found and answer.confidence is Confidence.LOW
    return not answer.text or (is_doubtful and extract.quote not in quotes)


def _sources_heading(answer: Answer) -> str:
    return counted("{n} source", "{n} sources", len(answer.citations))
