"""Older catalogs are copied whole or left alone; newer ones name versions and the way back."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from pathlib import Path

import pytest

from desktop_rag import __version__, paths
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import LibraryDamaged, LibraryTooNew
from desktop_rag.paths import DataDir
from desktop_rag.storage import archives, backups
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import SCHEMA_VERSION, Database, open_read_only
from desktop_rag.storage.glance import is_outdated
from tests.helpers.old_library import TEXT, make_version_1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "library.sqlite3"


def make_newer(path: Path, program: str = "9.1.0") -> None:
    """As a later version leaves it after an upgrade of what this version had written."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE dreams (a)")
        db.execute("INSERT OR REPLACE INTO meta VALUES ('program', ?)", (program,))
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def upgraded_by_a_newer_one(path: Path) -> Path:
    """Returns the copy that was made before."""
    Database(path).close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        copy = backups.keep_whole_copy(db, path.parent, f"v{SCHEMA_VERSION}")
    assert copy is not None
    make_newer(path)
    return copy


def sums(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def refusal(path: Path) -> LibraryTooNew:
    before = sums(path.parent)
    with pytest.raises(LibraryTooNew) as told:
        Database(path)
    assert sums(path.parent) == before
    return told.value


class TestANewerOne:
    def test_is_refused_with_both_versions(self, path: Path) -> None:
        Database(path).close()
        make_newer(path)
        error = refusal(path)
        assert f"(9.1.0, library format {SCHEMA_VERSION + 1}; this is {__version__}" in str(error)
        assert error.details == {
            "version": str(SCHEMA_VERSION + 1),
            "readable": str(SCHEMA_VERSION),
            "program": "9.1.0",
        }
        assert "restore" not in error.message

    @pytest.mark.parametrize("program", ["", "a sentence, not a version", "x" * 99])
    def test_need_not_say_which_program_wrote_it(self, path: Path, program: str) -> None:
        Database(path).close()
        make_newer(path, program)
        error = refusal(path)
        assert "program" not in error.details
        assert f"(library format {SCHEMA_VERSION + 1}; " in error.message

    def test_need_not_have_the_table_that_says_it(self, path: Path) -> None:
        Database(path).close()
        make_newer(path)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("DROP TABLE meta")
        assert "newer version" in refusal(path).message

    def test_names_the_copy_to_go_back_to(self, path: Path) -> None:
        copy = upgraded_by_a_newer_one(path)
        error = refusal(path)
        command = f"`desktop-rag restore {copy} --force --data-dir {path.parent}`"
        assert error.message.endswith(f"{command}.")
        assert error.details["copy"] == str(copy)
        assert error.details["copied"].count("-") == 2

    def test_is_gone_back_from_in_its_own_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "My data" / "library.sqlite3"
        copy = upgraded_by_a_newer_one(path)
        whole = f'restore "{copy}" --force --data-dir "{path.parent}"`.'
        assert refusal(path).message.endswith(whole)
        monkeypatch.setenv(paths.DATA_DIR_VARIABLE, str(path.parent))
        assert refusal(path).message.endswith(f'restore "{copy}" --force`.')

    def test_names_no_copy_that_cannot_be_read_either(self, path: Path) -> None:
        copy = upgraded_by_a_newer_one(path)
        copy.rename(copy.with_name(copy.name.replace(f"v{SCHEMA_VERSION}", "v99")))
        assert "copy" not in refusal(path).details

    def test_can_be_gone_back_from(self, path: Path) -> None:
        make_version_1(path)
        copy = upgraded_by_a_newer_one(path)
        done = archives.restore(DataDir(path.parent), copy, is_forced=True)
        database = Database(path)
        assert Catalog(database).text(DocumentId(1)) == TEXT
        database.close()
        assert done.kept is not None
        with contextlib.closing(sqlite3.connect(done.kept)) as db:
            assert db.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION + 1

    def test_is_refused_by_who_only_reads(self, path: Path) -> None:
        copy = upgraded_by_a_newer_one(path)
        with pytest.raises(LibraryTooNew, match=copy.name):
            open_read_only(path)


class TestAnOlderOne:
    @pytest.fixture(autouse=True)
    def old(self, path: Path) -> None:
        make_version_1(path)

    def test_says_then_which_program_brought_it_up_to_date(self, path: Path) -> None:
        assert is_outdated(path)
        Database(path).close()
        assert not is_outdated(path)
        with contextlib.closing(sqlite3.connect(path)) as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'program'").fetchone()
        assert row[0] == __version__

    def test_that_is_damaged_is_not_touched(self, path: Path) -> None:
        damage(path)
        before = sums(path.parent)
        with pytest.raises(LibraryDamaged, match=r"damaged, so it was not brought up to date"):
            Database(path)
        assert sums(path.parent) == before

    def test_that_is_damaged_takes_no_good_copy_away(self, path: Path) -> None:
        good = []
        for _ in range(backups.KEPT):
            with contextlib.closing(sqlite3.connect(path)) as db:
                good.append(backups.keep_whole_copy(db, path.parent, "v1"))
        damage(path)
        with pytest.raises(LibraryDamaged):
            Database(path)
        assert backups.kept_copies(path.parent) == good[::-1]

    def test_that_cannot_be_upgraded_takes_no_other_copy_away(self, path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE skipped_files (a)")
        folder = backups.backups_dir(path.parent)
        folder.mkdir()
        other = folder / "library-v3-20260101T000000000000Z.sqlite3"
        other.touch()
        for _ in range(backups.KEPT + 2):
            with pytest.raises(LibraryDamaged, match="could not be brought up to date"):
                Database(path)
        copies = backups.kept_copies(path.parent)
        assert (copies[-1], len(copies)) == (other, backups.KEPT + 1)

    def test_keeps_the_newest_three_copies_whatever_their_version(self, path: Path) -> None:
        folder = backups.backups_dir(path.parent)
        folder.mkdir()
        for version, day in ((4, 1), (2, 2), (3, 3)):
            (folder / f"library-v{version}-2026010{day}T000000000000Z.sqlite3").touch()
        (folder / "library-replaced-20260101T000000000000Z.sqlite3").touch()
        Database(path).close()
        kinds = [copy.name.split("-")[1] for copy in backups.kept_copies(path.parent)]
        assert kinds == ["v1", "v3", "v2", "replaced"]


def damage(path: Path) -> None:
    """Spoil a page of a table that no upgrade looks at."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = db.execute("PRAGMA page_size").fetchone()[0]
        [page] = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'vectors'").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 300])
def test_what_is_no_catalog_is_not_called_outdated(tmp_path: Path, content: bytes) -> None:
    assert not is_outdated(tmp_path / "missing")
    (tmp_path / "file").write_bytes(content)
    assert not is_outdated(tmp_path / "file")
