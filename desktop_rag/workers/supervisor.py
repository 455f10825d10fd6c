"""Keeps one role's child alive and everyone else safe from it.

The child is started on first use. A call that outlives its time-out gets the child killed; a child
that dies is started again with back-off, and given up for a while when it keeps dying. A call that
the dead child had not begun is sent again unnoticed: only the call that was running is to blame.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import psutil

from desktop_rag.domain.errors import (
    Cancelled,
    RoleUnavailable,
    TooLarge,
    WorkerCrashed,
    WorkerTimedOut,
)
from desktop_rag.domain.health import WorkerFacts
from desktop_rag.workers import frames
from desktop_rag.workers.breaker import Breaker, Clock, SystemClock
from desktop_rag.workers.frames import Failure, Item
from desktop_rag.workers.own_program import own_program
from desktop_rag.workers.process import CallTimedOut, Pending, WorkerEnded, WorkerProcess

if TYPE_CHECKING:
    from desktop_rag.workers.methods import Method
    from desktop_rag.workers.spec import ChildSpec, WorkerSpec

logger = logging.getLogger(__name__)

R = TypeVar("R")

_SENDINGS = 5
"""How often a call is sent that dying children never began."""
_STREAM_SLICE_S = 0.02
"""Whoever changes a question while it is prepared waits for this and the child's own look."""
_TITLES = {
    "parse": "document reader",
    "ocr": "text recognition",
    "view": "page viewer",
    "index": "search index",
    "llm": "language model",
    "probe": "look at the model",
    "processor": "look at the processor",
}


class WorkerState(StrEnum):
    """What `on_state` is told."""

    STARTING = "starting"
    READY = "ready"
    STOPPED = "stopped"
    UNAVAILABLE = "unavailable"


OnState = Callable[[str, str, str], None]
"""(role, `WorkerState`, detail for a person). Called on any thread; must be quick."""


def _rss(worker: WorkerProcess) -> int:
    """Bytes of memory the child holds; 0 when it is gone."""
    with contextlib.suppress(psutil.Error):
        return int(psutil.Process(worker.pid).memory_info().rss)
    return 0


