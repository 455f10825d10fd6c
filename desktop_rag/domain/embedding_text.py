"""What is made searchable of a passage: the text keywords see, and the text its vector is of.

Two control characters, which no document's text holds, part a passage from the text around it that
its vector was only made with (late chunking); equal texts then still have equal vectors.
"""

from __future__ import annotations

_BEGIN, _END = "\x02", "\x03"
_MARKS = str.maketrans("", "", _BEGIN + _END)


def searchable_text(header: str, written: str, text: str) -> str:
    """What the keyword index reads: header, what a language model wrote, the passage itself."""
    return "\n".join(part for part in (header, written, text) if part)


def embedded_text(header: str, written: str, text: str, before: str = "", after: str = "") -> str:
    """What the embedder reads; with text around it, the passage is marked for `marked_part`."""
    if not before and not after:
        return searchable_text(header, written, text)
    around = f"{before}{_BEGIN}{text.translate(_MARKS)}{_END}{after}"
    return searchable_text(header, written, around)


def marked_part(text: str) -> tuple[str, int, int]:
    """The text without marks, and the span of it that the vector is of: all of it without marks."""
    before, begin, rest = text.partition(_BEGIN)
    inner, end, after = rest.partition(_END)
    if not (begin and end):
        return text, 0, len(text)
    return before + inner + after, len(before), len(before) + len(inner)
