"""Fits more passages into a prompt: the best ones whole, others cut to their best sentences.

Scattered sentences read worse than whole passages, so the best ones stay whole, nothing is cut
while all of them fit, and only prose is cut: a line of a table or of code says nothing alone. A cut
passage keeps its text and its place in the document; the prompt shows its `excerpt`, with gaps
marked, and citations go on to find exact spans.

Share of prompts that hold the answer, of 200 questions of SQuAD 1.1, with all passages whole, with
two, with one (`tests/benchmarks/bench_compression.py`): at 300 tokens 0.840, 0.885 and 0.900, at
450 0.915, 0.950 and 0.950, at 600 0.955, 0.955 and 0.960, at 750 0.960, 0.965 and 0.965.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.budget import MAX_PASSAGES, fill
from desktop_rag.domain.scoring import stems
from desktop_rag.domain.sentences import ends_sentence, sentence_spans

WHOLE_PASSAGES = 2
"""How many of the best are never cut to sentences: as good as one from 450 tokens on, and a whole
passage reads better."""
GAP = "…"
_GAP_TOKENS = 2
_BARELY = 0.05
"""Worth of a sentence without a word of the question: what is left of the budget goes to those of
the best passage."""
_PROSE = 0.5
"""Share of its sentences that end like one, from which a text is prose."""


@dataclass(frozen=True, slots=True)
class Priced:
    """A passage with what it costs in a prompt."""

    passage: Passage
    tokens: int
    """Of the passage as a prompt shows it whole, heading included."""
    chars: int
    """Of the same."""

    @property
    def heading_tokens(self) -> int:
        """About what is due before the first sentence."""
        return math.ceil(self.tokens - self.cost_of(len(self.passage.text)))

    def cost_of(self, chars: int) -> float:
        """About how many tokens some characters of the text are."""
        return self.tokens * chars / max(self.chars, 1)


@dataclass(frozen=True, slots=True)
class _Sentence:
    rank: int
    span: tuple[int, int]
    stems: frozenset[str]
    tokens: float


def fit(
    priced: Sequence[Priced],
    asked: frozenset[str],
    tokens: int,
    limit: int = MAX_PASSAGES,
    whole: int = WHOLE_PASSAGES,
) -> list[Passage]:
    """The passages that a prompt has room for, best first; the first is always there.

    Args:
        priced: best first.
        asked: stems of the question's content words (`domain.scoring`).
        tokens: what they may cost together.
        limit: how many there may be.
        whole: how many of the best are never cut to sentences; from `limit` on, none is, and a
            passage that does not fit is passed over for a shorter one.
    """
    passages, costs = [one.passage for one in priced], [one.tokens for one in priced]
    if whole >= limit or sum(costs[:limit]) <= tokens:
        return fill(passages, costs, tokens, limit)
    kept = fill(passages[: max(whole, 1)], costs[: max(whole, 1)], tokens, limit)
    if kept[:1] != passages[:1]:  # the best had to be cut: nothing is left
        return kept
    left = tokens - sum(one.tokens for one in priced if one.passage in kept)
    rest = [one for one in priced if one.passage not in kept][: limit - len(kept)]
    return kept + _excerpts(rest, asked, left)


def shown(passage: Passage) -> str:
    """The text that a prompt shows of a passage, with gaps marked."""
    if not passage.excerpt:
        return passage.text
    pieces = [passage.text[start:end] for start, end in passage.excerpt]
    before = f"{GAP} " if passage.excerpt[0][0] > 0 else ""
    after = f" {GAP}" if passage.excerpt[-1][1] < len(passage.text) else ""
    return before + f" {GAP} ".join(pieces) + after


def _excerpts(rest: Sequence[Priced], asked: frozenset[str], tokens: float) -> list[Passage]:
    """Passages with their most telling sentences, as far as the tokens reach."""
    sentences = [one for rank, priced in enumerate(rest) for one in _sentences(priced, rank)]
    taken: dict[int, list[tuple[int, int]]] = {}
    for one in _by_worth(sentences, asked):
        due = 0 if one.rank in taken else rest[one.rank].heading_tokens + _GAP_TOKENS
        due += _GAP_TOKENS
        if one.tokens + due <= tokens:
            taken.setdefault(one.rank, []).append(one.span)
            tokens -= one.tokens + due
    return [_cut(rest[rank].passage, sorted(spans)) for rank, spans in sorted(taken.items())]


def _sentences(priced: Priced, rank: int) -> list[_Sentence]:
    text = priced.passage.text
    spans = sentence_spans(text)
    endings = sum(ends_sentence(text[start:end]) for start, end in spans)
    if endings < _PROSE * len(spans):
        spans = [(0, len(text))]
    return [
        _Sentence(rank, (start, end), stems(text[start:end]), priced.cost_of(end - start))
        for start, end in spans
    ]


def _by_worth(sentences: Sequence[_Sentence], asked: frozenset[str]) -> list[_Sentence]:
    """Sentences by the question's words in them, rare ones counting more, and by their passage."""
    spread = Counter(stem for one in sentences for stem in one.stems & asked)
    weight = {stem: math.log(1 + len(sentences) / (1 + spread[stem])) for stem in asked}
    total = sum(weight.values()) or 1.0

    def worth(one: _Sentence) -> float:
        held = sum(weight[stem] for stem in one.stems & asked) / total
        return (held + _BARELY) / (one.rank + 1)

    return sorted(sentences, key=lambda one: (-worth(one), one.rank, one.span))


def _cut(passage: Passage, spans: Sequence[tuple[int, int]]) -> Passage:
    """With neighbouring sentences as one span; a passage that is kept whole has no excerpt."""
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and not passage.text[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    is_whole = passage.text.strip() == passage.text[merged[0][0] : merged[0][1]]
    return passage if is_whole else replace(passage, excerpt=tuple(merged))
