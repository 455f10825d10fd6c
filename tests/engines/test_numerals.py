"""Numbers as they are printed, and numbers that files claim."""

from __future__ import annotations

import pytest

from desktop_rag.engines.numerals import letters, roman, whole


def test_letters_and_roman_numbers() -> None:
    assert [letters(n) for n in (1, 26, 27, 0)] == ["a", "z", "aa", "0"]
    assert [roman(n) for n in (1, 4, 1994, 0, 4000)] == ["i", "iv", "mcmxciv", "0", "4000"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("", 1), (None, 1), ("-1", 1), ("²", 1), ("1.5", 1), ("9" * 5000, 50), ("99", 50)],
)
def test_claims_of_a_file(text: str | None, number: int) -> None:
    assert whole(text, 1, 50) == number
