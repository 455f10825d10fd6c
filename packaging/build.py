"""Freezes the program into `packaging/dist/desktop-rag` and, when asked, tests the result.

    .venv/bin/python packaging/build.py [--test]

Needs the development environment (`python3 launch.py setup --dev`).
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIST = HERE / "dist"
PROGRAM = DIST / "desktop-rag"


def main() -> int:
    """Build, add licences, report the size; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--test", action="store_true", help="run the frozen self-test afterwards")
    args = parser.parse_args()
    started = time.monotonic()
    code = freeze()
    if code:
        return code
    copied = copy_licences(PROGRAM / "_internal" / "resources" / "licences" / "libraries")
    size = sum(path.lstat().st_size for path in PROGRAM.rglob("*") if not path.is_dir())
    print(
        f"Built {PROGRAM}: {size / 1e6:.0f} MB, licences of {copied} libraries, "
        f"{time.monotonic() - started:.0f} s"
    )
    return self_test() if args.test else 0


def freeze() -> int:
    """Run PyInstaller on the spec beside this file."""
    return subprocess.call(
        [
            sys.executable, "-m", "PyInstaller", str(HERE / "desktop-rag.spec"), "--noconfirm",
            "--log-level", "WARN", "--distpath", str(DIST), "--workpath", str(HERE / "build"),
        ],
        cwd=HERE.parent,
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
    )  # fmt: skip


def copy_licences(target: Path) -> int:
    """Copy the licence files of every library the program runs on; returns how many."""
    requirements = (HERE.parent / "requirements.txt").read_text(encoding="utf-8")
    copied = 0
    for name in re.findall(r"^([A-Za-z0-9._-]+)==", requirements, re.MULTILINE):
        try:
            files = importlib.metadata.files(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # for another operating system
        for file in files:
            if re.search("LICEN|COPYING|NOTICE", file.name.upper()) and file.suffix != ".py":
                (target / name).mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), target / name / file.name)
        copied += (target / name).exists()
    return copied


def self_test() -> int:
    """Run the frozen program's own check, away from this checkout."""
    name = "desktop-rag.exe" if os.name == "nt" else "desktop-rag"
    return subprocess.call([str(PROGRAM / name), "self-test"], cwd=Path.home())


if __name__ == "__main__":
    sys.exit(main())
