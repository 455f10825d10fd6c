"""Makes scans by script: pages drawn, turned, inclined and soiled, then stored as pictures."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pymupdf

Grey = npt.NDArray[np.uint8]
A4 = (595.0, 842.0)
PROSE = (
    "The harbour office records every ship that enters the bay.",
    "Pilots board at the outer buoy, two miles from the light,",
    "and stay until the vessel is fast at its berth. In 1987 the",
    "fee was 340 guilders; since then it has risen four times.",
    "Captains who refuse a pilot must sign form B-12 and pay the",
    "full insurance themselves. (No exceptions, says the notice.)",
    "During fog the port is closed to anything over 90 metres.",
    "Ferries keep to the northern channel, fishing boats to the",
    "southern one, and yachts wait behind the breakwater until",
    "the signal mast shows two white lights above each other.",
    "Complaints go to the harbour master, Quay 7, first floor,",
    "open Monday to Friday from 8:30 to 16:00 except holidays.",
)
_COLUMNS = (60.0, 240.0, 400.0)
_mupdf: Any = pymupdf


def drawn_page(
    lines: Sequence[str | Sequence[str]], *, dpi: int = 200, font: str = "tiro", size: float = 11
) -> Grey:
    """An A4 page with a line a text, 16 points apart from (60, 80) on; several texts are cells."""
    document = _mupdf.open()
    page = document.new_page(width=A4[0], height=A4[1])
    columns = (60.0, 330.0) if any(len(line) == 2 for line in lines) else _COLUMNS
    for number, line in enumerate(lines):
        cells = [line] if isinstance(line, str) else line
        for x, cell in zip(columns, cells, strict=False):
            page.insert_text((x, 80 + 16 * number), cell, fontsize=size, fontname=font)
    pixmap = page.get_pixmap(dpi=dpi, colorspace=_mupdf.csGRAY, alpha=False)
    rows = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)
    return rows[:, : pixmap.width].copy()


def soiled(
    pixels: Grey, *, skew: float = 0.0, turn: int = 0, noise: float = 0.0, quality: int = 90
) -> bytes:
    """The page as a JPEG after a careless scan: inclined, turned clockwise, with grain."""
    if skew:
        height, width = pixels.shape
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -skew, 1)
        pixels = cv2.warpAffine(pixels, matrix, (width, height), borderValue=(255,))  # type: ignore[assignment]
    if noise:
        grain = np.random.default_rng(7).normal(0, noise, pixels.shape)
        pixels = np.clip(cv2.GaussianBlur(pixels, (3, 3), 0.8) + grain, 0, 255).astype(np.uint8)
    pixels = np.ascontiguousarray(np.rot90(pixels, -(turn // 90)))
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def make_scan(
    path: Path,
    lines: Sequence[str | Sequence[str]],
    *,
    dpi: int = 200,
    font: str = "tiro",
    size: float = 11,
    turn: int = 0,
    **faults: Any,
) -> Path:
    """Write a PDF whose only page is a picture of the lines; see `drawn_page` and `soiled`."""
    pixels = drawn_page(lines, dpi=dpi, font=font, size=size)
    document = _mupdf.open()
    width, height = A4 if turn % 180 == 0 else A4[::-1]
    page = document.new_page(width=width, height=height)
    page.insert_image(page.rect, stream=soiled(pixels, turn=turn, **faults))
    document.save(path)
    document.close()
    return path


def similarity(text: str, lines: Sequence[str]) -> float:
    """Part of the characters that are right, in [0, 1]."""
    return difflib.SequenceMatcher(None, text, "\n".join(lines), autojunk=False).ratio()
