from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.answers import (
    Answer,
    Confidence,
    ConversationId,
    RetrievalFigures,
    Role,
)
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database
from tests.helpers.passages import BRIDGE_CITATION

ANSWER = Answer(
    question="When?",
    text="In 1932 [1].",
    citations=(BRIDGE_CITATION,),
    confidence=Confidence.HIGH,
    found=True,
    figures=RetrievalFigures(10, 2, 5, 3, 2, {"index": 1.5}),
    model="small",
    nearest=("A", "B"),
    unsupported=((0, 4),),
    kind="fact",
    scope_note="All 102 rows of 3 files.",
    conflicts=("One file says 1933.",),
    masked=(("e-mail", 2),),
    is_cached=True,
)


@pytest.fixture
def conversations(database: Database) -> Conversations:
    return Conversations(database)


def test_an_answer_comes_back_exactly_as_it_was(conversations: Conversations) -> None:
    chat = conversations.begin("Bridges")
    conversations.add(chat, Role.USER, "When?")
    conversations.add(chat, Role.ASSISTANT, ANSWER.text, ANSWER)
    question, answer = conversations.messages(chat)
    assert (question.role, question.text, question.answer) == (Role.USER, "When?", None)
    assert answer.answer == ANSWER


def test_an_answer_of_an_earlier_version_still_opens(
    conversations: Conversations, database: Database
) -> None:
    chat = conversations.begin("Bridges")
    conversations.add(chat, Role.ASSISTANT, ANSWER.text, ANSWER)
    newer = ("kind", "scope_note", "conflicts", "masked", "is_cached", "figures.reranked")
    fields = ", ".join(f"'$.{name}'" for name in newer)
    with database.write() as db:
        db.execute(f"UPDATE messages SET answer_json = json_remove(answer_json, {fields})")
    answer = conversations.messages(chat)[0].answer
    assert answer is not None
    assert (answer.text, answer.kind, answer.is_cached) == (ANSWER.text, "", False)


def test_the_chat_used_last_is_first(conversations: Conversations) -> None:
    first, second = conversations.begin("First"), conversations.begin("Second")
    assert [chat.id for chat in conversations.all()] == [second, first]
    conversations.add(first, Role.USER, "Again?")
    assert [chat.id for chat in conversations.all()] == [first, second]


def test_a_chat_is_renamed_and_deleted(conversations: Conversations) -> None:
    chat = conversations.begin("Old")
    conversations.add(chat, Role.USER, "Hello?")
    conversations.rename(chat, "  New ")
    assert conversations.all()[0].title == "New"
    conversations.delete(chat)
    conversations.delete(chat)
    assert conversations.all() == []
    with pytest.raises(NotFound):
        conversations.messages(chat)


def test_nothing_is_added_to_a_chat_that_is_gone(conversations: Conversations) -> None:
    with pytest.raises(NotFound, match="start a new one"):
        conversations.add(ConversationId(99), Role.USER, "Anyone?")
    with pytest.raises(NotFound, match="start a new one"):
        conversations.messages(ConversationId(10**30))


def test_a_title_is_never_empty(conversations: Conversations) -> None:
    chat = conversations.begin("Title")
    with pytest.raises(InvalidInput):
        conversations.rename(chat, "  ")
    assert conversations.all()[0].title == "Title"


def _chat(conversations: Conversations, *said: str) -> ConversationId:
    chat = conversations.begin("Bridges")
    for number, text in enumerate(said):
        conversations.add(chat, Role.ASSISTANT if number % 2 else Role.USER, text)
    return chat


def _texts(conversations: Conversations, chat: ConversationId) -> list[str]:
    return [message.text for message in conversations.messages(chat)]


def test_what_is_cut_is_gone_and_comes_back_in_the_place_of_what_followed(
    database: Database,
) -> None:
    conversations = Conversations(database)
    chat = _chat(conversations, "one?", "1", "two?", "2")
    assert not conversations.can_undo(chat)
    conversations.cut(chat, conversations.messages(chat)[1].id)
    assert _texts(conversations, chat) == ["one?"]
    conversations.add(chat, Role.ASSISTANT, "1 again")
    assert conversations.can_undo(chat)
    conversations.undo(chat)
    assert _texts(conversations, chat) == ["one?", "1", "two?", "2"]
    assert not conversations.can_undo(chat)
    with pytest.raises(InvalidInput, match="no earlier version"):
        conversations.undo(chat)


def test_cuts_are_undone_one_after_the_other(database: Database) -> None:
    conversations = Conversations(database)
    other = _chat(conversations, "kept?", "kept")
    chat = _chat(conversations, "one?", "1")
    for version in ("1 again", "1 a third time"):
        conversations.cut(chat, conversations.messages(chat)[-1].id)
        conversations.add(chat, Role.ASSISTANT, version)
    conversations.undo(chat)
    assert _texts(conversations, chat) == ["one?", "1 again"]
    conversations.undo(chat)
    assert _texts(conversations, chat) == ["one?", "1"]
    assert _texts(conversations, other) == ["kept?", "kept"]


def test_only_a_message_of_the_chat_can_be_cut(database: Database) -> None:
    conversations = Conversations(database)
    chat, other = _chat(conversations, "one?", "1"), _chat(conversations, "two?", "2")
    with pytest.raises(NotFound):
        conversations.cut(chat, conversations.messages(other)[0].id)
    first = conversations.messages(chat)[0].id
    conversations.cut(chat, first)
    with pytest.raises(NotFound):
        conversations.cut(chat, first)
    assert _texts(conversations, other) == ["two?", "2"]


def test_an_answer_that_went_on_takes_the_place_of_the_first_part(database: Database) -> None:
    conversations = Conversations(database)
    chat = conversations.begin("Bridges")
    conversations.add(chat, Role.USER, "When?")
    conversations.add(chat, Role.ASSISTANT, ANSWER.text, ANSWER)
    message = conversations.messages(chat)[-1]
    longer = replace(ANSWER, text="In 1932 [1]. It took eight years [1].")
    conversations.replace(message, longer.text, longer)
    stored = conversations.messages(chat)[-1]
    assert (stored.id, stored.text, stored.answer) == (message.id, longer.text, longer)
    conversations.cut(chat, message.id)
    with pytest.raises(NotFound):
        conversations.replace(message, longer.text, longer)
    conversations.delete(chat)
    with pytest.raises(NotFound):
        conversations.replace(message, longer.text, longer)
