"""What the indexer has reached, for whoever waits for it, and what it is asked for meanwhile."""

from __future__ import annotations

import threading
from enum import StrEnum

from desktop_rag.domain.errors import DesktopRagError, Paused


class Milestone(StrEnum):
    """What can be waited for."""

    SYNCHRONISED = "synchronised"
    """The index holds all that was stored before the start."""
    SWEPT = "swept"
    """All sources have been compared with the catalog."""
    READ = "read"
    """All that can be read without text recognition is searchable or failed."""
    IDLE = "idle"
    """Every queued file is wholly searchable or failed."""


class Milestones:
    """Usable from any thread. `is_stopping` and `is_woken` may be read without a lock."""

    def __init__(self) -> None:
        # Guards everything here; whoever waits for a milestone waits on it.
        self._changed = threading.Condition()
        self._reached: set[Milestone] = set()
        self._wishes: set[str] = set()
        self._failure: DesktopRagError | None = None
        self.is_stopping = False
        self.is_woken = False

    # ------------------------------------------------------------------ from any thread

    def wake(self, *wishes: str) -> None:
        """There is something to do; `wishes` name what else is wanted in the next round."""
        with self._changed:
            self._wishes.update(wishes)
            self.is_woken = True
            self._reached -= {Milestone.IDLE, Milestone.READ}
            if isinstance(self._failure, Paused):
                self._failure = None  # whether it still holds is seen in the next round
            self._changed.notify_all()

    def stop(self) -> None:
        """The indexer is to end."""
        with self._changed:
            self.is_stopping = True
            self._changed.notify_all()

    def wait_for(self, milestone: Milestone, timeout_s: float | None) -> bool:
        """Whether the milestone was reached; false on time-out and when the indexer ends.

        Raises:
            DesktopRagError: indexing pauses for this reason and may stay so for long.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: milestone in self._reached or self.is_stopping or self._failure, timeout_s
            )
            if milestone in self._reached:
                return True
            if self._failure is not None:
                raise self._failure
            return False

    # ------------------------------------------------------------------ indexer thread

    def begin_round(self) -> None:
        """What is woken from now on is for the next round."""
        with self._changed:
            self.is_woken = False
            self._failure = None

    def take(self, wish: str) -> bool:
        """Whether something was wanted; it is then as good as done."""
        with self._changed:
            is_wanted = wish in self._wishes
            self._wishes.discard(wish)
            return is_wanted

    def reach(self, milestone: Milestone) -> None:
        """Tell everybody. What was queued meanwhile takes READ and IDLE out of reach again."""
        with self._changed:
            is_outdated = self.is_woken and milestone in (Milestone.READ, Milestone.IDLE)
            if not is_outdated:
                self._reached.add(milestone)
                self._changed.notify_all()

    def fail(self, error: DesktopRagError) -> None:
        """Tell everybody why nothing will be reached for a while."""
        with self._changed:
            if not (self.is_woken and isinstance(error, Paused)):
                self._failure = error
                self._changed.notify_all()

    def wait_for_work(self, timeout_s: float | None) -> None:
        """Until woken or stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_stopping or self.is_woken, timeout_s)

    def sleep(self, seconds: float) -> None:
        """Until stopped, or that long. On any thread."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_stopping, seconds)
