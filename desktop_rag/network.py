"""Every use of the network by this process: noticed, kept with its reason, refused when forbidden.

An audit hook sees what Python code does (connections, name look-ups, listening, datagrams); what
native code does is out of its reach: `workers.no_sockets` keeps that from the workers, and
`services.connections` looks into the system's own table. Nothing here uses the network.
"""

from __future__ import annotations

import contextlib
import contextvars
import errno
import ipaddress
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import FrameType

from desktop_rag.domain.errors import NetworkForbidden

_KEPT = 500
"""Uses that are listed; more are only counted."""
MAX_TARGET = 200
"""Characters of an address."""
_FRAMES = 9
"""How far up the caller of a socket is looked for."""


class UseKind(StrEnum):
    """What was done or tried."""

    CONNECTION = "connection"
    LOOK_UP = "look-up"
    LISTENING = "listening"
    DATAGRAM = "datagram"
    PROGRAM = "program"
    """Another program was started that connects: pip, for a model."""


@dataclass(frozen=True, slots=True)
class Use:
    """One use, or what was tried and refused."""

    at: float
    """Seconds since 1970."""
    process: str
    """`program` (the window or a command), or the role of a worker."""
    kind: UseKind
    target: str
    """Address or name and port, at most 200 characters."""
    reason: str = ""
    """Identifier of the model that was asked for, or `update_check`; empty when it is not known."""
    is_refused: bool = False
    is_local: bool = False
    """A socket between parts of this computer that no network knows; not counted."""


class Record:
    """All uses since the start, the newest in full. Any thread may call it."""

    def __init__(self, kept: int = _KEPT) -> None:
        # Held for moments; the hook may run wherever Python code does, so one thread may come
        # back to it.
        self._lock = threading.RLock()
        self._uses: deque[Use] = deque(maxlen=kept)
        self._local: dict[tuple[str, str], Use] = {}
        self._listeners: list[Callable[[Use], None]] = []
        self._count = self._refused = 0
        self._sent_to: set[tuple[str, str]] = set()

    @property
    def count(self) -> int:
        """How often the network was used; neither local sockets nor what was refused."""
        return self._count

    @property
    def refused(self) -> int:
        """How often that was tried and refused."""
        return self._refused

    def uses(self) -> list[Use]:
        """What was counted or refused, newest first."""
        with self._lock:
            return list(reversed(self._uses))

    def local(self) -> list[Use]:
        """Local sockets, each place once."""
        with self._lock:
            return list(self._local.values())

    def add(self, use: Use) -> None:
        """Take note of a use."""
        with self._lock:
            if use.is_local:
                self._local.setdefault((use.process, use.target), use)
            elif not self._is_repeated(use):
                self._count += not use.is_refused
                self._refused += use.is_refused
                self._uses.append(use)
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener(use)

    def _is_repeated(self, use: Use) -> bool:
        """Datagrams to one address are one use, however many there are."""
        if use.kind is not UseKind.DATAGRAM or use.is_refused:
            return False
        key = (use.process, use.target)
        is_known = key in self._sent_to
        self._sent_to.add(key)
        return is_known

    def listen(self, listener: Callable[[Use], None]) -> Callable[[], None]:
        """Be told of every use, on the thread that did it; returns how to stop that."""
        with self._lock:
            self._listeners.append(listener)

        def stop() -> None:
            with self._lock, contextlib.suppress(ValueError):
                self._listeners.remove(listener)

        return stop


record = Record()
"""Of this process; workers tell the window theirs."""

_process = ""
_is_forbidden = False
_reason: contextvars.ContextVar[str] = contextvars.ContextVar("network_reason", default="")


def install(process: str) -> None:
    """Begin to notice; called first thing in every process. Cannot be undone; the first counts."""
    global _process
    if not _process:
        sys.addaudithook(_on_event)
        _process = process


def process_name() -> str:
    """What this process is called in the record."""
    return _process or "program"


def forbid(*, is_forbidden: bool) -> None:
    """Refuse all use of the network from now on, or no more."""
    global _is_forbidden
    _is_forbidden = is_forbidden


