"""Reads what `strace` wrote about the network: who was called, and whether anyone outside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_BEGUN = re.compile(r"(\d+)\s+(\w+)\((.*)")
_RESUMED = re.compile(r"(\d+)\s+<\.\.\. (\w+) resumed>(.*)")
_UNFINISHED = " <unfinished ...>"
_OF_ADDRESS = re.compile(r"sa_family=(\w+)")
_PATH = re.compile(r'sun_path=@?"([^"]*)"')
_REFUSAL = re.compile(r"= -1 (EACCES|ENOSYS|EPERM)\b")
_LOCAL = ("AF_UNIX", "AF_LOCAL")
_ADDRESSED = ("connect", "bind", "sendto", "sendmsg", "sendmmsg")
"""Calls that name whom they are for."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call that makes a socket or names an address."""

    name: str
    family: str
    text: str
    """Arguments and result, as `strace` writes them."""

    @property
    def is_local(self) -> bool:
        """Whether it cannot leave this computer."""
        return self.family in _LOCAL

    @property
    def is_refused(self) -> bool:
        """Whether the kernel was told to refuse it."""
        return _REFUSAL.search(self.text) is not None

    @property
    def path(self) -> str:
        """Of a local socket."""
        found = _PATH.search(self.text)
        return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one session, or several, did."""

    calls: tuple[Call, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.calls + other.calls)

    @property
    def attempts(self) -> list[Call]:
        """Everything that was meant for a network, whether or not it could succeed."""
        return [
            call
            for call in self.calls
            if call.name in _ADDRESSED and not call.is_local and call.family != "AF_NETLINK"
        ]

    @property
    def made(self) -> list[Call]:
        """Sockets that are not local, and rings that could make some; without those refused."""
        return [
            call
            for call in self._makers()
            if not call.is_refused and call.family not in (*_LOCAL, "AF_NETLINK")
        ]

    @property
    def refused(self) -> list[Call]:
        """Sockets the kernel refused: each sealed worker tries one, to know that its seal holds."""
        return [call for call in self._makers() if call.is_refused and not call.is_local]

    @property
    def to_the_kernel(self) -> list[Call]:
        """Questions about the network's set-up; they do not leave the computer."""
        return [call for call in self.calls if call.family == "AF_NETLINK"]

    @property
    def local(self) -> Counter[str]:
        """How often each path was connected to, or listened on."""
        return Counter(call.path for call in self.calls if call.is_local and call.path)

    @property
    def pairs(self) -> int:
        """Pairs of sockets of one process and its children."""
        return sum(call.name == "socketpair" for call in self.calls)

    def _makers(self) -> Iterator[Call]:
        return (call for call in self.calls if call.name in ("socket", "io_uring_setup"))


def read(*traces: Path) -> Tally:
    """The tally of the files that `strace -f -o` wrote."""
    calls: list[Call] = []
    for trace in traces:
        calls += parsed(trace.read_text(encoding="utf-8", errors="replace").splitlines())
    return Tally(tuple(calls))


def parsed(lines: Iterable[str]) -> Iterator[Call]:
    """The calls that matter; those that were interrupted by others are put together."""
    for name, text in _whole(lines):
        if name in ("socket", "socketpair"):
            yield Call(name, text.split(",")[0].strip(), text)
        elif name == "io_uring_setup":
            yield Call(name, "io_uring", text)
        elif name in _ADDRESSED and (family := _OF_ADDRESS.search(text)):
            yield Call(name, family[1], text)


def _whole(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    waiting: dict[str, tuple[str, str]] = {}
    for line in lines:
        if begun := _BEGUN.match(line):
            process, name, text = begun.groups()
            if text.endswith(_UNFINISHED):
                waiting[process] = (name, text.removesuffix(_UNFINISHED))
            else:
                yield name, text
        elif (resumed := _RESUMED.match(line)) and resumed[1] in waiting:
            name, text = waiting.pop(resumed[1])
            yield name, text + resumed[3]
    yield from waiting.values()  # cut off by the end of the process: tried all the same
