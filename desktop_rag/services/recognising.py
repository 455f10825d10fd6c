"""Recognises the text of scanned pages, one page at a time.

Every page is stored as soon as it is recognised. A page that breaks the recogniser twice is given
up with a reason; it never keeps the others from being read.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.domain.coverage import ranges
from desktop_rag.domain.documents import Coverage, ReadDocument, RecognisedPage
from desktop_rag.domain.errors import (
    NoText,
    NotFound,
    PermanentError,
    RecognitionOff,
    TransientError,
    WorkerCrashed,
    WorkerTimedOut,
)
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.storage.recognised import PageRecord, RecognisedPages

logger = logging.getLogger(__name__)

OFF = "text recognition is off"
MISSING = "text recognition is not installed"
_OFF_REASONS = (OFF, MISSING)
_MAX_ATTEMPTS = 2
_HOPELESS_PAGES = 3
"""When so many pages of a file failed and none worked, its other pages are not tried."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Where the recognition of a file is."""

    todo: tuple[int, ...]
    """Pages still to be recognised, in order."""
    wanted: int
    """All pages of the file that want recognition."""
    unstored: int
    """Pages that are recognised and not part of the stored text yet."""


class Recognition:
    """Decides what is recognised and keeps what was. Called on the indexer and reader threads."""

    def __init__(
        self,
        pages: RecognisedPages,
        reader: DocumentReader,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        self._pages = pages
        self._reader = reader
        self._is_wanted = is_wanted
        self._engine: str | None = None

    def engine(self) -> str:
        """What recognises now; empty when it is switched off or not installed."""
        if not self._is_wanted():
            return ""
        if self._engine is None:
            self._engine = self._reader.recogniser()
        return self._engine

    def adopt(self) -> int:
        """Queue what the engine may read and its predecessor did not; returns how many files."""
        self._engine = None
        return self._pages.adopt(self.engine(), RecognitionOff.code, _OFF_REASONS)

    def prune(self) -> None:
        """Forget pages of files that left the library."""
        self._pages.prune()

    def pages(self, sha256: str) -> tuple[RecognisedPage, ...]:
        """What was recognised of a file, also by an earlier engine: better than nothing."""
        return tuple(one.page for one in self._pages.records(sha256) if one.page is not None)

    # ------------------------------------------------------------------ one file

    def turn(self, sha256: str, coverage: Coverage) -> Turn:
        """What is left to do for a file that was stored with `coverage`."""
        engine, records = self.engine(), self._pages.records(sha256)
        if not engine:
            return Turn((), len(coverage.waiting), 0)
        settled = {r.number for r in records if _is_settled(r, engine)}
        outdated = {r.number for r in records if r.engine != engine}
        left_out = {page for page, reason in coverage.skipped if reason in _OFF_REASONS}
        wanted = {*coverage.waiting, *coverage.recognised, *outdated, *left_out}
        todo = {*coverage.waiting, *outdated, *left_out} - settled
        return Turn(
            todo=() if _is_hopeless(records, engine) else tuple(sorted(todo)),
            wanted=len(wanted),
            unstored=len(settled.intersection(coverage.waiting)),
        )

    def recognise(self, path: Path, sha256: str, page: int) -> None:
        """Recognise a page and keep it, or what went wrong.

        Raises:
            NotFound: the file is gone.
            UserError, Cancelled: not about this page; nothing is kept.
        """
        engine = self.engine()
        try:
            found = self._reader.recognise(path, page)
        except (WorkerCrashed, WorkerTimedOut) as error:
            self._note_failure(sha256, page, error)
        except PermanentError as error:
            self._pages.add_failure(sha256, page, engine, 1, error.message)
        except NotFound as error:
            if not path.exists():
                raise
            self._pages.add_failure(sha256, page, engine, 1, error.message)
        else:
            # Under the name it was asked by: a page of another name would be asked for for ever.
            self._pages.add(sha256, replace(found, number=page, engine=engine))

    def _note_failure(self, sha256: str, page: int, error: TransientError) -> None:
        engine = self.engine()
        earlier = [
            record.attempts
            for record in self._pages.records(sha256)
            if record.number == page and record.engine == engine
        ]
        attempts = 1 + sum(earlier)
        reason = ""
        if attempts >= _MAX_ATTEMPTS:
            is_slow = isinstance(error, WorkerTimedOut)
            reason = "it took too long twice" if is_slow else "it crashed the recogniser twice"
        logger.info("Recognising a page failed (%s), try %d", error.code, attempts)
        self._pages.add_failure(sha256, page, engine, attempts, reason)

    def settled(self, read: ReadDocument, path: Path, sha256: str) -> ReadDocument:
        """The document with honest coverage: only what will be recognised counts as waiting.

        Raises:
            RecognitionOff: there is no text but in pictures, and nothing recognises them.
            NoText: there is none after all.
        """
        coverage = read.document.coverage
        if not coverage.waiting:
            return read
        engine = self.engine()
        if engine:
            coverage = _with_outcomes(coverage, self._pages.records(sha256), engine)
        else:
            coverage = _with_skipped(coverage, dict.fromkeys(coverage.waiting, self._off_reason()))
        if not read.chunks and not coverage.waiting:
            raise self._without_text(path, coverage)
        notes = (*read.document.notes, *_notes(read.document.coverage, coverage))
        return replace(read, document=replace(read.document, coverage=coverage, notes=notes))

    def _off_reason(self) -> str:
        return MISSING if self._is_wanted() else OFF

    def _without_text(self, path: Path, coverage: Coverage) -> PermanentError:
        reasons = [reason for _, reason in coverage.skipped]
        if OFF in reasons:
            return RecognitionOff(
                f"{path.name} is a scan and {OFF}; turn it on with `desktop-rag settings ocr on`."
            )
        if MISSING in reasons:
            return RecognitionOff(
                f"{path.name} is a scan and {MISSING}; install the program again, or add a copy of "
                "the file that has text."
            )
        if reasons:
            return NoText(
                f"No text could be recognised in {path.name} (page {coverage.skipped[0][0]}: "
                f"{reasons[0].rstrip('.')}). Add a copy of the file that has text."
            )
        return NoText(f"No text was found in {path.name}, neither written nor in pictures.")


def _is_settled(record: PageRecord, engine: str) -> bool:
    return record.engine == engine and (record.page is not None or bool(record.failure))


def _is_hopeless(records: Sequence[PageRecord], engine: str) -> bool:
    ours = [record for record in records if record.engine == engine]
    failed = sum(bool(record.failure) for record in ours)
    return failed >= _HOPELESS_PAGES and all(record.page is None for record in ours)


def _with_outcomes(coverage: Coverage, records: Sequence[PageRecord], engine: str) -> Coverage:
    """Take pages off the waiting list that were given up, or recognised and found empty."""
    known = {record.number: record for record in records if _is_settled(record, engine)}
    failed = {n: known[n].failure for n in coverage.waiting if n in known and known[n].failure}
    empty = {n for n in coverage.waiting if n in known and known[n].page is not None}
    if _is_hopeless(records, engine):
        rest = set(coverage.waiting) - known.keys()
        failed.update(dict.fromkeys(rest, "recognition failed on all of the first pages"))
    coverage = _with_skipped(coverage, failed)
    return replace(
        coverage,
        waiting=tuple(n for n in coverage.waiting if n not in empty),
        blank=tuple(sorted({*coverage.blank, *empty})),
    )


def _with_skipped(coverage: Coverage, reasons: dict[int, str]) -> Coverage:
    return replace(
        coverage,
        waiting=tuple(n for n in coverage.waiting if n not in reasons),
        skipped=tuple(sorted({**dict(coverage.skipped), **reasons}.items())),
    )


def _notes(before: Coverage, after: Coverage) -> tuple[str, ...]:
    """What the person should know about pages that will not be recognised."""
    reasons: dict[str, list[int]] = {}
    for page, reason in after.skipped:
        if page in before.waiting:
            reasons.setdefault(reason, []).append(page)
    return tuple(_note(pages, reason) for reason, pages in reasons.items())


def _note(pages: Sequence[int], reason: str) -> str:
    if reason not in _OFF_REASONS:
        one = "Page" if len(pages) == 1 else "Pages"
        return f"{one} {ranges(pages)} could not be recognised: {reason.rstrip('.')}."
    subject = (
        f"Page {pages[0]} is a picture"
        if len(pages) == 1
        else f"Pages {ranges(pages)} are pictures"
    )
    advice = "; turn it on with `desktop-rag settings ocr on`" if reason == OFF else ""
    return f"{subject} of text and not searchable, because {reason}{advice}."
