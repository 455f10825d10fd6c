"""`desktop-rag models …` as a person and as a program uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.cli import models
from desktop_rag.cli.main import build_parser, run
from desktop_rag.domain.errors import (
    DownloadFailed,
    InvalidInput,
    ModelDamaged,
    ModelMissing,
    NotFound,
    UserError,
)
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


def test_models_go_to_another_computer_in_one_file(
    tmp_path: Path,
    models_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "mine.gguf").write_bytes(gguf(seed=3))
    command("add", str(tmp_path / "mine.gguf"))
    capsys.readouterr()
    stick = tmp_path / "stick.ragmodels"
    assert command("export", str(stick)) == 0
    told = capsys.readouterr()
    assert told.out == f"Exported to {stick} (0 MB): mine\n"
    assert "stick.ragmodels: exporting 0 of 0 MB (100%" in told.err
    assert command("export", str(stick), "mine", "--json") == 0
    told = capsys.readouterr()
    done = json.loads(told.out)
    assert (done["path"], done["size"]) == (str(stick), stick.stat().st_size)
    assert ([one["id"] for one in done["models"]], told.err) == (["mine"], "")

    other = tmp_path / "other"
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(other))
    assert command("import", str(stick)) == 0
    assert capsys.readouterr().out == f"Imported: mine ({other / 'mine.gguf'})\n"
    assert (other / "mine.gguf").read_bytes() == (models_dir / "mine.gguf").read_bytes()
    assert command("import", str(stick)) == 0
    assert capsys.readouterr().out == f"Already there: mine ({other / 'mine.gguf'})\n"
    (other / "mine.gguf").write_bytes(b"rubbish")
    assert command("import", str(stick), "--json") == 0
    done = json.loads(capsys.readouterr().out)
    assert ([one["state"] for one in done["imported"]], done["skipped"]) == (["ready"], [])
    assert done["mended"] == ["mine"]


def test_export_and_import_fail_with_a_sentence_and_a_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stick = tmp_path / "stick.ragmodels"
    assert command("export", str(stick)) == ModelMissing.exit_code
    assert command("import", str(stick)) == NotFound.exit_code
    (tmp_path / "mine.gguf").write_bytes(gguf())
    command("add", str(tmp_path / "mine.gguf"))
    assert command("export", str(tmp_path / "nowhere" / "x")) == NotFound.exit_code
    command("export", str(stick))
    stick.write_bytes(stick.read_bytes()[:-5000])
    capsys.readouterr()
    assert command("import", str(stick)) == ModelDamaged.exit_code
    [line] = capsys.readouterr().err.splitlines()
    assert "5,000 bytes are missing): copy it" in line
    assert command("import", str(tmp_path)) == InvalidInput.exit_code


def test_a_search_model_from_another_computer_is_tried_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command("add", str(write_reranker(tmp_path / "ranks")))
    assert command("export", str(tmp_path / "stick"), "ranks") == 0
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "other"))
    capsys.readouterr()
    assert command("import", str(tmp_path / "stick.ragmodels"), "--json") == 0
    [model] = json.loads(capsys.readouterr().out)["imported"]
    assert (model["id"], model["role"], model["state"]) == ("ranks", "reranker", "ready")
    assert model["elapsed_ms"] > 0
