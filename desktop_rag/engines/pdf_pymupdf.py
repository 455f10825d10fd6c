"""Reads and renders PDF files with PyMuPDF.

MuPDF gives fragments with boxes; `domain.layout` finds columns, tables and headings from them.
PyMuPDF's own table finder and its layout model were measured at 0.9-1 s a page on financial
reports, a hundred times what the text itself costs, so neither is used here.

Not thread-safe, as PyMuPDF is not: the `parse` role calls it from one thread.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymupdf

from desktop_rag.domain.documents import PageImage, ParsedDocument, RecognisedPage
from desktop_rag.domain.errors import Damaged, Encrypted, NoText, NotFound
from desktop_rag.domain.layout.fragments import PageText
from desktop_rag.domain.page_assembly import assemble_pages
from desktop_rag.domain.running_heads import without_running_heads
from desktop_rag.domain.text_cleaning import (
    clean_characters,
    clean_line,
)
from desktop_rag.engines.pdf_damage import Damage, complaints, listed
from desktop_rag.engines.pdf_page_text import read_page

logger = logging.getLogger(__name__)

_mupdf: Any = pymupdf
"""The library carries no annotations."""
_ERRORS = (RuntimeError, ValueError, _mupdf.mupdf.FzErrorBase)
"""What PyMuPDF raises for files that are wrong."""

MAX_PIXELS = 24_000_000
MAX_CHARACTERS = 60_000_000
_MIN_PAGE_TEXT = 80
_A4 = (595.0, 842.0)
_DATE = re.compile(r"D?:?(\d{4})(\d{2})(\d{2})")
_REPLACEMENT = "\ufffd"


class PdfParser:
    """`ports.Parser` for PDF."""

    name = "pdf-1"
    suffixes = frozenset({".pdf"})

    def parse(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ParsedDocument:
        """Read all pages in reading order; see `ports.PageParser`."""
        with _opened(path) as document:
            pages, damage = _read_pages(document)
            if len(damage.lost) == len(pages):
                raise _damaged(path)
            _drop_running_heads(document, pages)
            if not any(page.fragments or page.aside for page in pages):
                raise _no_text(path, document, damage)
            notes = damage.notes(path, len(pages), is_repaired=document.is_repaired) + _text_notes(
                document, pages, damage
            )
            return _assemble(document, pages, notes)


def render_page(path: Path, page: int, scale: float) -> PageImage:
    """Picture of a page as displayed, at `scale` pixels per point or as much as fits in memory.

    Raises:
        NotFound: there is no such page.
        Damaged, Encrypted: the file cannot be opened.
    """
    with _opened(path) as document:
        if not 1 <= page <= document.page_count:
            raise NotFound(f"“{path.name}” has {document.page_count} pages, so no page {page}.")
        try:
            shown = document[page - 1]
            area = max(shown.rect.width * shown.rect.height, 1.0)
            fitting = min(max(scale, 0.05), math.sqrt(MAX_PIXELS / area))
            pixmap = shown.get_pixmap(matrix=_mupdf.Matrix(fitting, fitting), alpha=False)
            return PageImage(pixmap.tobytes("png"), shown.rect.width, shown.rect.height)
        except _ERRORS as exc:
            raise Damaged(
                f"Page {page} of “{path.name}” cannot be drawn; other pages may still work."
            ) from exc


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open a PDF; MuPDF's messages go to the log at debug level instead of the terminal."""
    _mupdf.TOOLS.mupdf_display_errors(on=False)
    _mupdf.TOOLS.mupdf_display_warnings(on=False)
    _mupdf.TOOLS.reset_mupdf_warnings()
    try:
        document = _mupdf.open(path, filetype="pdf")
    except (*_ERRORS, OSError) as exc:
        raise _damaged(path) from exc
    try:
        # Broken page trees and catalogs show only when something asks for them.
        if document.needs_pass and not document.authenticate(""):
            raise Encrypted(
                f"“{path.name}” needs a password; save a copy without one and add that."
            )
        if not document.page_count:
            raise _damaged(path)
        yield document
    except (RuntimeError, _mupdf.mupdf.FzErrorBase) as exc:
        raise _damaged(path) from exc
    finally:
        document.close()
        complaints()


def _damaged(path: Path) -> Damaged:
    return Damaged(
        f"“{path.name}” is not a readable PDF; open it in a PDF viewer and save it again."
    )


def _no_text(path: Path, document: Any, damage: Damage) -> NoText | Damaged:
    """The reason why nothing was found: pictures of text, damage, or nothing at all."""
    if damage.lost:
        return _damaged(path)
    if any(_has_pictures(document, index) for index in range(min(document.page_count, 20))):
        return NoText(
            f"“{path.name}” is a scan: its pages are pictures without text. "
            "Run it through a text recognition (OCR) program and add the result."
        )
    return NoText(f"“{path.name}” has no text on any of its {document.page_count} pages.")


