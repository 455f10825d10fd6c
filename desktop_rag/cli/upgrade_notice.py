"""Says why a command takes longer the first time after an upgrade of the program."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop_rag import paths
from desktop_rag.cli.output import in_units, say
from desktop_rag.storage.glance import is_outdated

_WORTH_TELLING = 200_000_000
"""Bytes of a catalog that take two seconds to copy."""
_LEAVE_IT = frozenset(
    {"about", "audit", "backup", "doctor", "erase", "mcp", "models", "open", "restore"}
    | {"self-test", "settings", "try"}
)
"""Commands that read the library as it is, have another one, or say it themselves."""


def tell_of_upgrade(args: argparse.Namespace) -> None:
    """On the terminal, when the command is about to bring a large library up to date."""
    data_dir: Path | None = getattr(args, "data_dir", None)
    if data_dir is None or getattr(args, "command", None) in _LEAVE_IT:
        return
    catalog = paths.DataDir(data_dir).database
    if is_outdated(catalog) and (size := catalog.stat().st_size) >= _WORTH_TELLING:
        say(
            "Your library is being brought up to date for this version. A copy of "
            f"{in_units(size)} is made first; that takes a moment."
        )
