"""One life of one child as the parent sees it: spawn, submit, wait, kill, close.

Restarting and giving up is the business of `supervisor`.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import multiprocessing
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from desktop_rag import network
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.network import MAX_TARGET
from desktop_rag.workers import child, frames
from desktop_rag.workers.frames import Call, Cancel, Channel, Failure, Item, Result

if TYPE_CHECKING:
    from desktop_rag.workers.methods import Method
    from desktop_rag.workers.spec import ChildSpec

logger = logging.getLogger(__name__)

# multiprocessing's bookkeeping of children is not made for spawning from several threads at once.
_spawning = threading.Lock()
_context = multiprocessing.get_context("spawn")
_EXIT_WAIT_S = 2.0
_TERMINATE_WAIT_S = 0.5
_SLICE_S = 0.25
STALL_S = 30.0
"""A child that runs nothing and yet starts no queued call for so long is stuck."""


class WorkerEnded(Exception):
    """The child is gone. `was_started`: it had begun this call, which may be what ended it."""

    def __init__(self, *, was_started: bool) -> None:
        super().__init__("the worker process ended")
        self.was_started = was_started


class CallTimedOut(Exception):
    """The child did not answer in time. It is still running: kill it."""


Reply = Item | Result | Failure


class Pending:
    """A call that has been sent. Read by one thread, fed by the reader thread."""

    def __init__(self, call: int) -> None:
        self.id = call
        self.started_at: float | None = None
        # `None`: the child ended.
        self.replies: queue.SimpleQueue[Reply | None] = queue.SimpleQueue()


class WorkerProcess:
    """A spawned child and the thread that reads from it.

    `on_exit` is called once, on the reader thread, when the child is gone and before waiting calls
    learn of it.
    """

    def __init__(self, spec: ChildSpec, on_exit: Callable[[WorkerProcess], None]) -> None:
        self.spec = spec
        self.is_ready = False
        self.is_sealed = False
        self.is_expected_to_end = False
        self.open_error: DesktopRagError | None = None
        self.completed = 0
        self._on_exit = on_exit
        self._ids = itertools.count(1)
        # Guards the table of pending calls; held for moments only.
        self._lock = threading.Lock()
        self._pending: dict[int, Pending] = {}
        self._is_over = False
        self._opened = threading.Event()
        self._gone = threading.Event()
        self._last_frame_at = time.monotonic()
        # Held while the child is signalled or reaped, so that no signal meets a recycled pid.
        self._ending = threading.Lock()

    def start(self) -> None:
        """Spawn the child; returns before it is ready.

        Raises:
            OSError: the system refuses another process.
        """
        ours, theirs = _context.Pipe(duplex=True)
        self._channel = Channel(ours)
        self._process = _context.Process(
            target=child.run, args=(theirs, self.spec), name=f"{self.spec.role}-worker", daemon=True
        )
        try:
            with _spawning, _without_interrupts():
                self._process.start()
            self._sentinel = self._process.sentinel
        except OSError:
            ours.close()
            raise
        finally:
            # With our copy open, the child's end would not be seen as EOF.
            theirs.close()
        self._reader = threading.Thread(
            target=self._read, name=f"{self.spec.role}-worker-reader", daemon=True
        )
        self._reader.start()

    @property
    def pid(self) -> int:
        """Process id of the child."""
        return self._process.pid or 0

    @property
    def is_alive(self) -> bool:
        """Whether calls can be sent."""
        return not self._is_over

    @property
    def is_idle(self) -> bool:
        """Whether nobody waits for an answer."""
        with self._lock:
            return not self._pending

    def exit_text(self) -> str:
        """How the child ended, for a person and a log: `SIGSEGV`, `exit code 1`."""
        code = self._process.exitcode
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                return signal.Signals(-code).name
        return f"exit code {code}"

    def wait_opened(self, timeout_s: float) -> bool:
        """Wait until the engine is open (`is_ready`) or the child has ended; false on time-out."""
        return self._opened.wait(timeout_s)

    # calls
    def submit(self, method: Method[Any], arguments: tuple[object, ...]) -> Pending:
        """Send a call.

        Raises:
            FrameTooLarge: the arguments do not fit into a frame; nothing was sent.
            WorkerEnded: the child is gone.
        """
        packed = frames.encode(arguments)
        with self._lock:
            if self._is_over:
                raise WorkerEnded(was_started=False)
            pending = Pending(next(self._ids))
            if not self._pending:
                self._last_frame_at = time.monotonic()
            self._pending[pending.id] = pending
        try:
            self._channel.send(Call(pending.id, method.name, packed, method.is_urgent))
        except OSError:
            self.forget(pending)
            self._signal(self._process.kill)
            raise WorkerEnded(was_started=False) from None
        return pending

    def next_reply(
        self, pending: Pending, timeout_s: float, slice_s: float = _SLICE_S
    ) -> Reply | None:
        """Wait up to `slice_s` for the call's next frame; `None` when there is none yet.

        The time-out counts from when the child began the call (or sent the last item), not while
        the call waits behind others: those have time-outs of their own.

        Raises:
            CallTimedOut, WorkerEnded: see there.
        """
        try:
            reply = pending.replies.get(timeout=min(slice_s, max(timeout_s, 0.01)))
        except queue.Empty:
            self._check_time(pending, timeout_s)
            return None
        if reply is None:
            raise WorkerEnded(was_started=pending.started_at is not None)
        return reply

    def _check_time(self, pending: Pending, timeout_s: float) -> None:
        now = time.monotonic()
        if pending.started_at is not None:
            is_late = now - pending.started_at > timeout_s
        else:
            with self._lock:
                is_working = any(p.started_at is not None for p in self._pending.values())
            is_late = not is_working and now - self._last_frame_at > STALL_S
        if is_late:
            raise CallTimedOut

    def cancel(self, pending: Pending) -> None:
        """Ask the child to stop a call."""
        with contextlib.suppress(OSError):
            self._channel.send(Cancel(pending.id), wait_s=0.1)

    def forget(self, pending: Pending) -> None:
        """Nobody waits for this call any more; late frames of it are dropped."""
        with self._lock:
            self._pending.pop(pending.id, None)

    # the end
    def kill(self) -> None:
        """End the child now. Returns when it is gone and all waiting calls know."""
        self.is_expected_to_end = True
        self._signal(self._process.kill)
        self._join_reader()

    def close(self, grace_s: float) -> None:
        """Ask the child to end, wait `grace_s`, terminate, kill."""
        self.is_expected_to_end = True
        deadline = time.monotonic() + grace_s
        with contextlib.suppress(OSError):
            self._channel.send(frames.Shutdown(), wait_s=grace_s)
        if not self._gone.wait(max(deadline - time.monotonic(), 0.0)):
            logger.info("the %s worker did not close in time; ending it", self.spec.role)
            self._signal(self._process.terminate)
            self._gone.wait(_TERMINATE_WAIT_S)
        self._signal(self._process.kill)
        self._join_reader()

    def _signal(self, how: Callable[[], None]) -> None:
        with self._ending, contextlib.suppress(OSError):
            if not self._gone.is_set():
                how()

    def _join_reader(self) -> None:
        if threading.current_thread() is not self._reader:
            self._reader.join()

    # reader thread
    def _read(self) -> None:
        try:
            while True:
                self._dispatch(self._channel.receive())
        except (EOFError, OSError):
            pass
        except frames.FrameError as exc:
            # It talks nonsense: nothing it says can be trusted any more.
            logger.info("the %s worker broke the protocol: %s", self.spec.role, exc)
            self._signal(self._process.kill)
        self._reap()
        self._finish()

    def _reap(self) -> None:
        if not wait([self._sentinel], _EXIT_WAIT_S):
            # It closed its end of the pipe and lives on: nobody can talk to it any more.
            self._signal(self._process.kill)
            wait([self._sentinel])
        with self._ending:
            self._process.join()
            self._gone.set()

    def _dispatch(self, frame: frames.Frame) -> None:
        self._last_frame_at = time.monotonic()
        if isinstance(frame, frames.Ready):
            self.is_ready, self.is_sealed = True, frame.is_sealed
            self._opened.set()
            return
        if isinstance(frame, frames.NetworkUse):
            self._note(frame)
            return
        if isinstance(frame, Failure) and frame.id == 0:
            self.open_error = frame.error()
            self.is_expected_to_end = True
            return
        if isinstance(frame, (frames.Started, Item, Result, Failure)):
            self._deliver(frame)

    def _note(self, told: frames.NetworkUse) -> None:
        """Count it with the program's own uses of the network."""
        role, target = self.spec.role, told.target[:MAX_TARGET]
        network.record.add(
            network.Use(told.at, role, told.kind, target, "", told.is_refused, told.is_local)
        )

    def _deliver(self, frame: frames.Started | Item | Result | Failure) -> None:
        with self._lock:
            pending = self._pending.get(frame.id)
            if not isinstance(frame, (frames.Started, Item)):
                self.completed += 1
                self._pending.pop(frame.id, None)
        if pending is None:
            return
        if isinstance(frame, (frames.Started, Item)):
            pending.started_at = time.monotonic()
        if not isinstance(frame, frames.Started):
            pending.replies.put(frame)

    def _finish(self) -> None:
        with self._lock:
            self._is_over = True
            waiting = list(self._pending.values())
            self._pending.clear()
        self._on_exit(self)
        self._channel.close()
        self._opened.set()
        for pending in waiting:
            pending.replies.put(None)


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl+C is the parent's business; a child must not see it before it can ignore it.

    The child inherits the blocked signal. Windows has no signal masks.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
