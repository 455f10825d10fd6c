from __future__ import annotations

import pytest

from desktop_rag.domain.repetition import loop_start, without_loop

LOOPS = [
    "The bridge opened in 1932 [1]. " * 4,
    "It opened in 1932 [1]. " + "The bridge is long and the bridge is high. " * 3,
    "Well, " + "very " * 40,
    "Names:\n" + "- Anna Berg\n- Carl Dorn\n- Eva Falk and her friends\n" * 3,
    "It was the year 1932 and " * 6 + "It was the",
]
TEXTS = [
    "The bridge opened in 1932 [1]. It took eight years to build [2].",
    "Ha ha ha.",
    "- Anna: 3 days\n- Carl: 3 days\n- Eva: 3 days\n- Olaf: 3 days\n- Ida: 3 days",
    "The pass costs 4 euros. The pass for children costs 2 euros. The pass for dogs costs 1 euro.",
    "No. No. No.",
    "",
]


@pytest.mark.parametrize("text", LOOPS)
def test_a_loop_is_noticed(text: str) -> None:
    assert loop_start(text) is not None


@pytest.mark.parametrize("text", TEXTS)
def test_what_merely_resembles_itself_is_no_loop(text: str) -> None:
    assert loop_start(text) is None


def test_it_is_noticed_while_it_is_written() -> None:
    text = "It opened in 1932 [1]. " + "And the bridge is long and wide [1]. " * 20
    first = next(end for end in range(len(text)) if loop_start(text[:end]) is not None)
    assert text[:first].count("wide") <= 3


def test_the_first_time_is_kept_and_ends_with_a_sentence() -> None:
    text = "It opened in 1932 [1]. " + "The bridge is long and wide [1]. " * 4 + "The bridge"
    start = loop_start(text)
    assert start is not None
    assert without_loop(text, start) == "It opened in 1932 [1]. The bridge is long and wide [1]."


def test_without_a_sentence_the_words_are_kept() -> None:
    text = "Well, " + "very " * 40
    start = loop_start(text)
    assert start is not None
    assert without_loop(text, start) == "Well, very"
