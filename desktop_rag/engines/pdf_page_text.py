"""Takes the text of a PDF page from MuPDF as fragments with boxes, before any layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

import pymupdf

from desktop_rag.domain.layout.fragments import Direction, Fragment, PageText, Rect, turn
from desktop_rag.domain.text_cleaning import SOFT_HYPHEN, clean_line

_mupdf: Any = pymupdf
"""The library carries no annotations."""
_FLAGS = _mupdf.TEXT_PRESERVE_WHITESPACE | _mupdf.TEXT_MEDIABOX_CLIP
_IS_BOLD = 16
_BOLD_NAME = re.compile(r"bold|black|heavy|demi", re.I)


def read_page(page: Any) -> PageText:
    """Fragments of a page in display coordinates, turned so that most text reads left to right."""
    shown = page.rect
    # Text comes in coordinates of the page before /Rotate; boxes are wanted as displayed.
    matrix = page.rotation_matrix if page.rotation else None
    content = page.get_text("dict", flags=_FLAGS)
    by_direction: dict[Direction, list[list[Fragment]]] = {}
    for block in content["blocks"]:
        for direction, fragments in _block_fragments(block, matrix).items():
            by_direction.setdefault(direction, []).append(fragments)
    if not by_direction:
        return PageText(shown.width, shown.height, [], shown.height, [])
    for direction, groups in by_direction.items():
        for fragment in chain.from_iterable(groups):
            turn(fragment, direction, shown.width, shown.height)
    main = max(by_direction, key=lambda d: sum(len(f.text) for g in by_direction[d] for f in g))
    return PageText(
        width=shown.width,
        height=shown.height,
        fragments=list(chain.from_iterable(by_direction.pop(main))),
        reading_height=shown.width if main[0] == 0 else shown.height,
        aside=list(chain.from_iterable(by_direction.values())),
    )


def _block_fragments(block: dict[str, Any], matrix: Any) -> dict[Direction, list[Fragment]]:
    """Visible fragments of a MuPDF block by the direction they run in."""
    found: dict[Direction, list[Fragment]] = {}
    for line in block.get("lines", ()):
        fragments = [f for f in _fragments(line, matrix) if f.text]
        if fragments:
            found.setdefault(_direction(line["dir"], matrix), []).extend(fragments)
    return found


def _fragments(line: dict[str, Any], matrix: Any) -> Iterator[Fragment]:
    """The visible pieces of a MuPDF line; cells of a table that share a line come apart."""
    spans = line["spans"]
    is_plain = matrix is None and line["dir"][0] > 0.99
    groups = _split_spans(spans) if is_plain and len(spans) > 1 else [spans]
    for group in groups:
        raw = "".join(span["text"] for span in group)
        if not raw or raw.isspace():
            continue
        x0, y0, x1, y1 = _bounds(group) if len(groups) > 1 else line["bbox"]
        main = group[0] if len(group) == 1 else max(group, key=lambda span: len(span["text"]))
        bold = sum(len(span["text"]) for span in group if _is_bold(span))
        size, is_bold = float(main["size"]), bold >= 0.9 * len(raw)
        pieces = _split_text(raw, x0, x1, size) if is_plain else [(raw, x0, x1)]
        for text, left, right in pieces:
            yield _fragment(text, (left, y0, right, y1), matrix, size, is_bold=is_bold)


def _fragment(raw: str, box: Rect, matrix: Any, size: float, *, is_bold: bool) -> Fragment:
    text = clean_line(raw)
    if raw.rstrip().endswith(SOFT_HYPHEN):
        text += "-"
    shown: Rect = tuple(box if matrix is None else _mupdf.Rect(box) * matrix)
    return Fragment(text, *shown, size, is_bold, shown)


def _split_spans(spans: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Groups of spans, cut at wide gaps and before the currency sign of the next figure."""
    groups = [[spans[0]]]
    for before, span in pairwise(spans):
        is_wide = span["bbox"][0] - before["bbox"][2] > 0.9 * span["size"]
        is_sign = span["text"].strip() in _SIGNS and before["text"].rstrip()[-1:] in _FIGURE_ENDS
        if is_wide or is_sign:
            groups.append([span])
        else:
            groups[-1].append(span)
    return groups


def _bounds(spans: Sequence[dict[str, Any]]) -> Rect:
    boxes = [span["bbox"] for span in spans]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _split_text(raw: str, x0: float, x1: float, size: float) -> list[tuple[str, float, float]]:
    """Cut a line at runs of three and more spaces, and take spaces off its ends.

    A space is about a quarter of the font size wide; the rest is shared out by characters.
    """
    if not raw[0].isspace() and not raw[-1].isspace() and "   " not in raw:
        return [(raw, x0, x1)]
    space = min(_SPACE_WIDTH * size, (x1 - x0) / len(raw))
    letters = sum(not c.isspace() for c in raw) or 1
    letter = max((x1 - x0 - space * (len(raw) - letters)) / letters, 0.0)
    pieces = []
    for found in _WIDE_WORDS.finditer(raw):
        ahead = raw[: found.start()]
        left = x0 + space * len(ahead) - (space - letter) * sum(not c.isspace() for c in ahead)
        inside = found.group()
        blanks = sum(c.isspace() for c in inside)
        right = left + space * blanks + letter * (len(inside) - blanks)
        pieces.append((inside, left, min(right, x1)))
    return pieces


def _is_bold(span: dict[str, Any]) -> bool:
    return bool(span["flags"] & _IS_BOLD) or _has_bold_name(span["font"])


@lru_cache(maxsize=1024)
def _has_bold_name(font: str) -> bool:
    return bool(_BOLD_NAME.search(font))


def _direction(direction: tuple[float, float], matrix: Any) -> Direction:
    """The nearest of the four directions in which a line runs on the displayed page."""
    x, y = direction
    if matrix is not None:
        x, y = x * matrix.a + y * matrix.c, x * matrix.b + y * matrix.d
    if abs(x) >= abs(y):
        return (1, 0) if x >= 0 else (-1, 0)
    return (0, 1) if y >= 0 else (0, -1)


_SIGNS = frozenset("$€£¥")
_FIGURE_ENDS = frozenset("0123456789)—–-%")
_SPACE_WIDTH = 0.25
_WIDE_WORDS = re.compile(r"\S+(?:\s{1,2}\S+)*")
