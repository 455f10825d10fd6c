"""The check-up: silent about a sound library, and one plain line for everything that is wrong."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.domain.errors import RoleUnavailable
from desktop_rag.services.models import ModelLibrary
from desktop_rag.services.upkeep import CheckUp, Finding, Mending, Outcome, Repair
from desktop_rag.storage import archives, backups
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.database import SCHEMA_VERSION, Database
from tests.helpers.fakes import FINGERPRINT, FakeIndex, FakeReader
from tests.helpers.library import fill_library
from tests.helpers.old_library import make_version_1
from tests.helpers.reading import read_document


class Clinic:
    """A data folder with three documents, and its check-up."""

    def __init__(self, root: Path) -> None:
        self.folder = paths.DataDir(root / "data")
        self.index = FakeIndex()
        self.models = ModelLibrary(root / "models", paths.shipped("models"), lambda _: None)
        database = Database(self.folder.database)
        texts = ["Whales sing.", "Owls hoot.", "Foxes bark."]
        fill_library(database, self.index, [read_document(text, "More.") for text in texts])
        with database.write() as db:
            db.execute("UPDATE documents SET reader = 'fake-1+paragraphs-1'")
            db.execute("UPDATE sources SET path = ?", (str(root),))
        log = ChangeLog(database)
        for batch in log.everything(FINGERPRINT):
            self.index.apply(batch)
        database.close()
        self.folder.root.chmod(0o700)
        self.check_up = self._new()

    def _new(self, *, is_full: bool = True) -> CheckUp:
        return CheckUp(self.folder, self.models, self.index, FakeReader(), is_full=is_full)

    def findings(self, *, is_full: bool = True) -> list[Finding]:
        self.check_up = self._new(is_full=is_full)
        return list(self.check_up.run())

    def worse(self) -> list[Finding]:
        return [one for one in self.findings() if one.outcome is not Outcome.OK]

    def the_one(self, check: str) -> Finding:
        [found] = [one for one in self.worse() if one.check == check]
        return found

    def mend(self) -> list[str]:
        findings = self.findings()
        return Mending(self.folder, self.check_up.seen).mend(findings)

    def change(self, *statements: str) -> None:
        with contextlib.closing(sqlite3.connect(self.folder.database)) as db:
            for statement in statements:
                db.execute(statement)
            db.commit()

    def value(self, query: str) -> object:
        with contextlib.closing(sqlite3.connect(self.folder.database)) as db:
            return db.execute(query).fetchone()[0]


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return Clinic(tmp_path)


@pytest.mark.parametrize("is_full", [False, True])
def test_a_sound_library_has_no_problem(clinic: Clinic, *, is_full: bool) -> None:
    findings = clinic.findings(is_full=is_full)
    assert [one for one in findings if one.outcome is not Outcome.OK] == []
    checks = {one.check for one in findings}
    assert {"library", "texts", "vectors", "queue", "search index", "models"} <= checks
    assert {"disk", "data folder", "leftovers", "settings", "logs", "sources"} <= checks


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE chunks SET text = 'Wolves howl.' WHERE id = 1", "differs from the text"),
        ("UPDATE chunks SET hash = x'00' WHERE id = 1", "checksum"),
        ("UPDATE document_texts SET text = 'x' WHERE document_id = 1", "outside of its text"),
        ("UPDATE document_texts SET blocks = x'1234' WHERE document_id = 1", "cannot be read"),
        ("UPDATE documents SET coverage = '[' WHERE id = 1", "cannot be read"),
        ("DELETE FROM document_texts WHERE document_id = 1", "its text is missing"),
        ("DELETE FROM chunks WHERE id = 1", "1 of 2 passages are there"),
    ],
)
def test_a_document_that_contradicts_itself_is_read_again(
    clinic: Clinic, statement: str, words: str
) -> None:
    clinic.change(statement)
    found = clinic.the_one("texts")
    assert (found.outcome, found.repair) == (Outcome.PROBLEM, Repair.READ_AGAIN)
    assert words in found.message
    assert "/documents/1.pdf" in found.message
    assert "Queued 1 files to be read again." in clinic.mend()
    assert clinic.value("SELECT count(*) FROM jobs WHERE document_id = 1") == 1
    assert clinic.value("SELECT reader FROM documents WHERE id = 1") == ""


def test_an_index_that_lacks_a_chunk_is_made_again(clinic: Clinic) -> None:
    clinic.index._chunks.popitem()
    found = clinic.the_one("search index")
    assert (found.outcome, found.repair) == (Outcome.PROBLEM, Repair.INDEX)
    clinic.folder.index.mkdir()
    clinic.mend()
    assert not clinic.folder.index.exists()


def test_an_index_that_holds_the_wrong_chunk_is_found_out(clinic: Clinic) -> None:
    chunk, contents = clinic.index._chunks.popitem()
    clinic.index._chunks[type(chunk)(999)] = contents
    assert "not in it" in clinic.the_one("search index").message


def test_an_index_that_does_not_start_is_a_problem(clinic: Clinic) -> None:
    clinic.index.failure = RoleUnavailable("The search index does not start.")
    assert "does not start" in clinic.the_one("search index").message


def test_vectors_that_are_damaged_or_of_no_use_are_removed(clinic: Clinic) -> None:
    clinic.change(
        "UPDATE vectors SET vector = x'00' WHERE hash = (SELECT hash FROM chunks WHERE id = 1)"
    )
    assert clinic.the_one("vectors").repair is Repair.VECTORS
    clinic.mend()
    assert clinic.the_one("vectors").outcome is Outcome.NOTE  # to be made again
    clinic.change("INSERT INTO vectors VALUES (x'aa', 'another-embedder', x'00')")
    assert clinic.the_one("unused").repair is Repair.UNUSED
    before = clinic.value("SELECT count(*) FROM vectors")
    clinic.mend()
    assert clinic.value("SELECT count(*) FROM vectors") == int(str(before)) - 1


def test_without_the_search_model_no_vector_is_removed(clinic: Clinic) -> None:
    clinic.change(
        "INSERT INTO recognised_pages (sha256, page, engine, contents)"
        " VALUES ('gone', 1, 'ocr-1', x'00')"
    )
    before = clinic.value("SELECT count(*) FROM vectors")
    check_up = CheckUp(
        clinic.folder,
        clinic.models,
        None,
        None,
        is_full=False,
        without_index="It is open elsewhere.",
    )
    findings = list(check_up.run())
    assert Repair.UNUSED in {one.repair for one in findings}
    Mending(clinic.folder, check_up.seen).mend(findings)
    assert clinic.value("SELECT count(*) FROM vectors") == before
    assert clinic.value("SELECT count(*) FROM recognised_pages") == 0


def test_files_that_wait_outside_of_the_queue_get_a_place(clinic: Clinic) -> None:
    clinic.change("UPDATE documents SET state = 'queued' WHERE id = 2")
    assert clinic.the_one("queue").repair is Repair.QUEUE
    clinic.mend()
    assert clinic.worse() == []


def test_a_new_reader_is_told_with_how_much_it_has_still_to_read(clinic: Clinic) -> None:
    clinic.change("UPDATE documents SET reader = 'fake-0+paragraphs-1' WHERE id > 1")
    assert clinic.the_one("readers").message.startswith("2 of 3 files are being read again")


def test_an_offline_source_is_a_note(clinic: Clinic) -> None:
    clinic.change("UPDATE sources SET path = 'D:\\documents'")
    found = clinic.the_one("sources")
    assert found.outcome is Outcome.NOTE
    assert "stays searchable" in found.message


def test_leftovers_are_removed(clinic: Clinic) -> None:
    folder = clinic.folder.root
    backups.backups_dir(folder).mkdir()
    (backups.backups_dir(folder) / "library-v1-x.sqlite3.partial").touch()
    (folder / archives.STAGING).mkdir()
    assert clinic.the_one("leftovers").repair is Repair.LEFTOVERS
    clinic.mend()
    assert clinic.worse() == []


def test_settings_that_make_no_sense_are_named(clinic: Clinic) -> None:
    clinic.folder.settings.write_text("sweep_minutes = 'often'\n")
    assert "sweep_minutes" in clinic.the_one("settings").message


def test_a_model_file_that_was_cut_is_named(clinic: Clinic, tmp_path: Path) -> None:
    shipped = tmp_path / "shipped"
    source = paths.shipped("models")
    (shipped / "all-minilm-l6-v2-int8").mkdir(parents=True)
    (shipped / "catalog.toml").write_bytes((source / "catalog.toml").read_bytes())
    for file in (source / "all-minilm-l6-v2-int8").iterdir():
        (shipped / "all-minilm-l6-v2-int8" / file.name).write_bytes(file.read_bytes()[:1000])
    clinic.models = ModelLibrary(tmp_path / "models", shipped, lambda _: None)
    assert "is damaged" in clinic.the_one("models").message


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX systems")
def test_a_folder_others_can_read_is_a_note(clinic: Clinic, tmp_path: Path) -> None:
    clinic.folder.root.chmod(0o755)
    is_private = any(not parent.stat().st_mode & 0o011 for parent in tmp_path.resolve().parents)
    assert ("data folder" in {one.check for one in clinic.worse()}) is not is_private


class TestADamagedCatalog:
    def test_of_random_bytes(self, clinic: Clinic) -> None:
        clinic.folder.database.write_bytes(os.urandom(200_000))
        found = clinic.the_one("library")
        assert found.outcome is Outcome.PROBLEM
        assert "restore FILE --force" in found.remedy

    def test_of_another_program(self, clinic: Clinic) -> None:
        clinic.folder.database.unlink()
        clinic.change("CREATE TABLE theirs (a)")
        assert "another program" in clinic.the_one("library").message

    def test_with_nothing_in_it(self, clinic: Clinic) -> None:
        clinic.folder.database.write_bytes(b"")
        assert "is empty" in clinic.the_one("library").message

    @pytest.mark.parametrize("share", [0.05, 0.4, 0.8])
    def test_that_was_cut_short(self, clinic: Clinic, share: float) -> None:
        content = clinic.folder.database.read_bytes()
        clinic.folder.database.write_bytes(content[: int(len(content) * share)])
        assert [one.outcome for one in clinic.worse() if one.check == "library"]

    def test_with_holes_names_the_newest_copy(self, clinic: Clinic) -> None:
        with contextlib.closing(sqlite3.connect(clinic.folder.database)) as db:
            copy = backups.keep_copy(db, clinic.folder.root, "replaced")
        content = bytearray(clinic.folder.database.read_bytes())
        for start in range(8192, len(content), 8192):
            content[start : start + 64] = os.urandom(64)
        clinic.folder.database.write_bytes(content)
        problems = [one for one in clinic.worse() if one.check == "library"]
        assert problems
        assert any(str(copy) in one.remedy for one in problems)

    def test_of_an_older_version_is_only_noted(self, clinic: Clinic) -> None:
        clinic.folder.database.unlink()
        make_version_1(clinic.folder.database)
        assert clinic.the_one("library").outcome is Outcome.NOTE

    def test_of_a_newer_version_is_left_alone(self, clinic: Clinic) -> None:
        clinic.change(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        assert "newer version" in clinic.the_one("library").message

    def test_with_a_wrong_index_is_mended(self, clinic: Clinic) -> None:
        with contextlib.closing(sqlite3.connect(clinic.folder.database)) as db:
            root = db.execute(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'chunks_by_document'"
            ).fetchone()[0]
            db.execute("PRAGMA writable_schema = ON")
            db.execute("DELETE FROM sqlite_schema WHERE name = 'chunks_by_document'")
            db.commit()
        with contextlib.closing(sqlite3.connect(clinic.folder.database)) as db:
            db.execute("DELETE FROM vectors WHERE 0")
            db.execute("UPDATE chunks SET document_id = 3 WHERE id = 1")
            db.execute("PRAGMA writable_schema = ON")
            db.execute(
                "INSERT INTO sqlite_schema VALUES ('index', 'chunks_by_document', 'chunks', ?,"
                " 'CREATE INDEX chunks_by_document ON chunks (document_id)')",
                (root,),
            )
            db.commit()
        assert clinic.the_one("library").repair is Repair.SQLITE_INDEXES
        clinic.mend()
        assert "library" not in {one.check for one in clinic.worse()}


def test_a_folder_without_a_library_is_only_noted(tmp_path: Path) -> None:
    models = ModelLibrary(tmp_path / "models", paths.shipped("models"), lambda _: None)
    nowhere = CheckUp(paths.DataDir(tmp_path / "none"), models, None, None, is_full=False)
    assert {one.outcome for one in nowhere.run()} <= {Outcome.OK, Outcome.NOTE}
