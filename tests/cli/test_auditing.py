"""`audit` as a person types it: over a library, over a plan, and over nonsense."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.cli import auditing
from desktop_rag.cli.main import main
from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.errors import InvalidInput, LibraryDamaged, NotFound, ProblemsFound
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.services.evaluating import Evaluation
from desktop_rag.storage.database import Database
from desktop_rag.storage.evaluation_records import EvaluationRecord, keep_evaluation
from desktop_rag.storage.library_lock import locked
from desktop_rag.storage.querylog import LoggedQuery, QueryLog, RequestKind
from desktop_rag.storage.retrieval_plans import schema
from tests.helpers.fakes import FakeIndex, FakeReader, fake_engines

GOOD_PLAN = {
    "chunking": {"strategy": "structure", "size": 200, "overlap": 30},
    "embedder": {"max_tokens": 256},
    "retrieval": {
        "modes": ["dense", "keyword"],
        "fusion": {"method": "rrf", "k": 60, "weights": {"dense": 0.5, "keyword": 0.5}},
        "candidates": 50,
        "reranker": {"kind": "late-interaction"},
        "passages": 5,
    },
    "evaluation": {"questions": 150, "metrics": ["Recall@5", "nDCG@10"], "gate": True},
    "freshness": {"watching": True},
    "answers": {"citations": "checked", "says_not_found": True},
    "safety": {"telemetry": False, "local_only": True},
}


class Terminal:
    """Runs commands over one data folder; its index lives as long as the test."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.folder = paths.DataDir(root / "data")
        self.index = FakeIndex()
        self._capsys = capsys

    def run(self, *arguments: str | Path) -> tuple[int, str]:
        code = main(["--data-dir", str(self.folder.root), *map(str, arguments)])
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out + err

    def json(self, *arguments: str | Path) -> Any:
        main(["--data-dir", str(self.folder.root), "audit", *map(str, arguments), "--json"])
        return json.loads(self._capsys.readouterr().out)

    def findings(self, *arguments: str | Path) -> dict[str, Any]:
        return {one["gate"]: one for one in self.json(*arguments)["findings"]}

    def plan(self, plan: object) -> Path:
        path = self.root / "plan.json"
        path.write_text(json.dumps(plan))
        return path

    def engines(self) -> Any:
        return fake_engines(FakeReader(), self.index)


@pytest.fixture
def terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Terminal:
    made = Terminal(tmp_path, capsys)
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "models"))
    monkeypatch.setattr(
        auditing,
        "start_engines",
        lambda *_, **_named: SimpleNamespace(index=made.index, close=lambda: None),
    )
    return made


