"""Writing an answer anew, or going on where it ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Answer, Citation, Message, Passage

_NUMBER = re.compile(r"\s*\[(\d+)\]")
_LAST_NUMBERS = re.compile(r"(?:\s*\[\d+\])+$")
"""Of a sentence that goes on: its checker has given it a citation already."""
_CUT_OFF = re.compile(r"[^\W_]$|[,;:(\u2013-]$")
"""How a text ends that has more to say: within a sentence, without its citation."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How freely words are chosen."""

    temperature: float = 0.0
    seed: int = 0


GREEDY = Sampling()
AGAIN_TEMPERATURE = 0.7
"""Of an answer written anew: much less gives the same one, much more loses the passages."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The first part of an answer."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Possible:
    """What can be changed of a chat now."""

    question: Message | None = None
    """The last one: it can be answered again, and edited."""
    can_go_on: bool = False
    """Its answer ended too early."""
    can_undo: bool = False
    """An earlier version can be brought back."""


def can_go_on(answer: Answer) -> bool:
    """Whether there is more to come: it was stopped, broke off, or reached its limit."""
    return answer.stopped or bool(answer.model and _CUT_OFF.search(answer.text.rstrip()))


def as_written(begun: Begun, passages: Sequence[Passage]) -> str:
    """The first part as the model wrote it: with the numbers of its passages in the prompt.

    A citation of what is not among them loses its number; it gets a new one when it is checked.
    """
    places = {passage.chunk: number for number, passage in enumerate(passages, start=1)}
    numbers = {one.number: places.get(one.chunk) for one in begun.citations}

    def renumbered(found: re.Match[str]) -> str:
        number = numbers.get(int(found[1]))
        return f" [{number}]" if number else ""

    text = _LAST_NUMBERS.sub("", begun.text.rstrip())
    return _NUMBER.sub(renumbered, text)
