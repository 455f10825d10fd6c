"""Standard input for the protocol, which ends when a signal says so, too."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from io import RawIOBase, TextIOWrapper

_PIECE = 65_536
_ENDING = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def incoming() -> Iterator[TextIOWrapper]:
    """What the client writes, line by line, until it or SIGTERM or Ctrl+C ends it.

    The event loop reads it on a thread that cannot be interrupted; only an end of input brings that
    thread back. So input goes through a pipe, whose other end a signal can close: there is one way
    to end, with everything put in order. Workers get an empty standard input instead.
    """
    source = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    reading, writing = os.pipe()
    pipe = os.fdopen(writing, "wb", buffering=0)
    # A daemon: it hangs in a read when the program ends by a signal.
    threading.Thread(target=_pump, args=(source, pipe), name="stdin", daemon=True).start()
    usual = {one: signal.signal(one, lambda *_: pipe.close()) for one in _ENDING}
    try:
        yield TextIOWrapper(os.fdopen(reading, "rb"), encoding="utf-8", errors="replace")
    finally:
        for one, handler in usual.items():
            signal.signal(one, handler)


def _pump(source: int, pipe: RawIOBase) -> None:
    """Copy input until it ends, or until the pipe is closed."""
    with contextlib.suppress(OSError, ValueError), pipe:
        while piece := os.read(source, _PIECE):
            pipe.write(piece)


def is_typed() -> bool:
    """Whether a person sits at standard input instead of a program."""
    return sys.stdin is not None and sys.stdin.isatty()
