"""How likely a passage is about the question: the score that people see, as a percentage.

Logistic regression on what tells best: cosine of question and passage, share of the question's
content words that the passage holds, and the late-interaction score where the passage was looked
at so closely. All weights are positive: more of one thing never makes a passage less relevant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.terms import content_terms, terms

RELEVANCE_FLOOR = 0.02

# Crude on purpose: both sides are cut the same way, and no library may be used here.
_SUFFIX = re.compile(r"(?:ations?|ings?|ied|ies|ed|es|ly|s|e|y)$")
_COSINE_UNKNOWN = 0.4


@dataclass(frozen=True, slots=True)
class _Model:
    """Coefficients of the regression."""

    cosine: float
    coverage: float
    late: float
    constant: float


_WITH_LATE = _Model(6.06, 3.40, 2.78, -7.75)
_WITHOUT_LATE = _Model(7.15, 4.47, 0.0, -7.17)


def relevance(cosine: float | None, coverage: float, late: float | None) -> float:
    """Probability in [0, 1] that a passage is about the question.

    Args:
        cosine: of question and passage; `None` when keywords alone found it.
        coverage: share in [0, 1] of the question's content words that the passage holds.
        late: score of the re-ranker; `None` without one.
    """
    model = _WITHOUT_LATE if late is None else _WITH_LATE
    evidence = (
        model.cosine * (_COSINE_UNKNOWN if cosine is None else cosine)
        + model.coverage * coverage
        + model.late * (late or 0.0)
        + model.constant
    )
    return 1 / (1 + math.exp(-evidence))


def relevance_to(question: str) -> Callable[[Passage], float]:
    """A judge of passages: reads the question once."""
    wanted = stems_of(question)

    def judge(passage: Passage) -> float:
        held = len(wanted & held_stems(passage)) / len(wanted) if wanted else 0.0
        return relevance(passage.similarity, held, passage.late_score)

    return judge


def stems_of(question: str) -> frozenset[str]:
    """Stems of the question's content words."""
    return frozenset(_stem(term) for term in content_terms(question))


def held_stems(passage: Passage) -> frozenset[str]:
    """Stems of all words of a passage, its title and its section."""
    text = f"{passage.title} {passage.section} {passage.text}"
    return frozenset(_stem(term) for term in terms(text))


def _stem(term: str) -> str:
    return _SUFFIX.sub("", term) if len(term) > 4 and term.isalpha() else term
