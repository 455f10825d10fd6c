from __future__ import annotations

import pytest

from desktop_rag.domain.budget import MAX_TOKENS, MIN_TOKENS, PromptSpeed, cut, fill
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


def test_an_unknown_speed_gives_the_smallest_useful_budget() -> None:
    assert PromptSpeed().passage_tokens(8192, 500) == MIN_TOKENS


def test_a_quick_computer_reads_more_and_there_is_an_end() -> None:
    assert PromptSpeed(80.0).passage_tokens(8192, 500) == pytest.approx(960)
    assert PromptSpeed(1000.0).passage_tokens(8192, 500) == MAX_TOKENS


def test_a_small_context_is_never_exceeded() -> None:
    assert PromptSpeed().passage_tokens(1024, 800) == 224
    assert PromptSpeed().passage_tokens(512, 800) == 0


def test_speed_is_smoothed_and_cached_prompts_do_not_count() -> None:
    speed = PromptSpeed().after(900, 10.0)
    assert speed.tokens_per_s == pytest.approx(90.0)
    assert speed.after(900, 30.0).tokens_per_s == pytest.approx(60.0)
    assert speed.after(10, 0.001) == speed
