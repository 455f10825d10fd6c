"""What the extractor learns from: answered questions, and those that rules made unanswerable."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from extractor_questions import (
    ANSWERED,
    RULES,
    Asked,
    held_back_examples,
    read_questions,
    training_examples,
)
from extractor_words import ANTONYMS

NORTH = (
    "The northern bridge over the Aller opened in 1904. Engineers from Bremen measured the river "
    "and painted every arch. It carries 300 cars a day and was closed during 1945."
)
SOUTH = (
    "The southern bridge is younger. Architects of Hamburg designed it for trains, and the town "
    "of Verden celebrated its opening in 1937 with 250 guests."
)
TAUGHT = "d3eb9bfa463be7797393f0902f26e7e1b0ccdf0d48ab6a361d688e9ce44568e7"
"""Of 200 examples of `squad`, recorded with the program that taught the shipped model."""


def asked(question: str, answer: str = "1904", place: int = 0) -> Asked:
    start = (NORTH, SOUTH)[place].index(answer)
    return Asked("Bridges of Verden", (NORTH, SOUTH), place, question, answer, start)


def article(number: int) -> dict[str, Any]:
    """One with four questions that all rules fit."""
    questions = [
        {
            "question": f"When did the northern bridge over the Aller open before {year}? ",
            "answers": [{"text": "1904", "answer_start": NORTH.index("1904")}],
        }
        for year in range(1500 + 4 * number, 1504 + 4 * number)
    ]
    paragraphs = [{"context": NORTH, "qas": questions}, {"context": SOUTH, "qas": []}]
    return {"title": f"Bridges_of_Verden_{number}", "paragraphs": paragraphs}


@pytest.fixture
def squad(tmp_path: Path) -> Path:
    """A file of the shape of SQuAD 1.1 with 400 questions."""
    path = tmp_path / "train.json"
    path.write_text(json.dumps({"data": [article(one) for one in range(100)]}), encoding="utf-8")
    return path


def variants(kind: str, question: Asked) -> list[tuple[str, str]]:
    """What a rule makes of a question with many dice, where it makes something."""
    made = [RULES[kind](question, random.Random(seed)) for seed in range(60)]
    return [one for one in made if one is not None]


def test_a_question_keeps_its_first_answer_and_loses_its_spaces(squad: Path) -> None:
    first = next(read_questions(squad))
    assert first.title == "Bridges of Verden 0"
    assert first.question.endswith("before 1500?")
    assert first.text[first.start :].startswith(first.answer)


def test_an_answer_is_found_at_its_place_below_the_title_too(squad: Path) -> None:
    answered = [one for one in training_examples(squad, 100, 0, held_back=50) if one.is_answered]
    headed = [one for one in answered if one.text.startswith("Bridges of Verden")]
    assert {one.answer for one in answered} == {"1904"}
    assert 30 < len(headed) < 70


def test_each_kind_has_its_share(squad: Path) -> None:
    kinds = Counter(one.kind for one in training_examples(squad, 100, 100, held_back=50))
    assert kinds == {
        ANSWERED: 100,
        "name": 32,
        "paragraph": 30,
        "noun": 20,
        "antonym": 12,
        "negation": 6,
    }


def test_what_was_made_unanswerable_has_no_answer(squad: Path) -> None:
    made = [one for one in training_examples(squad, 0, 100, held_back=50) if one.kind != ANSWERED]
    assert made
    assert {(one.start, one.end, one.answer, one.is_answered) for one in made} == {
        (-1, -1, "", False)
    }


def test_the_same_examples_come_in_the_same_order(squad: Path) -> None:
    assert training_examples(squad, 60, 60) == training_examples(squad, 60, 60)


def test_the_examples_are_those_that_were_taught(squad: Path) -> None:
    """Whoever changes what the rules ask the dice no longer describes the shipped model."""
    examples = training_examples(squad, 100, 100, held_back=50)
    rows = [(one.question, one.text, one.start, one.end, one.kind) for one in examples]
    assert hashlib.sha256(repr(rows).encode()).hexdigest() == TAUGHT


def test_questions_held_back_are_never_learned_from(squad: Path) -> None:
    learned = training_examples(squad, 300, 0, held_back=100)
    held = held_back_examples(squad, 100, 0, held_back=100)
    questions = {one.question for one in (*learned, *held)}
    assert len(questions) == len(learned) + len(held) == 400


def test_another_number_has_as_many_characters() -> None:
    made = variants("name", asked("How many cars, 300 or more?", "Bremen"))
    assert {question for question, _ in made} == {"How many cars, 250 or more?"}


def test_a_year_moves_or_becomes_another_one() -> None:
    made = variants("name", asked("what was closed during 1945?", "Bremen"))
    years = {int(question[-5:-1]) for question, _ in made}
    assert 1945 not in years
    assert all(abs(year - 1945) <= 30 or year in (1904, 1937) for year in years)


def test_another_name_is_neither_of_the_question_nor_the_answer() -> None:
    made = variants("name", asked("Which town measured the Aller?", "Bremen"))
    assert made
    for question, text in made:
        assert text == NORTH
        assert "Aller" not in question
        assert "Bremen" not in question


def test_another_paragraph_does_not_hold_the_answer() -> None:
    assert {text for _, text in variants("paragraph", asked("When did it open?"))} == {SOUTH}
    assert not variants("paragraph", asked("What is it?", "bridge"))


def test_another_noun_ends_alike() -> None:
    made = variants("noun", asked("Who repaired it?"))
    assert {question for question, _ in made} == {
        f"Who {word} it?" for word in ("opened", "measured", "painted", "closed")
    }


def test_an_antonym_replaces_a_whole_word() -> None:
    made = variants("antonym", asked("Who was firstly the first engineer?"))
    assert {question for question, _ in made} == {"Who was firstly the last engineer?"}


def test_antonyms_differ() -> None:
    assert all(word != opposite for word, opposite in ANTONYMS.items())


@pytest.mark.parametrize(
    ("question", "negated"),
    [
        ("When did it open?", "When didn't it open?"),
        ("Where is what was lost?", "Where isn't what was lost?"),
    ],
)
def test_the_first_auxiliary_verb_is_negated(question: str, negated: str) -> None:
    assert variants("negation", asked(question))[0] == (negated, NORTH)


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("name", "who came?"),
        ("noun", "Who was it?"),
        ("antonym", "Who came?"),
        ("negation", "Who came?"),
        ("negation", "Why was it not closed?"),
    ],
)
def test_a_rule_that_does_not_fit_makes_nothing(kind: str, question: str) -> None:
    assert not variants(kind, asked(question))
