"""The two halves of the keyword index: a large one on disk and a small one in memory.

Both score with the BM25 of Lucene (Kamphuis et al., ECIR 2020): `idf * tf / (tf + k1 * (1 - b + b *
length / average))`, and both with the *same* idf, computed from the document frequencies of both
halves together, so their scores can be merged. One approximation remains until the next merge: the
average length is that of the base, and lengths of removed documents still count in it.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import numpy.typing as npt

K1 = 1.5
B = 0.75

Scores = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]


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


def idf(documents: int, frequency: int) -> float:
    """Inverse document frequency of Lucene's BM25; positive for every frequency."""
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


class BaseSegment:
    """A bm25s index on disk, read through memory maps. Documents are only ever marked dead."""

    def __init__(self, folder: Path) -> None:
        self._index: Any = bm25s.BM25.load(str(folder), mmap=True)
        self.ids: Ids = np.load(folder / "ids.npy")
        self._starts: Ids = np.load(folder / "starts.npy")
        self._tokens = np.load(folder / "tokens.npy", mmap_mode="r")
        self.alive = np.ones(len(self.ids), dtype=bool)
        self.average_length = float(self._starts[-1]) / max(1, len(self.ids))

    def __len__(self) -> int:
        return len(self.ids)

    def frequency(self, term: str) -> int:
        """In how many living documents the term occurs."""
        start, end = self._span(term)
        return int(np.count_nonzero(self.alive[self._index.scores["indices"][start:end]]))

    def remove(self, chunk: int) -> bool:
        """Mark a document dead; false when it is not here or already dead."""
        row = int(np.searchsorted(self.ids, chunk))
        if row >= len(self.ids) or self.ids[row] != chunk or not self.alive[row]:
            return False
        self.alive[row] = False
        return True

    def scores(self, idfs: dict[str, float]) -> Scores:
        """Score of every document for the terms of `idfs`; 0 for dead ones."""
        total = np.zeros(len(self.ids), dtype=np.float32)
        arrays = self._index.scores
        for term, value in idfs.items():
            start, end = self._span(term)
            if start == end:
                continue
            # bm25s multiplied its own idf into the data when the segment was built; dividing it
            # out and ours in makes both halves comparable. Rows of one term are distinct, so plain
            # indexing adds correctly.
            factor = value / idf(len(self.ids), end - start)
            total[arrays["indices"][start:end]] += arrays["data"][start:end] * np.float32(factor)
        total[~self.alive] = 0
        return total

    def living(self) -> TokenStore:
        """Everything that is not dead."""
        lengths = np.diff(self._starts)
        tokens = np.asarray(self._tokens)[np.repeat(self.alive, lengths)]
        return TokenStore(
            ids=self.ids[self.alive],
            starts=_starts(lengths[self.alive]),
            tokens=tokens,
            vocabulary={term: n for term, n in self._index.vocab_dict.items() if term},
        )

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
        self.ids: list[int] = []
        self._alive = bytearray()
        self._rows: dict[int, int] = {}
        self._documents: list[Sequence[str]] = []
        self._postings: dict[str, tuple[array[int], array[int]]] = {}

    def __len__(self) -> int:
        """Living documents."""
        return len(self._rows)

    def add(self, chunk: int, terms: Sequence[str]) -> None:
        """Add a document that is not here."""
        row = len(self.ids)
        self.ids.append(chunk)
        self._alive.append(1)
        self._rows[chunk] = row
        self._documents.append(terms)
        for term, count in Counter(terms).items():
            rows, counts = self._postings.setdefault(term, (array("i"), array("i")))
            rows.append(row)
            counts.append(count)

    def remove(self, chunk: int) -> bool:
        """Remove a document; false when it is not here."""
        row = self._rows.pop(chunk, None)
        if row is None:
            return False
        self._alive[row] = 0
        self._documents[row] = ()
        return True

    def frequency(self, term: str) -> int:
        """In how many living documents the term occurs."""
        found = self._postings.get(term)
        return int(np.count_nonzero(self._living()[_view(found[0])])) if found else 0

    def scores(self, idfs: dict[str, float], average_length: float) -> Scores:
        """Score of every document, in the order of `ids`; 0 for removed ones."""
        total = np.zeros(len(self.ids), dtype=np.float32)
        lengths = np.array([len(terms) for terms in self._documents], dtype=np.float32)
        norms = K1 * (1 - B + B * lengths / max(average_length, 1.0))
        for term, value in idfs.items():
            if found := self._postings.get(term):
                rows, counts = map(_view, found)
                total[rows] += np.float32(value) * counts / (norms[rows] + counts)
        total[~self._living()] = 0
        return total

    @property
    def total_length(self) -> int:
        """Terms of all living documents together."""
        return sum(len(terms) for terms in self._documents)

    def _living(self) -> npt.NDArray[np.bool_]:
        # A copy: the array cannot grow while numpy looks into it.
        return np.frombuffer(bytes(self._alive), dtype=np.bool_)

    def living(self) -> Iterable[tuple[int, Sequence[str]]]:
        """(chunk, terms) of the documents that were not removed."""
        for chunk, row in self._rows.items():
            yield chunk, self._documents[row]


