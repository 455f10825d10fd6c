"""Operators, filters and bad input of `search` and `ask`, as typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rag.domain import errors
from tests.cli.conftest import Terminal

OK, WRONG, NOTHING = 0, errors.InvalidInput.exit_code, errors.NothingIndexed.exit_code


@pytest.fixture
def two(terminal: Terminal, folder: Path) -> Terminal:
    (folder / "tea.md").write_text("Tea wants water.\fThe pump for tea holds two litres.")
    terminal.json("add", folder)
    return terminal


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (["pump file:tea.md"], {"tea.md"}),
        (["pump", "--file", "tea"], {"tea.md"}),
        (["pump type:text -tea"], {"pump.txt"}),
        (["pump", "-tea"], {"pump.txt"}),
        (["pump", "--type", "markdown"], {"tea.md"}),
        (["pump page:2"], {"tea.md"}),
        (["pump", "--page", "1-2"], {"tea.md"}),
        (["pump after:2000"], {"tea.md", "pump.txt"}),
        (["pump", "--after", "2000", "--before", "2100-01"], {"tea.md", "pump.txt"}),
        (["pump in the file tea.md"], {"tea.md"}),
        (['"pump for  TEA"'], {"tea.md"}),
    ],
)
def test_operators_and_options_narrow(two: Terminal, words: list[str], files: set[str]) -> None:
    found = two.json("search", *words)["passages"]
    assert {Path(passage["path"]).name for passage in found} == files
    cited = two.json("ask", *words)["citations"]
    assert {Path(citation["path"]).name for citation in cited} <= files


def test_what_was_understood_is_shown(two: Terminal) -> None:
    question = "how much does the pump hold file:tea.md -oil"
    told = "Filters: without “oil”, file tea.md"
    assert told in two.run("search", question)[2]
    assert told in two.run("ask", question)[2]
    understood = two.json("search", question)["understood"]
    assert understood["filters"] == ["without “oil”", "file tea.md"]
    assert two.json("ask", question)["understood"] == understood
    assert "Filters" not in two.run("search", "pump")[2]


BAD: list[tuple[list[str], int, str]] = [
    ([""], WRONG, "empty"),
    (["x"], OK, ""),
    (["pump " * 10_000], OK, ""),
    (["\U0001f600\U0001f680"], WRONG, "no word"),
    (["*"], WRONG, "no word"),
    (["pump*"], OK, ""),
    (["'; DROP TABLE chunks; --"], OK, ""),
    (['" OR 1=1 --'], OK, ""),
    (["file:tea.md type:md"], WRONG, "only says where to look"),
    (["-pump"], WRONG, "leave out"),
    (["-pump", "-tea"], WRONG, "leave out"),
    (["pump\x00\udcff tea"], OK, ""),
    (["pump file:nowhere"], NOTHING, "file nowhere"),
    (["pump", "--file", ""], NOTHING, "file"),
    (["pump", "--file", "[*"], NOTHING, "file"),
    (["pump after:2090"], NOTHING, "2090"),
    (["pump after:tomorrowish"], WRONG, "no date"),
    (["pump", "--before", "never"], WRONG, "no date"),
    (["pump page:x"], WRONG, "no page"),
    (["pump", "--page", "0"], NOTHING, "page 0"),
    (["tea type:md -tea"], NOTHING, "leaves out"),
    (['pump "unclosed'], OK, ""),
    (["foo:bar pump"], OK, ""),
]


@pytest.mark.parametrize(("words", "code", "says"), BAD)
def test_bad_questions_end_with_a_sentence_or_a_result(
    two: Terminal, words: list[str], code: int, says: str
) -> None:
    for command in ("search", "ask"):
        found, out, err = two.run(command, *words)
        assert (found, says in err) == (code, True), err
        assert out if code == OK else err.strip().endswith(".")


@pytest.mark.parametrize(
    ("limit", "code"), [("0", WRONG), ("-1", WRONG), ("500", OK), (str(10**9), WRONG)]
)
def test_limits(two: Terminal, limit: str, code: int) -> None:
    assert two.run("search", "pump", "--limit", limit)[0] == code


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are Unicode there")
def test_the_real_program_takes_any_question(tmp_path: Path) -> None:
    (tmp_path / "pump.txt").write_text("The pump holds four litres of oil. The crane lifts.")
    program = [sys.executable, "-m", "desktop_rag", "--data-dir", str(tmp_path / "data")]
    run = [*program, "add", str(tmp_path / "pump.txt")]
    subprocess.run(run, check=True, capture_output=True)
    for question, code in (
        ("pump " * 10_000, OK),
        (os.fsdecode(b"\xff pump \xfe"), OK),
        ('"four litres" -crane', NOTHING),
    ):
        done = subprocess.run(
            [*program, "search", question, "--json"], capture_output=True, check=False
        )
        assert (done.returncode, b"Traceback" in done.stderr) == (code, False), question
        assert ("passages" in json.loads(done.stdout)) == (code == OK)


def test_search_shows_where_the_words_stand(
    terminal: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "long.txt").write_text(f"{'Much else. ' * 60}The crane \x1b[2Jlifts nine tons.")
    terminal.json("add", folder)
    out = terminal.run("search", "crane tons", "-k", "1")[1]
    assert "crane \\x1b[2Jlifts nine tons." in out.replace("\x1b", "ESC")
    assert str(folder / "long.txt") in out
    monkeypatch.setattr("desktop_rag.cli.output.is_terminal", lambda _stream: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    out = terminal.run("search", "crane tons", "-k", "1")[1]
    assert "\x1b[1mcrane\x1b[0m \\x1b[2Jlifts nine \x1b[1mtons\x1b[0m." in out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1m" not in terminal.run("search", "crane tons", "-k", "1")[1]
