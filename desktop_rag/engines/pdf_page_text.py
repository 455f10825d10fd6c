"""Takes the text of a PDF page from MuPDF as fragments with boxes, before any layout.

MuPDF draws annotations and form fields with the page, so their text comes along as far as it is
drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import Any

import pymupdf

from desktop_rag.domain.layout.fragments import Direction, Fragment, PageText, Rect, turn
from desktop_rag.domain.layout.vertical import IDEOGRAPHS, is_stacked, stacked_lines
from desktop_rag.domain.text_cleaning import SOFT_HYPHEN, clean_line

_mupdf: Any = pymupdf
"""The library carries no annotations."""
_FLAGS = _mupdf.TEXT_PRESERVE_WHITESPACE
_EVERYWHERE = _mupdf.INFINITE_RECT()
_STRIP = 12.0
_IS_BOLD = 16
_MIN_ALPHA = 26
_TINY = 1.9
"""Largest print in points that nobody can read."""
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_UNREADABLE = re.compile("[\x80-\x84\x86-\x9f\ue000-\uf8ff\ufffd\ufffe\uffff\U000f0000-\U0010ffff]")
_LAM = "\u0644"
_ALEFS = frozenset("\u0627\u0622\u0623\u0625")
_LAM_BEHIND = re.compile(f"[{''.join(sorted(_ALEFS))}]{_LAM}")
_NO_WIDTH = 0.1
_NEAR = [(dx, dy) for dx in (0, -1, 1) for dy in (0, -1, 1)]
"""Points by which text in the same place may be apart."""
_BOLD_NAME = re.compile(r"bold|black|heavy|demi", re.I)


class Doubt(StrEnum):
    """Why a person might not see a piece of text on its page."""

    INVISIBLE = "invisible"
    """Drawn without colour: a recognised layer over a scan, or hidden on purpose."""
    PALE = "pale"
    """White or nearly so: hidden on white paper, plain on a dark table head."""
    TINY = "tiny"
    COVERED = "covered"
    """Something filled was drawn over it later: a bar that blackens it, or a picture's frame."""
    CLIPPED = "clipped"
    """Cut away by the page's own instructions."""
    OUTSIDE = "outside"
    """Beyond the edges of the page as displayed."""


@dataclass(slots=True)
class FoundText:
    """A fragment, the way it runs on the displayed page, and whether it may be hidden."""

    fragment: Fragment
    direction: Direction
    doubt: Doubt | None
    block: int = 0
    """Number of MuPDF's block on the page: text in the margin stays together by it."""


@dataclass(slots=True)
class RawPage:
    """All text of a page, before anything is left out."""

    width: float
    height: float
    found: list[FoundText]
    unreadable: int
    """Characters that stand for nothing: the fonts do not say what they mean."""


def read_page(page: Any) -> RawPage:
    """Text of a page in display coordinates."""
    shown = page.rect
    # Text comes in coordinates of the page before /Rotate; boxes are wanted as displayed.
    matrix = page.rotation_matrix if page.rotation else None
    content = page.get_text("dict", flags=_FLAGS, clip=_EVERYWHERE)
    if _has_arabic(content):
        content = page.get_text("rawdict", flags=_FLAGS, clip=_EVERYWHERE)
        _set_texts(content)
    found: list[FoundText] = []
    unreadable = 0
    width, height = shown.width, shown.height
    for number, block in enumerate(content["blocks"]):
        for line in block.get("lines", ()):
            direction = _direction(line["dir"], matrix)
            unreadable += _count_unreadable(line["spans"])
            for part, doubt in _by_doubt(line):
                for fragment in _fragments(part, matrix):
                    if not fragment.text:
                        continue
                    x0, y0, x1, y1 = fragment.shown
                    if x0 >= 0 and y0 >= 0 and x1 <= width and y1 <= height:
                        found.append(FoundText(fragment, direction, doubt, number))
                    else:
                        found += _over_the_edge(
                            FoundText(fragment, direction, doubt, number), shown
                        )
    return RawPage(width, height, _without_doubles(found), unreadable)


