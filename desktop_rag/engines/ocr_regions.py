"""Finds where text stands in a picture: the DB detector of PP-OCR and what follows it.

The method is differentiable binarisation (Liao et al., 2020) as PaddleOCR and RapidOCR use it: a
map of how likely each pixel lies inside a shrunken line of text, whose parts are grown back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from desktop_rag.engines.page_pictures import Grey

# The values RapidOCR ships with these models, but for the score: what is no text is told from its
# reading, so the detector may be generous.
_THRESHOLD = 0.3
_MIN_SCORE = 0.45
_UNCLIP = 1.6
_MIN_SIDE = 3
_MULTIPLE = 32
"""Both sides of the detector's input are multiples of this."""
_MAX_REGIONS = 3000
_CERTAIN_ASPECT = 5.0
"""A region so many times longer than high shows the inclination of its line by itself."""


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle around a line of text, in pixels.

    `width` runs along the direction `angle` (degrees, clockwise from the x axis, y downwards), in
    which the text is supposed to be read.
    """

    x: float
    """Of the centre, as `y`."""
    y: float
    width: float
    height: float
    angle: float

    @property
    def is_tall(self) -> bool:
        """Whether its text probably runs across the direction of `angle`."""
        return self.height > 1.5 * self.width

    def read_at(self, turn: float) -> Region:
        """The same rectangle, read in a direction turned clockwise by 90, 180 or 270 degrees."""
        width, height = self.width, self.height
        if turn % 180:
            width, height = height, width
        return replace(self, width=width, height=height, angle=self.angle + turn)


class TextDetector:
    """Finds lines and words.

    Args:
        session: an onnxruntime session of a PP-OCR detector.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name

    def regions(self, picture: Grey, longest: int) -> list[Region]:
        """Rectangles around lines of text, in no order, angles in (-45, 45] degrees.

        Args:
            longest: to how many pixels the longer side is scaled before the model looks at it.
                Memory and time grow with its square.
        """
        height, width = picture.shape
        scale = longest / max(height, width)
        rows, columns = (_rounded(side * scale) for side in (height, width))
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(picture, (columns, rows), interpolation=how)
        plane = small.astype(np.float32) / 127.5 - 1.0
        planes = np.broadcast_to(plane, (1, 3, rows, columns))
        likely = self._session.run(None, {self._input: np.ascontiguousarray(planes)})[0][0, 0]
        return _regions_of(likely, width / columns, height / rows)


def _rounded(side: float) -> int:
    return max(round(side / _MULTIPLE), 1) * _MULTIPLE


def _regions_of(likely: npt.NDArray[np.float32], x_scale: float, y_scale: float) -> list[Region]:
    mask = (likely > _THRESHOLD).astype(np.uint8)
    mask = cv2.dilate(mask, np.ones((2, 2), np.uint8)).astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    scale = np.array([x_scale, y_scale])
    found = []
    for outline in outlines[:_MAX_REGIONS]:
        points = outline.reshape(-1, 2)
        region = _smallest(points)
        if min(region.width, region.height) < _MIN_SIDE or _score(likely, points) < _MIN_SCORE:
            continue
        found.append((region, points * scale))
    slope = skew_of([region for region, _ in found])
    return [
        _grown(_fitted(region, points, slope), (x_scale + y_scale) / 2) for region, points in found
    ]


def _smallest(points: npt.NDArray[Any]) -> Region:
    """The smallest rectangle around an outline, with an angle in (-45, 45]."""
    (x, y), (width, height), angle = cv2.minAreaRect(points.astype(np.float32))
    while angle > 45:
        width, height, angle = height, width, angle - 90
    while angle <= -45:
        width, height, angle = height, width, angle + 90
    return Region(x, y, width, height, angle)


def _fitted(region: Region, points: npt.NDArray[Any], slope: float) -> Region:
    """The rectangle around an outline in pixels of the picture, inclined as its line is.

    Short words do not show their inclination ("of" is as high as it is wide); the page does.
    """
    own = _smallest(points)
    aspect = max(region.width, region.height) / max(min(region.width, region.height), 1.0)
    angle = own.angle
    if aspect < _CERTAIN_ASPECT or abs(angle - slope) > 45:
        angle = slope
    radians = math.radians(angle)
    cosine, sine = math.cos(radians), math.sin(radians)
    along = points[:, 0] * cosine + points[:, 1] * sine
    across = points[:, 1] * cosine - points[:, 0] * sine
    u, v = (along.min() + along.max()) / 2, (across.min() + across.max()) / 2
    return Region(
        float(u * cosine - v * sine),
        float(u * sine + v * cosine),
        float(np.ptp(along)),
        float(np.ptp(across)),
        angle,
    )


def _grown(region: Region, pixel: float) -> Region:
    """Undo the shrinking the model was trained with: by area over circumference on every side."""
    width, height = region.width + pixel, region.height + pixel
    margin = _UNCLIP * width * height / (2 * (width + height))
    return replace(region, width=width + 2 * margin, height=height + 2 * margin)


def _score(likely: npt.NDArray[np.float32], points: npt.NDArray[Any]) -> float:
    """Mean likelihood inside an outline's smallest rectangle."""
    corners = cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32)))
    rows, columns = likely.shape
    x0, y0 = (max(math.floor(value), 0) for value in corners.min(axis=0))
    x1, y1 = (math.ceil(value) for value in corners.max(axis=0))
    part = likely[y0 : min(y1, rows - 1) + 1, x0 : min(x1, columns - 1) + 1]
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(mask, [(corners - (x0, y0)).astype(np.int32)], (1,))
    return float(cv2.mean(part, mask)[0])


def skew_of(regions: Sequence[Region]) -> float:
    """Inclination of a page's lines in degrees: the middle one, long lines counting more."""
    marks = []
    for region in regions:
        long, short = max(region.width, region.height), min(region.width, region.height)
        if long >= _CERTAIN_ASPECT * short:
            marks.append((region.angle, long))
    marks.sort()
    left = sum(weight for _, weight in marks) / 2
    for angle, weight in marks:
        left -= weight
        if left <= 0:
            return angle
    return 0.0
