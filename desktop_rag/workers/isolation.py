"""What a child does before any engine is imported.

No connections (being offline is a promise), its own log for whatever native code prints, no
reaction to Ctrl-C (the parent decides), and an end when the parent ends.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import logging
import multiprocessing
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from desktop_rag import network, paths
from desktop_rag.network import Use
from desktop_rag.workers import no_sockets

_NICE = 10
_READERS = frozenset({"parse", "ocr"})
MAX_LOG_BYTES = 4 * 1024 * 1024
_SNAPS = Path("/snap")


def refuse_network(role: str, tell: Callable[[Use], None]) -> bool:
    """Make every connection, socket address and name look-up an error; `tell` hears of tries.

    Returns:
        Whether the kernel refuses them, too, also those of native code and of other programs that
        are started. Elsewhere an audit hook refuses them to Python code, and the environment
        switches the telemetry of native code off.
    """
    network.install(role)
    network.forbid(is_forbidden=True)
    network.record.listen(tell)
    return not (role in _READERS and _needs_more_rights()) and no_sockets.refuse_sockets()


def _needs_more_rights() -> bool:
    """Whether LibreOffice is a snap: those start with rights that a sealed process cannot get."""
    found = shutil.which("soffice") or shutil.which("libreoffice") or _SNAPS / "bin/libreoffice"
    return Path(found).is_relative_to(_SNAPS) and Path(found).exists()


def set_environment(threads: int) -> None:
    """Tell libraries to stay offline, quiet, and within the thread budget."""
    os.environ.update(
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_OFFLINE="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        ANONYMIZED_TELEMETRY="False",
        DO_NOT_TRACK="1",
        ORT_DISABLE_TELEMETRY="1",
        TOKENIZERS_PARALLELISM="false",
        OMP_NUM_THREADS=str(threads),
        OPENBLAS_NUM_THREADS=str(threads),
        MKL_NUM_THREADS=str(threads),
        NUMEXPR_NUM_THREADS=str(threads),
    )


def redirect_output(log_file: Path | None) -> None:
    """Send file descriptors 1 and 2, and Python's log, to the worker's log file.

    A library that prints cannot disturb the parent's output, and what a dying library says is kept.
    """
    target = _open_log(log_file)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(target, 1)
    os.dup2(target, 2)
    for spent in (target, nothing):
        if spent > 2:
            os.close(spent)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8", "backslashreplace")
    sys.stderr = io.TextIOWrapper(
        io.FileIO(2, "w", closefd=False), "utf-8", "backslashreplace", write_through=True
    )
    sys.stdout.reconfigure(line_buffering=True)
    faulthandler.enable(file=sys.stderr)
    logging.basicConfig(
        level=logging.INFO,
        stream=sys.stderr,
        format=f"%(asctime)s {os.getpid()} %(levelname)s %(name)s: %(message)s",
        force=True,
    )


def _open_log(log_file: Path | None) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    if log_file is not None:
        # A full or read-only disk must not keep the engine from working.
        with contextlib.suppress(OSError):
            paths.make_private(log_file.parent)
            _rotate(log_file)
            return os.open(log_file, flags, 0o600)
    return os.open(os.devnull, os.O_WRONLY)


def _rotate(log_file: Path) -> None:
    """Keep one older log. An old child that still writes on Windows makes this fail: no harm."""
    with contextlib.suppress(OSError):
        if log_file.stat().st_size > MAX_LOG_BYTES:
            log_file.replace(log_file.with_suffix(".old.log"))


def bound_log() -> None:
    """Empty a log that a chatty library filled; called between calls."""
    with contextlib.suppress(OSError):
        if os.fstat(2).st_size > 2 * MAX_LOG_BYTES:
            os.ftruncate(2, 0)


def be_modest() -> None:
    """Let every other program come first, for the processor and the disk.

    Called before an engine starts its threads: they inherit it.
    """
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            os.nice(_NICE)  # schedulers of disks follow it, too
        else:
            import psutil

            process = psutil.Process()
            process.nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
            process.ionice(psutil.IOPRIO_LOW)


def limit_memory(megabytes: int) -> None:
    """On Linux, let allocations beyond this fail: what a parent that looks now and then misses.

    It bounds what is allocated, which is more than what is used, so it is set well above the limit
    the parent watches.
    """
    if megabytes and sys.platform == "linux":
        import resource

        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 2**20, megabytes * 2**20))


def ignore_interrupt() -> None:
    """Ctrl-C reaches the whole process group of a terminal; only the parent acts on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def die_with_parent() -> None:
    """On Linux, have the kernel end this process when the parent is gone.

    The reader thread sees the parent's end too, but cannot run while native code holds the
    interpreter lock. multiprocessing keeps a pipe open whose only writer is the parent; its hang-up
    raises SIGIO, which ends a process that has no handler for it.
    """
    parent = multiprocessing.parent_process()
    if sys.platform != "linux" or parent is None:
        return
    import fcntl

    lifeline = parent.sentinel
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
