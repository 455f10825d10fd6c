"""What PyInstaller must not follow: libraries that are installed for development only.

Some libraries import others if they are there (Pillow an XML parser, jsonschema a dozen checkers of
formats); what somebody installed for something else would get into the program, unseen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import packages_distributions
from pathlib import Path

from release.plan import ROOT
from release.python_parts import plain


def modules_of_development() -> list[str]:
    """Top modules of all installed libraries that the program does not require."""
    return not_required(packages_distributions(), ROOT / "requirements.txt")


def not_required(owners: Mapping[str, Sequence[str]], requirements: Path) -> list[str]:
    """Modules, none of whose libraries is pinned."""
    text = requirements.read_text(encoding="utf-8")
    pinned = {plain(name) for name in re.findall(r"^([A-Za-z0-9._-]+)==", text, re.MULTILINE)}
    pinned.add("desktop-rag")
    return sorted(
        module
        for module, libraries in owners.items()
        if not any(plain(library) in pinned for library in libraries)
    )
