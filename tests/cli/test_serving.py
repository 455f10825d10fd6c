"""The server's command line is read without loading what it does not need."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.cli import main


@pytest.mark.parametrize(
    ("argv", "is_served"),
    [
        (["mcp"], True),
        (["--data-dir", "here", "mcp"], True),
        (["mcp", "--data-dir", "here"], True),
        (["ask", "what is mcp"], False),
        (["ask", "mcp"], False),
        (["--data-dir", "mcp"], False),
        ([], False),
    ],
)
def test_the_command_is_found_wherever_the_folder_stands(argv: list[str], is_served: bool) -> None:
    args = main.parsed(argv)
    assert (args.command == "mcp") == is_served
    assert "here" not in argv or args.data_dir == Path("here")


def test_it_takes_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.parsed(["mcp", "--json"])
    assert ended.value.code == 2
    assert "--json" in capsys.readouterr().err


def test_its_help_says_where_results_go(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main.parsed(["mcp", "--help"])
    assert "goes to the assistant" in " ".join(capsys.readouterr().out.split())
