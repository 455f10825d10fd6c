"""Recognises text in pictures of pages, offline, with RapidOCR's PP-OCR models on onnxruntime.

Of the package rapidocr only the models are used. Its own classes import a downloader, a
configuration library and a drawing library (0.4 s and 34 MB more in the process that reads files),
fetch whatever file they miss, and read lines in padded batches: the same models fed line by line,
without padding, need half the memory for the same speed.

Nothing is loaded before the first page.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import math
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime

from desktop_rag.domain.documents import RecognisedLine, RecognisedPage
from desktop_rag.domain.errors import ModelDamaged
from desktop_rag.domain.layout.columns import reading_regions
from desktop_rag.domain.layout.recognised import recognised_text
from desktop_rag.domain.layout.rows import rows_of
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines.ocr_models import OcrModels
from desktop_rag.engines.ocr_reading import LineReader, Reading, squeeze_for
from desktop_rag.engines.ocr_regions import Region, TextDetector, skew_of
from desktop_rag.engines.page_pictures import Grey, PagePicture

logger = logging.getLogger(__name__)

_DETECTOR_DPI = 85
"""What the detector looks at. It finds print of 6 points so, and more around large drawings than
when it looks closer."""
_MIN_SIDE, _USUAL_SIDE, _MAX_SIDE = 640, 960, 1920
"""Bounds of the longer side of what the detector looks at, in pixels; the one in the middle is the
least where the picture has as many."""
_FLOOR = 0.5
"""Lines read with less confidence are dropped: pictures of other things than text."""
_SHORT_FLOOR = 0.7
"""The same for one or two characters, which any speck resembles."""
_SAMPLES = 4
_SAMPLE_ASPECT = 10.0
_UPRIGHT = 0.85
"""A page whose samples are read with this confidence is not tried in another direction."""
_MERGE_GAP = 0.35
"""Of a line's height: words closer than this are one line."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A region in the direction it was read in, in the picture's pixels, and what it says."""

    region: Region
    reading: Reading


class TextRecogniser:
    """Detector and reader with their models loaded.

    Args:
        threads: processor cores it may use.

    Raises:
        ModelDamaged: a model's file cannot be used.
    """

    def __init__(self, models: OcrModels, threads: int) -> None:
        cv2.setNumThreads(threads)
        self._threads = threads
        self._detector = TextDetector(_session(models.detector, threads))
        # One thread a strip and several strips at a time: these matrices are too small to share.
        session = _session(models.recogniser, 1)
        self._reader = LineReader(session, _characters(models, session))

    def recognise(self, picture: PagePicture, number: int, engine: str) -> RecognisedPage:
        """All lines of a page in reading order, upright or turned, level or inclined."""
        regions = self._detector.regions(picture.pixels, _detector_side(picture))
        if not regions:
            return RecognisedPage(number, (), engine=engine)
        turn, squeeze = self._turn(picture.pixels, regions)
        upright = _turned(picture, turn)
        if turn:
            # The detector knows level lines best: among turned ones it overlooks a few.
            regions = self._detector.regions(upright.pixels, _detector_side(upright))
        with ThreadPoolExecutor(self._threads, thread_name_prefix="ocr") as pool:
            lines = list(pool.map(lambda one: self._read(upright.pixels, one, squeeze), regions))
        _give_back_memory()
        kept = [line for line in lines if _is_text(line.reading)]
        if not kept:
            return RecognisedPage(number, (), engine=engine)
        skew = skew_of(regions)
        placed = [_placed(line, upright) for line in _in_rows(kept, skew)]
        found = RecognisedPage(
            number,
            tuple(_turned_back(line, turn, picture.width, picture.height) for line in placed),
            rotation=-turn % 360,
            skew=round(skew, 2),
            engine=engine,
        )
        return _in_reading_order(found, picture)

    def _turn(self, pixels: Grey, regions: Sequence[Region]) -> tuple[int, float]:
        """In which direction most text is read, and how much its strips may be squeezed.

        The direction is 0, 90, 180 or 270 degrees clockwise from the right. The middles of some
        long lines are read to find out: upside down, hardly a letter looks like one.
        """
        lengths = {True: 0.0, False: 0.0}
        for region in regions:
            lengths[region.is_tall] += max(region.width, region.height)
        is_tall = lengths[True] > lengths[False]
        alike = [region for region in regions if region.is_tall == is_tall]
        alike.sort(key=lambda region: -max(region.width, region.height))
        found: list[tuple[float, int, float]] = []
        for turn in (270, 90) if is_tall else (0, 180):
            samples = [
                self._reader.read_once(pixels, _middle(one.read_at(turn)))
                for one in alike[:_SAMPLES]
            ]
            confidence = sum(sample.confidence for sample in samples) / len(samples)
            found.append((confidence, turn, squeeze_for(samples)))
            if confidence > _UPRIGHT:
                break
        _, turn, squeeze = max(found, key=lambda one: one[0])
        return turn, squeeze

    def _read(self, pixels: Grey, region: Region, squeeze: float) -> _Line:
        """Read a region as it lies; one that stands upright in whatever direction is best."""
        if not region.is_tall:
            return _Line(region, self._reader.read(pixels, region, squeeze))
        tries = [region.read_at(270), region.read_at(90)]
        if region.height < 3 * region.width:
            tries.append(region)
        lines = [_Line(one, self._reader.read(pixels, one, squeeze)) for one in tries]
        return max(lines, key=lambda line: line.reading.confidence)


def _middle(region: Region) -> Region:
    """The middle of a long line, which is enough to see whether it can be read."""
    return replace(region, width=min(region.width, region.height * _SAMPLE_ASPECT))


def _session(file: Path, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Every line has another width, and the arena keeps memory for each: 800 MB instead of 400.
    options.enable_cpu_mem_arena = False
    # Waiting threads that spin take the processor from whoever embeds or answers.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as exc:
        raise ModelDamaged(
            f"The text recognition model {file.name} cannot be loaded; install it again."
        ) from exc


def _give_back_memory() -> None:
    """Return what a page took to the system: glibc keeps pieces of it for every thread."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def _characters(models: OcrModels, session: Any) -> list[str]:
    """What the recogniser's outputs stand for."""
    if models.characters is not None:
        return models.characters.read_text(encoding="utf-8").splitlines()
    listed = session.get_modelmeta().custom_metadata_map.get("character", "")
    if not listed:
        raise ModelDamaged(
            f"The text recognition model {models.recogniser.name} does not name its characters; "
            "put a file characters.txt beside it."
        )
    return str(listed).splitlines()


