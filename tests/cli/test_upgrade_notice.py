"""A large library of an older version: the wait has a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.cli import upgrade_notice
from desktop_rag.cli.main import build_parser, run
from desktop_rag.storage.database import Database
from desktop_rag.storage.glance import is_outdated
from tests.helpers.old_library import make_version_1

SENTENCE = "Your library is being brought up to date"


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrade_notice, "_WORTH_TELLING", 1000)


def told(data_dir: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    run(build_parser().parse_args(["--data-dir", str(data_dir), *words]))
    out, err = capsys.readouterr()
    assert SENTENCE not in out, "JSON goes there"
    return err


def test_it_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_version_1(tmp_path / "library.sqlite3")
    assert SENTENCE in told(tmp_path, capsys, "files", "--json")
    assert SENTENCE not in told(tmp_path, capsys, "files", "--json")


@pytest.mark.parametrize("words", [["backup", "FILE"], ["about"], ["audit"], ["settings"]])
def test_it_is_not_told_where_the_library_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    make_version_1(tmp_path / "library.sqlite3")
    named = [str(tmp_path / "a.zip") if word == "FILE" else word for word in words]
    assert SENTENCE not in told(tmp_path, capsys, *named)
    assert is_outdated(tmp_path / "library.sqlite3")


def test_a_small_one_is_quick(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrade_notice, "_WORTH_TELLING", 1 << 30)
    make_version_1(tmp_path / "library.sqlite3")
    assert SENTENCE not in told(tmp_path, capsys, "files")


@pytest.mark.parametrize("is_there", [True, False])
def test_todays_library_or_none_is_not_mentioned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_there: bool
) -> None:
    if is_there:
        Database(tmp_path / "library.sqlite3").close()
    assert SENTENCE not in told(tmp_path, capsys, "files")
