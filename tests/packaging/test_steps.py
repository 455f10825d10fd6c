"""Which steps of a build are run, and where."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
from release.plan import PACKAGING, BuildFailed
from release.steps import STEPS, Step, chosen


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_each_is_a_module_that_can_be_run(step: Step) -> None:
    assert callable(importlib.import_module(f"release.{step.name}").run)


@pytest.mark.parametrize(
    ("system", "packages"),
    [
        ("linux", ["deb", "bundle", "models"]),
        ("win32", ["models", "windows"]),
        ("darwin", ["models", "macos"]),
    ],
)
def test_a_build_of_everything_makes_the_packages_of_its_system(
    monkeypatch: pytest.MonkeyPatch, system: str, packages: list[str]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    before = ["llama", "freeze", "licences", "sbom", "weigh", "check"]
    assert _names([]) == [*before, *packages, "sums"]


def test_only_who_names_a_key_wants_everything_signed() -> None:
    assert "sign" not in _names([])
    assert chosen([], has_key=True)[-1].name == "sign"
    assert _names(["sign"]) == ["sign"]


def test_named_steps_keep_their_order() -> None:
    assert _names(["sums", "freeze"]) == ["sums", "freeze"]


def test_a_step_of_another_system_is_refused_before_any_is_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(BuildFailed, match=r"The step `windows` runs on Windows\."):
        chosen(["freeze", "windows"], has_key=False)


def test_a_step_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(BuildFailed, match=r"no step `frezze`\. There are: llama, freeze, "):
        chosen(["frezze"], has_key=False)


def test_with_another_python_the_remedy_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-S", PACKAGING / "build.py", "licences"],  # without installed packages
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "is not installed: run `python3 launch.py setup --dev`" in done.stderr
    assert "Traceback" not in done.stderr


def _names(asked: list[str]) -> list[str]:
    return [step.name for step in chosen(asked, has_key=False)]
