from __future__ import annotations

import pytest

from desktop_rag.domain.followup import is_follow_up, small_talk


@pytest.mark.parametrize(
    "question",
    ["Why?", "And in 2023?", "What about Tesla?", "When did it open to the public in Sydney?",
     "Und wie lange dauert das?", "Who built them?", "How does CIS manage it?",
     "Is it possible to extend that?"],
)  # fmt: skip
def test_questions_that_lean_on_the_one_before(question: str) -> None:
    assert is_follow_up(question)


@pytest.mark.parametrize(
    "question",
    [
        "What were the total net sales of Apple in 2022?",
        "When was the harbour bridge opened?",
        "Is it possible to get a second passport in Germany?",
        "How long does it take to get a visa?",
        "Is there a daily limit for hunting in California?",
        "When was the physicist Marie Curie born and what did she study?",
    ],
)
def test_questions_that_stand_alone(question: str) -> None:
    assert not is_follow_up(question)


@pytest.mark.parametrize(
    "text", ["Hello!", " thanks ", "Guten Tag.", "MERCI!!", "你好", "Ok, thanks!"]
)
def test_small_talk_gets_a_reply(text: str) -> None:
    assert small_talk(text)


@pytest.mark.parametrize("text", ["Hello, when did it open?", "thanksgiving dates", "?", "Hi-fi"])
def test_questions_are_not_small_talk(text: str) -> None:
    assert small_talk(text) is None
