"""What the command line says while files are read."""

from __future__ import annotations

import pytest

from desktop_rag.cli.output import ProgressLine
from desktop_rag.domain.events import IndexingProgress


def test_slow_work_on_passages_is_told_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("desktop_rag.cli.output.time.monotonic", lambda: now)
    line = ProgressLine()
    for step in range(10):
        line(IndexingProgress(0, 1, 0, "a.txt", None, step=step, steps=10))
        now += 10.0
    assert capsys.readouterr().err.splitlines() == [
        f"Cutting, {step} of 10 done: a.txt" for step in (0, 3, 6, 9)
    ]
