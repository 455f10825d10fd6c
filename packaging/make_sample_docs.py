"""Writes the two binary documents of `resources/sample_docs`, byte for byte the same every time.

The Markdown, HTML and text samples beside them are written by hand. All are original texts about
things that do not exist, free for any use.

    .venv/bin/python packaging/make_sample_docs.py
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import datetime
import io
import sys
import zipfile
from pathlib import Path

import docx  # noqa: TID253 - a script, not the program
import pymupdf  # noqa: TID253

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "sample_docs"
WRITTEN = datetime.datetime(2026, 3, 2, 9, 0, 0)
LEFT, TOP, WIDTH = 72.0, 90.0, 451.0

MANUAL: list[list[tuple[str, str]]] = [
    [
        ("title", "Aurora 8 Heat Pump"),
        ("text", "Installation, operation and service manual"),
        ("text", "Document AU8-SM-014, issue 3. Nordlicht Thermal Works."),
        ("text", "Keep this manual with the unit. It belongs to the next owner, too."),
    ],
    [
        ("h1", "Contents"),
        ("text", "1 Technical data, page 1"),
        ("text", "2 Maintenance and fault codes, page 2"),
        ("text", "3 Warranty and spare parts, page 3"),
    ],
    [
        ("h1", "1 Technical data"),
        (
            "text",
            "The Aurora 8 is an air-to-water heat pump for detached houses. It heats and cools, "
            "and it prepares hot water in a separate tank. The figures below were measured at an "
            "outdoor temperature of 7 °C and a flow temperature of 35 °C.",
        ),
        (
            "table",
            "Property|Aurora 8|Aurora 12\nNominal heating output|8.0 kW|11.6 kW\n"
            "Coefficient of performance|4.9|4.6\nRefrigerant|R290, 1.2 kg|R290, 1.6 kg\n"
            "Sound power level|49 dB(A)|53 dB(A)\nWeight|118 kg|141 kg",
        ),
        ("h2", "1.1 Where the unit may stand"),
        (
            "text",
            "R290 is flammable. Keep one metre around the unit free of cellar windows, light wells "
            "and drains. The unit needs a level base and a condensate drain that cannot freeze.",
        ),
    ],
    [
        ("h1", "2 Maintenance and fault codes"),
        (
            "text",
            "Clean the evaporator fins with water every spring. Replace the mesh filter in the "
            "heating return, part number AU-4471, every 24 months. Have the refrigerant circuit "
            "checked by a certified technician once a year.",
        ),
        (
            "table",
            "Code|Meaning|What to do\nE11|Flow too low|Clean filter AU-4471, vent the system\n"
            "E23|Defrosting takes too long|Check the outdoor sensor AU-5120\n"
            "E40|High pressure|Switch off, call service\nE52|No link to the controller|"
            "Check the data cable",
        ),
        ("h2", "2.1 Resetting a fault"),
        (
            "text",
            "Hold the snowflake key for five seconds. A fault of the E40 group can be reset three "
            "times in 24 hours; after that only a technician can unlock the unit.",
        ),
    ],
    [
        ("h1", "3 Warranty and spare parts"),
        (
            "text",
            "The warranty on the Aurora heat pump is five years from the day of commissioning. For "
            "the compressor it is seven years. The warranty is valid only if the yearly check of "
            "the refrigerant circuit is recorded in the service book. Wear parts such as filters "
            "and seals are covered for twelve months.",
        ),
        ("h2", "3.1 Spare parts"),
        (
            "table",
            "Part|Number|Price\nMesh filter|AU-4471|18.50 EUR\nOutdoor sensor|AU-5120|42.00 EUR\n"
            "Fan assembly|AU-6003|389.00 EUR\nController board|AU-7210|512.00 EUR",
        ),
        (
            "text",
            "Spare parts are kept in stock for at least fifteen years after the last unit was "
            "built.",
        ),
    ],
]

PROTOCOL: list[tuple[str, str]] = [
    ("Title", "Ward 7: Suspected sepsis in adults"),
    ("Normal", "Protocol W7-21, valid from 1 March 2026, owner: Dr. I. Halvorsen."),
    ("Heading 1", "Recognise"),
    (
        "Normal",
        "Think of sepsis when a patient with a suspected infection has two or more of these: "
        "respiratory rate of 22 or more per minute, systolic blood pressure of 100 mmHg or less, "
        "new confusion. Call the ward doctor at once on extension 4170.",
    ),
    ("Heading 1", "The first hour"),
    ("List Number", "Take two pairs of blood cultures before the first antibiotic."),
    ("List Number", "Measure lactate. Repeat it after two hours when it is above 2 mmol/l."),
    ("List Number", "Give the first dose of antibiotic within 60 minutes of recognition."),
    ("List Number", "Give 30 ml/kg of balanced crystalloid when lactate is 4 mmol/l or more."),
    ("Heading 1", "Antibiotics"),
    ("Table", "Source|First choice|In penicillin allergy\n"
              "Unknown|Piperacillin-tazobactam 4.5 g|Meropenem 1 g\n"
              "Urinary tract|Ceftriaxone 2 g|Gentamicin 5 mg/kg\n"
              "Lungs|Ampicillin-sulbactam 3 g|Moxifloxacin 400 mg"),
    ("Heading 1", "Hand-over"),
    (
        "Normal",
        "Tell intensive care when mean arterial pressure stays below 65 mmHg in spite of fluids. "
        "Every hand-over names the time of the first antibiotic and the last lactate. "
        "This is a sample text and not medical advice.",
    ),
]  # fmt: skip


def main() -> int:
    """Write both files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "aurora-heat-pump-manual.pdf").write_bytes(manual())
    (FOLDER / "ward-7-sepsis-protocol.docx").write_bytes(protocol())
    print(f"Wrote {FOLDER}")
    return 0


