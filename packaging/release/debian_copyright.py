"""The machine-readable copyright file of a package (DEP-5), from the licences in the program."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

from release.plan import ROOT, Plan

_TEXTS = "usr/lib/desktop-rag/_internal/resources/licences"
_FORMAT = "https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
_HOLDER = re.compile(r"^\W*((?:Copyright\b|©)(?=.*\d{4}).*?)\W*$", re.MULTILINE | re.IGNORECASE)
_MAX_HOLDERS = 12
_COMMON = {
    "Apache-2.0": "Apache-2.0",
    "LGPL-3.0": "LGPL-3",
    "GPL-3.0": "GPL-3",
    "GPL-2.0": "GPL-2",
    "LGPL-2.1": "LGPL-2.1",
    "MPL-2.0": "MPL-2.0",
}
"""Licences whose text every Debian system has."""


def copyright_file(plan: Plan, model: str = "") -> str:
    """The file; `model` is the licence of a language model in the package."""
    parts = [
        f"Format: {_FORMAT}\nUpstream-Name: Desktop RAG\n"
        "Comment: The licence texts of all parts, word for word, are installed in\n"
        f" /{_TEXTS}.",
        "Files: *\nCopyright: The Desktop RAG contributors\nLicense: AGPL-3.0-or-later",
        _part("usr/lib/desktop-rag/_internal/models/all-minilm-l6-v2-int8/*",
              ["Nils Reimers and the sentence-transformers contributors"], "Apache-2.0"),
    ]  # fmt: skip
    if model:
        place = "usr/lib/desktop-rag/_internal/models/*.gguf"
        parts.append(_part(place, ["its authors, named in the licence"], model))
    libraries = _libraries(plan)
    parts += [_part(files, holders, licence) for files, holders, licence in libraries]
    used = {licence for *_, licence in libraries} | {"Apache-2.0", *([model] if model else [])}
    parts.append("License: AGPL-3.0-or-later\n" + _quoted((ROOT / "LICENSE").read_text("utf-8")))
    parts += [_standalone(licence) for licence in sorted(used - {"AGPL-3.0-or-later"})]
    return "\n\n".join(parts) + "\n"


def _libraries(plan: Plan) -> list[tuple[str, list[str], str]]:
    """Files, holders and licence of each library that the step `licences` found texts of."""
    folder = plan.libraries / "resources" / "licences" / "libraries"
    found = []
    for one in sorted(folder.iterdir()) if folder.is_dir() else []:
        if one.is_dir():
            files = f"{_TEXTS.rpartition('/resources')[0]}/{one.name.replace('-', '_')}*"
            found.append((files, _holders(one), _licence(one.name)))
    return found


def _holders(folder: Path) -> list[str]:
    """The lines of copyright in the texts of one library."""
    texts = (
        path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*")) if path.is_file()
    )
    lines = (" ".join(line.split())[:200] for text in texts for line in _HOLDER.findall(text))
    named = list(dict.fromkeys(lines))[:_MAX_HOLDERS]
    return named or ["its authors, named in the licence text"]


def _licence(name: str) -> str:
    """The short name that a library gives its licence."""
    try:
        data = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return "see-text"
    fields = data.json
    named = str(fields.get("license_expression") or fields.get("license") or "")
    if not named or len(named) > 60:
        kinds = fields.get("classifier", [])
        named = next(
            (one.rpartition(" :: ")[2] for one in kinds if "License ::" in one), "see text"
        )
    return re.sub(r"[\s,/]+", "-", re.sub(r"\s+(OR|AND)\s+", lambda m: f" {m[1].lower()} ", named))


def _part(files: str, holders: list[str], licence: str) -> str:
    lines = "\n ".join(holders)
    return f"Files: {files}\nCopyright: {lines}\nLicense: {licence}"


def _standalone(licence: str) -> str:
    common = [place for name, place in _COMMON.items() if licence.startswith(name)]
    where = f"/usr/share/common-licenses/{common[0]} and in " if common else ""
    return f"License: {licence}\n The text is in {where}/{_TEXTS}."


def _quoted(text: str) -> str:
    """As a field of several lines: indented, a dot on each empty one."""
    return "\n".join(f" {line.rstrip() or '.'}" for line in text.strip().splitlines())
