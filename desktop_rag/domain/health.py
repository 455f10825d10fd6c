"""How the parts of the program do, as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkerFacts:
    """One role and the process that plays it now, if any."""

    role: str
    state: str
    """`workers.supervisor.WorkerState`; `stopped` before it was needed."""
    pid: int = 0
    memory: int = 0
    """Bytes it holds; 0 when it does not run."""
    starts: int = 0
    """How often it was started since the program was."""
    crashes: int = 0
    """How often it ended unexpectedly."""
    is_sealed: bool = False
    """The kernel refuses it the network, whatever its code does."""