def manual() -> bytes:
    """A PDF with pages labelled i, ii, 1, 2, 3."""
    document = pymupdf.open()
    for number, blocks in enumerate(MANUAL):
        page = document.new_page(width=595, height=842)
        y = TOP
        for kind, text in blocks:
            y = _draw(page, kind, text, y)
        label = ("i", "ii", "1", "2", "3")[number]
        page.insert_text((290, 806), label, fontsize=9)
    document.set_page_labels(
        [{"startpage": 0, "style": "r", "prefix": ""}, {"startpage": 2, "style": "D", "prefix": ""}]
    )
    document.set_toc(
        [
            [1, "1 Technical data", 3],
            [1, "2 Maintenance and fault codes", 4],
            [1, "3 Warranty and spare parts", 5],
        ]
    )
    stamp = WRITTEN.strftime("D:%Y%m%d%H%M%S")
    document.set_metadata(
        {
            "title": "Aurora 8 Heat Pump: installation, operation and service manual",
            "author": "Nordlicht Thermal Works",
            "creationDate": stamp,
            "modDate": stamp,
        }
    )
    data: bytes = document.tobytes(garbage=3, deflate=True, no_new_id=True)
    return data


def _draw(page: pymupdf.Page, kind: str, text: str, y: float) -> float:
    """Draw one block and return where the next begins."""
    if kind == "table":
        return _draw_table(page, [line.split("|") for line in text.splitlines()], y)
    size = {"title": 26.0, "h1": 17.0, "h2": 13.0, "text": 10.5}[kind]
    font = "helv" if kind == "text" else "hebo"
    room = pymupdf.Rect(LEFT, y, LEFT + WIDTH, 780)
    left_over = page.insert_textbox(room, text, fontsize=size, fontname=font, lineheight=1.35)
    return float(room.y1 - left_over + size * 0.9)


def _draw_table(page: pymupdf.Page, rows: list[list[str]], y: float) -> float:
    row_height, columns = 19.0, len(rows[0])
    widths = [0.36, 0.24, 0.40] if columns == 3 else [1 / columns] * columns
    for number, row in enumerate(rows):
        x = LEFT
        for share, cell in zip(widths, row, strict=True):
            box = pymupdf.Rect(x, y, x + share * WIDTH, y + row_height)
            page.draw_rect(box, color=(0.6, 0.6, 0.6), width=0.5)
            font = "hebo" if number == 0 else "helv"
            page.insert_text((x + 5, y + 13), cell, fontsize=9.5, fontname=font)
            x += share * WIDTH
        y += row_height
    return y + 14


def protocol() -> bytes:
    """A DOCX with headings, a numbered list and a table."""
    document = docx.Document()
    for style, text in PROTOCOL:
        if style == "Table":
            _add_table(document, [line.split("|") for line in text.splitlines()])
        else:
            document.add_paragraph(text, style=style)
    properties = document.core_properties
    properties.title, properties.author = "Ward 7: Suspected sepsis in adults", "I. Halvorsen"
    properties.created = properties.modified = WRITTEN
    buffer = io.BytesIO()
    document.save(buffer)
    return _with_fixed_times(buffer.getvalue())


def _add_table(document: docx.document.Document, rows: list[list[str]]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0]))
    table.style = "Table Grid"
    for cells, row in zip(table.rows, rows, strict=True):
        for cell, text in zip(cells.cells, row, strict=True):
            cell.text = text


def _with_fixed_times(data: bytes) -> bytes:
    """The same archive with every member's time set to `WRITTEN`."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            info = zipfile.ZipInfo(name, WRITTEN.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(name))
    return buffer.getvalue()


if __name__ == "__main__":
    sys.exit(main())
