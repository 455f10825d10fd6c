"""Marks what no source supports in an answer's Markdown, so that the marks survive rendering.

Such spans are offsets into the Markdown source. What is rendered from it has other offsets, so
both ends are carried across by characters of the private use area.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

SPAN_START, SPAN_END = "\ue000", "\ue001"
CELL = " | "
"""Stands between the cells of tables in the text of documents, and so in quotations."""

_LINE_START = re.compile(r"[ \t]*(?:(?:[-*+]|\d+[.)]|#{1,6}|>)[ \t]+)*")


def marked(text: str, unsupported: Iterable[tuple[int, int]]) -> str:
    """The Markdown with a mark at both ends of every unsupported stretch of a line.

    Marks that were there already are taken out, and then spans mean nothing any more.
    """
    bare = text.replace(SPAN_START, "").replace(SPAN_END, "")
    if bare != text:
        return bare
    for start, end in reversed(_stretches(text, unsupported)):
        text = f"{text[:start]}{SPAN_START}{text[start:end]}{SPAN_END}{text[end:]}"
    return text


def _stretches(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans cut at line ends and cells, after list or heading signs, which stay at line starts."""
    found = []
    for start, end in sorted(spans):
        for first, last in _pieces(text):
            begin, stop = max(start, first), min(end, last)
            if begin < stop and any(map(str.isalnum, text[begin:stop])):
                found.append((begin, stop))
    return found


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """What one mark may span: lines without the signs at their start, or cells of a table."""
    for line in re.finditer(r"[^\n]+", text):
        if CELL not in line[0] and not line[0].startswith("|"):
            signs = _LINE_START.match(text, line.start())
            yield (signs.end() if signs else line.start()), line.end()
            continue
        for cell in re.finditer(r"[^|]+", line[0]):
            start = line.start() + cell.start()
            blank = len(cell[0]) - len(cell[0].lstrip())
            yield start + blank, start + len(cell[0].rstrip())
