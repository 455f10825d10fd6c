"""Every file of the frozen program is weighed once, and too much of it stops the build."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from release import weigh
from release.plan import BuildFailed, Plan, executable
from release.weigh import LANGUAGE_MODEL, OTHER, part_of, run, table, weights

FILES = {
    "PySide6/Qt/lib/libQt6Core.so.6": "Qt",
    "libglib-2.0.so.0": "libraries of the system",
    "libpython3.11.so.1.0": "Python",
    "opencv_python_headless.libs/libavcodec.so": "opencv",
    "models/all-minilm-l6-v2-int8/model.onnx": "search model",
    "models/minilm-l12-squad-int8/model.onnx": "exact-words model",
    "models/some-model-1.5b/model.gguf": LANGUAGE_MODEL,
    "tree_sitter_java/_binding.abi3.so": "grammars",
    "yaml/_yaml.so": OTHER,
}
SIZE = 3000


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """A program of incompressible files, and a link that weighs nothing."""
    plan = Plan("0.1.0", dist=tmp_path)
    dice = random.Random(1)
    for path in (executable(plan), *(plan.libraries / name for name in FILES)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(dice.randbytes(SIZE))
    (plan.libraries / "libQt6Core.so.6").symlink_to("PySide6/Qt/lib/libQt6Core.so.6")
    return plan


@pytest.mark.parametrize(("place", "part"), FILES.items())
def test_a_file_belongs_to_its_part(plan: Plan, place: str, part: str) -> None:
    assert part_of(plan.libraries / place, plan) == part


def test_the_parts_are_all_there_is(plan: Plan) -> None:
    found = weights(plan)
    assert sum(one.files for one in found) == len(FILES) + 1
    assert sum(one.on_disk for one in found) == SIZE * (len(FILES) + 1)
    assert all(one.packed > SIZE for one in found)


def test_repetition_is_packed_away(plan: Plan) -> None:
    (plan.libraries / "yaml" / "_yaml.so").write_bytes(b"a" * 100_000)
    other = next(one for one in weights(plan) if one.name == OTHER)
    assert other.packed < 1000


def test_a_language_model_is_shown_and_not_counted(plan: Plan) -> None:
    lines = table(weights(plan))
    assert any(line.startswith(LANGUAGE_MODEL) for line in lines)
    assert lines[-1].split()[:4] == ["all", "without", "language", "models"]
    assert lines[-1].split()[4] == str(len(FILES))


def test_too_much_stops_the_build(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weigh, "LIMIT_MB", SIZE * len(FILES) / 1e6)
    with pytest.raises(BuildFailed, match="must not be more than"):
        run(plan)
    monkeypatch.setattr(weigh, "LIMIT_MB", SIZE * len(FILES) / 1e6 + 0.01)
    run(plan)


def test_without_a_frozen_program_the_next_step_is_said(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="run the step `freeze` first"):
        run(Plan("0.1.0", dist=tmp_path))
