"""How likely a passage is about the question: the score that people see, as a percentage.

Logistic regression on what tells best: the cosine of question and passage, the share of the
question's content words that the passage holds, its keyword score as a share of the best one, and
its rank after fusion and re-ranking. More of any of them never makes a passage less relevant.

Fitted on five sets (Wikipedia, product documentation, Rust code, multi-hop questions,
conversations) as the program cuts and ranks them, with questions of each asked of the others, too
(`tests/benchmarks/bench_relevance.py --fit`): log loss 0.232, 0.243 on sets that were left out.
Of passages shown with 50 to 60 % 60 % are relevant as far as the sets judge, with 70 to 80 % 77 %,
with 80 to 90 % 85 %, above 90 % 91 %; with less than 10 % 2 %.
A re-ranker's own score adds nothing that the rank does not hold already (0.1558 with it, 0.1560
without, on whole texts).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.domain.answers import Candidate, Passage
from desktop_rag.domain.terms import content_terms, terms

RELEVANCE_FLOOR = 0.002
"""Relevance below which a passage is noise. None of the sets loses a relevant one of the first
eight; 0.005 loses 0.4 % of them and leaves out 10 % of the others (22 % where the answer is not in
the library), 0.02 loses 1.7 % and leaves out 35 % (65 %)."""

# Crude on purpose: both sides are cut the same way, and no library may be used here.
_SUFFIX = re.compile(r"(?:ations?|ings?|ied|ies|ed|es|ly|s|e|y)$")
_COSINE_UNKNOWN = 0.4
_CONSTANT = -7.45
_COSINE = 7.64
_COVERAGE = 2.32
_KEYWORDS = 3.28
_LOG_RANK = -0.40


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for a passage."""

    cosine: float | None
    """Of question and passage; `None` when it is not known, or means nothing."""
    coverage: float
    """Share in [0, 1] of the question's content words that the passage holds."""
    keyword_share: float
    """Keyword score in [0, 1] as a share of the best of this search."""
    rank: int
    """From 1, by the fused rankings."""


def relevance(signals: Signals) -> float:
    """Probability in [0, 1] that a passage is about the question."""
    evidence = (
        _CONSTANT
        + _COSINE * (_COSINE_UNKNOWN if signals.cosine is None else signals.cosine)
        + _COVERAGE * signals.coverage
        + _KEYWORDS * signals.keyword_share
        + _LOG_RANK * math.log(signals.rank)
    )
    return 1 / (1 + math.exp(-evidence))


def relevance_to(question: str, candidates: Sequence[Candidate]) -> Callable[[Passage], float]:
    """A judge of the passages of these candidates, which are in fused order."""
    signals = signals_for(question, candidates)
    return lambda passage: relevance(signals(passage))


def signals_for(question: str, candidates: Sequence[Candidate]) -> Callable[[Passage], Signals]:
    """What speaks for each passage of these candidates, which are in fused order."""
    wanted = stems_of(question)
    ranks = {one.chunk: (rank, one) for rank, one in enumerate(candidates, 1)}
    best = max((one.keyword_score or 0.0 for one in candidates), default=0.0) or 1.0

    def signals(passage: Passage) -> Signals:
        rank, candidate = ranks[passage.chunk]
        coverage = len(wanted & held_stems(passage)) / len(wanted) if wanted else 0.0
        share = (candidate.keyword_score or 0.0) / best
        # In a language that the embedder does not know, its cosines mean nothing.
        cosine = candidate.similarity if candidate.word_evidence is None else None
        return Signals(cosine, coverage, share, rank)

    return signals


def stems_of(question: str) -> frozenset[str]:
    """Stems of the question's content words."""
    return frozenset(stem(term) for term in content_terms(question))


def held_stems(passage: Passage) -> frozenset[str]:
    """Stems of all words of a passage, its title and its section."""
    return stems(f"{passage.title} {passage.section} {passage.text}")


def stems(text: str) -> frozenset[str]:
    """Stems of all words of a text."""
    return frozenset(stem(term) for term in terms(text))


@lru_cache(maxsize=65536)
def stem(term: str) -> str:
    """A folded word without its ending; numbers and short words stay whole."""
    return _SUFFIX.sub("", term) if len(term) > 4 and term.isalpha() else term
