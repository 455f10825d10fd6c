"""Reading a chat in parts."""

from __future__ import annotations

import pytest

from desktop_rag.domain.answers import ConversationId, MessageId, Role
from desktop_rag.domain.errors import NotFound
from desktop_rag.services.transcribing import Transcribing
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database


@pytest.fixture
def conversations(database: Database) -> Conversations:
    return Conversations(database)


@pytest.fixture
def transcribing(database: Database, conversations: Conversations) -> Transcribing:
    return Transcribing(database, conversations)


@pytest.fixture
def chat(conversations: Conversations) -> ConversationId:
    number = conversations.begin("Long")
    for n in range(60):
        conversations.add(number, (Role.USER, Role.ASSISTANT)[n % 2], f"Ünit {n} " + "x" * n)
    return number


def test_the_end_is_read_and_the_rest_outlined(
    transcribing: Transcribing, chat: ConversationId
) -> None:
    transcript = transcribing.open(chat)
    assert len(transcript.outlines) == 60
    assert [one.chars for one in transcript.outlines[:3]] == [7, 8, 9]
    assert [one.id for one in transcript.read] == [one.id for one in transcript.outlines[-24:]]
    assert transcript.read[-1].text.startswith("Ünit 59")


def test_others_are_read_by_number_and_in_order(
    transcribing: Transcribing, chat: ConversationId, conversations: Conversations
) -> None:
    numbers = [one.id for one in transcribing.open(chat).outlines]
    read = transcribing.read(chat, [numbers[7], numbers[3], MessageId(9999)])
    assert [one.id for one in read] == [numbers[3], numbers[7]]
    other = conversations.begin("Other")
    assert transcribing.read(other, numbers[:2]) == [], "of another chat"


def test_what_was_cut_off_is_neither_outlined_nor_read(
    transcribing: Transcribing, chat: ConversationId, conversations: Conversations
) -> None:
    numbers = [one.id for one in transcribing.open(chat).outlines]
    conversations.cut(chat, numbers[50])
    transcript = transcribing.open(chat)
    assert len(transcript.outlines) == 50
    assert transcript.read[-1].id == numbers[49]
    assert transcribing.read(chat, numbers[50:]) == []


def test_messages_are_found_by_their_words_in_any_case(
    transcribing: Transcribing, chat: ConversationId
) -> None:
    numbers = [one.id for one in transcribing.open(chat).outlines]
    assert transcribing.find(chat, " üNIT 5 X") == [numbers[5]]
    assert transcribing.find(chat, "   ") == []


def test_a_deleted_chat_is_no_empty_one(
    transcribing: Transcribing, chat: ConversationId, conversations: Conversations
) -> None:
    conversations.delete(chat)
    with pytest.raises(NotFound):
        transcribing.open(chat)
