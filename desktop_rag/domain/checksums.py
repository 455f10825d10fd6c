"""A checksum of a set of chunk numbers, cheap enough to compare two stores at every start.

It does not depend on order, can be carried along as numbers come and go, and is one expression in
SQL and in numpy. It tells sets of equal size apart that a count cannot.
"""

from __future__ import annotations

from collections.abc import Iterable

MULTIPLIER = 2_654_435_761
"""2^32 divided by the golden ratio (Knuth, TAOCP 3, 6.4): scatters neighbouring numbers."""
MASK = 0xFFFF_FFFF


def checksum_of(numbers: Iterable[int]) -> int:
    """Sum of the scattered numbers; below 2^63 for two thousand million of them."""
    return sum(number * MULTIPLIER & MASK for number in numbers)