def is_forbidden() -> bool:
    """Whether all use of the network is refused in this process."""
    return _is_forbidden


def require_allowed() -> None:
    """Say so before anything is begun.

    Raises:
        NetworkForbidden: the person forbade it.
    """
    if _is_forbidden:
        raise NetworkForbidden(
            "You have forbidden this program to use the network. Allow it on the page Privacy or "
            "with `desktop-rag settings forbid_network off`; a model can also be added from a file."
        )


@contextlib.contextmanager
def because(reason: str) -> Iterator[None]:
    """Uses on this thread within the block are for that model, or that purpose."""
    token = _reason.set(reason)
    try:
        yield
    finally:
        _reason.reset(token)


def note_program(target: str) -> None:
    """A program is started that will connect; its own connections are its own.

    Raises:
        NetworkForbidden: the person forbade it.
    """
    require_allowed()
    record.add(_use(UseKind.PROGRAM, target))


# ---------------------------------------------------------------------- the hook

_KINDS = {
    "socket.connect": UseKind.CONNECTION,
    "socket.bind": UseKind.LISTENING,
    "socket.sendto": UseKind.DATAGRAM,
    "socket.sendmsg": UseKind.DATAGRAM,
    "socket.getaddrinfo": UseKind.LOOK_UP,
    "socket.gethostbyname": UseKind.LOOK_UP,
    "socket.gethostbyaddr": UseKind.LOOK_UP,
    "socket.getnameinfo": UseKind.LOOK_UP,
}
_LOCAL_FAMILIES = {
    family
    for name in ("AF_UNIX", "AF_NETLINK", "AF_ALG")
    if (family := getattr(socket, name, None)) is not None
}


def _on_event(event: str, arguments: tuple[object, ...]) -> None:
    """Called by Python for everything worth auditing, so it must be quick."""
    kind = _KINDS.get(event)
    if kind is None:
        return
    if kind is UseKind.LOOK_UP:
        _on_look_up(arguments)
    else:
        _on_address(kind, arguments)


def _on_look_up(arguments: tuple[object, ...]) -> None:
    host = arguments[0]
    if isinstance(host, tuple):
        host = host[0] if host else ""
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "")
    if not _is_forbidden and (not text or _is_number(text)):
        return  # nothing is sent for these
    _note(_use(UseKind.LOOK_UP, text or "localhost"))


def _on_address(kind: UseKind, arguments: tuple[object, ...]) -> None:
    sock, address = arguments[0], arguments[1] if len(arguments) > 1 else None
    is_local = isinstance(sock, socket.socket) and sock.family in _LOCAL_FAMILIES
    if kind is UseKind.DATAGRAM and address is None:
        return  # of a connected socket: the connection was noted
    _note(_use(kind, _shown(address), is_local=is_local or _is_own_pair()))


def _note(use: Use) -> None:
    """Keep it, and refuse it where that is wanted."""
    is_refused = _is_forbidden and not use.is_local
    record.add(Use(use.at, use.process, use.kind, use.target, use.reason, is_refused, use.is_local))
    if is_refused:
        raise PermissionError(errno.EACCES, "this program is not to use the network")


def _use(kind: UseKind, target: str, *, is_local: bool = False) -> Use:
    return Use(
        time.time(), process_name(), kind, target[:MAX_TARGET], _reason.get(), is_local=is_local
    )


def _is_own_pair() -> bool:
    """Windows has no pairs of sockets: Python joins two through the loopback device."""
    frame: FrameType | None = sys._getframe()
    for _ in range(_FRAMES):
        if frame is None:
            return False
        code = frame.f_code
        if "socketpair" in code.co_name and code.co_filename == socket.__file__:
            return True
        frame = frame.f_back
    return False


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _shown(address: object) -> str:
    if isinstance(address, tuple) and len(address) >= 2:
        host, port = str(address[0]), address[1]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if isinstance(address, bytes):
        return address.decode("utf-8", "replace").lstrip("\0")
    return str(address or "").lstrip("\0")
