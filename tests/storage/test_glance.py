"""The first look into a catalog."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.answers import Role
from desktop_rag.storage import glance as glancing
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import SCHEMA_VERSION, Database
from desktop_rag.storage.glance import glance
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document


def test_it_agrees_with_the_open_library(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite3"
    database = Database(path)
    chats = Conversations(database)
    for title in ("First", "Second", "Gone"):
        chats.add(chats.begin(title), Role.USER, title)
    chats.delete(chats.all()[0].id)
    chats.pin([chats.all()[-1].id], is_pinned=True)
    fill_library(database, FakeIndex(), [read_document(f"Words of file {n}.") for n in range(3)])
    counts = Catalog(database).counts()
    seen = glance(path)
    assert seen is not None
    assert list(seen.conversations) == chats.all()
    assert [one.title for one in seen.conversations] == ["First", "Second"]
    assert (seen.files, seen.ready, seen.failed) == (3, 3, 0)
    assert seen.chunks == counts.chunks > 0
    database.close()
    assert glance(path) == seen, "also when nobody has it open"


def test_what_cannot_be_told_at_once_is_left_to_opening(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite3"
    assert glance(path) is None
    path.write_bytes(b"no database at all" * 100)
    assert glance(path) is None
    assert path.read_bytes() == b"no database at all" * 100


def test_a_data_folder_may_be_named_from_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Database(tmp_path / "library.sqlite3").close()
    monkeypatch.chdir(tmp_path)
    assert glance(Path("library.sqlite3")) is not None


def test_a_folder_that_may_not_be_looked_into_is_left_to_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", refuse)
    assert glance(tmp_path / "library.sqlite3") is None


def test_it_knows_the_tables_as_they_are() -> None:
    assert glancing._VERSION == SCHEMA_VERSION
