"""Pictures of pages for text recognition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[np.uint8]
"""A picture, rows by columns, 255 is white."""

DPI = 200
"""Of pictures of pages. Measured: finer ones are read no better, coarser ones are."""
MIN_SIDE = 2200
"""Pixels of the longer side at least: scans are often put on a page smaller than their paper."""
MAX_SIDE = 5000
"""Pixels of the longer side at most: bounds the memory."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as grey pixels, and its size in points as it is displayed."""

    pixels: Grey
    width: float
    height: float


def density(width: float, height: float) -> float:
    """Pixels a point at which a page of so many points is drawn for recognition."""
    longest = max(width, height, 1.0)
    return min(max(DPI / 72, MIN_SIDE / longest), MAX_SIDE / longest)
