"""What `--json` prints is what `--schema` promises, on real runs over fake engines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag.domain import errors
from tests.cli.conftest import Terminal
from tests.domain.test_structured import valid


@pytest.fixture
def filled(terminal: Terminal, folder: Path) -> Terminal:
    terminal.run("add", folder)
    return terminal


def test_an_answer_with_its_citation(filled: Terminal) -> None:
    found = valid(filled.json("ask", "How much oil does the pump hold?"), "answer")
    assert found["found"] is True
    (citation,) = found["citations"]
    assert citation["number"] == 1
    assert "four litres" in citation["quote"]
    assert found["retrieval"]["reranked"] <= found["retrieval"]["candidates"]
    assert found["retrieval"]["timings_ms"]["total"] > 0


def test_nothing_found_names_what_is_nearest(filled: Terminal) -> None:
    found = valid(filled.json("ask", "Quantum chromodynamics confinement scale"), "answer")
    assert (found["found"], found["citations"], found["confidence"]) == (False, [], "none")
    assert found["nearest"]


def test_a_search_with_and_without_explanation(filled: Terminal) -> None:
    found = valid(filled.json("search", "warranty"), "search")
    assert found["passages"]
    assert "explanation" not in found
    told = valid(filled.json("search", "warranty", "--explain"), "search")
    assert told["explanation"]["decisions"]


@pytest.mark.parametrize(("command", "key"), [("ask", "citations"), ("search", "passages")])
def test_the_schema_is_printed_without_a_question(
    terminal: Terminal, command: str, key: str
) -> None:
    code, out, _ = terminal.run(command, "--schema")
    assert code == 0
    assert key in json.loads(out)["properties"]
    assert not terminal.data_dir.exists()


@pytest.mark.parametrize("command", ["ask", "search"])
def test_no_question_at_all_is_an_empty_one(filled: Terminal, command: str) -> None:
    code, _, err = filled.run(command)
    assert code == errors.InvalidInput.exit_code
    assert "empty" in err