def _detector_side(picture: PagePicture) -> int:
    """Pixels for the longer side in the detector: by the size of the page, so that print fits."""
    wanted: float = max(picture.width, picture.height) / 72 * _DETECTOR_DPI
    wanted = max(wanted, min(max(picture.pixels.shape), _USUAL_SIDE))
    return round(min(max(wanted, _MIN_SIDE), _MAX_SIDE))


def _is_text(reading: Reading) -> bool:
    floor = _FLOOR if len(reading.text) > 2 else _SHORT_FLOOR
    return bool(clean_line(reading.text)) and reading.confidence >= floor


# ---------------------------------------------------------------- order


def _in_reading_order(page: RecognisedPage, picture: PagePicture) -> RecognisedPage:
    """Column by column, as the layout of the page says."""
    fragments = recognised_text(page, picture.width, picture.height).fragments
    lines = {id(one): line for one, line in zip(fragments, page.lines, strict=True)}
    rows = [row for region in reading_regions(fragments) for row in rows_of(region)]
    ordered = [lines[id(one)] for row in rows for cell in row.cells for one in cell]
    return replace(page, lines=tuple(ordered)) if len(ordered) == len(lines) else page


def _in_rows(lines: Iterable[_Line], angle: float) -> list[_Line]:
    """Rows from top to bottom as the page is read, words that belong together joined."""
    along, across = _axes(angle)
    level: list[_Line] = []
    aside: list[_Line] = []
    for line in lines:
        is_level = math.cos(math.radians(line.region.angle - angle)) > 0.7
        (level if is_level else aside).append(line)
    level.sort(key=lambda line: _on(across, line.region))
    rows: list[list[_Line]] = []
    for line in level:
        if rows and _is_beside(rows[-1][0], line, across):
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        row.sort(key=lambda line: _on(along, line.region))
    return [line for row in rows for line in _joined(row, along)] + aside


