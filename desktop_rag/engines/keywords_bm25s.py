"""Keyword search: stemmed terms, BM25, one generation of files on disk.

A generation is a folder that is complete or not used at all:

    generation.json     written last; says what the folder holds
    base/               a bm25s index and the documents' terms, never changed
    journal.jsonl       what was added and removed since, one line a batch

A merge writes a new folder and leaves the old one alone; which of them counts is the caller's
decision, in one atomic step. Not thread-safe.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TextIO

import numpy as np
import Stemmer

from desktop_rag.domain.terms import terms
from desktop_rag.engines.keyword_segments import (
    BaseSegment,
    DeltaSegment,
    idf,
    joined,
    write_base,
)

SCHEMA = 1
DESCRIPTION = "generation.json"
JOURNAL = "journal.jsonl"
_MERGE_AT_LEAST = 2_000
_MERGE_AT_MOST = 20_000


class KeywordIndexDamaged(Exception):
    """The folder is not a whole generation of this version; build another."""


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """Chunks with their BM25 scores, best first, and which terms of the question exist at all."""

    chunks: tuple[int, ...]
    scores: tuple[float, ...]
    matched: tuple[str, ...]
    unmatched: tuple[str, ...]


class Analyzer:
    """Text to stemmed terms without function words.

    Args:
        language: a Snowball language.
        stop_words: a UTF-8 file of words to leave out, one a line, `#` for comments.
    """

    def __init__(self, language: str, stop_words: Path) -> None:
        lines = stop_words.read_text(encoding="utf-8").splitlines()
        self._stopped = frozenset(one for one in lines if one and not one.startswith("#"))
        self._stemmer = Stemmer.Stemmer(language)
        self._stem = lru_cache(maxsize=65536)(self._stem_word)

    def terms(self, text: str) -> list[str]:
        """Terms in reading order, with repeats."""
        return [stem for term in terms(text) if (stem := self._stem(term))]

    def _stem_word(self, term: str) -> str:
        return "" if term in self._stopped else str(self._stemmer.stemWord(term))


class KeywordIndex:
    """One generation, open for searching and changing.

    Args:
        folder: of a generation made by `create` or `merge_into`.
        analyzer: the same one as when the generation was made.

    Raises:
        KeywordIndexDamaged: incomplete, foreign or unreadable.
    """

    def __init__(self, folder: Path, analyzer: Analyzer) -> None:
        self.folder = folder
        self._analyzer = analyzer
        self._delta = DeltaSegment()
        self._dead = 0
        try:
            self._base = self._open_base()
            self._replay()
        except (OSError, EOFError, LookupError, ValueError, TypeError, AttributeError) as exc:
            raise KeywordIndexDamaged(str(folder)) from exc
        self._journal: TextIO = (folder / JOURNAL).open("a", encoding="utf-8", newline="\n")

    @classmethod
    def create(cls, folder: Path, analyzer: Analyzer) -> KeywordIndex:
        """Begin an empty generation in a folder that does not exist yet."""
        folder.mkdir(parents=True)
        _write_description(folder, documents=0)
        return cls(folder, analyzer)

    def count(self) -> int:
        """Searchable chunks."""
        return len(self._delta) + (len(self._base) if self._base else 0) - self._dead

    def apply(self, upserts: Sequence[tuple[int, str]], deletes: Sequence[int]) -> None:
        """Add or replace chunks (number, text), then remove some. On disk when it returns."""
        added = [(chunk, self._analyzer.terms(text)) for chunk, text in upserts]
        if not added and not deletes:
            return
        record = {"add": added, "remove": list(deletes)}
        self._journal.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
        self._journal.flush()
        os.fsync(self._journal.fileno())
        self._change(added, deletes)

    def search(self, question: str, limit: int, among: Sequence[int] | None = None) -> KeywordHits:
        """At most `limit` chunks that hold a term of the question. Any text is a question.

        `among` names the only chunks that may be returned; `None`: all.
        """
        words = list(dict.fromkeys(self._analyzer.terms(question)))
        frequencies = {word: self._frequency(word) for word in words}
        idfs = {word: idf(self.count(), n) for word, n in frequencies.items() if n}
        ids, scores = self._scores(idfs)
        if among is not None:
            is_wanted = np.isin(ids, np.asarray(among, dtype=ids.dtype))
            ids, scores = ids[is_wanted], scores[is_wanted]
        best = _top(ids, scores, limit)
        return KeywordHits(
            chunks=tuple(int(ids[i]) for i in best),
            scores=tuple(float(scores[i]) for i in best),
            matched=tuple(idfs),
            unmatched=tuple(word for word in words if word not in idfs),
        )

    @property
    def pending(self) -> int:
        """How many changes came after the base was written."""
        return len(self._delta.ids) + self._dead

    @property
    def wants_merge(self) -> bool:
        """So much is pending that searching and opening would slow down."""
        base = len(self._base) if self._base else 0
        return self.pending > min(max(base // 4, _MERGE_AT_LEAST), _MERGE_AT_MOST)

    def merge_into(self, folder: Path) -> KeywordIndex:
        """Write everything into a new generation and open it. This one stays as it is."""
        if folder.exists():
            raise FileExistsError(str(folder))
        folder.mkdir(parents=True)
        store = joined(self._base.living() if self._base else None, self._delta.living())
        if len(store.tokens):
            write_base(folder / "base", store)
        # A chunk without any term has no place in an empty base; it stays countable in the journal.
        elif len(store.ids):
            empty = {"add": [[int(chunk), []] for chunk in store.ids], "remove": []}
            (folder / JOURNAL).write_text(json.dumps(empty) + "\n", encoding="utf-8")
        _flush_to_disk(folder)
        _write_description(folder, documents=len(store.ids) if len(store.tokens) else 0)
        return KeywordIndex(folder, self._analyzer)

    def close(self) -> None:
        """Let go of the files."""
        self._journal.close()
        self._base = None

    def _open_base(self) -> BaseSegment | None:
        raw = json.loads((self.folder / DESCRIPTION).read_text(encoding="utf-8"))
        if raw["schema"] != SCHEMA:
            raise ValueError(f"schema {raw['schema']}")
        if not raw["documents"]:
            return None
        base = BaseSegment(self.folder / "base")
        if len(base) != raw["documents"]:
            raise ValueError("documents are missing")
        return base

    def _replay(self) -> None:
        path = self.folder / JOURNAL
        if path.exists():
            for line in path.read_bytes().splitlines():
                record = json.loads(line)
                self._change(record["add"], record["remove"])

    def _change(self, added: Sequence[tuple[int, list[str]]], deletes: Sequence[int]) -> None:
        for chunk, words in added:
            self._remove(chunk)
            self._delta.add(chunk, words)
        for chunk in deletes:
            self._remove(chunk)

    def _remove(self, chunk: int) -> None:
        if not self._delta.remove(chunk) and self._base and self._base.remove(chunk):
            self._dead += 1

    def _frequency(self, word: str) -> int:
        return self._delta.frequency(word) + (self._base.frequency(word) if self._base else 0)

    def _scores(self, idfs: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
        """Identifiers and scores of all documents, the base's first."""
        delta_ids = np.array(self._delta.ids, dtype=np.int64)
        if self._base is None:
            average = self._delta.total_length / max(1, len(self._delta))
            return delta_ids, self._delta.scores(idfs, average)
        scores = self._base.scores(idfs)
        if not len(delta_ids):
            return self._base.ids, scores
        delta = self._delta.scores(idfs, self._base.average_length)
        return np.concatenate([self._base.ids, delta_ids]), np.concatenate([scores, delta])


def _top(ids: np.ndarray, scores: np.ndarray, limit: int) -> list[int]:
    """Positions of the best positive scores, best first; equal ones by identifier."""
    if limit <= 0:
        return []
    found = np.flatnonzero(scores > 0)
    if len(found) > limit:
        found = found[np.argpartition(-scores[found], limit - 1)[:limit]]
    order = np.lexsort((ids[found], -scores[found]))
    return [int(i) for i in found[order]]


def _flush_to_disk(folder: Path) -> None:
    """Without this a power cut could leave a described generation with empty files."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb+") as file:
                os.fsync(file.fileno())


def _write_description(folder: Path, documents: int) -> None:
    temporary = folder / (DESCRIPTION + ".tmp")
    temporary.write_text(json.dumps({"schema": SCHEMA, "documents": documents}), encoding="utf-8")
    temporary.replace(folder / DESCRIPTION)
