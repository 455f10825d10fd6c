"""A scan: a document of pictures, whose text has to be recognised."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SENTENCE = "The lift was inspected by Mr Tamm on 14 March 2025."
QUESTION = "Who inspected the lift?"
GROUND = (199, 230, 255)
"""The colour on which that sentence stands: whoever looks at the pixels sees what is marked."""
_OTHERS = (
    "Visitors sign the book at the gate.",
    "The canteen opens at noon on weekdays.",
    "Parcels are kept for two weeks.",
    "Bicycles stand behind the main hall.",
)


def make_scan(path: Path) -> None:
    """Write two pages; the sought sentence is a line of the second."""
    import pymupdf

    mupdf: Any = pymupdf
    with mupdf.open() as drawn, mupdf.open() as scanned:
        _draw(mupdf, drawn, "House rules", "")
        _draw(mupdf, drawn, "Machines", SENTENCE)
        for page in drawn:
            picture = page.get_pixmap(dpi=150).tobytes("jpeg")
            sheet = scanned.new_page(width=595, height=842)
            sheet.insert_image(sheet.rect, stream=picture)
        scanned.save(path)


def _draw(mupdf: Any, document: Any, title: str, sentence: str) -> None:
    page = document.new_page(width=595, height=842)
    page.insert_text((72, 90), title, fontsize=18)
    for number, other in enumerate(_OTHERS * 3):
        baseline = 140 + 26 * number
        is_sought = bool(sentence) and number == 6
        text = sentence if is_sought else other
        if is_sought:
            right = 74 + mupdf.get_text_length(text, fontsize=12)
            ground = tuple(part / 255 for part in GROUND)
            page.draw_rect(mupdf.Rect(70, baseline - 13, right, baseline + 5), None, ground)
        page.insert_text((72, baseline), text, fontsize=12)
