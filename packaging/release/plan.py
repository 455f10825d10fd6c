"""What is built, where it goes, and how a step calls other programs."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[1]
ROOT = PACKAGING.parent
DIST = PACKAGING / "dist"
CACHE = PACKAGING / "cache"


class BuildFailed(Exception):
    """One sentence about what is missing or went wrong, with the next step."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices of one build."""

    version: str
    model: Path | None = None
    """A language model (GGUF) for the packages that bring one; `None` means the installed default
    one (`release.shipped_model`), and without that those packages are left out."""
    key: str = ""
    """The key that signs; without one the step `sign` says how to name it."""
    dist: Path = DIST

    @property
    def program(self) -> Path:
        """The frozen program: one folder."""
        return self.dist / "desktop-rag"

    @property
    def work(self) -> Path:
        """Where PyInstaller writes down what it does."""
        return self.dist.parent / "build"

    @property
    def libraries(self) -> Path:
        """What PyInstaller put beside the executable."""
        return self.program / "_internal"

    @property
    def licences(self) -> Path:
        """Where in the program the licence texts lie, and the list of its parts."""
        return self.libraries / "resources" / "licences"

    @property
    def out(self) -> Path:
        """What is handed to people; made when it is asked for."""
        folder = self.dist / "out"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    @property
    def epoch(self) -> int:
        """The time of everything that is packed, in seconds: that of the commit that is built."""
        named = os.environ.get("SOURCE_DATE_EPOCH")
        return int(named) if named else int(said(["git", "log", "-1", "--format=%ct"]) or "0")


def version_of_the_program() -> str:
    """The version in `pyproject.toml`."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def call(command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> None:
    """Run a program from the project's root and show what it says.

    Raises:
        BuildFailed: it is missing, or it failed.
    """
    try:
        code = subprocess.call(
            [str(part) for part in command], cwd=ROOT, env={**os.environ, **(env or {})}
        )
    except FileNotFoundError:
        raise BuildFailed(f"{command[0]} is missing: install it and run this step again.") from None
    if code:
        raise BuildFailed(f"{command[0]} failed with {code}; what it said stands above.")


def said(command: Sequence[str | Path]) -> str:
    """What a program prints, without the last line break; empty when it is missing or fails."""
    try:
        done = subprocess.run(
            [str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return ""
    return "" if done.returncode else done.stdout.strip()


def executable(plan: Plan) -> Path:
    """The frozen program's command."""
    return plan.program / ("desktop-rag.exe" if sys.platform == "win32" else "desktop-rag")


def require_program(plan: Plan) -> None:
    """For steps that look at the frozen program.

    Raises:
        BuildFailed: there is none.
    """
    if not executable(plan).exists():
        raise BuildFailed("There is no frozen program: run the step `freeze` first.")


def require_licences(plan: Plan) -> None:
    """For steps that pack the frozen program: nothing is given away without its licence texts.

    Raises:
        BuildFailed: it lacks the texts, or it is of another version.
    """
    index = plan.licences / "index.json"
    if not index.exists():
        raise BuildFailed("The program has no licence texts yet: run the step `licences` first.")
    version = json.loads(index.read_text(encoding="utf-8"))["program"]["version"]
    if version != plan.version:
        raise BuildFailed(
            f"{plan.program} is of version {version}, and this is {plan.version}: run the steps "
            "from `freeze` on again."
        )


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder; links count as such."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def digest_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal."""
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
