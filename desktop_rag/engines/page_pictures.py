"""Pictures of pages for text recognition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[np.uint8]
"""A picture, rows by columns, 255 is white."""

DPI = 200
"""Of pictures of pages. Measured: finer ones are read no better, coarser ones are."""
MAX_SIDE = 5000
"""Pixels of the longer side at most: bounds the memory."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as grey pixels, and its size in points as it is displayed."""

    pixels: Grey
    width: float
    height: float