class Supervisor:
    """One role. Every method may be called from any thread; `call` and `start` may block."""

    def __init__(
        self, spec: WorkerSpec, on_state: OnState | None = None, clock: Clock | None = None
    ) -> None:
        self._spec = spec
        self._role = spec.child.role
        self._title = _TITLES.get(self._role, f"{self._role} worker")
        self._on_state = on_state
        self._clock = clock or SystemClock()
        self._breaker = Breaker(spec.policy, self._clock)
        self._closing = threading.Event()
        # Held by the one thread that starts or replaces the child; other callers wait on it.
        self._starting = threading.Lock()
        # Guards the fields below; held for moments, and while a process is being spawned.
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._recovery = spec.recovery
        self._is_recovery_due = False
        self._idle_timer: threading.Timer | None = None
        self._state = WorkerState.STOPPED
        self._starts = self._crashes = 0

    def facts(self) -> WorkerFacts:
        """How the role does now. Quick."""
        worker = self._worker
        is_there = worker is not None and worker.is_alive
        return WorkerFacts(
            role=self._role,
            state=self._state.value,
            pid=self.pid,
            memory=_rss(worker) if worker is not None and is_there else 0,
            starts=self._starts,
            crashes=self._crashes,
            is_sealed=worker is not None and is_there and worker.is_sealed,
        )

    @property
    def pid(self) -> int:
        """Process id of the child that runs now; 0 when there is none."""
        worker = self._worker
        return worker.pid if worker is not None and worker.is_alive else 0

    def start(self) -> None:
        """Start the child if it does not run, and wait until its engine is open.

        Raises:
            RoleUnavailable: it crashed too often and rests for a while, or the program was updated.
            Cancelled: the supervisor is closed.
            DesktopRagError: whatever opening the engine raised, e.g. ModelMissing.
        """
        self._running()
        self._wait_for_idleness()

    def call(self, method: Method[R], *arguments: object, timeout_s: float | None = None) -> R:
        """Run a method in the child and wait for its value.

        Args:
            method: which; a plain one.
            arguments: values of the types the method names.
            timeout_s: bound of the running time, waiting in the queue not counted.

        Raises:
            WorkerTimedOut: it took too long; the child was killed.
            WorkerCrashed: the child died while it ran this call.
            TooLarge: it took more memory than it may; the child was killed.
            RoleUnavailable, Cancelled: see `start`.
            DesktopRagError: whatever the method raised.
        """
        for _ in range(_SENDINGS):
            try:
                worker, pending = self._submit(method, arguments)
                reply = self._wait(worker, pending, timeout_s or self._spec.call_timeout_s)
            except WorkerEnded as exc:
                self._raise_if_guilty(exc)
                continue
            self._breaker.record_success()
            self._wait_for_idleness()
            if isinstance(reply, Failure):
                raise reply.error()
            return self._decoded(worker, reply.value, method)
        raise self._crashed("before it began")

    def stream(
        self,
        method: Method[R],
        *arguments: object,
        is_cancelled: Callable[[], bool] = lambda: False,
        timeout_s: float | None = None,
    ) -> Iterator[R]:
        """Run a stream in the child and yield its values.

        When `is_cancelled` turns true or the iterator is closed, the child is asked to stop; one
        that does not react within the grace time is killed. Then the stream ends quietly.
        `timeout_s` bounds the wait for each value. Raises like `call`.
        """
        for _ in range(_SENDINGS):
            if is_cancelled():
                return
            try:
                worker, pending = self._submit(method, arguments)
                yield from self._items(
                    worker, pending, method, is_cancelled, timeout_s or self._spec.call_timeout_s
                )
            except WorkerEnded as exc:
                self._raise_if_guilty(exc)
                continue
            return
        raise self._crashed("before it began")

    def reconfigure(self, spec: WorkerSpec) -> None:
        """Use another engine from the next call on. The old child is closed, crashes forgotten."""
        with self._starting:
            with self._lock:
                self._spec, worker, self._worker = spec, self._worker, None
            self._breaker.reset()
            if worker is not None:
                worker.close(spec.close_grace_s)

    def restart(self) -> None:
        """Begin anew: the child is closed, its crashes are forgotten, a rest is over. *May block.*

        The next call starts a fresh child; a call that runs in the old one fails.
        """
        self.reconfigure(self._spec)

    def close(self) -> None:
        """End the child by the ladder and refuse all further calls. Idempotent."""
        self._closing.set()
        with self._lock:
            worker, self._worker = self._worker, None
            if self._idle_timer is not None:
                self._idle_timer.cancel()
        if worker is not None:
            worker.close(self._spec.close_grace_s)

    # resting
    def _wait_for_idleness(self) -> None:
        """Begin to count the child's idle time anew."""
        if not self._spec.max_idle_s:
            return
        with self._lock:
            if self._idle_timer is not None:
                self._idle_timer.cancel()
            self._idle_timer = threading.Timer(self._spec.max_idle_s, self._end_idle)
            self._idle_timer.daemon = True
            self._idle_timer.start()

    def _end_idle(self) -> None:
        """A call that arrives at this very moment finds the child gone and starts a new one."""
        with self._starting:
            worker = self._worker
            if worker is not None and worker.is_idle:
                worker.close(self._spec.close_grace_s)

    # starting
    def _running(self) -> WorkerProcess:
        with self._starting:
            while True:
                self._check_open()
                worker = self._worker
                if worker is not None and worker.is_alive and worker.is_ready:
                    if not self._is_worn_out(worker):
                        return worker
                    worker.close(self._spec.close_grace_s)
                self._check_rest()
                if self._clock.wait(self._closing, self._breaker.backoff_s()):
                    self._check_open()
                self._start_once()

    def _check_open(self) -> None:
        if self._closing.is_set():
            raise Cancelled("The program is closing.")

    def _check_rest(self) -> None:
        rest_s = self._breaker.rest_s()
        if rest_s > 0:
            raise RoleUnavailable(
                f"The {self._title} crashed repeatedly and is switched off for "
                f"{max(round(rest_s / 60), 1)} min; everything else keeps working. "
                "Try again then, or look into the log.",
                role=self._role,
                rest_s=f"{rest_s:.0f}",
            )

    def _is_worn_out(self, worker: WorkerProcess) -> bool:
        spec = self._spec
        # A child that has done nothing is as fresh as its successor would be.
        if not worker.is_idle or not worker.completed:
            return False
        if spec.max_calls and worker.completed >= spec.max_calls:
            return True
        if not spec.max_rss_mb:
            return False
        return _rss(worker) > spec.max_rss_mb * 2**20

    def _start_once(self) -> None:
        """One try. Returns when the child is ready or has crashed, raises what opening raised."""
        spec = self._spec
        own_program.require_unchanged(self._role)
        worker = WorkerProcess(self._next_child(), self._on_exit)
        self._tell(WorkerState.STARTING)
        with self._lock:
            self._check_open()
            self._starts += 1
            try:
                worker.start()
            except OSError as exc:
                logger.warning("the %s worker cannot be started: %s", self._role, exc)
                self._count_crash(is_start=True)
                return
            self._worker = worker
        if not worker.wait_opened(spec.start_timeout_s):
            logger.warning("the %s worker did not start in time", self._role)
            self._count_crash(is_start=True)
            worker.kill()
        elif worker.is_ready:
            self._tell(WorkerState.READY)
        elif worker.open_error is not None:
            raise worker.open_error

    def _next_child(self) -> ChildSpec:
        with self._lock:
            if self._is_recovery_due and self._recovery is not None:
                child, self._recovery = self._recovery, None
                logger.warning(
                    "the %s worker crashed while starting; trying to recover", self._role
                )
                return child
            return self._spec.child

    def _on_exit(self, worker: WorkerProcess) -> None:
        """Reader thread of the child: it is gone."""
        if worker.is_expected_to_end:
            error = worker.open_error
            self._tell(WorkerState.STOPPED, error.message if error is not None else "")
            return
        logger.warning("the %s worker ended unexpectedly: %s", self._role, worker.exit_text())
        self._tell(WorkerState.STOPPED, f"The {self._title} crashed ({worker.exit_text()}).")
        self._count_crash(is_start=not worker.is_ready)

    def _count_crash(self, *, is_start: bool) -> None:
        self._crashes += 1
        if is_start:
            self._is_recovery_due = True
        if self._breaker.record_crash(is_start=is_start):
            self._tell(
                WorkerState.UNAVAILABLE,
                f"The {self._title} crashed repeatedly and is switched off for a while.",
            )

    def _tell(self, state: WorkerState, detail: str = "") -> None:
        self._state = state
        if self._on_state is not None:
            self._on_state(self._role, state.value, detail)

    # calling
    def _submit(
        self, method: Method[Any], arguments: tuple[object, ...]
    ) -> tuple[WorkerProcess, Pending]:
        worker = self._running()
        try:
            return worker, worker.submit(method, arguments)
        except frames.FrameTooLarge as exc:
            raise TooLarge(f"This is too much for the {self._title} at once: {exc}.") from exc

    def _wait(
        self, worker: WorkerProcess, pending: Pending, timeout_s: float
    ) -> frames.Result | Failure:
        try:
            while True:
                reply = worker.next_reply(pending, timeout_s)
                if reply is not None and not isinstance(reply, Item):
                    return reply
                if pending.started_at is not None:
                    self._check_memory(worker)
        except CallTimedOut:
            self._kill_late(worker, timeout_s)
        finally:
            worker.forget(pending)

    def _check_memory(self, worker: WorkerProcess) -> None:
        """Kill a child that grows beyond its bound; a few times a second while a call runs.

        The call that runs is to blame, so the error is permanent: it would happen again.
        """
        limit_mb = self._spec.max_call_rss_mb
        if not limit_mb or _rss(worker) <= limit_mb * 2**20:
            return
        logger.warning("the %s worker took over %s MB; ending it", self._role, limit_mb)
        worker.kill()
        self._count_crash(is_start=False)
        raise TooLarge(
            f"The {self._title} was stopped: it took more than {limit_mb / 1000:.1f} GB of memory.",
            memory=f"{limit_mb} MB",
        )

    def _items(
        self,
        worker: WorkerProcess,
        pending: Pending,
        method: Method[R],
        is_cancelled: Callable[[], bool],
        timeout_s: float,
    ) -> Iterator[R]:
        is_over = False
        try:
            while not is_cancelled():
                reply = worker.next_reply(pending, timeout_s, _STREAM_SLICE_S)
                if isinstance(reply, Item):
                    yield self._decoded(worker, reply.value, method)
                elif reply is not None:
                    is_over = True
                    self._breaker.record_success()
                    if isinstance(reply, Failure):
                        raise reply.error()
                    return
        except CallTimedOut:
            is_over = True
            self._kill_late(worker, timeout_s)
        except WorkerEnded:
            is_over = True
            raise
        finally:
            if not is_over:
                self._stop(worker, pending)
            worker.forget(pending)

    def _stop(self, worker: WorkerProcess, pending: Pending) -> None:
        """Cancel a stream; kill a child that runs it and does not react."""
        worker.cancel(pending)
        grace_s = self._spec.cancel_grace_s
        deadline = time.monotonic() + grace_s
        with contextlib.suppress(WorkerEnded, CallTimedOut):
            while pending.started_at is not None and time.monotonic() < deadline:
                reply = worker.next_reply(pending, grace_s * 2, _STREAM_SLICE_S)
                if reply is not None and not isinstance(reply, Item):
                    return
            if pending.started_at is not None:
                worker.kill()

    def _decoded(self, worker: WorkerProcess, value: Any, method: Method[R]) -> R:
        try:
            return frames.decode(value, method.result)
        except frames.FrameError as exc:
            logger.warning("the %s worker answered nonsense: %s", self._role, exc)
            worker.kill()
            self._count_crash(is_start=False)
            raise WorkerCrashed(f"The {self._title} gave an unusable answer.") from exc

    def _kill_late(self, worker: WorkerProcess, timeout_s: float) -> NoReturn:
        logger.warning("the %s worker took over %.1f s; ending it", self._role, timeout_s)
        worker.kill()
        self._count_crash(is_start=False)
        raise WorkerTimedOut(
            f"The {self._title} did not answer within {timeout_s:.0f} s and was stopped.",
            role=self._role,
        )

    def _raise_if_guilty(self, ended: WorkerEnded) -> None:
        """A call that was running when the child died is not sent again."""
        self._check_open()
        if ended.was_started:
            raise self._crashed("while it worked on this")

    def _crashed(self, when: str) -> WorkerCrashed:
        return WorkerCrashed(
            f"The {self._title} crashed {when}; it starts again with the next try.", role=self._role
        )
