"""Indexing text PDFs end to end against the embedder alone on the same chunks, in one run.

    python -m tests.benchmarks.bench_indexing [--files 20] [--pages 10] [--folder FOLDER]

Makes PDFs by script (or takes those of a folder), indexes them through the real program with its
real worker processes, then embeds the very same chunks in this process with nothing else going on.
The ratio is what parsing, chunking, storing and crossing processes cost.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.domain.events import Event, IndexingProgress
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.database import Database
from tests.helpers.documents import filler, make_pdf

_WORDS_A_PAGE = 450
_LINE_WORDS = 14


def main() -> None:
    """Print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or _make_pdfs(Path(scratch) / "pdfs", options.files, options.pages)
        data_dir = Path(scratch) / "data"
        first_s = _index(data_dir, folder)
        second_s, touched = _start_again(data_dir)
        texts = _embedded_texts(data_dir)
        alone_s = _embed(texts)
        pages = _pages(data_dir)
    print(f"{'':24}{'seconds':>9}{'pages/s':>9}{'chunks/s':>10}")
    print(f"{'end to end':24}{first_s:9.1f}{pages / first_s:9.1f}{len(texts) / first_s:10.1f}")
    print(f"{'embedder alone':24}{alone_s:9.1f}{'':9}{len(texts) / alone_s:10.1f}")
    print(f"share of the embedder's own throughput: {alone_s / first_s:.0%}")
    print(f"second start, nothing changed: {second_s:.2f} s, {touched} files read")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--folder", type=Path)
    return parser.parse_args()


def _make_pdfs(folder: Path, files: int, pages: int) -> Path:
    folder.mkdir()
    for number in range(files):
        texts = [_page(number * 1000 + page) for page in range(pages)]
        make_pdf(folder / f"{number:04}.pdf", texts, title=f"Report {number}", font_size=9)
    return folder


def _page(seed: int) -> str:
    # The seed in the words keeps chunks apart: equal text would share one vector.
    words = f"Report {seed}. {filler(_WORDS_A_PAGE, seed=seed)}".split()
    lines = [" ".join(words[i : i + _LINE_WORDS]) for i in range(0, len(words), _LINE_WORDS)]
    return f"# Section {seed}\n" + "\n".join(lines)


def _index(data_dir: Path, folder: Path) -> float:
    # A first document starts the workers: the benchmark is about their work, not their start.
    first = make_pdf(data_dir.with_name("first.pdf"), [_page(-1)])
    with App.open(data_dir) as app:
        app.start_indexing()
        app.add([first])
        app.wait_until_indexed()
        started = time.perf_counter()
        app.add([folder])
        app.wait_until_indexed()
        return time.perf_counter() - started


def _start_again(data_dir: Path) -> tuple[float, int]:
    read: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, IndexingProgress) and event.path:
            read.append(event.path)

    started = time.perf_counter()
    with App.open(data_dir) as app:
        app.bus.subscribe(note)
        app.start_indexing()
        app.wait_until_indexed()
        return time.perf_counter() - started, len(read)


def _embedded_texts(data_dir: Path) -> list[str]:
    database = Database(paths.DataDir(data_dir).database)
    batches = ChangeLog(database).everything(_fingerprint(database))
    texts = {chunk.text for batch in batches for chunk in batch.upserts}
    database.close()
    return sorted(texts, key=len)


def _fingerprint(database: Database) -> str:
    with database.read() as db:
        return str(db.execute("SELECT fingerprint FROM vectors LIMIT 1").fetchone()[0])


def _pages(data_dir: Path) -> int:
    database = Database(paths.DataDir(data_dir).database)
    with database.read() as db:
        pages = int(db.execute("SELECT sum(page_count) FROM documents").fetchone()[0])
    database.close()
    return pages


def _embed(texts: list[str]) -> float:
    from desktop_rag.engines.embedder_onnx import OnnxEmbedder

    embedder = OnnxEmbedder(paths.shipped("models", "all-minilm-l6-v2-int8"))
    embedder.embed(texts[:8])
    started = time.perf_counter()
    embedder.embed(texts)
    elapsed_s = time.perf_counter() - started
    embedder.close()
    return elapsed_s


if __name__ == "__main__":
    main()
