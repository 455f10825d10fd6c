"""What somebody waits for is not kept waiting by commands that are not meant."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from desktop_rag import paths
from desktop_rag.cli.main import build_parser, parsed

WINDOWS = [
    [],
    ["--hidden"],
    ["--data-dir", "/tmp/there", "--new-chat"],
    ["--new-chat", "--open", "add", "/tmp/other"],
    ["--open"],
]


@pytest.mark.parametrize("argv", [*WINDOWS, ["mcp"]])
def test_the_services_of_other_commands_are_not_loaded(argv: list[str]) -> None:
    script = (
        "import sys; from desktop_rag.cli.main import parsed; parsed(sys.argv[1:]);"
        "print([one for one in sys.modules if one.startswith('desktop_rag.services.')])"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, *argv],
        env={**os.environ, "PYTHONPATH": str(paths.shipped())},
        check=True,
        capture_output=True,
        text=True,
    )
    assert told.stdout.strip() == "[]"


@pytest.mark.parametrize("argv", WINDOWS)
def test_the_window_gets_what_the_whole_parser_would_read(argv: list[str]) -> None:
    whole = build_parser().parse_args(argv)
    assert vars(parsed(argv)) == vars(whole)
    assert whole.command is None


@pytest.mark.parametrize("argv", [["--hiden"], ["--hidden", "nonsense"], ["--open", "a", "--x"]])
def test_a_wrong_command_line_is_told_with_all_commands(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parsed(argv)
    assert "error:" in capsys.readouterr().err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(["--help"])
    assert "models" in capsys.readouterr().out
