"""Which chat is open and what is being answered. No widgets: the chat view shows what this says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rag.domain.answers import Citation, ConversationId, Message, MessageId, Passage
from desktop_rag.domain.choices import Choice, Resolved
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import (
    AnswerCompleted,
    AnswerDelta,
    AnswerFailed,
    AnswerProgress,
    ExtractFound,
    SourcesForeseen,
    SourcesFound,
)
from desktop_rag.domain.marks import without_marks
from desktop_rag.domain.revisions import Possible
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.transcripts import Transcript
from desktop_rag.ui.chat.chat_scope import ChatScope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_rag.app import AnswerHandle, App
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.bridge import Bridge


_Progress = ExtractFound | SourcesFound | AnswerProgress | AnswerDelta
_AnswerEvent = _Progress | AnswerCompleted | AnswerFailed

_MISSED_MS = 500
TYPING_PAUSE_MS = 250
"""Longer than between two keys, shorter than before Enter."""


@dataclass(slots=True, eq=False)
class Running:
    """An answer on its way. `handle` is missing until the façade has taken the question."""

    question: str
    conversation: ConversationId | None
    handle: AnswerHandle | None = None
    extract: Citation | None = None
    passages: tuple[Passage, ...] = ()
    text: str = ""
    progress: str = ""
    is_stopped: bool = False
    early: list[_AnswerEvent] = field(default_factory=list)


class ChatSession(QObject):
    """Asks, stops and switches chats. An answer goes on while another chat is looked at.

    Signals:
        opened (Transcript, Running | None): another chat is shown.
        messages_read (list[Message]): of the open chat, as `read` wanted them.
        asked (Running): a question was taken from the composer.
        extract_found (Citation), sources_found (tuple[Passage]), progress (str), delta (str),
            completed (Answer), failed (str): the running answer of the open chat.
        foreseen (tuple[Passage]): what is likely to answer what is being typed; empty: not known.
        busy_changed (bool): whether the open chat waits for an answer.
        possible_changed (Possible): what can be changed of the open chat.
        begun (ConversationId): the new chat is stored and has its number.
        unasked (str): a question whose chat was left, or is gone, before it was asked.
        chats_changed: the list of chats may look different.
    """

    opened = Signal(object, object)
    messages_read = Signal(object)
    asked = Signal(object)
    extract_found = Signal(object)
    sources_found = Signal(object)
    progress = Signal(str)
    delta = Signal(str)
    completed = Signal(object)
    failed = Signal(str)
    foreseen = Signal(object)
    busy_changed = Signal(bool)
    possible_changed = Signal(object)
    begun = Signal(object)
    unasked = Signal(str)
    chats_changed = Signal()

    def __init__(self, background: Background, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._app: App | None = None
        self._conversation: ConversationId | None = None
        self._wanted: ConversationId | None = None
        self._running: list[Running] = []
        self._shown: Running | None = None
        self._opening = 0
        self._is_loading = False
        self._held = ""
        """A question that waits until its chat, and what that one searches, is read."""
        self._possible = Possible()
        self.scope = ChatScope(background, self)
        self.scope.left.connect(self.unasked)
        self._foreseen = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(self._on_pause)
        bridge.sources_foreseen.connect(self._on_foreseen)
        for signal in (
            bridge.extract_found,
            bridge.sources_found,
            bridge.answer_progress,
            bridge.delta,
            bridge.completed,
            bridge.failed,
        ):
            signal.connect(self._on_event)

    @property
    def conversation(self) -> ConversationId | None:
        """The open chat; `None` for one that has not begun."""
        return self._conversation

    @property
    def answering(self) -> frozenset[ConversationId]:
        """The chats an answer is being written in."""
        chats = (running.conversation for running in self._running)
        return frozenset(chat for chat in chats if chat is not None)

    @property
    def is_busy(self) -> bool:
        """Whether the open chat waits for an answer."""
        return self._shown is not None

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app
        self.scope.attach(app)
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self.open(wanted)

    # what the person does
    def ask(self, question: str) -> None:
        """Send a question in the open chat, or begin one with it."""
        if self._is_loading and self._held:
            self.unasked.emit(question)  # one waits already
        elif self._is_loading:
            self._held = question
        elif self._app is not None and not self.is_busy:
            self._pause.stop()
            self.scope.if_anything_is_left(question, lambda: self._ask(question))

    def _ask(self, question: str) -> None:
        app, conversation = self._app, self._conversation
        if app is None or self.is_busy:
            self.unasked.emit(question)
            return
        choice, scope = self.scope.choice, self.scope.scope
        running = Running(question, conversation)
        self._running.append(running)
        self._show(running)
        self.asked.emit(running)

        def begin() -> AnswerHandle:
            handle = app.ask(question, conversation, scope)
            if conversation is None and not choice.is_everything:
                app.scopes.choose(handle.conversation, choice)
            return handle

        self._background.run(
            begin,
            lambda handle: self._on_taken(running, handle),
            lambda error: self._on_refused(running, error),
        )

    def ask_everything(self, question: str) -> None:
        """Ask all documents, in this chat from now on; a person agreed to that."""
        self.choose(Choice())
        self.scope.show(Resolved())
        self.ask(question)

    def choose(self, choice: Choice) -> None:
        """Ask another part of the library in this chat from now on."""
        self.scope.choose(choice, self._conversation)

    def retry(self, question: str) -> None:
        """Ask again what failed; it is in the chat already, unless it never got there."""
        last = self._possible.question
        if last is not None and last.text == question:
            self.answer_again()
        else:
            self.ask(question)

    def answer_again(self) -> None:
        """Another answer to the last question."""
        if (last := self._possible.question) is not None:
            self._revise(Running(last.text, self._conversation), lambda a, c, s: a.regenerate(c, s))

    def go_on(self) -> None:
        """More of the last answer."""
        if (last := self._possible.question) is not None and self._possible.can_go_on:
            self._revise(Running(last.text, self._conversation), lambda a, c, s: a.go_on(c, s))

    def edit(self, question: str) -> None:
        """Put another question in the place of the last one, and answer that."""
        if (last := self._possible.question) is not None:
            self._revise(
                Running(question, self._conversation),
                lambda a, c, s: a.edit(c, last.id, question, s),
            )

    @property
    def last_question(self) -> str:
        """That can be edited; empty when none can."""
        return self._possible.question.text if self._possible.question is not None else ""

    def undo(self) -> None:
        """Bring back what the last change took away."""
        if self._app is None or self._conversation is None or self.is_busy:
            return
        app, conversation = self._app, self._conversation

        def show(_: object) -> None:
            if conversation == self._conversation:
                self._load(app, conversation)

        # Refused, it is told above the page: it is no fault of the answer that is shown.
        self._background.run(lambda: app.undo(conversation), show)

    def _revise(
        self, running: Running, start: Callable[[App, ConversationId, Scope], AnswerHandle]
    ) -> None:
        """Answer something that is in the chat already; it looks as it does after a question."""
        self._pause.stop()
        self.scope.if_anything_is_left(running.question, lambda: self._revise_now(running, start))

    def _revise_now(
        self, running: Running, start: Callable[[App, ConversationId, Scope], AnswerHandle]
    ) -> None:
        if self._app is None or running.conversation is None or self.is_busy:
            return
        app, conversation, scope = self._app, running.conversation, self.scope.scope
        self._running.append(running)
        self._show(running)

        def begin() -> tuple[AnswerHandle, Transcript]:
            return start(app, conversation, scope), app.transcripts.open(conversation)

        self._background.run(
            begin,
            lambda begun: self._on_begun(running, *begun),
            lambda error: self._on_refused(running, error),
        )

    def _on_begun(self, running: Running, handle: AnswerHandle, transcript: Transcript) -> None:
        part = transcript.read[-1].answer if transcript.read else None
        if part is not None:  # it goes on; its numbers mean nothing until it is checked again
            running.text = without_marks(part.text)
        if running is self._shown:
            self.opened.emit(transcript.before(running.question), running)
        self._on_taken(running, handle)

    def _look(self) -> None:
        """Find out what can be changed now."""
        self._tell_possible(Possible())
        app, conversation = self._app, self._conversation
        if app is None or conversation is None or self.is_busy:
            return
        self._background.run(
            lambda: app.possible_changes(conversation),
            lambda possible: self._on_possible(conversation, possible),
            lambda _: None,  # the chat was deleted: nothing can be changed
        )

    def _on_possible(self, conversation: ConversationId, possible: Possible) -> None:
        if conversation == self._conversation and not self.is_busy:
            self._tell_possible(possible)

    def _tell_possible(self, possible: Possible) -> None:
        self._possible = possible
        self.possible_changed.emit(possible)

    def foresee(self, text: str) -> None:
        """Somebody types. After a short pause the answer is prepared; never waits.

        An empty field is left alone for that pause: it is empty, too, when a question was sent.
        """
        text = text.strip()
        if text != self._foreseen:
            self.foreseen.emit(())
            if self._app is not None and text:
                self._app.drop_preparation()
        self._foreseen = text
        self._pause.start()

    def _on_pause(self) -> None:
        if self._app is None:
            return
        if self._foreseen and not self.is_busy:
            self._app.prepare(self._foreseen, self._conversation, self.scope.scope)
        else:
            self._app.drop_preparation()

    def _on_foreseen(self, event: SourcesForeseen) -> None:
        from desktop_rag.domain.prompting import clean  # long imported by whoever told this

        # What was typed may have changed while it was on its way.
        if self._foreseen and clean(self._foreseen) == event.text and not self.is_busy:
            self.foreseen.emit(event.passages)

    def stop(self) -> None:
        """End the running answer of the open chat; works at any moment."""
        if self._shown is not None:
            self._shown.is_stopped = True
            if self._shown.handle is not None:
                self._shown.handle.cancel()

    def stop_all(self) -> None:
        """The window closes."""
        for running in self._running:
            running.is_stopped = True
            if running.handle is not None:
                running.handle.cancel()

    @property
    def is_being_taken(self) -> bool:
        """Whether the façade is still taking a question; in a moment it will have."""
        return any(running.handle is None for running in self._running)

    def give_up(self) -> list[Running]:
        """Answers on their way, for the session of another window to `adopt`."""
        given, self._running = self._running, []
        return given

    def adopt(self, running: Sequence[Running]) -> None:
        """Follow answers that another window began."""
        self._running += running
        QTimer.singleShot(_MISSED_MS, self, self._end_missed)

    def _end_missed(self) -> None:
        """What ended just while one window took the place of the other is heard by neither."""
        for running in [one for one in self._running if one.handle and one.handle.is_done]:
            self._finish(running)
            if running is self._shown:
                self._show(None)
            if self._app is not None and running.conversation == self._conversation is not None:
                self._load(self._app, self._conversation)
            self.chats_changed.emit()

    @property
    def has_turned(self) -> bool:
        """Whether a chat, or an empty one, was turned to since the window was made."""
        return self._opening > 0

    def begin_new(self) -> None:
        """An empty chat; it is stored with its first question."""
        self._opening += 1
        self._is_loading = False
        self._conversation = self._wanted = None
        self.scope.show(Resolved())
        self._show(None)
        self.opened.emit(Transcript(), None)
        if held := self._take_held():
            self.unasked.emit(held)

    def open(self, conversation: ConversationId) -> None:
        """Show a stored chat; one that was chosen before the library is open is shown then."""
        if self._app is None:
            self._wanted = conversation
            return
        if conversation == self._conversation:
            return
        self._conversation = conversation
        self._is_loading = True
        self.scope.leave()
        self._tell_possible(Possible())  # what is still shown is another chat
        self._load(self._app, conversation)

    def read_again(self) -> None:
        """Show the open chat as it is stored."""
        if self._app is not None and self._conversation is not None:
            self._load(self._app, self._conversation)

    def _load(self, app: App, conversation: ConversationId) -> None:
        self._opening += 1
        ticket = self._opening
        self._background.run(
            lambda: (app.transcripts.open(conversation), app.scopes.of(conversation)),
            lambda found: self._on_transcript(ticket, *found),
            lambda error: self._on_unreadable(ticket, error),
        )

    def read(self, messages: Sequence[MessageId]) -> None:
        """Somebody looks at messages of the open chat that were not read yet."""
        if self._app is None or self._conversation is None:
            return
        app, conversation, ticket = self._app, self._conversation, self._opening
        self._background.run(
            lambda: app.transcripts.read(conversation, messages),
            lambda read: self._on_read(ticket, read),
        )

    # what comes back
    def _on_read(self, ticket: int, messages: list[Message]) -> None:
        if ticket == self._opening:
            self.messages_read.emit(messages)

    def _on_transcript(self, ticket: int, transcript: Transcript, resolved: Resolved) -> None:
        if ticket != self._opening:
            return
        self._is_loading = False
        self.scope.show(resolved)
        running = next((r for r in self._running if r.conversation == self._conversation), None)
        if running is not None:
            transcript = transcript.before(running.question)
        self._show(running)
        self.opened.emit(transcript, running)
        if held := self._take_held():
            if self.is_busy:
                self.unasked.emit(held)
            else:
                self.ask(held)

    def _on_unreadable(self, ticket: int, error: DesktopRagError) -> None:
        """The chat was deleted: nothing is to be said in it while another one is shown."""
        self._background.failed.emit(error)
        if ticket == self._opening:
            self.begin_new()
            self.chats_changed.emit()

    def _take_held(self) -> str:
        held, self._held = self._held, ""
        return held

    def _on_taken(self, running: Running, handle: AnswerHandle) -> None:
        running.handle = handle
        is_new = running.conversation is None
        running.conversation = handle.conversation
        if running is self._shown:
            self._conversation = handle.conversation
        if running.is_stopped:
            handle.cancel()
        if is_new:
            if running is self._shown:
                self.begun.emit(handle.conversation)
            self.chats_changed.emit()
        early, running.early = running.early, []
        for event in early:
            if event.request == handle.request:  # another one's is kept with that one, too
                self._apply(running, event)

    def _on_refused(self, running: Running, error: DesktopRagError) -> None:
        self._finish(running)
        if running is self._shown:
            self._show(None)
            self.failed.emit(error.message)
        elif not running.is_stopped:
            self._background.failed.emit(error)
            self.unasked.emit(running.question)

    def _on_event(self, event: object) -> None:
        assert isinstance(event, _AnswerEvent)
        running = self._find(event.request)
        if running is None:
            # The façade may speak before its handle has crossed threads.
            for one in self._running:
                if one.handle is None:
                    one.early.append(event)
            return
        self._apply(running, event)

    def _apply(self, running: Running, event: _AnswerEvent) -> None:
        is_shown = running is self._shown
        if isinstance(event, ExtractFound):
            running.extract = event.citation
            if is_shown:
                self.extract_found.emit(event.citation)
        elif isinstance(event, SourcesFound):
            running.passages = event.passages
            if is_shown:
                self.sources_found.emit(event.passages)
        elif isinstance(event, AnswerProgress):
            running.progress = event.sentence
            if is_shown:
                self.progress.emit(event.sentence)
        elif isinstance(event, AnswerDelta):
            running.text += event.text
            if is_shown:
                self.delta.emit(event.text)
        else:
            self._end(running, event)

    def _end(self, running: Running, event: AnswerCompleted | AnswerFailed) -> None:
        is_shown, conversation = running is self._shown, running.conversation
        self._finish(running)
        if is_shown:
            self._show(None)
            if isinstance(event, AnswerCompleted):
                self.completed.emit(event.answer)
            else:
                self.failed.emit(event.message)
        elif self._app and conversation is not None and conversation == self._conversation:
            # It ended while its chat was being opened: what was read may lack the answer.
            self._load(self._app, conversation)
        self.chats_changed.emit()

    def _find(self, request: int) -> Running | None:
        for running in self._running:
            if running.handle is not None and running.handle.request == request:
                return running
        return None

    def _finish(self, running: Running) -> None:
        if running in self._running:
            self._running.remove(running)

    def _show(self, running: Running | None) -> None:
        was_busy, self._shown = self.is_busy, running
        if was_busy != self.is_busy:
            self.busy_changed.emit(self.is_busy)
        self._look()
