"""Which parts the frozen program consists of, and which files of it belong to each."""

from __future__ import annotations

import re
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from desktop_rag.storage.model_catalog import CatalogModel, read_catalog
from release.debian_parts import debian_part, packages_of
from release.frozen_files import frozen
from release.known_parts import known, our_texts
from release.parts import Inner, Kind, Part, Text
from release.plan import CACHE, PACKAGING, ROOT, Plan
from release.python_parts import owner_of, python_part

OURS = "desktop-rag"


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything that is in the program's folder."""

    parts: tuple[Part, ...]
    files: Mapping[str, tuple[Path, ...]]
    """By key of a part, below the program's folder; none for what is inside the executable only."""
    unassigned: tuple[Path, ...]
    """Files that nobody knows."""


def inventory(plan: Plan) -> Inventory:
    """Look at the frozen program.

    Raises:
        BuildFailed: it was not frozen here, or the licence of a part is not known.
    """
    found = frozen(plan)
    origins = {*filter(None, found.files.values()), *found.modules}
    packages = packages_of(path for path in origins if not _is_below(path, ROOT, *_site()))
    files: dict[str, list[Path]] = defaultdict(list)
    for path, origin in found.files.items():
        files[_owner(path.relative_to(path.parts[0]), path, origin, packages)].append(path)
    keys = {*files, *(_origin_owner(path, packages) for path in found.modules), "cpython"}
    return Inventory(
        tuple(sorted((_part(key, plan, files[key]) for key in keys - {""}), key=_order)),
        {key: tuple(some) for key, some in files.items() if key},
        tuple(files.get("", ())),
    )


def _order(part: Part) -> tuple[bool, str]:
    return part.key != OURS, part.name.lower()


def _owner(place: Path, path: Path, origin: Path | None, packages: Mapping[Path, str]) -> str:
    """The key of the part that a file belongs to; empty when nobody knows."""
    return (
        _known_owner(place.as_posix())
        or (_origin_owner(origin, packages) if origin else "")
        or _placed_owner(path)
    )


def _known_owner(place: str) -> str:
    """By its place: models, and what stands in the table."""
    for name, one in known()["models"].items():
        if place.startswith(f"{one['place']}/"):
            return f"model:{name}"
    matching = [
        part for part in known()["part"] if any(fnmatch(place, like) for like in part["files"])
    ]
    # The narrowest: ICU lies among the libraries of Qt.
    best = max(matching, key=lambda part: _longest(part, place), default=None)
    return "" if best is None else str(best["name"]).lower()


def _longest(part: Mapping[str, Any], place: str) -> int:
    return max(len(like) for like in part["files"] if fnmatch(place, like))


def _origin_owner(origin: Path, packages: Mapping[Path, str]) -> str:
    """By where it came from."""
    if (name := owner_of(origin)) is not None:
        return f"pypi:{name}"
    if origin in packages:
        return f"deb:{packages[origin].partition(':')[0]}"
    if _is_below(origin, CACHE):
        return "pypi:llama-cpp-python"  # a second build of it (`release.llama`)
    if _is_below(origin, PACKAGING / "build"):
        return "pypi:pyinstaller"  # how the executable finds what is inside it
    if _is_below(origin, ROOT) and not _is_below(origin, *_site()):
        return OURS
    return "cpython" if _is_below(origin, Path(sys.base_prefix)) else ""


def _placed_owner(path: Path) -> str:
    """What later steps put there: the executables, the texts and lists of the licences."""
    is_ours = path.parent == Path() or path.parts[:2] == ("_internal", "resources")
    return OURS if is_ours or path.parts[:2] == ("_internal", "desktop_rag") else ""


def _is_below(path: Path, *folders: Path) -> bool:
    return any(
        path.is_relative_to(folder) or path.resolve().is_relative_to(folder.resolve())
        for folder in folders
    )


@cache
def _site() -> tuple[Path, ...]:
    return (Path(sysconfig.get_path("purelib")), ROOT / ".venv")


def _part(key: str, plan: Plan, files: Sequence[Path]) -> Part:
    kind, _colon, name = key.partition(":")
    if key == OURS:
        return _our_part(plan)
    if kind == "pypi":
        return python_part(name)
    if kind == "deb":
        return debian_part(name)
    if kind == "model":
        models = {model.id: model for model in read_catalog(ROOT / "models" / "catalog.toml")}
        return model_part(models[name], known()["models"][name])
    return _table_part(next(one for one in known()["part"] if one["name"].lower() == key), files)


def _our_part(plan: Plan) -> Part:
    return Part(
        OURS, "Desktop RAG", plan.version, Kind.PROGRAM, "AGPL-3.0-or-later",
        our_texts(["LICENSE"]), "A chat over your own documents.",
        note="The icons are part of it; the sample documents are free for any use (CC0-1.0).",
    )  # fmt: skip


def _table_part(row: Mapping[str, Any], files: Sequence[Path]) -> Part:
    version = _version(row, files)
    return Part(
        key=row["name"].lower(),
        name=row["name"],
        version=version,
        kind=Kind(row["kind"]),
        licence=row["licence"],
        texts=our_texts(row["texts"]) if "texts" in row else _texts_of_python(),
        home=row["home"],
        note=row.get("note", ""),
        purl=f"pkg:generic/{quote(row['name'].lower())}" + (f"@{version}" if version else ""),
        inner=tuple(Inner(one["name"], "", one["licence"]) for one in row.get("inner", ())),
    )


def _version(row: Mapping[str, Any], files: Sequence[Path]) -> str:
    for file in files:
        if "version_in" in row and (found := re.search(row["version_in"], file.name)):
            return str(row.get("version_as", "{}").format(found[1]))
    if row.get("of") == "python":
        return sys.version.split()[0]
    return python_part(row["of"]).version if "of" in row else ""


def _texts_of_python() -> tuple[Text, ...]:
    """The text that came with the interpreter names what is in there, too; the other does not."""
    own = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    common = our_texts(["packaging/licence_texts/PSF-2.0.txt"])
    return (Text(own, "runtime/python/LICENSE.txt"),) if own.exists() else common


def model_part(model: CatalogModel, row: Mapping[str, Any]) -> Part:
    """A model of the catalog."""
    texts = our_texts(row["texts"])
    if "texts_of" in row:
        texts += python_part(row["texts_of"]).texts
    # A model has no version: the checksums of its files tell which one it is.
    summary = ". ".join(filter(None, (model.quantisation, model.notes)))
    return Part(
        f"model:{model.id}", model.title, "", Kind.MODEL, model.licence, texts, summary,
        row.get("home", ""), where=row["place"],
    )  # fmt: skip
