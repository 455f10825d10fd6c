"""Puts the licence texts of everything that is shipped into the frozen program, with a list.

The list, `resources/licences/index.json`, is what the page About shows (`services.about`).
"""

from __future__ import annotations

import datetime
import json
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from desktop_rag.storage.model_catalog import read_catalog
from release.inventory import OURS, Inventory, inventory, model_part
from release.known_parts import STANDARD, our_texts
from release.parts import Inner, Kind, Part, Text
from release.plan import ROOT, BuildFailed, Plan, said

LIBRARY_TEXTS = ("Apache-2.0.txt", "GPL-3.0.txt", "LGPL-3.0.txt")
"""Texts in `resources/licences`."""


def run(plan: Plan) -> None:
    """Write texts and list.

    Raises:
        BuildFailed: a part has no text.
    """
    parts = shipped_parts(inventory(plan))
    if missing := [part.name for part in parts if not part.texts]:
        raise BuildFailed(
            f"There is no licence text for {', '.join(missing)}: say in "
            "packaging/known_parts.toml, [texts], which text it is."
        )
    folder = plan.licences
    for old in ("libraries", "system", "runtime", "common", "standard", "models"):
        shutil.rmtree(folder / old, ignore_errors=True)
    copied = copy_texts(parts, folder)
    write_index(plan, parts, folder)
    print(f"Licences of {len(parts)} parts: {copied} texts")


def shipped_parts(found: Inventory) -> list[Part]:
    """Those of the frozen program, and the language model that only some packages bring."""
    parts = list(found.parts)
    for model in read_catalog(ROOT / "models" / "catalog.toml"):
        if model.is_default and not any(part.key == f"model:{model.id}" for part in parts):
            row = {
                "place": f"models/{model.id}",
                "texts": ["resources/licences/Apache-2.0.txt"],
            }
            parts.append(model_part(model, row))
    return parts


def copy_texts(parts: Iterable[Part], folder: Path) -> int:
    """Copy each text to its place; returns how many there are."""
    places = {text.place: text.path for part in parts for text in all_texts(part)}
    for place, path in places.items():
        target = folder / place
        if path.resolve() != target.resolve():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            target.chmod(0o644)
    for part in parts:
        if compiled_in(part):
            target = folder / inner_place(part)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(inner_text(part), encoding="utf-8", newline="\n")
    return len(places)


def all_texts(part: Part) -> tuple[Text, ...]:
    """Its own, and the common ones that hold for what was compiled into it."""
    return (*part.texts, *standard_texts(part.inner))


def standard_texts(inner: Sequence[Inner]) -> tuple[Text, ...]:
    """A text for each licence, where there is a common one."""
    names = sorted({name for one in inner for name in re.split(r"[^A-Za-z0-9.-]+", one.licence)})
    of_ours = {name.removesuffix(".txt"): name for name in LIBRARY_TEXTS}
    return (
        *our_texts([f"resources/licences/{of_ours[name]}" for name in names if name in of_ours]),
        *our_texts(
            [
                f"packaging/licence_texts/{name}.txt"
                for name in names
                if name and (STANDARD / f"{name}.txt").exists()
            ]
        ),
    )


def compiled_in(part: Part) -> bool:
    """Whether there is a list of what is inside it."""
    return bool(part.inner)


def inner_place(part: Part) -> str:
    """Where the list of what is inside a part lies."""
    return f"libraries/{part.key.removeprefix('pypi:')}/inside.txt"


def inner_text(part: Part) -> str:
    """What was compiled into a part, for a reader."""
    lines = [f"Compiled into {part.name} {part.version}, as its makers tell:", ""]
    for one in part.inner:
        licence = one.licence or f"licence not named; see {part.name}"
        authors = f"; {one.authors}" if one.authors else ""
        lines.append(f"{one.name} {one.version}".strip() + f": {licence}{authors}")
    return "\n".join(lines) + "\n"


def write_index(plan: Plan, parts: Sequence[Part], folder: Path) -> None:
    """What the page About reads."""
    index = {
        "format": 1,
        "program": {
            "version": plan.version,
            "commit": said(["git", "rev-parse", "--short=12", "HEAD"]),
            "date": datetime.datetime.fromtimestamp(plan.epoch, datetime.UTC).date().isoformat(),
        },
        "parts": [_row(part) for part in sorted(parts, key=_order)],
    }
    text = json.dumps(index, ensure_ascii=False, indent=1)
    (folder / "index.json").write_text(text + "\n", encoding="utf-8", newline="\n")


def _order(part: Part) -> tuple[bool, str]:
    return part.key != OURS, part.name.lower()


def _row(part: Part) -> dict[str, object]:
    files = [text.place for text in part.texts]
    if compiled_in(part):
        files += [inner_place(part), *(text.place for text in standard_texts(part.inner))]
    row: dict[str, object] = {
        "name": part.name,
        "version": part.version,
        "licence": part.licence,
        "kind": str(part.kind),
        "summary": part.summary,
        "home": part.home,
        "note": part.note,
        "files": list(dict.fromkeys(files)),
    }
    if part.kind is Kind.MODEL:
        row["where"] = part.where
    return row
