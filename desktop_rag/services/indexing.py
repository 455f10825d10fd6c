"""Works through the queue: reads files, embeds their chunks, stores them, updates the index.

One indexer thread; a second one reads the next file while the chunks of the last are embedded.
Before a document's transaction nothing of it is visible, after it everything is recoverable, so
the program may be killed at any line of this module.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.documents import ReadDocument
from desktop_rag.domain.errors import (
    Cancelled,
    DesktopRagError,
    FileBusy,
    NotFound,
    PermanentError,
    ReaderCrashed,
    ReaderTimedOut,
    TransientError,
    UserError,
    WorkerCrashed,
    WorkerTimedOut,
)
from desktop_rag.domain.events import IndexingPaused, LibraryChanged
from desktop_rag.domain.ports import DocumentReader, SearchIndex
from desktop_rag.services.bus import Bus
from desktop_rag.services.progress import Progress
from desktop_rag.services.scanning import Scanning
from desktop_rag.services.synchronising import Synchroniser
from desktop_rag.storage.catalog import Catalog, FileStamp, KnownFile, embedding_hash
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.folders import stamp_of
from desktop_rag.storage.jobs import Job, Jobs

logger = logging.getLogger(__name__)

_EMBED_BATCH = 32
_SYNC_AFTER_CHUNKS = 256
_MAX_READER_FAILURES = 2
_RETRY_AFTER_S = (2.0, 10.0, 60.0, 300.0)
_SOON_S = 30.0
"""A retry that is due later than this does not keep `wait_until_idle` waiting."""
_PAUSE_S = 30.0
"""How long to wait after an error that is not about a file (disk full, worker unavailable)."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was looked at: unchanged (`read` is `None`) or read."""

    job: Job
    stamp: FileStamp
    sha256: str
    read: ReadDocument | None


