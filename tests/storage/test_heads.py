from __future__ import annotations

import base64
import json
from array import array
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.domain.assurance import STRANGER
from desktop_rag.domain.ports import Weighed
from desktop_rag.storage.heads import Heads


def put(folder: Path, model: str, weights: list[float]) -> None:
    spelled = base64.b64encode(array("f", weights).tobytes()).decode()
    values = {"refuse_below": -1, "medium_from": 0, "high_from": 1, "bias": 0.5, "yes_weight": 2}
    (folder / f"{model}.json").write_text(json.dumps({**values, "weights": spelled}))


def test_a_head_is_read_as_it_was_written(tmp_path: Path) -> None:
    put(tmp_path, "a.1-model", [1.0, -2.0])
    head = Heads(tmp_path).of("a.1-model")
    weighed = Weighed((-1.0, -3.0), array("f", [3.0, 0.5]).tobytes())
    assert head.log_odds(weighed) == pytest.approx(0.5 + 2 * 2.0 + 3.0 - 1.0)
    assert head.levels.refuse_below == -1


@pytest.mark.parametrize("model", ["unknown", "../secret", "", "a/b", "*"])
def test_a_model_without_a_head_is_a_stranger(tmp_path: Path, model: str) -> None:
    put(tmp_path, "known", [1.0])
    assert Heads(tmp_path / "folder").of(model) is STRANGER
    assert Heads(tmp_path).of(model) is STRANGER


def test_heads_that_are_shipped_can_be_read() -> None:
    folder = paths.shipped("resources", "heads")
    for file in folder.glob("*.json"):
        head = Heads(folder).of(file.stem)
        assert head.weights
        assert head.levels.refuse_below < head.levels.medium_from < head.levels.high_from
