"""The step that lets the frozen program test itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from release import check
from release.plan import BuildFailed, Plan, executable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stands in for it by a script")


def _plan(folder: Path, code: int = 0) -> Plan:
    plan = Plan("1.2.3", dist=folder)
    plan.program.mkdir(parents=True)
    text = f"""#!/bin/sh
[ "$1" != --version ] || exec echo "Desktop RAG 1.2.3"
env >"$0.seen"; pwd >>"$0.seen"; exit {code}
"""
    executable(plan).write_text(text, encoding="utf-8")
    executable(plan).chmod(0o755)
    return plan


def test_it_runs_elsewhere_and_without_settings_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/a/checkout")
    plan = _plan(tmp_path)
    check.run(plan)
    seen = executable(plan).with_suffix(".seen").read_text(encoding="utf-8")
    assert "PYTHONPATH" not in seen
    assert str(Path.cwd()) not in seen.splitlines()


def test_a_failure_ends_the_build(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="self-test failed"):
        check.run(_plan(tmp_path, code=14))


def test_a_program_of_another_version_is_not_tested(tmp_path: Path) -> None:
    plan = _plan(tmp_path)
    with pytest.raises(BuildFailed, match=r"says 'Desktop RAG 1\.2\.3', and this is 1\.3\.0"):
        check.run(Plan("1.3.0", dist=plan.dist))
    assert not executable(plan).with_suffix(".seen").exists()


def test_without_a_program_the_step_before_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="step `freeze`"):
        check.run(Plan("1.2.3", dist=tmp_path))
