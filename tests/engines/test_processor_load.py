from __future__ import annotations

from collections import namedtuple
from typing import Any

import psutil
import pytest

from desktop_rag.engines.processor_load import OthersLoad, free_threads

Times = namedtuple("Times", "user nice system idle iowait")


class Computer:
    """A clock and counters that are moved by hand."""

    def __init__(self) -> None:
        self.now, self.waited = 100.0, 0.0
        self.times = Times(0.0, 0.0, 0.0, 0.0, 0.0)
        self.own = 0.0
        self.rate: dict[str, float] = {}

    def watch(self) -> OthersLoad:
        return OthersLoad(lambda: self.now, self.pass_time, lambda: self.times, lambda: self.own)

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.waited += seconds
        self.own += self.rate.get("own", 0.0) * seconds
        grown: dict[str, Any] = {
            name: value + self.rate.get(name, 0.0) * seconds
            for name, value in self.times._asdict().items()
        }
        self.times = Times(**grown)


@pytest.mark.parametrize(
    ("rate", "cores"),
    [
        ({"idle": 2.0}, 0.0),
        ({"user": 1.0, "idle": 1.0}, 1.0),
        ({"user": 1.0, "own": 1.0, "idle": 1.0}, 0.0),
        ({"user": 0.5, "system": 0.25, "own": 0.25, "iowait": 1.0}, 0.5),
        ({"nice": 2.0}, 0.0),
    ],
)
def test_only_what_others_do_and_do_not_give_up_counts(
    rate: dict[str, float], cores: float
) -> None:
    computer = Computer()
    computer.rate = rate
    assert computer.watch().cores() == pytest.approx(cores)


def test_what_was_watched_already_is_not_waited_for() -> None:
    computer = Computer()
    load = computer.watch()
    computer.rate = {"user": 1.0}
    computer.pass_time(0.5)
    computer.waited = 0.0
    assert load.cores() == pytest.approx(1.0)
    assert computer.waited == 0.0
    load.cores()
    assert computer.waited == pytest.approx(0.1)


def test_what_happened_long_ago_does_not_count() -> None:
    computer = Computer()
    load = computer.watch()
    computer.rate = {"user": 2.0}
    computer.pass_time(60.0)
    computer.rate = {}
    assert load.cores() == 0.0


def test_at_least_one_thread_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "cpu_count", lambda logical: 4)
    counts = [free_threads(4, others) for others in (0.0, 0.4, 0.6, 2.0, 9.0)]
    assert counts == [4, 4, 3, 2, 1]
    assert free_threads(2, 1.0) == 2, "there is room for both"
