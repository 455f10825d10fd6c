"""A file is read when nobody writes it any more, and never forgotten while somebody does."""

from __future__ import annotations

from desktop_rag.domain.stability import REST_S, Stability


def test_an_old_file_is_at_rest_at_once() -> None:
    assert Stability().is_at_rest("a", 1, age_s=60.0, now=0.0)


def test_a_fresh_file_rests_for_a_moment_first() -> None:
    stability = Stability()
    assert not stability.is_at_rest("a", 1, age_s=0.1, now=0.0)
    assert stability.due(REST_S - 0.1) == []
    assert stability.due(REST_S) == ["a"]
    assert stability.is_at_rest("a", 1, age_s=0.6, now=REST_S)
    assert stability.due(100.0) == []


def test_a_clock_that_goes_wrong_delays_a_file_only_by_the_moment() -> None:
    stability = Stability()
    assert not stability.is_at_rest("a", 1, age_s=-3600.0, now=0.0)
    assert stability.is_at_rest("a", 1, age_s=-3600.0, now=REST_S)


def test_a_file_that_grows_for_minutes_is_looked_at_ever_less_often_and_still_found() -> None:
    stability, now, looks = Stability(), 0.0, 0
    while now < 300.0:
        if looks == 0 or stability.due(now):
            looks += 1
            assert not stability.is_at_rest("a", ("size", now), age_s=0.0, now=now)
        now += 0.25
    assert looks < 90
    written_at = now
    while not (stability.due(now) and stability.is_at_rest("a", "done", 0.0, now)):
        now += 0.25
        assert now - written_at < 10.0


def test_a_path_that_is_none_of_ours_is_forgotten() -> None:
    stability = Stability()
    stability.is_at_rest("a", 1, age_s=0.0, now=0.0)
    assert stability.is_waiting("a", 0.1)
    stability.forget("a")
    assert stability.due(100.0) == []
    assert not stability.is_waiting("a", 0.1)
