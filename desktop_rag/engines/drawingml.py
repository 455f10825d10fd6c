"""Text in Office drawings: paragraphs, tables, charts and diagrams (SmartArt)."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from lxml import etree

from desktop_rag.domain.hidden_text import leave_out
from desktop_rag.domain.text_cleaning import clean_characters, clean_line
from desktop_rag.engines.numerals import whole
from desktop_rag.engines.ooxml import FALLBACK

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
CHART_EX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
MAX_CHART_ROWS = 1000
MAX_CHART_COLUMNS = 50
MAX_REPEATED_CHARS = 80
"""A label that stands once for several rows is repeated in each, a long text is not."""
_READABLE = 200
"""Hundredths of a point."""
_EXCEL_EPOCH = date(1899, 12, 30)
_DATE_FORMAT = re.compile(r"y+", re.IGNORECASE)
_FILE_NAME = re.compile(r"\.(?:png|jpe?g|gif|tiff?|bmp|webp|emf|wmf|svg|pdf)$", re.IGNORECASE)
_MACHINE_MADE = re.compile(r"automatically generated|AI-generated|automatisch generiert", re.I)


def paragraph_text(paragraph: Any) -> str:
    """Text of an `a:p` with its line breaks; slide numbers are left out."""
    pieces: list[str] = []
    walker = etree.iterwalk(paragraph, events=("start",))
    for _, element in walker:
        if element.tag == FALLBACK or _is_slide_number(element):
            walker.skip_subtree()
        elif element.tag == A + "r" and _is_tiny(element):
            leave_out("tiny", "".join(text.text or "" for text in element.iter(A + "t")))
            walker.skip_subtree()
        elif element.tag in (A + "t", MATH_TEXT):
            pieces.append(element.text or "")
        elif element.tag == A + "br":
            pieces.append("\n")
    lines = clean_characters("".join(pieces)).replace("_x000B_", " ").split("\n")
    return "\n".join(line for line in map(clean_line, lines) if line)


def _is_tiny(run: Any) -> bool:
    properties = run.find(A + "rPr")
    size = whole(properties.get("sz"), _READABLE) if properties is not None else _READABLE
    return size < _READABLE


def _is_slide_number(element: Any) -> bool:
    return bool(element.tag == A + "fld" and element.get("type") == "slidenum")


def table_rows(table: Any) -> list[list[str]]:
    """Rows of an `a:tbl`. A cell over several rows is repeated if it is short."""
    rows: list[list[str]] = []
    above: dict[int, str] = {}
    for row in table.iterfind(A + "tr"):
        cells: list[str] = []
        for column, cell in enumerate(row.iterfind(A + "tc")):
            if _is_true(cell.get("hMerge")):
                continue
            text = clean_line(" ".join(map(paragraph_text, cell.iter(A + "p"))))
            if _is_true(cell.get("vMerge")):
                text = above.get(column, "") if len(above.get(column, "")) < 80 else ""
            above[column] = text
            cells.append(text)
        rows.append(cells)
    return rows


def _is_true(value: str | None) -> bool:
    return value in ("1", "true", "on")


def chart_table(root: Any) -> tuple[str, list[list[str]]]:
    """Title of a chart, and its figures as a table: one row a category, one column a series."""
    if root.tag.startswith(CHART_EX):
        return _chart_ex_table(root)
    title = _texts(root.find(f"{CHART}chart/{CHART}title"))
    series = list(root.iter(CHART + "ser"))[:MAX_CHART_COLUMNS]
    names = [_texts(one.find(CHART + "tx")) or f"Series {n}" for n, one in enumerate(series, 1)]
    categories: dict[int, str] = {}
    columns: list[dict[int, str]] = []
    for one in series:
        for number, text in _points(one, "cat", "xVal").items():
            categories.setdefault(number, text)
        columns.append(_points(one, "val", "yVal"))
    numbers = sorted(set(categories).union(*columns))[:MAX_CHART_ROWS]
    axis = root.find(f".//{CHART}catAx/{CHART}title")
    rows = [[_texts(axis) or "Category", *names]]
    rows += [
        [categories.get(n, str(n + 1)), *(column.get(n, "") for column in columns)] for n in numbers
    ]
    return title, rows if numbers else []


def _texts(element: Any) -> str:
    """All words in a title or a series' name, written or cached."""
    if element is None:
        return ""
    return clean_line(
        " ".join(t.text or "" for t in element.iter(A + "t", CHART + "v", CHART_EX + "v"))
    )


def _points(series: Any, *names: str) -> dict[int, str]:
    """Cached values of the first of the named children that a series has, by their index."""
    source = next((e for name in names if (e := series.find(CHART + name)) is not None), None)
    if source is None:
        return {}
    levels = source.iter(CHART + "lvl")
    cache = next(levels, source)
    style = source.findtext(f".//{CHART}formatCode") or ""
    found: dict[int, str] = {}
    for point in cache.iter(CHART + "pt"):
        index = whole(point.get("idx"), -1)
        if index >= 0 and len(found) < MAX_CHART_ROWS:
            found[index] = _shown(clean_line(point.findtext(CHART + "v") or ""), style)
    return found


def _shown(value: str, style: str) -> str:
    """A number the way the chart shows it: percent and dates written out, no noise digits."""
    try:
        number = float(value)
    except ValueError:
        return value
    if "%" in style:
        return f"{number * 100:.6g}%"
    if _DATE_FORMAT.search(style) and 0 < number < 200_000:
        return (_EXCEL_EPOCH + timedelta(days=int(number))).isoformat()
    return value if len(value) <= 10 else f"{number:.10g}"


def _chart_ex_table(root: Any) -> tuple[str, list[list[str]]]:
    """Waterfall, funnel, treemap …: columns of the first data block side by side."""
    title = _texts(root.find(f".//{CHART_EX}title"))
    data = root.find(f".//{CHART_EX}data")
    columns = []
    for dimension in data if data is not None else ():
        level = dimension.find(CHART_EX + "lvl")
        if level is not None:
            columns.append([clean_line(pt.text or "") for pt in level.iter(CHART_EX + "pt")])
    longest = min(max(map(len, columns), default=0), MAX_CHART_ROWS)
    return title, [
        [column[n] if n < len(column) else "" for column in columns] for n in range(longest)
    ]


def diagram_lines(root: Any) -> list[str]:
    """Texts of a diagram's points in the order they were made; waiting prompts are left out."""
    lines = []
    for point in root.iter(DIAGRAM + "pt"):
        body = point.find(DIAGRAM + "t")
        if body is not None:
            text = clean_line(" ".join(map(paragraph_text, body.iter(A + "p"))))
            lines.extend([text] if text else [])
    return lines


def picture_words(element: Any) -> str:
    """The description an author gave a picture, if it is words and not a file's name."""
    text = clean_line(element.get("descr") or "")[:1000]
    if _FILE_NAME.search(text) or _MACHINE_MADE.search(text) or "://" in text:
        return ""
    return text if sum(1 for word in text.split() if word[:1].isalpha()) >= 2 else ""
