"""What becomes of a file that could not be read this time: another try, or a reason."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.documents import ReadDocument
from desktop_rag.domain.errors import (
    DesktopRagError,
    PermanentError,
    ReaderCrashed,
    ReaderTimedOut,
    TransientError,
    WorkerCrashed,
    WorkerTimedOut,
)
from desktop_rag.domain.events import LibraryChanged
from desktop_rag.services.bus import Bus
from desktop_rag.services.progress import Progress
from desktop_rag.storage.catalog import Catalog, FileStamp
from desktop_rag.storage.jobs import Job, Jobs

logger = logging.getLogger(__name__)

MAX_READER_FAILURES = 2
RETRY_AFTER_S = (2.0, 10.0, 60.0, 300.0)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was looked at: unchanged (`read` is `None`) or read."""

    job: Job
    stamp: FileStamp
    sha256: str
    read: ReadDocument | None


class Outcomes:
    """Records what became of jobs. Called on the indexer and the reader thread."""

    def __init__(
        self,
        catalog: Catalog,
        jobs: Jobs,
        bus: Bus,
        progress: Progress,
        clock: Callable[[], float],
        look_at: Callable[[Collection[str]], object],
    ) -> None:
        """`look_at` compares single paths with the catalog, see `Scanning.look_at`."""
        self._catalog = catalog
        self._jobs = jobs
        self._bus = bus
        self._progress = progress
        self._clock = clock
        self._look_at = look_at

    def forget(self, job: Job) -> None:
        """The file vanished between the sweep and its turn.

        It is gone only if its source is there: what was read from a drive that was unplugged in
        between stays searchable.
        """
        self._jobs.finish(job)
        self._catalog.settle_for_now(job.document)
        self._look_at([job.path])
        self._bus.publish(LibraryChanged())

    def postpone(self, job: Job) -> None:
        """Nothing is wrong with the file: it has its turn again at once."""
        self._jobs.put_back(job, self._clock(), is_attempt=False)

    def wait_for_rest(self, job: Job) -> None:
        """The file is being written: look again shortly."""
        self._jobs.put_back(job, self._clock() + RETRY_AFTER_S[0], is_attempt=False)

    def give_up(self, job: Job, stamp: FileStamp, sha256: str, error: DesktopRagError) -> None:
        """Keep the reason and leave the file out until it changes."""
        logger.info("Document %d cannot be read: %s", job.document, error.code)
        self._catalog.mark_failed(job.document, stamp, sha256, error)
        self._jobs.finish(job)
        self._progress.failed(job)
        self._bus.publish(LibraryChanged((job.document,)))

    def try_again(self, job: Job, stamp: FileStamp, sha256: str, error: TransientError) -> None:
        """Later, and longer each time; a file that breaks its reader twice is left out."""
        is_reader_failure = isinstance(error, WorkerCrashed | WorkerTimedOut)
        if is_reader_failure and job.attempts + 1 >= MAX_READER_FAILURES:
            self.give_up(job, stamp, sha256, _quarantined(job, error))
            return
        delay_s = RETRY_AFTER_S[min(job.attempts, len(RETRY_AFTER_S) - 1)]
        self._jobs.put_back(job, self._clock() + delay_s, is_attempt=True)


def _quarantined(job: Job, error: TransientError) -> PermanentError:
    name = Path(job.path).name
    if isinstance(error, WorkerTimedOut):
        return ReaderTimedOut(
            f"Reading {name} took too long twice, so it was left out. Open it in its own program "
            "and save it again, or split it."
        )
    return ReaderCrashed(
        f"The reader crashed on {name} twice, so it was left out. Open it in its own program and "
        "save it again."
    )
