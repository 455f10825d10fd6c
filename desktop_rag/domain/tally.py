"""What an exhaustive scan counted, and how it is told: number, items, what was looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.documents import DocumentId

SHOWN_OF_COUNT = 10
"""Items that stand below a number as evidence."""
SHOWN_OF_LIST = 200
"""Items that a list shows; each has a citation, which is stored with the chat."""
_LABEL_CHARS = 160
_BULLET = re.compile(r"^(?:[-*•–◦▪]|\d{1,4}[.)]) ")


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that was counted, with the span that shows it."""

    label: str
    document: DocumentId
    start: int = 0
    end: int = 0
    """0: the document as a whole."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The result of a scan."""

    sentence: str
    """`12 of your 35 documents mention “asbestos”`, without a mark at its end."""
    count: int
    items: tuple[Item, ...]
    """All of them, or none when things are too many to be told apart (mentions)."""
    scope: str
    """What was looked at: `all 102 rows of customers.csv`."""
    remarks: tuple[str, ...] = ()
    """Sentences on copies, forms and whatever else could make another number right, too."""
    gaps: tuple[str, ...] = ()
    """Sentences on what could not be looked at."""
    documents: int = 0
    """How many were looked at."""


def shown(tally: Tally, *, is_list: bool) -> tuple[Item, ...]:
    """The items that are named, each with a citation."""
    return tally.items[: SHOWN_OF_LIST if is_list else SHOWN_OF_COUNT]


def told(tally: Tally, *, is_list: bool) -> str:
    """The whole text, with a citation number after each item, from 1 on."""
    items = shown(tally, is_list=is_list)
    mark = ":" if items else "."
    lines = [f"{tally.sentence}{mark}"]
    lines += [f"- {_short(item.label)} [{n}]" for n, item in enumerate(items, 1)]
    left = len(tally.items) - len(items)
    if left > 0:
        lines.append(f"- and {left:,} more")
    # What was not read says most where nothing was found; else it stands with the scope.
    extra = " ".join((*tally.remarks, *(() if tally.count else tally.gaps)))
    return "\n".join(lines) + (f"\n\n{extra}" if extra else "")


def scope_sentence(tally: Tally) -> str:
    """One sentence on what was looked at."""
    return " ".join((f"Looked at {tally.scope}.", *tally.gaps))


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 file`, `2 files`, `no files`."""
    many = plural or f"{noun}s"
    return f"1 {noun}" if number == 1 else f"{number:,} {many}" if number else f"no {many}"


def enumerated(names: Sequence[str], most: int = 3) -> str:
    """`a, b and c`, `a, b, c and 4 more`."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _short(label: str) -> str:
    line = _BULLET.sub("", " ".join(label.split()))
    return line if len(line) <= _LABEL_CHARS else f"{line[: _LABEL_CHARS - 1]}…"
