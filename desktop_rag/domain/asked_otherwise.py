"""Whether a sentence says something other than what was asked: the opposite, or of another year.

A sentence on what nobody may do reads like an answer to who may, to embedders and small models
alike; so does one of 1968 to a question about 1970. What answers are held against their sources by
(`domain.facts`) tells them apart, with the question in the place of the answer. Names are not
compared: people mistype them.

Of the sentences with the likeliest words to questions of SQuAD 2.0, 20 % are told apart so where
the question is misleading (415), and 2 % where it is answerable (407).
"""

from __future__ import annotations

import re

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.facts.contrasts import contrary, missing_extremes, stems
from desktop_rag.domain.facts.denials import is_opposite
from desktop_rag.domain.facts.quantities import Quantity
from desktop_rag.domain.facts.statements import held, said

_FIGURE = r"\d+(?:[.,]\d+)?"
_UNIT = r"(?: ?[^\W\d_]{1,8}\.?| ?%| ?°C)?"
_SIDES = {
    "more": re.compile(
        r"\b(?:over|above|more than|older than|longer than|heavier than|higher than|at least"
        rf"|exceed\w*|from) (?P<before>{_FIGURE})|(?P<after>{_FIGURE}){_UNIT}"
        r" (?:or|and) (?:more|over|above|older|longer|heavier|higher)\b"
        rf"|(?P<first>{_FIGURE}) ?(?:to|–|-) ?\d",
        re.IGNORECASE,
    ),
    "less": re.compile(
        r"\b(?:under|below|less than|fewer than|younger than|shorter than|lighter than|lower than"
        rf"|at most|up to) (?P<before>{_FIGURE})|(?P<after>{_FIGURE}){_UNIT}"
        r" (?:or|and) (?:less|fewer|under|below|younger|shorter|lighter|lower)\b"
        rf"|\d ?(?:to|–|-) ?(?P<last>{_FIGURE})",
        re.IGNORECASE,
    ),
}
"""On which side of a number something is: "over 70 kg", "70 kg or less", "12 to 17"."""
_DECIDED = re.compile(
    r"\b(?:approved?|adopted|granted|agreed|decided|passed|appointed|elected|hired|chosen"
    r"|awarded)\b",
    re.IGNORECASE,
)
_PROPOSED = re.compile(
    r"\b(?:proposed|requested|suggested|applied|planned|nominated|rejected|turned down"
    r"|asked for)\b",
    re.IGNORECASE,
)


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
        or _is_of_other_side(question, sentence)
        or _is_of_earlier_stage(question, sentence)
        or _lacks_figure(question, passage)
    )


def _is_of_other_side(question: str, sentence: str) -> bool:
    """Whether it asks about more than a number and the sentence is on less, or the other way."""
    asked, told = _sides(question), _sides(sentence)
    return any(number in told and not sides & told[number] for number, sides in asked.items())


def _is_of_earlier_stage(question: str, sentence: str) -> bool:
    """Whether it asks what was decided and the sentence says only what was proposed."""
    return bool(
        _DECIDED.search(question) and not _DECIDED.search(sentence) and _PROPOSED.search(sentence)
    )


def _sides(text: str) -> dict[str, set[str]]:
    """On which side of which numbers something is said to be."""
    found: dict[str, set[str]] = {}
    for side, pattern in _SIDES.items():
        for match in pattern.finditer(text):
            found.setdefault(next(filter(None, match.groups())), set()).add(side)
    return found


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
