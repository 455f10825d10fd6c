from __future__ import annotations

import pytest

from desktop_rag.domain.standalone import Exchange, is_faithful, standalone
from desktop_rag.domain.topics import names_in, topic_of

MACHINE = Exchange("How long is the coffee machine covered?", "It is covered for 24 months.")
APPLE = Exchange("What was the revenue of Apple in 2021?", "It was 365 billion dollars.")
BRIDGE = Exchange("Who designed the harbour bridge?", "Anna Berg designed it in 1926.")
TREATY = Exchange("When did Germany and France sign the treaty?", "In 1963.")


@pytest.mark.parametrize(
    ("before", "question", "text"),
    [
        (
            MACHINE,
            "And its warranty?",
            "The coffee machine’s warranty?",
        ),
        (MACHINE, "how much does it cost?", "How much does the coffee machine cost?"),
        (MACHINE, "And for children?", "How long is the coffee machine covered for children?"),
        (MACHINE, "What about repairs?", "Repairs? (the coffee machine)"),
        (MACHINE, "Why?", "Why: How long is the coffee machine covered?"),
        (APPLE, "What about 2022?", "What was the revenue of Apple in 2022?"),
        (APPLE, "and in 2019?", "What was the revenue of Apple in 2019?"),
        (APPLE, "And Tesla?", "What was the revenue of Tesla in 2021?"),
        (
            Exchange("How much oil flow does the HX-200 have?", "40 litres"),
            "What about the HX-250?",
            "How much oil flow does the HX-250 have?",
        ),
        (BRIDGE, "When was she born?", "When was Anna Berg born?"),
        (BRIDGE, "How long did it take?", "How long did the harbour bridge take?"),
    ],
)
def test_a_follow_up_gets_what_it_leans_on(before: Exchange, question: str, text: str) -> None:
    rewriting = standalone(question, [before])
    assert rewriting.text == text
    assert rewriting.is_sure


@pytest.mark.parametrize(
    "question",
    [
        "Who are you?",
        "help",
        "What time is it?",
        "How many files?",
        "List all contracts",
        "And how many files mention asbestos?",
        "Summarize handbook.pdf",
    ],
)
def test_talk_and_requests_that_say_what_they_want_stay_as_they_are(question: str) -> None:
    assert standalone(question, [MACHINE]).text == question


def test_requests_that_point_back_get_what_they_point_at() -> None:
    counted = standalone("How many files mention it?", [MACHINE]).text
    assert counted == "How many files mention the coffee machine?"
    assert standalone("Summarize it", [MACHINE]).text == "Summarize the coffee machine"
    assert (
        standalone("How many chapters?", [MACHINE]).text
        == "How many chapters? (the coffee machine)"
    )


def test_what_stands_alone_or_comes_first_stays_as_it_is() -> None:
    question = "What is the notice period of the lease in Maple Street?"
    assert standalone(question, [MACHINE]).text == question
    assert standalone("Why?", []).text == "Why?"


def test_of_several_names_none_is_guessed() -> None:
    rewriting = standalone("Where did it happen?", [TREATY])
    assert not rewriting.is_sure
    assert rewriting.text == "Where did it happen? (When did Germany and France sign the treaty)"


def test_a_question_without_a_topic_leans_on_the_one_before_it() -> None:
    assert "coffee machine" in standalone("How much is it?", [MACHINE, Exchange("Why?")]).text


def test_what_a_model_rewrote_may_only_say_what_was_said() -> None:
    said = [TREATY]
    assert is_faithful("Where did Germany and France sign the treaty?", "Where did it sign?", said)
    assert not is_faithful("Where did Spain sign the treaty?", "Where did they sign it?", said)
    assert not is_faithful("When did Germany sign?", "What did the ratification cost?", said)
    assert not is_faithful("", "Where?", said)


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("How do I apply for a California Instruction Permit?", "California Instruction Permit"),
        ("where does the royal family of england get their income", "the royal family of england"),
        ("What is counselling?", "counselling"),
        ("Why?", ""),
        ("What is Apple's?", "Apple"),
    ],
)
def test_the_topic_of_a_question(question: str, topic: str) -> None:
    assert topic_of(question) == topic


def test_a_capital_that_only_begins_a_sentence_is_no_name() -> None:
    assert names_in("Sales rose in Spain. The Bank of England said so.") == [
        "Spain",
        "Bank of England",
    ]
