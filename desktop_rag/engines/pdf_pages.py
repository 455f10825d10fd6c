"""Reads all pages of a PDF and decides for each whether its text is to be recognised (OCR).

A page wants recognition when it shows pictures or outlined letters instead of text, when a scan
carries a stamp only, or when its text is rubbish. That costs a second a page, so good pages must
not be among them.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from desktop_rag.domain.documents import RecognisedPage
from desktop_rag.domain.layout.fragments import Fragment, PageText
from desktop_rag.domain.layout.recognised import recognised_text, with_own_text
from desktop_rag.domain.orders import orders_in
from desktop_rag.domain.text_quality import (
    is_badly_recognised,
    is_no_language,
    is_unreadable,
)
from desktop_rag.engines.pdf_annotations import Extras, read_extras
from desktop_rag.engines.pdf_damage import ERRORS, Damage, complaints
from desktop_rag.engines.pdf_page_text import Doubt, RawPage, mark_clipped, page_text, read_page
from desktop_rag.engines.pdf_visibility import PageLook, Pictures, hidden, mark_covered

logger = logging.getLogger(__name__)

MAX_CHARACTERS = 60_000_000
MAX_PAGES = 20_000
MAX_SECONDS = 40.0
"""A reader that is stopped after a minute loses the whole document; this loses its last pages."""
_MAX_DRAWING_S = 12.0
"""Seconds a document for drawing pages to see whether text is hidden."""
_MAX_CLOSER_S = 0.25
"""Seconds a document for finding text that is cut away or covered: a third of reading a page."""
_MAX_CONTENT = 30_000_000
_LARGE_CONTENT = 400_000
_A4 = (595.0, 842.0)
_STAMP = 250
"""Characters a scan may carry as stamps, Bates numbers and footers."""
_FEW = 80
"""Characters of a page that may still be a drawing of outlined letters."""
_SCAN_SHARE = 0.2
"""Part of a page that pictures cover at least when its few words are not all it says."""


class _Wish(Enum):
    """What recognition would be for on a page."""

    NOTHING = auto()
    MORE = auto()
    """The page shows more than its text says, which stays."""
    INSTEAD = auto()
    """The page's own text is rubbish."""


@dataclass(slots=True)
class Reading:
    """All pages of a document and what became of each; numbers begin at 1."""

    pages: list[PageText] = field(default_factory=list)
    damage: Damage = field(default_factory=Damage)
    read: list[int] = field(default_factory=list)
    recognised: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    blank: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    """Pages with text that nobody can see, which was left out."""
    outside: list[int] = field(default_factory=list)
    """Pages with text beyond their edges, as printers' marks are, which was left out too."""
    rubbish: list[int] = field(default_factory=list)
    """Pages whose own text means nothing and has not been recognised yet."""
    attachments: list[str] = field(default_factory=list)
    hidden_text: list[str] = field(default_factory=list)
    """What was hidden on them."""
    drawing_s: float = 0.0
    closer_s: float = 0.0
    pictures: Pictures = field(default_factory=Pictures)


def read_pages(document: Any, recognised: Sequence[RecognisedPage]) -> Reading:
    """Read every page, with the recognised ones in the place of what they show."""
    reading = Reading()
    known = {page.number: page for page in recognised}
    characters = 0
    end = time.monotonic() + MAX_SECONDS
    complaints()
    for number in range(1, min(document.page_count, MAX_PAGES) + 1):
        if characters > MAX_CHARACTERS or time.monotonic() > end:
            reading.damage.skipped.append(number)
            page = PageText(*_A4, [], _A4[1])
        else:
            page = _read_page(document, number, known.get(number), reading)
        reading.pages.append(page)
        characters += sum(len(f.text) for f in page.fragments)
    return reading


def _read_page(
    document: Any, number: int, known: RecognisedPage | None, reading: Reading
) -> PageText:
    damage = reading.damage
    try:
        page = document[number - 1]
        if _is_too_much(document, page):
            damage.skipped.append(number)
            return PageText(*_A4, [], _A4[1])
        raw = read_page(page)
        _look_closer(page, raw, reading)
        extras = read_extras(document, page, raw)
        text = _judged(document, page, number, raw, known, reading)
    except (*ERRORS, IndexError) as exc:  # a repair on the way may lower the count of pages
        logger.debug("Page %s cannot be read: %s", number, exc)
        complaints()
        damage.lost.append(number)
        return PageText(*_A4, [], _A4[1])
    text.aside += [[comment] for comment in extras.comments]
    reading.attachments += extras.attachments
    is_blank = not text.fragments and not text.aside
    damage.add(number, complaints(), is_blank=is_blank)
    _file(number, reading, extras, is_blank=is_blank)
    return text


