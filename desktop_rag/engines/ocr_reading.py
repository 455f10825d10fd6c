"""Reads a line of text in a picture: the CTC recogniser of PP-OCR."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from desktop_rag.engines.ocr_regions import Region
from desktop_rag.engines.page_pictures import Grey

_HEIGHT = 48
"""Pixels the model wants."""
_MIN_WIDTH = 24
_MAX_WIDTH = 3200
"""Bounds the memory of a pass; a longer strip is no line of text."""
_COLUMNS_WANTED = 1.6
"""Output columns for a character. Time is proportional to the width of strips, so they are squeezed
to this: measured on print, 1.6 costs no character, 1.4 one in 800, and 1.25 one in 200."""
_MIN_SQUEEZE = 0.7
_SURE = 0.93
"""A line read with less confidence is read again, wider."""
_WIDER = 1.15


@dataclass(frozen=True, slots=True)
class Reading:
    """What a line says, and the mean confidence of its characters in [0, 1]."""

    text: str
    confidence: float
    columns: int = 0
    """Of the model's output: how wide the strip was."""


class LineReader:
    """Reads strips of a picture. Thread-safe, as the session is.

    Args:
        session: an onnxruntime session of a PP-OCR recogniser.
        characters: what its outputs 1, 2, … stand for. Output 0 means no character.
    """

    def __init__(self, session: Any, characters: Sequence[str]) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        # The space comes last in all these models and is in no list of characters.
        self._characters = ["", *characters, " "]

    def read(self, picture: Grey, region: Region, squeeze: float) -> Reading:
        """Read a region, its width scaled by `squeeze`; again and wider when that leaves doubts."""
        reading = self.read_once(picture, region, squeeze)
        if reading.confidence >= _SURE:
            return reading
        again = self.read_once(picture, region, _WIDER)
        return max(again, reading, key=lambda one: one.confidence)

    def read_once(self, picture: Grey, region: Region, squeeze: float = 1.0) -> Reading:
        """Read a region in one pass."""
        strip = _strip(picture, region, squeeze)
        plane = strip.astype(np.float32) / 127.5 - 1.0
        planes = np.broadcast_to(plane, (1, 3, *plane.shape))
        likely = self._session.run(None, {self._input: np.ascontiguousarray(planes)})[0][0]
        best = likely.argmax(axis=1)
        # A character that goes on over several columns is one; the same one twice has a gap.
        is_new = np.concatenate(([True], best[1:] != best[:-1])) & (best != 0)
        if not is_new.any():
            return Reading("", 0.0, len(best))
        confidence = float(likely.max(axis=1)[is_new].mean())
        known = len(self._characters)
        text = "".join(self._characters[index] for index in best[is_new] if index < known)
        return Reading(text.strip(), confidence, len(best))


def squeeze_for(samples: Sequence[Reading]) -> float:
    """How much strips may be squeezed on a page, of which some were read at full width."""
    characters = sum(len(reading.text) for reading in samples)
    columns = sum(reading.columns for reading in samples)
    if not characters or not columns:
        return 1.0
    return min(max(_COLUMNS_WANTED * characters / columns, _MIN_SQUEEZE), 1.0)


def _strip(picture: Grey, region: Region, squeeze: float) -> Grey:
    """Cut a region out, upright and 48 pixels high."""
    ratio = region.width / max(region.height, 1.0)
    width = min(max(math.ceil(ratio * _HEIGHT * squeeze), _MIN_WIDTH), _MAX_WIDTH)
    # Large print is cut out larger and then averaged; skipping pixels would tear thin strokes.
    factor = min(max(math.ceil(region.height / (2 * _HEIGHT)), 1), 8)
    wide, high = width * factor, _HEIGHT * factor
    radians = math.radians(region.angle)
    along = np.array([math.cos(radians), math.sin(radians)]) * (region.width / wide)
    across = np.array([-math.sin(radians), math.cos(radians)]) * (region.height / high)
    corner = np.array([region.x, region.y]) - along * (wide / 2) - across * (high / 2)
    # Centres of pixels, not their corners, are what the transformation maps.
    origin = corner + (along + across) / 2 - 0.5
    matrix = np.column_stack((along, across, origin))
    cut = cv2.warpAffine(
        picture,
        matrix,
        (wide, high),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if factor > 1:
        cut = cv2.resize(cut, (width, _HEIGHT), interpolation=cv2.INTER_AREA)
    return cut.astype(np.uint8, copy=False)
