"""The proof's own parts; the proof itself runs by hand (`packaging/proof/upgrade.py`)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from proof import earlier, upgrade
from release.plan import said

from desktop_rag.storage import backups
from desktop_rag.storage.database import SCHEMA_VERSION
from tests.helpers.old_library import make_version_1


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_todays_version_is_this_checkout() -> None:
    assert earlier.today().schema == SCHEMA_VERSION


@pytest.mark.skipif(
    said(["git", "rev-parse", "--is-shallow-repository"]) != "false",
    reason="this is no clone with its history, or there is no git",
)
def test_the_last_commit_of_every_schema_before_todays_is_found(tmp_path: Path) -> None:
    revisions = earlier.last_of_each_schema()
    assert len(revisions) == SCHEMA_VERSION - 1
    newest = earlier.unpacked(revisions[-1], tmp_path)
    assert newest.schema == SCHEMA_VERSION - 1
    assert (newest.root / "desktop_rag" / "__main__.py").is_file()


def test_an_old_library_is_refused_while_it_is_open_and_opens_then(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two processes of today's code at a library of the first version."""
    catalog = home / "data" / "library.sqlite3"
    make_version_1(catalog)
    before = upgrade.dump_of(catalog)
    version = earlier.today()
    report = upgrade.Report()
    with version.holding(home):
        upgrade._look_at_lock("a second one", version, home, report)
    assert report.failed == 0, capsys.readouterr().out
    assert upgrade.dump_of(upgrade.copy_of(home)) == before
    assert version.run(home, "files").code == 0
    assert len(backups.kept_copies(home / "data")) == 1


def test_a_change_of_any_file_is_seen(home: Path) -> None:
    catalog = home / "data" / "library.sqlite3"
    make_version_1(catalog)
    before, counts = upgrade.sums(home), upgrade.counts(home)
    assert (counts["documents"], counts["conversations"]) == (1, 1)
    with closing(sqlite3.connect(catalog)) as db, db:
        db.execute("DELETE FROM conversations")
    assert upgrade.sums(home) != before
    assert upgrade.counts(home)["conversations"] == 0


def test_what_is_not_well_fails_the_proof(capsys: pytest.CaptureFixture[str]) -> None:
    report = upgrade.Report()
    report.line("one", 1, is_well=True)
    report.line("other", 2, is_well=False)
    assert report.failed == 1
    assert "FAILED  other" in capsys.readouterr().out


def test_the_scan_has_no_text_but_a_picture_of_it(tmp_path: Path) -> None:
    import pymupdf

    earlier.make_scan(tmp_path / "scan.pdf")
    with pymupdf.open(tmp_path / "scan.pdf") as document:  # type: ignore[no-untyped-call]
        assert document[0].get_text() == ""
        assert len(document[0].get_images()) == 1
