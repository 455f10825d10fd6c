"""Reads spreadsheets (XLSX, XLSM, XLSB, XLS, ODS) with calamine, sheet by sheet.

Formulas show the value their program computed last. What calamine leaves out of an XLSX comes from
`engines.xlsx_parts`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import python_calamine as calamine

from desktop_rag.domain.documents import Coverage, ParsedDocument
from desktop_rag.domain.errors import NoText, PermanentError, TooLarge
from desktop_rag.engines.binary_sheets import xls_cells, xlsb_cells
from desktop_rag.engines.cell_values import cell_text
from desktop_rag.engines.grids import MAX_CHARACTERS, Bound, GridRow, GridWriter, grid_row
from desktop_rag.engines.ods_layout import unindented
from desktop_rag.engines.xlsx_parts import (
    MAX_RECTANGLE,
    SheetExtras,
    WorkbookExtras,
    workbook_extras,
)
from desktop_rag.engines.zip_bounds import check_zip, damaged, encrypted, open_zip, too_large

_WHAT = "workbook"
_NAMES = {
    "xlsx": frozenset({".xlsx", ".xlsm", ".xltx", ".xltm"}),
    "xlsb": frozenset({".xlsb"}),
    "xls": frozenset({".xls", ".xlt"}),
    "ods": frozenset({".ods"}),
}
"""What files of a kind are called."""
_MAX_TITLE = 60
"""Characters of a column title that is repeated; more is a remark over a wide cell."""


class SpreadsheetParser:
    """`ports.Parser` for workbooks. Every sheet is a part; hidden ones are read, too."""

    name = "spreadsheet-2"
    suffixes = frozenset().union(*_NAMES.values())

    def parse(self, path: Path) -> ParsedDocument:
        """Read all sheets; see `ports.Parser`."""
        kind, extras = _surveyed(path)
        try:
            with _opened(path, kind) as workbook:
                return _read(workbook, extras, path, kind)
        except calamine.CalamineError as exc:
            refusal = _refusal(path, exc)
            # Of a file with a name of another kind calamine does not say what is wrong.
            if kind != "ods" or isinstance(refusal, TooLarge):
                raise refusal from exc
        return _read_unindented(path, extras)


def _read_unindented(path: Path, extras: WorkbookExtras) -> ParsedDocument:
    try:
        with calamine.load_workbook(unindented(path, _WHAT)) as workbook:
            return _read(workbook, extras, path, "ods")
    except calamine.CalamineError as exc:
        raise _refusal(path, exc) from exc


def _refusal(path: Path, exc: calamine.CalamineError) -> PermanentError:
    if isinstance(exc, calamine.PasswordError):
        return encrypted(path.name)
    if "limit exceeded" in str(exc):  # a value repeated over a million rows
        return too_large(path.name)
    return damaged(path.name, _WHAT)


@contextmanager
def _opened(path: Path, kind: str) -> Iterator[calamine.CalamineWorkbook]:
    """The workbook. Calamine believes a name, and looks at content that has none."""
    with ExitStack() as stack:
        source = path if _is_named(path, kind) else stack.enter_context(path.open("rb"))
        yield stack.enter_context(calamine.load_workbook(source))


def _is_named(path: Path, kind: str) -> bool:
    return path.suffix.lower() in _NAMES[kind]


def _surveyed(path: Path) -> tuple[str, WorkbookExtras]:
    """The kind of workbook by its content, a key of `_NAMES`, and what calamine will not tell."""
    if not zipfile.is_zipfile(path):
        _check_rectangle(xls_cells(path), path)
        return "xls", WorkbookExtras()
    check_zip(path, _WHAT)
    with open_zip(path, _WHAT) as archive:
        _check_rectangle(xlsb_cells(archive), path)
        if "xl/workbook.bin" in archive:
            kind = "xlsb"
        else:
            kind = "ods" if "content.xml" in archive else "xlsx"
        return kind, workbook_extras(archive)


def _check_rectangle(cells: int, path: Path) -> None:
    if cells > MAX_RECTANGLE:
        raise _too_far_apart(path, "move them together, or save it as XLSX and add that.")


def _too_far_apart(path: Path, advice: str) -> TooLarge:
    return TooLarge(
        f"“{path.name}” has values that stand too far apart on a sheet to be read; {advice}"
    )


class _Sheets(GridWriter):
    """Writes the sheets of a workbook and collects what the person should know about them."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped: list[tuple[int, str]] = []
        self.notes: list[str] = []
        self.read = 0

    def skip(self, number: int, name: str, reason: str) -> None:
        """Leave a sheet out, and say so."""
        self.skipped.append((number, reason))
        self.notes.append(f"Sheet “{name}” was not read: {reason}.")


