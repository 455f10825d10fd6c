"""What the worker processes are doing, for a view that is opened later than it happened."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag.domain.events import EngineState, Event
from desktop_rag.services.bus import Bus


@dataclass(frozen=True, slots=True)
class RoleState:
    """The last that was heard of a role."""

    role: str
    state: str
    """`starting`, `ready`, `stopped` or `unavailable`."""
    detail: str
    """For a person; empty when there is nothing to say."""
    since_s: float
    """How long it has been so."""


class EngineStates:
    """Remembers the last `EngineState` of each role. Any thread."""

    def __init__(self, bus: Bus, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # Held for moments by whoever publishes and whoever asks.
        self._lock = threading.Lock()
        self._last: dict[str, tuple[EngineState, float]] = {}
        bus.subscribe(self._on_event)

    def of(self, role: str) -> RoleState | None:
        """What a role does now; `None` when it was not needed yet."""
        with self._lock:
            known = self._last.get(role)
        if known is None:
            return None
        event, when = known
        return RoleState(role, event.state, event.detail, self._clock() - when)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, EngineState):
            with self._lock:
                self._last[event.role] = (event, self._clock())
