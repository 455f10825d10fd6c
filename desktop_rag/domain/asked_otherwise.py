"""Whether a sentence says something other than what was asked: the opposite, or of another year.

A sentence on what nobody may do reads like an answer to who may, to embedders and small models
alike; so does one of 1968 to a question about 1970. What answers are held against their sources by
(`domain.facts`) tells them apart, with the question in the place of the answer. Names are not
compared: people mistype them.

Of the sentences with the likeliest words to questions of SQuAD 2.0, 20 % are told apart so where
the question is misleading (415), and 2 % where it is answerable (407).
"""

from __future__ import annotations

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.facts.contrasts import contrary, missing_extremes, stems
from desktop_rag.domain.facts.denials import is_opposite
from desktop_rag.domain.facts.quantities import Quantity
from desktop_rag.domain.facts.statements import held, said


def is_asked_otherwise(question: str, sentence: str, passage: Passage) -> bool:
    """Whether the sentence does not answer the question, by its plain words.

    Args:
        question: in full; what it takes for granted is compared.
        sentence: of the passage, with the words that seem to answer.
        passage: what else the sentence may rely on: dates and numbers stand above it, mostly.
    """
    return (
        is_opposite(question, sentence)
        or contrary(stems(question), stems(sentence))
        or bool(missing_extremes(question, sentence))
        or _lacks_figure(question, passage)
    )


def _lacks_figure(question: str, passage: Passage) -> bool:
    """Whether it asks about a number or date that stands neither in the passage nor above it."""
    asked = said(question)
    numbers = [one for one in asked.quantities if not _counts(one, question)]
    if not (numbers or asked.days):
        return False
    one = passage
    source = held(f"{one.path} {one.title} {one.section} {one.columns}\n{one.text}")
    return not (
        all(source.has_quantity(one, is_fall=asked.is_fall) for one in numbers)
        and all(map(source.has_day, asked.days))
    )


def _counts(number: Quantity, question: str) -> bool:
    """Whether it only says how many are wanted: "which two fields"."""
    return not any(one.isdigit() for one in question[number.start : number.end])
