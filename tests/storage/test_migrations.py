"""A catalog of an older version: copied first, upgraded in one step, or left as it was."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from pathlib import Path

import pytest

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.errors import DiskFull, LibraryDamaged
from desktop_rag.domain.library import FileState
from desktop_rag.storage import backups, migrations
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import SCHEMA_VERSION, Database
from desktop_rag.storage.sources import Sources
from tests.helpers.killing import run_killed_at
from tests.helpers.old_library import TEXT, make_version_1

_OPEN = """
from pathlib import Path
from desktop_rag.storage.database import Database
Database(Path(sys.argv[3]))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "data" / "library.sqlite3"
    make_version_1(made)
    return made


def schema_of(path: Path) -> dict[str, str]:
    """Every table, index and trigger by name, without comments and space."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {name: re.sub(r"--[^\n]*|\s+", "", sql).replace('"', "") for name, sql in rows}


def contents_of(path: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        return [f"version {version}", *db.iterdump()]


def test_an_upgraded_catalog_has_the_schema_of_a_new_one(path: Path, tmp_path: Path) -> None:
    Database(path).close()
    Database(tmp_path / "new.sqlite3").close()
    assert schema_of(path) == schema_of(tmp_path / "new.sqlite3")


def test_what_the_old_version_read_is_all_there(path: Path) -> None:
    database = Database(path)
    catalog = Catalog(database)
    [file] = catalog.files()
    assert (file.state, file.title, file.coverage.pages, file.tags) == (
        FileState.READY,
        "Lamp",
        0,
        (),
    )
    assert catalog.resolve([ChunkId(1)])[ChunkId(1)].text == TEXT
    assert catalog.text(DocumentId(1)) == TEXT
    assert catalog.parts(DocumentId(1)) == ()
    assert [source.path for source in Sources(database).all()] == ["/gone"]
    database.close()


def test_it_is_upgraded_once(path: Path) -> None:
    for _ in range(3):
        Database(path).close()
        assert contents_of(path)[0] == f"version {SCHEMA_VERSION}"
    assert len(backups.kept_copies(path.parent)) == 1


def test_a_copy_of_the_old_catalog_is_kept(path: Path) -> None:
    before = contents_of(path)
    Database(path).close()
    [copy] = backups.kept_copies(path.parent)
    assert copy.name.startswith("library-v1-")
    assert contents_of(copy) == before


def test_only_the_newest_three_copies_stay(path: Path) -> None:
    for _ in range(5):
        make_again(path)
        Database(path).close()
    assert len(backups.kept_copies(path.parent)) == 3


def make_again(path: Path) -> None:
    for file in path.parent.glob("library.sqlite3*"):
        file.unlink()
    make_version_1(path)


def test_no_room_for_the_copy_is_said_and_nothing_changes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents_of(path)
    monkeypatch.setattr(backups, "_SPARE_ROOM", 1 << 62)
    with pytest.raises(DiskFull, match="nothing was changed"):
        Database(path)
    assert contents_of(path) == before
    assert backups.kept_copies(path.parent) == []


@pytest.mark.parametrize("statement", range(len(migrations.STEPS[1])))
def test_a_statement_that_fails_leaves_the_old_catalog(
    path: Path, statement: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents_of(path)
    steps = list(migrations.STEPS[1])
    steps.insert(statement, "no such statement")
    monkeypatch.setitem(migrations.STEPS, 1, tuple(steps))
    with pytest.raises(LibraryDamaged, match="Nothing was changed"):
        Database(path)
    assert contents_of(path) == before


def test_a_kill_at_any_statement_leaves_a_catalog_that_opens(path: Path) -> None:
    before = contents_of(path)
    number, kills = 0, 0
    while True:
        number += 1
        make_again(path)
        if not run_killed_at(number, _OPEN, path):
            break
        kills += 1
        left = contents_of(path)
        # The upgrade is all there or not at all; all there is only possible at the very end.
        assert left == before or left[0] == f"version {SCHEMA_VERSION}"
        database = Database(path)
        assert Catalog(database).text(DocumentId(1)) == TEXT
        database.close()
    assert kills > len(migrations.STEPS[1])


def test_a_kill_at_any_statement_of_the_first_start_is_made_up_for(tmp_path: Path) -> None:
    number = 0
    while True:
        number += 1
        path = tmp_path / str(number) / "library.sqlite3"
        if not run_killed_at(number, _OPEN, path):
            break
        database = Database(path)
        assert Catalog(database).files() == []
        database.close()
    assert number > 5


class TestAnEmptiedCatalog:
    """Zero bytes where a library was: a disk's accident, not a new library."""

    def test_is_refused_beside_an_index(self, tmp_path: Path) -> None:
        (tmp_path / "index").mkdir()
        (tmp_path / "index" / "manifest.json").write_text("{}")
        path = tmp_path / "library.sqlite3"
        path.touch()
        with pytest.raises(LibraryDamaged, match=r"restore FILE --force.*delete that file"):
            Database(path)
        assert path.read_bytes() == b""

    def test_names_the_copy_to_restore(self, path: Path) -> None:
        Database(path).close()
        [copy] = backups.kept_copies(path.parent)
        path.write_bytes(b"")
        with pytest.raises(LibraryDamaged, match=re.escape(str(copy))):
            Database(path)

    def test_alone_is_a_new_library(self, tmp_path: Path) -> None:
        path = tmp_path / "library.sqlite3"
        path.touch()
        Database(path).close()
        assert path.stat().st_size
