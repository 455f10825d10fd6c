"""Backups: one file out, the same library in, nothing in between."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from desktop_rag import paths
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import (
    DiskFull,
    InvalidInput,
    LibraryDamaged,
    LibraryLocked,
    LibraryTooNew,
    NotFound,
)
from desktop_rag.domain.library import FileState
from desktop_rag.storage import archives, backups, erasing
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.database import SCHEMA_VERSION, Database
from desktop_rag.storage.sources import NOT_SEEN_HERE, Sources
from tests.helpers.fakes import FakeIndex
from tests.helpers.killing import run_killed_at
from tests.helpers.library import fill_library
from tests.helpers.old_library import TEXT, make_version_1
from tests.helpers.reading import read_document


def make_library(root: Path, *texts: str) -> paths.DataDir:
    folder = paths.DataDir(root)
    database = Database(folder.database)
    fill_library(database, FakeIndex(), [read_document(text) for text in texts])
    database.close()
    folder.settings.write_text("ocr = false\n", encoding="utf-8")
    return folder


def texts_of(folder: paths.DataDir) -> list[str]:
    database = Database(folder.database)
    catalog = Catalog(database)
    found = [catalog.text(file.id).strip() for file in catalog.files()]
    database.close()
    return found


@pytest.fixture
def library(tmp_path: Path) -> paths.DataDir:
    return make_library(tmp_path / "first", "Whales sing.", "Owls hoot at night.")


@pytest.fixture
def backup(library: paths.DataDir, tmp_path: Path) -> Path:
    return archives.write_backup(library, tmp_path / "library.zip").path


@pytest.fixture
def empty(tmp_path: Path) -> paths.DataDir:
    return paths.DataDir(tmp_path / "second")


def rewritten(path: Path, **changes: object) -> Path:
    """The same backup with another manifest."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = msgspec.json.decode(members["manifest.json"])
    members["manifest.json"] = msgspec.json.encode({**manifest, **changes})
    target = path.with_name("changed.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


class TestBackup:
    def test_tells_what_is_in_it_and_leaves_nothing_else(
        self, library: paths.DataDir, tmp_path: Path
    ) -> None:
        made = archives.write_backup(library, tmp_path / "library.zip")
        assert (made.documents, made.size) == (2, made.path.stat().st_size)
        assert made.chunks == len(texts_of(library))
        assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["library.zip"]

    def test_works_while_another_connection_writes(
        self, library: paths.DataDir, tmp_path: Path
    ) -> None:
        database = Database(library.database)
        with database.write() as db:
            db.execute("DELETE FROM document_texts")
            made = archives.write_backup(library, tmp_path / "library.zip")
        database.close()
        assert made.documents == 2  # as it was before the running transaction

    def test_replaces_a_backup_and_nothing_else(
        self, library: paths.DataDir, backup: Path, tmp_path: Path
    ) -> None:
        assert archives.write_backup(library, backup).documents == 2
        precious = tmp_path / "thesis.docx"
        with zipfile.ZipFile(precious, "w") as archive:
            archive.writestr("word/document.xml", "<w/>")
        before = precious.read_bytes()
        with pytest.raises(InvalidInput, match="not overwritten"):
            archives.write_backup(library, precious)
        assert precious.read_bytes() == before

    def test_replaces_one_of_a_newer_version(self, library: paths.DataDir, backup: Path) -> None:
        newer = rewritten(backup, schema=SCHEMA_VERSION + 1)
        archives.write_backup(library, newer)
        assert archives.read_manifest(newer).schema == SCHEMA_VERSION

    def test_names_a_folder_or_library_that_is_missing(
        self, library: paths.DataDir, empty: paths.DataDir, tmp_path: Path
    ) -> None:
        with pytest.raises(NotFound, match="does not exist; make it"):
            archives.write_backup(library, tmp_path / "nowhere" / "library.zip")
        with pytest.raises(InvalidInput, match="is a folder"):
            archives.write_backup(library, tmp_path)
        with pytest.raises(NotFound, match="no library"):
            archives.write_backup(empty, tmp_path / "library.zip")

    def test_says_when_there_is_no_room(
        self, library: paths.DataDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(backups, "_SPARE_ROOM", 1 << 62)
        with pytest.raises(DiskFull, match="MB are free"):
            archives.write_backup(library, tmp_path / "library.zip")
        assert not (tmp_path / "library.zip").exists()


class TestRestore:
    def test_into_an_empty_folder_brings_texts_settings_and_vectors(
        self, backup: Path, empty: paths.DataDir
    ) -> None:
        done = archives.restore(empty, backup, is_forced=False)
        assert (done.documents, done.kept) == (2, None)
        assert texts_of(empty) == ["Whales sing.", "Owls hoot at night."]
        assert empty.settings.read_text(encoding="utf-8") == "ocr = false\n"
        assert sorted(entry.name for entry in empty.root.iterdir()) == [
            "library.sqlite3",
            "settings.toml",
        ]

    def test_an_index_gets_everything_whatever_it_says_it_holds(
        self, backup: Path, empty: paths.DataDir
    ) -> None:
        archives.restore(empty, backup, is_forced=False)
        database = Database(empty.database)
        log = ChangeLog(database)
        assert not any(log.can_catch_up(applied) for applied in (0, 1, 2, 3, 10_000_000))
        chunks = [c for batch in log.everything("fake-words-1") for c in batch.upserts]
        assert len(chunks) == log.unapplied_chunks() == 2
        database.close()

    def test_sources_count_as_not_seen_and_half_read_files_are_left_out(
        self, library: paths.DataDir, empty: paths.DataDir, tmp_path: Path
    ) -> None:
        database = Database(library.database)
        with database.write() as db:
            db.execute(
                "INSERT INTO documents (source_id, path, size, mtime_ns, ctime_ns, state)"
                " VALUES (1, '/documents/new.pdf', 1, 1, 1, 'queued')"
            )
            db.execute("UPDATE documents SET state = 'queued' WHERE id = 1")
            db.execute("INSERT INTO jobs (document_id, state) SELECT id, 'queued' FROM documents")
        database.close()
        made = archives.write_backup(library, tmp_path / "library.zip")
        archives.restore(empty, made.path, is_forced=False)
        database = Database(empty.database)
        assert [s.device for s in Sources(database).all()] == [NOT_SEEN_HERE]
        states = [(file.path, file.state) for file in Catalog(database).files()]
        assert states == [("/documents/1.pdf", "ready"), ("/documents/2.pdf", "ready")]
        database.close()

    def test_a_half_recognised_scan_waits_for_its_pages(
        self, library: paths.DataDir, empty: paths.DataDir, tmp_path: Path
    ) -> None:
        database = Database(library.database)
        with database.write() as db:
            db.execute("""UPDATE documents SET coverage = '{"waiting": [2]}' WHERE id = 1""")
        database.close()
        made = archives.write_backup(library, tmp_path / "library.zip")
        archives.restore(empty, made.path, is_forced=False)
        database = Database(empty.database)
        states = [file.state for file in Catalog(database).files()]
        assert states == [FileState.QUEUED, FileState.READY]
        database.close()

    def test_leftovers_of_a_restore_that_was_killed_do_not_matter(
        self, backup: Path, empty: paths.DataDir
    ) -> None:
        staging = empty.root / archives.STAGING
        staging.mkdir(parents=True)
        (staging / "library.sqlite3-wal").write_bytes(b"rubbish")
        archives.restore(empty, backup, is_forced=False)
        assert texts_of(empty) == ["Whales sing.", "Owls hoot at night."]
        assert not staging.exists()

    def test_while_another_program_reads_the_old_library_nothing_changes(
        self, backup: Path, tmp_path: Path
    ) -> None:
        other = make_library(tmp_path / "other", "Foxes bark.")
        with contextlib.closing(sqlite3.connect(other.database)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("BEGIN")
            db.execute("SELECT count(*) FROM documents").fetchone()
            with pytest.raises(LibraryLocked, match="read by another program"):
                archives.restore(other, backup, is_forced=True)
        assert texts_of(other) == ["Foxes bark."]

    def test_over_a_library_only_by_force_and_keeping_it(
        self, backup: Path, tmp_path: Path
    ) -> None:
        other = make_library(tmp_path / "other", "Foxes bark.")
        with pytest.raises(InvalidInput, match="--force"):
            archives.restore(other, backup, is_forced=False)
        other.settings.write_text("ocr = true\n", encoding="utf-8")
        other.index.mkdir()
        done = archives.restore(other, backup, is_forced=True)
        assert texts_of(other) == ["Whales sing.", "Owls hoot at night."]
        assert not other.index.exists()
        assert done.kept is not None
        [settings] = done.kept.parent.glob("settings-*.toml")
        assert settings.read_text(encoding="utf-8") == "ocr = true\n"
        archives.restore(other, done.kept, is_forced=True)
        assert texts_of(other) == ["Foxes bark."]

    def test_takes_back_a_deletion_that_was_interrupted(
        self, backup: Path, library: paths.DataDir
    ) -> None:
        erasing.request(library, with_models=False)
        with pytest.raises(InvalidInput):
            archives.restore(library, backup, is_forced=False)
        assert erasing.is_requested(library), "nothing was restored yet"
        archives.restore(library, backup, is_forced=True)
        assert not erasing.is_requested(library)

    def test_over_a_damaged_library_keeps_its_bytes(
        self, backup: Path, empty: paths.DataDir
    ) -> None:
        empty.root.mkdir()
        empty.database.write_bytes(b"rubbish" * 1000)
        done = archives.restore(empty, backup, is_forced=True)
        assert done.kept is not None
        assert done.kept.read_bytes() == b"rubbish" * 1000
        assert len(texts_of(empty)) == 2

    def test_a_log_of_the_old_library_never_meets_the_new_one(
        self, backup: Path, tmp_path: Path
    ) -> None:
        other = make_library(tmp_path / "other", "Foxes bark.")
        log = other.database.with_name("library.sqlite3-wal")
        database = Database(other.database)
        with database.write() as db:
            db.execute("UPDATE document_texts SET text = 'Foxes scream.'")
        left = log.read_bytes()  # as a kill would leave it
        before = other.database.read_bytes()
        database.close()
        other.database.write_bytes(before)
        log.write_bytes(left)
        done = archives.restore(other, backup, is_forced=True)
        assert not log.exists()
        assert len(texts_of(other)) == 2
        assert done.kept is not None
        archives.restore(other, done.kept, is_forced=True)
        assert texts_of(other) == ["Foxes scream."]

    def test_of_an_older_version_is_upgraded_when_opened(self, tmp_path: Path) -> None:
        old, new = paths.DataDir(tmp_path / "old"), paths.DataDir(tmp_path / "new")
        make_version_1(old.database)
        made = archives.write_backup(old, tmp_path / "library.zip")
        archives.restore(new, made.path, is_forced=False)
        assert texts_of(new) == [TEXT]

    def test_paths_of_another_system_do_not_matter(
        self, library: paths.DataDir, empty: paths.DataDir, tmp_path: Path
    ) -> None:
        with contextlib.closing(sqlite3.connect(library.database)) as db:
            db.execute("UPDATE sources SET path = 'C:\\Users\\me\\Documents'")
            db.execute("UPDATE documents SET path = 'C:\\Users\\me\\Documents\\' || id || '.pdf'")
            db.commit()
        made = archives.write_backup(library, tmp_path / "library.zip")
        archives.restore(empty, made.path, is_forced=False)
        database = Database(empty.database)
        assert Catalog(database).file(DocumentId(1)).path == "C:\\Users\\me\\Documents\\1.pdf"
        database.close()


class TestRefused:
    @pytest.fixture(autouse=True)
    def _nothing_is_left(self, empty: paths.DataDir) -> Iterator[None]:
        yield
        assert not empty.database.exists()
        assert list(empty.root.glob("*")) == []

    def test_a_missing_file(self, empty: paths.DataDir, tmp_path: Path) -> None:
        with pytest.raises(NotFound, match="does not exist"):
            archives.restore(empty, tmp_path / "none.zip", is_forced=False)

    @pytest.mark.parametrize("content", [b"", b"rubbish", b"%PDF-1.7\n" * 500])
    def test_a_file_of_another_kind(
        self, empty: paths.DataDir, tmp_path: Path, content: bytes
    ) -> None:
        (tmp_path / "odd").write_bytes(content)
        with pytest.raises(LibraryDamaged, match="nothing was restored"):
            archives.restore(empty, tmp_path / "odd", is_forced=False)

    def test_a_zip_of_another_kind(self, empty: paths.DataDir, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
            archive.writestr("a.txt", "a")
        with pytest.raises(LibraryDamaged, match="no backup"):
            archives.restore(empty, tmp_path / "odd.zip", is_forced=False)

    def test_a_database_of_another_program(self, empty: paths.DataDir, tmp_path: Path) -> None:
        with contextlib.closing(sqlite3.connect(tmp_path / "theirs.db")) as db:
            db.execute("CREATE TABLE theirs (a)")
        with pytest.raises(LibraryDamaged, match="no backup"):
            archives.restore(empty, tmp_path / "theirs.db", is_forced=False)

    @pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
    def test_a_truncated_backup(self, backup: Path, empty: paths.DataDir, share: float) -> None:
        content = backup.read_bytes()
        backup.write_bytes(content[: int(len(content) * share)])
        with pytest.raises(LibraryDamaged):
            archives.restore(empty, backup, is_forced=False)

    @pytest.mark.parametrize("share", [0.02, 0.3, 0.6])
    def test_a_backup_with_a_bad_byte(
        self, backup: Path, empty: paths.DataDir, share: float
    ) -> None:
        content = bytearray(backup.read_bytes())
        content[int(len(content) * share)] ^= 0xFF
        backup.write_bytes(content)
        with pytest.raises(LibraryDamaged, match=r"damaged|no backup"):
            archives.restore(empty, backup, is_forced=False)

    def test_a_backup_whose_catalog_was_exchanged(
        self, backup: Path, empty: paths.DataDir, tmp_path: Path
    ) -> None:
        with zipfile.ZipFile(backup) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        catalog = members["library.sqlite3"]
        members["library.sqlite3"] = catalog.replace(b"Whales sing.", b"Whales sink.")
        assert members["library.sqlite3"] != catalog
        with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        with pytest.raises(LibraryDamaged, match="damaged or incomplete"):
            archives.restore(empty, tmp_path / "odd.zip", is_forced=False)

    def test_a_kept_copy_with_bad_pages(
        self, library: paths.DataDir, empty: paths.DataDir, tmp_path: Path
    ) -> None:
        copy = tmp_path / "library-copy.sqlite3"
        with contextlib.closing(sqlite3.connect(library.database)) as db:
            backups.copy_database(db, copy)
            root = db.execute(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'vectors'"
            ).fetchone()[0]
            size = db.execute("PRAGMA page_size").fetchone()[0]
        content = bytearray(copy.read_bytes())
        content[(root - 1) * size : root * size] = bytes(size)
        copy.write_bytes(content)
        with pytest.raises(LibraryDamaged, match="damaged or incomplete"):
            archives.restore(empty, copy, is_forced=False)

    @pytest.mark.parametrize("change", [{"format": 2}, {"schema": SCHEMA_VERSION + 1}])
    def test_a_newer_backup(
        self, backup: Path, empty: paths.DataDir, change: dict[str, int]
    ) -> None:
        with pytest.raises(LibraryTooNew, match="newer version"):
            archives.restore(empty, rewritten(backup, **change), is_forced=False)

    @pytest.mark.parametrize(
        "files",
        [
            {},
            {"library.sqlite3": {"size": 1 << 60, "sha256": ""}},
            {"library.sqlite3": {"size": 4096, "sha256": ""}, "../../evil": {"size": 1}},
            "everything",
        ],
    )
    def test_a_backup_that_lies(self, backup: Path, empty: paths.DataDir, files: object) -> None:
        with pytest.raises(LibraryDamaged, match="no backup"):
            archives.restore(empty, rewritten(backup, files=files), is_forced=False)


_RESTORE = """
from pathlib import Path
from desktop_rag import paths
from desktop_rag.storage import archives
archives.restore(paths.DataDir(Path(sys.argv[3])), Path(sys.argv[4]), is_forced=True)
"""
_BACKUP = """
from pathlib import Path
from desktop_rag import paths
from desktop_rag.storage import archives
archives.write_backup(paths.DataDir(Path(sys.argv[3])), Path(sys.argv[4]))
"""


def test_a_kill_anywhere_in_a_restore_leaves_the_old_or_the_new_library(
    backup: Path, tmp_path: Path
) -> None:
    original = make_library(tmp_path / "original", "Foxes bark.")
    seen = set()
    number = 0
    while True:
        number += 1
        folder = paths.DataDir(tmp_path / "killed")
        shutil.rmtree(folder.root, ignore_errors=True)
        shutil.copytree(original.root, folder.root)
        if not run_killed_at(number, _RESTORE, folder.root, backup, word="killed"):
            break
        seen.add(tuple(texts_of(folder)))
    assert seen == {("Foxes bark.",), ("Whales sing.", "Owls hoot at night.")}
    assert number > 40


def test_a_kill_anywhere_in_a_backup_leaves_the_library_and_the_last_backup(
    library: paths.DataDir, backup: Path, empty: paths.DataDir
) -> None:
    number = 0
    while run_killed_at(number + 1, _BACKUP, library.root, backup, word="library.zip"):
        number += 1
        assert archives.read_manifest(backup).documents == 2
    assert number > 10
    assert archives.restore(empty, backup, is_forced=False).documents == 2
    assert len(texts_of(library)) == 2
