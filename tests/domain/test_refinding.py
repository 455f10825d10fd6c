"""A quote is found again where it stands today."""

from __future__ import annotations

import pytest

from desktop_rag.domain.refinding import refind

QUOTE = "The bridge opened in 1932."


@pytest.mark.parametrize(
    ("text", "start", "expected"),
    [
        (f"Old. {QUOTE} End.", 5, 5),
        (f"A new first line.\n{QUOTE}", 5, 18),
        ("The bridge\nopened  in 1932.", 5, 0),
        (f"{QUOTE} And again: {QUOTE}", 30, 38),
    ],
)
def test_it_is_found_at_its_place_or_the_nearest(text: str, start: int, expected: int) -> None:
    span = refind(text, QUOTE, start)
    assert span is not None
    assert span[0] == expected
    assert "".join(text[slice(*span)].split()) == "".join(QUOTE.split())


@pytest.mark.parametrize(
    ("text", "quote"), [("The bridge opened in 1933.", QUOTE), ("see 12 kg", "12 kg"), ("x", "")]
)
def test_what_is_gone_or_too_short_to_tell_is_not_found(text: str, quote: str) -> None:
    assert refind(text, quote, 0) is None


def test_a_short_quote_at_its_old_place_is_found() -> None:
    assert refind("see 12 kg", "12 kg", 4) == (4, 9)
