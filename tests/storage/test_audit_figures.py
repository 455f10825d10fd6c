"""What audits read off a catalog is what stands there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.storage import audit_figures
from desktop_rag.storage.audit_figures import Cuts, FileCounts

TEXT = "One two three. Four five six. Seven eight nine.\n\nTen eleven twelve."


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:")
    made.row_factory = sqlite3.Row
    schema = Path(audit_figures.__file__).with_name("schema.sql")
    made.executescript(schema.read_text(encoding="utf-8"))
    made.execute(
        "INSERT INTO sources (id, path, is_folder, device, added_at) VALUES (1, '/docs', 1, 7, '')"
    )
    yield made
    made.close()


def add(db: sqlite3.Connection, document: int, *spans: tuple[int, int], section: str = "") -> None:
    """A document of `TEXT` with these passages."""
    db.execute(
        "INSERT INTO documents (id, source_id, path, size, mtime_ns, ctime_ns, state)"
        " VALUES (?, 1, ?, 10, 20, 30, 'ready')",
        (document, f"/docs/{document}.txt"),
    )
    db.execute("INSERT INTO document_texts VALUES (?, ?, x'', x'')", (document, TEXT))
    for number, (start, end) in enumerate(spans):
        db.execute(
            'INSERT INTO chunks (document_id, ordinal, start, "end", text, header, section, kind,'
            " hash) VALUES (?, ?, ?, ?, ?, ?, ?, 'paragraph', ?)",
            (
                document,
                number,
                start,
                end,
                TEXT[start:end],
                "Title",
                section,
                f"{document}.{number}".encode(),
            ),
        )


def test_only_cut_paragraphs_count_as_cuts(db: sqlite3.Connection) -> None:
    add(db, 1, (0, 29), (15, 47))  # shares its second sentence
    add(db, 2, (0, 14), (15, 47))  # cut between sentences, shares nothing
    add(db, 3, (0, 47), (49, 67))  # cut between paragraphs: nothing is torn
    assert audit_figures.cuts(db) == Cuts(2, (14 / 32,))


def test_sections_tables_and_documents_share_nothing(db: sqlite3.Connection) -> None:
    add(db, 1, (0, 14))
    add(db, 2, (15, 29), (30, 47))
    db.execute("UPDATE chunks SET kind = 'table' WHERE document_id = 2 AND ordinal = 1")
    add(db, 3, (0, 14), (15, 29))
    db.execute("UPDATE chunks SET section = 'Other' WHERE document_id = 3 AND ordinal = 1")
    assert audit_figures.cuts(db) == Cuts(0, ())


def test_samples_are_spread_and_carry_what_a_re_ranker_needs(db: sqlite3.Connection) -> None:
    for document in range(1, 21):
        add(db, document, (0, 14))
    db.execute("INSERT INTO token_vectors VALUES (CAST('1.0' AS BLOB), 'mine', x'0102')")
    db.execute("INSERT INTO token_vectors VALUES (CAST('11.0' AS BLOB), 'other', x'0304')")
    sample = audit_figures.sampled_passages(db, "mine", most=10)
    assert [one.id for one in sample] == list(range(1, 21, 2))
    assert sample[0].text == "Title\nOne two three."
    assert [one.tokens for one in sample[:6]] == [b"\x01\x02", b"", b"", b"", b"", b""]
    assert audit_figures.sampled_passages(db, "mine", most=100)[-1].id == 20
    assert audit_figures.reranker_coverage(db, "mine") == 1 / 20
    assert audit_figures.reranker_coverage(db, "none") == 0


def test_files_and_passages_are_counted(db: sqlite3.Connection) -> None:
    assert audit_figures.passage_counts(db) == (0, 0)
    assert audit_figures.reranker_coverage(db, "mine") is None
    for document in range(1, 6):
        add(db, document, (0, 14), (15, 29))
    db.execute("DELETE FROM changes WHERE chunk_id > 3")
    assert audit_figures.passage_counts(db) == (10, 7)
    db.execute("UPDATE documents SET state = 'failed' WHERE id = 1")
    db.execute("UPDATE documents SET state = 'queued' WHERE id = 2")
    db.execute("UPDATE documents SET state = 'reading' WHERE id = 3")
    assert audit_figures.file_counts(db) == FileCounts(ready=2, waiting=2, failed=1)
    assert audit_figures.file_counts(db).total == 5
    (first, last) = audit_figures.read_files(db, 10)
    assert (first.path, first.size, first.mtime_ns) == (Path("/docs/4.txt"), 10, 20)
    assert (last.source, last.device) == (Path("/docs"), 7)
    assert len(audit_figures.read_files(db, 1)) == 1
