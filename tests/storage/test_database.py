"""The catalog's file: made once, refused when foreign or newer, one transaction at a time."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import pytest

from desktop_rag.domain.errors import DiskFull, LibraryDamaged, LibraryTooNew, UserError
from desktop_rag.storage.database import SCHEMA_VERSION, Database, named_errors, open_read_only


def add_conversation(db: sqlite3.Connection, title: str = "t") -> None:
    db.execute(
        "INSERT INTO conversations (title, created_at, updated_at) VALUES (?, '', '')", (title,)
    )


def titles(database: Database) -> list[str]:
    with database.read() as db:
        return [row["title"] for row in db.execute("SELECT title FROM conversations ORDER BY id")]


def test_a_library_opens_again_with_what_it_held(tmp_path: Path) -> None:
    path = tmp_path / "new" / "library.sqlite3"
    first = Database(path)
    with first.write() as db:
        add_conversation(db, "kept")
    first.close()
    second = Database(path)
    assert titles(second) == ["kept"]
    second.close()


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    def half() -> None:
        with database.write() as db:
            add_conversation(db)
            db.execute("no such statement")

    with pytest.raises(sqlite3.OperationalError):
        half()
    assert titles(database) == []


def test_a_reader_sees_the_state_from_before_a_running_write(database: Database) -> None:
    with database.write() as db:
        add_conversation(db)
        assert titles(database) == []
    assert titles(database) == ["t"]


def test_writers_on_many_threads_take_turns(database: Database) -> None:
    def write() -> None:
        for _ in range(20):
            with database.write() as db:
                add_conversation(db)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(titles(database)) == 80


def test_a_newer_library_is_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite3"
    Database(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(LibraryTooNew, match="newer version"):
        Database(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE theirs (a)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(LibraryDamaged, match="another program"):
        Database(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"this is no database, but long enough to be looked at" * 40])
def test_rubbish_is_refused_and_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "library.sqlite3"
    path.write_bytes(content)
    with pytest.raises(LibraryDamaged, match="backup"):
        Database(path)
    assert path.read_bytes() == content


def test_a_file_in_place_of_the_data_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(UserError, match="--data-dir"):
        Database(tmp_path / "data" / "library.sqlite3")


def test_a_full_disk_undoes_the_transaction_and_says_so(database: Database) -> None:
    with database.write() as db:
        add_conversation(db, "before")
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(DiskFull, match="Free some space"), database.write() as db:
        add_conversation(db, "x" * 1_000_000)
    assert titles(database) == ["before"]


def test_a_disk_that_fails_is_named_with_what_to_do(tmp_path: Path) -> None:
    failure = sqlite3.OperationalError("disk I/O error")
    failure.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
    told = pytest.raises(UserError, match="Check that it is plugged in")
    with told, named_errors(tmp_path / "library.sqlite3"):
        raise failure


class TestWhatAccidentsLeave:
    """A library after a power cut, a copy by hand, a failing disk."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        made = tmp_path / "library.sqlite3"
        opened = Database(made)
        for number in range(200):
            with opened.write() as db:
                add_conversation(db, f"{number} " + "x" * 500)
        opened.close()
        return made

    def test_a_log_that_was_left_behind_is_taken_in(self, path: Path) -> None:
        opened = Database(path)
        with opened.write() as db:
            add_conversation(db, "in the log only")
        log = path.with_name("library.sqlite3-wal")
        left = {log: log.read_bytes(), path: path.read_bytes()}
        opened.close()
        for file, content in left.items():
            file.write_bytes(content)
        again = Database(path)
        assert titles(again)[-1] == "in the log only"
        again.close()

    def test_a_log_cut_in_the_middle_keeps_what_was_whole(self, path: Path) -> None:
        opened = Database(path)
        for title in ("first", "second"):
            with opened.write() as db:
                add_conversation(db, title + "y" * 9000)
        log = path.with_name("library.sqlite3-wal")
        left = {log: log.read_bytes()[:-5000], path: path.read_bytes()}
        opened.close()
        for file, content in left.items():
            file.write_bytes(content)
        again = Database(path)
        assert titles(again)[-1].startswith("first")
        again.close()

    @pytest.mark.parametrize("share", [0.001, 0.1, 0.5, 0.9])
    def test_a_file_cut_short_is_told(self, path: Path, share: float) -> None:
        content = path.read_bytes()
        path.write_bytes(content[: int(len(content) * share)])
        with pytest.raises(LibraryDamaged, match="Restore it from a backup"):
            self._read_all(path)

    def test_rubbish_inside_is_told(self, path: Path) -> None:
        content = bytearray(path.read_bytes())
        for start in range(4096, len(content), 4096):
            content[start : start + 200] = b"\xff" * 200
        path.write_bytes(content)
        with pytest.raises(LibraryDamaged, match="Restore it from a backup"):
            self._read_all(path)

    @pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write anywhere")
    def test_a_folder_that_cannot_be_written_is_told(self, path: Path) -> None:
        path.parent.chmod(0o500)
        path.chmod(0o400)
        try:
            with pytest.raises(UserError, match="permissions"):
                Database(path)
        finally:
            path.parent.chmod(0o700)

    @staticmethod
    def _read_all(path: Path) -> None:
        opened = Database(path)
        try:
            titles(opened)
        finally:
            opened.close()

    def test_a_medium_that_cannot_be_written_can_be_read(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "access", lambda *_: False)
        connection = open_read_only(path)
        assert connection.execute("SELECT count(*) FROM conversations").fetchone()[0] == 200
        connection.close()
        assert [file.name for file in path.parent.iterdir()] == [path.name]  # no log was begun