class Indexing:
    """The indexer. `start`, `wake`, `wait_until_idle` and `close` may be called from any thread."""

    def __init__(
        self,
        catalog: Catalog,
        jobs: Jobs,
        changes: ChangeLog,
        scanning: Scanning,
        reader: DocumentReader,
        index: SearchIndex,
        bus: Bus,
        is_answering: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._catalog = catalog
        self._jobs = jobs
        self._scanning = scanning
        self._reader = reader
        self._index = index
        self._bus = bus
        self._is_answering = is_answering
        self._clock = clock
        self._synchroniser = Synchroniser(changes, index, self._check_stop)
        self._progress = Progress(jobs.pending, bus.publish, time.monotonic)
        self._unsynchronised = 0
        self._is_unsettled = False
        self._is_checked = False
        self._is_synchronised = False
        self._is_swept = False
        # Guards the flags below; `wait_until_idle` waits on it too.
        self._state = threading.Condition()
        self._is_stopping = False
        self._is_woken = False
        self._wants_sweep = False
        self._is_idle = False
        self._failure: DesktopRagError | None = None
        self._thread: threading.Thread | None = None

    # ------------------------------------------------------------------ from any thread

    def start(self) -> None:
        """Sweep all sources and work through the queue. Does nothing when already running."""
        with self._state:
            self._wants_sweep = self._is_woken = True
            self._is_idle = False
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="indexer")
                self._thread.start()
            self._state.notify_all()

    def wake(self) -> None:
        """The queue or the catalog has changed."""
        with self._state:
            self._is_woken = True
            self._is_idle = False
            self._state.notify_all()

    def wait_until_idle(self, timeout_s: float | None = None) -> bool:
        """Wait until every queued file is searchable or failed; false on time-out or close.

        Raises:
            DesktopRagError: indexing pauses for this reason and may stay so for long.
        """
        return self._wait_for(lambda: self._is_idle, timeout_s)

    def wait_until_synchronised(self, timeout_s: float | None = None) -> bool:
        """Wait until the index holds all that was stored before the start; false on time-out.

        Raises:
            DesktopRagError: indexing pauses for this reason and may stay so for long.
        """
        return self._wait_for(lambda: self._is_synchronised, timeout_s)

    def wait_until_swept(self, timeout_s: float | None = None) -> bool:
        """Wait until all sources have been compared with the catalog; false on time-out.

        Raises:
            DesktopRagError: indexing pauses for this reason and may stay so for long.
        """
        return self._wait_for(lambda: self._is_swept, timeout_s)

    def _wait_for(self, is_reached: Callable[[], bool], timeout_s: float | None) -> bool:
        with self._state:
            self._state.wait_for(
                lambda: is_reached() or self._is_stopping or self._failure, timeout_s
            )
            if self._failure is not None and not is_reached():
                raise self._failure
            return is_reached()

    def ask_to_stop(self) -> None:
        """Stop after the current batch; what is half done starts again next time."""
        with self._state:
            self._is_stopping = True
            self._state.notify_all()

    def close(self) -> None:
        """Stop and wait for the indexer to end."""
        self.ask_to_stop()
        if self._thread is not None:
            self._thread.join()

    # ------------------------------------------------------------------ indexer thread

    def _run(self) -> None:
        with ThreadPoolExecutor(1, thread_name_prefix="reader") as readers:
            while not self._is_stopping:
                try:
                    self._work(readers)
                except Cancelled:
                    return
                except DesktopRagError as error:
                    self._pause(error)
                except Exception:  # supervisor: a bug in one round never ends indexing
                    logger.exception("The indexer failed and goes on in %d s", _PAUSE_S)
                    self._pause(
                        UserError("Indexing failed in an unexpected way. The log has the details.")
                    )

    def _work(self, readers: ThreadPoolExecutor) -> None:
        """One round: bring the index up to date, sweep if asked, empty the queue, then wait."""
        self._failure = None
        self._synchroniser.synchronise()
        with self._state:
            self._is_synchronised = True
            self._state.notify_all()
        self._sweep_if_wanted()
        following = self._submit_next(readers)
        while following is not None:
            current, following = following, None
            prepared = current.result()
            # The next file is read while this one's chunks are embedded.
            following = self._submit_next(readers)
            try:
                if prepared is not None:
                    self._store(prepared)
            except BaseException:
                self._abandon(following)
                raise
        self._catch_up()
        self._wait_for_work()

    def _sweep_if_wanted(self) -> None:
        with self._state:
            is_wanted, self._wants_sweep = self._wants_sweep, False
        if is_wanted:
            try:
                report = self._scanning.sweep()
            except BaseException:
                self._wants_sweep = True  # still to be done once the pause is over
                raise
            if report.queued or report.removed:
                self._bus.publish(LibraryChanged())
            with self._state:
                self._is_swept = True
                self._state.notify_all()

    def _catch_up(self) -> None:
        self._synchroniser.synchronise()
        self._unsynchronised = 0
        if not self._is_checked:
            self._synchroniser.repair(self._catalog.counts().chunks)
            self._is_checked = True
        if self._is_unsettled:
            self._synchroniser.settle()
            self._is_unsettled = False
        if self._progress.finish():
            self._bus.publish(LibraryChanged())

    def _wait_for_work(self) -> None:
        with self._state:
            due = self._jobs.next_due()
            wait_s = None if due is None else max(0.0, due - self._clock())
            if not self._is_woken and (wait_s is None or wait_s > _SOON_S):
                self._is_idle = True
                self._state.notify_all()
            self._state.wait_for(lambda: self._is_stopping or self._is_woken, wait_s)
            self._is_woken = False

    def _submit_next(self, readers: ThreadPoolExecutor) -> Future[Prepared | None] | None:
        self._check_stop()
        job = self._jobs.claim(self._clock())
        if job is None:
            return None
        self._progress.reading(job.path)
        return readers.submit(self._prepare, job)

    def _abandon(self, following: Future[Prepared | None] | None) -> None:
        """Put back the job that was being read ahead."""
        if following is None:
            return
        try:
            prepared = following.result()
        except DesktopRagError:
            return
        if prepared is not None:
            self._jobs.put_back(prepared.job, self._clock(), is_attempt=False)

    # ------------------------------------------------------------------ one file

    def _prepare(self, job: Job) -> Prepared | None:
        """Look at a file and read it if it changed; failures are recorded. On the reader thread."""
        known = self._catalog.known_file(job.document)
        if known is None:
            self._jobs.finish(job)
            return None
        stamp, sha256 = FileStamp(0, 0), ""
        try:
            stamp = stamp_of(Path(job.path))
            sha256 = self._reader.digest(Path(job.path))
            if self._is_unchanged(known, sha256):
                return Prepared(job, stamp, sha256, None)
            return Prepared(job, stamp, sha256, self._reader.read(Path(job.path)))
        except NotFound:
            self._forget(job)
        except PermanentError as error:
            self._give_up(job, stamp, sha256, error)
        except TransientError as error:
            self._try_again(job, stamp, sha256, error)
        except (Cancelled, UserError):
            self._jobs.put_back(job, self._clock(), is_attempt=False)
            raise
        except Exception:  # supervisor: a bug met on one file never stops the others
            logger.exception("Reading document %d failed", job.document)
            self._try_again(job, stamp, sha256, WorkerCrashed(f"Reading {job.path} failed."))
        return None

    def _is_unchanged(self, known: KnownFile, sha256: str) -> bool:
        was_read = bool(known.reader) and known.sha256 == sha256
        return was_read and known.reader in self._reader.versions().values()

    def _store(self, prepared: Prepared) -> None:
        """Embed what is new of a document and store it in one transaction."""
        job = prepared.job
        try:
            if prepared.read is None:
                self._catalog.mark_unchanged(job.document, prepared.stamp)
                self._jobs.finish(job)
            else:
                self._embed_and_replace(prepared, prepared.read)
        except FileBusy:
            self._jobs.put_back(job, self._clock() + _RETRY_AFTER_S[0], is_attempt=False)
            return
        except NotFound:
            self._forget(job)
            return
        except BaseException:
            self._jobs.put_back(job, self._clock(), is_attempt=False)
            raise
        self._progress.done()
        self._bus.publish(LibraryChanged((job.document,)))

    def _embed_and_replace(self, prepared: Prepared, read: ReadDocument) -> None:
        fingerprint = self._synchroniser.embedder().fingerprint
        texts = {embedding_hash(c.embedding_text): c.embedding_text for c in read.chunks}
        missing = self._catalog.missing_vectors(list(texts), fingerprint)
        vectors = self._embed({key: text for key, text in texts.items() if key in missing})
        if stamp_of(Path(prepared.job.path)) != prepared.stamp:
            raise FileBusy(f"{prepared.job.path} changed while it was read.")
        self._catalog.replace(
            prepared.job.document, read, prepared.stamp, prepared.sha256, vectors, fingerprint
        )
        self._is_unsettled = True
        self._unsynchronised += len(read.chunks)
        if self._unsynchronised >= _SYNC_AFTER_CHUNKS:
            self._unsynchronised = 0
            self._synchroniser.synchronise()

    def _embed(self, texts: dict[bytes, str]) -> dict[bytes, bytes]:
        keys = sorted(texts, key=lambda key: len(texts[key]))
        vectors: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _EMBED_BATCH):
            self._check_stop()
            self._yield_to_answers()
            batch = keys[start : start + _EMBED_BATCH]
            embedded = self._index.embed([texts[key] for key in batch])
            vectors.update(zip(batch, embedded, strict=True))
        return vectors

    def _forget(self, job: Job) -> None:
        """The file vanished between the sweep and its turn; the next sweep decides about it."""
        self._jobs.finish(job)
        known = self._catalog.known_file(job.document)
        if known is not None and Path(job.path).parent.exists():
            self._catalog.remove([job.document])
        self._bus.publish(LibraryChanged())

    def _give_up(self, job: Job, stamp: FileStamp, sha256: str, error: DesktopRagError) -> None:
        logger.info("Document %d cannot be read: %s", job.document, error.code)
        self._catalog.mark_failed(job.document, stamp, sha256, error)
        self._jobs.finish(job)
        self._progress.failed()
        self._bus.publish(LibraryChanged((job.document,)))

    def _try_again(self, job: Job, stamp: FileStamp, sha256: str, error: TransientError) -> None:
        is_reader_failure = isinstance(error, WorkerCrashed | WorkerTimedOut)
        if is_reader_failure and job.attempts + 1 >= _MAX_READER_FAILURES:
            self._give_up(job, stamp, sha256, _quarantined(job, error))
            return
        delay_s = _RETRY_AFTER_S[min(job.attempts, len(_RETRY_AFTER_S) - 1)]
        self._jobs.put_back(job, self._clock() + delay_s, is_attempt=True)

    # ------------------------------------------------------------------ pauses

    def _check_stop(self) -> None:
        if self._is_stopping:
            raise Cancelled("The program is closing.")

    def _yield_to_answers(self) -> None:
        """Whoever waits for an answer gets the processor."""
        while self._is_answering() and not self._is_stopping:
            self._sleep(0.1)

    def _pause(self, error: DesktopRagError) -> None:
        level = logging.INFO if isinstance(error, UserError) else logging.WARNING
        logger.log(level, "Indexing pauses: %s", error.code)
        self._bus.publish(IndexingPaused(error.message, error.code))
        if isinstance(error, UserError):
            with self._state:
                self._failure = error
                self._state.notify_all()
        self._sleep(_PAUSE_S if isinstance(error, UserError) else _RETRY_AFTER_S[0])

    def _sleep(self, seconds: float) -> None:
        with self._state:
            self._state.wait_for(lambda: self._is_stopping, seconds)


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
