"""Works through the queue: reads files, embeds and stores them, then recognises scanned pages.

One indexer thread; a second one reads the next files and a third one embeds the chunks of the
last, while those before are stored.
Before a document's transaction nothing of it is visible, after it everything is recoverable, so
the program may be killed at any line of this module.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor

from desktop_rag.domain.documents import ReadDocument
from desktop_rag.domain.errors import Cancelled, DesktopRagError, Paused, UserError
from desktop_rag.domain.events import IndexingPaused, LibraryChanged
from desktop_rag.domain.ports import DocumentReader, SearchIndex
from desktop_rag.services.bus import Bus
from desktop_rag.services.milestones import Milestone, Milestones
from desktop_rag.services.outcomes import RETRY_AFTER_S, Outcomes, Prepared
from desktop_rag.services.politeness import BATTERY_EVERY_S, Politeness
from desktop_rag.services.progress import Progress
from desktop_rag.services.reading import Reading
from desktop_rag.services.rechunking import Pace, Rechunking
from desktop_rag.services.recognising import Recognition
from desktop_rag.services.scanning import Scanning
from desktop_rag.services.storing import EMBED_BATCH, EmbeddingBatch, Storing
from desktop_rag.services.synchronising import Synchroniser
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.jobs import Job, JobKind, Jobs
from desktop_rag.storage.written import WrittenTexts

logger = logging.getLogger(__name__)

Ahead = deque[tuple[Job, Future[Prepared | None]]]
"""Files that are being read or were read and not stored yet, in the order of their turns."""

_SWEEP = "sweep"
_ADOPTION = "adoption"
_AHEAD_FILES = 40
_AHEAD_BYTES = 4_000_000
"""How much is read while the last files are embedded: many small files, or one large."""
_SOON_S = 30.0
"""A retry that is due later than this does not keep `wait_until_idle` waiting."""
_HOLD_S = 0.5
_PAUSE_S = 30.0
"""How long to wait after an error that is not about a file (disk full, worker unavailable)."""


class Indexing:
    """The indexer. Its public methods may be called from any thread."""

    def __init__(
        self,
        catalog: Catalog,
        jobs: Jobs,
        changes: ChangeLog,
        scanning: Scanning,
        reader: DocumentReader,
        index: SearchIndex,
        bus: Bus,
        recognition: Recognition,
        politeness: Politeness,
        rechunking: Rechunking,
        written: WrittenTexts,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._milestones = Milestones()
        self._catalog = catalog
        self._jobs = jobs
        self._scanning = scanning
        self._bus = bus
        self._recognition = recognition
        self._politeness = politeness
        self._clock = clock
        self._synchroniser = Synchroniser(changes, index, self._check_stop)
        self._progress = Progress(jobs.workload, bus.publish, time.monotonic)
        outcomes = Outcomes(catalog, jobs, bus, self._progress, clock, scanning.look_at)
        self._rechunking = rechunking
        self._written = written
        self._reading = Reading(
            catalog, jobs, reader, recognition, outcomes, self._progress, self._finish
        )
        self._storing = Storing(
            catalog,
            index,
            self._synchroniser,
            outcomes,
            self._progress,
            bus,
            before_batch=self._before_batch,
            after_batch=self._rest,
        )
        self._rank = 0
        """Of the least urgent file that is being stored."""
        self._is_serving = False
        self._is_checked = False
        self._has_lost_jobs = False
        self._told_hold = ""
        # Held while the thread is started.
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    # ------------------------------------------------------------------ from any thread

    def start(self) -> None:
        """Sweep all sources and work through the queue. Does nothing when already running."""
        self._milestones.wake(_SWEEP, _ADOPTION)
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="indexer")
                self._thread.start()

    def wake(self) -> None:
        """The queue, the catalog or what is allowed has changed."""
        self._milestones.wake()

    def look_again(self) -> None:
        """What of the folders is wanted has changed: compare them soon, if indexing runs."""
        self._milestones.wake(_SWEEP)

    def adopt_recogniser(self) -> None:
        """Text recognition may have been switched on or off: queue what that concerns."""
        self._milestones.wake(_ADOPTION)

    def pause(self) -> None:
        """Begin no more work until `resume`, also after a restart. What was read stays usable."""
        self._politeness.pause()
        self.wake()

    def resume(self) -> None:
        """Go on after `pause`."""
        self._politeness.resume()
        self.wake()

    @property
    def is_paused(self) -> bool:
        """Whether the person paused indexing."""
        return self._politeness.is_paused

    def wait_until_idle(self, timeout_s: float | None = None) -> bool:
        """See `Milestone.IDLE`; false on time-out or close.

        Raises:
            DesktopRagError: indexing pauses for this reason and may stay so for long.
        """
        return self._milestones.wait_for(Milestone.IDLE, timeout_s)

    def wait_until_read(self, timeout_s: float | None = None) -> bool:
        """As `wait_until_idle`, but see `Milestone.READ`."""
        return self._milestones.wait_for(Milestone.READ, timeout_s)

    def wait_until_synchronised(self, timeout_s: float | None = None) -> bool:
        """As `wait_until_idle`, but see `Milestone.SYNCHRONISED`."""
        return self._milestones.wait_for(Milestone.SYNCHRONISED, timeout_s)

    def wait_until_swept(self, timeout_s: float | None = None) -> bool:
        """As `wait_until_idle`, but see `Milestone.SWEPT`."""
        return self._milestones.wait_for(Milestone.SWEPT, timeout_s)

    def ask_to_stop(self) -> None:
        """Stop after the current batch; what is half done starts again next time."""
        self._milestones.stop()

    def close(self) -> None:
        """Stop and wait for the indexer to end."""
        self.ask_to_stop()
        if self._thread is not None:
            self._thread.join()

    # ------------------------------------------------------------------ indexer thread

    def _run(self) -> None:
        with (
            ThreadPoolExecutor(1, thread_name_prefix="reader") as readers,
            ThreadPoolExecutor(1, thread_name_prefix="embedding") as embedders,
        ):
            while not self._milestones.is_stopping:
                try:
                    self._work(readers, embedders)
                except Cancelled:
                    return
                except DesktopRagError as error:
                    self._wait_out(error)
                except Exception:  # supervisor: a bug in one round never ends indexing
                    logger.exception("The indexer failed and goes on in %d s", _PAUSE_S)
                    self._wait_out(
                        UserError("Indexing failed in an unexpected way. The log has the details.")
                    )

    def _work(self, readers: Executor, embedders: Executor) -> None:
        """One round: index up to date, sweep if asked, read all there is, recognise one page."""
        self._begin_round()
        self._storing.synchronise()
        self._milestones.reach(Milestone.SYNCHRONISED)
        self._sweep_if_wanted()
        self._adopt_if_wanted()
        self._read_all(readers, embedders)
        self._catch_up()
        self._tell_read()
        # After each page whatever came meanwhile is read first.
        if not self._recognise_next():
            self._finish_run()
            self._wait_for_work()

    def _begin_round(self) -> None:
        self._milestones.begin_round()
        if self._has_lost_jobs:
            self._jobs.recover()
            self._has_lost_jobs = False

    def _sweep_if_wanted(self) -> None:
        if self._milestones.take(_SWEEP):
            try:
                report = self._scanning.sweep()
            except BaseException:
                self._milestones.wake(_SWEEP)  # still to be done once the pause is over
                raise
            if report.queued or report.removed:
                self._bus.publish(LibraryChanged())
            self._milestones.reach(Milestone.SWEPT)

    def _adopt_if_wanted(self) -> None:
        if self._milestones.take(_ADOPTION):
            try:
                queued = self._recognition.adopt()
            except BaseException:
                self._milestones.wake(_ADOPTION)
                raise
            if queued:
                self._bus.publish(LibraryChanged())

    # ------------------------------------------------------------------ files

    def _read_all(self, readers: Executor, embedders: Executor) -> None:
        """Read and store until no file is due; all of it goes on side by side."""
        ahead: Ahead = deque()
        embedding: EmbeddingBatch | None = None
        self._progress.resume()
        try:
            while True:
                self._read_ahead(readers, ahead)
                following: EmbeddingBatch | None = None
                if ahead and (embedding is None or ahead[0][1].done()):
                    following = self._begin(_next_documents(ahead), embedders, embedding)
                    self._read_ahead(readers, ahead)
                if embedding is not None:
                    self._storing.end(embedding)
                elif following is None and not ahead:
                    return
                embedding = following
        except BaseException:
            self._abandon(ahead)
            raise

    def _read_ahead(self, readers: Executor, ahead: Ahead) -> None:
        size = sum(job.size for job, _ in ahead)
        while len(ahead) < _AHEAD_FILES and size < _AHEAD_BYTES:
            job = self._claim(JobKind.READ)
            if job is None:
                return
            size += job.size
            ahead.append((job, readers.submit(self._read, job)))

    def _claim(self, kind: JobKind) -> Job | None:
        self._check_stop()
        if self._politeness.hold() is not None:
            return None
        return self._jobs.claim(self._clock(), (kind,))

    def _read(self, job: Job) -> Prepared | None:
        """On the reader thread."""
        self._give_way()
        self._progress.reading(job)
        started = time.monotonic()
        prepared = self._reading.read(job)
        self._rest(time.monotonic() - started)
        return prepared

    def _finish(self, job: Job, read: ReadDocument) -> ReadDocument:
        """On the reader or the indexer thread. May take hours, so a pause is obeyed within."""

        def wait() -> None:
            while self._politeness.hold() is not None and not self._milestones.is_stopping:
                self._milestones.sleep(_HOLD_S)
            self._give_way()

        def is_interrupted() -> bool:
            must_wait = self._politeness.has_to_yield() or self._politeness.hold() is not None
            return must_wait or self._milestones.is_stopping

        def tell(step: int, steps: int) -> None:
            self._progress.cutting(job, step, steps)

        kept = self._written.of(job.document)
        return self._rechunking.finish(read, Pace(wait, is_interrupted, tell), kept)

    def _begin(
        self, documents: list[Prepared], embedders: Executor, before: EmbeddingBatch | None
    ) -> EmbeddingBatch | None:
        if not documents:
            return None
        self._rank = max(one.job.rank for one in documents)
        return self._storing.begin(documents, embedders, before)

    def _before_batch(self) -> None:
        """Between two batches of a long document: answers first, then what was saved just now."""
        self._give_way()
        if self._milestones.is_woken and not self._is_serving and self._politeness.hold() is None:
            self._is_serving = True
            try:
                self._serve_urgent()
            finally:
                self._is_serving = False

    def _serve_urgent(self) -> None:
        rank = self._rank
        while (job := self._jobs.claim(self._clock(), (JobKind.READ,), rank)) is not None:
            self._progress.reading(job)
            prepared = self._reading.read(job)
            if prepared is not None:
                self._storing.store([prepared])
                self._storing.synchronise()

    def _abandon(self, ahead: Ahead) -> None:
        """Let reading come to its end; what was claimed is put back before the next round."""
        self._has_lost_jobs = True
        for _, future in ahead:
            future.cancel()
        for _, future in ahead:
            if not future.cancelled():
                future.exception()

    def _recognise_next(self) -> bool:
        """Recognise one page, or store what was recognised; false when nothing waits for that."""
        job = self._claim(JobKind.RECOGNISE)
        if job is None:
            return False
        try:
            self._give_way()
            started = time.monotonic()
            prepared = self._reading.recognise(job)
            if prepared is not None:
                self._rank = prepared.job.rank
                self._storing.store([prepared])
            self._rest(time.monotonic() - started)
        except BaseException:
            self._has_lost_jobs = True
            raise
        return True

    # ------------------------------------------------------------------ the end of a round

    def _catch_up(self) -> None:
        self._storing.synchronise()
        if not self._is_checked:
            self._synchroniser.repair(self._catalog.counts().chunks)
            self._is_checked = True
        self._synchroniser.settle()
        while self._catalog.entities.look_at_older():
            self._give_way()

    def _tell_read(self) -> None:
        due = self._jobs.next_due(JobKind.READ)
        if due is None or due - self._clock() > _SOON_S:
            self._milestones.reach(Milestone.READ)

    def _finish_run(self) -> None:
        if self._progress.finish():
            self._recognition.prune()
            self._bus.publish(LibraryChanged())

    def _wait_for_work(self) -> None:
        due = self._jobs.next_due()
        wait_s = None if due is None else max(0.0, due - self._clock())
        hold = self._politeness.hold()
        self._tell_hold(hold, is_work_left=due is not None)
        if hold is not None:
            wait_s = None if self._politeness.is_paused else BATTERY_EVERY_S
        if hold is not None and due is not None:
            self._milestones.fail(hold)
        elif wait_s is None or wait_s > _SOON_S:
            self._milestones.reach(Milestone.IDLE)
        self._milestones.wait_for_work(wait_s)

    def _tell_hold(self, hold: Paused | None, *, is_work_left: bool) -> None:
        reason = hold.message if hold is not None else ""
        is_worth_telling = is_work_left or self._politeness.is_paused
        if hold is not None and is_worth_telling and reason != self._told_hold:
            self._bus.publish(IndexingPaused(hold.message, hold.code))
        self._told_hold = reason

    # ------------------------------------------------------------------ pauses

    def _check_stop(self) -> None:
        if self._milestones.is_stopping:
            raise Cancelled("The program is closing.")

    def _give_way(self) -> None:
        """Whoever waits for an answer gets the processor. On both threads."""
        while self._politeness.has_to_yield() and not self._milestones.is_stopping:
            self._progress.yielding(is_yielding=True)
            self._milestones.sleep(0.1)
        self._progress.yielding(is_yielding=False)
        self._check_stop()

    def _rest(self, worked_s: float) -> None:
        """On both threads."""
        rest_s = self._politeness.rest_s(worked_s)
        if rest_s:
            self._milestones.sleep(rest_s)

    def _wait_out(self, error: DesktopRagError) -> None:
        """Wait before the next round; files are read again by themselves then."""
        level = logging.INFO if isinstance(error, UserError) else logging.WARNING
        logger.log(level, "Indexing pauses: %s", error.code)
        self._bus.publish(IndexingPaused(error.message, error.code))
        if isinstance(error, UserError):
            self._milestones.fail(error)
        self._milestones.sleep(_PAUSE_S if isinstance(error, UserError) else RETRY_AFTER_S[0])


def _next_documents(ahead: Ahead) -> list[Prepared]:
    """What the reader has finished, up to a batch for the embedder; waits for the first."""
    documents: list[Prepared] = []
    chunks = 0
    while ahead and chunks < EMBED_BATCH and (not documents or ahead[0][1].done()):
        prepared = ahead.popleft()[1].result()
        if prepared is not None:
            documents.append(prepared)
            chunks += len(prepared.read.chunks) if prepared.read is not None else 0
    return documents
