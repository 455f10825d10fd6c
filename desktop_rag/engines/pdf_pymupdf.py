"""Reads and renders PDF files with PyMuPDF.

MuPDF gives fragments with boxes; `domain.layout` finds columns, tables and headings from them.
PyMuPDF's own table finder and its layout model were measured at 0.6-1 s a page on financial
reports, a hundred times what the text itself costs, so neither is used here.

Not thread-safe, as PyMuPDF is not: the `parse` role calls it from one thread.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf

from desktop_rag.domain.documents import (
    Block,
    BlockKind,
    Coverage,
    PageImage,
    ParsedDocument,
    RecognisedPage,
)
from desktop_rag.domain.errors import Damaged, NoText
from desktop_rag.domain.hidden_text import orders_note
from desktop_rag.domain.layout.outline import OutlineEntry
from desktop_rag.domain.page_assembly import assemble_pages
from desktop_rag.domain.running_heads import without_running_heads
from desktop_rag.domain.text_cleaning import (
    clean_characters,
    clean_line,
)
from desktop_rag.engines.pdf_annotations import attached_files
from desktop_rag.engines.pdf_damage import ERRORS, listed
from desktop_rag.engines.pdf_drawing import damaged, opened, render_page
from desktop_rag.engines.pdf_pages import Reading, read_pages

logger = logging.getLogger(__name__)

_mupdf: Any = pymupdf
"""The library carries no annotations."""

_MAX_OUTLINE = 20_000
_MAX_LISTED = 10_000
_FEW = 8
_DATE = re.compile(r"D?:?(\d{4})(\d{2})(\d{2})")


class PdfParser:
    """`ports.PageParser` for PDF."""

    name = "pdf-3"
    suffixes = frozenset({".pdf"})

    def parse(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ParsedDocument:
        """Read all pages in reading order; see `ports.PageParser`."""
        with opened(path) as document:
            reading = read_pages(document, recognised)
            if len(reading.damage.lost) == len(reading.pages):
                raise damaged(path)
            _drop_running_heads(reading)
            parsed = _assemble(document, path, reading)
            if not parsed.text and not reading.waiting:
                raise _no_text(path, document.page_count, reading)
            return parsed

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        """Picture of a page; see `ports.PageParser`."""
        return render_page(path, page, scale)


def _no_text(path: Path, count: int, reading: Reading) -> NoText | Damaged:
    """The reason why nothing was found."""
    if reading.damage.lost:
        return damaged(path)
    pages = "its only page" if count == 1 else f"any of its {count} pages"
    return NoText(f"“{path.name}” has no text on {pages}, not even in pictures.")


def _drop_running_heads(reading: Reading) -> None:
    """Take out what repeats on the pages, unless it is all there is.

    A stamp on every page of a scan is no text of its own, so it goes even then.
    """
    pages = reading.pages
    kept = without_running_heads(
        [page.fragments for page in pages], [page.reading_height for page in pages]
    )
    if not any(kept) and not reading.waiting and not reading.recognised:
        return
    for page, fragments in zip(pages, kept, strict=True):
        page.fragments = fragments


def _assemble(document: Any, path: Path, reading: Reading) -> ParsedDocument:
    count = document.page_count
    labels = _labels(document, len(reading.pages))
    assembler = assemble_pages(reading.pages, labels, _outline(document))
    attachments = tuple(dict.fromkeys([*attached_files(document), *reading.attachments]))
    metadata = document.metadata or {}
    damage = reading.damage.notes(path, count, is_repaired=document.is_repaired)
    return ParsedDocument(
        format="pdf",
        text=assembler.text,
        blocks=assembler.blocks,
        pages=assembler.pages,
        title=_title(metadata),
        author=clean_line(metadata.get("author") or ""),
        created=_iso_date(metadata.get("creationDate") or ""),
        notes=(*damage, *_notes(document, reading, attachments)),
        coverage=_coverage(count, reading, assembler.blocks, attachments),
    )


def _coverage(
    count: int, reading: Reading, blocks: Sequence[Block], attachments: tuple[str, ...]
) -> Coverage:
    """Every page counts once: as read, recognised, waiting, blank or skipped."""
    skipped = [(number, "damaged") for number in reading.damage.lost]
    beyond = range(len(reading.pages) + 1, min(count, len(reading.pages) + _MAX_LISTED) + 1)
    skipped += [(number, "limit") for number in (*reading.damage.skipped, *beyond)]
    return Coverage(
        pages=count,
        read=len(reading.read),
        recognised=tuple(reading.recognised),
        waiting=tuple(reading.waiting),
        blank=tuple(reading.blank),
        skipped=tuple(sorted(skipped)),
        tables=sum(block.kind is BlockKind.TABLE for block in blocks),
        attachments=attachments,
    )


def _notes(document: Any, reading: Reading, attachments: Sequence[str]) -> list[str]:
    """Sentences for the person about what is not in the text, or looked suspicious."""
    notes = []
    if document.page_count > len(reading.pages):
        notes.append(f"Only the first {len(reading.pages):,} pages were read; split this file.")
    if reading.rubbish:
        notes.append(
            f"{listed(reading.rubbish).capitalize()}: the text cannot be read as it is stored; "
            "it has to be recognised from the picture of the page."
        )
    if reading.hidden:
        words = sum(len(text.split()) for text in reading.hidden_text)
        notes.append(
            f"{words:,} hidden words on {listed(reading.hidden)} were left out: nobody can see "
            "them there."
        )
        notes += orders_note("\n".join(reading.hidden_text), is_hidden=True)
    if layers := _layers_off(document):
        notes.append(f"Layers that are switched off were not read: {', '.join(layers[:_FEW])}.")
    if reading.outside:
        notes.append(f"Text beyond the edge of {listed(reading.outside)} was left out.")
    if attachments:
        names = ", ".join(attachments[:_FEW]) + (" …" if len(attachments) > _FEW else "")
        notes.append(f"Files attached to this PDF were not read: {names}.")
    if document.metadata.get("encryption") and not document.permissions & _mupdf.PDF_PERM_COPY:
        notes.append("Its author does not allow copying from this PDF; it is read for searching.")
    return notes


def _layers_off(document: Any) -> list[str]:
    """Names of the layers whose text is not shown."""
    try:
        layers = document.get_ocgs().values()
    except (*ERRORS, TypeError, LookupError, AttributeError) as exc:
        logger.debug("The layers cannot be read: %s", exc)
        return []
    return [clean_line(str(layer["name"]))[:40] for layer in layers if not layer["on"]]


def _outline(document: Any) -> list[OutlineEntry]:
    """The bookmarks that lead to a page; none when there are too many or they are broken."""
    try:
        count = document.xref_get_key(document.pdf_catalog(), "Outlines/Count")
        if count[0] == "int" and abs(int(count[1])) > _MAX_OUTLINE:
            return []
        entries = document.get_toc(simple=True)[:_MAX_OUTLINE]
    except (*ERRORS, TypeError, LookupError, RecursionError) as exc:
        logger.debug("The outline cannot be read: %s", exc)
        return []
    return [OutlineEntry(level, clean_line(title), page) for level, title, page in entries]


def _labels(document: Any, count: int) -> list[str]:
    """The printed label of every page; its number where the file gives none."""
    numbers = [str(number) for number in range(1, count + 1)]
    try:
        if not document.get_page_labels():
            return numbers
        labels = [document[index].get_label() for index in range(count)]
    except (*ERRORS, TypeError, LookupError) as exc:
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
