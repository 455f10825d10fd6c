"""What calamine does not tell about an XLSX: number formats, comments, chart sheets, true size.

Also the bound before calamine, which lays a sheet out as a full rectangle and would ask for
hundreds of gigabytes when two values stand far apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from desktop_rag.domain.coverage import ranges
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines.cell_values import NumberFormat, number_format
from desktop_rag.engines.numerals import whole
from desktop_rag.engines.ooxml import OfficePackage, Properties
from desktop_rag.engines.safe_xml import named
from desktop_rag.engines.zip_bounds import BoundedZip

MAX_SHEET_BYTES = 250_000_000
MAX_RECTANGLE = 20_000_000
"""Cells of a sheet from the first to the last that holds a value."""
_CELL = re.compile(rb"<(?:\w+:)?c\s([^>]*[^/>])>")
_REFERENCE = re.compile(rb"\br=\"([A-Z]{1,3})(\d{1,7})\"")
_HIDDEN_ROW = re.compile(rb"<(?:\w+:)?row\s[^<>]*\bhidden=\"(?:1|true)\"[^<>]*>")
_ROW = re.compile(rb"\br=\"(\d{1,7})\"")
_HIDDEN_COLUMN = re.compile(rb"<(?:\w+:)?col\s[^<>]*\bhidden=\"(?:1|true)\"[^<>]*>")
_MAX_NAMED = 50
_STYLE = re.compile(rb"\bs=\"(\d{1,6})\"")
_BUILT_IN = {9: "0%", 10: "0.00%", 5: "$#,##0", 6: "$#,##0", 7: "$#,##0.00", 8: "$#,##0.00"}
_BUILT_IN |= {42: "$#,##0", 44: "$#,##0.00"}
_THREADED = "[Threaded comment]"


@dataclass(slots=True)
class SheetExtras:
    """Beside the values of one sheet. Rows and columns count from 0, as calamine's."""

    is_drawing: bool = False
    """Whether it holds charts or pictures; a chart sheet holds nothing else."""
    is_too_wide: bool = False
    hidden: str = ""
    """`rows 3-9, column C`: hidden in the program, but read; empty for none."""
    formats: dict[tuple[int, int], NumberFormat] = field(default_factory=dict)
    comments: list[tuple[int, str]] = field(default_factory=list)
    """(row number, counting from 1, sentence)."""


@dataclass(frozen=True, slots=True)
class WorkbookExtras:
    """Of all sheets by name, with the document's properties."""

    sheets: dict[str, SheetExtras] = field(default_factory=dict)
    properties: Properties = field(default_factory=Properties)


def workbook_extras(archive: BoundedZip) -> WorkbookExtras:
    """Look through the XML parts of a workbook once.

    Raises:
        Encrypted, TooLarge, Damaged: as `BoundedZip.read`.
    """
    package = OfficePackage(archive)
    main = package.main_part("xl/workbook.xml")
    relations = package.relations(main)
    folder = main.rpartition("/")[0]
    formats = _style_formats(package.part(f"{folder}/styles.xml"))
    archive.read(f"{folder}/sharedStrings.xml", MAX_SHEET_BYTES)  # only for its size
    sheets: dict[str, SheetExtras] = {}
    for sheet in named(package.part(main), "sheet"):
        key = next((value for name, value in sheet.attrib.items() if name.endswith("}id")), "")
        if key in relations:
            name = sheet.get("name") or ""
            sheets[name] = _sheet_extras(package, relations[key].target, formats)
    return WorkbookExtras(sheets, package.properties())


def _sheet_extras(
    package: OfficePackage, part: str, formats: dict[int, NumberFormat]
) -> SheetExtras:
    if not part.endswith(".xml") or "chartsheets/" in part:
        return SheetExtras(is_drawing="chartsheets/" in part)
    extras = SheetExtras()
    data = package.archive.read(part, MAX_SHEET_BYTES)
    _survey_cells(data, formats, extras)
    extras.hidden = _hidden_lines(data)
    for relation in package.relations(part).values():
        extras.is_drawing = extras.is_drawing or relation.kind == "drawing"
        if relation.kind == "comments":
            extras.comments = sorted(_comments(package.part(relation.target)))
    return extras


def _survey_cells(data: bytes, formats: dict[int, NumberFormat], extras: SheetExtras) -> None:
    top = left = 1 << 30
    bottom = right = 0
    columns: dict[bytes, int] = {}
    for found in _CELL.finditer(data):
        reference = _REFERENCE.search(found[1])
        if not reference:
            continue
        letters = reference[1]
        column = columns.get(letters)
        if column is None:
            column = columns[letters] = _column(letters)
        row = int(reference[2]) - 1
        top, bottom = min(top, row), max(bottom, row)
        left, right = min(left, column), max(right, column)
        style = _STYLE.search(found[1]) if formats else None
        shown = formats.get(int(style[1])) if style else None
        if shown:
            extras.formats[row, column] = shown
    extras.is_too_wide = bottom >= top and (bottom - top + 1) * (right - left + 1) > MAX_RECTANGLE


def _hidden_lines(data: bytes) -> str:
    """Rows and columns that are hidden, as people name them."""
    rows = [int(found[1]) for tag in _HIDDEN_ROW.findall(data) if (found := _ROW.search(tag))]
    columns = sum(1 for _ in _HIDDEN_COLUMN.finditer(data))
    parts = [f"{'row' if len(rows) == 1 else 'rows'} {ranges(rows[:_MAX_NAMED])}"] if rows else []
    more = len(rows) - _MAX_NAMED
    parts += [f"{more} more rows"] if more > 0 else []
    parts += [f"{columns} {'group' if columns == 1 else 'groups'} of columns"] if columns else []
    return ", ".join(parts)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1


def _style_formats(root: Any) -> dict[int, NumberFormat]:
    """Cell style number to format, of those styles that show percentages or money."""
    codes = dict(_BUILT_IN)
    for element in named(root, "numFmt"):
        codes[whole(element.get("numFmtId"), -1)] = element.get("formatCode") or ""
    found: dict[int, NumberFormat] = {}
    for cells in named(root, "cellXfs"):
        for number, style in enumerate(named(cells, "xf")):
            shown = number_format(codes.get(whole(style.get("numFmtId"), -1), ""))
            if shown:
                found[number] = shown
    return found


def _comments(root: Any) -> Iterator[tuple[int, str]]:
    authors = [clean_line("".join(author.itertext())) for author in named(root, "author")]
    for comment in named(root, "comment"):
        place = comment.get("ref") or ""
        text = clean_line("".join(e.text or "" for e in named(comment, "t")))
        if text.startswith(_THREADED):
            text = text.rpartition("Comment:")[2].strip()
        number = whole(comment.get("authorId"), -1)
        author = authors[number] if 0 <= number < len(authors) else ""
        by = f" by {author}" if author and not author.startswith("tc=") else ""
        row = re.search(r"[0-9]{1,7}$", place)
        if text and row:
            yield int(row.group()), f"Comment on {place}{by}: {text.removeprefix(f'{author}: ')}"
