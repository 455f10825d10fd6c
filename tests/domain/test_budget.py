from __future__ import annotations

import pytest

from desktop_rag.domain.budget import ALLOWANCES, Effort, cut, fill, room_in
from tests.helpers.passages import make_passage

PASSAGES = [make_passage(f"Passage {n}.", chunk=n) for n in range(1, 7)]


def test_passages_are_taken_best_first_while_they_fit() -> None:
    assert fill(PASSAGES, [300] * 6, 900) == PASSAGES[:3]


def test_a_passage_too_long_is_passed_over_for_a_shorter_one() -> None:
    assert fill(PASSAGES[:3], [300, 900, 200], 600) == [PASSAGES[0], PASSAGES[2]]


def test_the_limit_holds_whatever_the_room() -> None:
    assert len(fill(PASSAGES, [1] * 6, 900, limit=2)) == 2


def test_the_best_passage_is_cut_rather_than_left_out() -> None:
    text = "First sentence of it. Second sentence of it. Third sentence of it."
    (only,) = fill([make_passage(text, start=7)], [1000], 700)
    assert only.text == "First sentence of it. Second sentence of it."
    assert only.end == 7 + len(only.text)


def test_cutting_keeps_text_and_span_together_without_sentences() -> None:
    short = cut(make_passage("x" * 100), 0.25)
    assert len(short.text) == short.end - short.start == 25


@pytest.mark.parametrize("effort", Effort)
def test_an_unknown_speed_gives_the_smallest_useful_budget(effort: Effort) -> None:
    allowance = ALLOWANCES[effort]
    assert allowance.tokens(0.0, 8000) == allowance.tokens(5.0, 8000) == allowance.least


def test_what_is_read_takes_about_three_seconds() -> None:
    assert ALLOWANCES[Effort.BALANCED].tokens(200.0, 8000) == 600


def test_there_is_an_end_for_the_quickest_computer() -> None:
    assert ALLOWANCES[Effort.BALANCED].tokens(1e6, 8000) == ALLOWANCES[Effort.BALANCED].most


@pytest.mark.parametrize("speed", [0.0, 60.0, 200.0, 1e6])
def test_more_effort_reads_more(speed: float) -> None:
    fast, balanced, thorough = (ALLOWANCES[effort].tokens(speed, 8000) for effort in Effort)
    assert fast < balanced < thorough


def test_a_small_context_is_never_exceeded() -> None:
    assert ALLOWANCES[Effort.BALANCED].tokens(80.0, 224) == 224
    assert room_in(512).left(512, 900) == 0


def test_a_small_context_leaves_something_to_everything() -> None:
    room = room_in(512)
    assert room.is_enough
    assert not room.has_history
    assert room.answer == 128
    assert room.question_chars < 400
    assert room.left(512, 200) > 60
    assert not room_in(256).is_enough
    assert room_in(8192).question_chars == 2000
