"""Marks what no source supports in an answer's Markdown, so that the marks survive rendering.

Such spans are offsets into the Markdown source. What is rendered from it has other offsets, so
both ends are carried across by characters of the private use area.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SPAN_START, SPAN_END = "\ue000", "\ue001"

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
    """Spans cut at line ends and after list or heading signs, which must stay at the line start."""
    found = []
    for start, end in sorted(spans):
        for line in re.finditer(r"[^\n]+", text):
            signs = _LINE_START.match(text, line.start())
            first = max(start, signs.end() if signs else line.start())
            last = min(end, line.end())
            is_table = text.startswith("|", line.start())
            if first < last and text[first:last].strip() and not is_table:
                found.append((first, last))
    return found
