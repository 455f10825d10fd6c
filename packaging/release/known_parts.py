"""What packages do not say of themselves: `packaging/known_parts.toml`, and words for licences."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from release.parts import Text
from release.plan import PACKAGING, ROOT, BuildFailed

BY_WORDS = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License Version 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Apache-2.0": "Apache-2.0",
    "BSD-3-Clause": "BSD-3-Clause",
    "MIT": "MIT",
    "MIT License": "MIT",
    "MPL-2.0": "MPL-2.0",
    "MPL-2.0 AND MIT": "MPL-2.0 AND MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""What people write into the fields for a licence, as SPDX expressions."""

_DEBIAN = {
    "apache-2.0": "Apache-2.0",
    "bsd-2-clause": "BSD-2-Clause",
    "bsd-3-clause": "BSD-3-Clause",
    "expat": "MIT",
    "mit": "MIT",
    "gpl-2+": "GPL-2.0-or-later",
    "gpl-3+": "GPL-3.0-or-later",
    "isc": "ISC",
    "lgpl-2+": "LGPL-2.0-or-later",
    "lgpl-2.0+": "LGPL-2.0-or-later",
    "lgpl-2.1+": "LGPL-2.1-or-later",
    "mpl-1.1": "MPL-1.1",
    "zlib": "Zlib",
}
STANDARD = PACKAGING / "licence_texts"
"""Texts by the names that SPDX gives licences."""


@cache
def known() -> dict[str, Any]:
    """The table as it is written."""
    return tomllib.loads((PACKAGING / "known_parts.toml").read_text(encoding="utf-8"))


def known_licence(key: str, said: Callable[[], str]) -> str:
    """The licence of a Python library.

    Raises:
        BuildFailed: neither the table nor the package tell.
    """
    if licence := known()["licences"].get(key) or said():
        return str(licence)
    raise BuildFailed(
        f"Nobody knows the licence of {key}: write it into packaging/known_parts.toml, [licences]."
    )


def standing_in_for(key: str) -> tuple[Text, ...]:
    """Texts for a package that brings none."""
    return our_texts(known()["texts"].get(key, ()))


def our_texts(names: list[str] | tuple[str, ...]) -> tuple[Text, ...]:
    """Texts that are in this project already, by their path from its top."""
    return tuple(Text(ROOT / name, _place(name)) for name in names)


def _place(name: str) -> str:
    """Those in `resources/licences` are in the program anyway, and so is `LICENSE`."""
    path = Path(name)
    if name.startswith("packaging/"):
        return f"standard/{path.name}"
    return path.name if "licences" in name or name == "LICENSE" else f"models/{path.name}"


def debian_licence(source: str, text: str) -> str:
    """The licence of most of a Debian source package.

    Raises:
        BuildFailed: neither the table nor the copyright file tell.
    """
    if source in known()["debian"]:
        return str(known()["debian"][source])
    stanza = re.search(r"^Files: *\*(?:\s.*)?\n(?:.*\n)*?License: *(.+)$", text, re.MULTILINE)
    if stanza and (licence := _expression(stanza[1])):
        return licence
    raise BuildFailed(
        f"The licence of the Debian source package {source} cannot be read from its copyright "
        "file: write it into packaging/known_parts.toml, [debian]."
    )


def _expression(words: str) -> str:
    """Debian's short names as an SPDX expression; empty when one of them is unknown."""
    # "And" binds more closely than "or", unless a comma stands before it.
    groups = [_alternatives(some) for some in re.split(r"\s*,\s*and\s+", words.strip().lower())]
    if len(groups) > 1:
        groups = [f"({one})" if " OR " in one else one for one in groups]
    return " AND ".join(groups) if all(groups) else ""


def _alternatives(words: str) -> str:
    alternatives = []
    for some in re.split(r"\s+or\s+", words):
        names = [one for one in re.split(r"\s*,\s*|\s+and\s+", some) if one]
        if not all(one in _DEBIAN for one in names):
            return ""
        alternatives.append(" AND ".join(sorted({_DEBIAN[one] for one in names})))
    return " OR ".join(alternatives)
