"""Sentences of the page About."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.shipped_parts import Build, Part
from desktop_rag.ui.translation import _


def licence_of(part: Part) -> str:
    """Its licence, as it is written or in words."""
    return part.licence or _("licence not named")


def heading(part: Part) -> str:
    """Name, version and licence in one line."""
    return f"{part.name} {part.version}".strip() + f" – {licence_of(part)}"


def details(build: Build, parts: Sequence[Part]) -> str:
    """For a message to somebody who helps: not translated, so that everybody can read it."""
    origin = f"commit {build.commit} of {build.date}" if build.is_frozen else "from source code"
    lines = [f"{part.name} {part.version}: {part.licence}" for part in parts]
    return "\n".join([f"Desktop RAG {build.version}, {origin}", "", *lines, ""])
