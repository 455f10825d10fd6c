"""What the library page asks of the façade, from memory: for `FakeApp`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import NotFound
from desktop_rag.domain.library import (
    Collection,
    DropKind,
    Dropped,
    FileDetails,
    Intake,
    Tier,
)

if TYPE_CHECKING:
    from tests.helpers.fake_app import FakeApp


class FakeOrganising:
    """Two lists."""

    def __init__(self) -> None:
        self.kept: list[Collection] = []
        self.used: list[tuple[str, int]] = []

    def collections(self) -> list[Collection]:
        return list(self.kept)

    def tags(self) -> list[tuple[str, int]]:
        return list(self.used)


class FakeReceiving:
    """Whatever exists can be added."""

    def look_at(self, given: Sequence[str], on_count: Callable[[int], None]) -> Intake:
        del on_count
        return Intake(tuple(_dropped(one) for one in given))


def _dropped(given: str) -> Dropped:
    path = Path(given)
    if not path.exists():
        return Dropped(given, DropKind.MISSING, sentence=f"{given} does not exist any more.")
    kind = DropKind.FOLDER if path.is_dir() else DropKind.FILE
    return Dropped(given, kind, given, files=1)


def details_of(app: FakeApp, document: DocumentId) -> FileDetails:
    for file in app.library:
        if file.id == document:
            above = [one.path for one in app.sources if file.path.startswith(one.path)]
            source = above[0] if above else file.path
            return FileDetails(file, "pdf-3", source, Tier.NORMAL, (), "2026-11-20T09:30:00+00:00")
    raise NotFound("This document is no longer in the library. Add it again to open it.")
