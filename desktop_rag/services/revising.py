"""Second thoughts about a chat: another answer, another question, more of an answer, one step back.

What a new version takes the place of is kept (`storage.conversations`), so every step but going on
can be undone. While a question of the chat is being answered, nothing of it can be changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from desktop_rag.domain.answers import Answer, ConversationId, Message, MessageId, Role
from desktop_rag.domain.errors import DesktopRagError, InvalidInput, NotFound
from desktop_rag.domain.prompting import clean, conversation_title
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.domain.revisions import AGAIN_TEMPERATURE, GREEDY, Possible, Sampling, can_go_on
from desktop_rag.domain.scope import Scope
from desktop_rag.services.answering import Answering
from desktop_rag.services.retrieval import EVERYTHING
from desktop_rag.services.running import RunningAnswer, Task
from desktop_rag.storage.conversations import Conversations

_BUSY = "This chat is still being answered; stop that first, or wait until it is done."


class Revising:
    """Changes what was said. Usable from any thread."""

    def __init__(self, answering: Answering, conversations: Conversations) -> None:
        self._answering = answering
        self._conversations = conversations

    def regenerate(
        self,
        conversation: ConversationId,
        rules: RetrievalRules = DEFAULT_RULES,
        scope: Scope = EVERYTHING,
    ) -> RunningAnswer:
        """Answer the last question again, in other words if it was answered.

        Raises:
            NotFound: the chat was deleted.
            InvalidInput: nothing was asked yet, or it is being answered.
        """
        said = self._idle(conversation)
        place = _last_question(said)
        following = said[place + 1 :]
        sampling = GREEDY
        if following and following[0].answer is not None and following[0].text:
            sampling = Sampling(AGAIN_TEMPERATURE, int(following[0].id))
        before = said[:place]
        task = Task(said[place].text, before, scope, rules, sampling=sampling, is_fresh=True)
        if not following:
            return self._answering.begin(conversation, task)
        self._conversations.cut(conversation, following[0].id)
        with self._undone_on_failure(conversation):
            return self._answering.begin(conversation, task)

    def edit(
        self,
        conversation: ConversationId,
        message: MessageId,
        text: str,
        rules: RetrievalRules = DEFAULT_RULES,
        scope: Scope = EVERYTHING,
    ) -> RunningAnswer:
        """Ask a question of the chat in other words; it and all that followed are cut off.

        Raises:
            NotFound: the chat was deleted, or the message is not in it.
            InvalidInput: the new question is empty, the message is no question, or the chat is
                being answered.
        """
        text = clean(text)
        if not text:
            raise InvalidInput("The question is empty; type what you want to know.")
        said = self._idle(conversation)
        place = next((n for n, one in enumerate(said) if one.id == message), None)
        if place is None:
            raise NotFound("That question is not in the chat any more; open the chat again.")
        if said[place].role is not Role.USER:
            raise InvalidInput("Only questions can be edited; ask a new one instead.")
        self._conversations.cut(conversation, message, instead=text)
        with self._undone_on_failure(conversation):
            self._rename(conversation, place, said[place].text, text)
            return self._answering.begin(conversation, Task(text, said[:place], scope, rules))

    def go_on(
        self,
        conversation: ConversationId,
        rules: RetrievalRules = DEFAULT_RULES,
        scope: Scope = EVERYTHING,
    ) -> RunningAnswer:
        """Write on where the last answer was stopped, broke off, or reached its limit.

        Raises:
            NotFound: the chat was deleted.
            InvalidInput: the last answer is complete, or being written.
        """
        said = self._idle(conversation)
        place = _last_question(said)
        last = next((one for one in said[place + 1 :] if one.answer is not None), None)
        if last is None or last.answer is None or not last.text.strip():
            return self.regenerate(conversation, rules, scope)
        _require_unfinished(last.answer)
        before = said[:place]
        task = Task(said[place].text, before, scope, rules, is_fresh=True, unfinished=last)
        return self._answering.begin(conversation, task)

    def possible(self, conversation: ConversationId) -> Possible:
        """What can be changed of a chat now; nothing while it is being answered.

        Raises:
            NotFound: the chat was deleted.
        """
        said = self._conversations.messages(conversation)
        place = next((n for n in reversed(range(len(said))) if said[n].role is Role.USER), None)
        if place is None or self._answering.is_answering(conversation):
            return Possible()
        answers = (one.answer for one in said[place + 1 :] if one.answer is not None)
        return Possible(
            said[place],
            any(can_go_on(answer) for answer in answers),
            self._conversations.can_undo(conversation),
        )

    def undo(self, conversation: ConversationId) -> None:
        """Bring back what `regenerate` or `edit` took away; what was said since is forgotten.

        Raises:
            NotFound: the chat was deleted.
            InvalidInput: there is nothing to bring back, or the chat is being answered.
        """
        self._idle(conversation)
        self._conversations.undo(conversation)

    def _idle(self, conversation: ConversationId) -> list[Message]:
        said = self._conversations.messages(conversation)
        if self._answering.is_answering(conversation):
            raise InvalidInput(_BUSY)
        return said

    @contextmanager
    def _undone_on_failure(self, conversation: ConversationId) -> Iterator[None]:
        """The disk is full or the program closes: nothing is answered, so nothing is to be lost."""
        try:
            yield
        except DesktopRagError:
            self._conversations.undo(conversation)
            raise

    def _rename(self, conversation: ConversationId, place: int, old: str, new: str) -> None:
        """A chat that is called by its first question goes on being so."""
        if place:
            return
        titles = {one.id: one.title for one in self._conversations.all()}
        if titles.get(conversation) == conversation_title(old):
            self._conversations.rename(conversation, conversation_title(new))


def _last_question(said: Sequence[Message]) -> int:
    place = next((n for n in reversed(range(len(said))) if said[n].role is Role.USER), None)
    if place is None:
        raise InvalidInput("Nothing was asked in this chat yet; type a question.")
    return place


def _require_unfinished(answer: Answer) -> None:
    if not can_go_on(answer):
        raise InvalidInput("The last answer is complete; ask for more in a new question.")
