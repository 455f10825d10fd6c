"""`desktop-rag why`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Terminal


def test_why_shows_each_step_and_a_conclusion(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    code, out, _ = terminal.run("why", "four litres of oil")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "four litres of oil"
    assert "Keywords" in out
    assert lines[-1].startswith("Nothing stands in the way")


def test_why_gives_all_of_it_as_json(terminal: Terminal, folder: Path) -> None:
    (folder / "film.mkv").write_bytes(b"x")
    terminal.run("add", folder)
    told = terminal.json("why", "film.mkv")
    assert told["is_found"] is False
    assert told["files"][0]["steps"][-1]["mark"] == "stopped"
    assert told["conclusion"] == "There is no reader for .mkv files."


def test_why_refuses_nothing_and_files_nobody_knows(terminal: Terminal) -> None:
    assert terminal.run("why", "  ")[0] == 2
    code, _, err = terminal.run("why", "words", "--file", "gone.pdf")
    assert code == 3
    assert "gone.pdf" in err
