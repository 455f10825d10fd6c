"""A folder of five documents, each with one sentence to be found. Made by script.

In the PDF and the scan that sentence stands on a coloured ground: whoever looks at the pixels of a
page sees whether exactly it is highlighted.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

GROUND = (0.78, 0.90, 1.0)
"""Red, green and blue of the coloured ground, in [0, 1]."""
_FILLER = (
    "Visitors sign the book at the gate.",
    "The canteen opens at noon on weekdays.",
    "Parcels are kept for two weeks.",
    "Bicycles stand behind the main hall.",
    "The chapel choir sings on the first Sunday of the month.",
    "Lost property goes to the porter.",
)


@dataclass(frozen=True, slots=True)
class Sought:
    """What one document is asked, and the words of the place that answers."""

    name: str
    question: str
    words: str


DOCUMENTS = (
    Sought("night watch.pdf", "When does the night watch begin?", "begins at 21:40"),
    Sought("keys.docx", "Where does the key of the pump room hang?", "behind the blue door"),
    Sought("stock.xlsx", "On which shelf are the copper elbows?", "K-17"),
    Sought("passwords.md", "How often is the archive password changed?", "every 45 days"),
    Sought("lift report.pdf", "Who inspected the lift?", "inspected by Mr Tamm"),
)


def make_documents(folder: Path) -> None:
    """Write all five."""
    folder.mkdir(parents=True, exist_ok=True)
    _pdf(folder / "night watch.pdf", "The night watch begins at 21:40 and ends at 05:10.")
    _docx(folder / "keys.docx")
    _xlsx(folder / "stock.xlsx")
    (folder / "passwords.md").write_text(_markdown(), encoding="utf-8")
    _scan(folder / "lift report.pdf", "The lift was inspected by Mr Tamm on 14 March 2025.")


def _mupdf() -> Any:
    """Imported only by whoever writes documents: it brings an engine into the process."""
    import pymupdf

    return pymupdf


def _page(mupdf: Any, document: Any, number: int, sentence: str = "") -> None:
    """A page of single lines; the sought one is the seventh, on its coloured ground."""
    page = document.new_page(width=595, height=842)
    page.insert_text((72, 90), f"House rules, part {number}", fontsize=18)
    for line in range(12):
        baseline = (72, 140 + 26 * line)
        text = _FILLER[(line + number) % len(_FILLER)]
        if sentence and line == 6:
            width = mupdf.get_text_length(sentence, fontsize=12)
            ground = (baseline[0] - 2, baseline[1] - 13, baseline[0] + width + 2, baseline[1] + 5)
            page.draw_rect(mupdf.Rect(*ground), color=None, fill=GROUND)
            text = sentence
        page.insert_text(baseline, text, fontsize=12)


def _pdf(path: Path, sentence: str) -> None:
    mupdf = _mupdf()
    with mupdf.open() as document:
        for number in range(1, 6):
            _page(mupdf, document, number, sentence if number == 4 else "")
        document.save(path)


def _scan(path: Path, sentence: str) -> None:
    """Pages as pictures: what they say has to be recognised."""
    mupdf = _mupdf()
    with mupdf.open() as drawn, mupdf.open() as scanned:
        for number in (1, 2):
            _page(mupdf, drawn, number, sentence if number == 2 else "")
        for page in drawn:
            picture = page.get_pixmap(dpi=150).tobytes("jpeg")
            sheet = scanned.new_page(width=595, height=842)
            sheet.insert_image(sheet.rect, stream=picture)
        scanned.save(path)


def _docx(path: Path) -> None:
    import docx

    document = docx.Document()
    document.add_heading("Keys", 1)
    for number in range(30):
        document.add_paragraph(f"{number + 1}. {_FILLER[number % len(_FILLER)]}")
    document.add_heading("Pump room", 2)
    document.add_paragraph("The key of the pump room hangs behind the blue door of the workshop.")
    document.save(str(path))


def _xlsx(path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    summary = book.active
    assert summary is not None
    summary.title = "Summary"
    summary.append(["Part", "Count"])
    stock = book.create_sheet("Stock")
    stock.append(["Article", "Shelf", "Count"])
    for number in range(1, 60):
        stock.append([f"Brass valve {number}", f"C-{number}", number * 3])
    stock.append(["Copper elbow 22 mm", "K-17", 348])
    book.save(path)


def _markdown() -> str:
    filler = "\n\n".join(f"- {line}" for line in _FILLER * 6)
    return (
        f"# Access\n\n{filler}\n\n## Passwords\n\n"
        "The archive password is changed every 45 days by the archivist.\n"
    )
