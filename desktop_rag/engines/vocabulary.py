"""The words of the documents as they are written: what a misspelled question is compared with.

Search terms are stems (`experi`), from which no misspelling can be told. So the different words are
kept beside the keyword store, in a file that only grows: words of removed documents stay in it, and
whoever asks looks whether a word is still in use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.domain.spelling import LEAST_LETTERS, is_correctable, spelling_of
from desktop_rag.engines.append_log import AppendLog

_LONGEST = 24
_WORD = re.compile(rf"(?<!\w)[^\W\d_]{{{LEAST_LETTERS},{_LONGEST}}}(?!\w)")
_WIDE_FROM = 8
"""Letters from which a word may have two mistakes; shorter ones have too many neighbours."""
_MOST = 20


class Vocabulary:
    """Different words of a folder's documents. Read on first use. Not thread-safe.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, file: Path) -> None:
        self.is_new = not file.exists()
        self._file = file
        self._log = AppendLog(file)
        self._words: dict[str, str] | None = None
        self._table: _Table | None = None

    def __contains__(self, word: str) -> bool:
        """Whether a document had this word, whatever its case and accents."""
        return spelling_of(word) in self._read()

    def add(self, texts: Iterable[str]) -> None:
        """Learn the words of texts. On disk when it returns.

        Raises:
            OSError: no room; nothing was learned.
        """
        known = self._read()
        met = set(chain.from_iterable(_WORD.findall(text) for text in texts))
        fresh = {spelling_of(word): word.lower() for word in met if is_correctable(word)}
        fresh = {key: word for key, word in fresh.items() if key not in known}
        if fresh:
            self._log.append("".join(f"{word}\n" for word in fresh.values()).encode())
            known.update(fresh)
            self._table = None

    def nearest(self, word: str) -> list[tuple[str, int]]:
        """At most `_MOST` words that are a few typing mistakes away, with their number.

        One mistake, in a long word two: a letter too many, too few, wrong, or two swapped (optimal
        string alignment). The first letter is right, as it nearly always is.
        """
        asked = spelling_of(word)
        if not 1 < len(asked) <= _LONGEST:
            return []
        known = self._read()
        if self._table is None:
            self._table = _Table(list(known))
        found = self._table.nearest(asked, 2 if len(asked) >= _WIDE_FROM else 1)
        return [(known[near], distance) for near, distance in found[:_MOST]]

    def clear(self) -> None:
        """Forget everything."""
        self._log.cut(0)
        self._words, self._table = {}, None

    def close(self) -> None:
        """Let go of the file."""
        self._log.close()

    def _read(self) -> dict[str, str]:
        if self._words is None:
            # A line that was cut off by a power failure is one odd word.
            lines = self._file.read_text(encoding="utf-8", errors="ignore").split("\n")
            self._words = {spelling_of(line): line for line in lines if line}
        return self._words


class _Table:
    """Words as an array of code points, to compare one with all of them at once."""

    def __init__(self, spellings: list[str]) -> None:
        self._spellings = spellings
        texts = np.array(spellings, dtype=f"<U{_LONGEST}")
        self._codes = texts.view(np.uint32).reshape(len(spellings), _LONGEST)
        self._lengths = np.count_nonzero(self._codes, axis=1)
        self._letters = _letters(self._codes)

    def nearest(self, asked: str, limit: int) -> list[tuple[str, int]]:
        """Words at most `limit` mistakes from `asked` and not equal to it, nearest first."""
        codes = np.frombuffer(asked.encode("utf-32-le"), np.uint32)
        rows = self._candidates(codes, limit)
        distances = _distances(codes, self._codes[rows].T.copy(), self._lengths[rows])
        order = np.argsort(distances, kind="stable")
        near = [(int(rows[i]), int(distances[i])) for i in order if 0 < distances[i] <= limit]
        return [(self._spellings[row], distance) for row, distance in near]

    def _candidates(self, asked: npt.NDArray[np.uint32], limit: int) -> npt.NDArray[np.intp]:
        """Rows whose first letter, length and set of letters allow so few mistakes."""
        is_like = self._codes[:, 0] == asked[0]
        is_like &= np.abs(self._lengths - len(asked)) <= limit
        others = np.bitwise_count(self._letters ^ _letters(asked[None, :]))
        return np.flatnonzero(is_like & (others <= 2 * limit))


def _letters(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """The set of a word's letters as bits; a mistake changes two of them at most."""
    bits = np.left_shift(np.uint64(1), (codes % 64).astype(np.uint64))
    found: npt.NDArray[np.uint64] = np.bitwise_or.reduce(
        np.where(codes > 0, bits, np.uint64(0)), axis=1
    )
    return found


def _distances(
    asked: npt.NDArray[np.uint32], columns: npt.NDArray[np.uint32], lengths: npt.NDArray[np.intp]
) -> npt.NDArray[np.int16]:
    """Optimal string alignment distance from `asked` to each word; `columns[j]` their letter j."""
    width, count = columns.shape
    last = np.repeat(np.arange(width + 1, dtype=np.int16)[:, None], count, axis=1)
    before = last
    for i, letter in enumerate(asked):
        row = np.empty_like(last)
        row[0] = i + 1
        for j in range(width):
            is_other = columns[j] != letter
            row[j + 1] = np.minimum(np.minimum(last[j + 1], row[j]) + 1, last[j] + is_other)
            if i and j:
                is_swapped = (columns[j] == asked[i - 1]) & (columns[j - 1] == letter)
                swapped = np.minimum(row[j + 1], before[j - 1] + 1)
                row[j + 1] = np.where(is_swapped, swapped, row[j + 1])
        before, last = last, row
    return last[lengths, np.arange(count)]
