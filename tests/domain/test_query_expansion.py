"""What small models write is taken apart, and rubbish is thrown away."""

from __future__ import annotations

import pytest

from desktop_rag import paths
from desktop_rag.domain.answers import Expansion, Role
from desktop_rag.domain.query_expansion import (
    Technique,
    explained,
    is_manifold,
    limits,
    parsed,
    prompt,
    summary,
    techniques,
    wordings,
)
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, rules_for

QUESTION = "When did the harbour bridge open, and who built it?"


@pytest.mark.parametrize(
    "written",
    [
        "When was the bridge opened?\nWho built the harbour bridge?",
        "1. When was the bridge opened?\n2) Who built the harbour bridge?",
        "- When was the bridge opened?\n• Who built the harbour bridge?\n",
        "Sure, two:\nQuestion 1: When was the bridge opened?\nWho built the harbour bridge?",
        '"When was the bridge opened?"\n\n\nWho built the harbour bridge?',
        f"{QUESTION}\nWhen was the bridge opened?\nWhen was the bridge opened?\n"
        "Who built the harbour bridge?",
    ],
)
def test_lines_are_questions_however_they_are_marked(written: str) -> None:
    assert parsed(Technique.PARTS, written, QUESTION) == (
        "When was the bridge opened?",
        "Who built the harbour bridge?",
    )


@pytest.mark.parametrize("technique", Technique)
@pytest.mark.parametrize(
    "written",
    [
        "",
        "\n\n \n",
        "🙂" * 50,
        "???",
        "lorem ipsum dolor sit amet",
        "Here are the questions:",
        "bridge " * 5000,
        QUESTION,
        "\x00\x01\x02",
    ],
)
def test_rubbish_gives_nothing(technique: Technique, written: str) -> None:
    found = parsed(technique, written, QUESTION)
    assert found == () or (technique is Technique.HYDE and written == QUESTION)


def test_five_thousand_words_give_no_more_than_a_few_lines() -> None:
    written = "\n".join(f"Which bridge number {n} opened in the harbour?" for n in range(5000))
    assert len(parsed(Technique.QUERIES, written, QUESTION)) <= 2
    assert len(parsed(Technique.PARTS, written, QUESTION)) <= 3
    long = " ".join(f"the harbour bridge opened in year {n}" for n in range(1000))
    assert all(len(one) <= 500 for one in parsed(Technique.HYDE, long, QUESTION))


def test_other_languages_are_questions_too() -> None:
    found = parsed(Technique.QUERIES, "桥是什么时候开放的", "海港大桥什么时候开放？")
    assert found == ("桥是什么时候开放的",)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which is older, the Louvre or the Prado?", True),
        ("Where was the inventor who built the first engine born?", True),
        ("How tall is the Eiffel Tower?", False),
        ("tower and bridge", False),
        ("", False),
    ],
)
def test_only_questions_of_several_parts_are_taken_apart(question: str, *, expected: bool) -> None:
    assert is_manifold(question) is expected
    wanted = techniques(question, rules_for(deep=True))
    assert (Technique.PARTS in wanted) is (expected and rules_for(deep=True).deep_parts)


def test_without_deep_rules_there_is_nothing_to_ask_the_model() -> None:
    assert techniques(QUESTION, DEFAULT_RULES) == []


@pytest.mark.parametrize("technique", Technique)
def test_the_shipped_prompts_are_examples_by_turns_and_end_with_the_question(
    technique: Technique,
) -> None:
    folder = paths.shipped("resources", "prompts")
    text = (folder / f"deep_{technique}.txt").read_text(encoding="utf-8")
    turns = prompt(text, "a {question}\nwith two lines " + "x" * 5000)
    roles = [turn.role for turn in turns]
    examples = [Role.USER, Role.ASSISTANT] * ((len(roles) - 2) // 2)
    assert roles == [Role.SYSTEM, *examples, Role.USER]
    assert turns[-1].content.startswith("a {question} with two lines")
    assert sum(len(turn.content) for turn in turns) < 1500
    assert 0 < limits(technique).max_tokens <= 80


def test_all_that_is_searched_besides_shares_one_weight() -> None:
    expansion = summary(
        [
            (Technique.QUERIES, ("one", "two")),
            (Technique.PARTS, ("two", "three")),
            (Technique.HYDE, ("four",)),
        ]
    )
    found = wordings(expansion, 0.8)
    assert [one.text for one in found] == ["one", "two", "three", "four"]
    assert sum(one.weight for one in found) == pytest.approx(0.8)
    assert wordings(Expansion(), 0.8) == []


def test_everything_is_explained() -> None:
    expansion = Expansion(("other",), ("part",), "made up", ("Ada",), 1, "A note.")
    lines = explained(expansion)
    assert len(lines) == 5
    for text in ("other", "part", "made up", "Ada", "1 passage)", "A note."):
        assert any(text in line for line in lines)
    assert explained(Expansion()) == []
