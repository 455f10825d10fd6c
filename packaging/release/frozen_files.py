"""Where each file of the frozen program came from, as PyInstaller wrote it down."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from release.plan import BuildFailed, Plan

Entry = tuple[str, str, str]
"""Place in the program, where it came from, kind."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """What was frozen."""

    files: dict[Path, Path | None]
    """Files and links that are there now, below the program's folder, with their origin."""
    modules: tuple[Path, ...]
    """Origins of what is inside the executable."""


def frozen(plan: Plan) -> Frozen:
    """Look at the program's folder and at the lists of the freeze.

    Raises:
        BuildFailed: it was not frozen here.
    """
    origins = {plan.libraries / place: Path(origin) for place, origin in _collected(plan)}
    return Frozen(
        {
            path.relative_to(plan.program): _origin(path, origins)
            for path in sorted(plan.program.rglob("*"))
            if path.is_symlink() or path.is_file()
        },
        tuple(
            Path(origin) for _name, origin, _kind in _entries(plan, "PYZ-00") if origin not in "-"
        ),
    )


def _collected(plan: Plan) -> list[tuple[str, str]]:
    return [(e[0], e[1]) for e in _entries(plan, "COLLECT-00") if e[2] != "SYMLINK"]


def _entries(plan: Plan, name: str) -> list[Entry]:
    path = plan.work / plan.program.name / f"{name}.toc"
    if not path.exists() or not plan.program.exists():
        raise BuildFailed("There is no frozen program: run the step `freeze` first.")
    written = ast.literal_eval(path.read_text(encoding="utf-8"))
    return [entry for one in written if isinstance(one, list) for entry in one]


def _origin(path: Path, origins: dict[Path, Path]) -> Path | None:
    """Of a link that of what it leads to."""
    return origins.get(path) or (origins.get(path.resolve()) if path.is_symlink() else None)
