"""When to start a crashed role again, and when to stop trying for a while (a circuit breaker)."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from desktop_rag.workers.spec import CrashPolicy


class Clock(Protocol):
    """Time, so that tests need not wait for it."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        ...

    def wait(self, event: threading.Event, timeout_s: float) -> bool:
        """Wait for the event at most so long; whether it is set."""
        ...


class SystemClock:
    """The real time."""

    def now(self) -> float:
        """See `Clock`."""
        return time.monotonic()

    def wait(self, event: threading.Event, timeout_s: float) -> bool:
        """See `Clock`."""
        return event.wait(timeout_s)


class Breaker:
    """Counts crashes of one role. Any thread may call it."""

    def __init__(self, policy: CrashPolicy, clock: Clock) -> None:
        self._policy = policy
        self._clock = clock
        # Held for moments only.
        self._lock = threading.Lock()
        self._crashes: list[tuple[float, float]] = []
        """(when, weight), oldest first."""
        self._in_a_row = 0
        self._rests_until = 0.0

    def record_crash(self, *, is_start: bool) -> bool:
        """Count a crash; whether it was the one that made the role unavailable."""
        policy, now = self._policy, self._clock.now()
        with self._lock:
            weight = 1.0 if is_start else policy.call_weight
            self._crashes.append((now, weight))
            self._crashes = [c for c in self._crashes if c[0] > now - policy.window_s]
            self._in_a_row += 1 if weight else 0
            if sum(w for _, w in self._crashes) < policy.limit:
                return False
            self._rests_until = now + policy.pause_s
            # One more crash after the rest trips it again at once.
            self._crashes = [(now + policy.pause_s, policy.limit - 1)]
            return True

    def record_success(self) -> None:
        """A call was answered: the next crash is the first in a row again."""
        if self._in_a_row:
            with self._lock:
                self._in_a_row = 0

    def rest_s(self) -> float:
        """How long the role stays unavailable; 0 when it may be started."""
        with self._lock:
            return max(self._rests_until - self._clock.now(), 0.0)

    def backoff_s(self) -> float:
        """How long to wait before the next start."""
        waits = self._policy.backoff_s
        with self._lock:
            return waits[min(self._in_a_row, len(waits)) - 1] if self._in_a_row else 0.0

    def reset(self) -> None:
        """Forget all crashes: the engine is another one now."""
        with self._lock:
            self._crashes.clear()
            self._in_a_row = 0
            self._rests_until = 0.0
