"""Size and time of a backup and of putting it back: `python -m tests.benchmarks.bench_backup`."""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from pathlib import Path

from desktop_rag import paths
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.ports import Embedding
from desktop_rag.storage.archives import restore, write_backup
from desktop_rag.storage.catalog import Catalog, FileStamp, embedding_hash
from desktop_rag.storage.database import Database
from tests.helpers.reading import read_document

_PER_DOCUMENT = 50
_VECTOR_BYTES = 768
_TOKEN_BYTES = 5_000


def fill(folder: paths.DataDir, chunks: int) -> None:
    """A library with vectors that do not shrink and sentences that do."""
    dice = random.Random(1)
    words = [f"{dice.randrange(1 << 40):x}" for _ in range(20_000)]
    database = Database(folder.database)
    catalog = Catalog(database)
    with database.write() as db:
        db.execute(
            "INSERT INTO sources (path, is_folder, device, added_at) VALUES ('/d', 1, 0, '')"
        )
    for number in range(1, chunks // _PER_DOCUMENT + 1):
        texts = [" ".join(dice.choices(words, k=90)) for _ in range(_PER_DOCUMENT)]
        read = read_document(*texts)
        catalog.enqueue(1, f"/d/{number}.pdf", FileStamp(1, number))
        made = {
            embedding_hash(chunk.embedding_text): Embedding(
                os.urandom(_VECTOR_BYTES), os.urandom(_TOKEN_BYTES)
            )
            for chunk in read.chunks
        }
        catalog.replace(
            DocumentId(number), read, FileStamp(1, number), f"{number:064}", made, "model-1"
        )
    database.close()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=5_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        folder = paths.DataDir(Path(root) / "data")
        fill(folder, args.chunks)
        started = time.perf_counter()
        made = write_backup(folder, Path(root) / "library.zip")
        backed_up = time.perf_counter()
        restore(paths.DataDir(Path(root) / "other"), made.path, is_forced=False)
        restored = time.perf_counter()
        print(
            f"{made.chunks} passages, catalog {folder.database.stat().st_size / 1e6:.1f} MB: "
            f"backup {made.size / 1e6:.1f} MB in {backed_up - started:.2f} s, "
            f"restored in {restored - backed_up:.2f} s"
        )


if __name__ == "__main__":
    main()
