"""Puts placeholders in the place of personal data, and the data back.

One value has one placeholder for as long as the `Mask` lives, however it is written, so that a
model can follow who is who. What is personal data is found elsewhere and given as a function.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Private(StrEnum):
    """Kinds of personal data, by the word of their placeholders."""

    EMAIL = "EMAIL"
    PHONE = "PHONE"
    IBAN = "IBAN"
    CARD = "CARD"
    ID = "ID"

    @property
    def words(self) -> str:
        """For a person."""
        return _WORDS[self]


_WORDS = {
    Private.EMAIL: "e-mail address",
    Private.PHONE: "phone number",
    Private.IBAN: "bank account number",
    Private.CARD: "card number",
    Private.ID: "national id",
}


@dataclass(frozen=True, slots=True)
class PrivateSpan:
    """Where personal data stands in a text; `value` is the same for all ways to write it."""

    start: int
    end: int
    kind: Private
    value: str


Find = Callable[[str], Sequence[PrivateSpan]]
"""Personal data of a text, in order, without overlaps."""
_PLACEHOLDER = re.compile(rf"\b({'|'.join(Private)})[_ ](\d{{1,5}})\b")

_UNFINISHED = re.compile(
    rf"\b(?:{'|'.join(rf'{kind[:n]}' for kind in Private for n in range(1, len(kind) + 1))}"
    rf"|(?:{'|'.join(Private)})[_ ]\d{{0,5}})$"
)


@dataclass(frozen=True, slots=True)
class Masked:
    """A text with placeholders, and where they stand in it."""

    text: str
    edits: tuple[tuple[int, int, int], ...]
    """(start and end of the data in the text before, length of its placeholder), in order."""

    def moved(self, offset: int) -> int:
        """Where an offset of the text before is now; inside of data, the placeholder's start."""
        shift = 0
        for start, end, length in self.edits:
            if offset < end:
                return min(offset, start) + shift
            shift += length - (end - start)
        return offset + shift


class Mask:
    """The placeholders of one session; growing is all it ever does. Usable from any thread."""

    def __init__(self, find: Find) -> None:
        self._find = find
        # Guards the three below: answers, other programs and writing for the index wait for it.
        self._lock = threading.Lock()
        self._placeholders: dict[tuple[Private, str], str] = {}
        self._values: dict[str, str] = {}
        self._counts: Counter[Private] = Counter()

    def masked(self, text: str) -> Masked:
        """`text` with a placeholder for every piece of personal data."""
        pieces, edits, position = [], [], 0
        for span in self._find(text):
            with self._lock:
                placeholder = self._placeholder(span, text)
            pieces += [text[position : span.start], placeholder]
            edits.append((span.start, span.end, len(placeholder)))
            position = span.end
        return Masked("".join((*pieces, text[position:])), tuple(edits))

    def unmasked(self, text: str) -> str:
        """`text` with the data in the place of placeholders that this mask gave out."""
        return _PLACEHOLDER.sub(
            lambda found: self._values.get(f"{found[1]}_{found[2]}", found.group()), text
        )

    def hidden(self, text: str) -> Masked:
        """`text` with the placeholders of what `unmasked` put into it, without looking for more."""
        with self._lock:
            known = sorted(self._values.items(), key=lambda one: -len(one[1]))
        if not known:
            return Masked(text, ())
        form = re.compile("|".join(re.escape(value) for _, value in known))
        placeholders = {value: placeholder for placeholder, value in known}
        edits = tuple(
            (found.start(), found.end(), len(placeholders[found.group()]))
            for found in form.finditer(text)
        )
        return Masked(form.sub(lambda found: placeholders[found.group()], text), edits)

    def count(self, texts: Iterable[str]) -> tuple[tuple[str, int], ...]:
        """(kind in words, how many different ones) in some texts together."""
        found = {(span.kind, span.value) for text in texts for span in self._find(text)}
        counts = Counter(kind for kind, _ in found)
        return tuple((kind.words, counts[kind]) for kind in Private if counts[kind])

    def _placeholder(self, span: PrivateSpan, text: str) -> str:
        key = (span.kind, span.value)
        if key not in self._placeholders:
            self._counts[span.kind] += 1
            while (made := f"{span.kind}_{self._counts[span.kind]}") in text:
                self._counts[span.kind] += 1  # the document itself has such a word
            self._placeholders[key] = made
            self._values[made] = text[span.start : span.end]
        return self._placeholders[key]


def placeholder_in(text: str) -> str:
    """The first word of a text that looks like a placeholder; empty for none."""
    found = _PLACEHOLDER.search(text)
    return found.group() if found else ""


def unfinished(text: str) -> int:
    """Where a placeholder may begin that the end of a streamed text has not completed yet."""
    found = _UNFINISHED.search(text)
    return found.start() if found else len(text)
