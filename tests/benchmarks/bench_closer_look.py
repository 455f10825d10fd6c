"""The whole search over a large library: index, catalog, re-ranking, choosing; memory and disk.

Run with `python -m tests.benchmarks.bench_closer_look [--chunks 50000] [--library FOLDER]`. Texts,
vectors and quantised tokens are random, as many as real ones are; questions are words of the texts,
each asked once, so each is embedded. In one process: the way to a worker and back costs half a
millisecond more.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from desktop_rag import paths
from desktop_rag.engines.hybrid_index import HybridIndex, open_index
from desktop_rag.services.retrieval import Retrieval
from desktop_rag.storage.catalog import Catalog, embedding_hash
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.benchmarks.bench_search import fill, folder_mb, memory_mb, print_latency, zipf_texts

_CHUNKS_A_DOCUMENT = 100
_TOKENS = 85
"""Tokens that carry meaning, of a passage of 140: 4 kB."""
_TOKEN_BYTES = 48
_WORDS = 110
_STAGES = ("embed", "vectors", "keywords", "fuse", "resolve", "rerank", "choose")


def fill_catalog(database: Database, chunks: int, fingerprint: str) -> None:
    """Rows of documents, passages and token vectors, written as quickly as they can be."""
    dice = np.random.default_rng(5)
    with database.write() as db:
        db.execute(
            "INSERT INTO sources (id, path, is_folder, device, added_at) VALUES (1, '/d', 1, 0, '')"
        )
    for first in range(0, chunks, 5_000):
        count = min(5_000, chunks - first)
        texts = zipf_texts(count, _WORDS, dice)
        tokens = dice.integers(0, 256, (count, _TOKENS * _TOKEN_BYTES), dtype=np.uint8)
        _insert(database, first, texts, [row.tobytes() for row in tokens], fingerprint)


def _insert(
    database: Database, first: int, texts: list[str], tokens: list[bytes], fingerprint: str
) -> None:
    keys = [embedding_hash(f"{first + n}") for n in range(len(texts))]
    documents = range(first // _CHUNKS_A_DOCUMENT, (first + len(texts)) // _CHUNKS_A_DOCUMENT)
    with database.write() as db:
        db.executemany(
            "INSERT INTO documents (id, source_id, path, size, mtime_ns, ctime_ns, state,"
            " chunk_count) VALUES (?, 1, ?, 1, 1, 1, 'ready', ?)",
            [(one + 1, f"/d/{one}.pdf", _CHUNKS_A_DOCUMENT) for one in documents],
        )
        db.executemany(
            "INSERT INTO chunks (id, document_id, ordinal, start, end, text, header, section, kind,"
            " hash) VALUES (?, ?, ?, 0, 9, ?, '', '', 'paragraph', ?)",
            [
                (first + n + 1, (first + n) // _CHUNKS_A_DOCUMENT + 1, n, text, key)
                for n, (text, key) in enumerate(zip(texts, keys, strict=True))
            ],
        )
        db.executemany(
            "INSERT INTO token_vectors VALUES (?, ?, ?)",
            [(key, fingerprint, one) for key, one in zip(keys, tokens, strict=True)],
        )


def measure(retrieval: Retrieval, questions: list[str]) -> dict[str, list[float]]:
    """Milliseconds of every question, in total and by stage."""
    laps: dict[str, list[float]] = {}
    for question in questions:
        begin = time.perf_counter()
        found = retrieval.find([question], 8)
        laps.setdefault("search", []).append((time.perf_counter() - begin) * 1000)
        for stage in _STAGES:
            laps.setdefault(stage, []).append(found.figures.timings_ms.get(stage, 0.0))
    return laps


def build(folder: Path, index: HybridIndex, database: Database, chunks: int) -> None:
    """Fill an empty library."""
    begin = time.perf_counter()
    fill_catalog(database, chunks, index.embedder().fingerprint)
    print(f"catalog written in {time.perf_counter() - begin:.0f} s")
    seconds = fill(index, chunks, np.random.default_rng(11))
    print(f"index filled in {seconds:.0f} s")


def settle(index: HybridIndex) -> None:
    """Let the index put itself in order, as it does when indexing rests."""
    begin = time.perf_counter()
    index.settle()
    index.wait_until_settled()
    print(f"keywords merged and graph built in {time.perf_counter() - begin:.0f} s")


def main() -> None:
    """Build, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--library", type=Path, help="keep it there, or use what is there")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    embedder = paths.shipped("models", "all-minilm-l6-v2-int8")
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.library or Path(scratch)
        database = Database(folder / "library.sqlite3")
        index = open_index(folder / "index", embedder, threads=2)
        if not index.state().applied_seq:
            build(folder, index, database, arguments.chunks)
        settle(index)
        retrieval = Retrieval(index, Catalog(database), Collections(database))
        questions = zipf_texts(arguments.questions, 8, np.random.default_rng(3))
        measure(retrieval, questions[:5])
        for stage, values in measure(retrieval, questions[5:]).items():
            print_latency(stage, values)
        share = 100_000 / index.state().vectors
        sizes = folder_mb(folder / "index") | {
            "catalog": (folder / "library.sqlite3").stat().st_size / 2**20
        }
        print(f"memory of all roles here: {memory_mb():,.0f} MB")
        print(
            "disk, MB for 100,000 passages: "
            + ", ".join(f"{name} {size * share:,.0f}" for name, size in sizes.items())
        )
        print(f"token vectors: {_TOKENS * _TOKEN_BYTES:,} bytes a passage")
        index.close()
        database.close()


if __name__ == "__main__":
    main()
