from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.answers import Role, Turn
from desktop_rag.domain.prompting import (
    MAX_QUESTION_CHARS,
    PromptTexts,
    build,
    citation_grammar,
    conversation_title,
    heading,
    is_refusal,
    numbered_passage,
    shortened,
    steps_grammar,
)
from desktop_rag.domain.support import terms
from tests.helpers.passages import make_passage

TEXTS = PromptTexts(system="Be brief.", user="Passages:\n\n{passages}\n\nQuestion: {question}")


def test_passages_are_numbered_with_title_section_and_page() -> None:
    passage = make_passage(
        "It rained.", title="Diary", path="/d/diary.pdf", section="June", pages=(4, 5)
    )
    assert numbered_passage(2, passage, terms("")) == "[2] Diary, June, pages 4-5\nIt rained."


def test_a_file_name_the_title_does_not_repeat_is_named() -> None:
    junk = make_passage("x", title="Document1", path="/papers/2023 Q1 report.pdf")
    assert heading(junk) == "Document1 (2023 Q1 report.pdf)"


def test_a_title_falls_back_to_the_file_name() -> None:
    assert heading(make_passage("x", title="", path="C:\\papers\\tax.docx")) == "tax.docx"


def test_a_prompt_is_system_then_passages_and_question() -> None:
    turns = build(TEXTS, "Why {question}?", [make_passage("Because {passages}.")])
    assert [turn.role for turn in turns] == [Role.SYSTEM, Role.USER]
    assert turns[-1].content == (
        "Passages:\n\n[1] Report\nBecause {passages}.\n\nQuestion: Why {question}?"
    )


def test_a_table_keeps_the_names_that_were_shown_for_an_earlier_question() -> None:
    table = replace(make_passage("Basic rent | 890\nParking | 60"), columns="Item | Amount")
    first = build(TEXTS, "How much is the basic rent?", [table])
    assert "Basic rent: Amount 890" in first[1].content
    history = [Turn(Role.USER, "How much is the basic rent?"), Turn(Role.ASSISTANT, "890 EUR.")]
    assert build(TEXTS, "When is it due?", [table], history)[:2] == first


def test_a_follow_up_goes_on_where_the_prompt_before_ended() -> None:
    passages = [make_passage("Because.")]
    first = build(TEXTS, "Why?", passages)
    history = [Turn(Role.USER, "Why?"), Turn(Role.ASSISTANT, "Because of that.")]
    follow_up = build(TEXTS, "And when?", passages, history)
    assert follow_up[:2] == first
    assert follow_up[2:] == [history[1], Turn(Role.USER, "Question: And when?")]


def test_blank_lines_in_a_passage_do_not_look_like_its_end() -> None:
    assert "\n\n" not in numbered_passage(1, make_passage("One.\n\n\nTwo."), terms(""))


def test_the_grammar_knows_only_existing_numbers() -> None:
    grammar = citation_grammar(3)
    assert '"3" | "2" | "1"' in grammar
    assert '"4"' not in grammar


def test_a_long_question_is_cut_at_a_word() -> None:
    cut = shortened("word " * 5000)
    assert len(cut) <= MAX_QUESTION_CHARS
    assert cut.endswith("word …")
    assert len(shortened("x" * 5000)) <= MAX_QUESTION_CHARS


def test_a_title_is_one_short_line() -> None:
    title = conversation_title("What   is\nthe answer to " + "very " * 40 + "long questions?")
    assert "\n" not in title
    assert len(title) <= 60


@pytest.mark.parametrize(
    "text",
    [
        "Not in the passages.",
        "The passages do not mention the price of tea.",
        "The provided document doesn't explicitly state this [1].",
        "There is no information about that.",
        "I cannot answer this question.",
    ],
)
def test_refusals_are_recognised(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "The crisis began in October 1973 [1].",
        "The contract does not include shipping [2].",
        "It was not found until 1912, when a diver saw it [1].",
        "The price is $3 [1]. The passages do not mention tax.",
    ],
)
def test_answers_are_not_taken_for_refusals(text: str) -> None:
    assert not is_refusal(text)


def test_the_rest_of_a_table_gets_its_column_names() -> None:
    passage = replace(make_passage("Pumps | 4", section="A > B > C"), columns="Item / Part | Count")
    lines = numbered_passage(1, passage, terms("")).splitlines()
    assert lines[1:] == ["Item", "Part | Count", "Pumps | 4"]
    assert "B > C" in numbered_passage(1, passage, terms(""))
    assert "A > B" not in numbered_passage(1, passage, terms("")), (
        "only the last levels are worth their tokens"
    )


def test_steps_are_numbered_lines_and_brackets_hold_sources_only() -> None:
    grammar = steps_grammar(2, 20)
    assert 'root ::= line ("\\n" line){0,19}' in grammar
    assert 'line ::= [1-9] [0-9]? ". "' in grammar
    assert 'number ::= "2" | "1"' in grammar
