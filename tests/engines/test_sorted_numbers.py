"""Sets of numbers as ascending arrays do what Python's sets do."""

from __future__ import annotations

import random

import numpy as np
import pytest

from desktop_rag.engines.sorted_numbers import ascending, is_member


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_they_are_sets(count: int) -> None:
    dice = random.Random(count)
    some = [dice.randrange(60) for _ in range(count)]
    other = [dice.randrange(60) for _ in range(30)]
    assert ascending(some).tolist() == sorted(set(some))
    assert ascending(sorted(set(some))).tolist() == sorted(set(some))
    found = is_member(np.array(other), ascending(some))
    assert found.tolist() == [one in some for one in other]