@pytest.fixture
def library(terminal: Terminal, tmp_path: Path) -> Path:
    """A folder of three files that are in the library; one cannot be read."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "pump.txt").write_text("# Pump\n\nThe pump holds four litres of oil.")
    (folder / "harbour.txt").write_text("# Harbour\n\nShips enter at high tide only.")
    with App.open(terminal.folder.root, terminal.engines()) as app:
        app.add([folder])
        app.start_indexing()
        assert app.wait_until_indexed(10)
    return folder


def test_a_library_is_measured(terminal: Terminal, library: Path) -> None:
    findings = terminal.findings()
    assert findings["hybrid"]["verdict"] == "passed"
    assert findings["reranker"]["verdict"] == "passed", findings["reranker"]["seen"]
    assert findings["reranker-coverage"]["seen"] == "It knows 100% of the passages."
    assert findings["chunk-limit"]["verdict"] == "passed"
    assert findings["chunk-size"]["verdict"] == "failed", "those files hold a sentence each"
    assert findings["readable"]["seen"] == "Every file could be read."
    assert findings["fresh-index"]["seen"] == "Every change of a file is in the index."
    assert findings["evaluation-set"]["verdict"] == "failed"
    assert findings["zero-results"]["verdict"] == "unknown"
    assert "0 searches are too few" in findings["zero-results"]["seen"]


def test_what_is_said_reads_well(terminal: Terminal, library: Path) -> None:
    code, out = terminal.run("audit")
    assert code == 0, "warnings alone are no failure"
    assert "WARNING  evaluation-set: No test set was asked yet." in out
    assert "Do: Make one from your own documents" in out
    assert "Cannot be judged:" in out
    assert "Passed:" not in out
    assert "Score " in out
    assert "Passed:" in terminal.run("audit", "--all")[1]


def test_a_missing_half_of_the_index_is_an_error(terminal: Terminal, library: Path) -> None:
    state = terminal.index.state()
    terminal.index.state = lambda: SimpleNamespace(vectors=0, keywords=state.keywords)  # type: ignore[method-assign,assignment,return-value]
    code, out = terminal.run("audit")
    assert code == ProblemsFound.exit_code
    assert "ERROR    hybrid: Candidates are found by: keyword." in out
    assert out.index("ERROR") < out.index("WARNING")


def test_an_index_that_lost_something_is_told_as_the_doctor_tells_it(
    terminal: Terminal, library: Path
) -> None:
    assert terminal.findings()["fresh-passages"]["verdict"] == "passed"
    terminal.index._chunks.popitem()
    assert terminal.findings()["fresh-passages"]["verdict"] == "failed"


def test_passages_without_token_vectors_are_told(terminal: Terminal, library: Path) -> None:
    change(terminal, "DELETE FROM token_vectors WHERE hash = (SELECT min(hash) FROM token_vectors)")
    seen = terminal.findings()["reranker-coverage"]
    assert seen["verdict"] == "failed"
    change(terminal, "DELETE FROM token_vectors")
    assert terminal.findings()["reranker"]["verdict"] == "failed"


def test_a_cross_encoder_is_told_whatever_it_is_called(terminal: Terminal, library: Path) -> None:
    terminal.index.reader = "ms-marco-minilm"
    assert "cross-encoder" in terminal.findings()["reranker"]["seen"]
    assert terminal.findings()["reranker-coverage"]["seen"] == "It knows 100% of the passages."


def test_searches_and_evaluations_are_looked_up(terminal: Terminal, library: Path) -> None:
    with contextlib.closing(Database(terminal.folder.database)) as database:
        log = QueryLog(database)
        log.add([LoggedQuery(RequestKind.SEARCH, Confidence.HIGH, 3, 40, 40)] * 30)
        log.add([LoggedQuery(RequestKind.ASK, Confidence.NONE, 0, 900, 900)] * 10)
        measures = {"Recall@5": 0.9, "nDCG@10": 0.8}
        keep_evaluation(database, EvaluationRecord("own", 120, datetime.now(UTC), measures))
    findings = terminal.findings()
    assert findings["zero-results"]["seen"] == "25% of 40 searches found nothing that matches well."
    assert findings["zero-results"]["verdict"] == "failed"
    assert findings["speed"]["seen"] == "95 % of the searches took at most 900 ms."
    assert findings["evaluation-set"]["verdict"] == "passed"
    assert findings["evaluation-metrics"]["verdict"] == "passed"
    assert findings["evaluation-age"]["verdict"] == "passed"


def test_a_run_of_a_test_set_is_remembered_where_that_can_be(
    terminal: Terminal, library: Path, tmp_path: Path
) -> None:
    root = terminal.folder.root
    questions = [str(number) for number in range(130)]
    run = Evaluation(DEFAULT_RULES, (), {"nDCG@10": dict.fromkeys(questions, 0.5)})
    with locked(terminal.folder):
        auditing.remember_evaluation(root, "own", run)
    assert terminal.findings()["evaluation-set"]["verdict"] == "failed"
    auditing.remember_evaluation(root, "own", run)
    assert terminal.findings()["evaluation-set"]["seen"] == "A test set of 130 questions."
    auditing.remember_evaluation(tmp_path / "none", "own", run)
    assert not (tmp_path / "none").exists()


def test_changes_that_nobody_read_are_told(terminal: Terminal, library: Path) -> None:
    (library / "pump.txt").write_text("# Pump\n\nIt holds five litres now.")
    assert terminal.findings()["fresh-index"]["verdict"] == "passed", "it is on its way"
    old = time.time() - 50 * 3600
    os.utime(library / "pump.txt", (old, old))
    change(terminal, "UPDATE documents SET mtime_ns = 1")
    # What tells when a file changed cannot be put back by a test, so the clock is put forward.
    real = time.time
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("desktop_rag.services.auditing.time.time", lambda: real() + 40 * 3600)
        found = terminal.findings()["fresh-index"]
    assert found["verdict"] == "failed"
    assert found["seen"] == "The oldest change that is not in the index is 40 hours old."


def test_a_drive_that_is_not_there_makes_nothing_stale(terminal: Terminal, library: Path) -> None:
    library.rename(library.with_name("elsewhere"))
    assert terminal.findings()["fresh-index"]["verdict"] == "passed"


def test_the_library_as_a_plan_is_judged_alike(terminal: Terminal, library: Path) -> None:
    code, out = terminal.run("audit", "--plan")
    assert code == 0
    here = terminal.findings()
    on_paper = terminal.findings(terminal.plan(json.loads(out)))
    known = [gate for gate, one in here.items() if one["verdict"] != "unknown"]
    assert len(known) > 20
    assert {gate: here[gate]["verdict"] for gate in known} == {
        gate: on_paper[gate]["verdict"] for gate in known
    }
    assert {here[gate]["seen"] == on_paper[gate]["seen"] for gate in known} == {True}


def test_an_open_library_is_judged_without_its_index(terminal: Terminal, library: Path) -> None:
    with locked(terminal.folder):
        findings = terminal.findings()
    assert "Desktop RAG is open" in findings["hybrid"]["seen"]
    assert findings["hybrid"]["verdict"] == "unknown"
    assert findings["readable"]["verdict"] == "passed"


def test_without_a_library_nothing_is_made(terminal: Terminal) -> None:
    findings = terminal.findings()
    assert "add PATH" in findings["readable"]["seen"]
    assert findings["not-found"]["verdict"] == "passed"
    assert not terminal.folder.root.exists()


def test_a_damaged_and_an_old_library_are_told(terminal: Terminal, library: Path) -> None:
    change(terminal, "PRAGMA user_version = 2")
    code, out = terminal.run("audit")
    assert code == 2
    assert "older version" in out
    terminal.folder.database.write_bytes(b"nonsense" * 1000)
    assert terminal.run("audit")[0] == LibraryDamaged.exit_code


def test_a_good_plan(terminal: Terminal) -> None:
    code, out = terminal.run("audit", terminal.plan(GOOD_PLAN))
    assert code == 0
    assert "Score 100 of 100, grade A." in out
    assert not terminal.folder.root.exists()


def test_a_bad_plan_names_what_is_wrong_and_what_to_change(terminal: Terminal) -> None:
    bad = {
        "chunking": {"strategy": "fixed", "size": 2000, "overlap": 0},
        "embedder": {"max_tokens": 256},
        "retrieval": {"modes": ["dense"], "candidates": 5, "reranker": {"kind": "none"}},
        "evaluation": {"questions": 10, "gate": False},
    }
    code, out = terminal.run("audit", terminal.plan(bad))
    assert code == ProblemsFound.exit_code
    for gate in ("chunk-limit", "chunk-overlap", "chunk-structure", "hybrid", "reranker"):
        assert f" {gate}: " in out
    assert "`retrieval.modes`" in out
    told = terminal.json(terminal.plan(bad))
    assert (told["ok"], told["score"], told["grade"]) == (False, 0, None)
    assert told["failed"] == len([one for one in told["findings"] if one["verdict"] == "failed"])


def test_the_schema_is_printed(terminal: Terminal) -> None:
    code, out = terminal.run("audit", "--schema")
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(schema()))


def test_nonsense_is_told_in_a_sentence(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal.run("audit", tmp_path / "none.json")[0] == NotFound.exit_code
    assert terminal.run("audit", tmp_path)[0] == InvalidInput.exit_code
    assert terminal.run("audit", terminal.plan({}))[0] == InvalidInput.exit_code
    assert terminal.run("audit", terminal.plan({}), "--plan")[0] == InvalidInput.exit_code
    wrong = terminal.plan({"chunking": {"size": -1}})
    code, out = terminal.run("audit", wrong)
    assert (code, out.count("\n")) == (InvalidInput.exit_code, 1)
    assert "`chunking.size`" in out
    assert terminal.json(wrong)["error"]["code"] == "invalid-input"


def change(terminal: Terminal, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(terminal.folder.database)) as db:
        db.execute(statement)
        db.commit()
