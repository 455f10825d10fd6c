"""Lets the frozen program test itself, away from this checkout."""

from __future__ import annotations

import os
import subprocess
import tempfile

from release.plan import BuildFailed, Plan, executable


def run(plan: Plan) -> None:
    """Run `desktop-rag self-test` of the frozen program.

    Raises:
        BuildFailed: it is not built, or a step of its test failed.
    """
    if not executable(plan).exists():
        raise BuildFailed("There is no frozen program: run the step `freeze` first.")
    with tempfile.TemporaryDirectory() as folder:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        if subprocess.call([executable(plan), "self-test"], cwd=folder, env=environment):
            raise BuildFailed("The frozen program's self-test failed; what it said stands above.")
