"""Kinds of questions and their weights."""

from __future__ import annotations

import pytest

from desktop_rag.domain.queries import QueryKind, classify, weights_for


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
    weights = weights_for(question)
    assert weights.dense + weights.keyword == pytest.approx(1)


def test_a_quotation_trusts_the_words_more_than_a_question_does() -> None:
    assert weights_for('"net sales"').keyword > weights_for("what are net sales?").keyword
