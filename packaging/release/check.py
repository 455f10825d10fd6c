"""Lets the frozen program test itself, away from this checkout."""

from __future__ import annotations

import os
import subprocess
import tempfile

from release.plan import BuildFailed, Plan, executable, require_program, said


def run(plan: Plan) -> None:
    """Run `desktop-rag self-test` of the frozen program.

    Raises:
        BuildFailed: it is not built, is of another version, or a step of its test failed.
    """
    require_program(plan)
    version = said([executable(plan), "--version"])
    if version != f"Desktop RAG {plan.version}":
        raise BuildFailed(
            f"The frozen program says {version!r}, and this is {plan.version}: run the steps from "
            "`freeze` on again."
        )
    with tempfile.TemporaryDirectory() as folder:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        if subprocess.call([executable(plan), "self-test"], cwd=folder, env=environment):
            raise BuildFailed("The frozen program's self-test failed; what it said stands above.")
