"""From spans to pages and boxes."""

from __future__ import annotations

import pytest

from desktop_rag.domain.documents import Box, Line, Page
from desktop_rag.domain.places import boxes_for, label_of, page_of, pages_of

FIRST = Page(1, "i", 0, 10, 100, 200, (Line(0, 10, 10, 10, 60, 20),))
EMPTY = Page(2, "ii", 10, 10, 100, 200)
LAST = Page(3, "1", 12, 32, 100, 200, (Line(12, 22, 10, 10, 60, 20), Line(23, 32, 10, 30, 55, 40)))
PAGES = (FIRST, EMPTY, LAST)
TEXT = "abdeghnopq\n\nabdeghnopq\nabdeghnop"
"""Letters of one width, so that proportions are plain."""


def test_page_of_an_offset() -> None:
    assert [page_of(PAGES, offset) for offset in (0, 9, 10, 11, 12, 40)] == [
        FIRST, FIRST, FIRST, FIRST, LAST, LAST,
    ]  # fmt: skip
    assert page_of((), 3) is None


def test_pages_of_a_span_take_the_last_character_not_the_end() -> None:
    assert pages_of(PAGES, 0, 12) == (1, 1)
    assert pages_of(PAGES, 5, 13) == (1, 3)
    assert pages_of((), 0, 5) is None


def test_labels() -> None:
    assert [label_of(PAGES, offset) for offset in (3, 20)] == ["i", "1"]
    assert label_of((Page(7, "", 0, 5, 1, 1),), 2) == "7"
    assert label_of((), 0) == ""


def test_boxes_are_cut_in_proportion() -> None:
    (box,) = boxes_for(PAGES, TEXT, 2, 7)
    assert [box.x0, box.x1] == pytest.approx([20, 45])


def test_wide_letters_take_more_of_a_line_than_narrow_ones() -> None:
    (box,) = boxes_for(PAGES, "WWWWWiiiii", 0, 5)
    assert box.x1 == pytest.approx(10 + 50 * 0.944 / (0.944 + 0.222))


def test_a_line_that_runs_from_the_right_is_not_cut() -> None:
    (box,) = boxes_for(PAGES, "שלום לכולם", 0, 4)
    assert (box.x0, box.x1) == (10, 60)


def test_boxes_over_a_page_break_are_on_both_pages() -> None:
    boxes = boxes_for(PAGES, TEXT, 5, 25)
    assert [box.page for box in boxes] == [1, 3, 3]
    assert [box.x0 for box in boxes] == pytest.approx([35, 10, 10])
    assert [box.x1 for box in boxes] == pytest.approx([60, 60, 20])


def test_a_span_of_white_space_has_no_boxes() -> None:
    assert boxes_for(PAGES, TEXT, 10, 12) == ()
    assert boxes_for(PAGES, TEXT, 22, 23) == ()


def test_upright_text_keeps_its_whole_box() -> None:
    pages = (Page(1, "", 0, 10, 100, 200, (Line(0, 10, 10, 10, 20, 90),)),)
    assert boxes_for(pages, TEXT, 2, 4) == (Box(1, 10, 10, 20, 90),)