def _read(
    workbook: calamine.CalamineWorkbook, extras: WorkbookExtras, path: Path, kind: str
) -> ParsedDocument:
    sheets = _Sheets()
    known = workbook.sheets_metadata
    for number, sheet in enumerate(known, 1):
        about = extras.sheets.get(sheet.name, SheetExtras())
        if about.is_too_wide:
            sheets.skip(number, sheet.name, "its values stand too far apart")
        else:
            _add_sheet(sheets, workbook, number, about)
    if not sheets.text.strip() and any(sheet.is_too_wide for sheet in extras.sheets.values()):
        raise _too_far_apart(path, "move them together.")
    if not sheets.text.strip():
        raise NoText(f"“{path.name}” holds no text: all cells of its sheets are empty.")
    return ParsedDocument(
        format=path.suffix.lower()[1:] if _is_named(path, kind) else kind,
        text=sheets.text,
        blocks=sheets.blocks,
        title=extras.properties.title,
        author=extras.properties.author,
        created=extras.properties.created,
        notes=(*_hidden(known, extras), *sheets.notes),
        parts=tuple(sheets.parts),
        coverage=Coverage(
            pages=len(known),
            read=sheets.read,
            skipped=tuple(sheets.skipped),
            tables=sheets.tables,
        ),
    )


def _add_sheet(
    sheets: _Sheets, workbook: calamine.CalamineWorkbook, number: int, extras: SheetExtras
) -> None:
    sheet = workbook.get_sheet_by_index(number - 1)
    if sheet.start is None and extras.is_drawing:
        sheets.skip(number, sheet.name, "it holds charts or pictures only")
        return
    sheets.read += 1
    bound = Bound(MAX_CHARACTERS - sheets.length)
    rows = bound.kept(_rows(sheet, extras))
    sheets.add_sheet(rows, sheet.name, number, extras.comments)
    if bound.is_reached:
        sheets.notes.append(
            f"Sheet “{sheet.name}” was read up to row {bound.last}: the file holds more text "
            "than can be searched."
        )


def _rows(sheet: calamine.CalamineSheet, extras: SheetExtras) -> Iterator[GridRow]:
    """Rows with anything in them, numbered as in the file, merged labels in each of their rows."""
    left = sheet.start[1] if sheet.start else 0
    merged = _labels(sheet.merged_cell_ranges or ())
    fills: dict[int, tuple[int, str]] = {}
    for index, values in enumerate(sheet.iter_rows()):  # begins at the first row of the sheet
        cells = [
            cell_text(value, extras.formats.get((index, left + column)))
            for column, value in enumerate(values)
        ]
        for first, right, last in merged.get(index, ()):
            is_head = all(isinstance(value, str) for value in values)
            for column in _columns_of(first - left, right - left, cells, is_head=is_head):
                fills[column] = last, cells[first - left]
        if any(cells):
            for column, (last, label) in fills.items():
                cells[column] = label if index <= last else cells[column]
            yield grid_row(index + 1, cells)


def _columns_of(first: int, right: int, cells: Sequence[str], *, is_head: bool) -> range:
    """Columns that show the label of merged cells.

    A title over several columns stands over each of them; a caption has its row to itself.
    """
    if not 0 <= first < len(cells):
        return range(0)
    right = min(right, len(cells) - 1)
    has_others = any(cells[:first]) or any(cells[right + 1 :])
    is_title = is_head and has_others and len(cells[first]) <= _MAX_TITLE
    return range(first, right + 1 if is_title else first + 1)


def _labels(
    ranges: Sequence[tuple[tuple[int, int], tuple[int, int]]],
) -> dict[int, list[tuple[int, int, int]]]:
    """First row to (first column, last column, last row) of merged cells."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    for (top, left), (bottom, right) in ranges:
        found.setdefault(top, []).append((left, right, bottom))
    return found


def _hidden(known: Sequence[calamine.SheetMetadata], extras: WorkbookExtras) -> tuple[str, ...]:
    """What is hidden in a workbook is often what others are worked out of: it is read, and said."""
    names = [s.name for s in known if s.visible is not calamine.SheetVisibleEnum.Visible]
    lines = [f"{name} ({one.hidden})" for name, one in extras.sheets.items() if one.hidden]
    sheets = (f"Hidden sheets were read, too: {', '.join(names)[:300]}.",) if names else ()
    if not lines:
        return sheets
    return (*sheets, f"Hidden rows and columns were read, too: {'; '.join(lines)[:300]}.")