# ---------------------------------------------------------------- extraction


def _read_pages(document: Any) -> tuple[list[PageText], Damage]:
    """All pages, blank where they could not be read, and what is wrong with them."""
    pages: list[PageText] = []
    damage = Damage()
    characters = 0
    complaints()
    for number in range(1, document.page_count + 1):
        page = PageText(*_A4, [], _A4[1], [])
        if characters > MAX_CHARACTERS:
            damage.skipped.append(number)
        else:
            page = _read_page(document, number, damage) or page
        pages.append(page)
        characters += sum(len(f.text) for f in page.fragments)
    return pages, damage


def _read_page(document: Any, number: int, damage: Damage) -> PageText | None:
    try:
        page = read_page(document[number - 1])
    except (*_ERRORS, IndexError) as exc:  # a repair on the way may lower the count of pages
        logger.debug("Page %s cannot be read: %s", number, exc)
        complaints()
        damage.lost.append(number)
        return None
    damage.add(number, complaints(), is_blank=not page.fragments and not page.aside)
    return page


def _drop_running_heads(document: Any, pages: Sequence[PageText]) -> None:
    """Take out what repeats on the pages, unless it is all there is.

    A stamp on every page of a scan is no text of its own, so it goes even then.
    """
    kept = without_running_heads(
        [page.fragments for page in pages], [page.reading_height for page in pages]
    )
    if not any(kept) and not _has_pictures(document, 0):
        return
    for page, fragments in zip(pages, kept, strict=True):
        page.fragments = fragments


def _text_notes(document: Any, pages: Sequence[PageText], damage: Damage) -> list[str]:
    notes = []
    characters = sum(len(f.text) for page in pages for f in page.fragments)
    unknown = sum(f.text.count(_REPLACEMENT) for page in pages for f in page.fragments)
    if unknown > 0.1 * max(characters, 1):
        notes.append("Many characters are unreadable: the fonts do not say what they mean.")
    return notes + _scan_notes(document, pages, damage)


def _scan_notes(document: Any, pages: Sequence[PageText], damage: Damage) -> list[str]:
    """Pages with a line of text at most beside pictures: probably scanned."""
    unread = {*damage.lost, *damage.skipped}
    scanned = [
        number
        for number, page in enumerate(pages, start=1)
        if sum(len(f.text) for f in page.fragments) < _MIN_PAGE_TEXT
        and not page.aside
        and number not in unread
        and _has_pictures(document, number - 1)
    ]
    if not scanned:
        return []
    return [
        f"{listed(scanned).capitalize()}: pictures with little or no text, which are not read yet."
    ]


def _has_pictures(document: Any, index: int) -> bool:
    try:
        return bool(document.get_page_images(index))
    except _ERRORS:
        return False


# ---------------------------------------------------------------- assembly


def _assemble(document: Any, pages: Sequence[PageText], notes: list[str]) -> ParsedDocument:
    assembler = assemble_pages(pages, _labels(document, len(pages)))
    metadata = document.metadata or {}
    return ParsedDocument(
        format="pdf",
        text=assembler.text,
        blocks=assembler.blocks,
        pages=assembler.pages,
        title=_title(metadata),
        author=clean_line(metadata.get("author") or ""),
        created=_iso_date(metadata.get("creationDate") or ""),
        notes=tuple(notes),
    )


def _labels(document: Any, count: int) -> list[str]:
    """The printed label of every page; its number where the file gives none."""
    numbers = [str(number) for number in range(1, count + 1)]
    try:
        if not document.get_page_labels():
            return numbers
        labels = [document[index].get_label() for index in range(count)]
    except (*_ERRORS, TypeError, LookupError) as exc:
        logger.debug("Page labels cannot be read: %s", exc)
        return numbers
    return [
        clean_line(label or "")[:40] or number
        for label, number in zip(labels, numbers, strict=True)
    ]


_WORD = re.compile(r"[^\W\d_]{3}|[\u2e80-\u9fff]{2}")
_FILE_NAME = re.compile(r"\.(?:docx?|pdf|pptx?|xlsx?|indd|qxd|tex|dvi|html?|rtf|exe)$", re.I)


def _title(metadata: dict[str, str | None]) -> str:
    """The title in the metadata, unless it is a file name or a placeholder."""
    title = clean_line(clean_characters(metadata.get("title") or ""))
    title = title.removeprefix("Microsoft Word - ")
    is_placeholder = title.lower().startswith("untitled") or not _WORD.search(title)
    return "" if is_placeholder or _FILE_NAME.search(title) else title[:300]


def _iso_date(pdf_date: str) -> str:
    found = _DATE.match(pdf_date)
    if not found or not ("01" <= found[2] <= "12" and "01" <= found[3] <= "31"):
        return ""
    return f"{found[1]}-{found[2]}-{found[3]}"
