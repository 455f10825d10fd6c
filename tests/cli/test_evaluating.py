"""`eval` and `eval make` over fake engines, as a person uses them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.app import App
from desktop_rag.domain import errors
from desktop_rag.domain.answers import Turn
from tests.cli.conftest import Terminal
from tests.helpers.fakes import FakeIndex, FakeReader, fake_engines

TEXTS = {
    "pump": "The pump holds four litres of oil and runs at ninety bar.",
    "seal": "A shaft seal lasts six thousand hours before it must be replaced.",
    "gate": "The garden gate is painted green every second spring by the porter.",
}
ASKED = {"q1": ("How many litres of oil does the pump hold?", "pump"), "q2": ("shaft seal", "seal")}


@pytest.fixture
def own_index(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every library has an index of its own, as real ones do."""
    monkeypatch.setattr(
        App,
        "_start_engines",
        lambda _self: fake_engines(FakeReader(), FakeIndex(), terminal.generator),
    )


def lines(path: Path, objects: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    made = tmp_path / "set"
    made.mkdir()
    lines(made / "corpus.jsonl", [{"id": key, "text": text} for key, text in TEXTS.items()])
    queries = [{"id": key, "text": text} for key, (text, _) in ASKED.items()]
    lines(made / "queries.jsonl", [*queries, {"id": "none", "text": "Quux zyzzyva?"}])
    qrels = "".join(f"{key}\t{wanted}\t1\n" for key, (_, wanted) in ASKED.items())
    (made / "qrels.tsv").write_text(qrels, encoding="utf-8")
    return made


@pytest.fixture
def manuals(tmp_path: Path) -> Path:
    """A folder of files, one of them with pages."""
    made = tmp_path / "manuals"
    made.mkdir()
    for name in ("seal", "gate"):
        (made / f"{name}.txt").write_text(f"# {name}\n\n{TEXTS[name]}", encoding="utf-8")
    (made / "pump.pdf").write_text("Contents\fNothing here.\f" + TEXTS["pump"], encoding="utf-8")
    return made


def test_a_set_of_texts_is_indexed_asked_and_measured(
    terminal: Terminal, own_index: None, beir: Path
) -> None:
    found = terminal.json("eval", beir)
    assert list(found) == [
        "schema", "set", "questions", "answerable", "runs", "comparison", "losses",
    ]  # fmt: skip
    assert (found["schema"], found["set"], found["questions"]) == (1, "set", 3)
    assert (found["answerable"], found["comparison"], found["losses"]) == (2, None, [])
    (run,) = found["runs"]
    assert list(run) == [
        "rules", "measures", "zero_result_rate", "refused_unanswerable", "latency_ms",
        "per_question",
    ]  # fmt: skip
    assert run["measures"]["nDCG@10"] == {"mean": 1, "low": 1, "high": 1}
    assert run["measures"]["Precision@3"]["mean"] == pytest.approx(1 / 3)
    assert run["per_question"]["MRR"] == {"q1": 1, "q2": 1}
    assert run["refused_unanswerable"] == 1
    assert not (terminal.data_dir / "library.sqlite3").exists()


def test_two_runs_give_the_same_figures(terminal: Terminal, own_index: None, beir: Path) -> None:
    def figures() -> Any:
        (run,) = terminal.json("eval", beir)["runs"]
        return run["measures"], run["per_question"]

    assert figures() == figures()


def test_people_get_a_table(terminal: Terminal, own_index: None, beir: Path) -> None:
    code, out, err = terminal.run("eval", beir, "-k", "1,2")
    assert code == 0
    assert "2 with an answer" in err
    assert "nDCG@2" in out
    assert "nDCG@3" not in out
    assert "It said so for 100.0%" in out


def test_two_settings_are_compared(
    terminal: Terminal, own_index: None, beir: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.toml").write_text("candidates = 50\n", encoding="utf-8")
    # Nothing is as much evidence as this asks for.
    (tmp_path / "b.toml").write_text("not_found_below = 99.0\ncandidates = 1\n", encoding="utf-8")
    options = ("eval", beir, "--config", tmp_path / "a.toml", "--compare", tmp_path / "b.toml")
    found = terminal.json(*options)
    assert [one["rules"]["candidates"] for one in found["runs"]] == [50, 1]
    assert [one["zero_result_rate"] for one in found["runs"]] == [0, 1]
    assert found["comparison"]["MRR"]["mean"] == 0
    code, out, _ = terminal.run(*options)
    assert code == 0
    assert "Worse beyond chance: nothing." in out
    assert "Rules 2: Nothing matched well for 100.0%" in out


def test_spans_of_a_set_are_those_of_the_text_as_it_is_read(
    terminal: Terminal, own_index: None, beir: Path
) -> None:
    quote = "ninety bar"
    start = TEXTS["pump"].index(quote)
    spans = [{"content": quote, "start_index": start + 3, "end_index": start + 13}]
    lines(
        beir / "queries.jsonl",
        [
            {"id": "q1", "text": "pump oil bar", "doc": "pump", "spans": spans},
            {"id": "q2", "text": "shaft seal"},
        ],
    )
    (run,) = terminal.json("eval", beir)["runs"]
    tokens = {key: value["mean"] for key, value in run["measures"].items() if "token" in key}
    assert tokens["token recall@1"] == 1
    assert tokens["token precision@1"] == pytest.approx(len(quote) / len(TEXTS["pump"]))


def test_pages_of_real_files_are_found(terminal: Terminal, own_index: None, manuals: Path) -> None:
    def asked(page: object) -> Any:
        question = {"question": "How many litres of oil does the pump hold?", "file": "pump.pdf"}
        lines(manuals / "questions.jsonl", [{**question, "page": page}])
        (run,) = terminal.json("eval", manuals)["runs"]
        return run["measures"]["Recall@1"]["mean"]

    assert asked(3) == 1
    assert asked(1) == 0
    assert asked([1, 3]) == 1


def test_the_persons_own_library_can_be_searched(terminal: Terminal, manuals: Path) -> None:
    lines(manuals / "questions.jsonl", [{"question": "shaft seal hours", "file": "seal.txt"}])
    code, _, err = terminal.run("eval", manuals, "--library")
    assert code == errors.UserError.exit_code
    assert "not searchable" in err
    terminal.run("add", manuals)
    (run,) = terminal.json("eval", manuals, "--library")["runs"]
    assert run["measures"]["MRR"]["mean"] == 1


def test_questions_are_made_from_documents_and_can_be_asked(
    terminal: Terminal, own_index: None, manuals: Path, tmp_path: Path
) -> None:
    out = tmp_path / "made.jsonl"
    made = terminal.json("eval", "make", manuals, "--out", out, "--questions", "2")
    assert made == {"file": str(out), "questions": 2, "files": 3}
    first = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert first["quote"] in (TEXTS["gate"], TEXTS["pump"], TEXTS["seal"])
    assert first["file"] in {"gate.txt", "pump.pdf", "seal.txt"}
    (run,) = terminal.json("eval", out, "--files", manuals)["runs"]
    assert run["measures"]["Recall@10"]["mean"] == 1
    code, _, err = terminal.run("eval", "make", manuals, "--out", out)
    assert code == errors.InvalidInput.exit_code
    assert "exists" in err


def test_a_language_model_writes_the_questions(
    terminal: Terminal, own_index: None, tmp_path: Path
) -> None:
    text = f"{TEXTS['pump']} {TEXTS['seal']} {TEXTS['gate']} " + "It stands by the river. " * 5
    (tmp_path / "all.txt").write_text(text, encoding="utf-8")

    def answer(turns: Sequence[Turn]) -> str:
        return "six thousand hours" if turns[-1].content.startswith("Copy") else "How long is it?"

    terminal.generator.answer = answer
    out = tmp_path / "made.jsonl"
    code, _, err = terminal.run("eval", "make", tmp_path / "all.txt", "--llm", "--out", out)
    assert code == 0, err
    assert "written by fake-llm" in err
    (line,) = out.read_text(encoding="utf-8").splitlines()
    made = json.loads(line)
    assert (made["question"], made["answer"]) == ("How long is it?", "six thousand hours")
    assert text[slice(*made["span"])] == made["quote"] == "six thousand hours"
    terminal.generator.failure = errors.ModelMissing("There is no model; install one.")
    code, _, err = terminal.run("eval", "make", tmp_path / "all.txt", "--llm", "--out", "b.jsonl")
    assert (code, err) == (errors.ModelMissing.exit_code, "There is no model; install one.\n")


def test_a_set_in_a_folder_called_make(
    terminal: Terminal, own_index: None, beir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beir.rename(beir.parent / "make")
    monkeypatch.chdir(beir.parent)
    assert terminal.json("eval", "./make")["set"] == "make"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("eval", "nowhere"), errors.NotFound.exit_code, "nowhere"),
        (("eval", "set", "--questions", "0"), errors.InvalidInput.exit_code, "not 0"),
        (("eval", "set", "--library"), errors.InvalidInput.exit_code, "--library needs"),
        (("eval", "set", "--config", "c.toml"), errors.NotFound.exit_code, "c.toml"),
        (("eval", "set", "--config", "bad.toml"), errors.InvalidInput.exit_code, "not TOML"),
        (("eval", "set", "--compare", "odd.toml"), errors.InvalidInput.exit_code, "“colour”"),
        (("eval", "empty"), errors.NotFound.exit_code, "holds no test set"),
        (("eval", "blank.jsonl"), errors.InvalidInput.exit_code, "no question"),
        (("eval", "moved.jsonl"), errors.InvalidInput.exit_code, "--files"),
        (("eval", "damaged"), errors.UserError.exit_code, "not searchable"),
        (("eval", "misquoted"), errors.InvalidInput.exit_code, "does not stand in"),
        (("eval", "make", "nowhere"), errors.NotFound.exit_code, "nowhere"),
        (("eval", "make", "empty"), errors.InvalidInput.exit_code, "no sentences"),
        (("eval", "make", "set", "--questions", "0"), errors.InvalidInput.exit_code, "not 0"),
        (
            ("eval", "make", "set/notes.txt", "--out", "no/a"),
            errors.NotFound.exit_code,
            "no folder",
        ),
    ],
)
def test_bad_input_is_told_in_a_sentence(
    terminal: Terminal,
    own_index: None,
    beir: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    monkeypatch.chdir(beir.parent)
    (beir / "notes.txt").write_text(TEXTS["gate"], encoding="utf-8")
    files = {
        "bad.toml": "candidates =",
        "odd.toml": "colour = 1",
        "blank.jsonl": "\n",
        "moved.jsonl": '{"question": "Which?", "file": "notes.txt"}',
        "damaged/a.txt": "DAMAGED",
        "damaged/questions.jsonl": '{"question": "Which?", "file": "a.txt"}',
        "misquoted/a.txt": "Green tea.",
        "misquoted/questions.jsonl": json.dumps(
            {"question": "Which?", "file": "a.txt", "quote": "Black tea", "span": [0, 9]}
        ),
        "empty/readme": "",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    got, _, err = terminal.run(*arguments)
    assert (got, said in err) == (code, True), err


@pytest.mark.parametrize("cutoffs", ["0", "x", "", "5000"])
def test_odd_ranks_are_refused(
    terminal: Terminal, beir: Path, cutoffs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        terminal.run("eval", beir, "-k", cutoffs)
    assert caught.value.code == 2
    assert "whole numbers from 1 to 1000" in capsys.readouterr().err
