"""A child that crashes, hangs, prints or lies never hurts the program."""

from __future__ import annotations

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from desktop_rag.domain.errors import (
    Cancelled,
    Damaged,
    DesktopRagError,
    ModelMissing,
    RoleUnavailable,
    TooLarge,
    WorkerCrashed,
    WorkerTimedOut,
)
from desktop_rag.workers.spec import CrashPolicy
from desktop_rag.workers.supervisor import Supervisor
from tests.helpers.fake_hosts import (
    COUNT,
    COUNT_DEAF,
    DO,
    ECHO,
    ECHO_BYTES,
    LIES,
    SLEEP,
    URGENT,
    TestHostOptions,
    fake_worker_spec,
)
from tests.workers.conftest import FakeClock, Supervise

States = list[tuple[str, str, str]]


def _names(states: States) -> list[str]:
    return [state for _, state, _ in states]


def _wait_until(condition: object, timeout_s: float = 10.0) -> None:
    assert callable(condition)
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.01)


# ordinary life
def test_nothing_is_spawned_before_the_first_call(supervise: Supervise, states: States) -> None:
    supervisor = supervise()
    assert supervisor.pid == 0
    assert states == []
    assert supervisor.call(ECHO, "hello") == "hello"
    assert psutil.pid_exists(supervisor.pid)
    assert _names(states) == ["starting", "ready"]


def test_close_ends_the_process_and_refuses_calls(supervise: Supervise, states: States) -> None:
    supervisor = supervise()
    supervisor.start()
    pid = supervisor.pid
    supervisor.close()
    assert not psutil.pid_exists(pid)
    assert _names(states) == ["starting", "ready", "stopped"]
    with pytest.raises(Cancelled):
        supervisor.call(ECHO, "too late")


def test_errors_of_the_domain_cross_with_their_details(supervise: Supervise) -> None:
    with pytest.raises(Damaged, match=r"report\.pdf is damaged") as caught:
        supervise().call(DO, "damaged")
    assert caught.value.details == {"page": "3"}


def test_a_bug_in_an_engine_is_an_error_without_unpickling(supervise: Supervise) -> None:
    supervisor = supervise()
    with pytest.raises(DesktopRagError) as caught:
        supervisor.call(DO, "bug")
    assert type(caught.value) is DesktopRagError
    assert caught.value.details["error"] == "KeyError"
    assert supervisor.call(ECHO, "still there") == "still there"


def test_many_threads_get_their_own_answers_from_one_child(
    supervise: Supervise, states: States
) -> None:
    supervisor = supervise()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: supervisor.call(ECHO, f"n{n}"), range(200)))
    assert answers == [f"n{n}" for n in range(200)]
    assert _names(states) == ["starting", "ready"]


def test_megabytes_cross_both_ways(supervise: Supervise) -> None:
    data = os.urandom(8 * 2**20)
    assert supervise().call(ECHO_BYTES, data) == data


def test_urgent_calls_overtake_queued_ones(supervise: Supervise) -> None:
    supervisor = supervise()
    supervisor.start()
    with ThreadPoolExecutor(6) as pool:
        running = pool.submit(supervisor.call, SLEEP, 0.5)
        time.sleep(0.2)
        queued = [pool.submit(supervisor.call, SLEEP, 0.1) for _ in range(4)]
        time.sleep(0.1)
        done_before = supervisor.call(URGENT)
        assert done_before == ["slept 0.5"]
        assert [f.result() for f in (running, *queued)] == ["slept"] * 5


def test_waiting_in_the_queue_does_not_count_as_running(supervise: Supervise) -> None:
    supervisor = supervise()
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(supervisor.call, SLEEP, 1.0)
        time.sleep(0.3)
        quick = pool.submit(supervisor.call, ECHO, "quick", timeout_s=0.2)
        assert quick.result() == "quick"
        assert slow.result() == "slept"


# crashes and hangs
@pytest.mark.parametrize(
    ("action", "how"), [("segfault", "SIGSEGV"), ("abort", "SIGABRT"), ("exit", "exit code 7")]
)
def test_a_crash_is_told_and_the_next_call_works(
    supervise: Supervise,
    states: States,
    caplog: pytest.LogCaptureFixture,
    action: str,
    how: str,
) -> None:
    supervisor = supervise()
    with pytest.raises(WorkerCrashed):
        supervisor.call(DO, action)
    assert supervisor.call(ECHO, "again") == "again"
    assert how in caplog.text
    assert ("test_host", "stopped", f"The test_host worker crashed ({how}).") in states
    caplog.clear()


