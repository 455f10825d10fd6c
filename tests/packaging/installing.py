"""A made program of three files, and somebody who runs its real installer.

The installer is a text for any POSIX shell, so it is run, not imported.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from release import bundle
from release.plan import Plan
from release.shipped_model import ShippedModel

from tests.packaging.frozen_folder import with_licences

needs_installer = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the installer is for Linux"),
    pytest.mark.skipif(
        not (shutil.which("xz") and shutil.which("readelf")), reason="needs xz and readelf"
    ),
]

_PROGRAM = """#!/bin/sh
if [ -n "${BROKEN-}" ]; then echo "no such symbol" >&2; exit 1; fi
case $1 in
--version) echo "Desktop RAG VERSION" ;;
models) grep -q whole "$3" && echo "$3" "${DESKTOP_RAG_MODELS_DIR-}" >>"$HOME/imported" ;;
*) echo opened >"$HOME/opened" ;;
esac
"""


def made(folder: Path, version: str, model: ShippedModel | None = None) -> Path:
    """A `.run` of a program that is a script, a library and a link to it."""
    plan = Plan(version, dist=folder)
    (plan.libraries / "lib").mkdir(parents=True)
    with_licences(plan)
    (plan.libraries / "lib" / "real.so").write_text("library", encoding="utf-8")
    (plan.libraries / "short.so").symlink_to("lib/real.so")
    shutil.copy(shutil.which("true") or "", plan.libraries / "lib" / "linked")
    program = plan.program / "desktop-rag"
    program.write_text(_PROGRAM.replace("VERSION", version), encoding="utf-8")
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        patch.setattr(bundle, "shipped_model", lambda _: model)
        patch.setattr(bundle, "_SPARE_KB", 64)
        bundle.run(plan)
    name = "desktop-rag" if model is None else "desktop-rag-complete"
    return plan.out / f"{name}-{version}-linux-{platform.machine()}.run"


class Person:
    """Somebody with a home folder of their own who runs installers."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
        self.versions = home / ".local" / "opt" / "desktop-rag"

    def run(self, file: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run it and wait."""
        return subprocess.run(
            ["sh", file, *arguments],
            env=self.environment,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def does(self, file: Path, *arguments: str | Path) -> str:
        """Run what must succeed; returns what it says."""
        done = self.run(file, *arguments)
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return done.stdout

    def is_refused(self, file: Path, *arguments: str | Path) -> str:
        """Run what must be refused, with nothing changed; returns the sentence."""
        before = everything(self.home)
        done = self.run(file, *arguments)
        assert done.returncode == 1, done.stdout
        assert everything(self.home) == before
        return done.stderr

    def version(self) -> str:
        """What the command of the terminal says."""
        command: list[str | Path] = [self.home / ".local" / "bin" / "desktop-rag", "--version"]
        return subprocess.check_output(command, env=self.environment, text=True)


def everything(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*"))


def with_command(person: Person, folder: Path, name: str, text: str) -> None:
    """Let a command say something else."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    (folder / name).chmod(0o755)
    person.environment["PATH"] = f"{folder}:{os.environ['PATH']}"
