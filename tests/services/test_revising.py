"""Second thoughts: another answer, another question, more of an answer, one step back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from unittest.mock import Mock

import pytest

from desktop_rag.domain.answers import Confidence, ConversationId, Message, MessageId, Role
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import (
    DiskFull,
    InvalidInput,
    ModelMissing,
    NotFound,
    WorkerCrashed,
)
from desktop_rag.domain.events import AnswerCompleted, AnswerDelta, AnswerFailed, Event
from desktop_rag.domain.revisions import Begun, Possible, as_written, can_go_on
from desktop_rag.services.revising import Revising
from desktop_rag.services.running import RunningAnswer
from desktop_rag.storage.database import Database
from tests.helpers.passages import make_passage
from tests.services.test_answering import TIMEOUT_S, Desk

QUESTION = "When did the harbour bridge open?"
LONG = "The harbour bridge opened in 1932 [1]. It took eight years to build [1]."


@pytest.fixture
def desk(database: Database) -> Iterator[Desk]:
    desk = Desk(database)
    yield desk
    desk.answering.close()


@pytest.fixture
def revising(desk: Desk) -> Revising:
    return Revising(desk.answering, desk.conversations)


def asked(desk: Desk, *questions: str) -> ConversationId:
    """A chat in which these were asked and answered."""
    running = desk.answering.ask(questions[0])
    running.result(TIMEOUT_S)
    for question in questions[1:]:
        desk.ask(question, running.conversation)
    return running.conversation


def stopped_after(desk: Desk, words: int, begin: Callable[[], RunningAnswer]) -> RunningAnswer:
    """An answer that is stopped after some words, however quick the machine."""
    begun: Future[RunningAnswer] = Future()
    before = len(desk.of(AnswerDelta))

    def look(event: Event) -> None:
        if isinstance(event, AnswerDelta) and len(desk.of(AnswerDelta)) == before + words:
            begun.result(TIMEOUT_S).cancel()

    stop_listening = desk.bus.subscribe(look)
    begun.set_result(begin())
    assert begun.result().result(TIMEOUT_S).stopped
    stop_listening()
    return begun.result()


def stopped(desk: Desk, answer: str = LONG, words: int = 3) -> ConversationId:
    """A chat whose answer was stopped after some words."""
    desk.generator.answer = answer
    return stopped_after(desk, words, lambda: desk.answering.ask(QUESTION)).conversation


def said(desk: Desk, chat: ConversationId) -> list[Message]:
    return desk.conversations.messages(chat)


def texts(desk: Desk, chat: ConversationId) -> list[str]:
    return [message.text for message in said(desk, chat)]


# ------------------------------------------------------------------ another answer


def test_another_answer_is_sampled_and_the_first_comes_back(desk: Desk, revising: Revising) -> None:
    chat = asked(desk, QUESTION)
    first = texts(desk, chat)
    desk.generator.answer = "In 1932 the harbour bridge opened [1]."
    again = revising.regenerate(chat).result(TIMEOUT_S)
    assert again.text == "In 1932 the harbour bridge opened [1]."
    assert texts(desk, chat) == [QUESTION, again.text]
    assert desk.generator.limits[-1].temperature > 0
    assert desk.generator.limits[-1].seed != 0
    assert revising.possible(chat).can_undo
    revising.undo(chat)
    assert texts(desk, chat) == first


def test_each_new_answer_has_a_seed_of_its_own(desk: Desk, revising: Revising) -> None:
    chat = asked(desk, QUESTION)
    for _ in range(2):
        revising.regenerate(chat).result(TIMEOUT_S)
    assert len({limits.seed for limits in desk.generator.limits[-2:]}) == 2


def test_after_a_failure_the_question_is_simply_asked_again(desk: Desk, revising: Revising) -> None:
    desk.generator.crash_after = 0
    running = desk.answering.ask(QUESTION)
    with pytest.raises(WorkerCrashed):
        running.result(TIMEOUT_S)
    desk.generator.crash_after = None
    revising.regenerate(running.conversation).result(TIMEOUT_S)
    question, answer = said(desk, running.conversation)
    assert (question.text, answer.role) == (QUESTION, Role.ASSISTANT)
    assert desk.generator.limits[-1].temperature == 0


def test_a_question_that_a_kill_left_without_an_answer_gets_one(
    desk: Desk, revising: Revising
) -> None:
    chat = desk.conversations.begin("Bridges")
    desk.conversations.add(chat, Role.USER, QUESTION)
    assert "1932" in revising.regenerate(chat).result(TIMEOUT_S).text
    assert len(said(desk, chat)) == 2


def test_another_answer_sees_what_was_said_before_and_not_itself(
    desk: Desk, revising: Revising
) -> None:
    chat = asked(desk, QUESTION, "And how long did it take to build?")
    revising.regenerate(chat).result(TIMEOUT_S)
    roles = [turn.role for turn in desk.generator.prompts[-1]]
    assert roles == [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.USER]


# ------------------------------------------------------------------ another question


def test_an_edited_question_cuts_off_what_followed_and_undo_brings_it_back(
    desk: Desk, revising: Revising
) -> None:
    chat = asked(desk, QUESTION, "When did the oil crisis of OPEC begin?")
    before = texts(desk, chat)
    first = said(desk, chat)[0]
    revising.edit(chat, first.id, "How long did the harbour bridge take?").result(TIMEOUT_S)
    assert texts(desk, chat)[0] == "How long did the harbour bridge take?"
    assert len(texts(desk, chat)) == 2
    assert desk.conversations.all()[0].title == "How long did the harbour bridge take?"
    revising.undo(chat)
    assert texts(desk, chat) == before


def test_a_chat_that_was_given_a_name_keeps_it(desk: Desk, revising: Revising) -> None:
    chat = asked(desk, QUESTION)
    desk.conversations.rename(chat, "My bridges")
    revising.edit(chat, said(desk, chat)[0].id, "Which bridge is it?").result(TIMEOUT_S)
    assert desk.conversations.all()[0].title == "My bridges"


def test_only_questions_of_the_chat_can_be_edited_and_not_to_nothing(
    desk: Desk, revising: Revising
) -> None:
    chat = asked(desk, QUESTION)
    question, answer = said(desk, chat)
    with pytest.raises(InvalidInput, match="empty"):
        revising.edit(chat, question.id, " \n")
    with pytest.raises(InvalidInput, match="Only questions"):
        revising.edit(chat, answer.id, "It opened in 1933.")
    with pytest.raises(NotFound):
        revising.edit(chat, MessageId(999), "When?")
    assert said(desk, chat) == [question, answer]


# ------------------------------------------------------------------ more of an answer


def test_a_stopped_answer_goes_on_where_it_was_stopped(desk: Desk, revising: Revising) -> None:
    chat = stopped(desk)
    part = said(desk, chat)[-1]
    whole = revising.go_on(chat).result(TIMEOUT_S)
    assert desk.generator.limits[-1].begun
    assert LONG.startswith(desk.generator.limits[-1].begun)
    assert not whole.stopped
    assert "1932" in whole.text
    assert whole.text.endswith("[1].")
    stored = said(desk, chat)
    assert (len(stored), stored[-1].id, stored[-1].answer) == (2, part.id, whole)


def test_stopped_again_it_keeps_what_was_added(desk: Desk, revising: Revising) -> None:
    chat = stopped(desk, words=2)
    part = said(desk, chat)[-1].text
    answer = stopped_after(desk, 2, lambda: revising.go_on(chat)).result()
    assert answer.stopped
    assert len(answer.text) > len(part)


def test_stopped_before_more_is_written_the_first_part_stays(
    desk: Desk, revising: Revising
) -> None:
    chat = stopped(desk)
    before = said(desk, chat)
    may_go_on = desk.hold()
    desk.answering.ask(QUESTION)
    running = revising.go_on(chat)
    running.cancel()
    may_go_on.set()
    assert running.result(TIMEOUT_S) == before[-1].answer
    assert said(desk, chat) == before
    assert "1932" in revising.go_on(chat).result(TIMEOUT_S).text


def test_an_answer_that_broke_off_goes_on(desk: Desk, revising: Revising) -> None:
    desk.generator.answer, desk.generator.crash_after = LONG, 4
    running = desk.answering.ask(QUESTION)
    broken = running.result(TIMEOUT_S)
    assert broken.stopped
    assert "broke off" in broken.note
    desk.generator.crash_after = None
    assert not revising.go_on(running.conversation).result(TIMEOUT_S).note


def test_stopped_before_the_first_word_it_begins(desk: Desk, revising: Revising) -> None:
    may_go_on = desk.hold()
    desk.answering.ask(QUESTION)
    second = desk.answering.ask(QUESTION)
    second.cancel()
    may_go_on.set()
    assert second.result(TIMEOUT_S).text == ""
    assert "1932" in revising.go_on(second.conversation).result(TIMEOUT_S).text
    assert len(said(desk, second.conversation)) == 2


def test_a_complete_answer_has_nothing_to_go_on_with(desk: Desk, revising: Revising) -> None:
    chat = asked(desk, QUESTION)
    with pytest.raises(InvalidInput, match="complete"):
        revising.go_on(chat)


@pytest.mark.parametrize("trouble", ["no model", "no document"])
def test_what_cannot_go_on_stays_as_it_was(desk: Desk, revising: Revising, trouble: str) -> None:
    chat = stopped(desk)
    before = said(desk, chat)
    if trouble == "no model":
        desk.generator.failure = ModelMissing("Install one with `desktop-rag models install`.")
    else:
        desk.catalog.remove([DocumentId(1)])
        desk.verdict = Confidence.NONE
    running = revising.go_on(chat)
    with pytest.raises((ModelMissing, InvalidInput)):
        running.result(TIMEOUT_S)
    assert desk.of(AnswerFailed)
    assert said(desk, chat) == before


# ------------------------------------------------------------------ any state


def test_nothing_changes_while_the_chat_is_being_answered(desk: Desk, revising: Revising) -> None:
    chat = asked(desk, QUESTION)
    may_go_on = desk.hold()
    running = desk.answering.ask(QUESTION, chat)
    question = said(desk, chat)[0].id
    for change in (
        lambda: revising.regenerate(chat),
        lambda: revising.go_on(chat),
        lambda: revising.edit(chat, question, "Why?"),
        lambda: revising.undo(chat),
    ):
        with pytest.raises(InvalidInput, match="still being answered"):
            change()
    may_go_on.set()
    running.result(TIMEOUT_S)


def test_what_is_possible_is_told(desk: Desk, revising: Revising) -> None:
    chat = stopped(desk)
    found = revising.possible(chat)
    assert found.question is not None
    assert (found.question.text, found.can_go_on, found.can_undo) == (QUESTION, True, False)
    revising.go_on(chat).result(TIMEOUT_S)
    assert not revising.possible(chat).can_go_on
    running = revising.regenerate(chat)
    running.result(TIMEOUT_S)
    assert revising.possible(chat).can_undo
    assert revising.possible(desk.conversations.begin("Empty")) == Possible()


def test_a_deleted_chat_is_said_to_be_gone(desk: Desk, revising: Revising) -> None:
    chat = asked(desk, QUESTION)
    question = said(desk, chat)[0].id
    desk.conversations.delete(chat)
    for change in (
        lambda: revising.regenerate(chat),
        lambda: revising.go_on(chat),
        lambda: revising.edit(chat, question, "Why?"),
        lambda: revising.undo(chat),
    ):
        with pytest.raises(NotFound, match="does not exist any more"):
            change()
    with pytest.raises(NotFound):
        revising.possible(chat)


def test_an_empty_chat_has_nothing_to_answer(desk: Desk, revising: Revising) -> None:
    chat = desk.conversations.begin("Empty")
    with pytest.raises(InvalidInput, match="Nothing was asked"):
        revising.regenerate(chat)
    with pytest.raises(InvalidInput, match="no earlier version"):
        revising.undo(chat)


def test_nothing_is_lost_when_the_program_closes(desk: Desk, revising: Revising) -> None:
    chat = asked(desk, QUESTION)
    before = said(desk, chat)
    desk.answering.close()
    with pytest.raises(InvalidInput, match="closing"):
        revising.regenerate(chat)
    assert said(desk, chat) == before


def test_nothing_is_lost_when_the_disk_is_too_full_for_an_edited_question(
    desk: Desk, revising: Revising, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = asked(desk, QUESTION)
    before = said(desk, chat)
    full = Mock(side_effect=DiskFull("It is full."))
    monkeypatch.setattr("desktop_rag.storage.conversations._append", full)
    with pytest.raises(DiskFull):
        revising.edit(chat, before[0].id, "How long did it take?")
    assert said(desk, chat) == before


def test_a_document_that_leaves_meanwhile_keeps_its_quotation(desk: Desk) -> None:
    may_go_on = desk.hold()
    running = desk.answering.ask(QUESTION)
    desk.wait_for(AnswerDelta)
    desk.catalog.remove([DocumentId(1)])
    may_go_on.set()
    answer = running.result(TIMEOUT_S)
    assert answer.citations[0].quote == "The harbour bridge opened in 1932."
    assert answer.citations[0].page == 1
    assert "“Bridges” changed or left the library while this was written" in answer.note


# ------------------------------------------------------------------ rules


def test_numbers_are_those_of_the_prompt_again(desk: Desk) -> None:
    chat = asked(desk, QUESTION)
    answer = said(desk, chat)[-1].answer
    assert answer is not None
    cited = answer.citations[0]
    passages = [make_passage("Other", chunk=99), make_passage("This", chunk=int(cited.chunk))]
    text = "The bridge opened in 1932 [1]. Nobody knows [4]."
    assert as_written(Begun(text, (cited,)), passages) == (
        "The bridge opened in 1932 [2]. Nobody knows."
    )


@pytest.mark.parametrize(
    ("text", "is_cut_off"),
    [("It opened in", True), ("It opened,", True), ("It opened [1].", False), ("- a [1]", False)],
)
def test_an_answer_that_ends_in_a_sentence_has_more_to_say(
    desk: Desk, text: str, *, is_cut_off: bool
) -> None:
    answer = desk.ask(QUESTION)
    assert can_go_on(replace(answer, text=text)) is is_cut_off


def test_what_can_be_changed_is_known_as_soon_as_the_end_is_told(
    desk: Desk, revising: Revising
) -> None:
    possible: list[Possible] = []

    def on_event(event: object) -> None:
        if isinstance(event, AnswerCompleted):
            possible.append(revising.possible(event.conversation))

    desk.bus.subscribe(on_event)
    asked(desk, QUESTION)
    assert [one.question is not None for one in possible] == [True]
