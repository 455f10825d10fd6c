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
