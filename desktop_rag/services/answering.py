"""Answers questions: retrieval, language model, checked citations, stored conversation.

One thread answers one question after the other, because there is one language model. Every
question ends in exactly one AnswerCompleted or AnswerFailed, and in one stored message.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_rag.domain.answers import (
    Answer,
    ConversationId,
    Message,
    Role,
)
from desktop_rag.domain.budget import Effort
from desktop_rag.domain.errors import DesktopRagError, InvalidInput
from desktop_rag.domain.events import AnswerCompleted, AnswerFailed, SourcesForeseen
from desktop_rag.domain.followup import small_talk
from desktop_rag.domain.ports import GenerationLimits, Generator
from desktop_rag.domain.prompting import (
    MAX_QUESTION_CHARS,
    PromptTexts,
    clean,
    conversation_title,
    shortened,
)
from desktop_rag.domain.query_expansion import Wording
from desktop_rag.domain.question_kinds import QuestionKind
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.domain.revisions import Begun
from desktop_rag.domain.scope import Scope
from desktop_rag.services.answer_cache import AnswerCache
from desktop_rag.services.bus import Bus
from desktop_rag.services.composing import Composer, Judge
from desktop_rag.services.direct_answers import DirectAnswers
from desktop_rag.services.drafts import Question
from desktop_rag.services.finishing import from_no_document
from desktop_rag.services.following_up import FollowingUp, InContext
from desktop_rag.services.late_changes import with_late_changes
from desktop_rag.services.preparing import Asked, Preparation, Preparing
from desktop_rag.services.retrieval import EVERYTHING, Found, Retrieval
from desktop_rag.services.reusing import Reusing
from desktop_rag.services.running import RunningAnswer, Task
from desktop_rag.services.safeguards import Safeguards
from desktop_rag.services.self_tuning import SelfTuning
from desktop_rag.services.stoppable import unless_stopped
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.conversations import Conversations

logger = logging.getLogger(__name__)

TYPED_WEIGHT = 0.3
"""Of a follow-up as it was typed against 1 for it standing alone: of 0.1 to 0.5, the best for the
right passage among the first five; with equal weights a twentieth of the gain is left."""
_BUG = (
    "The answer failed because of an error inside the program; ask again, and report it with the "
    "log if it stays."
)
_CANNOT_GO_ON = (
    "What the answer was written from is not in the library any more, so that it cannot go on; ask "
    "the question again."
)


class Answering:
    """The answerer thread and its queue. `close` must be called; it stops what is running."""

    def __init__(
        self,
        retrieval: Retrieval,
        generator: Generator,
        catalog: Catalog,
        conversations: Conversations,
        bus: Bus,
        judge: Judge,
        prompts: PromptTexts | None = None,
        effort: Callable[[], Effort] = lambda: Effort.BALANCED,
        library_state: Callable[[], str] = lambda: "",
        safeguards: Safeguards | None = None,
        cache: AnswerCache | None = None,
        direct: DirectAnswers | None = None,
    ) -> None:
        self._safeguards = safeguards or Safeguards()
        bus = self._safeguards.screened(bus)
        self._composer = Composer(
            retrieval, generator, catalog, bus, judge, prompts, effort, self._safeguards, direct
        )
        self._reusing = Reusing(self._composer, cache, self._enqueue) if cache else self._composer
        self._following_up = FollowingUp(retrieval, generator)
        self._generator = generator
        self._has_model = False
        self._catalog = catalog
        self._conversations = conversations
        self._bus = bus
        self._library_state = library_state
        self._preparing = Preparing()
        self._tuning = SelfTuning(generator)
        self._is_warm = False
        self._requests = itertools.count(1)
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        # Guards the three below; held for moments only.
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._running: set[RunningAnswer] = set()
        self._is_closed = False

    def ask(
        self,
        question: str,
        conversation: ConversationId | None = None,
        scope: Scope = EVERYTHING,
        rules: RetrievalRules = DEFAULT_RULES,
        *,
        is_fresh: bool = False,
    ) -> RunningAnswer:
        """Store the question and answer it in the background, after those asked before.

        Only documents of `scope` are searched, by `rules`. Where answers are kept, a fresh one is
        written all the same.

        Raises:
            InvalidInput: the question is empty, or the program is closing.
            NotFound: the conversation was deleted.
        """
        text = clean(question)
        if not text:
            raise InvalidInput("The question is empty; type what you want to know.")
        prepared = self._preparing.take(Asked(text, conversation, scope, rules))
        if conversation is None:
            conversation = self._conversations.begin(conversation_title(text))
        earlier = self._conversations.messages(conversation)
        self._conversations.add(conversation, Role.USER, text)
        task = Task(text, earlier, scope, rules, prepared, is_fresh=is_fresh)
        return self.begin(conversation, task)

    def begin(self, conversation: ConversationId, task: Task) -> RunningAnswer:
        """Answer a question that is stored already, after those asked before.

        Raises:
            InvalidInput: the program is closing.
        """
        running = RunningAnswer(next(self._requests), conversation)
        if task.prepared is not None:
            task.prepared.adopt(running.request, lambda: running.is_cancelled)
        self._start(running, lambda: self._answer(running, task))
        return running

    def prepare(
        self,
        text: str,
        conversation: ConversationId | None = None,
        scope: Scope = EVERYTHING,
        rules: RetrievalRules = DEFAULT_RULES,
    ) -> None:
        """Begin to answer what is being typed, in place of what was typed before; never waits.

        It is for `ask` with the same arguments; publishes `SourcesForeseen` at most.
        """
        text = clean(text)
        if not text or small_talk(text) is not None:
            self._preparing.drop()
            return
        preparation = self._preparing.begin(Asked(text, conversation, scope, rules))
        with self._lock:
            if preparation is not None and not self._is_closed:
                self._enqueue(lambda: self._prepare(preparation))

    def drop_preparation(self) -> None:
        """What was typed has changed: stop within a twentieth of a second."""
        self._preparing.drop()

    def warm_up(self) -> None:
        """Load the language model and let it read the instructions, before the first question."""
        with self._lock:
            if not self._is_closed:
                self._enqueue(self._warm_up)

    def is_busy(self) -> bool:
        """Whether a question waits or is being answered; indexing steps back meanwhile."""
        with self._lock:
            return bool(self._running)

    def is_answering(self, conversation: ConversationId) -> bool:
        """Whether a question of this chat waits or is being answered."""
        with self._lock:
            return any(running.conversation == conversation for running in self._running)

    def close(self) -> None:
        """Stop all answers, keep what they have, and end the thread."""
        with self._lock:
            self._is_closed = True
            self._preparing.drop()
            for running in self._running:
                running.cancel()
            thread = self._thread
        if thread is not None:
            self._tasks.put(None)
            thread.join()

    # ------------------------------------------------------------------ the thread

    def _start(self, running: RunningAnswer, task: Callable[[], None]) -> None:
        with self._lock:
            if self._is_closed:
                raise InvalidInput("The program is closing; ask again when it is open.")
            self._running.add(running)
            self._enqueue(task)

    def _enqueue(self, task: Callable[[], None]) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="answerer")
            self._thread.start()
        self._tasks.put(task)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception:
                logger.exception("The answerer failed")

    def _warm_up(self) -> None:
        try:
            # Whoever asks meanwhile wants to see a quotation at once, not to wait for the model.
            if unless_stopped(self._generator.info, self._has_closed) is None:
                self._is_warm = True  # the question finishes what was begun here
                return
            self._has_model = True
            limits = GenerationLimits(max_tokens=0)
            for _ in self._generator.stream(self._composer.opening(), limits, self._has_closed):
                pass
            self._is_warm = True
            self._tuning.attempt(self._has_closed)
        except DesktopRagError as error:
            # The question itself will say so, with the next step; nobody has asked anything yet.
            logger.info("The language model was not warmed up: %s", error.code)

    def _has_closed(self) -> bool:
        """Also true once somebody asks: a question must not wait for the warming."""
        with self._lock:
            return self._is_closed or bool(self._running) or self._preparing.is_active

    def _prepare(self, preparation: Preparation) -> None:
        """Like `_answer`, for a question that was not asked yet: nothing is told or stored."""
        asked = preparation.asked
        if preparation.is_cancelled():
            return
        try:
            preparation.library = self._library_state()
            earlier = self._conversations.messages(asked.conversation) if asked.conversation else []
            meant = preparation.meant = self._meant(
                asked.text, earlier, asked.scope, preparation.is_cancelled
            )
            self._composer.prepare(
                _question(None, meant, Task(asked.text, earlier, asked.scope, asked.rules)),
                preparation.is_cancelled,
                lambda found: self._foresee(preparation, found),
                lambda: self._asked_as(preparation),
            )
        except DesktopRagError as error:
            # Whoever asks it is told; typing is no reason to complain.
            logger.info("What is being typed was not prepared: %s", error.code)

    def _foresee(self, preparation: Preparation, found: Found) -> None:
        preparation.found = found
        self._bus.publish(SourcesForeseen(preparation.asked.text, found.passages))

    def _asked_as(self, preparation: Preparation) -> int:
        """The request it was asked as, while what was found is still true; else 0."""
        is_asked = preparation.request and self._still_valid(preparation) is not None
        return preparation.request if is_asked else 0

    def _still_valid(self, prepared: Preparation | None) -> Preparation | None:
        """What was prepared while the person typed, unless the library has changed since."""
        is_valid = prepared is not None and prepared.library == self._library_state()
        return prepared if is_valid else None

    # ------------------------------------------------------------------ one question

    def _answer(self, running: RunningAnswer, task: Task) -> None:
        outcome: Answer | DesktopRagError
        try:
            outcome = self._compose(running, task)
            self._store(running, task, outcome)
        except DesktopRagError as error:
            outcome = error
        except Exception:
            logger.exception("Answering request %d failed", running.request)
            outcome = DesktopRagError(_BUG)
        with self._lock:  # who hears of the end may ask at once what can be changed of it
            self._running.discard(running)
        try:
            self._report(running, task, outcome)
        finally:
            running.finish(outcome)
        if self._is_warm:  # the window is open, and a while may pass before the next question
            self._tuning.attempt(self._has_closed)

    def _store(self, running: RunningAnswer, task: Task, answer: Answer) -> None:
        # The words for the next question's prompt; placeholders mean something for now only.
        words = self._safeguards.real(answer.text)
        if task.unfinished is None:
            self._conversations.add(running.conversation, Role.ASSISTANT, words, answer)
        elif answer is not task.unfinished.answer:
            self._conversations.replace(task.unfinished, words, answer)

    def _report(
        self, running: RunningAnswer, task: Task, outcome: Answer | DesktopRagError
    ) -> None:
        if isinstance(outcome, Answer):
            self._bus.publish(AnswerCompleted(running.request, running.conversation, outcome))
            return
        try:
            if task.unfinished is None:  # else its first part stays the last thing said
                self._conversations.add(running.conversation, Role.SYSTEM, outcome.message)
        except DesktopRagError as error:
            # The chat was deleted meanwhile or the disk is full; the event still tells the person.
            logger.info("The failure of request %d was not stored: %s", running.request, error.code)
        self._bus.publish(
            AnswerFailed(running.request, running.conversation, outcome.code, outcome.message)
        )

    def _compose(self, running: RunningAnswer, task: Task) -> Answer:
        reply = small_talk(task.text)
        if reply is not None:
            return from_no_document(task.text, reply, QuestionKind.CHAT)
        unread = self._catalog.counts().queued
        valid = self._still_valid(task.prepared)
        meant = valid.meant if valid is not None else None
        if meant is None:
            meant = self._meant(task.text, task.earlier, task.scope, lambda: running.is_cancelled)
        answer = self._reusing.compose(
            _question(running, meant, task),
            lambda: running.is_cancelled,
            valid.found if valid is not None else None,
        )
        if task.unfinished is not None and not answer.found:
            raise InvalidInput(_CANNOT_GO_ON)
        if (first := _no_less_than(answer, task.unfinished)) is not None:
            return first
        self._has_model = self._has_model or bool(answer.model)
        answer = _as_asked(answer, meant)
        answer = replace(answer, unread=unread if answer.is_from_documents else 0)
        answer = with_late_changes(answer, self._catalog)
        return answer if len(task.text) <= MAX_QUESTION_CHARS else _with_notice(answer)

    def _meant(
        self, text: str, earlier: Sequence[Message], scope: Scope, is_cancelled: Callable[[], bool]
    ) -> InContext:
        return self._following_up.read(
            shortened(text), earlier, scope, is_cancelled, has_model=self._has_model
        )


def _question(running: RunningAnswer | None, meant: InContext, task: Task) -> Question:
    """What is to be composed; without a running answer it is only prepared."""
    part = task.unfinished
    first = Begun(part.text, part.answer.citations) if part is not None and part.answer else None
    return Question(
        request=running.request if running else 0,
        text=meant.text,
        queries=(meant.text,),
        beside=(Wording(meant.typed, TYPED_WEIGHT),) if meant.rewritten else (),
        history=meant.history,
        scope=meant.scope,
        rules=task.rules,
        sampling=task.sampling,
        begun=first,
        conversation=running.conversation if running else None,
        is_fresh=task.is_fresh,
    )


def _as_asked(answer: Answer, asked: InContext) -> Answer:
    """The answer to what was typed, with what it was understood as."""
    understood = replace(answer.understood, rewritten=asked.rewritten, inherited=asked.inherited)
    return replace(answer, question=asked.typed, understood=understood)


def _no_less_than(answer: Answer, unfinished: Message | None) -> Answer | None:
    """The first part, when going on was stopped before there was more: it must not be lost."""
    first = unfinished.answer if unfinished is not None else None
    if first is None or not answer.stopped or len(answer.text) > len(first.text):
        return None
    return first


def _with_notice(answer: Answer) -> Answer:
    notice = (
        f"Your question was very long; only its first {MAX_QUESTION_CHARS} characters were used."
    )
    return replace(answer, text=f"{answer.text}\n\n{notice}".strip())
