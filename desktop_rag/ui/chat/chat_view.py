"""The chat page: messages, or an invitation to begin, above the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.answers import Answer, Citation, Passage, Role
from desktop_rag.domain.library import LibraryStatus
from desktop_rag.domain.transcripts import Transcript
from desktop_rag.ui.announce import announce
from desktop_rag.ui.background import Background
from desktop_rag.ui.chat import tab_order
from desktop_rag.ui.chat.answer_desk import AnswerDesk
from desktop_rag.ui.chat.chat_actions import ChatActions
from desktop_rag.ui.chat.chat_finding import ChatFinding
from desktop_rag.ui.chat.composer import Composer
from desktop_rag.ui.chat.drafts import Drafts
from desktop_rag.ui.chat.empty_chat import EmptyChat
from desktop_rag.ui.chat.likely_sources import LikelySources
from desktop_rag.ui.chat.message_list import MessageList
from desktop_rag.ui.chat.messages import AnswerMessage
from desktop_rag.ui.chat.model_bar import ModelBar
from desktop_rag.ui.chat.nothing_left import NothingLeft
from desktop_rag.ui.chat.session import ChatSession, Running
from desktop_rag.ui.chat.welcome import FirstRun
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.shortcuts import shortcut
from desktop_rag.ui.theme import COLUMN_WIDTH, XL, L, S, Theme, scaled
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.find_bar import FindBar
from desktop_rag.ui.window_words import in_window

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.domain.answers import ConversationId

_SUGGESTIONS = 3


class ChatView(QWidget):
    """Shows what the session says and passes on what the person does.

    Signals:
        opened (Citation | Passage): a place shall be shown in the viewer.
        add_folder_requested, add_files_requested: a button of the first-run page.
        files_pasted (list[Path]): files for the library.
        told (str, str): a sentence for the person, and its kind.
    """

    opened = Signal(object)
    files_pasted = Signal(object)
    told = Signal(str, str)
    add_folder_requested = Signal()
    add_files_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        session: ChatSession,
        background: Background,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._session = session
        self._background = background
        self._answer: AnswerMessage | None = None
        self._has_files = True
        self.drafts = Drafts()
        """What was typed in other chats."""
        self._unasked = ""
        self._app: App | None = None
        self._build()
        self._connect()

    def _build(self) -> None:
        self.first_run = FirstRun(self._theme)
        self.empty_chat = EmptyChat(self._theme)
        self.messages = MessageList(self._theme)
        self.desk = AnswerDesk(self._background, lambda: self._session.conversation, self)
        self.desk.scope = lambda: self._session.scope.scope
        self.messages.desk = self.desk
        self.find_bar = FindBar(self._theme, _("Find in this chat"))
        self.find_bar.hide()
        self.finding = ChatFinding(self.find_bar, self._session, self.messages, self._background)
        self.stack = QStackedWidget()
        for page in (self.empty_chat, self.first_run, self.messages):
            self.stack.addWidget(page)
        self.no_model = ModelBar(self._theme, self._background)
        self.changes = ChatActions(self._theme)
        self.likely = LikelySources(self._theme)
        self.nothing_left = NothingLeft()
        self.composer = Composer(self._theme, self._background)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.find_bar)
        layout.addWidget(self.stack, 1)
        self._foot_row = QHBoxLayout()
        self._foot_row.addWidget(self._build_foot())
        layout.addLayout(self._foot_row)

    def _build_foot(self) -> QWidget:
        promise = PlainLabel(_("Answers come only from your files. Nothing leaves this computer."))
        promise.setObjectName("finePrint")
        promise.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        promise.setWordWrap(True)
        foot = QWidget()
        column = QVBoxLayout(foot)
        column.setContentsMargins(XL, S, XL, L)
        column.setSpacing(S)
        above = (self.no_model, self.changes, self.nothing_left, self.likely)
        for widget in (*above, self.composer, promise):
            column.addWidget(widget)
        return foot

    def _connect(self) -> None:
        session = self._session
        self.composer.sent.connect(session.ask)
        self.composer.typed.connect(session.foresee)
        self.composer.stopped.connect(session.stop)
        session.foreseen.connect(self.likely.show_passages)
        self.likely.opened.connect(self.opened)
        session.busy_changed.connect(self.composer.set_busy)
        session.opened.connect(self._on_opened)
        session.asked.connect(self._on_asked)
        session.extract_found.connect(self._on_extract)
        session.sources_found.connect(self._on_sources)
        session.progress.connect(self._on_progress)
        session.delta.connect(self._on_delta)
        session.completed.connect(self._on_completed)
        session.failed.connect(self._on_failed)
        self.messages.opened.connect(self.opened)
        self.desk.place_wanted.connect(self.opened)
        self.messages.retry_requested.connect(session.retry)
        self.messages.wanted.connect(session.read)
        session.messages_read.connect(self.messages.fill)
        self.composer.edited.connect(session.edit)
        session.possible_changed.connect(self.changes.show_possible)
        self.changes.go_on_requested.connect(session.go_on)
        self.changes.again_requested.connect(session.answer_again)
        self.changes.undo_requested.connect(session.undo)
        self.changes.edit_requested.connect(self._on_edit)
        self._connect_composer()
        self.first_run.add_folder_requested.connect(self.add_folder_requested)
        self.first_run.add_files_requested.connect(self.add_files_requested)

    def _connect_composer(self) -> None:
        session, composer, edit = self._session, self.composer, self.composer.edit
        edit.scrolled.connect(self.messages.scroll_by)
        edit.files_pasted.connect(self.files_pasted)
        edit.told.connect(lambda sentence: self.told.emit(sentence, "info"))
        session.begun.connect(self.drafts.begin)
        session.unasked.connect(self._on_unasked)
        session.scope.changed.connect(composer.scope.show_scope)
        session.scope.changed.connect(lambda _resolved: self.nothing_left.hide())
        session.scope.nothing_left.connect(self._on_nothing_left)
        composer.scope.chosen.connect(session.choose)
        self.nothing_left.choice_wanted.connect(composer.scope.choose)
        self.nothing_left.everything_wanted.connect(self._on_everything_wanted)
        self.empty_chat.suggested.connect(self._on_suggested)
        shortcut("Ctrl+F", _("Find in this chat"), self.finding.begin, self, is_local=True)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app
        self.desk.attach(app)
        self.desk.scope = lambda: self._session.scope.scope
        self.no_model.attach(app)
        self.composer.scope.attach(app)
        self.finding.attach(app)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The composer stands exactly below the column of messages."""
        super().resizeEvent(event)
        left, spare = divmod(max(0, self.width() - scaled(COLUMN_WIDTH) - 2 * XL), 2)
        self._foot_row.setContentsMargins(left, 0, left + spare, 0)

    def keep_draft(self, conversation: ConversationId) -> None:
        """What is in the composer belongs to a chat that is about to be opened."""
        self.drafts.begin(conversation)

    def show_status(self, status: LibraryStatus) -> None:
        """Bring notices and empty pages up to date with the library."""
        self.composer.set_ready(True)
        self._has_files = bool(status.sources or status.ready or status.queued or status.failed)
        self.composer.set_has_files(self._has_files)
        self.empty_chat.show_status(status)
        if len(self.empty_chat.suggestions) <= _SUGGESTIONS:
            self._suggest()
        self.no_model.show_status(has_model=bool(status.llm), has_files=self._has_files)
        self._show_page()

    def _suggest(self) -> None:
        app = self._app
        if app is not None and self.empty_chat.isVisible():
            self._background.run(
                lambda: app.suggesting.titles(_SUGGESTIONS), self.empty_chat.show_titles
            )

    def _show_page(self) -> None:
        if self.messages.count:
            self.stack.setCurrentWidget(self.messages)
        else:
            self.stack.setCurrentWidget(self.empty_chat if self._has_files else self.first_run)

    # what the session says
    def _on_opened(self, transcript: Transcript, running: Running | None) -> None:
        self.composer.end_edit()
        self.nothing_left.hide()
        typed = self.composer.edit.toPlainText()
        self.composer.put(self.drafts.switch(self._session.conversation, typed))
        asked = [one.text for one in transcript.read if one.role is Role.USER]
        self.composer.edit.remember(asked)
        self.messages.show_transcript(transcript)
        self._answer = self.messages.answers()[-1] if self.messages.answers() else None
        if running is not None:
            self._on_asked(running)
        self._show_page()
        # It comes a moment after it was asked for: a title may be being typed by now, or another
        # page be shown, whose focus this would take away unseen.
        if self.isVisible() and not isinstance(QApplication.focusWidget(), QLineEdit):
            self.composer.edit.setFocus()

    def _on_nothing_left(self, question: str) -> None:
        self._unasked = question
        self.composer.put(question)
        self.nothing_left.ask()

    def _on_unasked(self, question: str) -> None:
        if not self.composer.edit.toPlainText():
            self.composer.put(question)

    def _on_everything_wanted(self) -> None:
        question, self._unasked = self._unasked, ""
        self.composer.put("")
        self._session.ask_everything(question)

    def _on_suggested(self, text: str) -> None:
        self.composer.put(text)
        self.composer.edit.setFocus()

    # keys
    def focusNextPrevChild(self, is_forward: bool) -> bool:  # noqa: FBT001 - Qt's
        """Tab: composer, last answer, what can be done about it, and out of the page."""
        order = self._tab_order()
        current = QApplication.focusWidget()
        target = tab_order.step(order, current, is_forward=is_forward)
        if target is None:
            return tab_order.leave(self, is_forward=is_forward)
        tab_order.go(target, is_forward=is_forward)
        if self.messages.isAncestorOf(target):
            self.messages.bring_into_view(target)
        return True

    def _tab_order(self) -> list[QWidget]:
        found = tab_order.stops(self)
        shown = self.messages.shown()
        others = [one for one in found if not self.messages.isAncestorOf(one)]
        composer = tab_order.in_order(found, [self.composer])
        rest = [one for one in others if one not in composer and one is not self.messages]
        earlier = tab_order.in_order(found, shown[:-1])
        return [*earlier, *composer, *tab_order.in_order(found, shown[-1:]), *rest]

    def _on_edit(self) -> None:
        self.composer.begin_edit(self._session.last_question)

    def _on_asked(self, running: Running) -> None:
        self.nothing_left.hide()
        self.composer.edit.add_asked(running.question)
        self.messages.add_question(running.question)
        announce(self, _("The answer is being written."))
        self._answer = self.messages.add_answer(running.question)
        if running.extract is not None:
            self._answer.show_extract(running.extract)
        self._answer.show_passages(running.passages)
        if running.text:
            self._answer.append(running.text)
        if running.progress:
            self._answer.show_progress(running.progress)
        self._show_page()

    def _on_extract(self, citation: Citation) -> None:
        if self._answer is not None:
            self._answer.show_extract(citation)

    def _on_sources(self, passages: tuple[Passage, ...]) -> None:
        if self._answer is not None:
            self._answer.show_passages(passages)

    def _on_progress(self, sentence: str) -> None:
        if self._answer is not None:
            self._answer.show_progress(sentence)

    def _on_delta(self, text: str) -> None:
        if self._answer is not None:
            self._answer.append(text)

    def _on_completed(self, answer: Answer) -> None:
        if self._answer is not None:
            if not self._answer.is_begun:
                self.messages.hold_question()
            self._answer.complete(answer)
            self.messages.settle(answer)
            announce(self, self._answer.spoken)

    def _on_failed(self, message: str) -> None:
        if self._answer is not None:
            self._answer.fail(message)
            announce(self, in_window(message), is_urgent=True)
