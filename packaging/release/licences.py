"""Puts the licence texts of every library the program runs on into the frozen program."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
from pathlib import Path

from release.plan import ROOT, Plan


def run(plan: Plan) -> None:
    """Copy the texts beside those of the models."""
    copied = copy_licences(plan.libraries / "resources" / "licences" / "libraries")
    print(f"Licences of {copied} libraries")


def copy_licences(target: Path) -> int:
    """Copy the licence files of every pinned library that is installed; returns how many."""
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
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
