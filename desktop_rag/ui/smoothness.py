"""Keeps Python itself from holding the window up.

Two of its habits are made for programs that compute: a thread that computes keeps the interpreter
for 5 ms at a time, and now and then everything ever made is searched for garbage. A window calls
Qt hundreds of times for one frame, and each call lets other threads in.
"""

from __future__ import annotations

import gc
import sys

_TURN_S = 0.0005


def take_short_turns() -> None:
    """Threads that compute hand over after half a millisecond when the window wants to work."""
    sys.setswitchinterval(_TURN_S)


def leave_the_past_alone() -> None:
    """What exists now stays for as long as the program runs: it is not searched for garbage again.

    Costs nothing at any size, unlike a search; call it once the start is over.
    """
    gc.freeze()
