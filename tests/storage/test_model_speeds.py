from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.domain.tuning import Tuning
from desktop_rag.storage import model_speeds
from desktop_rag.storage.model_files import write_note
from desktop_rag.storage.model_speeds import ModelSpeeds

MEASURED = Tuning(4, 2, 256, 91.5, 12.25, is_measured=True)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    return file


def test_what_was_measured_is_remembered(tmp_path: Path, model: Path) -> None:
    file = tmp_path / "speeds.json"
    assert ModelSpeeds(file).get(model) is None
    ModelSpeeds(file).put(model, MEASURED)
    assert ModelSpeeds(file).get(model) == MEASURED


def test_another_model_of_the_same_name_is_unknown(tmp_path: Path, model: Path) -> None:
    speeds = ModelSpeeds(tmp_path / "speeds.json")
    speeds.put(model, MEASURED)
    model.write_bytes(b"GGUF, another one")
    assert speeds.get(model) is None


def test_a_model_is_known_by_its_contents(tmp_path: Path, model: Path) -> None:
    speeds = ModelSpeeds(tmp_path / "speeds.json")
    write_note(model, "cafe")
    speeds.put(model, MEASURED)
    os.utime(model, ns=(1, 1))
    assert speeds.get(model) is None, "nobody checked it since it was touched"
    write_note(model, "cafe")
    assert speeds.get(model) == MEASURED


def test_another_processor_is_another_computer(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speeds = ModelSpeeds(tmp_path / "speeds.json")
    speeds.put(model, MEASURED)
    monkeypatch.setattr(model_speeds, "processor", lambda: "a quicker one x32")
    assert speeds.get(model) is None


@pytest.mark.parametrize("contents", ["", "[1]", "no JSON", "[" * 99999, '{"x": 1}'])
def test_a_file_without_sense_is_nothing_known(tmp_path: Path, model: Path, contents: str) -> None:
    file = tmp_path / "speeds.json"
    file.write_text(contents)
    assert ModelSpeeds(file).get(model) is None
    ModelSpeeds(file).put(model, MEASURED)
    assert ModelSpeeds(file).get(model) == MEASURED


def test_a_folder_that_cannot_be_written_hurts_nobody(tmp_path: Path, model: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    ModelSpeeds(tmp_path / "file" / "speeds.json").put(model, MEASURED)
