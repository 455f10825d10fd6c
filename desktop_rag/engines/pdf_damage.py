"""What is wrong with a PDF that opens all the same: lost pages, cut pages, a lost end.

MuPDF mends what it can and only mentions the rest in its warnings, so those are read here.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymupdf

logger = logging.getLogger(__name__)

_mupdf: Any = pymupdf
"""The library carries no annotations."""
ERRORS = (RuntimeError, ValueError, _mupdf.mupdf.FzErrorBase)
"""What PyMuPDF raises for files that are wrong."""
_LOST = re.compile(
    r"non-page object in page tree|content stream is not a stream|cycle in page tree"
)
_CUT = re.compile(r"premature end of data|read error; treating as end of file")
_TAIL = 65_536


@dataclass(slots=True)
class Damage:
    """Numbers of the pages that are not in the text, or not all of them; the first page is 1."""

    lost: list[int] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)
    skipped: list[int] = field(default_factory=list)
    """Whole pages left out because the document has too much text."""

    def add(self, number: int, complaints: str, *, is_blank: bool) -> None:
        """Note what MuPDF's complaints about a page mean for its text."""
        # A page with text is found, whatever MuPDF says about its neighbours in the page tree.
        if is_blank and (_LOST.search(complaints) or _CUT.search(complaints)):
            self.lost.append(number)
        elif _CUT.search(complaints):
            self.cut.append(number)

    def notes(self, path: Path, count: int, *, is_repaired: bool) -> list[str]:
        """Sentences for the person about a file of `count` pages; none for a sound one."""
        notes = []
        if self.lost:
            notes.append(
                f"This PDF is damaged; {len(self.lost)} of {count} pages could not be read: "
                f"{listed(self.lost)}."
            )
        if self.cut:
            notes.append(
                f"This PDF is damaged; text may be missing on {listed(self.cut)} of {count}."
            )
        if not notes and is_repaired:
            notes.append(_repair_note(path))
        if self.skipped:
            notes.append(f"Too much text: {listed(self.skipped)} of {count} left out.")
        return notes


def complaints() -> str:
    """What MuPDF has complained about since the last call; goes to the log at debug level."""
    messages: str = _mupdf.TOOLS.mupdf_warnings()
    if messages:
        logger.debug("MuPDF: %s", messages[:2000])
    return messages


def listed(numbers: Sequence[int]) -> str:
    """`page 3` or `pages 3, 4, 7`, at most eight of them."""
    if len(numbers) == 1:
        return f"page {numbers[0]}"
    few = ", ".join(str(number) for number in numbers[:8])
    return f"pages {few}{' …' if len(numbers) > 8 else ''}"


def _repair_note(path: Path) -> str:
    """Mild when the file has its end: then only its table of contents for programs was wrong."""
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - _TAIL, 0))
        has_end = b"%%EOF" in file.read()
    if has_end:
        return "This PDF has a small defect, which was repaired; all its pages were read."
    return "The end of this PDF is missing; it was repaired, but text may be missing too."
