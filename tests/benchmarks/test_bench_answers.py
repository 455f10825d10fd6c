"""The benchmark of answers over fake engines: what it asks, what it calls right, going on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.answers import Turn
from tests.benchmarks.answer_records import Records, claims_of
from tests.benchmarks.answer_sets import Kind, answer_set
from tests.benchmarks.bench_answers import main
from tests.helpers.fakes import FakeGenerator, FakeIndex, FakeReader, fake_engines

PUMP = "The feed pump holds four litres of oil. It runs at ninety bar in Hamburg."
SEAL = "A shaft seal lasts six thousand hours before it must be replaced by a fitter."
TEXTS = {"pumps:0": PUMP, "pumps:1": SEAL, "gardens:0": "The gate is painted green by the porter."}
ASKED: tuple[tuple[str, str, list[str], str], ...] = (
    ("q1", "How many litres of oil does the feed pump hold?", ["four litres", "4 l"], "pumps:0"),
    ("q2", "How many hours does a shaft seal last?", ["six thousand hours"], "pumps:1"),
    ("q3", "What colour is the gate painted by the porter?", ["green"], "gardens:0"),
    ("q4", "How many hours does the feed pump hold a shaft seal?", [], "pumps:1"),
)


def true_sentence(turns: Sequence[Turn]) -> str:
    """The sentence of the texts that shares most words with the question."""
    asked = set(turns[-1].content.rpartition("Question:")[2].split())
    sentences = [one for text in TEXTS.values() for one in text.split(". ")]
    return f"{max(sentences, key=lambda one: len(asked & set(one.split()))).rstrip('.')} [1]."


def lines(path: Path, objects: Sequence[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """A set and one of other topics."""
    made, other = tmp_path / "set", tmp_path / "other"
    made.mkdir()
    other.mkdir()
    lines(
        made / "corpus.jsonl",
        [{"id": key, "title": key.split(":")[0], "text": text} for key, text in TEXTS.items()],
    )
    lines(
        made / "queries.jsonl",
        [
            {"id": key, "text": text, "answer": gold, "doc": doc, "answerable": bool(gold)}
            for key, text, gold, doc in ASKED
        ],
    )
    lines(other / "queries.jsonl", [{"id": "q1", "text": "Quux zyzzyva plugh?"}])
    return [made, other]


class Program:
    """Runs the benchmark on fakes."""

    def __init__(self, work: Path, folders: Sequence[Path]) -> None:
        self.generator = FakeGenerator(true_sentence)
        self.work = work
        self._folders = folders

    def run(self, *options: str, answerable: int = 3) -> None:
        counts = ["--answerable", str(answerable), "--unanswerable", "1", "--off-topic", "1"]
        main([*map(str, self._folders), *counts, "--work", str(self.work), "--name", "x", *options])

    @property
    def records(self) -> Records:
        return Records(self.work / "records-x.jsonl")


@pytest.fixture
def program(tmp_path: Path, folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> Program:
    made = Program(tmp_path / "work", folders)
    index = FakeIndex()
    monkeypatch.setattr(
        App, "_start_engines", lambda _self: fake_engines(FakeReader(), index, made.generator)
    )
    return made


def test_answers_are_judged_by_gold_place_and_claims(
    program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    program.run("--json", str(program.work.parent / "out.json"))
    known = program.records.known
    one = known["q1"]
    assert "four litres" in one.text
    assert (one.found_rank, one.shown_rank, one.is_retrieved) == (1, 1, True)
    assert [place.is_right for place in one.citations] == [True]
    assert [claim.missing for claim in one.claims] == [()]
    assert one.prompt_tokens > one.generated_tokens > 0
    assert one.calls["stream"] == 1
    assert 0 < one.first_s["AnswerDelta"] <= one.seconds
    assert not known["other/q1"].is_answered
    figures = json.loads((program.work.parent / "out.json").read_text())
    assert figures["contains gold, retrieved"]["mean"] == 1
    assert figures["contains gold, retrieved"]["n"] == 3
    assert figures["first citation is right"]["mean"] == 1
    assert figures["refused, off-topic"]["mean"] == 1
    assert figures["answers with an invalid number"]["mean"] == 0
    out = capsys.readouterr().out
    assert "3 answerable, 1 misleading, 1 off-topic; fake-llm" in out
    assert ">= 88% met" in out


def test_a_wrong_answer_is_told_from_a_right_one(program: Program) -> None:
    def lie(turns: Sequence[Turn]) -> str:
        return "The pump of Bremen holds 77 litres of oil [1]."

    program.generator.answer = lie
    program.run("--json", str(program.work.parent / "out.json"))
    (claim,) = program.records.known["q1"].claims
    assert claim.missing == ("77", "Bremen")
    figures = json.loads((program.work.parent / "out.json").read_text())
    assert figures["contains gold, retrieved"]["mean"] == 0


def test_what_was_asked_is_not_asked_again(
    program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    program.run(answerable=1)
    asked = len(program.generator.prompts)
    first = set(program.records.known)
    program.run(answerable=3)
    assert len(program.generator.prompts) == asked + 2
    assert first < set(program.records.known)
    capsys.readouterr()
    program.run(answerable=3)
    assert len(program.generator.prompts) == asked + 2
    assert "3 answerable" in capsys.readouterr().out


def test_a_run_ends_when_its_minutes_are_over(
    program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    program.run("--minutes", "0")
    assert not program.generator.prompts
    assert "5 questions are left" in capsys.readouterr().out


def test_two_states_are_compared_on_the_questions_of_both(
    program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    program.run()
    (program.work / "records-x.jsonl").rename(program.work / "records-y.jsonl")
    program.generator.answer = "Nobody knows."
    program.run("--compare", "y")
    out = capsys.readouterr().out
    assert "5 questions asked of both" in out
    (row,) = [one for one in out.split("5 questions asked of both")[1].split("\n") if "F1" in one]
    assert "-0." in row


def test_another_level_decides_without_a_model(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.run()
    asked = len(program.generator.prompts)
    program.run("--refuse-below", "9", "--json", str(tmp_path / "out.json"))
    assert len(program.generator.prompts) == asked
    figures = json.loads((tmp_path / "out.json").read_text())
    assert figures["false refusals, retrieved"]["mean"] == 1
    assert figures["refused, misleading"]["mean"] == 1
    assert "of pairs" in capsys.readouterr().out


def test_more_questions_are_the_same_and_some_after_them(folders: list[Path]) -> None:
    def drawn(count: int) -> list[str]:
        made = answer_set(folders[0], folders[1:], {Kind.ANSWERABLE: count})
        return [one.id for one in made.questions]

    assert drawn(3)[:2] == drawn(2)
    # Balanced: the two first are of different articles.
    assert "q3" in drawn(2)


def test_a_claim_is_checked_against_what_it_cites() -> None:
    text = "Rolf fitted three pumps in Kiel [1]. He paid $1,200 in 1999 [2]! Nice work."
    sources = {1: "In Kiel, Rolf's firm fitted 3 pumps.", 2: "It cost 1200 dollars."}
    first, second, third = claims_of(text, sources, [(37, 60)])
    assert (first.missing, first.is_marked) == ((), False)
    assert (second.missing, second.is_marked) == (("1999",), True)
    assert third.missing == ()


def test_the_numbers_of_a_list_are_no_claims() -> None:
    found = claims_of("1. Open the valve [1].\n2. Wait 30 minutes [1].", {1: "Open the valve."}, [])
    assert [one.missing for one in found] == [(), ("30",)]
