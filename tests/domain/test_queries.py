"""Kinds of questions and their weights."""

from __future__ import annotations

import pytest

from desktop_rag.domain.queries import QueryKind, classify, reading_weight, shares_for


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ('where does it say "net sales decreased"', QueryKind.PHRASE),
        ("„höhere Gewalt“", QueryKind.PHRASE),
        ("which box is XC23 in?", QueryKind.IDENTIFIER),
        ("CVE-2024-1234", QueryKind.IDENTIFIER),
        ("what does read_config return", QueryKind.IDENTIFIER),
        ("Where is getUserName defined?", QueryKind.IDENTIFIER),
        ("what is the difference between Vec::push and insert()", QueryKind.IDENTIFIER),
        ("How long is the warranty?", QueryKind.QUESTION),
        ("what happened in the 1960s", QueryKind.QUESTION),
        ("Who won the 2nd quarter of 2020?", QueryKind.QUESTION),
        ("In what year did the war end", QueryKind.QUESTION),
        ("Summarize the discussion about microphones", QueryKind.QUESTION),
        ("the country in which the bridge was built by them", QueryKind.QUESTION),
        ("Wie lange gilt die Garantie", QueryKind.QUESTION),
        ("¿Cuánto dura la garantía?", QueryKind.QUESTION),
        ("Quelle est la durée de la garantie", QueryKind.QUESTION),
        ("Πότε θα κλείσουν τα εργοστάσια;", QueryKind.QUESTION),
        ("回回是什么", QueryKind.QUESTION),
        ("สะพานมีชื่อว่าอะไร", QueryKind.QUESTION),
        ("Ai đã hợp tác với chúng tôi", QueryKind.QUESTION),
        ("How much did iPhones earn in Q2 of the COVID-19 year?", QueryKind.QUESTION),
        ("What is the boiling point of ____?", QueryKind.QUESTION),
        ("why is `next` so slow", QueryKind.IDENTIFIER),
        ("Garantie Batterie Laufzeit", QueryKind.KEYWORDS),
        ("civil harassment order", QueryKind.KEYWORDS),
        ("東京都 人口", QueryKind.KEYWORDS),
        ("warranty period battery", QueryKind.KEYWORDS),
        ("don't stop", QueryKind.KEYWORDS),
        ("", QueryKind.KEYWORDS),
        ("\U0001f600", QueryKind.KEYWORDS),
    ],
)
def test_kind(question: str, kind: QueryKind) -> None:
    assert classify(question) is kind


@pytest.mark.parametrize("question", ["", "warranty", 'the "exact words"', "XC23", "why?"])
def test_weights_add_up_to_one(question: str) -> None:
    weights = shares_for(question)
    assert weights.dense + weights.keyword == pytest.approx(1)


def test_a_quotation_trusts_the_words_more_than_a_question_does() -> None:
    assert shares_for('"net sales"').keyword > shares_for("what are net sales?").keyword


def test_a_cross_encoder_is_trusted_with_questions_more_than_with_names_and_words() -> None:
    asked = reading_weight("How long is the warranty?")
    others = ("which box is XC23 in?", '"force majeure"', "pump maintenance interval")
    assert all(reading_weight(one) < 1 < asked for one in others)
