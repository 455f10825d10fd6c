"""`eval --answers` over fake engines, as a person uses it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.cli.answer_evaluating import Asking
from desktop_rag.domain import errors
from desktop_rag.domain.answers import Turn
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.paths import DataDir
from desktop_rag.services.evaluating_answers import Given
from desktop_rag.services.llm_choosing import LLM_VARIABLE
from desktop_rag.storage.database import Database
from desktop_rag.storage.querylog import query_figures
from tests.cli.conftest import Terminal
from tests.helpers.fakes import FakeIndex, FakeReader, fake_engines

TEXTS = {
    "pump": "The pump holds four litres of oil and runs at ninety bar.",
    "seal": "A shaft seal lasts six thousand hours before it must be replaced.",
    "gate": "The garden gate is painted green every second spring by the porter.",
}
ASKED = (
    ("q1", "How many litres of oil does the pump hold?", "four litres", "pump"),
    ("q2", "How many hours does a shaft seal last?", ["5,000 hours", "six thousand hours"], "seal"),
    ("q3", "How many hours does the pump of the seal hold oil?", None, "pump"),
    ("none", "Quux zyzzyva?", None, None),
)


def answering(turns: Sequence[Turn]) -> str:
    """The sentence that shares most words with the question; as a judge, always yes."""
    content = turns[-1].content
    if "Reply:" in content:
        return "yes"
    asked = set(content.rpartition("Question:")[2].split())
    best = max(TEXTS.values(), key=lambda one: len(asked & set(one.split())))
    return f"{best.rstrip('.')} [1]."


@pytest.fixture
def own_index(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every library has an index of its own, as real ones do."""
    terminal.generator.answer = answering
    monkeypatch.delenv(LLM_VARIABLE, raising=False)
    monkeypatch.setattr(
        App,
        "_start_engines",
        lambda _self: fake_engines(FakeReader(), FakeIndex(), terminal.generator),
    )


