"""Asking on in a chat from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag.domain.errors import InvalidInput, NotFound
from tests.cli.conftest import Terminal


@pytest.fixture
def filled(terminal: Terminal, folder: Path) -> Terminal:
    assert terminal.run("add", folder)[0] == 0
    return terminal


def test_a_follow_up_is_asked_in_the_chat_that_was_named(filled: Terminal) -> None:
    first = filled.json("ask", "How much oil does the pump hold?")
    chat = str(first["conversation"])
    answer = filled.json("ask", "--continue", chat, "And its warranty?")
    assert answer["conversation"] == first["conversation"]
    assert answer["understood"]["rewritten"]
    told = filled.run("ask", "--continue", chat, "And its warranty?")[2]
    assert "Understood as: " in told
    assert f"--continue {chat}" in told


def test_a_complete_answer_cannot_go_on_and_a_deleted_chat_is_said_to_be_gone(
    filled: Terminal,
) -> None:
    chat = filled.json("ask", "How much oil does the pump hold?")["conversation"]
    code, _, told = filled.run("ask", "--continue", str(chat))
    assert code == InvalidInput.exit_code
    assert "complete" in told
    code, _, told = filled.run("ask", "--continue", "99", "And its warranty?")
    assert code == NotFound.exit_code
    assert "does not exist any more" in told


def test_a_broken_off_answer_goes_on(filled: Terminal) -> None:
    filled.generator.crash_after = 3
    part = filled.run("ask", "How much oil does the pump hold?", "--json")[1]
    assert json.loads(part)["stopped"]
    filled.generator.crash_after = None
    whole = filled.json("ask", "--continue", "1")
    assert not whole["stopped"]
    assert whole["answer"].startswith(json.loads(part)["answer"].removesuffix(" [1]"))


def test_the_json_holds_the_sentence_that_was_shown_at_once(filled: Terminal) -> None:
    extract = filled.json("ask", "How much oil does the pump hold?")["extract"]
    assert extract["quote"] == "The pump holds four litres of oil."


@pytest.mark.parametrize("option", [["--deep"], ["--graph"], ["--fresh"], ["--type", "pdf"]])
def test_what_does_nothing_to_an_answer_that_goes_on_is_refused(
    filled: Terminal, option: list[str]
) -> None:
    code, _, told = filled.run("ask", "--continue", "1", *option)
    assert code == InvalidInput.exit_code
    assert "leave the other options out" in told


def test_chats_are_listed_and_exported(filled: Terminal, tmp_path: Path) -> None:
    assert "begins one" in filled.run("chats")[2]
    asked = filled.json("ask", "How much oil does the pump hold?")
    chat = str(asked["conversation"])
    [listed] = filled.json("chats")
    assert listed["conversation"] == asked["conversation"]
    assert not listed["is_pinned"]
    assert "How much oil" in filled.run("chats")[1]
    path = tmp_path / "chat.html"
    assert filled.run("export", chat, path)[1] == f"Written to {path}.\n"
    assert path.read_text().startswith("<!doctype html>")
    code, _, told = filled.run("export", chat, path)
    assert code == InvalidInput.exit_code
    assert "--force" in told
    assert filled.run("export", chat, path, "--format", "json", "--force")[0] == 0
    written = json.loads(path.read_text())
    assert written["messages"][1]["answer"]["citations"] == asked["citations"]


def test_an_export_is_printed_or_refused_kindly(filled: Terminal, tmp_path: Path) -> None:
    chat = str(filled.json("ask", "How much oil does the pump hold?")["conversation"])
    assert filled.run("export", chat, "-")[1].startswith("# How much oil")
    message = json.loads(filled.run("export", chat, "-", "--format", "json")[1])["messages"][1]
    one = filled.run("export", chat, "-", "--message", str(message["message"]))[1]
    assert "[1]" in one
    code, _, told = filled.run("export", "99", "-")
    assert (code, "does not exist" in told) == (NotFound.exit_code, True)
    code, _, told = filled.run("export", chat, tmp_path / "chat.pdf")
    assert (code, "in the window" in told) == (InvalidInput.exit_code, True)
    code, _, told = filled.run("export", chat, tmp_path / "none" / "chat.md")
    assert (code, "There is no folder" in told) == (2, True)
