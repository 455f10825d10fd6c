"""What one answer to a question of a test set is worth, by measures that need no judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from desktop_rag.domain.answer_scoring import (
    contains,
    is_exact,
    normalised,
    token_f1,
)
from desktop_rag.domain.answers import Answer, Citation
from desktop_rag.domain.evaluation import Place, Question
from desktop_rag.domain.grading import shares_words
from desktop_rag.domain.marks import without_marks
from desktop_rag.domain.sentences import sentence_spans

FREE_FORM_WORDS = 8
"""An answer on record with more words than this nobody repeats word for word."""
CONTAINS, EXACT, F1 = "contains gold", "exact match", "token F1"
PRECISION, RECALL = "citation precision", "citation recall"
FAITHFUL = "faithfulness"
ANSWERED = "answered"
REFUSAL_PRECISION, REFUSAL_RECALL = "refusal precision", "refusal recall"

_WORD = re.compile(r"\w")

Name = Callable[[str], str]
"""Of the text or file behind a path, as the set calls it."""


def graded(question: Question, answer: Answer, name: Name) -> dict[str, float]:
    """Values in [0, 1] by measure, without those that say nothing about this question.

    A refusal holds no gold and cites nothing; its citations and sentences are not measured, so that
    refusing too much shows in one place only.
    """
    values = _refusal_values(question, is_refused=not answer.found)
    if question.is_answerable and question.answers:
        values |= _text_values(answer.text if answer.found else "", question.answers)
    if question.is_answerable and answer.found:
        values |= _citation_values(question, answer.citations, name)
    if answer.found and (claims := claim_spans(answer.text)):
        held = [not _is_marked(claim, answer.unsupported) for claim in claims]
        values[FAITHFUL] = sum(held) / len(held)
    return values


def is_free_form(answers: Sequence[str]) -> bool:
    """Whether all answers on record are too long to be found word for word in another."""
    return bool(answers) and min(len(normalised(one)) for one in answers) > FREE_FORM_WORDS


def claim_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences that say something, apart from numbers of citations."""
    spans = sentence_spans(text)
    return [(a, b) for a, b in spans if _WORD.search(without_marks(text[a:b]))]


def cites(citation: Citation, name: str, place: Place) -> bool:
    """Whether a citation of the named file leads to the place: by span, else quote, else page."""
    if name != place.file:
        return False
    if place.span is not None:
        return citation.start < place.span[1] and place.span[0] < citation.end
    if place.quote:
        return shares_words(citation.quote, place.quote) or shares_words(
            place.quote, citation.quote
        )
    return citation.page in place.pages if place.pages else True


def _refusal_values(question: Question, *, is_refused: bool) -> dict[str, float]:
    values = {REFUSAL_PRECISION: float(not question.is_answerable)} if is_refused else {}
    if question.is_answerable:
        return {ANSWERED: float(not is_refused), **values}
    return {REFUSAL_RECALL: float(is_refused), **values}


def _text_values(text: str, wanted: Sequence[str]) -> dict[str, float]:
    values = {F1: token_f1(text, wanted)}
    if not is_free_form(wanted):
        values |= {CONTAINS: float(contains(text, wanted)), EXACT: float(is_exact(text, wanted))}
    return values


def _citation_values(
    question: Question, citations: Sequence[Citation], name: Name
) -> dict[str, float]:
    """Share of citations that lead to a right place, and of right places that are cited."""
    named = [(one, name(one.path)) for one in citations]
    if question.places:
        right = [any(cites(*one, place) for place in question.places) for one in named]
        found = [any(cites(*one, place) for one in named) for place in question.places]
    else:
        right = [text in question.grades for _, text in named]
        texts = {text for _, text in named}
        found = [text in texts for text in question.grades]
    precision = sum(right) / len(right) if right else 0.0
    return {PRECISION: precision, RECALL: sum(found) / len(found)}


def _is_marked(claim: tuple[int, int], unsupported: Sequence[tuple[int, int]]) -> bool:
    return any(start < claim[1] and claim[0] < end for start, end in unsupported)
