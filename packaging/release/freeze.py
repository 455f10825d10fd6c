"""Freezes the program with PyInstaller into one folder."""

from __future__ import annotations

import sys
import time

from release.plan import PACKAGING, ROOT, Plan, call, size_of
from release.search_paths import forget_foreign_folders
from release.stripping import strip_libraries


def run(plan: Plan) -> None:
    """Freeze, and tell the size."""
    started = time.monotonic()
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
    drop_dead_links(plan)
    size = size_of(plan.program)
    print(f"Froze {plan.program}: {size / 1e6:.0f} MB, {time.monotonic() - started:.0f} s")


def drop_dead_links(plan: Plan) -> None:
    """PyInstaller links to libraries of Qt at the top, also to those that are left out."""
    for path in sorted(plan.program.rglob("*")):
        if path.is_symlink() and not path.exists():
            path.unlink()
