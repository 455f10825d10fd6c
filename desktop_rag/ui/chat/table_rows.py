"""Tables in an answer's Markdown. Pure functions, no Qt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from desktop_rag.domain.doubts import CELL
from desktop_rag.ui.chat.reading_direction import is_right_to_left

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r"[-:| ]+")
_BORDER = re.compile(r"(?<!\\)\|")


def with_tables(text: str) -> str:
    """Rows as they stand in documents (`a | b`) become tables of Markdown.

    Qt puts the first column on the left always: of tables that run from right to left, the columns
    are turned around.
    """
    if "|" not in text:
        return text
    made: list[str] = []
    for is_table, lines in _groups(text.split("\n")):
        rows = _table(lines) if is_table and not lines[0].startswith("|") else lines
        made += _turned(rows) if is_table and _is_ruled(rows) else rows
    return "\n".join(made)


def _groups(lines: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """Lines in their order, those together that are rows of one table."""
    group: list[str] = []
    fence = ""
    for line in lines:
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        is_row = not fence and _is_row(line)
        if group and not (is_row and _goes_on(group, line)):
            yield True, group
            group = []
        if is_row:
            group.append(line)
        else:
            yield False, [line]
    if group:
        yield True, group


def _is_row(line: str) -> bool:
    return line.startswith("|") or (CELL in line and line[:1] not in {" ", "-", "*", ">"})


def _goes_on(rows: Sequence[str], line: str) -> bool:
    """Rows with borders belong together; of others, those with as many cells."""
    if rows[0].startswith("|"):
        return line.startswith("|")
    return not line.startswith("|") and line.count(CELL) == rows[0].count(CELL)


def _is_ruled(rows: Sequence[str]) -> bool:
    """Whether these are a table of Markdown: names of columns above a rule."""
    inner = [row for row in rows if row]
    return len(inner) > 1 and bool(_RULE.fullmatch(inner[1]))


def _table(rows: Sequence[str]) -> list[str]:
    """The rows between empty lines; a single one, or one with rules of its own, stays as it is."""
    if len(rows) < 2 or _is_ruled(rows):
        return list(rows)
    columns = rows[0].count(CELL) + 1
    head = "|" * (columns + 1) if _is_data(rows) else f"| {rows[0]} |"
    body = rows if _is_data(rows) else rows[1:]
    return ["", head, "|---" * columns + "|", *(f"| {row} |" for row in body), ""]


def _is_data(rows: Sequence[str]) -> bool:
    """Whether the first row is one like the others: names of columns hold no numbers."""
    return any(map(str.isdigit, re.sub(r"\[\d+\]", "", rows[0])))


def _turned(rows: Sequence[str]) -> Sequence[str]:
    """The same, the last column first where the words run from right to left."""
    if not is_right_to_left(" ".join(rows)):
        return rows
    return [_with_cells_turned(row) if "|" in row else row for row in rows]


def _with_cells_turned(row: str) -> str:
    cells = _BORDER.split(row.strip().removeprefix("|").removesuffix("|"))
    return f"|{'|'.join(reversed(cells))}|"
