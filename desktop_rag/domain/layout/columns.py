"""Reading order: splits a page into regions that are each read from top to bottom."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from desktop_rag.domain.layout.fragments import Fragment
from desktop_rag.domain.layout.rows import usual_size

_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_MAX_COLUMN_DEPTH = 3
_MIN_COLUMN_LINES = 3
_MAX_CROSSING = 0.3
"""Part of the usual number of lines that may lie across the gutter between two bands."""


def reading_regions(
    fragments: Sequence[Fragment], depth: int = 0, *, is_vertical: bool = False
) -> list[list[Fragment]]:
    """Split a page into regions that are each read from top to bottom, in reading order.

    Text that spans all columns (a title, a wide table) separates column bands. A table is never
    split: columns count as such only when both sides hold running prose.
    """
    if is_vertical:
        return _bands_of_lines(fragments)
    gutter = _find_gutter(fragments) if depth < _MAX_COLUMN_DEPTH else None
    if gutter is None:
        return [list(fragments)] if fragments else []
    regions: list[list[Fragment]] = []
    wide: list[Fragment] = []
    for band in _bands(fragments, gutter):
        left = [f for f in band if f.x1 <= gutter]
        right = [f for f in band if f.x0 >= gutter]
        if _is_prose(left) and _is_prose(right):
            if wide:
                regions.append(wide)
                wide = []
            regions += reading_regions(left, depth + 1) + reading_regions(right, depth + 1)
        else:
            wide.extend(band)
    if wide:
        regions.append(wide)
    return regions


def _bands_of_lines(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    """Bands of a page written from top to bottom, in the frame in which its lines lie.

    Between two bands no line goes on: hardly any lies across the gutter.
    """
    if len(fragments) < 2 * _MIN_COLUMN_LINES:
        return [list(fragments)] if fragments else []
    size = max(usual_size(fragments), 1.0)
    edge = min(f.x0 for f in fragments)
    length = max(f.x1 for f in fragments) - edge
    covered = [0] * (int(length / size * 2) + 2)
    for f in fragments:
        for step in range(int((f.x0 - edge) / size * 2), int((f.x1 - edge) / size * 2) + 1):
            covered[step] += 1
    usual = sorted(covered)[len(covered) // 2]
    gutters = [n for n, count in enumerate(covered) if count <= _MAX_CROSSING * usual]
    bands: dict[int, list[Fragment]] = {}
    for f in fragments:
        middle = ((f.x0 + f.x1) / 2 - edge) / size * 2
        bands.setdefault(sum(n < middle for n in gutters), []).append(f)
    return [bands[key] for key in sorted(bands)]


def _find_gutter(fragments: Sequence[Fragment]) -> float | None:
    """The x just left of a column of prose that has prose beside it, or None."""
    if len(fragments) < 2 * _MIN_COLUMN_LINES:
        return None
    left_edge = min(f.x0 for f in fragments)
    width = max(f.x1 for f in fragments) - left_edge
    long_lines = [f for f in fragments if _words(f) >= 3 and f.x1 - f.x0 < 0.7 * width]
    starts = Counter(round(f.x0 / 3) for f in long_lines if f.x0 > left_edge + 0.2 * width)
    for start, count in starts.most_common(4):
        if count < _MIN_COLUMN_LINES:
            break
        gutter = start * 3 - 3.0
        left = [f for f in fragments if f.x1 <= gutter]
        right = [f for f in fragments if f.x0 >= gutter]
        if len(left) + len(right) >= 0.6 * len(fragments) and _is_prose(left) and _is_prose(right):
            return gutter
    return None


def _bands(fragments: Sequence[Fragment], gutter: float) -> list[list[Fragment]]:
    """Runs from top to bottom: fragments that cross the gutter, and those between them."""
    crossing = sorted(
        (f for f in fragments if f.x0 < gutter < f.x1), key=lambda f: (f.y0 + f.y1) / 2
    )
    beside = [f for f in fragments if not f.x0 < gutter < f.x1]
    beside.sort(key=lambda f: (f.y0 + f.y1) / 2)
    bands: list[list[Fragment]] = []
    position = 0
    for wide in crossing:
        middle = (wide.y0 + wide.y1) / 2
        start = position
        while position < len(beside) and (beside[position].y0 + beside[position].y1) / 2 < middle:
            position += 1
        if position > start:
            bands.append(beside[start:position])
        bands.append([wide])
    if position < len(beside):
        bands.append(beside[position:])
    return bands


def _is_prose(fragments: Sequence[Fragment]) -> bool:
    """Whether most text stands in full lines of several words: a column, not cells of a table."""
    if len(fragments) < _MIN_COLUMN_LINES:
        return False
    widths = sorted(f.x1 - f.x0 for f in fragments)
    usual = widths[int(0.8 * (len(widths) - 1))]
    full = [f for f in fragments if _words(f) >= 3 and f.x1 - f.x0 >= 0.7 * usual]
    characters = sum(len(f.text) for f in fragments)
    return len(full) >= _MIN_COLUMN_LINES and sum(len(f.text) for f in full) >= 0.6 * characters


def _words(fragment: Fragment) -> int:
    """Number of words; a long stretch without spaces (Chinese, Japanese) counts as several."""
    text = fragment.text
    spaceless = 0 if text.isascii() else len(_IDEOGRAPHS.findall(text)) // 3
    return max(text.count(" ") + 1, len(text) // 8, spaceless)
