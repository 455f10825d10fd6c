"""A number counts only where its row is about the question."""

from __future__ import annotations

import pytest

from desktop_rag.domain.support import terms
from desktop_rag.domain.table_rows import are_about, rows_of

ROWS = rows_of("Item | 2022 | 2023\nPumps | 4 | 9\n | 7 | 8\nIn total 15 pumps were sold.")


@pytest.mark.parametrize(
    ("number", "topic", "expected"),
    [
        ("9", "How many pumps?", True),
        ("9", "How many valves?", False),
        ("15", "How many valves?", True),
        ("7", "How many valves?", True),
        ("77", "How many valves?", True),
    ],
)
def test_a_number_must_stand_in_a_row_about_the_topic(
    number: str, topic: str, *, expected: bool
) -> None:
    assert are_about(ROWS, frozenset({number}), terms(topic)) is expected


@pytest.mark.parametrize(
    ("number", "topic", "expected"),
    [
        ("4", "How many pumps in 2022?", True),
        ("9", "How many pumps in 2022?", False),
        ("9", "How many pumps?", True),
        ("9", "How many pumps in 2022 and 2023?", True),
    ],
)
def test_a_number_must_stand_in_the_column_of_the_topic(
    number: str, topic: str, *, expected: bool
) -> None:
    assert are_about(ROWS, frozenset({number}), terms(topic)) is expected


def test_columns_may_be_named_before_the_passage() -> None:
    rows = rows_of("Pumps | 4 | 9", "Item | New | Used")
    assert are_about(rows, frozenset({"9"}), terms("How many used pumps?"))
    assert not are_about(rows, frozenset({"9"}), terms("How many new pumps?"))


def test_the_row_that_the_topic_names_in_full_is_meant() -> None:
    rows = rows_of("Item | Sales\nNorth America | 4\nTotal sales | 9")
    topic = terms("What were sales in North America?")
    assert are_about(rows, frozenset({"4"}), topic)
    assert not are_about(rows, frozenset({"9"}), topic)
