"""What is made searchable of a passage: the text keywords see, and the text its vector is of.

Two control characters, which no document's text holds, part a passage from the text around it that
its vector was only made with (late chunking); equal texts then still have equal vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

_BEGIN, _END = "\x02", "\x03"
_MARKS = str.maketrans("", "", _BEGIN + _END)


def searchable_text(header: str, written: str, text: str) -> str:
    """What the keyword index reads: header, what a language model wrote, the passage itself."""
    return "\n".join(part for part in (header, written, text) if part)


def embedded_text(header: str, written: str, text: str, before: str = "", after: str = "") -> str:
    """What the embedder reads; with text around it, the passage is marked for `marked_part`."""
    if not before and not after:
        return searchable_text(header, written, text)
    before, text, after = (one.translate(_MARKS) for one in (before, text, after))
    around = f"{before}{_BEGIN}{text}{_END}{after}"
    return searchable_text(header, written, around)


@dataclass(frozen=True, slots=True)
class MarkedPart:
    """A text without marks, and the span of it that its vector is of."""

    text: str
    start: int
    end: int

    @property
    def is_whole(self) -> bool:
        """Whether the vector is of all of it."""
        return (self.start, self.end) == (0, len(self.text))


def marked_part(text: str) -> MarkedPart:
    """What `embedded_text` put together; all of a text without marks."""
    before, begin, rest = text.partition(_BEGIN)
    inner, end, after = rest.partition(_END)
    if not (begin and end):
        return MarkedPart(text, 0, len(text))
    return MarkedPart(before + inner + after, len(before), len(before) + len(inner))
