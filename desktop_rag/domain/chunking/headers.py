"""The context a chunk is embedded with: title > section, and the column titles of a cut table."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from desktop_rag.domain.table_cells import CELL

Count = Callable[[str], int]
"""Tokens of a text in the embedder's vocabulary, without special tokens."""

PATH_GAP = " > "
_FIGURE = re.compile(
    r"^[(\-–$€£¥]*\d[\d.,]*\s?[%€£¥$]?\)?$|^\d{4}-\d\d-\d\d(?: [\d:]+)?$|^\d+:\d\d(?::\d\d)?$"
)
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_MAX_HEAD_LINES = 4
_WORDS = re.compile(r"[^\W_]+")
_TELLING = re.compile(r".*[^\W\d_]{3}.*|(?:19|20)\d\d|[^\W\d_]\d\d?|\d\d?[^\W\d_]")
"""Part of a file's name that says something: a word, a year, `Q3`, `v2`."""
_DIGITS = "0123456789"
_SAYS_NOTHING = frozenset(
    {"copy", "doc", "docs", "document", "dokument", "file", "image", "img", "kopie", "new", "page"}
    | {"scan", "scanned", "screenshot", "unnamed", "untitled"}
)
_MAX_NAME_CHARS = 60


def telling_name(title: str, stem: str) -> str:
    """The words of a file's name if they say something that the title does not; else nothing.

    "Form 10-Q" is the report of any company and quarter; "2022 Q3 AAPL.pdf" is that of one.

    Args:
        title: of the document.
        stem: name of the file without its suffix.
    """
    known = {word.casefold() for word in _WORDS.findall(title)}
    words = (word for word in _WORDS.findall(stem) if word.casefold() not in known)
    more = [word for word in words if word.casefold().rstrip(_DIGITS) not in _SAYS_NOTHING]
    is_code = any(_is_code(word) for word in more)  # of a camera, a download, a database
    if is_code or not any(_TELLING.fullmatch(word) for word in more):
        return ""
    return " ".join(_WORDS.findall(stem))[:_MAX_NAME_CHARS].rstrip()


def contextual_header(
    title: str, path: Sequence[str], budget: int, count: Count, file: str = ""
) -> str:
    """`file: title > section > subsection` in at most `budget` tokens.

    The title and the innermost section matter most: those between go first, then ends of words.
    """
    parts = [part for part in (title, *path) if part]
    if len(parts) > 1 and parts[1].casefold() == title.casefold():
        del parts[1]
    if file:
        parts[:1] = [": ".join([file, *parts[:1]])]
    while len(parts) > 2 and count(PATH_GAP.join(parts)) > budget:
        del parts[1]
    if count(PATH_GAP.join(parts)) <= budget:
        return PATH_GAP.join(parts)
    share = budget // len(parts) - 1
    return PATH_GAP.join(shortened(part, share, count) for part in parts)


def _is_code(word: str) -> bool:
    """Whether no person chose these letters and digits: `3f9c2e17`, `1699887766`."""
    changes = sum(a.isdigit() != b.isdigit() for a, b in pairwise(word))
    return changes > 2 or (word.isdigit() and len(word) > 8)


def shortened(text: str, budget: int, count: Count) -> str:
    """The first words of `text` that fit in `budget` tokens, with an ellipsis if any are cut."""
    text = text[: budget * 20]
    if count(text) <= budget:
        return text
    words = text.split()
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if count(" ".join(words[:middle])) < budget:
            low = middle
        else:
            high = middle - 1
    return " ".join(words[:low]) + "…" if low else ""


def table_head(lines: Sequence[str]) -> list[str]:
    """The rows of column titles of a table: those before the first row with figures.

    Years count as titles ("2022 | 2021"). A table of words has one row of titles.
    """
    head: list[str] = []
    for line in lines[:_MAX_HEAD_LINES]:
        cells = [cell.strip() for cell in line.split("|") if cell.strip()]
        if any(_FIGURE.match(cell) and not _YEAR.match(cell) for cell in cells):
            break
        if len(cells) < 2:
            if head:
                break
            continue
        head.append(line)
    else:
        head = head[:1]
    return head


def names_of_cut_row(head: str, row: str, start: int, end: int) -> str:
    """What a passage that begins inside a long row needs: the row's label, its columns' names.

    Args:
        head: the row of column titles.
        row: the whole row.
        start, end: the passage's offsets in the row; `end` may lie behind it.
    """
    first = row.count(CELL, 0, start) + row.startswith("|", start)
    last = row.count(CELL, 0, min(end, len(row)))
    names = head.split(CELL)[first : last + 1]
    label = row.split(CELL, 1)[0].strip() if first else ""
    return CELL.join(filter(None, (label[:60], *names)))
