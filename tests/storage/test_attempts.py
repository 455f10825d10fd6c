from __future__ import annotations

import os
import time
from pathlib import Path

from desktop_rag.storage.attempts import Attempts

EIGHT_DAYS_S = 8 * 86400.0


def test_what_never_came_to_an_end_is_left_alone_for_a_week_only(tmp_path: Path) -> None:
    file = tmp_path / "new" / "gpu.attempts"
    for _ in range(2):
        assert Attempts(file).may_begin()
        Attempts(file).begin()
    assert not Attempts(file).may_begin()
    long_ago = time.time() - EIGHT_DAYS_S
    os.utime(file, (long_ago, long_ago))
    assert Attempts(file).may_begin()
    Attempts(file).begin()
    assert Attempts(file).may_begin(), "it counts from one again"
    Attempts(file).begin()
    assert not Attempts(file).may_begin()


def test_an_end_clears_the_count(tmp_path: Path) -> None:
    attempts = Attempts(tmp_path / "gpu.attempts")
    for _ in range(5):
        assert attempts.may_begin()
        attempts.begin()
        attempts.end()
    assert not list(tmp_path.iterdir())
