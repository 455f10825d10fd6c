"""Prepares an answer's Markdown for a text document. Pure functions, no Qt."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from desktop_rag.domain.doubts import CELL, SPAN_END, SPAN_START, marked

__all__ = ["CELL", "SPAN_END", "SPAN_START", "is_right_to_left", "prepare", "settled"]

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
    glued = _BEFORE_CITATION.sub("\u00a0", _with_tables(marked(text, unsupported)))
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


def is_right_to_left(text: str) -> bool | None:
    """Which way a paragraph runs: as its first letter does; `None` without any letter."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in {"R", "AL"}:
            return True
        if kind == "L":
            return False
    return None


def _with_tables(text: str) -> str:
    """Rows as they stand in documents (`a | b`) become tables of Markdown."""
    if CELL not in text:
        return text
    made: list[str] = []
    rows: list[str] = []
    fence = ""
    for line in [*text.split("\n"), ""]:
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        is_row = not fence and CELL in line and line[:1] not in {"|", " ", "-", "*", ">"}
        if rows and not (is_row and line.count(CELL) == rows[0].count(CELL)):
            made += _table(rows)
            rows = []
        if is_row:
            rows.append(line)
        else:
            made.append(line)
    return "\n".join(made[:-1])


def _table(rows: Sequence[str]) -> list[str]:
    """The rows between empty lines; a single one, or one with rules of its own, stays as it is."""
    if len(rows) < 2 or re.fullmatch(r"[-:| ]+", rows[1]):
        return list(rows)
    columns = rows[0].count(CELL) + 1
    head = "|" * (columns + 1) if _is_data(rows) else f"| {rows[0]} |"
    body = rows if _is_data(rows) else rows[1:]
    return ["", head, "|---" * columns + "|", *(f"| {row} |" for row in body), ""]


def _is_data(rows: Sequence[str]) -> bool:
    """Whether the first row is one like the others: names of columns hold no numbers."""
    return any(map(str.isdigit, re.sub(r"\[\d+\]", "", rows[0])))