def _view(numbers: array[int]) -> npt.NDArray[np.intc]:
    return np.frombuffer(numbers.tobytes(), dtype=np.intc)


def write_base(folder: Path, store: TokenStore) -> None:
    """Write a base segment that `BaseSegment` and bm25s itself can open.

    The arrays are what `BM25(method="lucene").index(...)` computes, made with a sort instead of a
    Python loop over documents: ten times faster, and nobody can search while a merge runs.
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


def joined(base: TokenStore | None, delta: Iterable[tuple[int, Sequence[str]]]) -> TokenStore:
    """Both halves as one store, ordered by identifier."""
    vocabulary = dict(base.vocabulary) if base else {}
    documents = sorted(delta, key=lambda pair: pair[0])
    flat = array("i")
    lengths: list[int] = []
    for _, terms in documents:
        lengths.append(len(terms))
        flat.extend(vocabulary.setdefault(term, len(vocabulary)) for term in terms)
    new = TokenStore(
        ids=np.array([chunk for chunk, _ in documents], dtype=np.int64),
        starts=_starts(np.array(lengths, dtype=np.int64)),
        tokens=np.frombuffer(flat, dtype=np.int32) if flat else np.empty(0, np.int32),
        vocabulary=vocabulary,
    )
    return new if base is None or not len(base.ids) else _interleaved(base, new)


def _interleaved(base: TokenStore, new: TokenStore) -> TokenStore:
    ids = np.concatenate([base.ids, new.ids])
    lengths = np.concatenate([np.diff(base.starts), np.diff(new.starts)])
    tokens = np.concatenate([base.tokens, new.tokens])
    order = np.argsort(ids, kind="stable")
    if not np.array_equal(order, np.arange(len(ids))):  # identifiers usually only grow
        starts = _starts(lengths)
        pieces = [tokens[starts[i] : starts[i + 1]] for i in order]
        tokens = np.concatenate(pieces)
    return TokenStore(ids[order], _starts(lengths[order]), tokens, new.vocabulary)


def _compact(store: TokenStore) -> TokenStore:
    """Drop vocabulary that no document uses any more and number the rest from 0."""
    uses = np.bincount(store.tokens, minlength=len(store.vocabulary))
    numbers = np.cumsum(uses > 0, dtype=np.int32) - 1
    vocabulary = {term: int(numbers[n]) for term, n in store.vocabulary.items() if uses[n]}
    return TokenStore(store.ids, store.starts, numbers[store.tokens], vocabulary)


def _columns(store: TokenStore) -> dict[str, Any]:
    """The scores as compressed columns, one a vocabulary entry."""
    documents = len(store.ids)
    lengths = np.diff(store.starts)
    rows = np.repeat(np.arange(documents, dtype=np.int64), lengths)
    # One number a (term, document) pair: sorting them sorts by column, then row.
    pairs, counts = np.unique(store.tokens.astype(np.int64) * documents + rows, return_counts=True)
    columns, rows = pairs // documents, pairs % documents
    frequencies = np.bincount(columns, minlength=len(store.vocabulary))
    idfs = np.log(1 + (documents - frequencies + 0.5) / (frequencies + 0.5))
    average = lengths.mean()
    tfs = counts / (K1 * (1 - B + B * lengths[rows] / average) + counts)
    return {
        "data": (idfs[columns] * tfs).astype(np.float32),
        "indices": rows.astype(np.int32),
        "indptr": _starts(frequencies),
        "num_docs": documents,
    }


def _starts(lengths: npt.NDArray[np.int64]) -> Ids:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
