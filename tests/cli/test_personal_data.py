"""`mask_personal_data` as the person sees it on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Terminal

MAIL = "anna.weber@example.org"


@pytest.fixture
def letters(terminal: Terminal, tmp_path: Path) -> Terminal:
    (tmp_path / "letter.txt").write_text(f"The landlord is Anna Weber, {MAIL}, since 2021.")
    terminal.json("add", tmp_path / "letter.txt")
    return terminal


def test_off_is_the_default(letters: Terminal) -> None:
    assert letters.json("settings", "mask_personal_data")["value"] == "off"
    assert MAIL in str(letters.json("search", "Who is the landlord?"))


def test_programs_get_placeholders_and_the_person_the_documents(letters: Terminal) -> None:
    letters.run("settings", "mask_personal_data", "on")
    letters.generator.answer = "The landlord is Anna Weber, EMAIL_1 [1]."
    told = letters.json("ask", "Who is the landlord?")
    assert told["masked"] == [{"kind": "e-mail address", "count": 1}]
    assert MAIL not in str(told)
    assert "EMAIL_1" in told["citations"][0]["quote"]
    assert MAIL not in str(letters.json("search", "Who is the landlord?"))
    code, out, err = letters.run("ask", "Who is the landlord?")
    assert code == 0
    answer, _, sources = out.partition("[1]")
    assert "EMAIL_1" in answer
    assert MAIL in sources, "quotations on the person's own screen stay"
    assert "Words like EMAIL_1 stand for it" in out + err


def test_answers_on_screen_show_the_data_when_that_is_chosen(letters: Terminal) -> None:
    letters.run("settings", "mask_personal_data", "model_only")
    letters.generator.answer = "The landlord is Anna Weber, EMAIL_1 [1]."
    _, out, err = letters.run("ask", "Who is the landlord?")
    assert f"Anna Weber, {MAIL}" in out
    assert "Not shown to the language model: e-mail address (1)." in out + err
    assert all(MAIL not in turn.content for turns in letters.generator.prompts for turn in turns)


def test_another_value_is_refused(letters: Terminal) -> None:
    code, _, err = letters.run("settings", "mask_personal_data", "sometimes")
    assert code == 2
    assert "off, on or model_only" in err
