"""The short form of `python -m tests.durability.kills`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.durability.kills import run


@pytest.mark.parametrize("seed", [7])
def test_kills_at_random_moments_leave_no_trace(tmp_path: Path, seed: int) -> None:
    outcome = run(tmp_path, times=7, seed=seed, latest_s=3.5)
    assert outcome.differences == []
    assert outcome.chunks > 20
