"""Questions with their words set right."""

from __future__ import annotations

import pytest

from desktop_rag.domain.spelling import corrected, is_correctable


@pytest.mark.parametrize("word", ["warranty", "Warranty", "WARRANTY", "über", "привет"])
def test_words(word: str) -> None:
    assert is_correctable(word)


@pytest.mark.parametrize(
    "word", ["", "tea", "NASA", "getUser", "XC23", "don't", "iPhone", "東京都に"]
)
def test_no_words(word: str) -> None:
    assert not is_correctable(word)


def test_a_question_set_right() -> None:
    corrections = [("waranty", "warranty"), ("data base", "database")]
    question = 'Is the waranty of data  base "waranty" or waranty2?'
    assert corrected(question, corrections) == (
        'Is the warranty of database "waranty" or waranty2?'
    )
    assert corrected(question, []) == question