def test_a_hang_is_ended_in_time(supervise: Supervise, caplog: pytest.LogCaptureFixture) -> None:
    supervisor = supervise()
    supervisor.start()
    pid, begun = supervisor.pid, time.monotonic()
    with pytest.raises(WorkerTimedOut):
        supervisor.call(DO, "hang", timeout_s=0.3)
    assert time.monotonic() - begun < 2.0
    assert not psutil.pid_exists(pid)
    assert supervisor.call(ECHO, "again") == "again"
    caplog.clear()


def test_a_hang_that_keeps_the_interpreter_lock_is_ended_too(
    supervise: Supervise, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise()
    with pytest.raises(WorkerTimedOut):
        supervisor.call(DO, "hold the interpreter", timeout_s=0.3)
    caplog.clear()


def test_a_child_that_closes_the_pipe_and_lives_on_is_ended(
    supervise: Supervise, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise()
    supervisor.start()
    pid = supervisor.pid
    with pytest.raises((WorkerCrashed, WorkerTimedOut)):
        supervisor.call(DO, "hang up", timeout_s=1)
    assert not psutil.pid_exists(pid)
    caplog.clear()


def test_calls_behind_the_one_that_crashed_are_sent_again(
    supervise: Supervise, caplog: pytest.LogCaptureFixture
) -> None:
    """Only the call that ran is to blame: files must not be given up for another file's crash."""
    supervisor = supervise()
    supervisor.start()
    with ThreadPoolExecutor(4) as pool:
        slow = pool.submit(supervisor.call, SLEEP, 0.4)
        time.sleep(0.1)
        guilty = pool.submit(supervisor.call, DO, "segfault")
        time.sleep(0.1)
        innocent = [pool.submit(supervisor.call, ECHO, f"n{n}") for n in range(2)]
        assert slow.result() == "slept"
        with pytest.raises(WorkerCrashed):
            guilty.result()
        assert [f.result() for f in innocent] == ["n0", "n1"]
    caplog.clear()


def test_a_child_that_dies_while_idle_is_replaced(
    supervise: Supervise, states: States, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise()
    supervisor.start()
    psutil.Process(supervisor.pid).kill()
    _wait_until(lambda: "stopped" in _names(states))
    assert supervisor.call(ECHO, "again") == "again"
    caplog.clear()


def test_a_value_of_another_type_is_a_crash(
    supervise: Supervise, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise()
    with pytest.raises(WorkerCrashed):
        supervisor.call(LIES)
    assert supervisor.call(ECHO, "again") == "again"
    caplog.clear()


def test_a_frame_over_the_limit_is_refused_on_both_sides(supervise: Supervise) -> None:
    supervisor = supervise()
    with pytest.raises(TooLarge):
        supervisor.call(DO, "huge")
    with pytest.raises(TooLarge):
        supervisor.call(ECHO_BYTES, bytes(200 * 2**20))
    assert supervisor.call(ECHO, "still in step") == "still in step"


# giving up
def test_three_crashes_make_the_role_rest(
    supervise: Supervise, states: States, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise(policy=CrashPolicy(limit=3, window_s=300, pause_s=120))
    for _ in range(3):
        with pytest.raises(WorkerCrashed):
            supervisor.call(DO, "segfault")
    with pytest.raises(RoleUnavailable, match="switched off for 2 min"):
        supervisor.call(ECHO, "no")
    assert _names(states)[-1] == "unavailable"
    assert clock.waits == [0.0, 0.0, 0.5], "the second restart in a row waits"
    clock.time += 121
    assert supervisor.call(ECHO, "rested") == "rested"
    with pytest.raises(WorkerCrashed):
        supervisor.call(DO, "segfault")
    with pytest.raises(RoleUnavailable):
        supervisor.call(ECHO, "one more crash was enough")
    caplog.clear()


def test_a_restart_ends_the_rest_and_the_old_child(
    supervise: Supervise, states: States, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise(policy=CrashPolicy(limit=1, window_s=300, pause_s=120))
    first = supervisor.call(DO, "pid")
    supervisor.restart()
    assert not psutil.pid_exists(int(first))
    second = supervisor.call(DO, "pid")
    assert second != first
    for _ in range(5):
        with pytest.raises((WorkerCrashed, RoleUnavailable)):
            supervisor.call(DO, "segfault")
    with pytest.raises(RoleUnavailable):
        supervisor.call(ECHO, "no")
    before = clock.time
    supervisor.restart()
    assert supervisor.call(ECHO, "again") == "again"
    assert clock.time == before, "nobody waited for the rest to end"
    caplog.clear()


def test_crashes_far_apart_are_forgotten(
    supervise: Supervise, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise(policy=CrashPolicy(limit=3, window_s=300))
    for _ in range(5):
        with pytest.raises(WorkerCrashed):
            supervisor.call(DO, "segfault")
        clock.time += 151
    assert supervisor.call(ECHO, "fine") == "fine"
    caplog.clear()


def test_a_role_that_meets_hostile_files_is_not_switched_off_by_them(
    supervise: Supervise, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise(policy=CrashPolicy(call_weight=0.05))
    for _ in range(6):
        with pytest.raises(WorkerCrashed):
            supervisor.call(DO, "segfault")
    assert supervisor.call(ECHO, "fine") == "fine"
    caplog.clear()


def test_a_crash_loop_while_starting_ends(
    supervise: Supervise, states: States, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise(on_open="segfault")
    with pytest.raises(RoleUnavailable):
        supervisor.start()
    assert _names(states).count("starting") == 3
    caplog.clear()


def test_a_bug_while_starting_counts_as_a_crash(
    supervise: Supervise, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(RoleUnavailable):
        supervise(on_open="bug").start()
    caplog.clear()


def test_what_opening_raises_reaches_every_caller_and_is_no_crash(
    supervise: Supervise, states: States
) -> None:
    supervisor = supervise(on_open="model missing")
    for _ in range(4):
        with pytest.raises(ModelMissing, match="install one"):
            supervisor.call(ECHO, "no")
    assert "unavailable" not in _names(states)


def test_a_start_that_hangs_is_ended(
    supervise: Supervise, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise(on_open="hang", start_timeout_s=0.5, policy=CrashPolicy(limit=1))
    with pytest.raises(RoleUnavailable):
        supervisor.start()
    caplog.clear()


def test_recovery_is_tried_once_after_a_crash_while_starting(
    supervise: Supervise, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """What damaged the stores is given up once, and never in a loop."""
    missing = str(tmp_path / "missing")
    spec = fake_worker_spec("test_host", TestHostOptions(crash_unless=missing))
    helped = supervise(replace(spec, recovery=spec.child.with_options(TestHostOptions())))
    assert helped.call(ECHO, "recovered") == "recovered"

    not_helped = supervise(replace(spec, recovery=spec.child))
    with pytest.raises(RoleUnavailable):
        not_helped.start()
    assert caplog.text.count("trying to recover") == 2
    caplog.clear()


# streams
def test_a_stream_arrives_item_by_item(supervise: Supervise) -> None:
    supervisor = supervise()
    supervisor.start()
    stream, begun = supervisor.stream(COUNT, 20, 0.05), time.monotonic()
    assert next(stream) == 0
    assert time.monotonic() - begun < 0.5
    assert list(stream) == list(range(1, 20))


def test_a_cancelled_stream_that_reacts_keeps_its_child(supervise: Supervise) -> None:
    supervisor = supervise()
    supervisor.start()
    pid, stop = supervisor.pid, threading.Event()
    got = []
    for value in supervisor.stream(COUNT, 1000, 0.01, is_cancelled=stop.is_set):
        got.append(value)
        if value == 3:
            stop.set()
    assert got == [0, 1, 2, 3]
    assert supervisor.call(ECHO, "next") == "next"
    assert supervisor.pid == pid


def test_closing_the_iterator_stops_the_stream(supervise: Supervise) -> None:
    supervisor = supervise()
    stream = supervisor.stream(COUNT, 1000, 0.01)
    assert next(stream) == 0
    stream.close()  # type: ignore[attr-defined]
    begun = time.monotonic()
    assert supervisor.call(ECHO, "next") == "next"
    assert time.monotonic() - begun < 2.0


def test_a_stream_that_does_not_react_is_ended(supervise: Supervise, states: States) -> None:
    """Prompt evaluation cannot be interrupted: Stop means kill, and that is no crash."""
    supervisor = supervise(cancel_grace_s=0.3)
    supervisor.start()
    pid, stop, begun = supervisor.pid, threading.Event(), time.monotonic()
    threading.Timer(0.2, stop.set).start()
    assert list(supervisor.stream(COUNT_DEAF, 2, 60.0, is_cancelled=stop.is_set)) == []
    assert time.monotonic() - begun < 3.0
    assert not psutil.pid_exists(pid)
    assert "unavailable" not in _names(states)
    assert supervisor.call(ECHO, "next") == "next"


def test_cancelling_a_queued_stream_leaves_the_running_call_alone(supervise: Supervise) -> None:
    supervisor = supervise(cancel_grace_s=0.1)
    supervisor.start()
    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(supervisor.call, SLEEP, 1.0)
        time.sleep(0.2)
        stop = threading.Event()
        threading.Timer(0.2, stop.set).start()
        assert list(supervisor.stream(COUNT, 5, 0.01, is_cancelled=stop.is_set)) == []
        assert not running.done()
        assert running.result() == "slept"


def test_a_stream_that_stalls_times_out(
    supervise: Supervise, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(WorkerTimedOut):
        list(supervise().stream(COUNT, 2, 60.0, timeout_s=0.3))
    caplog.clear()


# closing and replacing
@pytest.mark.parametrize("action", ["hang", "hold the interpreter"])
def test_close_with_a_busy_child_is_quick(supervise: Supervise, action: str) -> None:
    supervisor = supervise(close_grace_s=0.2)
    supervisor.start()
    pid = supervisor.pid
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(supervisor.call, DO, action)
        time.sleep(0.2)
        begun = time.monotonic()
        supervisor.close()
        assert time.monotonic() - begun < 3.0
        with pytest.raises(Cancelled):
            busy.result()
    assert not psutil.pid_exists(pid)


def test_close_waits_for_the_engine_to_close(supervise: Supervise, states: States) -> None:
    supervisor = supervise(on_close="nap", close_grace_s=10.0)
    supervisor.start()
    begun = time.monotonic()
    supervisor.close()
    assert 0.9 < time.monotonic() - begun < 5.0


def test_close_while_starting(supervise: Supervise) -> None:
    supervisor = supervise(on_open="hang", close_grace_s=0.2)
    with ThreadPoolExecutor(1) as pool:
        starting = pool.submit(supervisor.start)
        _wait_until(lambda: supervisor.pid != 0)
        supervisor.close()
        with pytest.raises(Cancelled):
            starting.result()


def test_the_child_is_replaced_after_so_many_calls(supervise: Supervise) -> None:
    supervisor = supervise(max_calls=3)
    pids = [supervisor.call(DO, "pid") for _ in range(7)]
    assert [len(set(pids[i : i + 3])) for i in (0, 3)] == [1, 1]
    assert len(set(pids)) == 3


def test_a_child_that_grew_is_replaced(supervise: Supervise) -> None:
    supervisor = supervise(max_rss_mb=1)
    assert supervisor.call(DO, "pid") != supervisor.call(DO, "pid")


def test_a_child_with_nothing_to_do_gives_its_memory_back(supervise: Supervise) -> None:
    supervisor = supervise(max_idle_s=0.2)
    first = supervisor.call(DO, "pid")
    assert supervisor.call(DO, "pid") == first
    _wait_until(lambda: not psutil.pid_exists(int(first)))
    assert supervisor.call(DO, "pid") != first


def test_a_child_at_work_is_not_idle(supervise: Supervise) -> None:
    supervisor = supervise(max_idle_s=0.1)
    first = supervisor.call(DO, "pid")
    supervisor.call(SLEEP, 0.5)
    assert supervisor.call(DO, "pid") == first


def test_reconfigure_uses_the_other_engine(supervise: Supervise) -> None:
    supervisor = supervise(on_open="model missing")
    with pytest.raises(ModelMissing):
        supervisor.start()
    supervisor.reconfigure(fake_worker_spec("test_host", TestHostOptions()))
    assert supervisor.call(ECHO, "installed") == "installed"


def test_callers_that_arrive_while_starting_share_one_child(supervise: Supervise) -> None:
    supervisor: Supervisor = supervise()
    with ThreadPoolExecutor(6) as pool:
        pids = {f.result() for f in [pool.submit(supervisor.call, DO, "pid") for _ in range(6)]}
    assert len(pids) == 1


# memory
def test_a_call_that_takes_too_much_memory_is_ended_and_given_up(
    supervise: Supervise, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = supervise(max_call_rss_mb=300)
    supervisor.start()
    before = supervisor.pid
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        filling = pool.submit(supervisor.call, DO, "fill memory")
        _wait_until(lambda: psutil.Process(before).memory_info().rss > 100 * 2**20)
        # Queued behind it, and not to blame.
        assert supervisor.call(ECHO, "next") == "next"
        with pytest.raises(TooLarge, match=r"more than 0\.3 GB of memory") as caught:
            filling.result()
    assert caught.value.details == {"memory": "300 MB"}
    assert time.monotonic() - began < 10
    assert supervisor.pid != before
    assert not psutil.pid_exists(before)
    caplog.clear()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds allocations")
def test_allocations_beyond_the_bound_fail_inside_the_child(supervise: Supervise) -> None:
    spec = fake_worker_spec("test_host", TestHostOptions())
    spec = replace(spec, child=replace(spec.child, memory_mb=600))
    supervisor = supervise(spec)
    with pytest.raises(TooLarge, match="ran out of memory"):
        supervisor.call(DO, "allocate")
    assert supervisor.call(ECHO, "still there") == "still there"
