"""Keyword search: stemmed terms, BM25, one generation of files on disk.

A generation is a folder that is complete or not used at all:

    generation.json     written last; says what the folder holds
    base/               a bm25s index and the documents' terms, never changed
    journal.jsonl       what was added and removed since, one line a batch

A merge writes a new folder and leaves the old one alone; which of them counts is the caller's
decision, in one atomic step. It is written from a snapshot, on any thread, while this generation
goes on answering and taking changes; `take_over` then repeats those in the new one. Otherwise not
thread-safe.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from desktop_rag.domain.checksums import MASK, MULTIPLIER, checksum_of
from desktop_rag.domain.spelling import Correction, unquoted
from desktop_rag.domain.terms import words as words_of
from desktop_rag.engines.analysis import LANGUAGES, Analyzer, marker
from desktop_rag.engines.append_log import AppendLog
from desktop_rag.engines.keyword_questions import (
    HALF_WEIGHT,
    Compounding,
    IsWord,
    Scoring,
    Searched,
    Speller,
    weakened,
)
from desktop_rag.engines.keyword_segments import (
    BaseSegment,
    DeltaSegment,
    Ids,
    Mask,
    Statistics,
    TokenStore,
    joined,
    write_base,
)
from desktop_rag.engines.vocabulary import Vocabulary
from desktop_rag.storage.flushing import move_into_place, sync_file, sync_folder

SCHEMA = 1
DESCRIPTION = "generation.json"
JOURNAL = "journal.jsonl"
_DAMAGES = (OSError, EOFError, LookupError, ValueError, TypeError, AttributeError)
"""What reading a file of another kind, or half of one, comes to."""
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
    possible: float = 0.0
    """What no chunk scores more than, however often it holds all the words."""
    language: str = ""
    """`Analyzer.asked_language` of the question."""
    has_name: bool = False
    """The question asks for a name, and some chunk holds the whole of it."""


class KeywordIndex:
    """One generation, open for searching and changing.

    Args:
        folder: of a generation made by `create` or `write_generation`.
        analyzer: the same one as when the generation was made.
        journal_bytes: how much of the journal counts; later lines are cut off. `None`: all.

    Raises:
        KeywordIndexDamaged: incomplete, foreign or unreadable.
    """

    def __init__(self, folder: Path, analyzer: Analyzer, journal_bytes: int | None = None) -> None:
        self.folder = folder
        self._analyzer = analyzer
        self._delta = DeltaSegment()
        self._since_snapshot: list[_Change] | None = None
        self._dead = 0
        try:
            self._base = self._open_base()
            self._documents = len(self._base) if self._base else 0
            self._length = int(self._base.lengths.sum()) if self._base else 0
            self.checksum = _checksum(self._base.ids) if self._base else 0
            self._journal = AppendLog(folder / JOURNAL)
        except _DAMAGES as exc:
            raise KeywordIndexDamaged(str(folder)) from exc
        try:
            self._cut(journal_bytes)
            self._replay()
        except _DAMAGES as exc:
            self._journal.close()
            raise KeywordIndexDamaged(str(folder)) from exc

    @classmethod
    def create(cls, folder: Path, analyzer: Analyzer) -> KeywordIndex:
        """Begin an empty generation in a folder that does not exist yet."""
        folder.mkdir(parents=True)
        _write_description(folder, analyzer.version, documents=0)
        return cls(folder, analyzer)

    @property
    def journal_bytes(self) -> int:
        """Length of the journal: what `__init__` wants to be told to find this state again."""
        return self._journal.size

    def count(self) -> int:
        """Searchable chunks."""
        return self._documents

    def apply(self, upserts: Sequence[tuple[int, str]], deletes: Sequence[int]) -> None:
        """Add or replace chunks (number, text), then remove some. On disk when it returns.

        What is stored like that already is skipped.
        """
        added = [(chunk, self._analyzer.terms(text)) for chunk, text in upserts]
        added = [(chunk, words) for chunk, words in added if not self._holds(chunk, words)]
        if not added and not deletes:
            return
        self._write([(added, list(deletes))])

    def search(
        self,
        question: str,
        limit: int,
        among: Ids | None = None,
        corrections: Sequence[Correction] = (),
    ) -> KeywordHits:
        """At most `limit` chunks that hold a term of the question. Any text is a question.

        `among` (ascending) names the only chunks to search: scores and terms are then those of an
        index that holds nothing else. `None`: all. Words of `corrections` are searched, too, and
        count less than those of the question.
        """
        segments = self._segments(among)
        held = self._languages(segments)
        language = self._analyzer.asked_language(question, held)
        asked = self._analyzer.question(question, held)
        compounding = Compounding(segments, self._analyzer, language, held)
        statistics = self._statistics(segments if among is not None else None)
        scoring = Scoring(segments, statistics)
        terms = [scoring.add(forms) for forms in asked]
        possible = scoring.possible
        asked_words = words_of(question) if compounding.languages else []
        for half in compounding.halves_of(asked_words):
            scoring.add(((half, HALF_WEIGHT),))
        for hint in (*self._analyzer.hints(question), *compounding.made_of(asked_words)):
            scoring.add((hint,))
        for _, word in corrections:
            for forms in self._analyzer.question(word, held):
                scoring.add(weakened(forms))
        ids = _joined([segment.ids for segment in segments], np.int64)
        total = _joined(scoring.scores, np.float32)
        best = _top(ids, total, limit)
        return KeywordHits(
            chunks=tuple(int(ids[i]) for i in best),
            scores=tuple(float(total[i]) for i in best),
            matched=tuple(dict.fromkeys(term for term, is_known in terms if is_known)),
            unmatched=tuple(dict.fromkeys(term for term, is_known in terms if not is_known)),
            possible=possible,
            language=language,
            has_name=any(
                forms[0][1] > 1 and is_known
                for forms, (_, is_known) in zip(asked, terms, strict=True)
            ),
        )

    def corrections(
        self, question: str, vocabulary: Vocabulary, is_right: IsWord = lambda _word: False
    ) -> list[Correction]:
        """Words of a question that no chunk holds, with the most frequent word near to them.

        Two words that the documents write as one are told, too, and one that they write as two.
        What `is_right` is left alone, whether a chunk holds it or not.
        """
        segments = self._segments(None)
        languages = self._languages(segments)
        asking = Speller(segments, self._analyzer, languages, vocabulary, is_right)
        return asking.corrections(words_of(unquoted(question)))

    def select(self, holding: Sequence[str], without: Sequence[str], among: Ids | None) -> Ids:
        """Chunks that hold all words of each text in `holding` and of none in `without`.

        Ascending. Function words are no words here; `among` as for `search`.
        """
        segments = self._segments(among)
        languages = self._languages(segments)
        wanted = [self._analyzer.question(text, languages) for text in holding]
        unwanted = [self._analyzer.question(text, languages) for text in without]
        chosen = []
        for segment in segments:
            mask = segment.mask.copy()
            for words in wanted:
                mask &= segment.rows_with(words)
            for words in filter(None, unwanted):
                mask &= ~segment.rows_with(words)
            chosen.append(segment.ids[mask])
        return np.sort(_joined(chosen, np.int64))

    def count_among(self, among: Ids) -> int:
        """How many of the chunks `among` (ascending) are searchable."""
        return sum(int(np.count_nonzero(one.mask)) for one in self._segments(among))

    @property
    def pending(self) -> int:
        """How many changes came after the base was written."""
        return len(self._delta) + self._dead

    @property
    def wants_merge(self) -> bool:
        """So much is pending that searching and opening would slow down."""
        base = len(self._base) if self._base else 0
        return self.pending > min(max(base // 4, _MERGE_AT_LEAST), _MERGE_AT_MOST)

    @property
    def is_worth_merging(self) -> bool:
        """A fiftieth of the base is pending: a good time is when nothing else is to be done."""
        return self.pending > 0 and self.pending >= (len(self._base) if self._base else 0) // 50

    def snapshot(self) -> Snapshot:
        """What is searchable now, to be merged; changes are noted from now on for `take_over`."""
        self._since_snapshot = []
        alive = self._base.alive.copy() if self._base else np.empty(0, bool)
        return Snapshot(self._base, alive, self._delta.snapshot(), self._analyzer.version)

    def take_over(self, merged: KeywordIndex) -> None:
        """Repeat in `merged`, the generation written from the snapshot, what came after it."""
        if self._since_snapshot:
            merged._write(self._since_snapshot)
        self._since_snapshot = None

    def forget_snapshot(self) -> None:
        """The merge came to nothing."""
        self._since_snapshot = None

    def close(self) -> None:
        """Let go of the files."""
        self._journal.close()
        self._base = None

    def _open_base(self) -> BaseSegment | None:
        raw = json.loads((self.folder / DESCRIPTION).read_text(encoding="utf-8"))
        if raw["schema"] != SCHEMA:
            raise ValueError(f"schema {raw['schema']}")
        if raw.get("analysis") != self._analyzer.version:
            raise ValueError("the terms are those of another version")
        if not raw["documents"]:
            return None
        base = BaseSegment(self.folder / "base")
        if len(base) != raw["documents"]:
            raise ValueError("documents are missing")
        return base

    def _cut(self, journal_bytes: int | None) -> None:
        if journal_bytes is None:
            return
        if self._journal.size < journal_bytes:
            raise ValueError("the journal is too short")
        self._journal.cut(journal_bytes)

    def _replay(self) -> None:
        with (self.folder / JOURNAL).open("rb") as lines:
            for line in lines:
                record = json.loads(line)
                self._change(record["add"], record["remove"])

    def _write(self, changes: Sequence[_Change]) -> None:
        """Put changes into the journal, then into memory."""
        records = [{"add": added, "remove": deletes} for added, deletes in changes]
        lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in records]
        self._journal.append("".join(line + "\n" for line in lines).encode())
        for added, deletes in changes:
            self._change(added, deletes)
            if self._since_snapshot is not None:
                self._since_snapshot.append((added, deletes))

    def _change(self, added: Sequence[tuple[int, list[str]]], deletes: Sequence[int]) -> None:
        for chunk, words in added:
            self._remove(chunk)
            self._delta.add(chunk, words)
            self._count(chunk, len(words), 1)
        for chunk in deletes:
            self._remove(chunk)

    def _remove(self, chunk: int) -> None:
        length = self._delta.remove(chunk)
        if length is None and self._base is not None:
            length = self._base.remove(chunk)
            self._dead += length is not None
        if length is not None:
            self._count(chunk, length, -1)

    def _count(self, chunk: int, length: int, sign: int) -> None:
        self._documents += sign
        self._length += sign * length
        self.checksum += sign * checksum_of([chunk])

    def _holds(self, chunk: int, words: list[str]) -> bool:
        if self._delta.holds(chunk, words):
            return True
        return self._base is not None and self._base.holds(chunk, words)

    def _segments(self, among: Ids | None) -> list[Searched]:
        segments: list[BaseSegment | DeltaSegment] = [self._base] if self._base else []
        if len(self._delta):
            segments.append(self._delta)
        return [Searched.of(segment, among) for segment in segments]

    def _languages(self, segments: Sequence[Searched]) -> list[str]:
        """Which languages beside English have passages here."""
        return [
            name for name in LANGUAGES if any(one.segment.has(marker(name)) for one in segments)
        ]

    def _statistics(self, segments: Sequence[Searched] | None) -> Statistics:
        """Of everything, or of what is left of the segments."""
        documents, length = self._documents, self._length
        if segments is not None:
            documents = sum(int(np.count_nonzero(one.mask)) for one in segments)
            length = sum(int(one.lengths[one.mask].sum()) for one in segments)
        return Statistics(documents, (length / documents if documents else 0.0) or 1.0)


_Change = tuple[list[tuple[int, list[str]]], list[int]]
"""Added (chunk, terms), then removed chunks."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A generation's documents at one moment; nothing that comes later shows in it."""

    base: BaseSegment | None
    alive: Mask
    """Which rows of the base counted then."""
    delta: TokenStore
    analysis: str
    """`Analyzer.version` of all the terms."""


