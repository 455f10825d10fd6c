"""Names of an answer that stand in a table, but in no row with the name the question asks about.

`Clara Voss is responsible for Halvorsen` takes two names from one table, and from two rows of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from desktop_rag.domain.citing.sentences import Sentence
from desktop_rag.domain.citing.sources import Source
from desktop_rag.domain.support import terms
from desktop_rag.domain.table_cells import CELL

_Cells = list[frozenset[str]]


def stands_in_other_rows(
    sentence: Sentence, source: Source, asked: Iterable[tuple[str, ...]]
) -> bool:
    """Whether a name of the sentence stands only in rows that name another than the question does.

    Args:
        sentence: of the answer.
        source: that may bear it out.
        asked: names of the question.
    """
    rows = [
        [terms(cell).words for cell in line.split(CELL)]
        for line in source.passage.text.splitlines()
        if CELL in line
    ]
    wanted = [words for words in map(_words, asked) if _columns(rows, words)]
    said = [words for words in map(_words, sentence.said.names) if words]
    return any(
        _is_apart(rows, name, subject)
        for subject in wanted
        for name in said
        if not name & subject and not _is_in_prose(source, name)
    )


def _is_apart(rows: list[_Cells], name: frozenset[str], subject: frozenset[str]) -> bool:
    holding = [row for row in rows if any(name <= cell for cell in row)]
    columns = _columns(rows, subject)
    return bool(holding) and all(_names_another(row, subject, columns) for row in holding)


def _names_another(row: _Cells, subject: frozenset[str], columns: set[int]) -> bool:
    """An empty cell says nothing: the one above may count for it."""
    if any(subject <= cell for cell in row):
        return False
    return all(at < len(row) and row[at] for at in columns)


def _columns(rows: list[_Cells], subject: frozenset[str]) -> set[int]:
    return {at for row in rows for at, cell in enumerate(row) if subject and subject <= cell}


def _is_in_prose(source: Source, name: frozenset[str]) -> bool:
    held = (
        words.words for at, words in enumerate(source.span_terms) if CELL not in source.sentence(at)
    )
    return any(name <= words for words in held)


def _words(name: tuple[str, ...]) -> frozenset[str]:
    return terms(" ".join(name)).words