def _look_closer(page: Any, raw: RawPage, reading: Reading) -> None:
    """Find text that is cut away or covered: on the first pages, and where it gives orders."""
    text = "\n".join(piece.fragment.text for piece in raw.found)
    if reading.closer_s > _MAX_CLOSER_S and not orders_in(text):
        return
    began = time.perf_counter()
    mark_clipped(page, raw)
    mark_covered(page, raw)
    reading.closer_s += time.perf_counter() - began


def _file(number: int, reading: Reading, extras: Extras, *, is_blank: bool) -> None:
    """Count a page that is not waiting, recognised or lost among the read or the blank."""
    if reading.damage.lost[-1:] == [number] or number in (
        *reading.waiting[-1:],
        *reading.recognised[-1:],
    ):
        return
    (reading.blank if is_blank else reading.read).append(number)


def _judged(
    document: Any,
    page: Any,
    number: int,
    raw: RawPage,
    known: RecognisedPage | None,
    reading: Reading,
) -> PageText:
    """The page's visible text, or what was recognised, and what it still wants."""
    pictures = tuple(picture[0] for picture in document.get_page_images(number - 1))
    look = PageLook(page, raw)
    own = _visible_text(raw, look, number, reading, pictures)
    wish = _wish(raw, own, look, has_pictures=bool(pictures))
    if wish is _Wish.NOTHING:
        return own
    if known is None:
        reading.waiting.append(number)
    else:
        found = recognised_text(known, raw.width, raw.height)
        if found.fragments:
            reading.recognised.append(number)
            return found if wish is _Wish.INSTEAD else with_own_text(found, own)
    if wish is _Wish.INSTEAD:
        if known is None:
            reading.rubbish.append(number)
        if raw.unreadable > 0.5 * _length(own):
            return PageText(raw.width, raw.height, [], raw.height)
    return own


def _visible_text(
    raw: RawPage, look: PageLook, number: int, reading: Reading, pictures: tuple[int, ...]
) -> PageText:
    gone: set[int] = set()
    may_cover = reading.pictures.may_hide(pictures)
    if may_cover or any(piece.doubt for piece in raw.found):
        began = time.monotonic()
        gone = hidden(
            raw,
            look,
            has_pictures=bool(pictures),
            may_cover=may_cover,
            may_draw=reading.drawing_s < _MAX_DRAWING_S,
        )
        reading.drawing_s += time.monotonic() - began
        if not gone:
            reading.pictures.hid_nothing(pictures)
    outside = {n for n in gone if raw.found[n].doubt is Doubt.OUTSIDE}
    if _letters(raw, gone - outside) >= _FEW_LETTERS:
        reading.hidden.append(number)
        reading.hidden_text += [raw.found[n].fragment.text for n in sorted(gone - outside)]
    elif _letters(raw, outside) >= _FEW_LETTERS:
        reading.outside.append(number)
    raw.found = [piece for n, piece in enumerate(raw.found) if n not in gone]
    return page_text(raw, raw.found)


def _letters(raw: RawPage, positions: set[int]) -> int:
    return sum(c.isalnum() for n in positions for c in raw.found[n].fragment.text)


def _wish(raw: RawPage, own: PageText, look: PageLook, *, has_pictures: bool) -> _Wish:
    groups: list[list[Fragment]] = [own.fragments, *own.aside]
    text = " ".join(fragment.text for group in groups for fragment in group)
    if is_unreadable(text, raw.unreadable) or is_no_language(text):
        return _Wish.INSTEAD
    layer = " ".join(p.fragment.text for p in raw.found if p.doubt is Doubt.INVISIBLE)
    if layer and has_pictures and is_badly_recognised(layer):
        return _Wish.INSTEAD
    if not text:
        return _Wish.MORE if look.is_picture() else _Wish.NOTHING
    if len(text) >= _STAMP or len(layer) > 0.5 * len(text):
        return _Wish.NOTHING
    if has_pictures and look.picture_share() >= _SCAN_SHARE:
        return _Wish.MORE
    return _Wish.MORE if len(text) < _FEW and look.has_outlined_letters() else _Wish.NOTHING


def _length(page: PageText) -> int:
    return sum(len(f.text) for group in (page.fragments, *page.aside) for f in group)


def _is_too_much(document: Any, page: Any) -> bool:
    """Whether drawing a page would take minutes: its instructions unpack to tens of megabytes."""
    packed = 0
    for xref in page.get_contents():
        kind, length = document.xref_get_key(xref, "Length")
        packed += int(length) if kind == "int" else 0
    return packed > _LARGE_CONTENT and len(page.read_contents()) > _MAX_CONTENT


_FEW_LETTERS = 8
"""Letters of hidden text that are worth a note."""
