"""Reads delimited text (CSV, TSV) with the standard library; delimiter and quotes are found out.

Places are row numbers as a spreadsheet program would count them.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.documents import Coverage, ParsedDocument
from desktop_rag.domain.errors import NoText
from desktop_rag.engines.decoding import read_beginning
from desktop_rag.engines.grids import MAX_CHARACTERS, Bound, GridRow, GridWriter, grid_row

MAX_BYTES = 20_000_000
"""Of the file that are looked at; more than `MAX_CHARACTERS` are rare in them."""
_SAMPLE_CHARACTERS = 64_000
_SAMPLE_ROWS = 200
_DELIMITERS = ("\t", ";", "|", ",")
"""In the order of trust: commas also stand in numbers and in words."""
_MOST_LINES = 100
"""Of one record; a quote that is never closed would swallow the rest of the file."""
_LONG_FIELD = 10_000_000


class DelimitedParser:
    """`ports.Parser` for CSV and TSV."""

    name = "delimited-1"
    suffixes = frozenset({".csv", ".tsv", ".tab"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read the rows; see `ports.Parser`."""
        text, is_cut = read_beginning(path, MAX_BYTES)
        text, delimiter = _declared(text)
        delimiter = delimiter or find_delimiter(text)
        bound = Bound(MAX_CHARACTERS)
        table = GridWriter()
        table.add_sheet(bound.kept(_rows(text, delimiter)))
        if not table.text.strip():
            raise NoText(f"“{path.name}” holds no text: all of its fields are empty.")
        return ParsedDocument(
            format="tsv" if delimiter == "\t" else "csv",
            text=table.text,
            blocks=table.blocks,
            notes=_notes(bound, is_cut=is_cut),
            parts=tuple(table.parts),
            coverage=Coverage(tables=table.tables),
        )


def find_delimiter(text: str) -> str:
    """The delimiter that cuts the first rows most evenly into the most fields; else a comma.

    `csv.Sniffer` takes letters for delimiters, and commas inside quoted text count for it.
    """
    sample = text[:_SAMPLE_CHARACTERS]
    scores = {sign: _evenness(sample, sign) for sign in _DELIMITERS}
    best = max(scores, key=lambda sign: scores[sign])
    return best if scores[best] else ","


def _evenness(sample: str, delimiter: str) -> float:
    rows = [row for row in _records(sample, delimiter, _SAMPLE_ROWS) if any(row)]
    if len(rows) > 1 and len(sample) == _SAMPLE_CHARACTERS:
        rows.pop()  # the sample may have cut it
    widths = Counter(len(row) for row in rows if len(row) > 1)
    if not widths:
        return 0.0
    width, count = max(widths.items(), key=lambda one: (one[1], one[0]))
    return count / len(rows) * (1 - 0.5 / width)


def _declared(text: str) -> tuple[str, str]:
    """The text and the delimiter of Excel's first line `sep=;`, which is no data."""
    first, _, rest = text.partition("\n")
    first = first.strip().strip('"')
    if len(first) == 5 and first.lower().startswith("sep="):
        return rest, first[4]
    return text, ""


def _rows(text: str, delimiter: str) -> Iterator[GridRow]:
    for number, fields in enumerate(_records(text, delimiter), 1):
        if any(fields):
            yield grid_row(number, fields)


def _records(text: str, delimiter: str, most: int = 0) -> Iterator[list[str]]:
    """Records of delimited text; nothing in it is an error."""
    csv.field_size_limit(_LONG_FIELD)
    reader = csv.reader(
        _lines(text),
        delimiter=delimiter,
        quoting=csv.QUOTE_NONE if _is_quote_open(text, delimiter) else csv.QUOTE_MINIMAL,
        skipinitialspace=delimiter != "\t",
    )
    for number, fields in enumerate(reader, 1):
        yield [field.strip() for field in fields]
        if number == most:
            return


def _is_quote_open(text: str, delimiter: str) -> bool:
    """Whether a record would run over more lines than any that is meant so."""
    if text.count('"') % 2 == 0:
        return False
    reader = csv.reader(_lines(text), delimiter=delimiter, skipinitialspace=delimiter != "\t")
    before = 0
    for _ in reader:
        if reader.line_num - before > _MOST_LINES:
            return True
        before = reader.line_num
    return False


def _lines(text: str) -> Iterator[str]:
    """Lines with their ends; unlike `splitlines` only at line feeds, and without a second copy."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin) + 1 or len(text)
        yield text[begin:end]
        begin = end


def _notes(bound: Bound, *, is_cut: bool) -> tuple[str, ...]:
    if not (bound.is_reached or is_cut):
        return ()
    return (f"Read up to row {bound.last:,}: the file holds more text than can be searched.",)
