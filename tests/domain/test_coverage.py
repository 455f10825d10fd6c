"""Words about how much of a file was read."""

from __future__ import annotations

from desktop_rag.domain.coverage import ranges, waiting_words
from desktop_rag.domain.documents import Coverage


def test_waiting_pages_are_counted() -> None:
    assert waiting_words(Coverage(pages=40)) == ""
    assert waiting_words(Coverage(pages=1, waiting=(1,))) == "waits for text recognition"
    assert waiting_words(Coverage(pages=40, waiting=(3,))) == (
        "1 of 40 pages waits for text recognition"
    )
    assert waiting_words(Coverage(pages=40, waiting=tuple(range(1, 13)))) == (
        "12 of 40 pages wait for text recognition"
    )


def test_page_numbers_are_written_as_ranges() -> None:
    assert ranges([7, 1, 2, 3, 9, 10]) == "1-3, 7, 9-10"
    assert ranges([4]) == "4"
    assert ranges([]) == ""
