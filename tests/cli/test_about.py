"""`desktop-rag about`, in a checkout."""

from __future__ import annotations

from desktop_rag import __version__
from desktop_rag.domain import errors
from tests.cli.conftest import Terminal


def test_it_tells_version_licence_and_parts(terminal: Terminal) -> None:
    code, out, _ = terminal.run("about")
    assert code == 0
    assert out.startswith(f"Desktop RAG {__version__}, run from its source code\n")
    assert "source code at no further charge" in " ".join(out.split())
    assert any(line.split()[0] == "numpy" for line in out.splitlines() if line)


def test_programs_get_it_as_json(terminal: Terminal) -> None:
    told = terminal.json("about")
    assert told["licence"] == "AGPL-3.0-or-later"
    assert told["installed"] is False
    assert told["bill_of_materials"] is None
    assert told["parts"][0]["name"] == "Desktop RAG"


def test_one_part_is_shown_with_its_licence_text(terminal: Terminal) -> None:
    code, out, _ = terminal.run("about", "NumPy")
    assert code == 0
    assert out.startswith("numpy ")
    assert "Redistribution and use" in out
    assert "GNU AFFERO" in terminal.json("about", "desktop rag")["text"]


def test_an_unknown_part_is_told(terminal: Terminal) -> None:
    code, _, err = terminal.run("about", "numpi")
    assert code == errors.NotFound.exit_code
    assert "Do you mean numpy?" in err
