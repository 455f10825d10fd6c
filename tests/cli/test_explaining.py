"""`search` with relevance, and `search --explain`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.cli.explaining import percent, print_explanation
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.explanation import Decision, Explanation, Fate, Verdict
from tests.cli.conftest import Terminal


def decision(rank: int, verdict: Verdict, shown_as: int | None = None) -> Decision:
    return Decision(
        chunk=ChunkId(rank),
        rank=rank,
        score=0.0164,
        similarity=0.61,
        dense_rank=rank,
        keyword_score=None,
        keyword_rank=None,
        late_score=0.713,
        late_rank=2,
        verdict=verdict,
        path="C:\\docs\\a.txt",
        where="page 3",
        tier_weight=0.85,
        relevance=0.874,
        shown_as=shown_as,
    )


def test_a_row_tells_ranks_scores_and_the_decision(capsys: pytest.CaptureFixture[str]) -> None:
    shown = decision(2, Verdict(Fate.SHOWN), 1)
    copy = decision(1, Verdict(Fate.DUPLICATE, ChunkId(2), 0.987))
    print_explanation(Explanation(("“pump”: keywords",), (copy, shown)))
    reading, headings, first, second = capsys.readouterr().out.splitlines()
    assert reading == "“pump”: keywords"
    assert headings.split()[:3] == ["#", "relevance", "vectors"]
    cells = ["1", "87 %", "2 (0.61)", "-", "2 (0.71)", "2 (0.0164)", "x0.85", "shown"]
    assert [cell.strip() for cell in first.split("  ") if cell.strip()] == [*cells, "a.txt, page 3"]
    assert "duplicate of [1] (0.99)" in second


def test_a_column_tells_what_was_read_again(capsys: pytest.CaptureFixture[str]) -> None:
    read = replace(decision(2, Verdict(Fate.SHOWN), 1), read_rank=1, read_score=5.25)
    print_explanation(Explanation((), (read, decision(1, Verdict(Fate.WEAK)))))
    headings, first, second = capsys.readouterr().out.splitlines()
    assert "tokens" in headings
    assert "read again" in headings
    assert "1 (5.2)" in first
    assert "-" in second.split()


def test_a_long_list_is_cut_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    decisions = tuple(decision(n, Verdict(Fate.OVER_LIMIT)) for n in range(1, 41))
    print_explanation(Explanation((), decisions))
    assert capsys.readouterr().out.splitlines()[-1] == "and 20 more; --json has all of them"


@pytest.mark.parametrize(
    ("relevance", "told"),
    [(0.0, "<1 %"), (0.004, "<1 %"), (0.006, "1 %"), (0.5, "50 %"), (0.999, "99 %")],
)
def test_nothing_is_ever_sure(relevance: float, told: str) -> None:
    assert percent(relevance) == told


def test_search_shows_relevance_and_explains_on_request(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    _, plain, _ = terminal.run("search", "warranty years")
    assert plain.splitlines()[0].startswith("[1] ")
    assert " % " in plain.splitlines()[0]
    assert "vectors" not in plain
    _, explained, _ = terminal.run("search", "--explain", "warranty years")
    assert "shown" in explained
    assert "weights: vectors" in explained


def test_json_holds_the_whole_explanation_on_request(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    assert "explanation" not in terminal.json("search", "warranty years")
    found = terminal.json("search", "--explain", "warranty years")
    (one,) = [one for one in found["explanation"]["decisions"] if one["shown_as"] == 1]
    assert one["verdict"]["fate"] == "shown"
    assert one["relevance"] == found["passages"][0]["relevance"]
    assert found["matches_well"] is True


def test_a_search_that_nothing_matches_says_so(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    _, out, _ = terminal.run("search", "quarterly dividend of the airline")
    assert out.startswith("Nothing in your documents matches well; nearest:")
    assert terminal.json("search", "airline dividend")["matches_well"] is False
