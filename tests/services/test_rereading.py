"""A new version of a reader: old text answers until the new one is there, and none is lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.domain.documents import ReadDocument, RecognisedPage
from desktop_rag.domain.errors import DiskFull, Unsupported, WorkerCrashed
from desktop_rag.domain.library import FileState
from desktop_rag.domain.ports import EmbedderInfo, Embedding
from desktop_rag.storage.database import Database
from tests.helpers.fakes import SUFFIXES, FakeIndex, FakeReader
from tests.services.test_indexing import Room

NEWER = "fake-2+paragraphs-1"


class NewerReader(FakeReader):
    """Today's reader; `crashes_on` names files it cannot read."""

    def __init__(self, *crashes_on: str) -> None:
        super().__init__()
        self._crashes_on = crashes_on

    def read(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ReadDocument:
        self.reads[path] += 1
        if path.name in self._crashes_on:
            raise WorkerCrashed(f"The reader crashed on {path.name}.")
        return replace(super().read(path, recognised), reader=NEWER)

    def versions(self) -> dict[str, str]:
        return dict.fromkeys(SUFFIXES, NEWER)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    for name in ("apples", "boats", "cats"):
        (made / f"{name}.txt").write_text(f"All about {name}.")
    return made


@pytest.fixture
def index(database: Database, folder: Path) -> FakeIndex:
    """Of a library that an older reader has read."""
    room = Room(database)
    room.add(folder)
    room.indexing.close()
    return room.index


@pytest.fixture
def room(database: Database, index: FakeIndex) -> Iterator[Room]:
    """The library opened by a program with a newer reader."""
    made = Room(database, index, NewerReader("cats.txt"))
    yield made
    made.indexing.close()


def test_everything_is_read_again_and_nothing_embedded_twice(room: Room) -> None:
    before = room.index.embedded
    room.hurry = 1e6  # retries at once
    room.settle()
    assert room.index.embedded == before
    assert room.found("apples") == ["All about apples."]
    assert room.catalog.readers.rereading().waiting == 0


def test_the_old_text_answers_until_the_new_one_is_there(room: Room) -> None:
    room.catalog.readers.note([NEWER])
    assert room.catalog.readers.rereading().waiting == 3
    assert room.found("boats") == ["All about boats."]


def test_a_file_that_breaks_the_newer_reader_keeps_its_text(room: Room) -> None:
    room.hurry = 1e6
    room.settle()
    assert room.found("cats") == ["All about cats."]
    file = room.files()["cats.txt"]
    assert file.state is FileState.READY
    assert "crashed on cats.txt" in file.notes[-1]


def test_a_file_that_breaks_the_newer_reader_is_not_tried_at_every_start(
    room: Room, database: Database
) -> None:
    room.hurry = 1e6
    room.settle()
    room.indexing.close()
    reader = NewerReader("cats.txt")
    again = Room(database, room.index, reader)
    again.settle()
    again.indexing.close()
    assert not reader.reads


class LearningReader(FakeReader):
    """Reads old formats only after `learns`, as with LibreOffice installed later."""

    has_learned = False

    def read(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ReadDocument:
        if path.suffix == ".md" and not self.has_learned:
            self.reads[path] += 1
            raise Unsupported(f"“{path.name}” is in an old format.")
        return super().read(path, recognised)

    def versions(self) -> dict[str, str]:
        return super().versions() | ({".md": "old-1"} if not self.has_learned else {})


def test_refused_files_are_read_again_by_other_readers_only(
    database: Database, folder: Path
) -> None:
    reader = LearningReader()
    (folder / "old.md").write_text("All about dogs.")
    room = Room(database, FakeIndex(), reader)
    room.add(folder)
    room.settle()
    assert room.files()["old.md"].state is FileState.FAILED
    assert reader.reads[folder / "old.md"] == 1
    reader.has_learned = True
    room.settle()
    room.indexing.close()
    assert room.found("dogs") == ["All about dogs."]
    assert reader.reads[folder / "apples.txt"] == 1


def test_files_of_an_unplugged_drive_keep_their_text(room: Room, folder: Path) -> None:
    shutil.move(folder, folder.with_name("elsewhere"))
    room.settle()
    assert room.found("boats") == ["All about boats."]
    assert {file.state for file in room.files().values()} == {FileState.READY}


def test_a_drive_unplugged_after_the_sweep_takes_nothing_along(
    room: Room, folder: Path, database: Database
) -> None:
    """Its mount point stays behind, empty and on another device."""
    room.catalog.requeue([file.id for file in room.catalog.files()])
    for file in folder.iterdir():
        file.unlink()
    with database.write() as db:
        db.execute("UPDATE sources SET device = device + 1")
    room.settle()
    assert room.found("boats") == ["All about boats."]
    assert {file.state for file in room.files().values()} == {FileState.READY}


def test_a_file_deleted_before_its_turn_is_gone(room: Room, folder: Path) -> None:
    room.catalog.requeue([file.id for file in room.catalog.files()])
    (folder / "boats.txt").unlink()
    room.settle()
    assert room.found("boats") == []
    assert "boats.txt" not in room.files()


class OtherIndex(FakeIndex):
    """With another embedder; fails once `texts` were embedded."""

    def __init__(self, texts: int = 10**6) -> None:
        super().__init__()
        self._texts = texts

    def embedder(self) -> EmbedderInfo:
        return replace(super().embedder(), fingerprint="fake-words-2")

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        if self.embedded >= self._texts:
            raise DiskFull("The disk is full.")
        return super().embed(texts)


class TestANewEmbedder:
    @pytest.fixture
    def library(self, database: Database, folder: Path) -> None:
        (folder / "long.txt").write_text("\n\n".join(f"Paragraph {n}." for n in range(100)))
        room = Room(database)
        room.add(folder)
        room.indexing.close()

    @pytest.mark.usefixtures("library")
    def test_embeds_stored_text_without_reading_a_file(self, database: Database) -> None:
        room = Room(database, OtherIndex())
        room.settle()
        room.indexing.close()
        assert not room.reader.reads
        assert room.index.embedded == 103
        assert room.found("apples") == ["All about apples."]

    @pytest.mark.usefixtures("library")
    def test_goes_on_where_it_was_interrupted(self, database: Database) -> None:
        first = Room(database, OtherIndex(64))
        first.indexing.start()
        with pytest.raises(DiskFull):
            first.indexing.wait_until_idle(20)
        first.indexing.close()
        assert first.index.embedded == 64
        assert first.changes.reembedding().startswith("39 of 103 passages wait")
        second = Room(database, OtherIndex())
        second.settle()
        second.indexing.close()
        assert second.index.embedded == 103 - 64
        assert second.changes.reembedding() == ""
