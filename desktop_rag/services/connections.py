"""What the program did on the network since it was started: counted, listed, and forbidden.

Two sources: what Python code of every process told (`desktop_rag.network`), and now and then a look
into the system's own table of sockets, for what native code does. A connection that native code
opens and closes between two looks is not seen; in sealed workers the kernel lets it open none.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from socket import SOCK_DGRAM

import psutil

from desktop_rag import network
from desktop_rag.domain.health import WorkerFacts
from desktop_rag.network import Use, UseKind

LOOK_EVERY_S = 15.0


@dataclass(frozen=True, slots=True)
class Protection:
    """What keeps the program off the network now."""

    is_forbidden: bool
    """The person forbade it to the window's process as well."""
    sealed: tuple[str, ...]
    """Roles of running workers whom the kernel refuses every socket."""
    hooked: tuple[str, ...]
    """Roles of running workers whose Python code is refused; native code cannot be held there."""


@dataclass(frozen=True, slots=True)
class Activity:
    """All that is known about the network since the start."""

    since: float
    """Seconds since 1970."""
    count: int
    refused: int
    uses: tuple[Use, ...]
    """Newest first; counted or refused."""
    local: tuple[Use, ...]
    """Sockets between parts of this computer."""
    protection: Protection


class Connections:
    """Every method may be called from any thread. `look` takes some milliseconds."""

    def __init__(
        self,
        workers: Callable[[], Sequence[WorkerFacts]],
        choose: Callable[[bool], object],
        record: network.Record = network.record,
    ) -> None:
        """`workers` tells who runs; `choose` keeps the person's choice in the settings."""
        self._workers = workers
        self._choose = choose
        self._record = record
        self._since = psutil.Process().create_time()
        # Held while the table is looked at.
        self._looking = threading.Lock()
        self._seen: set[tuple[int, str, str]] = set()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def count(self) -> int:
        """How often the program used the network since it was started, in all its processes."""
        return self._record.count

    @property
    def uses(self) -> tuple[Use, ...]:
        """The newest uses, and what was refused, newest first."""
        return tuple(self._record.uses())

    @property
    def is_forbidden(self) -> bool:
        """Whether all use of the network is refused."""
        return network.is_forbidden()

    def forbid(self, is_forbidden: bool) -> None:  # noqa: FBT001 - reads as a sentence
        """Refuse all use of the network, or no more; kept in the settings. A download ends."""
        self._choose(is_forbidden)

    def activity(self) -> Activity:
        """Everything at once, as a page shows it."""
        running = [one for one in self._workers() if one.pid and one.state == "ready"]
        return Activity(
            since=self._since,
            count=self._record.count,
            refused=self._record.refused,
            uses=self.uses,
            local=tuple(self._record.local()),
            protection=Protection(
                is_forbidden=self.is_forbidden,
                sealed=tuple(one.role for one in running if one.is_sealed),
                hooked=tuple(one.role for one in running if not one.is_sealed),
            ),
        )

    # the system's table
    def watch(self) -> None:
        """Look into the system's table now and then until `close`. Idempotent."""
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._watch, name="connection-watch", daemon=True
            )
            self._thread.start()

    def close(self) -> None:
        """End the watch."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._closing.wait(LOOK_EVERY_S):
            self.look()

    def look(self) -> None:
        """One look at the sockets of the program's own processes. *May block* shortly."""
        with self._looking:
            for process, pid in self._processes():
                for kind, local, remote in _sockets(pid):
                    self._take(process, pid, kind, local, remote)
                for place in _local_sockets(pid):
                    use = Use(time.time(), process, UseKind.LISTENING, place, is_local=True)
                    self._record.add(use)

    def _processes(self) -> list[tuple[str, int]]:
        """The window, the workers, and what workers started. A download's pip was noted before."""
        found = [(network.process_name(), psutil.Process().pid)]
        for worker in self._workers():
            if worker.pid:
                found.append((worker.role, worker.pid))
                with contextlib.suppress(psutil.Error):
                    children = psutil.Process(worker.pid).children(recursive=True)
                    found += [(worker.role, child.pid) for child in children]
        return found

    def _take(self, process: str, pid: int, kind: UseKind, local: str, remote: str) -> None:
        key = (pid, local, remote)
        if key in self._seen:
            return
        self._seen.add(key)
        target = remote or local
        told = {one.target for one in self._record.uses() if one.process == process}
        if target not in told:
            self._record.add(Use(time.time(), process, kind, target))


def _sockets(pid: int) -> list[tuple[UseKind, str, str]]:
    """Sockets of a process that a network could know; none when it is gone or not to be seen."""
    with contextlib.suppress(psutil.Error, OSError):
        return [
            (
                UseKind.CONNECTION if one.raddr else UseKind.LISTENING,
                _shown(one.laddr),
                _shown(one.raddr),
            )
            for one in psutil.Process(pid).net_connections(kind="inet")
            if bool(one.raddr) or one.status == psutil.CONN_LISTEN or one.type == SOCK_DGRAM
        ]
    return []


def _local_sockets(pid: int) -> list[str]:
    """Sockets with a name on this computer: by one of them a second start finds the window."""
    with contextlib.suppress(psutil.Error, OSError, ValueError):  # unknown on Windows
        found = psutil.Process(pid).net_connections(kind="unix")
        return sorted({str(one.laddr) for one in found if one.laddr})
    return []


def _shown(address: object) -> str:
    ip, port = getattr(address, "ip", ""), getattr(address, "port", 0)
    if not ip:
        return ""
    return f"[{ip}]:{port}" if ":" in ip else f"{ip}:{port}"
