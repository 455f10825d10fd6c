"""What a worker process costs: `python -m tests.benchmarks.bench_workers`.

Figures are medians on the machine that runs them; ratios compare with doing the same in process.
"""

from __future__ import annotations

import logging
import statistics
import sys
import threading
import time
from collections.abc import Callable

from desktop_rag.domain.errors import WorkerTimedOut
from desktop_rag.domain.ports import IndexBatch, IndexedChunk
from desktop_rag.workers import methods
from desktop_rag.workers.supervisor import Supervisor
from tests.helpers.fake_hosts import (
    COUNT,
    DO,
    ECHO,
    ECHO_BYTES,
    FakeIndexOptions,
    TestHostOptions,
    fake_worker_spec,
)
from tests.helpers.fakes import FakeIndex

BATCH, DIMENSIONS = 512, 384
FLOAT32_BYTES, FLOAT16_BYTES = 4, 2


def _median_ms(task: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        task()
        times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1000


def _say(name: str, value_ms: float, remark: str = "") -> None:
    sys.stdout.write(f"{name:<52}{value_ms:>10.3f} ms  {remark}\n")


def _supervisor(**bounds: object) -> Supervisor:
    return Supervisor(fake_worker_spec("test_host", TestHostOptions(), **bounds))


def _bench_life() -> None:
    def one_life() -> None:
        supervisor = _supervisor()
        supervisor.start()
        spawned.append(time.perf_counter())
        supervisor.close()

    spawned: list[float] = []
    starts, closes = [], []
    for _ in range(7):
        begun = time.perf_counter()
        one_life()
        starts.append(spawned[-1] - begun)
        closes.append(time.perf_counter() - spawned[-1])
    _say("spawn until ready (no engine)", statistics.median(starts) * 1000)
    _say("close", statistics.median(closes) * 1000)


def _bench_kill() -> None:
    supervisor = _supervisor(cancel_grace_s=0.0)
    supervisor.start()
    begun = time.perf_counter()
    try:
        supervisor.call(DO, "hang", timeout_s=0.2)
    except WorkerTimedOut:
        _say("kill a hung child, beyond its time-out", (time.perf_counter() - begun - 0.2) * 1000)
    stop = threading.Event()
    for _ in supervisor.stream(COUNT, 1000, 0.01, is_cancelled=stop.is_set):
        if not stop.is_set():
            stop.set()
            begun = time.perf_counter()
    _say("stop a stream, killing without grace", (time.perf_counter() - begun) * 1000)
    supervisor.close()


def _bench_crossing(supervisor: Supervisor) -> None:
    trip = _median_ms(lambda: supervisor.call(ECHO, "x"), 500)
    _say("round trip of a short call", trip)
    begun = time.perf_counter()
    items = sum(1 for _ in supervisor.stream(COUNT, 5000, 0.0))
    _say("one item of a stream", (time.perf_counter() - begun) / items * 1000)
    for name, size in (("float32", FLOAT32_BYTES), ("float16", FLOAT16_BYTES)):
        data = bytes(BATCH * DIMENSIONS * size)
        crossing = _median_ms(lambda data=data: supervisor.call(ECHO_BYTES, data), 50)  # type: ignore[misc]
        _say(f"{BATCH} x {DIMENSIONS} {name}, there and back", crossing, f"{crossing / trip:.1f} x")


def _bench_batch() -> None:
    vector = bytes(DIMENSIONS * FLOAT16_BYTES)
    chunks = tuple(IndexedChunk(n, "word " * 180, vector) for n in range(BATCH))  # type: ignore[arg-type]
    batch = IndexBatch(chunks, (), 1)
    local = FakeIndex()
    supervisor = Supervisor(fake_worker_spec("index", FakeIndexOptions()))
    supervisor.start()
    remote_ms = _median_ms(lambda: supervisor.call(methods.APPLY, batch), 30)
    local_ms = _median_ms(lambda: local.apply(batch), 30)
    rate = BATCH / (remote_ms - local_ms) * 1000
    _say(f"apply {BATCH} chunks of 900 characters", remote_ms, f"{rate:,.0f} chunks/s cross")
    supervisor.close()


def main() -> None:
    """Print the table."""
    # A child is killed on purpose; that is a warning anywhere else.
    logging.disable(logging.WARNING)
    _bench_life()
    _bench_kill()
    supervisor = _supervisor()
    supervisor.start()
    _bench_crossing(supervisor)
    supervisor.close()
    _bench_batch()


if __name__ == "__main__":
    main()
