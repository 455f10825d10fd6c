"""The two halves of the keyword index: a large one on disk and a small one in memory.

Both give the same thing, the postings of a term (documents and how often it stands in each), and
`scores` computes the BM25 of Lucene from it (Kamphuis et al., ECIR 2020): `idf * tf / (tf + k1 * (1
- b + b * length / average))`. Document counts, document frequencies and the average length are
those of the living documents of both halves together, so scores are those of an index that was
built afresh, whatever is pending.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import numpy.typing as npt

K1 = 1.5
B = 0.75
_DOCUMENTS_AT_ONCE = 8_192

Scores = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TokenStore:
    """Documents as numbers of vocabulary entries: all a merge needs, without the text.

    `tokens` holds all documents one after another; document `i` is `tokens[starts[i]:starts[i+1]]`
    and has the identifier `ids[i]`. `ids` ascend.
    """

    ids: Ids
    starts: Ids
    tokens: npt.NDArray[np.int32]
    vocabulary: dict[str, int]


@dataclass(frozen=True, slots=True)
class Postings:
    """Rows of the documents that hold a term, dead ones too, and how often it stands in each."""

    rows: npt.NDArray[np.integer[Any]]
    counts: npt.NDArray[np.float64]

    def among(self, mask: Mask) -> Postings:
        """Only the rows that `mask` has."""
        is_wanted = mask[self.rows]
        return Postings(self.rows[is_wanted], self.counts[is_wanted])


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of all documents that are searched: how many, and their average length in terms."""

    documents: int
    average: float


def idf(documents: int, frequency: int) -> float:
    """Inverse document frequency of Lucene's BM25; positive for every frequency."""
    return float(np.log(1 + (documents - frequency + 0.5) / (frequency + 0.5)))


def add_scores(
    total: Scores, found: Postings, lengths: Ids, statistics: Statistics, worth: float
) -> None:
    """Add what one term contributes to each document of a segment to `total` (by row).

    Args:
        total: changed in place.
        found: the term's postings in this segment.
        lengths: of the segment's documents, by row.
        statistics: of all segments.
        worth: the term's `idf` over all segments, times its weight in the question.
    """
    norms = K1 * (1 - B + B * lengths[found.rows] / statistics.average)
    # Rows of one term are distinct, so plain indexing adds correctly.
    total[found.rows] += (worth * (found.counts / (norms + found.counts))).astype(np.float32)


class BaseSegment:
    """A bm25s index on disk, read through memory maps. Documents are only ever marked dead."""

    def __init__(self, folder: Path) -> None:
        self._index: Any = bm25s.BM25.load(str(folder), mmap=True)
        self.ids: Ids = np.load(folder / "ids.npy")
        self._starts: Ids = np.load(folder / "starts.npy")
        self._tokens = np.load(folder / "tokens.npy", mmap_mode="r")
        self.lengths: Ids = np.diff(self._starts)
        self.alive: Mask = np.ones(len(self.ids), dtype=bool)
        self._average = float(self._starts[-1]) / max(1, len(self.ids))

    def __len__(self) -> int:
        """All documents, dead ones too."""
        return len(self.ids)

    def remove(self, chunk: int) -> int | None:
        """Mark a document dead; how many terms it had, `None` when it is not here or was dead."""
        row = self._row(chunk)
        if row is None:
            return None
        self.alive[row] = False
        return int(self.lengths[row])

    def holds(self, chunk: int, terms: Sequence[str]) -> bool:
        """Whether the document is alive and consists of just these terms."""
        row = self._row(chunk)
        if row is None or self.lengths[row] != len(terms):
            return False
        numbers = [self._index.vocab_dict.get(term, -1) for term in terms]
        return bool(
            np.array_equal(self._tokens[self._starts[row] : self._starts[row + 1]], numbers)
        )

    def has(self, term: str) -> bool:
        """Whether a document holds the term, dead ones too."""
        start, end = self._span(term)
        return end > start

    def postings(self, term: str) -> Postings:
        """Where the term stands.

        bm25s stores `idf * tf / (norm + tf)` of the time the segment was built; the counts are
        computed back from it, which rounding makes exact.
        """
        start, end = self._span(term)
        rows = np.asarray(self._index.scores["indices"][start:end])
        share = np.asarray(self._index.scores["data"][start:end], dtype=np.float64)
        share = np.minimum(share / idf(len(self.ids), end - start), 1 - 1e-7)
        norms = K1 * (1 - B + B * self.lengths[rows] / self._average)
        return Postings(rows, np.rint(share * norms / (1 - share)))

    def living(self, alive: Mask) -> TokenStore:
        """The documents of `alive` (by row). Takes its time, and may do so on any thread."""
        return TokenStore(
            ids=self.ids[alive],
            starts=_starts(self.lengths[alive]),
            tokens=np.asarray(self._tokens)[np.repeat(alive, self.lengths)],
            vocabulary={term: n for term, n in self._index.vocab_dict.items() if term},
        )

    def _row(self, chunk: int) -> int | None:
        row = int(np.searchsorted(self.ids, chunk))
        if row >= len(self.ids) or self.ids[row] != chunk or not self.alive[row]:
            return None
        return row

    def _span(self, term: str) -> tuple[int, int]:
        number = self._index.vocab_dict.get(term)
        # bm25s adds an entry for the empty term without a column of its own.
        indptr = self._index.scores["indptr"]
        if number is None or number + 1 >= len(indptr):
            return 0, 0
        return int(indptr[number]), int(indptr[number + 1])


