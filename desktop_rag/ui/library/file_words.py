"""What the library page says about a file. Pure functions."""

from __future__ import annotations

from desktop_rag.domain.coverage import ranges
from desktop_rag.domain.documents import Coverage
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.translation import _, counted, numeral


def state_word(file: LibraryFile) -> str:
    """Its state in a word or two."""
    return {
        FileState.READY: _("Searchable"),
        FileState.QUEUED: _("Waiting"),
        FileState.READING: _("Being read"),
        FileState.FAILED: _("Not readable"),
        FileState.SKIPPED: _("Left out"),
    }[file.state]


def coverage_words(coverage: Coverage) -> str:
    """`12 of 14 pages have text`; `14 pages` when all have; empty for formats without pages."""
    if not coverage.pages:
        return ""
    if coverage.waiting:
        return waiting_words(coverage)
    with_text = coverage.read + len(coverage.recognised)
    if with_text >= coverage.pages:
        return counted("{n} page", "{n} pages", coverage.pages)
    return _("{read} of {pages} pages have text").format(
        read=numeral(with_text), pages=numeral(coverage.pages)
    )


def waiting_words(coverage: Coverage) -> str:
    """How many pages wait for text recognition; empty when none does."""
    if not coverage.waiting:
        return ""
    if coverage.pages == 1:
        return _("waits for text recognition")
    return _("{waiting} of {pages} pages wait for text recognition").format(
        waiting=numeral(len(coverage.waiting)), pages=numeral(coverage.pages)
    )


def missing_pages(coverage: Coverage) -> str:
    """Which pages have no text; empty when all have."""
    parts = []
    if coverage.blank:
        parts.append(_("Blank: {pages}").format(pages=ranges(coverage.blank)))
    if coverage.skipped:
        pages = ranges(page for page, _reason in coverage.skipped)
        parts.append(_("Not read: {pages}").format(pages=pages))
    if coverage.recognised:
        parts.append(_("Recognised: {pages}").format(pages=ranges(coverage.recognised)))
    return " · ".join(parts)


def facts(file: LibraryFile) -> list[str]:
    """What a row says on its end, the most telling first."""
    waiting = waiting_words(file.coverage)
    if file.state is FileState.SKIPPED:
        return [size(file.size)]
    if file.state is FileState.QUEUED:
        return [waiting[:1].upper() + waiting[1:] or _("Waiting")]
    if file.state is FileState.READING:
        return [_("Recognising text …") if waiting else _("Reading …")]
    pages = coverage_words(file.coverage) or (
        counted("{n} page", "{n} pages", file.pages) if file.pages else ""
    )
    passages = counted("{n} passage", "{n} passages", file.chunks)
    return [*([pages] if pages else []), passages, size(file.size)]
