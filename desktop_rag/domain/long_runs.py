"""Finds what is no language: thousands of characters without a space, or lines of base64.

Nobody searches inside them, but cut into passages they would crowd out the words around them.
"""

from __future__ import annotations

import re

MAX_RUN = 2000
"""Longest run of characters that is still taken for text. Long web addresses stay below."""
_KEPT = 200
"""Characters at the beginning of a run that are kept, so that it can be found and seen."""
# Only scripts that put spaces between words; Thai, Chinese, Japanese … run on for pages.
_LETTER = r"[^\s\u0e00-\u1dff\u2c00-\U0010ffff]"
_CODE = r"[A-Za-z0-9+/=]"
_CODE_LINE = 60
_RUN = re.compile(rf"(?<!{_LETTER}){_LETTER}{{{MAX_RUN + 1},}}")
_CODED_LINES = re.compile(
    rf"(?<!\S){_CODE}{{{_CODE_LINE},}}+(?:\s{{1,3}}{_CODE}{{{_CODE_LINE},}}+)+(?:\s{{1,3}}{_CODE}+=)?"
)


def left_out(text: str) -> list[tuple[int, int]]:
    """Spans of `text` that are not worth searching, ascending, apart from each other."""
    # Hardly any text has such words, and looking for them is ten times quicker than the patterns.
    if max(map(len, text.split()), default=0) < _CODE_LINE:
        return []
    found = [
        match.span()
        for pattern in (_RUN, _CODED_LINES)
        for match in pattern.finditer(text)
        if match.end() - match.start() > MAX_RUN
    ]
    spans: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if spans and start < spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], end)
        else:
            spans.append((start + _KEPT, end))
    return spans


def blanked(text: str) -> str:
    """`text` with spaces in the place of what is left out, so that nobody works through it."""
    pieces, last = [], 0
    for start, end in left_out(text):
        pieces += [text[last:start], " " * (end - start)]
        last = end
    return "".join(pieces) + text[last:] if pieces else text


def note(text: str) -> tuple[str, ...]:
    """A sentence for the person if part of `text` is left out; else nothing."""
    spans = left_out(text)
    if not spans:
        return ()
    size = sum(end - start for start, end in spans)
    return (f"{size:,} characters without spaces are not searched: they are no words.",)
