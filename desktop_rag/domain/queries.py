"""What kind of question it is, and how much each retriever is to be trusted with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_PHRASE = re.compile(r"[\"“”„«»]([^\"“”„«»]{3,})[\"“”„«»]")
# A word no dictionary holds: letters with digits, joined by punctuation, camelCase, or a call.
_IDENTIFIER = re.compile(
    r"\b(?=\w*\d)(?=\w*[A-Za-z])\w{3,}\b|\b\w+(?:_\w+)+\b|\b\w+::\w+|\b\w+\(\)"
    r"|\b[a-z]+[A-Z]\w*\b|\b[A-Z]{2,}-\d+"
)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|[kKmM])\b")
_QUESTION = re.compile(
    r"^(?:who|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could|should|will)\b"
    r"|\?\s*$",
    re.IGNORECASE,
)


class QueryKind(StrEnum):
    """Kinds that want different weights."""

    PHRASE = "phrase"
    """Holds a quotation: the person knows the words."""
    IDENTIFIER = "identifier"
    """Names a part number, a function, a code."""
    QUESTION = "question"
    KEYWORDS = "keywords"


@dataclass(frozen=True, slots=True)
class Weights:
    """Shares of the two retrievers in the fusion; they add up to 1."""

    dense: float
    keyword: float


# From `tests/benchmarks/bench_retrieval.py` on five sets: equal shares are best, or within 0.01 of
# it, for questions and keywords; 0.4 gains 0.01 where code is named. Quotations were too few (19)
# to measure finely; the person who quotes knows the words.
_WEIGHTS = {
    QueryKind.PHRASE: Weights(dense=0.4, keyword=0.6),
    QueryKind.IDENTIFIER: Weights(dense=0.4, keyword=0.6),
    QueryKind.QUESTION: Weights(dense=0.5, keyword=0.5),
    QueryKind.KEYWORDS: Weights(dense=0.5, keyword=0.5),
}


def classify(question: str) -> QueryKind:
    """Kind of a question; any text has one."""
    if _PHRASE.search(question):
        return QueryKind.PHRASE
    if _IDENTIFIER.search(_ORDINAL.sub("", question)):
        return QueryKind.IDENTIFIER
    if _QUESTION.search(question.strip()):
        return QueryKind.QUESTION
    return QueryKind.KEYWORDS


def weights_for(question: str) -> Weights:
    """How to weigh dense and keyword ranks for this question."""
    return _WEIGHTS[classify(question)]
