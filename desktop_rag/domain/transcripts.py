"""A chat as a long list needs it: the shape of all messages, and the words of those it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from desktop_rag.domain.answers import Message, MessageId, Role


@dataclass(frozen=True, slots=True)
class MessageOutline:
    """Enough of a message to leave room for it."""

    id: MessageId
    role: Role
    chars: int
    """Of its text."""
    kept: int
    """Characters of its answer as it is stored, with all quotes; 0 without one."""

    @classmethod
    def of(cls, message: Message) -> Self:
        """The outline of a message that is at hand."""
        quoted = sum(len(one.quote) for one in message.answer.citations) if message.answer else 0
        return cls(message.id, message.role, len(message.text), quoted)


@dataclass(frozen=True, slots=True)
class Transcript:
    """All of a chat, oldest first; only the last messages were read."""

    outlines: tuple[MessageOutline, ...] = ()
    read: tuple[Message, ...] = ()

    @classmethod
    def of(cls, messages: Sequence[Message]) -> Self:
        """A chat that was read as a whole."""
        return cls(tuple(MessageOutline.of(one) for one in messages), tuple(messages))

    def before(self, question: str) -> Transcript:
        """The chat before its last question, when that is `question`, and else as it is.

        A running answer brings its question along; both may be stored already.
        """
        last = next((one for one in reversed(self.read) if one.role is Role.USER), None)
        if last is None or last.text != question:
            return self
        place = next(n for n, one in enumerate(self.outlines) if one.id == last.id)
        kept = {one.id for one in self.outlines[:place]}
        return Transcript(self.outlines[:place], tuple(one for one in self.read if one.id in kept))
