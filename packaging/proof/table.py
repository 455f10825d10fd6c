"""The numbers of the proof, as lines to print."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from proof.calls import Call, Tally

_NUMBERS = re.compile(r"(X)\d+$")
_KNOWN = (
    ("/tmp/.X11-unix/", "the display"),
    ("/tmp/desktop-rag-", "its own: a second start hands over to the window that is open"),
    ("/tmp/.", "its own: where the one above is made before it gets its name"),
    ("/var/run/nscd/", "the C library, for dpkg: names of users; nothing answers"),
)


def lines(tallies: Sequence[tuple[str, Tally]]) -> Iterator[str]:
    """One column a session, one row a number; then the local sockets, then any attempt."""
    titles = [title for title, _tally in tallies]
    width = max(*(len(title) for title in titles), 8)
    yield " " * 58 + "".join(f"{title:>{width + 2}}" for title in titles)
    for label, numbers in _rows([tally for _title, tally in tallies]):
        yield f"{label:<58}" + "".join(f"{number:>{width + 2}}" for number in numbers)
    whole = sum((tally for _title, tally in tallies), Tally())
    yield "Local sockets that were called or listened on:"
    for path, times in sorted(_named(whole.local).items()):
        yield f"    {times:>3} x {path:<30} {meaning(path)}"
    for call in (*whole.attempts, *whole.made):
        yield f"ATTEMPT: {call.name}({call.text}"


def _rows(tallies: Sequence[Tally]) -> Iterator[tuple[str, list[int]]]:
    yield "connection attempts to a network", [len(one.attempts) for one in tallies]
    yield "sockets of a network that were made", [len(one.made) for one in tallies]
    yield (
        "sockets refused: each worker tests its own seal once",
        [len(one.refused) for one in tallies],
    )
    yield (
        "questions to the kernel about the network (AF_NETLINK)",
        [len(one.to_the_kernel) for one in tallies],
    )
    yield "pairs of sockets between its own processes", [one.pairs for one in tallies]
    yield "local sockets with a name", [sum(one.local.values()) for one in tallies]


def _named(paths: Counter[str]) -> Counter[str]:
    """The same with the numbers of displays and the letters of chance left out."""
    found: Counter[str] = Counter()
    for path, times in paths.items():
        plain = _NUMBERS.sub(r"\1N", path)
        plain = re.sub(r"(/tmp/desktop-rag-)[0-9a-f]+", r"\1…", plain)
        found[re.sub(r"/tmp/\.[A-Za-z]{6}/", "/tmp/.……/", plain)] += times
    return found


def meaning(path: str) -> str:
    """What a local socket is for."""
    return next((text for start, text in _KNOWN if path.startswith(start)), "UNKNOWN")


def unknown(tally: Tally) -> list[Call]:
    """Local sockets that nobody has explained yet."""
    return [call for call in tally.calls if call.path and meaning(call.path) == "UNKNOWN"]
