"""Inside a worker: the reader thread takes frames, the main thread runs one call at a time.

`run` is what multiprocessing starts. Engines are used on the main thread only; several of them
(PyMuPDF) are not thread-safe.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

from desktop_rag.domain.errors import Cancelled, DesktopRagError, TooLarge
from desktop_rag.workers import frames, isolation
from desktop_rag.workers.frames import Call, Cancel, Channel, Failure, Item, Result, Shutdown

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from desktop_rag.network import Use
    from desktop_rag.workers.methods import Host, Method
    from desktop_rag.workers.spec import ChildSpec

logger = logging.getLogger(__name__)

_START_FAILED = 3
"""Exit code of a child whose engine could not be opened and that has told why."""


class _Queue:
    """Calls in the order they are to be run; urgent ones first. Filled by the reader thread."""

    def __init__(self) -> None:
        # Guards everything here; held for moments only, by the reader and the main thread.
        self._changed = threading.Condition()
        self._urgent: deque[Call] = deque()
        self._ordinary: deque[Call] = deque()
        self._cancelled: set[int] = set()
        self._running = 0
        self.is_closing = False

    def put(self, call: Call) -> None:
        with self._changed:
            (self._urgent if call.is_urgent else self._ordinary).append(call)
            self._changed.notify()

    def cancel(self, call: int) -> None:
        with self._changed:
            queued = (waiting.id for queue in (self._urgent, self._ordinary) for waiting in queue)
            if call == self._running or call in queued:
                self._cancelled.add(call)

    def close(self) -> None:
        with self._changed:
            self.is_closing = True
            self._changed.notify()

    def take(self) -> Call | None:
        """Wait for the next call; `None` when the child is to end."""
        with self._changed:
            self._cancelled.discard(self._running)
            self._running = 0
            self._changed.wait_for(lambda: self._urgent or self._ordinary or self.is_closing)
            if self.is_closing:
                return None
            call = (self._urgent or self._ordinary).popleft()
            self._running = call.id
            return call

    def is_cancelled(self, call: int) -> bool:
        return self.is_closing or call in self._cancelled


def run(connection: Connection[Any, Any], spec: ChildSpec) -> None:
    """Serve calls until the parent says Shutdown or is gone."""
    isolation.ignore_interrupt()
    isolation.redirect_output(spec.log_file)
    channel, queue = Channel(connection), _Queue()
    is_sealed = isolation.refuse_network(spec.role, lambda use: _tell_of(use, channel))
    isolation.set_environment(spec.threads)
    if spec.is_modest:
        isolation.be_modest()
    isolation.limit_memory(spec.memory_mb)
    isolation.die_with_parent()
    # Before the engine opens: the parent may end while that takes its seconds.
    threading.Thread(target=_receive, args=(channel, queue), name="reader", daemon=True).start()
    host = _open(channel, spec)
    logger.info("%s worker is ready", spec.role)
    channel.send(frames.Ready(is_sealed))
    try:
        _serve(channel, queue, host, spec.role)
    finally:
        host.close()
    logging.shutdown()
    # No interpreter shutdown: destructors of native libraries are where they like to crash.
    os._exit(0)


def _tell_of(use: Use, channel: Channel) -> None:
    """Called where the network was tried; the parent counts. A parent that is gone need not."""
    with contextlib.suppress(OSError):
        channel.send(frames.NetworkUse(use.at, use.kind, use.target, use.is_refused, use.is_local))


def _receive(channel: Channel, queue: _Queue) -> None:
    """Reader thread. The parent's end, however it comes, ends this process at once.

    Even in the middle of a write: the library's lock is free now, and the next parent's child must
    not meet this one in the index folder. A store left half-written is begun anew.
    """
    try:
        while True:
            frame = channel.receive()
            if isinstance(frame, Call):
                queue.put(frame)
            elif isinstance(frame, Cancel):
                queue.cancel(frame.id)
            elif isinstance(frame, Shutdown):
                queue.close()
    except (EOFError, OSError, frames.FrameError):
        os._exit(0)


def _open(channel: Channel, spec: ChildSpec) -> Host:
    """Build the engine, or tell the parent why not and end."""
    try:
        function = _host_function(spec.host)
        options = frames.decode(msgspec.Raw(spec.options), get_type_hints(function)["options"])
        return function(options)
    except DesktopRagError as exc:
        logger.warning("the %s worker cannot start: %s", spec.role, exc.message)
        channel.send(Failure.of(0, exc))
    except Exception:
        logger.exception("the %s worker cannot start", spec.role)
        logging.shutdown()
        os._exit(1)
    logging.shutdown()
    os._exit(_START_FAILED)


def _host_function(name: str) -> Callable[[Any], Host]:
    module, _, function = name.partition(":")
    found: Callable[[Any], Host] = getattr(importlib.import_module(module), function)
    return found


def _serve(channel: Channel, queue: _Queue, host: Host, role: str) -> None:
    by_name = {method.name: (method, run) for method, run in host.methods.items()}
    while (call := queue.take()) is not None:
        channel.send(frames.Started(call.id))
        channel.send(_answer(channel, queue, call, by_name, role))
        isolation.bound_log()


def _answer(
    channel: Channel,
    queue: _Queue,
    call: Call,
    by_name: dict[str, tuple[Method[Any], Callable[..., Any]]],
    role: str,
) -> Result | Failure:
    """Run one call; whatever happens becomes a frame."""
    try:
        if queue.is_cancelled(call.id):
            return Failure.of(call.id, Cancelled("Stopped."))
        method, function = by_name[call.method]
        arguments = frames.decode(call.arguments, method.arguments)
        if not method.is_stream:
            return Result(call.id, frames.encode(function(*arguments)))
        for value in function(*arguments, lambda: queue.is_cancelled(call.id)):
            channel.send(Item(call.id, frames.encode(value)))
            if queue.is_cancelled(call.id):
                break
        return Result(call.id, frames.encode(None))
    except DesktopRagError as exc:
        return Failure.of(call.id, exc)
    except frames.FrameTooLarge as exc:
        return Failure.of(call.id, TooLarge(f"The {role} worker's result is too large: {exc}."))
    except MemoryError:
        return Failure.of(call.id, TooLarge(f"The {role} worker ran out of memory.", memory="all"))
    except Exception as exc:
        logger.exception("%s.%s failed", role, call.method)
        error = DesktopRagError(
            f"The {role} worker failed with an internal error ({type(exc).__name__}); "
            "the log has the details.",
            error=type(exc).__name__,
            method=call.method,
        )
        return Failure.of(call.id, error)