def _axes(angle: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Unit vectors in the direction of reading and downwards from it."""
    radians = math.radians(angle)
    return (math.cos(radians), math.sin(radians)), (-math.sin(radians), math.cos(radians))


def _on(axis: tuple[float, float], region: Region) -> float:
    return region.x * axis[0] + region.y * axis[1]


def _is_beside(first: _Line, line: _Line, across: tuple[float, float]) -> bool:
    step = _on(across, line.region) - _on(across, first.region)
    return step < 0.4 * min(first.region.height, line.region.height)


def _joined(row: Sequence[_Line], along: tuple[float, float]) -> list[_Line]:
    """Join neighbours that almost touch: words of one line that the detector parted."""
    joined = [row[0]]
    for before, line in pairwise(row):
        gap = _on(along, line.region) - _on(along, before.region)
        gap -= (line.region.width + before.region.width) / 2
        height = min(line.region.height, before.region.height)
        if gap < _MERGE_GAP * height and height > 0.6 * max(
            line.region.height, before.region.height
        ):
            joined[-1] = _union(joined[-1], line, along)
        else:
            joined.append(line)
    return joined


def _union(left: _Line, right: _Line, along: tuple[float, float]) -> _Line:
    a, b = left.region, right.region
    start = _on(along, a) - a.width / 2
    end = max(_on(along, b) + b.width / 2, _on(along, a) + a.width / 2)
    shift = (start + end) / 2 - _on(along, a)
    region = replace(
        a,
        x=a.x + shift * along[0],
        y=a.y + shift * along[1],
        width=end - start,
        height=max(a.height, b.height),
    )
    lengths = len(left.reading.text), len(right.reading.text)
    confidence = (
        left.reading.confidence * lengths[0] + right.reading.confidence * lengths[1]
    ) / sum(lengths)
    return _Line(region, Reading(f"{left.reading.text} {right.reading.text}", confidence))


def _placed(line: _Line, picture: PagePicture) -> RecognisedLine:
    """The line with its box in points.

    The box of an inclined line keeps the line's own height around its centre: a box around all of
    it would cover its neighbours, too.
    """
    region = line.region
    rows, columns = picture.pixels.shape
    x_scale, y_scale = picture.width / columns, picture.height / rows
    is_sideways = abs(math.sin(math.radians(region.angle))) > 0.7
    width, height = (region.height, region.width) if is_sideways else (region.width, region.height)
    return RecognisedLine(
        line.reading.text,
        max((region.x - width / 2) * x_scale, 0.0),
        max((region.y - height / 2) * y_scale, 0.0),
        min((region.x + width / 2) * x_scale, picture.width),
        min((region.y + height / 2) * y_scale, picture.height),
        round(line.reading.confidence, 4),
    )


# ---------------------------------------------------------------- turned pages


def _turned(picture: PagePicture, turn: int) -> PagePicture:
    """The page turned counter-clockwise by 0, 90, 180 or 270 degrees."""
    if not turn:
        return picture
    pixels = np.ascontiguousarray(np.rot90(picture.pixels, turn // 90))
    if turn % 180:
        return PagePicture(pixels, picture.height, picture.width)
    return PagePicture(pixels, picture.width, picture.height)


def _turned_back(line: RecognisedLine, turn: int, width: float, height: float) -> RecognisedLine:
    """A line of the turned page on the page as displayed, of `width` times `height` points."""
    x0, y0, x1, y1 = line.x0, line.y0, line.x1, line.y1
    if turn == 90:
        x0, y0, x1, y1 = width - y1, x0, width - y0, x1
    elif turn == 180:
        x0, y0, x1, y1 = width - x1, height - y1, width - x0, height - y0
    elif turn == 270:
        x0, y0, x1, y1 = y0, height - x1, y1, height - x0
    return replace(line, x0=x0, y0=y0, x1=x1, y1=y1)
