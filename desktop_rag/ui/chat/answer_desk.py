"""What the answers on screen ask of the library: verdicts, why these sources, how files stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rag.domain.answers import Answer, Citation, ConversationId, MessageId, SearchResult
from desktop_rag.domain.citation_state import CitationState
from desktop_rag.domain.errors import DesktopRagError, NotFound
from desktop_rag.domain.feedback import Rating
from desktop_rag.domain.scope import Scope
from desktop_rag.ui.background import Background, Task, while_alive

if TYPE_CHECKING:
    from desktop_rag.app import App

OnError = Callable[[DesktopRagError], None]


class AnswerDesk(QObject):
    """Takes requests of messages and brings what comes back, as long as the asking widget lives.

    Nothing here waits. Before `attach` requests come to nothing.

    Signals:
        place_wanted (Passage): a place shall be shown in the viewer.
        export_wanted (ConversationId, MessageId, str, str): an answer to the question in the first
            words shall become a file of the kind in the second.
    """

    place_wanted = Signal(object)
    export_wanted = Signal(object, object, str, str)

    def __init__(
        self,
        background: Background,
        conversation: Callable[[], ConversationId | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._conversation = conversation
        self._app: App | None = None
        self._given: list[tuple[Answer, MessageId, Rating | None]] = []
        self._wanted: dict[MessageId, Callable[[Rating], None]] = {}
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._recall_wanted)
        self.scope: Callable[[], Scope] = Scope
        """Which documents the open chat asks."""

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    # verdicts
    def recall(
        self, owner: QObject, message: MessageId, on_found: Callable[[Rating], None]
    ) -> None:
        """Tell the verdict on a stored answer, if any. A whole chat is looked up at once."""
        self._wanted[message] = while_alive(owner, on_found)
        self._soon.start()

    def _recall_wanted(self) -> None:
        app, wanted, self._wanted = self._app, self._wanted, {}
        if app is None or not wanted:
            return

        def tell(found: dict[MessageId, Rating]) -> None:
            for message, rating in found.items():
                wanted[message](rating)

        self._background.run(lambda: app.feedback.of(list(wanted)), tell)

    def rate(
        self,
        owner: QObject,
        answer: Answer,
        message: MessageId | None,
        rating: Rating | None,
        on_kept: Callable[[MessageId], None],
        on_error: OnError,
    ) -> None:
        """Keep a verdict, or with `None` take it back. `on_kept` gets the answer's number.

        An answer that has just been written does not know yet under which one it was stored.
        """
        app, conversation = self._app, self._conversation()
        if app is None:
            return

        def keep() -> MessageId:
            found = message or _stored(app, conversation, answer)
            if rating is None:
                app.feedback.take_back(found)
            else:
                app.feedback.rate(
                    found, is_good=rating.is_good, reason=rating.reason, comment=rating.comment
                )
            return found

        def tell(kept: MessageId) -> None:
            self._given = [one for one in self._given if one[0] is not answer]
            self._given.append((answer, kept, rating))
            while_alive(owner, on_kept)(kept)

        self._background.run(keep, tell, while_alive(owner, on_error))

    def verdict_on(self, answer: Answer) -> tuple[MessageId, Rating | None] | None:
        """What was given to an answer of this window, whose widget may be another one now."""
        return next(((kept, rating) for one, kept, rating in self._given if one is answer), None)

    # handing over
    def export(
        self,
        owner: QObject,
        answer: Answer,
        message: MessageId | None,
        kind: str,
        on_error: OnError,
    ) -> None:
        """Let an answer become a file of a kind, with its question."""
        app, conversation = self._app, self._conversation()
        if app is None or conversation is None:
            return
        self._background.run(
            lambda: message or _stored(app, conversation, answer),
            lambda found: self.export_wanted.emit(conversation, found, answer.question, kind),
            while_alive(owner, on_error),
        )

    # sources
    def look_at(
        self, owner: QObject, citation: Citation, on_told: Callable[[CitationState], None]
    ) -> Task | None:
        """Tell how the file behind a citation stands today."""
        app = self._app
        if app is None:
            return None
        return self._background.run(
            lambda: app.cited_files.state(citation), while_alive(owner, on_told), lambda _: None
        )

    def explain(
        self,
        owner: QObject,
        question: str,
        on_explained: Callable[[SearchResult], None],
        on_error: OnError,
    ) -> Task | None:
        """Search again for a question, in the scope of the open chat, and explain the result."""
        app, scope = self._app, self.scope()
        if app is None:
            return None
        return self._background.run(
            lambda: app.search(question, scope=scope, is_explained=True),
            while_alive(owner, on_explained),
            while_alive(owner, on_error),
        )


def _stored(app: App, conversation: ConversationId | None, answer: Answer) -> MessageId:
    """Under which number an answer of a chat was stored: the last that reads like it."""
    said = app.messages(conversation) if conversation is not None else []
    for message in reversed(said):
        if message.answer is not None and message.text == answer.text:
            return message.id
    raise NotFound("That answer is not in the chat any more; open the chat again.")
