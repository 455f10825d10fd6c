"""The history of chats: finding, pinning, deleting with a way back, and handing one over."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from desktop_rag.domain.answers import Conversation, ConversationId, Message, MessageId, Role
from desktop_rag.domain.chats import ChatHit, ExportedChat, ExportFormat
from desktop_rag.domain.errors import NotFound
from desktop_rag.domain.excerpts import Excerpt, around
from desktop_rag.domain.finding_words import Wanted, finder, merged, wanted
from desktop_rag.domain.prompting import conversation_title
from desktop_rag.services.chat_export import exported, rendered
from desktop_rag.services.chat_html import pieces
from desktop_rag.services.safeguards import Safeguards
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.whole_files import write_whole

_SNIPPET_CHARS = 160
_MAX_SPANS = 20
"""Of each word, to choose the part that is shown: there may be one at every letter of a book."""
_SIGNS = re.compile(r"\s*\[\d+\]|\*\*|`+|^#+ |^\s*[-*] ", re.MULTILINE)
"""Markdown and citation numbers, which are in the way on a single line."""


class Chats:
    """Usable from any thread.

    Args:
        conversations: where chats are stored.
        safeguards: hide personal data in what leaves the program, when that is chosen.
        forget: drops what else is kept of a chat.
    """

    def __init__(
        self,
        conversations: Conversations,
        safeguards: Safeguards,
        forget: Callable[[ConversationId], None],
    ) -> None:
        self._conversations = conversations
        self._safeguards = safeguards
        self._forget = forget

    def all(self) -> list[Conversation]:
        """Pinned ones, then others; of each the one used last first."""
        return self._conversations.all()

    def search(self, query: str, limit: int = 100) -> list[ChatHit]:
        """Chats whose title holds all words, then messages that do, newest first.

        A message may leave words to the title of its chat, but not all. *May block* shortly.
        """
        words = wanted(query)
        if not words.words:
            return []
        chats = {chat.id: chat for chat in self._conversations.all()}
        missing = {number: words.missing(chat.title) for number, chat in chats.items()}
        by_title = [_title_hit(chat, words) for chat in chats.values() if not missing[chat.id]]

        said = self._conversations.matching(
            _holding(words, missing), limit, _may_be_in(words, missing)
        )
        by_message = [_message_hit(chats[one.conversation], one, words) for one in said]
        return [*by_title, *by_message][:limit]

    def pin(self, conversations: Sequence[ConversationId], *, is_pinned: bool) -> None:
        """Keep chats on top of the list, or no longer."""
        self._conversations.pin(conversations, is_pinned=is_pinned)

    def remove(self, conversations: Sequence[ConversationId]) -> None:
        """Delete chats; `bring_back` undoes it until `purge`, or until the next start."""
        for one in conversations:
            self._forget(one)
        self._conversations.hide(conversations)

    def bring_back(self, conversations: Sequence[ConversationId]) -> None:
        """Undo `remove`."""
        self._conversations.bring_back(conversations)

    def purge(self, conversations: Sequence[ConversationId] | None = None) -> None:
        """Delete removed chats for good; without any named, all that were removed."""
        removed = set(self._conversations.hidden())
        for one in removed if conversations is None else removed.intersection(conversations):
            self._conversations.delete(one)

    def exported(
        self, conversation: ConversationId, message: MessageId | None = None
    ) -> ExportedChat:
        """A chat, or one answer with its question, as it may leave the program.

        Raises:
            NotFound: there is no such chat, or the message is not in it.
        """
        chat = self._conversations.get(conversation)
        messages = self._conversations.messages(conversation)
        if message is not None:
            messages = _with_question(messages, message)
            chat = replace(chat, title=conversation_title(messages[0].text))
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return exported(chat, messages, now, self._safeguards)

    def export(
        self,
        path: Path,
        as_format: ExportFormat,
        conversation: ConversationId,
        message: MessageId | None = None,
    ) -> None:
        """Write a chat, or one answer, to a file. *May block*; raises as `exported` and `write`."""
        self.write(path, rendered(self.exported(conversation, message), as_format).encode())

    def pages(
        self, conversation: ConversationId, message: MessageId | None = None
    ) -> tuple[str, list[str]]:
        """Title and body of a chat as pieces of HTML, for whoever paints it. Raises NotFound."""
        chat = self.exported(conversation, message)
        return chat.title, list(pieces(chat))

    def write(self, path: Path, contents: bytes, *, may_replace: bool = True) -> None:
        """Write an exported chat; a file that was there is replaced in one step. *May block.*

        Raises:
            InvalidInput, DiskFull, UserError: see `write_whole`; what was there stays.
        """
        write_whole(path, contents, may_replace=may_replace)


def _holding(
    words: Wanted, missing: Mapping[ConversationId, frozenset[str]]
) -> Callable[[int, str], bool]:
    """Tells whether a message of a chat is wanted; `missing` has what each title leaves to it.

    It is called for every message there is: the longest word comes first, which most texts lack.
    """
    finders = [(word, finder(word)) for word in sorted(words.words, key=len, reverse=True)]

    def holds(conversation: int, text: str) -> bool:
        is_any = False
        for word, find in finders:
            if find(text):
                is_any = True
            elif word in missing.get(ConversationId(conversation), words.words):
                return False
        return is_any and conversation in missing

    return holds


def _may_be_in(
    words: Wanted, missing: Mapping[ConversationId, frozenset[str]]
) -> Callable[[str], bool]:
    """Tells quickly that none of many joined texts is wanted, which is so for most words."""
    finders = {word: finder(word) for word in words.words}
    nowhere_else = frozenset(words.words).intersection(*missing.values())

    def may_hold(texts: str) -> bool:
        if nowhere_else:
            return all(finders[word](texts) for word in nowhere_else)
        return any(find(texts) for find in finders.values())

    return may_hold


def _title_hit(chat: Conversation, words: Wanted) -> ChatHit:
    return ChatHit(chat.id, _marked(chat.title, words), chat.updated_at)


def _message_hit(chat: Conversation, said: Message, words: Wanted) -> ChatHit:
    flat = " ".join(_SIGNS.sub("", said.text).split())
    piece = around(flat, words.spans(flat, _MAX_SPANS), _SNIPPET_CHARS).text
    return ChatHit(
        conversation=chat.id,
        title=_marked(chat.title, words),
        at=said.created_at,
        message=said.id,
        role=said.role,
        snippet=_marked(piece, words),
    )


def _marked(text: str, words: Wanted) -> Excerpt:
    flat = " ".join(text.split())
    return Excerpt(flat, merged(words.spans(flat)))


def _with_question(messages: Sequence[Message], wanted_id: MessageId) -> list[Message]:
    """An answer and what was asked; of a question, the question alone."""
    at = next((n for n, one in enumerate(messages) if one.id == wanted_id), None)
    if at is None:
        raise NotFound("That message is not in the chat any more; open the chat again.")
    is_answer = at > 0 and messages[at].role is not Role.USER
    return list(messages[at - 1 if is_answer else at : at + 1])
