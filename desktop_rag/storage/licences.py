"""Texts of licences that are shipped with the program."""

from __future__ import annotations

from desktop_rag.paths import shipped


def licence_text(name: str) -> str:
    """The text of a licence by its SPDX identifier, e.g. `Apache-2.0`; empty when none is here."""
    folder = shipped("resources", "licences")
    wanted = f"{name}.txt".casefold()
    for path in folder.glob("*.txt"):
        if path.name.casefold() == wanted:
            return path.read_text(encoding="utf-8")
    return ""
