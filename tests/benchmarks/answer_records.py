"""What one question gave, kept a line each, so that a run goes on where it stopped.

The checks are strict and know nothing of the program's own: a claim is borne out when every number
and every name in it stands in the passages it cites.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from desktop_rag.domain.sentences import sentence_spans
from tests.benchmarks.answer_sets import Asked, Kind

RETRIEVED = 5
"""Rank down to which a passage counts as retrieved: as many as an answer is written from."""
MARK = re.compile(r"\[(\d+)\]")
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_ITEM = re.compile(r"^\s*\d{1,2}[.)]\s")
"""What numbers the items of a list claims nothing."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NUMBER_WORDS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_STEM = 5
"""First letters by which names are compared: France's, French."""


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A citation, and whether it lies in the right paragraph."""

    number: int
    title: str
    quote: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the answer as shown."""

    text: str
    missing: tuple[str, ...]
    """Its numbers and names that no passage it cites holds."""
    is_marked: bool
    """The program says that nothing supports it."""


@dataclass(frozen=True, slots=True)
class Record:
    """All that one question gave; plain values only."""

    id: str
    kind: Kind
    question: str
    gold: tuple[str, ...]
    text: str
    is_found: bool
    confidence: str
    model: str
    seconds: float
    first_s: Mapping[str, float]
    """Seconds to the first event of each kind."""
    found_rank: int | None
    """Of the first passage that holds the gold (or misleads), among all that were retrieved."""
    shown_rank: int | None
    """The same among those the answer was written from."""
    shown: int
    citations: tuple[CitedPlace, ...] = ()
    claims: tuple[Claim, ...] = ()
    invalid: tuple[int, ...] = ()
    """Citation numbers, shown at any moment, that lead nowhere."""
    prompt_tokens: int = 0
    generated_tokens: int = 0
    calls: Mapping[str, int] = field(default_factory=dict)
    """Of the language model, by method."""
    features: Mapping[str, Any] = field(default_factory=dict)
    """What was known before the model was asked, for thresholds."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """`Answer.figures`."""
    error: str = ""

    @property
    def is_retrieved(self) -> bool:
        """Whether the gold stood among the passages an answer is written from."""
        return self.found_rank is not None and self.found_rank <= RETRIEVED

    @property
    def is_answered(self) -> bool:
        """Whether something was said; an empty answer of a stopped one is none."""
        return self.is_found and not self.error


class Records:
    """The file of records: one line each, written as soon as they are there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known = {one.id: one for one in _read(path)}

    def add(self, one: Record) -> None:
        self.known[one.id] = one
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")

    def of(self, questions: Sequence[Asked]) -> list[Record]:
        """Those of these questions, as far as they were asked."""
        return [self.known[one.id] for one in questions if one.id in self.known]


def claims_of(
    text: str, sources: Mapping[int, str], unsupported: Sequence[tuple[int, int]]
) -> tuple[Claim, ...]:
    """The sentences of an answer that say something, checked against what they cite.

    Args:
        text: as shown, with [1], [2] ….
        sources: text of the passage behind each number, with its title.
        unsupported: spans of `text` that the program marks.
    """
    made = []
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        if not _WORD.search(MARK.sub("", sentence)):
            continue
        cited = [sources[n] for n in map(int, MARK.findall(sentence)) if n in sources]
        # A sentence without a number of its own goes on with what was cited before.
        missing = tuple(_missing(sentence, " ".join(cited or sources.values())))
        is_marked = any(a < end and start < b for a, b in unsupported)
        made.append(Claim(sentence, missing, is_marked))
    return tuple(made)


def _missing(sentence: str, source: str) -> Iterator[str]:
    bare = _ITEM.sub("", MARK.sub("", sentence))
    held = set(map(_digits, _NUMBER.findall(source)))
    words = [word.casefold() for word in _WORD.findall(source)]
    held |= {_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS}
    yield from (one for one in _NUMBER.findall(bare) if _digits(one) not in held)
    stems = {word[:_STEM] for word in words}
    first = _WORD.search(bare)
    for found in _WORD.finditer(bare):
        word = found.group()
        is_name = word[0].isupper() and len(word) > 1 and found.start() != (first and first.start())
        if is_name and word.casefold()[:_STEM] not in stems:
            yield word


def _digits(number: str) -> str:
    return "".join(one for one in number if one.isdigit())


def _read(path: Path) -> Iterator[Record]:
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        one = json.loads(line)
        one["kind"] = Kind(one["kind"])
        one["citations"] = tuple(CitedPlace(**place) for place in one["citations"])
        one["claims"] = tuple(
            Claim(claim["text"], tuple(claim["missing"]), claim["is_marked"])
            for claim in one["claims"]
        )
        for key in ("gold", "invalid"):
            one[key] = tuple(one[key])
        yield Record(**one)
