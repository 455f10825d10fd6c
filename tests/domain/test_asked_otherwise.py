from __future__ import annotations

import pytest

from desktop_rag.domain.asked_otherwise import is_asked_otherwise
from tests.helpers.passages import make_passage

TEXT = (
    "In 1968 Myhill defined the automaton. Directives do not allow citizens to sue each other. "
    "Nurses were excluded from the scheme. Diocles was one of several men who studied plants. "
    "The second trial had 250 patients on 4 May 1990."
)
AUTOMATON, DIRECTIVES, NURSES, PLANTS, TRIAL = (f"{one}." for one in TEXT.rstrip(".").split(". "))
PASSAGE = make_passage(TEXT, title="Report for 2021")


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What allows citizens to sue each other?", DIRECTIVES),
        ("Who did not define the automaton in 1968?", AUTOMATON),
        ("Who defined the automaton in 1970?", AUTOMATON),
        ("Who was included in the scheme?", NURSES),
        ("Who was the only man who studied plants?", PLANTS),
        ("Which trial had 300 patients?", TRIAL),
        ("How many patients were there on 5 May 1990?", TRIAL),
        ("How many patients were there in the 7th week?", TRIAL),
    ],
)
def test_something_else_was_asked(question: str, sentence: str) -> None:
    assert is_asked_otherwise(question, sentence, PASSAGE)


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("What is the dose for adults over 70 kg?", "For adults of 70 kg or less: 20 mg.", True),
        ("What is the dose for adults over 70 kg?", "For adults over 70 kg it is 30 mg.", False),
        ("How much for children under 12?", "Children of 12 years and older get 5 mg.", True),
        ("How much for children under 12?", "Children get 5 mg.", False),
        ("How much for children under 12?", "For children aged 12 to 17 it is 5 mg.", True),
        ("How much for children over 12?", "For children aged 12 to 17 it is 5 mg.", False),
        ("How much was approved?", "It was proposed at 84,000 euros.", True),
        ("How much was approved?", "As proposed, 84,000 euros were approved.", False),
        ("Who was appointed?", "Munk applied for the post.", True),
        ("How much above 5%?", "Below 5% it is free, above 5% it costs 2 euros.", False),
        ("Who is over 70?", "Up to 60 it is free, over 70 as well.", False),
    ],
)
def test_the_other_side_of_a_number(question: str, sentence: str, *, expected: bool) -> None:
    assert is_asked_otherwise(question, sentence, make_passage(f"{sentence} 12 5 70")) is expected


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What does not allow citizens to sue each other?", DIRECTIVES),
        ("Who defined the automaton in 1968?", AUTOMATON),
        ("Who defined the automaton?", AUTOMATON),
        ("Who was excluded from the scheme?", NURSES),
        ("How many patients did the second trial have in 2021?", TRIAL),
        ("Which trial had 250 patients?", TRIAL),
        ("Which two trials had patients on 4 May 1990?", TRIAL),
        ("Which trial in 1968 had patients?", TRIAL),
        ("", TRIAL),
        ("Who?", ""),
    ],
)
def test_it_was_asked_so(question: str, sentence: str) -> None:
    assert not is_asked_otherwise(question, sentence, PASSAGE)
