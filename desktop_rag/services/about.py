"""What this program is, what it consists of, and under which licences: for the page About.

Needs no library: it works while another program has it open, and when it is damaged.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from desktop_rag import paths
from desktop_rag.domain.errors import NotFound
from desktop_rag.domain.shipped_parts import Build, Part
from desktop_rag.storage import part_lists

LICENCE = "AGPL-3.0-or-later"


class About:
    """Every method reads files and may block."""

    def __init__(self, shipped: Path | None = None) -> None:
        """`shipped` is the program's folder."""
        self._shipped = paths.shipped() if shipped is None else shipped
        self._folder = self._shipped / "resources" / "licences"

    def build(self) -> Build:
        """Version and origin.

        Raises:
            DesktopRagError: the program's own list is damaged.
        """
        return part_lists.build_of(self._folder)

    def parts(self) -> list[Part]:
        """The program itself, then all parts by name.

        Raises:
            DesktopRagError: the program's own list is damaged.
        """
        if self.build().is_frozen:
            return part_lists.parts_of(self._folder, self._shipped)
        return part_lists.installed_parts(
            self._shipped / "requirements.txt", self._shipped / "LICENSE"
        )

    def find(self, name: str) -> Part:
        """The part of that name, however it is written.

        Raises:
            NotFound: there is none; names like it are told.
        """
        parts = self.parts()
        for part in parts:
            if part.name.casefold() == name.casefold():
                return part
        raise NotFound(_none_of(name, parts))

    def text(self, part: Part) -> str:
        """Its licence texts, one below the other; empty when it brought none."""
        return ("\n\n" + "-" * 72 + "\n\n").join(filter(None, map(_read, part.files)))

    def bill_of_materials(self) -> Path | None:
        """The list of parts for machines (CycloneDX); only an installed program has one."""
        path = self._folder / part_lists.BILL.format(version=self.build().version)
        return path if path.is_file() else None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return f"{file.name} is missing: install the program again."


def _none_of(name: str, parts: Sequence[Part]) -> str:
    known = {part.name.casefold(): part.name for part in parts}
    like = difflib.get_close_matches(name.casefold(), known, n=3) or [
        key for key in known if name.casefold() in key
    ]
    hint = f" Do you mean {', '.join(known[key] for key in like[:3])}?" if like else ""
    return f"No part of this program is called {name}.{hint} `desktop-rag about` lists them."
