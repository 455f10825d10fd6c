"""What a language model wrote: kept for one document, forgotten with it."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.documents import DocumentId
from desktop_rag.storage.database import Database
from desktop_rag.storage.written import WrittenTexts


def library(folder: Path) -> Database:
    database = Database(folder / "catalog.sqlite3")
    with database.write() as db:
        db.execute(
            "INSERT INTO sources (id, path, is_folder, device, added_at) VALUES (1, '/a', 1, 1, '')"
        )
        for number in (1, 2):
            db.execute(
                "INSERT INTO documents (id, source_id, path, size, mtime_ns, ctime_ns, state)"
                " VALUES (?, 1, ?, 1, 1, 1, 'queued')",
                (number, f"{number}.txt"),
            )
        db.execute("INSERT INTO jobs (document_id, state) VALUES (1, 'queued')")
    return database


def test_texts_belong_to_their_document(tmp_path: Path) -> None:
    database = library(tmp_path)
    written = WrittenTexts(database)
    one, other = written.of(DocumentId(1)), written.of(DocumentId(2))
    for key in (b"a", b"b"):
        one.add(key, f"One, {key.decode()}.")
    other.add(b"a", "Other.")
    assert one.get(b"a") == "One, a."
    assert one.get(b"c") is None
    assert written.unfinished() == 2
    one.keep_only([b"b", b"new"])
    assert [one.get(b"a"), one.get(b"b"), other.get(b"a")] == [None, "One, b.", "Other."]
    database.close()


def test_they_are_forgotten_with_the_document(tmp_path: Path) -> None:
    database = library(tmp_path)
    one = WrittenTexts(database).of(DocumentId(1))
    one.add(b"a", "Text.")
    with database.write() as db:
        db.execute("DELETE FROM documents WHERE id = 1")
    one.add(b"b", "Too late.")
    assert one.get(b"a") is None
    assert one.get(b"b") is None
    database.close()
