"""Prepares an answer's Markdown for a text document. Pure functions, no Qt.

Spans without support are given as offsets into the Markdown source. The document that Qt makes
from it has other offsets, so both ends are carried across by marks from the private use area.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SPAN_START, SPAN_END = "\ue000", "\ue001"

# A line that begins "[1]: …" would be swallowed as a link definition.
_LINK_DEFINITION = re.compile(r"^( {0,3})\[(\d+)\]:", re.MULTILINE)
# A chip never begins a line: it belongs to the word before it.
_BEFORE_CITATION = re.compile(r"(?<=\S) (?=\[\d+\])")
_LINE_START = re.compile(r"[ \t]*(?:(?:[-*+]|\d+[.)]|#{1,6}|>)[ \t]+)*")


def prepare(text: str, unsupported: Iterable[tuple[int, int]] = ()) -> str:
    """The Markdown to render, with a mark at both ends of every unsupported stretch of a line."""
    bare = text.replace(SPAN_START, "").replace(SPAN_END, "")
    marked = _mark(bare, _stretches(bare, unsupported)) if bare == text else bare
    glued = _BEFORE_CITATION.sub("\u00a0", marked)
    return _LINK_DEFINITION.sub(r"\1\\[\2\\]:", glued)


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


def _mark(text: str, stretches: Sequence[tuple[int, int]]) -> str:
    for start, end in reversed(stretches):
        text = f"{text[:start]}{SPAN_START}{text[start:end]}{SPAN_END}{text[end:]}"
    return text
