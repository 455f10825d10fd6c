"""Python libraries as parts: from what their packages say of themselves."""

from __future__ import annotations

import csv
import importlib.metadata
import json
import os
import re
from functools import cache
from itertools import chain
from pathlib import Path

from release.known_parts import BY_WORDS, known, known_licence, standing_in_for
from release.llama import portable_folder
from release.parts import Inner, Kind, Part, Text

_IS_TEXT = re.compile("LICEN[CS]E|COPYING|NOTICE|COPYRIGHT", re.IGNORECASE)
_NOT_TEXT = {".py", ".pyi", ".pyc"}


@cache
def owners() -> dict[str, str]:
    """Which library installed a file, by its plain name."""
    made = {}
    # What was frozen from the cache instead of the environment: `release.llama`.
    cached = importlib.metadata.distributions(path=[str(portable_folder())])
    for found in chain(importlib.metadata.distributions(), cached):
        base, name = Path(str(found.locate_file(""))).resolve(), plain(found.metadata["Name"])
        # Not `files`, which looks at the disk for each of 60,000.
        for row in csv.reader((found.read_text("RECORD") or "").splitlines()):
            made[os.path.normpath(base / row[0])] = name
    return made


def owner_of(origin: Path) -> str | None:
    """The library that installed a file, if one did."""
    return owners().get(str(origin.parent.resolve() / origin.name))


def plain(name: str) -> str:
    """The one of many ways to write a library's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def python_part(name: str) -> Part:
    """A library that is installed here.

    Raises:
        BuildFailed: nobody knows its licence.
    """
    found = importlib.metadata.distribution(name)
    key = plain(name)
    return Part(
        key=f"pypi:{key}",
        name=found.metadata["Name"],
        version=found.version,
        kind=Kind.LIBRARY,
        licence=known_licence(key, lambda: _licence(found)),
        texts=(*_texts(found, key), *standing_in_for(key)),
        summary=_field(found, "Summary").strip(),
        home=_home(found),
        note=known()["notes"].get(key, ""),
        purl=f"pkg:pypi/{key}@{found.version}",
        inner=_inner(found),
    )


def _fields(found: importlib.metadata.Distribution, name: str) -> list[str]:
    return [str(one) for one in found.metadata.get_all(name) or ()]


def _field(found: importlib.metadata.Distribution, name: str) -> str:
    return next(iter(_fields(found, name)), "")


def _licence(found: importlib.metadata.Distribution) -> str:
    """The expression, or what the older fields mean; empty when that is not sure."""
    if expression := _field(found, "License-Expression"):
        return expression
    if (words := _field(found, "License").split("\n")[0].strip()) in BY_WORDS:
        return BY_WORDS[words]
    classifiers = _fields(found, "Classifier")
    named = {line.split(" :: ")[-1] for line in classifiers if line.startswith("License ::")}
    meant = sorted({BY_WORDS.get(one, "") for one in named})
    return meant[0] if len(meant) == 1 else ""


def _texts(found: importlib.metadata.Distribution, key: str) -> tuple[Text, ...]:
    made: dict[bytes, Text] = {}
    for file in found.files or ():
        path = Path(str(file.locate()))
        if _IS_TEXT.search(file.name) and file.suffix not in _NOT_TEXT and path.is_file():
            parts = re.sub(r"^[^/]+\.dist-info/(licenses/)?", "", file.as_posix()).split("/")
            place = f"libraries/{key}/{'-'.join(parts)}"
            made.setdefault(path.read_bytes(), Text(path, place))
    return tuple(made.values())


def _home(found: importlib.metadata.Distribution) -> str:
    if page := _field(found, "Home-page"):
        return page
    pages = [line.partition(", ") for line in _fields(found, "Project-URL")]
    ranked = {label.lower(): address for label, _comma, address in pages}
    wanted = ("source", "source code", "repository", "homepage", "home", "github")
    return next((ranked[one] for one in wanted if one in ranked), "")


def _inner(found: importlib.metadata.Distribution) -> tuple[Inner, ...]:
    """What the lists tell that some libraries bring: crates, and what was linked in."""
    made: dict[tuple[str, str], Inner] = {}
    for file in found.files or ():
        if "/sboms/" in file.as_posix() and file.suffix == ".json":
            listed = json.loads(Path(str(file.locate())).read_text(encoding="utf-8"))
            for one in listed.get("components", ()):
                if not str(one.get("purl", "")).startswith("pkg:pypi/"):
                    inner = _one_inner(one)
                    made.setdefault((inner.name, inner.version), inner)
    return tuple(made[key] for key in sorted(made))


def _one_inner(listed: dict[str, object]) -> Inner:
    licences: list[str] = []
    some = listed.get("licenses")
    for one in some if isinstance(some, list) else ():
        named = one.get("license") or {}
        licences.append(one.get("expression") or named.get("id") or named.get("name") or "")
    # What follows "?" and "#" tells of the disk that it was built on.
    purl = re.split("[?#]", str(listed.get("purl") or ""))[0]
    authors = str(listed.get("author") or "")
    name, version = str(listed["name"]), str(listed.get("version") or "")
    return Inner(name, version, " AND ".join(filter(None, licences)), purl, authors)