def mark_clipped(page: Any, raw: RawPage) -> None:
    """Find text that the page's instructions cut away; takes as long as reading it again."""
    matrix = page.rotation_matrix if page.rotation else None
    flags = _FLAGS | _mupdf.TEXT_CLIP
    content = page.get_text("dict", flags=flags, clip=_EVERYWHERE)
    rows: dict[int, list[Rect]] = {}
    for block in content["blocks"]:
        for span in chain.from_iterable(line["spans"] for line in block.get("lines", ())):
            box = _shown_box(span["bbox"], matrix)
            for row in _rows(box):
                rows.setdefault(row, []).append(box)
    for piece in raw.found:
        box = piece.fragment.shown
        near = chain.from_iterable(rows.get(row, ()) for row in _rows(box))
        if piece.doubt is None and not any(_meets(box, one) for one in near):
            piece.doubt = Doubt.CLIPPED


def _rows(box: Rect) -> range:
    """Strips of a page that a box touches; only boxes in the same one are compared."""
    return range(int(box[1] // _STRIP), int(box[3] // _STRIP) + 1)


def _meets(box: Rect, other: Rect) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _shown_box(box: Rect, matrix: Any) -> Rect:
    return tuple(box if matrix is None else _mupdf.Rect(box) * matrix)


def page_text(page: RawPage, found: Sequence[FoundText]) -> PageText:
    """What is to be read of a page, turned so that most text reads left to right."""
    width, height = page.width, page.height
    if is_stacked([piece.fragment for piece in found]):
        lines = stacked_lines([piece.fragment for piece in found])
        found = [FoundText(line, (0, 1), None) for line in lines]
    by_direction: dict[Direction, dict[int, list[Fragment]]] = {}
    for piece in found:
        turn(piece.fragment, piece.direction, width, height)
        groups = by_direction.setdefault(piece.direction, {})
        groups.setdefault(piece.block, []).append(piece.fragment)
    if not by_direction:
        return PageText(width, height, [], height)
    main = max(
        by_direction,
        key=lambda d: sum(len(f.text) for group in by_direction[d].values() for f in group),
    )
    fragments = list(chain.from_iterable(by_direction.pop(main).values()))
    return PageText(
        width=width,
        height=height,
        fragments=fragments,
        reading_height=width if main[0] == 0 else height,
        aside=[group for groups in by_direction.values() for group in groups.values()],
        is_vertical=main == (0, 1) and _is_ideographic(fragments),
    )


def _is_ideographic(fragments: Sequence[Fragment]) -> bool:
    text = "".join(fragment.text for fragment in fragments)
    return len(IDEOGRAPHS.findall(text)) > 0.5 * len(text)


def _has_arabic(content: dict[str, Any]) -> bool:
    return any(
        not span["text"].isascii() and _LAM_BEHIND.search(span["text"])
        for block in content["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
    )


def _set_texts(content: dict[str, Any]) -> None:
    """Give the spans of single characters their texts, with lam-alef in the right order.

    The two letters are one glyph, whose second letter has no width. MuPDF turns Arabic from the
    order it is printed in to the order it is read in, and so turns these two round as well.
    """
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                letters = [(c["c"], c["bbox"][2] - c["bbox"][0]) for c in span.pop("chars")]
                for n, (alef, lam) in enumerate(pairwise(letters)):
                    is_pair = lam[0] == _LAM and alef[0] in _ALEFS
                    if is_pair and alef[1] < _NO_WIDTH < lam[1]:
                        letters[n], letters[n + 1] = lam, alef
                span["text"] = "".join(letter for letter, _ in letters)


def _without_doubles(found: list[FoundText]) -> list[FoundText]:
    """Drop text that is printed twice in the same place: bold print without a bold font."""
    texts: set[str] = set()
    places: set[tuple[str, int, int]] = set()
    kept = []
    for piece in found:
        text = piece.fragment.text
        x, y = round(piece.fragment.shown[0]), round(piece.fragment.shown[1])
        if text in texts and any((text, x + dx, y + dy) in places for dx, dy in _NEAR):
            continue
        texts.add(text)
        places.add((text, x, y))
        kept.append(piece)
    return kept


def _by_doubt(line: dict[str, Any]) -> Sequence[tuple[dict[str, Any], Doubt | None]]:
    """The line, or its pieces when some may be hidden and others not."""
    spans = line["spans"]
    if len(spans) == 1:
        return ((line, _doubt(spans[0])),)
    doubts = [_doubt(span) for span in spans]
    if doubts.count(doubts[0]) == len(doubts):
        return ((line, doubts[0]),)
    parts = []
    for doubt, group in groupby(zip(spans, doubts, strict=True), key=itemgetter(1)):
        pieces = [span for span, _ in group]
        parts.append(({"dir": line["dir"], "spans": pieces, "bbox": _bounds(pieces)}, doubt))
    return parts


def _doubt(span: dict[str, Any]) -> Doubt | None:
    if span["alpha"] < _MIN_ALPHA:
        return Doubt.INVISIBLE
    if span["size"] <= _TINY:
        return Doubt.TINY
    if span["color"] & 0xF0F0F0 == 0xF0F0F0:
        return Doubt.PALE
    return None


def _over_the_edge(piece: FoundText, area: Any) -> list[FoundText]:
    """A fragment that is not all on the page; in two when it runs over the right edge."""
    fragment, direction, block = piece.fragment, piece.direction, piece.block
    x0, y0, x1, y1 = fragment.shown
    if not (x0 < area.width and x1 > 0 and y0 < area.height and y1 > 0):
        return [FoundText(fragment, direction, Doubt.OUTSIDE, block)]
    inside = round(len(fragment.text) * (area.width - x0) / (x1 - x0)) if x1 > x0 else 0
    if direction != (1, 0) or not 0 < inside < len(fragment.text) - 2:
        return [piece]
    seen = _piece(fragment, fragment.text[:inside], (x0, y0, float(area.width), y1))
    unseen = _piece(fragment, fragment.text[inside:], (float(area.width), y0, x1, y1))
    return [
        FoundText(seen, direction, piece.doubt, block),
        FoundText(unseen, direction, Doubt.OUTSIDE, block),
    ]


def _piece(whole: Fragment, text: str, box: Rect) -> Fragment:
    return Fragment(text.strip(), *box, whole.size, whole.is_bold, box)


def _count_unreadable(spans: Sequence[dict[str, Any]]) -> int:
    count = 0
    for span in spans:
        text = span["text"]
        if text.isprintable() and text.isascii():
            continue
        if not text.isascii():
            count += len(_UNREADABLE.findall(text))
        if not text.isprintable():
            count += len(_CONTROLS.findall(text))
    return count


def _fragments(line: dict[str, Any], matrix: Any) -> Iterator[Fragment]:
    """The visible pieces of a MuPDF line; cells of a table that share a line come apart."""
    spans = line["spans"]
    is_plain = matrix is None and line["dir"][0] > 0.99
    groups = _split_spans(spans) if is_plain and len(spans) > 1 else [spans]
    for group in groups:
        main = group[0]
        if len(group) == 1:
            raw, is_bold = main["text"], _is_bold(main)
        else:
            raw = "".join(span["text"] for span in group)
            main = max(group, key=lambda span: len(span["text"]))
            bold = sum(len(span["text"]) for span in group if _is_bold(span))
            is_bold = bold >= 0.9 * len(raw)
        if not raw or raw.isspace():
            continue
        x0, y0, x1, y1 = _bounds(group) if len(groups) > 1 else line["bbox"]
        size = float(main["size"])
        pieces = _split_text(raw, x0, x1, size) if is_plain else [(raw, x0, x1)]
        for text, left, right in pieces:
            yield _fragment(text, (left, y0, right, y1), matrix, size, is_bold=is_bold)


def _fragment(raw: str, box: Rect, matrix: Any, size: float, *, is_bold: bool) -> Fragment:
    text = clean_line(raw)
    if not raw.isascii() and raw.rstrip().endswith(SOFT_HYPHEN):
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
    boxes: list[Rect] = [span["bbox"] for span in spans]
    if len(boxes) == 1:
        return boxes[0]
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