def write_generation(folder: Path, snapshot: Snapshot) -> None:
    """Write a generation that holds a snapshot into an empty folder.

    Touches nothing else and may run on any thread; numpy lets others run meanwhile.
    """
    if any(folder.iterdir()):
        raise FileExistsError(str(folder))
    base = snapshot.base.living(snapshot.alive) if snapshot.base is not None else None
    store = joined(base, snapshot.delta)
    del base
    if len(store.tokens):
        write_base(folder / "base", store)
    # A chunk without any term has no place in an empty base; it stays countable in the journal.
    elif len(store.ids):
        empty = {"add": [[int(chunk), []] for chunk in store.ids], "remove": []}
        (folder / JOURNAL).write_text(json.dumps(empty) + "\n", encoding="utf-8")
    _flush_to_disk(folder)
    documents = len(store.ids) if len(store.tokens) else 0
    _write_description(folder, snapshot.analysis, documents)


def _checksum(ids: Ids) -> int:
    return int(np.sum(ids * MULTIPLIER & MASK))


def _joined(arrays: Sequence[np.ndarray], kind: type[np.generic]) -> np.ndarray:
    return np.concatenate(arrays) if arrays else np.empty(0, kind)


def _top(ids: np.ndarray, scores: np.ndarray, limit: int) -> list[int]:
    """Positions of the best positive scores, best first; equal ones by identifier."""
    if limit <= 0:
        return []
    found = np.flatnonzero(scores > 0)
    if len(found) > limit:
        # All that tie with the last one stay, so that identifiers decide, not the order of rows.
        found = found[scores[found] >= -np.partition(-scores[found], limit - 1)[limit - 1]]
    order = np.lexsort((ids[found], -scores[found]))[:limit]
    return [int(i) for i in found[order]]


def _flush_to_disk(folder: Path) -> None:
    """Without this a power cut could leave a described generation with empty files."""
    for path in folder.rglob("*"):
        if path.is_file():
            sync_file(path)
        else:
            sync_folder(path)


def _write_description(folder: Path, analysis: str, documents: int) -> None:
    temporary = folder / (DESCRIPTION + ".tmp")
    told = {"schema": SCHEMA, "analysis": analysis, "documents": documents}
    temporary.write_text(json.dumps(told), encoding="utf-8")
    move_into_place(temporary, folder / DESCRIPTION)
