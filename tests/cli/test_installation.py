"""`self-test` and `try` with real workers and no language model: both say what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.cli import self_test, self_test_steps
from desktop_rag.cli.main import build_parser, run
from desktop_rag.cli.self_test import StepResult, run_steps

MARKS = paths.shipped("models", "minilm-l12-squad-int8", "model.onnx")


@pytest.fixture(autouse=True)
def _no_language_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "models"))


def test_the_self_test_runs_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(build_parser().parse_args(["self-test", "--json"]))
    result = json.loads(capsys.readouterr().out)
    outcomes = {step["step"]: step["outcome"] for step in result["steps"]}
    assert (code, result["ok"]) == (0, True), result
    details = {step["step"]: step["detail"] for step in result["steps"]}
    assert details["connections"].startswith("none")
    assert details["citation"].startswith("page 3, ")
    assert outcomes == {
        "open": "ok",
        "search model": "ok",
        "licences": "skipped",
        "parse, index": "ok",
        "search": "ok",
        "page picture": "ok",
        "citation": "ok",
        "recognition": "ok",
        "exact words": "ok" if MARKS.is_file() else "skipped",
        "processor": "ok",
        "answer": "skipped",
        "connections": "ok",
        "close": "ok",
    }


def test_a_wrong_result_fails_the_self_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        self_test, "_NOTE", "# Lamp\n\nThe lamp of the Skarholm lighthouse is red.\n"
    )
    told: list[StepResult] = []
    assert not run_steps(tmp_path, told.append)
    assert [(step.step, step.outcome) for step in told][-1] == ("search", "failed")


def test_a_language_model_that_does_not_load_fails_the_self_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    (models / "broken.gguf").write_bytes(b"GGUF")
    (tmp_path / "library").mkdir()
    told: list[StepResult] = []
    monkeypatch.setattr(self_test_steps, "recognise", lambda *_: "tested above")
    assert not run_steps(tmp_path / "library", told.append)
    assert (told[-1].step, told[-1].outcome) == ("answer", "failed")
    assert "broken" in told[-1].detail


def test_try_without_a_language_model_quotes_the_sources(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(build_parser().parse_args(["try"]))
    out, err = capsys.readouterr()
    assert code == 0
    assert "five years" in out
    assert "aurora-heat-pump-manual.pdf, page 5 (printed 3)" in out
    assert "desktop-rag models install" in err
    assert "launch.py run --data-dir" in err


def test_try_leaves_the_real_library_alone() -> None:
    from desktop_rag.cli.try_ import _own_data_dir

    default = paths.default_data_dir()
    assert _own_data_dir(default) == default.with_name(default.name + "-try")
    assert _own_data_dir(Path("/elsewhere")) == Path("/elsewhere")
