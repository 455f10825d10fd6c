"""The copyright file of a package (DEP-5), from the list of licences in the program."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from release.plan import ROOT, Plan

_PLACE = "/usr/lib/desktop-rag/_internal"
_TEXTS = f"{_PLACE}/resources/licences"
_FORMAT = "https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
_HEAD = f"""\
Format: {_FORMAT}
Upstream-Name: Desktop RAG
Comment: The licence texts of all parts, word for word, are installed in
 {_TEXTS}; which text
 belongs to which part says index.json there. Parts in Python lie in the
 executable, /usr/lib/desktop-rag/desktop-rag, all others in folders and
 libraries of their names in {_PLACE}."""
_OURS = "AGPL-3.0-or-later"
_HOLDER = re.compile(r"^\W*((?:Copyright\b|©)(?=.*\d{4}).*?)\W*$", re.MULTILINE | re.IGNORECASE)
_MAX_HOLDERS = 12
_COMMON = {
    "Apache-2.0": "Apache-2.0",
    "GPL-2.0": "GPL-2",
    "GPL-3.0": "GPL-3",
    "LGPL-2.0": "LGPL-2",
    "LGPL-2.1": "LGPL-2.1",
    "LGPL-3.0": "LGPL-3",
    "MPL-2.0": "MPL-2.0",
}
"""Licences whose text every Debian system has."""


def copyright_file(plan: Plan, *, has_model: bool) -> str:
    """The file of a package with or without a language model."""
    folder = plan.licences
    parts = [one for one in _index(folder) if one["kind"] != "program"]
    parts = [one for one in parts if has_model or _is_in(plan, one)]
    made = [_HEAD, f"Files: *\nCopyright: The Desktop RAG contributors\nLicense: {_OURS}"]
    made += [_part(one, folder) for one in parts]
    licences = {name for one in parts for name in _names(one["licence"])} - {_OURS}
    made.append(f"License: {_OURS}\n" + _quoted((ROOT / "LICENSE").read_text(encoding="utf-8")))
    return "\n\n".join([*made, *map(_standalone, sorted(licences))]) + "\n"


def _index(folder: Path) -> list[dict[str, Any]]:
    """What the step `licences` found."""
    parts: list[dict[str, Any]] = json.loads((folder / "index.json").read_text("utf-8"))["parts"]
    return parts


def _is_in(plan: Plan, part: Mapping[str, Any]) -> bool:
    """The list also names the language model that only some packages bring."""
    return "where" not in part or (plan.libraries / part["where"]).exists()


def _part(part: Mapping[str, Any], folder: Path) -> str:
    name = re.sub(r"[^A-Za-z0-9.+]+", "_", part["name"]).strip("_")
    files = f"{part['where']}/*" if "where" in part else f"{name}*"
    holders = "\n ".join(_holders(folder, part["files"]))
    licence = re.sub(r"\b(AND|OR|WITH)\b", lambda found: found[1].lower(), part["licence"])
    return f"Files: {_PLACE[1:]}/{files}\nCopyright: {holders}\nLicense: {licence}"


def _holders(folder: Path, places: list[str]) -> list[str]:
    """The lines of copyright in the texts of one part."""
    texts = ((folder / place).read_text("utf-8", "replace") for place in places)
    lines = (" ".join(line.split())[:200] for text in texts for line in _HOLDER.findall(text))
    named = list(dict.fromkeys(lines))[:_MAX_HOLDERS]
    return named or ["its authors, named in the licence text"]


def _names(licence: str) -> list[str]:
    """The licences of an SPDX expression; an exception belongs to the licence before it."""
    return re.split(r"\s+(?:AND|OR)\s+", re.sub(r"[()]", "", licence))


def _standalone(licence: str) -> str:
    common = next((place for name, place in _COMMON.items() if licence.startswith(name)), "")
    where = f"/usr/share/common-licenses/{common} and in\n " if common else ""
    name = licence.replace(" WITH ", " with ")
    return f"License: {name}\n The text is in {where}{_TEXTS}."


def _quoted(text: str) -> str:
    """As a field of several lines: indented, a dot on each empty one."""
    return "\n".join(f" {line.rstrip() or '.'}" for line in text.strip().splitlines())
