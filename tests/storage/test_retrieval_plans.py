"""Plans are read as their schema says, and what is wrong in one is told by its place."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.domain.retrieval_plan import Mode, Strategy, Unit
from desktop_rag.storage.retrieval_plans import as_json, read_plan, schema


def written(folder: Path, text: str) -> Path:
    path = folder / "plan.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def test_a_plan_is_read_and_written(tmp_path: Path) -> None:
    text = """{
        "chunking": {"strategy": "structure", "size": 200, "unit": "words", "header": null},
        "retrieval": {"modes": ["dense", "keyword"], "fusion": {"weights": {"dense": 0.4}}},
        "evaluation": {"thresholds": {"nDCG@10": 0.9}, "metrics": []}
    }"""
    plan = read_plan(written(tmp_path, text))
    assert plan.chunking.strategy is Strategy.STRUCTURE
    assert (plan.chunking.size, plan.chunking.unit) == (200, Unit.WORDS)
    assert plan.chunking.header is None, "null is unknown"
    assert plan.retrieval.modes == (Mode.DENSE, Mode.KEYWORD)
    assert plan.retrieval.fusion.weights.dense == 0.4
    assert plan.evaluation.metrics == ()
    kept = json.loads(json.dumps(as_json(plan)))
    assert read_plan(written(tmp_path, json.dumps(kept))) == plan
    assert kept["evaluation"] == {"thresholds": {"nDCG@10": 0.9}, "metrics": []}
    assert kept["safety"] == {}, "what is unknown is left out"


def test_the_shipped_schema_is_the_one_that_is_checked() -> None:
    path = paths.shipped("resources", "schemas", "retrieval_plan.schema.json")
    made = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    assert path.read_text(encoding="utf-8") == made, "write it anew: `desktop-rag audit --schema`"


def test_the_schema_has_bounds_and_meanings_and_refuses_other_keys() -> None:
    made = json.loads(json.dumps(schema()))
    assert made["$schema"].endswith("2020-12/schema")
    chunking = made["$defs"]["Chunking"]
    assert chunking["additionalProperties"] is False
    assert chunking["properties"]["size"]["anyOf"][0]["minimum"] == 1
    assert chunking["properties"]["size"]["description"]
    assert "fixed" in made["$defs"]["Strategy"]["enum"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("nul", "is not JSON"),
        ('{"chunking": {"size": NaN}}', "is not JSON"),
        ('{"chunking": {"size": Infinity}}', "is not JSON"),
        ("{}", "says nothing"),
        ('{"chunking": {}}', "says nothing"),
        ('{"chunking": {"size": null}}', "says nothing"),
        ("[]", "expected `object`, got `array`"),
        ("[" * 100_000, "plan.json"),
        ('{"chunking": ' * 50_000, "plan.json"),
        ("7", "expected `object`"),
        ('{"openapi": "3.1.0", "paths": {}}', "unknown field `openapi`"),
        ('{"chunking": {"sizes": 200}}', "at `chunking`, object contains unknown field `sizes`"),
        ('{"chunking": null}', "at `chunking`"),
        ('{"chunking": {"size": "200"}}', "at `chunking.size`"),
        ('{"chunking": {"size": -200}}', "at `chunking.size`, expected `float` >= 1"),
        ('{"chunking": {"size": 0}}', "at `chunking.size`"),
        ('{"chunking": {"size": 1e999}}', "at `chunking.size`"),
        ('{"chunking": {"overlap": -1}}', "at `chunking.overlap`"),
        ('{"chunking": {"size": 200, "overlap": 200}}', "`chunking.overlap` (200)"),
        ('{"chunking": {"size": 200, "overlap": 900}}', "smaller than `chunking.size`"),
        ('{"chunking": {"strategy": "magic"}}', "at `chunking.strategy`, invalid enum value"),
        ('{"retrieval": {"modes": "dense"}}', "at `retrieval.modes`"),
        ('{"retrieval": {"modes": ["dense", "psychic"]}}', "at `retrieval.modes[1]`"),
        ('{"retrieval": {"candidates": 2.5}}', "at `retrieval.candidates`"),
        ('{"retrieval": {"candidates": true}}', "at `retrieval.candidates`"),
        ('{"retrieval": {"candidates": 99999999999999999999}}', "at `retrieval.candidates`"),
        ('{"retrieval": {"fusion": {"weights": {"dense": 0, "keyword": 0}}}}', "all 0"),
        ('{"evaluation": {"thresholds": {"nDCG@10": "high"}}}', "at `evaluation.thresholds"),
        ('{"monitoring": {"zero_result_rate": 5}}', "at `monitoring.zero_result_rate`"),
        ('{"chunking": {"size": "\ud800"}}', "plan.json"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_plan(written(tmp_path, text))
    assert told in raised.value.message
    assert raised.value.message.count("\n") == 0


def test_other_encodings_and_bytes(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b'\xef\xbb\xbf{"chunking": {"size": 200}}')
    assert read_plan(path).chunking.size == 200
    for contents in (b"\xff\xfe{\x00}\x00", b"\x00" * 100, b'{"chunking": {"strategy": "\xff"}}'):
        path.write_bytes(contents)
        with pytest.raises(InvalidInput):
            read_plan(path)


def test_files_that_cannot_be_a_plan(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="check the path"):
        read_plan(tmp_path / "none.json")
    with pytest.raises(InvalidInput, match="is a folder"):
        read_plan(tmp_path)
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(5_000_000_000)
    with pytest.raises(InvalidInput, match="too large"):
        read_plan(huge)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "refused")

    path = written(tmp_path, "{}")
    monkeypatch.setattr(Path, "open", refuse)  # root, who may run this, may read everything
    with pytest.raises(InvalidInput, match="Permission denied"):
        read_plan(path)
