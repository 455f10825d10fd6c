"""Reads what the program consists of: the list of a built one, or the packages of a checkout."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_rag import __version__
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.shipped_parts import Build, Part

if TYPE_CHECKING:
    from importlib.metadata import Distribution

INDEX = "index.json"
BILL = "desktop-rag-{version}.cdx.json"
"""What the build puts beside the licence texts."""
_IS_TEXT = re.compile("LICEN[CS]E|COPYING|NOTICE|COPYRIGHT", re.IGNORECASE)
_NOT_TEXT = {".py", ".pyi", ".pyc"}


def build_of(folder: Path) -> Build:
    """What is built, by the list in the folder of the licences; a checkout has none."""
    if not (folder / INDEX).exists():
        return Build(__version__, is_frozen=False)
    program = _index(folder)["program"]
    return Build(program["version"], True, program["commit"], program["date"])  # noqa: FBT003


def parts_of(folder: Path, shipped: Path) -> list[Part]:
    """The parts of an installed program.

    Args:
        folder: that of the licences.
        shipped: that of the program, for what only some packages bring.

    Raises:
        DesktopRagError: the list is damaged.
    """
    try:
        return [
            _part(row, folder)
            for row in _index(folder)["parts"]
            if not row.get("where") or (shipped / row["where"]).exists()
        ]
    except (KeyError, TypeError, AttributeError) as exc:
        raise _damaged(folder) from exc


def _index(folder: Path) -> dict[str, Any]:
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        if index["program"].keys() >= {"version", "commit", "date"}:
            return dict(index)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as exc:
        raise _damaged(folder) from exc
    raise _damaged(folder)


def _damaged(folder: Path) -> DesktopRagError:
    return DesktopRagError(
        f"The list of the program's parts, {folder / INDEX}, is damaged: install the program again."
    )


def _part(row: Mapping[str, Any], folder: Path) -> Part:
    words = {name: str(row.get(name, "")) for name in ("kind", "summary", "home", "note")}
    files = tuple(folder / file for file in row["files"])
    return Part(row["name"], row["version"], row["licence"], files=files, **words)


def installed_parts(requirements: Path, licence: Path) -> list[Part]:
    """The libraries that a checkout runs on; takes a second.

    Args:
        requirements: names them; when it is missing, everything that is installed is told.
        licence: that of the program itself.
    """
    from importlib.metadata import distributions  # slow to load, and an installed program has none

    parts = []
    wanted = _names(requirements)
    for found in distributions():
        name = str(found.metadata["Name"] or "")
        if name and (wanted is None or _plain(name) in wanted):
            parts.append(_installed(found, name))
    ours = Part("Desktop RAG", __version__, "AGPL-3.0-or-later", "program", files=(licence,))
    return [ours, *sorted(parts, key=lambda part: part.name.lower())]


def _names(requirements: Path) -> set[str] | None:
    if not requirements.exists():
        return None
    text = requirements.read_text(encoding="utf-8")
    return {_plain(name) for name in re.findall(r"^([A-Za-z0-9._-]+)==", text, re.MULTILINE)}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _installed(found: Distribution, name: str) -> Part:
    files = tuple(
        Path(str(file.locate()))
        for file in found.files or ()
        if _IS_TEXT.search(file.name) and file.suffix not in _NOT_TEXT
    )
    summary = next(iter(_field(found, "Summary")), "")
    return Part(name, found.version, _licence(found), summary=summary, files=files)


def _licence(found: Distribution) -> str:
    """What the package says in the shortest of three ways."""
    said = [*_field(found, "License-Expression"), *_field(found, "License")]
    short = [words for words in said if len(words) < 100 and "\n" not in words]
    named = [line.split(" :: ")[-1] for line in _field(found, "Classifier") if "License ::" in line]
    return next(iter([*short, *named]), "")


def _field(found: Distribution, name: str) -> list[str]:
    return [str(one) for one in found.metadata.get_all(name) or () if one]
