"""Looks at one file: is it changed, what does it say, which of its pages are pictures of text.

Whatever goes wrong with a file is recorded here; what is nobody's fault is raised.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from desktop_rag.domain.documents import DocumentId, ReadDocument
from desktop_rag.domain.errors import (
    Cancelled,
    NotFound,
    PermanentError,
    TransientError,
    UserError,
    WorkerCrashed,
)
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.services.outcomes import Outcomes, Prepared
from desktop_rag.services.progress import Progress
from desktop_rag.services.recognising import Recognition
from desktop_rag.storage.catalog import Catalog, FileStamp, KnownFile
from desktop_rag.storage.folders import stamp_of
from desktop_rag.storage.jobs import Job, Jobs

logger = logging.getLogger(__name__)

_SHOW_AFTER_S = 30.0
_SHOW_COST_SHARE = 20.0
"""A long scan is stored in between, so that its beginning is searchable early; that takes a
twentieth of the time at most."""

Attempt = Callable[[Job, KnownFile], Prepared | None]
Finish = Callable[[Job, ReadDocument], ReadDocument]


class Reading:
    """`read` is called on the reader thread, `recognise` on the indexer thread."""

    def __init__(
        self,
        catalog: Catalog,
        jobs: Jobs,
        reader: DocumentReader,
        recognition: Recognition,
        outcomes: Outcomes,
        progress: Progress,
        finish: Finish,
    ) -> None:
        """`finish` has a model work on what was read, where that is wanted."""
        self._catalog = catalog
        self._jobs = jobs
        self._reader = reader
        self._recognition = recognition
        self._outcomes = outcomes
        self._progress = progress
        self._finish = finish
        self._show_at: dict[DocumentId, float] = {}

    def read(self, job: Job) -> Prepared | None:
        """Look at a file and read it if it changed; `None` when there is nothing to store.

        Raises:
            UserError, Cancelled: not about this file; its turn comes again.
        """
        return self._finished(self._guarded(job, self._read))

    def recognise(self, job: Job) -> Prepared | None:
        """Recognise the next page of a file, or read it with what was recognised so far.

        Raises:
            UserError, Cancelled: not about this file; its turn comes again.
        """
        return self._finished(self._guarded(job, self._recognise))

    def _finished(self, prepared: Prepared | None) -> Prepared | None:
        if prepared is None or prepared.read is None:
            return prepared
        return replace(prepared, read=self._finish(prepared.job, prepared.read))

    def _guarded(self, job: Job, attempt: Attempt) -> Prepared | None:
        known = self._catalog.known_file(job.document)
        if known is None:
            self._jobs.finish(job)
            return None
        try:
            return attempt(job, known)
        except NotFound:
            self._outcomes.forget(job)
        except (Cancelled, UserError):
            self._outcomes.postpone(job)
            raise
        return None

    # ------------------------------------------------------------------ reading

    def _read(self, job: Job, known: KnownFile) -> Prepared | None:
        path, stamp, sha256 = Path(job.path), FileStamp(0, 0), ""
        try:
            stamp = stamp_of(path)
            sha256 = self._reader.digest(path)
            if self._is_unchanged(known, sha256):
                return Prepared(job, stamp, sha256, None)
            return self._with_pages(job, stamp, sha256)
        except PermanentError as error:
            self._outcomes.give_up(job, stamp, sha256, error)
        except TransientError as error:
            self._outcomes.try_again(job, stamp, sha256, error)
        except (Cancelled, UserError):
            raise
        except Exception:  # supervisor: a bug met on one file never stops the others
            logger.exception("Reading document %d failed", job.document)
            failure = WorkerCrashed(f"Reading {job.path} failed.")
            self._outcomes.try_again(job, stamp, sha256, failure)
        return None

    def _with_pages(self, job: Job, stamp: FileStamp, sha256: str) -> Prepared:
        path = Path(job.path)
        read = self._reader.read(path, self._recognition.pages(sha256))
        return Prepared(job, stamp, sha256, self._recognition.settled(read, path, sha256))

    def _is_unchanged(self, known: KnownFile, sha256: str) -> bool:
        was_read = bool(known.reader) and known.sha256 == sha256
        return was_read and known.reader in self._reader.versions().values()

    # ------------------------------------------------------------------ recognising

    def _recognise(self, job: Job, known: KnownFile) -> Prepared | None:
        path = Path(job.path)
        if stamp_of(path) != known.stamp:
            self._jobs.read_again(job)
            return None
        turn = self._recognition.turn(known.sha256, self._catalog.file(job.document).coverage)
        if turn.todo and not (turn.unstored and self._is_time_to_show(job.document)):
            place = turn.wanted - len(turn.todo) + 1
            self._progress.recognising(job, place, turn.wanted, turn.unstored)
            self._recognise_page(path, known.sha256, turn.todo[0])
            self._outcomes.postpone(job)
            return None
        return self._shown(job, known)

    def _recognise_page(self, path: Path, sha256: str, page: int) -> None:
        started = time.monotonic()
        self._recognition.recognise(path, sha256, page)
        self._progress.recognised(time.monotonic() - started)

    def _is_time_to_show(self, document: DocumentId) -> bool:
        now = time.monotonic()
        return now >= self._show_at.setdefault(document, now + _SHOW_AFTER_S)

    def _shown(self, job: Job, known: KnownFile) -> Prepared | None:
        """Read the file with what was recognised so far."""
        started = time.monotonic()
        try:
            prepared = self._with_pages(job, known.stamp, known.sha256)
        except PermanentError as error:
            self._outcomes.give_up(job, known.stamp, known.sha256, error)
            return None
        except TransientError as error:
            self._outcomes.try_again(job, known.stamp, known.sha256, error)
            return None
        now = time.monotonic()
        self._show_at.pop(job.document, None)
        if prepared.read is not None and prepared.read.document.coverage.waiting:
            pause_s = max(_SHOW_AFTER_S, _SHOW_COST_SHARE * (now - started))
            self._show_at[job.document] = now + pause_s
        return prepared
