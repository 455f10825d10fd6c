"""Keeps answers for questions that are asked again: one small file beside the catalog.

Not in the catalog, because all of it can be thrown away, and a backup needs none of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from desktop_rag.domain.answers import Answer, ConversationId

logger = logging.getLogger(__name__)

MOST = 200


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer with what it was given for."""

    key: tuple[str, ...]
    """Of the question (`domain.same_question`)."""
    basis: str
    """Library, model, prompts and settings: all that must not have changed."""
    extent: str
    """What of the library was asked, and how it was searched."""
    vector: bytes
    """Of the question, as the embedder gives it."""
    conversation: ConversationId
    """The chat it was first given in."""
    answer: Answer


_ENTRIES = msgspec.msgpack.Decoder(list[KeptAnswer])


class KeptAnswers:
    """The newest `MOST` answers. Whatever is wrong with the file, nothing is kept then."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._entries: list[KeptAnswer] | None = None

    def all(self) -> list[KeptAnswer]:
        """Newest first."""
        if self._entries is None:
            self._entries = self._read()
        return list(reversed(self._entries))

    def add(self, entry: KeptAnswer) -> None:
        """Keep one, in place of what was kept for the same question before."""
        self._replace([*self._without(lambda one: one.key == entry.key), entry][-MOST:])

    def drop(self, key: tuple[str, ...]) -> None:
        """What was kept for a question."""
        self._replace(self._without(lambda one: one.key == key))

    def forget(self, conversation: ConversationId) -> None:
        """Everything first said in a chat."""
        self._replace(self._without(lambda one: one.conversation == conversation))

    def _without(self, is_unwanted: Callable[[KeptAnswer], bool]) -> list[KeptAnswer]:
        return [one for one in reversed(self.all()) if not is_unwanted(one)]

    def keep_only(self, basis: str) -> None:
        """What rests on something else can never be given again."""
        self._replace(self._without(lambda one: one.basis != basis))

    def clear(self) -> None:
        """Everything, also what cannot be read."""
        self._entries = None
        self._replace([])

    def _read(self) -> list[KeptAnswer]:
        try:
            return _ENTRIES.decode(self._file.read_bytes())
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return []

    def _replace(self, entries: list[KeptAnswer]) -> None:
        if entries == self._entries:
            return
        self._entries = entries
        try:
            if not entries:
                self._file.unlink(missing_ok=True)
                return
            temporary = self._file.with_name(self._file.name + ".tmp")
            temporary.write_bytes(msgspec.msgpack.encode(entries))
            temporary.replace(self._file)
        except OSError as error:
            logger.info("Answers are not kept: %s", type(error).__name__)
