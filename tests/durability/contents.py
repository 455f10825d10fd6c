"""All that a library holds, in a form that two libraries over the same folder can be compared in.

Numbers of documents and passages are no part of it; everything they stand for is. Printed as JSON
by `python -m tests.durability.contents DATA_DIR FOLDER`, in a process of its own because it opens
the stores directly.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

from desktop_rag import paths
from desktop_rag.engines.hybrid_index import open_index
from desktop_rag.engines.index_manifest import VECTORS, read_manifest
from desktop_rag.engines.vectors_chroma import ChromaVectorIndex
from desktop_rag.storage.database import open_read_only

_ABOUT = "state, format, title, author, created, reader, notes, failure_code, page_count, coverage"
_CHUNK = 'ordinal, start, "end", text, header, section, kind, first_page, last_page, place'


def contents_of(data_dir: Path, folder: Path) -> dict[str, Any]:
    """Documents with their passages, and what each store holds of each passage."""
    where = paths.DataDir(data_dir)
    with contextlib.closing(open_read_only(where.database)) as db:
        names = {
            row["id"]: (os.path.relpath(row["path"], folder), row["ordinal"], row)
            for row in db.execute(
                "SELECT c.*, d.path, v.vector FROM chunks c JOIN documents d"
                " ON d.id = c.document_id LEFT JOIN vectors v ON v.hash = c.hash"
            )
        }
        return {
            "documents": _documents(db, folder),
            "left": _left(db),
            **_stores(where, names),
        }


def _documents(db: sqlite3.Connection, folder: Path) -> dict[str, Any]:
    found = {}
    for row in db.execute("SELECT * FROM documents").fetchall():
        about = db.execute(f"SELECT {_ABOUT} FROM documents WHERE id = ?", (row["id"],)).fetchone()
        text = db.execute(
            "SELECT text, blocks, parts FROM document_texts WHERE document_id = ?", (row["id"],)
        ).fetchone()
        pages = db.execute(
            "SELECT * FROM pages WHERE document_id = ? ORDER BY number", (row["id"],)
        ).fetchall()
        chunks = db.execute(
            f"SELECT {_CHUNK} FROM chunks WHERE document_id = ? ORDER BY ordinal", (row["id"],)
        ).fetchall()
        found[os.path.relpath(row["path"], folder)] = {
            "about": list(about),
            "text": _digest(*text) if text else "",
            "pages": _digest(*(value for page in pages for value in list(page)[1:])),
            "chunks": [_digest(*chunk) for chunk in chunks],
        }
    return found


def _left(db: sqlite3.Connection) -> dict[str, int]:
    """What must not be left over."""
    queries = {
        "jobs": "SELECT count(*) FROM jobs",
        "vectors": "SELECT count(*) FROM vectors WHERE hash NOT IN (SELECT hash FROM chunks)",
        "texts": "SELECT count(*) FROM document_texts WHERE document_id NOT IN"
        " (SELECT id FROM documents)",
    }
    return {name: db.execute(query).fetchone()[0] for name, query in queries.items()}


def _stores(where: paths.DataDir, names: dict[int, Any]) -> dict[str, Any]:
    index = open_index(where.index, paths.shipped("models", "all-minilm-l6-v2-int8"), 1)
    try:
        if not index.wait_until_settled(60):
            raise TimeoutError("the search index does not come to rest")
        stores = index._stores
        matrix = stores.vectors.matrix.stored(stores.vectors.matrix.ids().tolist())
        keywords = stores.keywords
        terms = {
            chunk: keywords._holds(chunk, keywords._analyzer.terms(_embedded(row)))
            for chunk, (_, _, row) in names.items()
        }
        counts = [keywords.count(), keywords.checksum == stores.vectors.matrix.checksum]
    finally:
        index.close()
    graph = _graph(where)
    return {
        "matrix": _named(matrix, names),
        "chroma": _named(graph, names),
        "keywords": _named({chunk: b"whole" for chunk, is_held in terms.items() if is_held}, names),
        "keyword rows": counts,
        "catalog": _named({chunk: row["vector"] for chunk, (_, _, row) in names.items()}, names),
    }


def _graph(where: paths.DataDir) -> dict[int, bytes]:
    manifest = read_manifest(where.index)
    assert manifest is not None
    graph = ChromaVectorIndex(where.index / VECTORS / manifest.graph.generation, 384, 1)
    try:
        found = graph._collection.get(include=["embeddings"])
        rows = [row.astype("<f2").tobytes() for row in found["embeddings"]]
        return dict(zip(map(int, found["ids"]), rows, strict=True))
    finally:
        graph.close()


def _named(stored: dict[int, bytes], names: dict[int, Any]) -> dict[str, str]:
    """By file and place in it; what the catalog does not know keeps its number."""
    return {
        f"{names[chunk][0]} #{names[chunk][1]}" if chunk in names else f"unknown {chunk}": _digest(
            value
        )
        for chunk, value in stored.items()
    }


def _embedded(row: sqlite3.Row) -> str:
    return f"{row['header']}\n{row['text']}" if row["header"] else str(row["text"])


def _digest(*values: object) -> str:
    return hashlib.blake2b(repr(values).encode(), digest_size=12).hexdigest()


if __name__ == "__main__":
    print(json.dumps(contents_of(Path(sys.argv[1]), Path(sys.argv[2])), sort_keys=True))
