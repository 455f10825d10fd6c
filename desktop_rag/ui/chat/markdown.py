"""Prepares an answer's Markdown for a text document. Pure functions, no Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable

from desktop_rag.domain.doubts import SPAN_END, SPAN_START, marked
from desktop_rag.ui.chat.table_rows import with_tables

__all__ = ["SPAN_END", "SPAN_START", "prepare", "settled"]

# A line that begins "[1]: …" would be swallowed as a link definition.
_LINK_DEFINITION = re.compile(r"^( {0,3})\[(\d+)\]:", re.MULTILINE)
# A chip never begins a line: it belongs to the word before it.
_BEFORE_CITATION = re.compile(r"(?<=[^\s|]) (?=\[\d+\])")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_GOES_ON = re.compile(r"[ \t]|[-*+][ \t]|\d+[.)][ \t]|[>|]")
"""Begins a line that belongs to a list, quotation or table that may have begun before it."""
_UNDECIDED = re.compile(r"\d*[.)]?|[-*+]")
"""Of a line so short that it may still become one of those."""


def prepare(text: str, unsupported: Iterable[tuple[int, int]] = ()) -> str:
    """The Markdown to render, with a mark at both ends of every unsupported stretch of a line."""
    glued = _BEFORE_CITATION.sub("\u00a0", with_tables(marked(text, unsupported)))
    return _LINK_DEFINITION.sub(r"\1\\[\2\\]:", glued)


def settled(text: str, start: int = 0) -> int:
    """How much of a growing text will be rendered as it is whatever comes after it.

    It ends where a paragraph begins after an empty line, outside of code, lists and tables.

    Args:
        text: what has arrived.
        start: an earlier result for the same text, from where to go on.
    """
    found, fence, is_after_gap = start, "", False
    for line in re.finditer(r"[^\n]*\n?", text[start:]):
        content = line[0].rstrip("\n")
        mark = _FENCE.match(content)
        if is_after_gap and not fence and _begins_anew(content, is_whole=line[0] != content):
            found = start + line.start()
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not content.strip(" `~"):
            fence = ""
        is_after_gap = not content.strip()
    return found


def _begins_anew(line: str, *, is_whole: bool) -> bool:
    if not line.strip() or _GOES_ON.match(line):
        return False
    return is_whole or not _UNDECIDED.fullmatch(line)
