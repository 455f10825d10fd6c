"""`--deep` and `--graph` of `search` and `ask`, as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.errors import ModelMissing
from tests.cli.conftest import Terminal
from tests.helpers.fakes import FakeGenerator


@pytest.fixture
def library(terminal: Terminal, folder: Path) -> Terminal:
    (folder / "play.txt").write_text("# Blue Harbour\n\nA play that was written by Jane Roe.")
    (folder / "author.txt").write_text("# Jane Roe\n\nShe spent her childhood near Port Alder.")
    terminal.json("add", folder)
    return terminal


def test_what_was_searched_besides_is_told(library: Terminal) -> None:
    library.generator = FakeGenerator("oil in the pump\nlitres of pump oil")
    question = "How many litres does the pump hold?"
    found = library.json("search", question, "--deep")
    expansion = found["retrieval"]["expansion"]
    assert expansion["note"] == ""
    assert expansion["hypothetical"] == "oil in the pump litres of pump oil"
    assert found["passages"][0]["path"].endswith("pump.txt")
    assert "pump" in library.run("search", question, "--deep", "--explain")[1]
    assert library.json("ask", question, "--deep")["retrieval"]["expansion"] == expansion


def test_without_a_language_model_it_searches_and_says_so(library: Terminal) -> None:
    library.generator = FakeGenerator(failure=ModelMissing("No language model is installed."))
    ordinary = library.json("search", "litres of oil")["passages"]
    assert library.json("search", "litres of oil", "--deep")["passages"] == ordinary
    code, _, said = library.run("search", "litres of oil", "--deep")
    assert code == 0
    assert "Not searched as deeply as asked: No language model is installed." in said
    assert "Not searched as deeply" not in library.run("search", "litres of oil")[2]


def test_names_are_followed_when_asked_or_set(library: Terminal) -> None:
    question = "where did the writer of Blue Harbour grow up?"
    assert library.json("search", question)["retrieval"]["expansion"]["names"] == []
    found = library.json("search", question, "--graph")
    assert found["retrieval"]["expansion"]["names"] == ["blue harbour"]
    assert found["retrieval"]["expansion"]["linked"] == 2
    assert "author.txt" in {Path(one["path"]).name for one in found["passages"]}
    assert (
        "Followed names: blue harbour" in library.run("search", question, "--graph", "--explain")[1]
    )
    library.run("settings", "graph", "on")
    assert library.json("search", question)["retrieval"]["expansion"]["names"] == ["blue harbour"]
