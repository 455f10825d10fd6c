"""How a role's child is started, bounded and given up. Plain values that cross into the child."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import msgspec

from desktop_rag.workers.frames import encode


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """What a child is told when it is spawned."""

    role: str
    host: str
    """`package.module:function`; the function takes the options' type and returns a `Host`."""
    options: bytes
    """msgpack of the host function's argument, which must be called and annotated `options`."""
    log_file: Path | None = None
    """Where Python's log and whatever native code prints goes; `None` throws it away."""
    threads: int = 1
    is_modest: bool = False
    """Whether everything else on the computer comes first: processor and disk."""
    memory_mb: int = 0
    """What it may allocate at most, where the system can hold it to that (Linux); 0 for all."""

    @classmethod
    def of(
        cls,
        role: str,
        host: str,
        options: msgspec.Struct,
        *,
        log_file: Path | None = None,
        threads: int = 1,
        is_modest: bool = False,
        memory_mb: int = 0,
    ) -> Self:
        """A spec with its options packed."""
        return cls(role, host, bytes(encode(options)), log_file, threads, is_modest, memory_mb)

    def with_options(self, options: msgspec.Struct) -> Self:
        """The same child with other options."""
        return replace(self, options=bytes(encode(options)))


@dataclass(frozen=True, slots=True)
class CrashPolicy:
    """When a role is given up for a while.

    A crash inside a call weighs `call_weight`, one while starting weighs 1; at `limit` within
    `window_s` the role is unavailable for `pause_s`, then one more try is granted.
    """

    limit: float = 3
    window_s: float = 300.0
    pause_s: float = 120.0
    call_weight: float = 1.0
    backoff_s: tuple[float, ...] = (0.0, 0.5, 2.0)
    """Waits before the first, second, … restart; the last is repeated."""


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """A role: its child and the bounds the supervisor holds it to."""

    child: ChildSpec
    recovery: ChildSpec | None = None
    """Used once, for the start after a crash while starting: gives up what may be damaged."""
    start_timeout_s: float = 120.0
    call_timeout_s: float = 60.0
    cancel_grace_s: float = 1.0
    """How long a cancelled stream may go on before the child is killed."""
    close_grace_s: float = 1.0
    max_calls: int = 0
    """Replace the child by a fresh one after so many calls; 0 never. Bounds slow leaks."""
    max_rss_mb: int = 0
    """Replace an idle child that holds more memory than this; 0 never."""
    max_call_rss_mb: int = 0
    """Kill a child that holds more memory than this while it runs a call; 0 never."""
    max_idle_s: float = 0.0
    """End a child that had nothing to do for so long, to give its memory back; 0 never."""
    policy: CrashPolicy = field(default_factory=CrashPolicy)
