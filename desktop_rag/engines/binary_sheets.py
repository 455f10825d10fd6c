"""How far the values of binary workbooks (XLS, XLSB) stand apart, before calamine lays them out.

Calamine makes a full rectangle from the first to the last value of a sheet; two values in opposite
corners ask for hundreds of gigabytes, and no error stands between that and the end of the process.
Records after Microsoft's [MS-XLS] 2.3 (type and size, two bytes each) and [MS-XLSB] 2.1.4 (both of
variable length).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from pathlib import Path

import olefile

from desktop_rag.engines.xlsx_parts import MAX_SHEET_BYTES
from desktop_rag.engines.zip_bounds import BoundedZip

_BOF = 0x809
_XLS_CELLS = frozenset({0x6, 0x203, 0x204, 0x205, 0x27E, 0xBD, 0xD6, 0xFD})
"""Records of values, which begin with row and column: formula, number, label, boolean, RK, …"""
_SEVERAL_RK = 0xBD
"""Ends with its last column."""
_ROW = 0
_XLSB_CELLS = range(2, 12)
"""RK, error, boolean, real, text, shared text and the four kinds of formula."""


class _Rectangle:
    """From the first to the last cell of a sheet."""

    def __init__(self) -> None:
        self._top = self._left = 1 << 30
        self._bottom = self._right = -1

    def take(self, row: int, column: int) -> None:
        """Make it reach to a cell."""
        self._top, self._bottom = min(self._top, row), max(self._bottom, row)
        self._left, self._right = min(self._left, column), max(self._right, column)

    @property
    def size(self) -> int:
        """Number of cells."""
        if self._bottom < 0:
            return 0
        return (self._bottom - self._top + 1) * (self._right - self._left + 1)


def xls_cells(path: Path) -> int:
    """Cells that all sheets of an XLS come to when they are laid out. 0 for a broken container."""
    try:
        with olefile.OleFileIO(path) as container:
            name = "Workbook" if container.exists("Workbook") else "Book"
            data = container.openstream(name).read()
    except (OSError, ValueError, IndexError, TypeError, AttributeError, struct.error):
        return 0  # olefile: whatever a broken container leads to; calamine has the last word
    sheets = [_Rectangle()]
    for kind, at, size in _xls_records(data):
        if kind == _BOF:
            sheets.append(_Rectangle())
        elif kind in _XLS_CELLS and size >= 4:
            row, column = struct.unpack_from("<HH", data, at)
            sheets[-1].take(row, column)
            if kind == _SEVERAL_RK:
                sheets[-1].take(row, struct.unpack_from("<H", data, at + size - 2)[0])
    return sum(sheet.size for sheet in sheets)


def _xls_records(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Type, position and size of each record's content."""
    at, end = 0, len(data) - 4
    while at <= end:
        kind, size = struct.unpack_from("<HH", data, at)
        if at + 4 + size > len(data):
            return
        yield kind, at + 4, size
        at += 4 + size


def xlsb_cells(archive: BoundedZip) -> int:
    """Cells of the largest sheet of an XLSB when it is laid out.

    Raises:
        Encrypted, TooLarge, Damaged: as `BoundedZip.read`.
    """
    sheets = [n for n in archive.names if "/worksheets/" in f"/{n}" and n.endswith(".bin")]
    return max((_xlsb_sheet(archive.read(name, MAX_SHEET_BYTES)) for name in sheets), default=0)


def _xlsb_sheet(data: bytes) -> int:
    rectangle, row = _Rectangle(), 0
    stream = io.BytesIO(data)
    while (kind := _variable(stream, 2)) >= 0 and (size := _variable(stream, 4)) >= 0:
        content = stream.read(size)
        if kind == _ROW and size >= 4:
            (row,) = struct.unpack_from("<I", content)
        elif kind in _XLSB_CELLS and len(content) >= 4:
            rectangle.take(row, struct.unpack_from("<I", content)[0])
    return rectangle.size


def _variable(stream: io.BytesIO, most: int) -> int:
    """A number of seven bits a byte, the low ones first; -1 at the end."""
    number = 0
    for place in range(most):
        byte = stream.read(1)
        if not byte:
            return -1
        number |= (byte[0] & 0x7F) << 7 * place
        if byte[0] < 0x80:
            break
    return number
