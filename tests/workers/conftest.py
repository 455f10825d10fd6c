"""Supervisors that are closed when the test ends, and a clock that needs no waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from desktop_rag.workers.spec import WorkerSpec
from desktop_rag.workers.supervisor import Supervisor
from tests.helpers.fake_hosts import TestHostOptions, fake_worker_spec


class FakeClock:
    """Stands still until it is told or waited on."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.time

    def wait(self, event: threading.Event, timeout_s: float) -> bool:
        self.waits.append(timeout_s)
        self.time += timeout_s
        return event.is_set()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def states() -> list[tuple[str, str, str]]:
    return []


Supervise = Callable[..., Supervisor]


@pytest.fixture
def supervise(clock: FakeClock, states: list[tuple[str, str, str]]) -> Iterator[Supervise]:
    """Make a supervisor of the test host; `options` and bounds of `WorkerSpec` as keywords."""
    made: list[Supervisor] = []

    def make(
        spec: WorkerSpec | None = None, *, on_open: str = "", on_close: str = "", **bounds: object
    ) -> Supervisor:
        options = TestHostOptions(on_open=on_open, on_close=on_close)
        spec = spec or fake_worker_spec("test_host", options, **bounds)
        supervisor = Supervisor(spec, lambda *state: states.append(state), clock)
        made.append(supervisor)
        return supervisor

    yield make
    for supervisor in made:
        supervisor.close()
