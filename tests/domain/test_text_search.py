"""What a person types is found where they see it."""

from __future__ import annotations

import pytest

from desktop_rag.domain.text_search import find_all


@pytest.mark.parametrize(
    ("text", "wanted", "spans"),
    [
        ("Tea is green. TEA is good.", "tea", [(0, 3), (14, 17)]),
        ("a long\nline break", "long line", [(2, 11)]),
        ("1.5 (net) [x]", "(net) [x]", [(4, 13)]),
        ("Straße und STRASSE", "straße", [(0, 6)]),
        ("nothing here", "absent", []),
        ("nothing here", "  \n", []),
        ("aaaa", "aa", [(0, 2), (2, 4)]),
        ("مرحبا بالعالم", "بالعالم", [(6, 13)]),
    ],
)
def test_places(text: str, wanted: str, spans: list[tuple[int, int]]) -> None:
    assert find_all(text, wanted) == spans


def test_there_is_an_end_to_it() -> None:
    assert len(find_all("a" * 100, "a", most=7)) == 7


def test_nothing_is_lost_or_found_twice_where_slices_meet() -> None:
    """A place across every border, beside it and at the end."""
    text = "x" * 199_997 + "two  words" + "y" * 199_990 + "Two words two words" + "z" * 199_999
    text += "two words"
    starts = [start for start, _ in find_all(text, "two words")]
    assert starts == [199_997, 399_997, 400_007, len(text) - 9]
    assert all(
        text[a:b].lower().split() == ["two", "words"] for a, b in find_all(text, "two words")
    )
