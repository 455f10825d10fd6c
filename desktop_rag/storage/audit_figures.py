"""What a catalog tells about retrieval, measured and not claimed. Reads only.

Works on a connection of its own, so also while another process has the library open. Large
libraries are sampled evenly.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from desktop_rag.domain.documents import BlockKind, ChunkId
from desktop_rag.domain.embedding_text import searchable_text
from desktop_rag.domain.library import FileState

_PASSAGES = 500
_DOCUMENTS = 200
_RUNNING_TEXT = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})
"""Where neighbours share sentences; rows of a table and lines of code are never said twice."""


@dataclass(frozen=True, slots=True)
class SampledPassage:
    """A passage as it is searched; `tokens` as `ports.Embedding.tokens`, empty without."""

    id: ChunkId
    text: str
    has_header: bool
    tokens: bytes


@dataclass(frozen=True, slots=True)
class Cuts:
    """Places where a paragraph was cut in two passages."""

    count: int
    shared: tuple[float, ...]
    """Of those that share something, which part of a passage, ascending."""


@dataclass(frozen=True, slots=True)
class FileCounts:
    """Files by what became of them."""

    ready: int
    waiting: int
    failed: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.ready + self.waiting + self.failed


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file as it was when it was read, and the file system its source was on."""

    path: Path
    size: int
    mtime_ns: int
    source: Path
    device: int


def sampled_passages(
    db: sqlite3.Connection, fingerprint: str, most: int = _PASSAGES
) -> list[SampledPassage]:
    """Passages spread evenly over the library, with their token vectors of this embedder."""
    ids = [row[0] for row in db.execute("SELECT id FROM chunks ORDER BY id")]
    step = max(1, -(-len(ids) // most))
    found = []
    for chunk in ids[::step]:
        row = db.execute(
            "SELECT c.header, c.written, c.text, t.tokens FROM chunks c LEFT JOIN token_vectors t"
            " ON t.hash = c.hash AND t.fingerprint = ? WHERE c.id = ?",
            (fingerprint, chunk),
        ).fetchone()
        text = searchable_text(row["header"], row["written"], row["text"])
        has_header = bool(row["header"])
        found.append(SampledPassage(ChunkId(chunk), text, has_header, row["tokens"] or b""))
    return found


def cuts(db: sqlite3.Connection, most: int = _DOCUMENTS) -> Cuts:
    """What neighbouring passages share where running text was cut inside a paragraph."""
    documents = [row[0] for row in db.execute("SELECT document_id FROM document_texts ORDER BY 1")]
    shared: list[float] = []
    count = 0
    for document in documents[:: max(1, -(-len(documents) // most))]:
        for before, after in _neighbours(db, document):
            overlap = max(0, before["end"] - after["start"])
            gap = (document, before["end"], after["start"])
            if overlap or not _has_line_break(db, *gap):
                count += 1
            if overlap:
                shared.append(overlap / (after["end"] - after["start"]))
    return Cuts(count, tuple(sorted(shared)))


def _neighbours(db: sqlite3.Connection, document: int) -> Iterator[tuple[sqlite3.Row, sqlite3.Row]]:
    """Passages of running text with the next one of the same section."""
    rows = db.execute(
        'SELECT start, "end", section, kind FROM chunks WHERE document_id = ? ORDER BY ordinal',
        (document,),
    )
    for before, after in pairwise(rows.fetchall()):
        is_running = {before["kind"], after["kind"]} <= _RUNNING_TEXT
        if is_running and before["section"] == after["section"]:
            yield before, after


def _has_line_break(db: sqlite3.Connection, document: int, start: int, end: int) -> bool:
    query = "SELECT substr(text, ? + 1, ?) FROM document_texts WHERE document_id = ?"
    row = db.execute(query, (start, max(0, end - start), document)).fetchone()
    return row is not None and "\n" in row[0]


def reranker_coverage(db: sqlite3.Connection, fingerprint: str) -> float | None:
    """Share of the passages with token vectors of this embedder; `None` without passages."""
    chunks, covered = db.execute(
        """SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM token_vectors t
               WHERE t.hash = c.hash AND t.fingerprint = ?)) FROM chunks c""",
        (fingerprint,),
    ).fetchone()
    return covered / chunks if chunks else None


def file_counts(db: sqlite3.Connection) -> FileCounts:
    """How many files are searchable, waiting and not readable."""
    rows = db.execute("SELECT state, count(*) FROM documents GROUP BY state").fetchall()
    files = {row[0]: row[1] for row in rows}
    return FileCounts(
        ready=files.get(FileState.READY, 0),
        waiting=files.get(FileState.QUEUED, 0) + files.get(FileState.READING, 0),
        failed=files.get(FileState.FAILED, 0),
    )


def passage_counts(db: sqlite3.Connection) -> tuple[int, int]:
    """How many passages there are, and of how many of them the index was told."""
    passages, waiting = db.execute(
        "SELECT (SELECT count(*) FROM chunks), (SELECT count(DISTINCT c.id) FROM changes"
        " JOIN chunks c ON c.id = chunk_id)"
    ).fetchone()
    return passages, passages - waiting


def read_files(db: sqlite3.Connection, most: int) -> list[ReadFile]:
    """Files that were read, spread evenly over the library."""
    rows = db.execute(
        "SELECT d.path, d.size, d.mtime_ns, s.path AS source, s.device FROM documents d"
        " JOIN sources s ON s.id = d.source_id WHERE d.state = 'ready' ORDER BY d.id"
    ).fetchall()
    return [
        ReadFile(
            Path(row["path"]), row["size"], row["mtime_ns"], Path(row["source"]), row["device"]
        )
        for row in rows[:: max(1, -(-len(rows) // most))]
    ]