class DeltaSegment:
    """Documents added since the last merge, in memory. Bounded by whoever calls `merge`."""

    def __init__(self) -> None:
        self._ids = array("q")
        self._starts = array("q", [0])
        self._tokens = array("i")
        self._alive = bytearray()
        self._rows: dict[int, int] = {}
        self._vocabulary: dict[str, int] = {}
        self._postings: list[tuple[array[int], array[int]]] = []

    def __len__(self) -> int:
        """All documents, dead ones too."""
        return len(self._ids)

    @property
    def ids(self) -> Ids:
        """Numbers of all documents, by row."""
        return _view(self._ids, np.int64)

    @property
    def lengths(self) -> Ids:
        """Terms of all documents, by row."""
        return np.diff(_view(self._starts, np.int64))

    @property
    def alive(self) -> Mask:
        """Which documents were not removed, by row."""
        # A copy: the array cannot grow while numpy looks into it.
        return np.frombuffer(bytes(self._alive), dtype=np.bool_)

    def add(self, chunk: int, terms: Sequence[str]) -> None:
        """Add a document that is not in this segment."""
        row = len(self._ids)
        self._ids.append(chunk)
        self._alive.append(1)
        self._rows[chunk] = row
        numbers = [self._vocabulary.setdefault(term, len(self._vocabulary)) for term in terms]
        self._tokens.extend(numbers)
        self._starts.append(len(self._tokens))
        for number, count in Counter(numbers).items():
            while number >= len(self._postings):
                self._postings.append((array("i"), array("i")))
            rows, counts = self._postings[number]
            rows.append(row)
            counts.append(count)

    def remove(self, chunk: int) -> int | None:
        """Remove a document; how many terms it had, or `None` when it is not here."""
        row = self._rows.pop(chunk, None)
        if row is None:
            return None
        self._alive[row] = 0
        return self._starts[row + 1] - self._starts[row]

    def holds(self, chunk: int, terms: Sequence[str]) -> bool:
        """Whether the document is alive and consists of just these terms."""
        row = self._rows.get(chunk)
        if row is None:
            return False
        stored = self._tokens[self._starts[row] : self._starts[row + 1]].tolist()
        return stored == [self._vocabulary.get(term, -1) for term in terms]

    def has(self, term: str) -> bool:
        """Whether a document holds the term, dead ones too."""
        return term in self._vocabulary

    def postings(self, term: str) -> Postings:
        """Where the term stands."""
        number = self._vocabulary.get(term)
        if number is None:
            return Postings(np.empty(0, np.int32), np.empty(0, np.float64))
        rows, counts = self._postings[number]
        return Postings(_view(rows, np.int32), _view(counts, np.int32).astype(np.float64))

    def snapshot(self) -> TokenStore:
        """Everything that is not dead now, ordered by number; a copy."""
        lengths, alive = self.lengths, self.alive
        tokens = _view(self._tokens, np.int32)[np.repeat(alive, lengths)]
        ids, lengths = self.ids[alive], lengths[alive]
        order = np.argsort(ids, kind="stable")
        return TokenStore(
            ids=ids[order],
            starts=_starts(lengths[order]),
            tokens=_reordered(tokens, lengths, order),
            vocabulary=dict(self._vocabulary),
        )


def _view(numbers: array[int], kind: type[np.generic]) -> npt.NDArray[Any]:
    # A copy: the array cannot grow while numpy looks into it.
    return np.frombuffer(numbers.tobytes(), dtype=kind)


