"""`desktop-rag models …` as a person and as a program uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.cli import models
from desktop_rag.cli.main import build_parser, run
from desktop_rag.domain.errors import DownloadFailed, ModelDamaged, NotFound, UserError
from desktop_rag.domain.events import ModelProgress
from desktop_rag.domain.tuning import Tuning
from desktop_rag.services.models import LlmChoice
from desktop_rag.storage import model_url
from desktop_rag.storage.model_speeds import FILE_NAME, ModelSpeeds
from tests.helpers.model_shelf import gguf
from tests.helpers.tiny_gguf import write_tiny_model
from tests.helpers.tiny_onnx import write_embedder, write_reranker

DEFAULT = "qwen2.5-coder-1.5b-instruct-q4_k_m"


@pytest.fixture(autouse=True)
def models_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


def command(*words: str) -> int:
    return run(build_parser().parse_args(["models", *words]))


def test_list_tells_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("list") == 0
    assert f"{DEFAULT}   1,117 MB  missing, default" in capsys.readouterr().out
    assert command("list", "--json") == 0
    listed = {model["id"]: model for model in json.loads(capsys.readouterr().out)["models"]}
    assert listed["all-minilm-l6-v2-int8"]["state"] == "ready"
    assert listed[DEFAULT]["path"] is None


def test_add_use_and_remove_a_file(
    tmp_path: Path, models_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.gguf").write_bytes(gguf())
    assert command("add", str(tmp_path / "mine.gguf"), "--json") == 0
    assert json.loads(capsys.readouterr().out)["path"] == str(models_dir / "mine.gguf")
    assert command("default", "mine") == 0
    assert command("verify", "mine") == 0
    assert "mine: ready, default" in capsys.readouterr().out
    assert command("remove", "mine") == 0
    assert not (models_dir / "mine.gguf").exists()


@pytest.mark.network_setup
def test_each_failure_has_its_exit_code(
    tmp_path: Path,
    models_dir: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert command("install", "gpt-9") == NotFound.exit_code
    monkeypatch.setattr(model_url.fetch_url, "__defaults__", (lambda _: None,))
    assert command("install", DEFAULT, "--url", "http://127.0.0.1:9/x") == DownloadFailed.exit_code
    assert "try again" in capsys.readouterr().err
    (tmp_path / "mine.gguf").write_bytes(gguf())
    command("add", str(tmp_path / "mine.gguf"))
    (models_dir / "mine.gguf").write_bytes(b"something else")
    assert command("verify") == ModelDamaged.exit_code


def test_an_own_reranker_is_tried_in_a_process_of_its_own_and_shows_its_cost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("add", str(write_reranker(tmp_path / "ranks"))) == 0
    assert command("default", "ranks") == 0
    capsys.readouterr()
    assert command("list") == 0
    listed = capsys.readouterr().out.splitlines()[-1]
    assert listed.startswith("ranks")
    assert "ready, default, reranker, " in listed
    assert listed.endswith(" ms a search")
    (write_embedder(tmp_path / "broken") / "model.onnx").write_bytes(b"no model")
    assert command("add", str(tmp_path / "broken")) == ModelDamaged.exit_code
    assert "broken" in capsys.readouterr().err


def test_progress_is_sparse_when_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    line = models.ProgressLine()
    for done in range(0, 101, 5):
        line(ModelProgress("m", done * 1_000_000, 100_000_000, "downloading"))
    assert [text.split(" (")[0] for text in capsys.readouterr().err.splitlines()] == [
        "m: downloading 0 of 100 MB",
        "m: downloading 100 of 100 MB",
    ]


def test_a_model_is_measured_and_the_list_tells_its_speed(
    models_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    models_dir.mkdir()
    file = write_tiny_model(models_dir.parent / "tiny.gguf")
    measured = Tuning(2, 1, 256, 81.3, 12.4, is_measured=True)

    def measure(_: paths.DataDir, choice: LlmChoice, *, gpu: bool) -> Tuning | None:
        assert gpu
        ModelSpeeds(models_dir / FILE_NAME).put(choice.model_file, measured)
        return measured

    monkeypatch.setattr(models, "measure_model", measure)
    assert command("add", str(file)) == 0
    assert command("list") == 0
    assert "tokens/s" not in capsys.readouterr().out
    assert command("measure", "tiny") == 0
    told = "reads 81 tokens/s, writes 12 with 2 threads and batches of 256, measured best"
    assert f"tiny: {told}" in capsys.readouterr().out
    assert command("list") == 0
    assert told in capsys.readouterr().out
    assert command("list", "--json") == 0
    listed = {model["id"]: model for model in json.loads(capsys.readouterr().out)["models"]}
    assert listed["tiny"]["speed"]["batch"] == 256
    assert listed[DEFAULT]["speed"] is None


def test_a_busy_computer_is_not_measured(
    models_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    models_dir.mkdir()
    assert command("add", str(write_tiny_model(models_dir.parent / "tiny.gguf"))) == 0
    monkeypatch.setattr(models, "measure_model", lambda *_, **__: None)
    assert command("measure", "tiny") == UserError.exit_code
    assert "nothing else to do" in capsys.readouterr().err
