"""Says when indexing may use the computer, and how much of it.

Whoever waits for an answer comes first, a person's pause is kept over restarts, and on battery
indexing waits if that was chosen.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from desktop_rag.domain.errors import Paused
from desktop_rag.settings import Settings
from desktop_rag.storage.meta import Meta
from desktop_rag.storage.power import is_on_battery

BATTERY_EVERY_S = 30.0

_PAUSED = "paused"
_PAUSED_SENTENCE = "Indexing is paused. Press Resume, or run `desktop-rag resume`, to go on."
_BATTERY_SENTENCE = (
    "Indexing waits until the computer is plugged in. `desktop-rag settings pause_on_battery off` "
    "goes on without."
)
_REST = {"low": 1.0, "balanced": 0.0, "full": 0.0}
"""Seconds of rest for each second of work."""
_LONGEST_REST_S = 5.0


class Politeness:
    """Usable from any thread."""

    def __init__(
        self,
        meta: Meta,
        is_answering: Callable[[], bool] = lambda: False,
        has_only_battery: Callable[[], bool] = is_on_battery,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._meta = meta
        self._is_answering = is_answering
        self._has_only_battery = has_only_battery
        self._clock = clock
        self._settings = Settings()
        # Guards the fields below; held for moments.
        self._lock = threading.Lock()
        self._is_paused = bool(meta.get(_PAUSED))
        self._is_on_battery = False
        self._looked_at: float | None = None

    def apply(self, settings: Settings) -> None:
        """Follow these choices from now on."""
        with self._lock:
            self._settings = settings
            self._looked_at = None

    def pause(self) -> None:
        """Begin no more work, also after a restart, until `resume`."""
        self._meta.set(_PAUSED, "yes")
        self._is_paused = True

    def resume(self) -> None:
        """Go on."""
        self._meta.set(_PAUSED, "")
        self._is_paused = False

    @property
    def is_paused(self) -> bool:
        """Whether the person paused indexing."""
        return self._is_paused

    def hold(self) -> Paused | None:
        """Why no work may begin now; `None` when it may. The battery is asked now and then only."""
        if self._is_paused:
            return Paused(_PAUSED_SENTENCE)
        if self._waits_for_power():
            return Paused(_BATTERY_SENTENCE)
        return None

    def _waits_for_power(self) -> bool:
        with self._lock:
            if not self._settings.pause_on_battery:
                return False
            now = self._clock()
            if self._looked_at is None or now - self._looked_at >= BATTERY_EVERY_S:
                self._looked_at = now
                self._is_on_battery = self._has_only_battery()
            return self._is_on_battery

    def has_to_yield(self) -> bool:
        """Whether somebody waits for an answer right now."""
        return self._is_answering()

    def rest_s(self, worked_s: float) -> float:
        """How long to do nothing after so much work."""
        return min(worked_s * _REST[self._settings.cpu], _LONGEST_REST_S)


def share_of_processor(cpu: str) -> float:
    """How many of the cores indexing takes under the setting `cpu`, in (0, 1]."""
    return 0.5 if cpu == "low" else 1.0
