"""The list of what is shipped for machines (CycloneDX)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from release import licences, sbom
from release.plan import BuildFailed, Plan

from tests.packaging.frozen_folder import small_program

EPOCH = "1700000000"


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    return small_program(tmp_path)


def written(plan: Plan) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((plan.out / "desktop-rag-9.9.9.cdx.json").read_text("utf-8"))
    return found


def component(plan: Plan, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in written(plan)["components"] if one["name"] == name)
    return found


def test_it_lists_parts_with_version_licence_and_address(plan: Plan) -> None:
    sbom.run(plan)
    one = component(plan, "msgspec")
    assert one["purl"] == f"pkg:pypi/msgspec@{one['version']}"
    assert one["licenses"] == [{"license": {"id": "BSD-3-Clause"}}]
    assert written(plan)["specVersion"] == "1.6"
    assert written(plan)["metadata"]["component"]["version"] == "9.9.9"


def test_every_file_is_there_with_its_checksum(plan: Plan) -> None:
    sbom.run(plan)
    files = {
        file["name"]: file["hashes"][0]["content"]
        for one in [written(plan)["metadata"]["component"], *written(plan)["components"]]
        for file in one.get("components", ())
        if file["type"] == "file"
    }
    there = {
        path.relative_to(plan.program).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in plan.program.rglob("*")
        if path.is_file() and not path.name.endswith(".cdx.json")
    }
    assert files == there


def test_models_are_models(plan: Plan) -> None:
    sbom.run(plan)
    models = [one for one in written(plan)["components"] if one["type"] == "machine-learning-model"]
    assert {one["scope"] for one in models if "Qwen" in one["name"]} == {"optional"}
    assert {one["scope"] for one in models if "MiniLM" in one["name"]} == {"required"}


def test_the_same_program_gives_the_same_list(plan: Plan) -> None:
    licences.run(plan)
    sbom.run(plan)
    first = (plan.out / "desktop-rag-9.9.9.cdx.json").read_bytes()
    sbom.run(plan)
    assert (plan.out / "desktop-rag-9.9.9.cdx.json").read_bytes() == first
    assert written(plan)["metadata"]["timestamp"].startswith("2023-11-14T22:13:20")
    (plan.libraries / "models/all-minilm-l6-v2-int8/model.onnx").write_bytes(b"others")
    sbom.run(plan)
    assert json.loads(first)["serialNumber"] != written(plan)["serialNumber"]


def test_the_program_brings_the_same_list(plan: Plan) -> None:
    sbom.run(plan)
    name = "desktop-rag-9.9.9.cdx.json"
    inside = plan.libraries / "resources" / "licences" / name
    assert inside.read_bytes() == (plan.out / name).read_bytes()


def test_a_file_of_nobody_fails_the_build(plan: Plan, capsys: pytest.CaptureFixture[str]) -> None:
    (plan.libraries / "mystery.bin").write_bytes(b"?")
    with pytest.raises(BuildFailed, match="1 files belong to no part"):
        sbom.run(plan)
    assert "_internal/mystery.bin" in capsys.readouterr().out
    assert not list(plan.out.iterdir())


def test_a_list_that_is_no_cyclonedx_is_refused() -> None:
    with pytest.raises(BuildFailed, match="not valid"):
        sbom.check('{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": 3}')


def test_without_a_freeze_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="run the step `freeze` first"):
        sbom.run(Plan("9.9.9", dist=tmp_path / "dist"))