@pytest.fixture
def manuals(tmp_path: Path) -> Path:
    """Files with questions, as `eval make` writes them and with some that nothing answers."""
    made = tmp_path / "manuals"
    made.mkdir()
    for name, text in TEXTS.items():
        (made / f"{name}.txt").write_text(text, encoding="utf-8")
    lines = [
        {
            "id": id_,
            "question": text,
            "answer": gold,
            "file": file and f"{file}.txt",
            "answerable": gold is not None,
        }
        for id_, text, gold, file in ASKED
    ]
    (made / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return made


def test_answers_are_measured(terminal: Terminal, own_index: None, manuals: Path) -> None:
    found = terminal.json("eval", manuals, "--answers")
    assert list(found) == ["schema", "set", "model", "note", "runs", "comparison"]
    assert (found["schema"], found["set"], found["model"]) == (1, "manuals", "fake-llm")
    (run,) = found["runs"]
    means = {key: one["mean"] for key, one in run["measures"].items()}
    assert means["contains gold"] == 1
    assert (means["citation precision"], means["citation recall"]) == (1, 1)
    assert (means["answered"], means["faithfulness"]) == (1, 1)
    # Of the two that nothing answers, one is told from the others by its words.
    assert (means["refusal recall"], means["refusal precision"]) == (0.5, 1)
    assert 0 < means["token F1"] < 1
    # A judge that always says yes is right of right answers, and wrong of the control.
    assert run["judge"]["answer relevance (judge)"] == {"agreed": 2, "of": 3, "kappa": 0}
    (first, *_) = run["questions"]
    assert (first["id"], first["gold"]) == ("q1", ["four litres"])
    assert "four litres" in first["answer"]["answer"]
    assert first["seconds"] >= first["first_word_s"] > 0


def test_people_get_a_table(terminal: Terminal, own_index: None, manuals: Path) -> None:
    code, out, err = terminal.run("eval", manuals, "--answers", "--limit", "3")
    assert code == 0
    assert "3 questions, 2 with an answer" in err
    assert "Question 3 of 3" in err
    assert "contains gold" in out
    assert "whole answer" in out
    assert (
        "of 3 replies whose worth the answers on record tell, the judge says the same of 2" in out
    )


def test_two_settings_are_compared(
    terminal: Terminal, own_index: None, manuals: Path, tmp_path: Path
) -> None:
    # One passage is found, and it is the wrong one: that of the gate comes first by its number.
    (tmp_path / "b.toml").write_text("candidates = 1\ndense_share = 1.0\n", encoding="utf-8")
    options = ("eval", manuals, "--answers", "--compare", tmp_path / "b.toml")
    found = terminal.json(*options)
    assert [one["rules"]["candidates"] for one in found["runs"]] == [50, 1]
    assert "mean" in found["comparison"]["contains gold"]
    code, out, _ = terminal.run(*options)
    assert code == 0
    assert "Worse beyond chance: nothing." in out


def test_without_a_language_model_quotations_are_measured(
    terminal: Terminal, own_index: None, manuals: Path
) -> None:
    terminal.generator.failure = errors.ModelMissing("Install a language model.")
    found = terminal.json("eval", manuals, "--answers")
    assert found["model"] == ""
    assert "quotations" in found["note"]
    (run,) = found["runs"]
    assert run["measures"]["contains gold"]["mean"] == 1
    assert run["judge"] == {}
    code, _, err = terminal.run("eval", manuals, "--answers")
    assert code == 0
    assert "because there is no language model: Install a language model." in err


def test_a_model_that_was_named_must_be_there(
    terminal: Terminal, own_index: None, manuals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LLM_VARIABLE, "")
    terminal.generator.failure = errors.ModelMissing("There is no such model.")
    code, _, err = terminal.run("eval", manuals, "--answers", "--model", "big")
    assert code == errors.ModelMissing.exit_code
    assert "There is no such model." in err
    code, _, err = terminal.run("eval", manuals, "--model", "big")
    assert code == errors.InvalidInput.exit_code
    assert "--answers" in err


def test_what_was_measured_before_a_stop_is_printed(
    terminal: Terminal, own_index: None, manuals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Asking.__call__

    def stopping(self: Asking, question: str, rules: RetrievalRules) -> Given:
        if "shaft" in question:
            raise KeyboardInterrupt
        return ask(self, question, rules)

    monkeypatch.setattr(Asking, "__call__", stopping)
    code, out, err = terminal.run("eval", manuals, "--answers", "--json")
    assert code == errors.Cancelled.exit_code
    (run,) = json.loads(out)["runs"]
    assert [one["id"] for one in run["questions"]] == ["q1"]
    assert not run["is_complete"]
    assert "until then" in err


def test_nothing_of_it_stays_in_ones_own_library(terminal: Terminal, manuals: Path) -> None:
    terminal.generator.answer = answering
    terminal.run("add", manuals)

    (run,) = terminal.json("eval", manuals, "--answers", "--library")["runs"]
    assert run["measures"]["contains gold"]["mean"] == 1
    with App.open(terminal.data_dir) as app:
        assert app.conversations() == []
    path = DataDir(terminal.data_dir).database
    with contextlib.closing(Database(path)) as database, database.read() as db:
        assert query_figures(db).queries == 0


def test_a_set_of_texts(terminal: Terminal, own_index: None, tmp_path: Path) -> None:
    made = tmp_path / "set"
    made.mkdir()
    corpus = [{"id": key, "text": text} for key, text in TEXTS.items()]
    queries = [
        {"id": id_, "text": text, "answer": gold or [], "answerable": gold is not None}
        for id_, text, gold, _ in ASKED
    ]
    for name, objects in (("corpus", corpus), ("queries", queries)):
        lines = "".join(json.dumps(one) + "\n" for one in objects)
        (made / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    qrels = "".join(f"{id_}\t{text}\t1\n" for id_, _, _, text in ASKED if text)
    (made / "qrels.tsv").write_text(qrels, encoding="utf-8")
    (run,) = terminal.json("eval", made, "--answers")["runs"]
    means = {key: one["mean"] for key, one in run["measures"].items()}
    assert (means["contains gold"], means["citation precision"]) == (1, 1)
    assert means["refusal recall"] == 0.5
