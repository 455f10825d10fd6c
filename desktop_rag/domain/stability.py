"""Decides when a file is at rest: nobody is writing it any more, so it may be read.

Takes times and stamps, touches no file. A file that keeps growing is looked at ever less often, up
to every `_MAX_WAIT_S`, and is at rest one quiet moment after its last change, however late.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

REST_S = 0.5
"""How long size and times must have stood still."""
_MAX_WAIT_S = 4.0


@dataclass(slots=True)
class _Unrest:
    stamp: Hashable
    since: float
    wait_s: float
    look_at: float


class Stability:
    """Remembers the files that were not at rest when they were last looked at."""

    def __init__(self) -> None:
        self._restless: dict[str, _Unrest] = {}

    def is_at_rest(self, path: str, stamp: Hashable, age_s: float, now: float) -> bool:
        """Whether a file may be read; if not, it is remembered and `due` names it in time.

        Args:
            stamp: differs when the file was changed.
            age_s: seconds since the file's last change by its own account; less than zero when
                the clock that wrote it goes wrong.
            now: seconds of any clock that never goes back.
        """
        known = self._restless.get(path)
        has_rested = known is not None and known.stamp == stamp and now - known.since >= REST_S
        if has_rested or (known is None and age_s >= REST_S):
            self._restless.pop(path, None)
            return True
        if known is None:
            self._restless[path] = _Unrest(stamp, now, REST_S, now + REST_S)
        elif known.stamp != stamp:
            known.stamp, known.since = stamp, now
            known.wait_s = min(known.wait_s * 2, _MAX_WAIT_S)
            known.look_at = now + known.wait_s
        else:
            known.look_at = known.since + REST_S
        return False

    def __len__(self) -> int:
        return len(self._restless)

    def is_waiting(self, path: str, now: float) -> bool:
        """Whether a file is restless and not to be looked at again yet."""
        known = self._restless.get(path)
        return known is not None and known.look_at > now

    def due(self, now: float) -> list[str]:
        """Restless files that are to be looked at again now."""
        return [path for path, unrest in self._restless.items() if unrest.look_at <= now]

    def forget(self, path: str) -> None:
        """The file is gone or is none of ours."""
        self._restless.pop(path, None)