def write_base(folder: Path, store: TokenStore) -> None:
    """Write a base segment that `BaseSegment` and bm25s itself can open.

    The arrays are what `BM25(method="lucene").index(...)` computes, made with a sort instead of a
    Python loop over documents: ten times faster, and numpy lets other threads run meanwhile.
    """
    store = _compact(store)
    retriever: Any = bm25s.BM25(k1=K1, b=B, method="lucene")
    retriever.scores = _columns(store)
    retriever.vocab_dict = store.vocabulary
    retriever.nonoccurrence_array = None
    retriever.save(str(folder), show_progress=False)
    np.save(folder / "ids.npy", store.ids)
    np.save(folder / "starts.npy", store.starts)
    np.save(folder / "tokens.npy", store.tokens)


def joined(base: TokenStore | None, new: TokenStore) -> TokenStore:
    """Both halves as one store, ordered by identifier. No document may be in both."""
    if base is None or not len(base.ids):
        return new
    vocabulary = dict(base.vocabulary)
    numbers = [vocabulary.setdefault(term, len(vocabulary)) for term in new.vocabulary]
    renumbered = np.array(numbers, dtype=np.int32)[new.tokens] if numbers else new.tokens
    ids = np.concatenate([base.ids, new.ids])
    lengths = np.concatenate([np.diff(base.starts), np.diff(new.starts)])
    tokens = np.concatenate([base.tokens, renumbered])
    order = np.argsort(ids, kind="stable")
    return TokenStore(
        ids[order], _starts(lengths[order]), _reordered(tokens, lengths, order), vocabulary
    )


def _reordered(
    tokens: npt.NDArray[np.int32], lengths: Ids, order: npt.NDArray[np.int64]
) -> npt.NDArray[np.int32]:
    """The documents' tokens in another order of documents."""
    if not len(tokens) or np.array_equal(order, np.arange(len(order))):
        return tokens  # identifiers usually only grow
    starts = _starts(lengths)
    return np.concatenate([tokens[starts[i] : starts[i + 1]] for i in order])


def _compact(store: TokenStore) -> TokenStore:
    """Drop vocabulary that no document uses any more and number the rest from 0."""
    uses = np.bincount(store.tokens, minlength=len(store.vocabulary))
    numbers = np.cumsum(uses > 0, dtype=np.int32) - 1
    vocabulary = {term: int(numbers[n]) for term, n in store.vocabulary.items() if uses[n]}
    return TokenStore(store.ids, store.starts, numbers[store.tokens], vocabulary)


def _columns(store: TokenStore) -> dict[str, Any]:
    """The scores as compressed columns, one a vocabulary entry.

    Made in blocks of documents, so that memory does not grow with a multiple of the whole.
    """
    documents = len(store.ids)
    blocks = [_block(store, start) for start in range(0, documents, _DOCUMENTS_AT_ONCE)]
    frequencies = np.zeros(len(store.vocabulary), dtype=np.int64)
    for columns, _, _ in blocks:
        frequencies += np.bincount(columns, minlength=len(frequencies))
    indptr = _starts(frequencies)
    data = np.empty(indptr[-1], dtype=np.float32)
    indices = np.empty(indptr[-1], dtype=np.int32)
    lengths = np.diff(store.starts)
    norms = K1 * (1 - B + B * lengths / (int(lengths.sum()) / documents))
    idfs = np.log(1 + (documents - frequencies + 0.5) / (frequencies + 0.5))
    free = indptr[:-1].copy()
    while blocks:
        columns, rows, counts = blocks.pop(0)
        here = np.bincount(columns, minlength=len(frequencies))
        # An entry's place: where its column is free, plus its rank in the column in this block.
        places = np.repeat(free - _starts(here)[:-1], here) + np.arange(len(columns))
        indices[places] = rows
        data[places] = idfs[columns] * (counts / (norms[rows] + counts))
        free += here
    return {"data": data, "indices": indices, "indptr": indptr, "num_docs": documents}


def _block(
    store: TokenStore, first: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Columns, rows and counts of `_DOCUMENTS_AT_ONCE` documents, ordered by column, then row."""
    starts = store.starts[first : first + _DOCUMENTS_AT_ONCE + 1]
    documents = len(starts) - 1
    rows = np.repeat(np.arange(documents), np.diff(starts))
    # One number a (term, document) pair: sorting them sorts by column, then row.
    pairs = store.tokens[starts[0] : starts[-1]].astype(np.int64) * documents + rows
    pairs, counts = np.unique(pairs, return_counts=True)
    columns = (pairs // documents).astype(np.int32)
    return columns, (pairs % documents + first).astype(np.int32), counts.astype(np.int32)


def _starts(lengths: npt.NDArray[np.int64]) -> Ids:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
