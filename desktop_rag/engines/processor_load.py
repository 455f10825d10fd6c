"""How many cores other programs use right now.

llama.cpp's threads wait for each other actively after every layer: when one of them has to share
its core, all crawl. On a computer with two busy cores, one thread read a prompt three times as
fast as two. A thread less than there are free cores is therefore faster than one too many.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psutil

_WINDOW_S = 0.1
"""The system counts in hundredths of a second: less says nothing."""
_STALE_S = 2.0
_MODEST = frozenset({"idle", "iowait", "nice", "guest", "guest_nice"})
"""Times in which nothing ran, or what gives way to us."""


@dataclass(frozen=True, slots=True)
class _Sample:
    at: float
    all_s: float
    own_s: float


class OthersLoad:
    """Looks at the system's counters, at most for a tenth of a second."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
        counters: Callable[[], Any] = psutil.cpu_times,
        own: Callable[[], float] = time.process_time,
    ) -> None:
        self._clock, self._wait = clock, wait
        self._counters, self._own = counters, own
        self._last = self._sample()

    def look(self) -> None:
        """Somebody will ask soon: begin to watch unless somebody is watching."""
        if self._clock() - self._last.at > _STALE_S:
            self._last = self._sample()

    def cores(self) -> float:
        """Cores that others keep busy, from 0.0 on; waits until it has watched long enough."""
        self.look()
        missing = _WINDOW_S - (self._clock() - self._last.at)
        if missing > 0:
            self._wait(missing)
        before, self._last = self._last, self._sample()
        elapsed = max(self._last.at - before.at, 1e-6)
        others = (self._last.all_s - before.all_s) - (self._last.own_s - before.own_s)
        return max(0.0, min(others / elapsed, float(os.cpu_count() or 1)))

    def _sample(self) -> _Sample:
        times = self._counters()._asdict()
        busy = sum(value for name, value in times.items() if name not in _MODEST)
        return _Sample(self._clock(), busy, self._own())


def free_threads(wanted: int, others: float) -> int:
    """Of `wanted` threads, those that have a core for themselves; at least one."""
    spare = (psutil.cpu_count(logical=False) or wanted) - round(others)
    return max(1, min(wanted, spare))
