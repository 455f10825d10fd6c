from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_rag.domain.adaptive_limit import adaptive_limit


@pytest.mark.parametrize(
    ("relevances", "count"),
    [
        ([], 0),
        ([0.9], 1),
        ([0.9, 0.0001], 2),
        ([0.9, 0.001, 0.001, 0.001, 0.001], 3),
        ([0.9, 0.5, 0.4, 0.3, 0.001, 0.001], 4),
        ([0.9, 0.001, 0.001, 0.001, 0.5, 0.001], 5),
        ([0.5] * 20, 8),
        ([0.0] * 20, 8),
    ],
)
def test_the_list_ends_where_nothing_compares_with_the_best(
    relevances: Sequence[float], count: int
) -> None:
    assert adaptive_limit(relevances) == count


def test_bounds_can_be_chosen() -> None:
    assert adaptive_limit([0.9, 0.001, 0.001], fewest=1) == 1
    assert adaptive_limit([0.9] * 9, most=4) == 4
