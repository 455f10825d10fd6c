"""What this computer's processor can do, as it says itself. Light: looked at before all else.

An old processor gets a sentence instead of the system's "Illegal instruction": NumPy and Qt, and
so search and the window, are compiled for x86-64-v2. That is known of Linux only; elsewhere a
system that the program supports needs a newer processor itself.
"""

from __future__ import annotations

import ctypes
import os
import sys

from desktop_rag.domain.errors import ProcessorTooOld

_V2 = {"SSSE3": 9, "SSE4.1": 19, "SSE4.2": 20, "POPCNT": 23}
"""Name and bit in ECX of CPUID leaf 1; no processor has the rest of x86-64-v2 without these."""
_EAX, _EBX, _ECX, _EDX = range(4)


class _Leaf(ctypes.Structure):
    """`struct cpuid_feature`: what the processor has, and what the system lets programs use."""

    _fields_ = (("has", ctypes.c_uint32 * 4), ("usable", ctypes.c_uint32 * 4))


def check() -> None:
    """Make sure that the program can run. Costs less than a millisecond.

    Raises:
        ProcessorTooOld: it would die of an illegal instruction.
    """
    missing = missing_for_the_program()
    if missing:
        raise ProcessorTooOld(
            f"This computer's processor is too old for Desktop RAG: it lacks {', '.join(missing)}. "
            "It runs on almost any computer made since 2013."
        )


def missing_for_the_program() -> list[str]:
    """Instructions that the program needs and the processor lacks, as far as that is known."""
    leaf = _leaf(0)
    if leaf is None:
        return []
    return [name for name, bit in _V2.items() if not leaf.has[_ECX] >> bit & 1]


def fingerprint() -> str:
    """The same for processors of which one can do what the other can; no more than that."""
    first, seventh, extended = (_leaf(number) for number in range(3))
    if first is None or seventh is None or extended is None:
        import platform  # slow to load, and the start of the program waits for this module

        return f"{platform.machine()} {platform.processor()}"
    # EBX of the first leaf differs from core to core.
    numbers = [first.has[_EAX], first.has[_ECX], first.has[_EDX], *first.usable]
    numbers += [*seventh.has, *seventh.usable, *extended.has, *extended.usable]
    return " ".join(f"{number:x}" for number in numbers)


def _leaf(number: int) -> _Leaf | None:
    """CPUID's leaves 1, 7 and 0x80000001 as glibc (from 2.33 on) read them."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return None
    try:
        function = ctypes.CDLL(None).__x86_get_cpuid_feature_leaf
    except (OSError, AttributeError):
        return None
    function.restype = ctypes.POINTER(_Leaf)
    leaf: _Leaf = function(ctypes.c_uint(number)).contents
    return leaf
