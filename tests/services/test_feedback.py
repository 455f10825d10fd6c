"""Thumbs up and down: kept with their answer, told again, gone with it."""

from __future__ import annotations

import pytest

from desktop_rag.domain.answers import ConversationId, MessageId, Role
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.feedback import Rating, Reason
from desktop_rag.services.feedback import MAX_COMMENT_CHARS, Judgements
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database
from desktop_rag.storage.feedback import FeedbackStore


@pytest.fixture
def conversations(database: Database) -> Conversations:
    return Conversations(database)


@pytest.fixture
def feedback(database: Database) -> Judgements:
    return Judgements(FeedbackStore(database))


def answered(
    conversations: Conversations, question: str = "When?"
) -> tuple[ConversationId, MessageId]:
    chat = conversations.begin(question)
    conversations.add(chat, Role.USER, question)
    return chat, conversations.add(chat, Role.ASSISTANT, "In 1932.")


def test_a_verdict_is_kept_changed_and_taken_back(
    conversations: Conversations, feedback: Judgements
) -> None:
    _, message = answered(conversations)
    feedback.rate(message, is_good=True)
    assert feedback.of([message]) == {message: Rating(is_good=True)}
    told = feedback.rate(message, is_good=False, reason=Reason.INCOMPLETE, comment=" No date. ")
    assert told == Rating(is_good=False, reason=Reason.INCOMPLETE, comment="No date.")
    assert feedback.of([message]) == {message: told}
    feedback.take_back(message)
    feedback.take_back(message)
    assert feedback.of([message]) == {}


def test_all_verdicts_are_told_with_their_questions_newest_first(
    conversations: Conversations, feedback: Judgements
) -> None:
    _, first = answered(conversations, "When did it open?")
    chat, second = answered(conversations, "Who built it?")
    conversations.add(chat, Role.USER, "And who paid?")
    feedback.rate(first, is_good=False, reason=Reason.WRONG)
    feedback.rate(second, is_good=True)
    told = [(one.message, one.question, one.rating.reason) for one in feedback.all()]
    assert told == [
        (second, "Who built it?", Reason.NONE),
        (first, "When did it open?", Reason.WRONG),
    ]
    assert feedback.all()[0].time.endswith("+00:00")


def test_only_answers_that_are_there_can_be_judged(
    conversations: Conversations, feedback: Judgements
) -> None:
    chat, message = answered(conversations)
    question = conversations.messages(chat)[0].id
    for missing in (question, MessageId(message + 50)):
        with pytest.raises(NotFound):
            feedback.rate(missing, is_good=True)
    conversations.delete(chat)
    with pytest.raises(NotFound):
        feedback.rate(message, is_good=True)


def test_a_verdict_goes_with_its_chat(conversations: Conversations, feedback: Judgements) -> None:
    chat, message = answered(conversations)
    feedback.rate(message, is_good=True)
    conversations.delete(chat)
    assert feedback.all() == []
    assert feedback.of([message]) == {}


def test_a_pasted_book_is_no_comment(conversations: Conversations, feedback: Judgements) -> None:
    _, message = answered(conversations)
    with pytest.raises(InvalidInput, match="2,001 characters"):
        feedback.rate(message, is_good=False, comment="a" * (MAX_COMMENT_CHARS + 1))
    assert feedback.all() == []


def test_many_answers_are_looked_up_at_once(
    conversations: Conversations, feedback: Judgements
) -> None:
    _, message = answered(conversations)
    feedback.rate(message, is_good=True)
    assert list(feedback.of([MessageId(n) for n in range(message + 1200)])) == [message]
