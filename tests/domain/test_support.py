from __future__ import annotations

import pytest

from desktop_rag.domain.support import jaccard, support, terms


def test_numbers_are_compared_by_their_digits() -> None:
    assert terms("1,234.50 units").numbers == terms("1.234,50 Stück").numbers


def test_number_words_are_numbers() -> None:
    assert terms("three apples").numbers == {"3"}


def test_a_missing_number_is_never_supported() -> None:
    statement = terms("Net sales of Apple were 83,000 million in the quarter")
    source = terms("Net sales of Apple were 82,959 million in the quarter")
    assert (
        support(statement, source)
        < 0.5
        < support(statement, terms("83,000 million net sales of Apple in the quarter"))
    )


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("The embargoes raised prices", "An embargo raised the price of oil"),
        ("Die Brücken wurden gebaut", "Man baute die Brücke, sie wurde gebaut"),
        ("石油危机开始于", "这次石油危机开始于一九七三年"),
    ],
)
def test_inflected_words_meet(statement: str, source: str) -> None:
    assert support(terms(statement), terms(source)) >= 0.5


def test_function_words_support_nothing() -> None:
    assert terms("It is what it was").is_empty
    assert support(terms("it is"), terms("it is what it is")) == 0.0


def test_jaccard_of_empty_sets_is_one() -> None:
    assert jaccard(frozenset(), frozenset()) == 1.0
    assert jaccard({1, 2}, {2, 3}) == pytest.approx(1 / 3)
