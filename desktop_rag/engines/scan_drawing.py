"""Draws a scan: a PDF whose page is a picture of text. The self-test has it recognised."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf

_mupdf: Any = pymupdf
_DPI = 130
_LEFT, _TOP, _LINE, _SIZE = 70, 100, 40, 18
"""In points."""


def draw_scan(path: Path, lines: Sequence[str]) -> None:
    """Write it. As quick to recognise as it is small."""
    with _mupdf.open() as printed, _mupdf.open() as scanned:
        page = printed.new_page()
        for number, line in enumerate(lines):
            page.insert_text((_LEFT, _TOP + number * _LINE), line, fontsize=_SIZE)
        picture = page.get_pixmap(dpi=_DPI, colorspace=_mupdf.csGRAY)
        target = scanned.new_page()
        target.insert_image(target.rect, pixmap=picture)
        scanned.save(path, deflate=True)
