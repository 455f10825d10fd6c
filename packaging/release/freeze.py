"""Freezes the program with PyInstaller into one folder."""

from __future__ import annotations

import sys

from release.plan import PACKAGING, ROOT, Plan, call, size_of
from release.search_paths import forget_foreign_folders
from release.stripping import strip_libraries


def run(plan: Plan) -> None:
    """Freeze, and tell the size."""
    call(
        [
            sys.executable, "-m", "PyInstaller", PACKAGING / "desktop-rag.spec", "--noconfirm",
            "--log-level", "WARN", "--distpath", plan.dist, "--workpath", plan.work,
        ],
        # The same hashes give the same order in every build.
        {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(plan.epoch)},
    )  # fmt: skip
    if sys.platform.startswith("linux"):
        forget_foreign_folders(plan)
        print(f"Stripped the libraries of {strip_libraries(plan) / 1e6:.0f} MB")
    print(f"Froze {plan.program}: {size_of(plan.program) / 1e6:.0f} MB")
