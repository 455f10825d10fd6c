"""Finding, pinning and deleting chats."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from desktop_rag.domain.answers import ConversationId, Message, MessageId, Role
from desktop_rag.domain.chats import ChatHit
from desktop_rag.domain.errors import InvalidInput, NotFound, UserError
from desktop_rag.services.chats import Chats
from desktop_rag.services.safeguards import Safeguards
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database


class Desk:
    """A history with what it forgot elsewhere."""

    def __init__(self, database: Database) -> None:
        self.store = Conversations(database)
        self.forgotten: list[ConversationId] = []
        self.chats = Chats(self.store, Safeguards(), self.forgotten.append)

    def chat(self, title: str, *said: str) -> ConversationId:
        number = self.store.begin(title)
        for n, text in enumerate(said):
            self.store.add(number, Role.ASSISTANT if n % 2 else Role.USER, text)
        return number

    def found(self, query: str) -> list[tuple[str, str]]:
        return [(hit.title.text, marked(hit)) for hit in self.chats.search(query)]

    def last(self, chat: ConversationId) -> Message:
        return self.store.messages(chat)[-1]


def marked(hit: ChatHit) -> str:
    """The snippet, or the title where there is none, with its marks in brackets."""
    shown = hit.snippet or hit.title
    text = shown.text
    for start, end in reversed(shown.marks):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


def test_words_are_found_in_titles_questions_and_answers(desk: Desk) -> None:
    desk.chat("Wärmepumpe", "How loud is it?", "It has **45 dB** [1].")
    desk.chat("Lease", "Wie laut ist die Waermepumpe?", "Die Wärmepumpe ist leise [1].")
    assert desk.found("warmepumpe") == [
        ("Wärmepumpe", "[Wärmepumpe]"),
        ("Lease", "Die [Wärmepumpe] ist leise."),
    ]
    assert desk.found("45 DB") == [("Wärmepumpe", "It has [45] [dB].")]
    assert desk.found("loud leise") == []
    assert desk.found("  ") == []


def test_the_title_may_hold_some_of_the_words_of_a_message(desk: Desk) -> None:
    chat = desk.chat("Dishwasher", "How loud is it?", "45 decibels.")
    hits = desk.chats.search("dishwasher decibels")
    assert [(hit.conversation, hit.message) for hit in hits] == [(chat, desk.last(chat).id)]
    assert [hit.message for hit in desk.chats.search("dishwasher")] == [None]


def test_chinese_is_found_without_spaces(desk: Desk) -> None:
    desk.chat("咖啡机", "保修期多长？", "自购买之日起二十四个月。")
    assert desk.found("保修") == [("咖啡机", "[保修]期多长？")]


def test_what_was_taken_away_is_not_found(desk: Desk) -> None:
    deleted, cut = desk.chat("A", "pump one"), desk.chat("B", "pump two", "pump three")
    desk.chats.remove([deleted])
    desk.store.cut(cut, desk.last(cut).id)
    assert [text for _, text in desk.found("pump")] == ["[pump] two"]


def test_the_newest_come_first_and_not_too_many(desk: Desk) -> None:
    desk.chat("A", *(f"pump {n}" for n in range(5)))
    hits = desk.chats.search("pump", limit=2)
    assert [marked(hit) for hit in hits] == ["[pump] 4", "[pump] 3"]


def test_all_of_thousands_of_messages_are_looked_at(desk: Desk) -> None:
    said = [f"text {n} \1 \0 of them" for n in range(1300)]
    chat = desk.chat("A", *said[:1299])
    with desk.store._database.write() as db:
        db.execute("DELETE FROM messages WHERE id BETWEEN 200 AND 1100")
    assert [message.id for message in desk.store.messages(chat)][-1] == 1299
    for number in (0, 198, 1100, 1298):
        [hit] = desk.chats.search(f'"text {number}" of')
        assert hit.message == number + 1


def test_a_snippet_shows_the_place_in_a_long_answer(desk: Desk) -> None:
    desk.chat("A", "?", f"{'Filler words here. ' * 200}The seal is red. {'More of it. ' * 200}")
    [(_, shown)] = desk.found("seal")
    assert "The [seal] is red." in shown
    assert len(shown) < 200


def test_a_letter_of_a_book_is_found_at_once(desk: Desk) -> None:
    desk.chat("A", "e " * 500_000)
    began = time.perf_counter()
    [(_, shown)] = desk.found("e")
    assert shown.startswith("[e] [e]")
    assert time.perf_counter() - began < 5


def test_pinned_chats_come_first(desk: Desk) -> None:
    first, second = desk.chat("First"), desk.chat("Second")
    desk.chats.pin([first], is_pinned=True)
    assert [(chat.id, chat.is_pinned) for chat in desk.chats.all()] == [
        (first, True),
        (second, False),
    ]
    desk.chats.pin([first], is_pinned=False)
    assert [chat.id for chat in desk.chats.all()] == [second, first]


def test_a_deleted_chat_comes_back_until_it_is_purged(desk: Desk) -> None:
    kept, gone = desk.chat("Kept", "one?"), desk.chat("Gone", "two?")
    desk.chats.remove([gone])
    assert desk.forgotten == [gone]
    assert [chat.id for chat in desk.chats.all()] == [kept]
    desk.chats.bring_back([gone])
    assert [chat.id for chat in desk.chats.all()] == [gone, kept]
    desk.chats.purge()
    assert desk.last(gone).text == "two?"
    desk.chats.remove([gone])
    desk.chats.purge([kept, gone])
    desk.chats.bring_back([gone])
    assert [chat.id for chat in desk.chats.all()] == [kept]
    with pytest.raises(NotFound):
        desk.store.messages(gone)


def test_one_answer_leaves_with_its_question(desk: Desk) -> None:
    chat = desk.chat("A", "one?", "1", "two?", "2")
    messages = desk.store.messages(chat)
    whole = desk.chats.exported(chat)
    assert [one.text for one in whole.messages] == ["one?", "1", "two?", "2"]
    part = desk.chats.exported(chat, messages[3].id)
    assert [one.text for one in part.messages] == ["two?", "2"]
    assert (whole.title, part.title) == ("A", "two?")
    asked = desk.chats.exported(chat, messages[2].id)
    assert [one.text for one in asked.messages] == ["two?"]
    with pytest.raises(NotFound):
        desk.chats.exported(chat, MessageId(999))
    with pytest.raises(NotFound):
        desk.chats.exported(ConversationId(999))


def test_a_file_is_written_whole_or_not_at_all(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "chat.md"
    desk.chats.write(path, b"one")
    desk.chats.write(path, b"two")
    with pytest.raises(InvalidInput, match="exists already"):
        desk.chats.write(path, b"three", may_replace=False)
    assert path.read_bytes() == b"two"
    with pytest.raises(InvalidInput, match="is a folder"):
        desk.chats.write(tmp_path, b"")
    with pytest.raises(UserError, match="There is no folder"):
        desk.chats.write(tmp_path / "none" / "chat.md", b"")
    assert {one.name for one in tmp_path.iterdir()} == {"chat.md", "data"}
