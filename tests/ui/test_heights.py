"""Where the messages of a long chat lie."""

from __future__ import annotations

import pytest

from desktop_rag.ui.chat.heights import Heights


@pytest.fixture
def heights() -> Heights:
    made = Heights(gap=10, margin=20)
    made.replace([100, 50, 200])
    return made


def test_boxes_lie_below_each_other_with_gaps_and_margins(heights: Heights) -> None:
    assert [heights.top(n) for n in range(4)] == [20, 130, 190, 400]
    assert heights.bottom(1) == 180
    assert heights.total == 410


def test_a_better_height_moves_what_is_below(heights: Heights) -> None:
    heights.set(0, 300)
    assert [heights.top(n) for n in range(3)] == [20, 330, 390]
    heights.append(40)
    assert heights.top(3) == 600
    assert heights.total == 660
    assert len(heights) == 4


@pytest.mark.parametrize(
    ("y", "place"), [(-5, 0), (0, 0), (20, 0), (119, 0), (125, 0), (130, 1), (399, 2), (9999, 2)]
)
def test_which_box_is_at_a_height(heights: Heights, y: int, place: int) -> None:
    assert heights.at(y) == place


@pytest.mark.parametrize(
    ("top", "bottom", "places"),
    [
        (0, 20, [0]),
        (50, 140, [0, 1]),
        (122, 140, [1]),
        (0, 9999, [0, 1, 2]),
        (-500, -400, [0]),
        (50, 40, []),
    ],
)
def test_what_has_a_part_between_two_heights(
    heights: Heights, top: int, bottom: int, places: list[int]
) -> None:
    assert list(heights.between(top, bottom)) == places


def test_an_empty_column_has_its_margins_only() -> None:
    empty = Heights(gap=10, margin=20)
    assert empty.total == 40
    assert list(empty.between(0, 100)) == []
