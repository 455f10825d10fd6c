"""Finds Chinese and Japanese that is written from top to bottom.

Many programs set every character of such a page by itself, as if it were a line of its own; here
the characters that stand below each other become lines again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from desktop_rag.domain.layout.fragments import Fragment, Rect

IDEOGRAPHS = re.compile("[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff65]")
_MIN_CHARACTERS = 40
_TOUCHING = 0.35
"""Gap between characters of a line, in font sizes."""
_SAME_LINE = 1.3
"""Gap over which a line still goes on: a full-width space is one."""


def is_stacked(fragments: Sequence[Fragment]) -> bool:
    """Whether most characters stand alone and below each other rather than beside each other."""
    short = [f for f in fragments if len(f.text) <= 2]
    if len(short) < _MIN_CHARACTERS or len(short) < 0.6 * len(fragments):
        return False
    single = [f for f in short if IDEOGRAPHS.search(f.text)]
    if len(single) < 0.6 * len(fragments):
        return False
    below = _touching((f.shown[0], f.shown[1], f.shown[3], f.size) for f in single)
    beside = _touching((f.shown[1], f.shown[0], f.shown[2], f.size) for f in single)
    return below > 1.5 * beside


def _touching(pieces: Iterable[tuple[float, float, float, float]]) -> int:
    """Number of pieces `(across, start, end, size)` on one line that touch the one before."""
    lines: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for across, start, end, size in pieces:
        lines[round(across)].append((start, end, size))
    count = 0
    for line in lines.values():
        line.sort()
        for (_, end, size), (start, _, _) in pairwise(line):
            count += abs(start - end) < _TOUCHING * size
    return count


def stacked_lines(fragments: Sequence[Fragment]) -> list[Fragment]:
    """Put characters below each other together, as lines that run downwards (in `shown`)."""
    ordered = sorted(fragments, key=lambda f: (-round(_middle(f) / 2), f.shown[1]))
    columns: list[list[Fragment]] = []
    for fragment in ordered:
        if columns and abs(_middle(columns[-1][0]) - _middle(fragment)) < 0.5 * fragment.size:
            columns[-1].append(fragment)
        else:
            columns.append([fragment])
    lines: list[Fragment] = []
    for column in columns:
        column.sort(key=lambda f: f.shown[1])
        line = [column[0]]
        for fragment in column[1:]:
            if fragment.shown[1] - line[-1].shown[3] > _SAME_LINE * fragment.size:
                lines.append(_joined(line))
                line = []
            line.append(fragment)
        lines.append(_joined(line))
    return lines


def _middle(fragment: Fragment) -> float:
    return (fragment.shown[0] + fragment.shown[2]) / 2


def _joined(line: Sequence[Fragment]) -> Fragment:
    box: Rect = (
        min(f.shown[0] for f in line),
        line[0].shown[1],
        max(f.shown[2] for f in line),
        max(f.shown[3] for f in line),
    )
    text = "".join(f.text for f in line)
    return Fragment(text, *box, line[0].size, is_bold=line[0].is_bold, shown=box)
