"""What was left out is listed with its reason, and writing it costs only what changed."""

from __future__ import annotations

import time

import pytest

from desktop_rag.domain.library import FileState
from desktop_rag.storage.database import Database
from desktop_rag.storage.skipped import LeftOut, SkippedFiles
from desktop_rag.storage.sources import Sources


@pytest.fixture
def source(database: Database) -> int:
    return Sources(database).add("/docs", is_folder=True, device=1).id


def entries(*paths: str, reason: str = "There is no reader for .exe files.") -> dict[str, LeftOut]:
    return {path: LeftOut(path, 7, "unsupported", reason) for path in paths}


def writes(database: Database) -> int:
    with database.write() as db:
        return db.total_changes


def test_they_are_listed_as_skipped_files(database: Database, source: int) -> None:
    skipped = SkippedFiles(database)
    skipped.replace(source, entries("/docs/b.exe", "/docs/a.exe"))
    first, second = skipped.files()
    assert (first.path, first.state, first.failure_code) == (
        "/docs/a.exe",
        FileState.SKIPPED,
        "unsupported",
    )
    assert (first.format, first.size, second.path) == ("exe", 7, "/docs/b.exe")
    assert first.id != second.id
    assert max(first.id, second.id) < 0
    assert skipped.count() == 2
    assert skipped.at("/docs/a.exe") == entries("/docs/a.exe")["/docs/a.exe"]


def test_a_part_is_replaced_and_the_rest_stays(database: Database, source: int) -> None:
    skipped = SkippedFiles(database)
    skipped.replace(source, entries("/docs/a/1.exe", "/docs/a/2.exe", "/docs/ab.exe", "/docs/a"))
    skipped.replace(source, entries("/docs/a/3.exe"), "/docs/a")
    assert [file.path for file in skipped.files()] == ["/docs/a/3.exe", "/docs/ab.exe"]


def test_a_hundred_thousand_cost_nothing_when_nothing_changed(
    database: Database, source: int
) -> None:
    skipped = SkippedFiles(database)
    many = entries(*(f"/docs/{n % 100}/{n}.exe" for n in range(100_000)))
    assert skipped.replace(source, many)
    before, began = writes(database), time.monotonic()
    assert not skipped.replace(source, many)
    assert time.monotonic() - began < 5.0
    assert writes(database) == before
    many["/docs/new.exe"] = entries("/docs/new.exe")["/docs/new.exe"]
    assert skipped.replace(source, many)
    assert writes(database) == before + 1


def test_kinds_are_counted_by_reason(database: Database, source: int) -> None:
    skipped = SkippedFiles(database)
    links = {p: LeftOut(p, 0, "link", f"This link leads to {p}x.") for p in ("/docs/l", "/docs/m")}
    skipped.replace(source, {**entries("/docs/a.exe", "/docs/b.exe", "/docs/c.exe"), **links})
    assert [(kind.files, kind.code) for kind in skipped.kinds()] == [
        (3, "unsupported"),
        (2, "link"),
    ]
    assert skipped.kinds()[0].reason == "There is no reader for .exe files."
    assert "links" in skipped.kinds()[1].reason
