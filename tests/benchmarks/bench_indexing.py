"""Indexing end to end against the embedder alone on the same chunks, in one run.

    python -m tests.benchmarks.bench_indexing [--files 20] [--pages 10] [--folder FOLDER]
    python -m tests.benchmarks.bench_indexing --tiny 2000

Makes PDFs by script (or many one-paragraph texts with --tiny, or takes the files of a folder),
indexes them through the real program with its real worker processes, then embeds the very same
chunks in this process with nothing else going on. The ratio is what parsing, chunking, storing and
crossing processes cost. The shares say how long each kind of work took; reading goes on while the
embedder works, so they add up to more than the whole. Processor seconds tell the same on a machine
that others use, too.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from desktop_rag import paths
from desktop_rag.app import App, Engines
from desktop_rag.domain.events import Event, IndexingProgress
from desktop_rag.domain.ports import DocumentReader, SearchIndex
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.database import Database
from desktop_rag.workers.remote import WorkerPool, start_engines
from tests.helpers.documents import filler, make_pdf

_WORDS_A_PAGE = 450
_LINE_WORDS = 14
_EMBEDDER = paths.shipped("models", "all-minilm-l6-v2-int8")


class Timed:
    """A port that keeps how long its methods took, by name."""

    def __init__(self, port: object, seconds: Counter[str]) -> None:
        self._port = port
        self._seconds = seconds

    def __getattr__(self, name: str) -> Any:
        method: Callable[..., Any] = getattr(self._port, name)

        def timed(*arguments: object) -> Any:
            started = time.perf_counter()
            try:
                return method(*arguments)
            finally:
                self._seconds[name] += time.perf_counter() - started  # type: ignore[assignment]

        return timed


def main() -> None:
    """Print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or _make_files(Path(scratch) / "files", options)
        data_dir = Path(scratch) / "data"
        first_s, seconds, cpu = _index(data_dir, folder)
        second_s, touched = _start_again(data_dir)
        texts = _embedded_texts(data_dir)
        cpu_before = _cpu_s()
        alone_s = _embed(texts)
        embedder_cpu_s = _cpu_s() - cpu_before
        files, pages = _counts(data_dir)
    print(f"{files} files, {pages} pages, {len(texts)} chunks")
    print(f"{'':24}{'seconds':>9}{'files/s':>9}{'pages/s':>9}{'chunks/s':>10}{'share':>8}")
    _line("end to end", first_s, first_s, files, pages, len(texts))
    _line("  reading", seconds["digest"] + seconds["read"], first_s, files, pages, len(texts))
    _line("  embedding", seconds["embed"], first_s, files, pages, len(texts))
    index_s = seconds["apply"] + seconds["settle"] + seconds["state"]
    _line("  search index", index_s, first_s, files, pages, len(texts))
    rest_s = first_s - seconds["embed"] - index_s
    _line("  catalog and waiting", rest_s, first_s, files, pages, len(texts))
    _line("embedder alone", alone_s, first_s, files, pages, len(texts))
    print(f"share of the embedder's own throughput: {alone_s / first_s:.0%}")
    spent = ", ".join(f"{name} {cpu_s:.1f}" for name, cpu_s in cpu.items())
    print(f"processor seconds: {spent}, embedder alone {embedder_cpu_s:.1f}")
    print(f"second start, nothing changed: {second_s:.2f} s, {touched} files read")


def _line(name: str, seconds: float, whole_s: float, *amounts: int) -> None:
    rates = "".join(f"{amount / max(seconds, 1e-9):9.1f}" for amount in amounts)
    print(f"{name:24}{seconds:9.1f}{rates}{seconds / whole_s:9.0%}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--tiny", type=int, default=0, help="so many one-paragraph texts instead")
    parser.add_argument("--folder", type=Path)
    return parser.parse_args()


def _make_files(folder: Path, options: argparse.Namespace) -> Path:
    folder.mkdir()
    for number in range(options.tiny):
        (folder / f"{number:05}.txt").write_text(f"Note {number}. {filler(60, seed=number)}\n")
    for number in range(0 if options.tiny else options.files):
        texts = [_page(number * 1000 + page) for page in range(options.pages)]
        make_pdf(folder / f"{number:04}.pdf", texts, title=f"Report {number}", font_size=9)
    return folder


def _page(seed: int) -> str:
    # The seed in the words keeps chunks apart: equal text would share one vector.
    words = f"Report {seed}. {filler(_WORDS_A_PAGE, seed=seed)}".split()
    lines = [" ".join(words[i : i + _LINE_WORDS]) for i in range(0, len(words), _LINE_WORDS)]
    return f"# Section {seed}\n" + "\n".join(lines)


def _index(data_dir: Path, folder: Path) -> tuple[float, Counter[str], dict[str, float]]:
    # A first document starts the workers: the benchmark is about their work, not their start.
    first = make_pdf(data_dir.with_name("first.pdf"), [_page(-1)])
    seconds: Counter[str] = Counter()
    pool = _pool(data_dir)
    with App.open(data_dir, _timed(pool, seconds)) as app:
        app.start_indexing()
        app.add([first])
        app.wait_until_indexed()
        seconds.clear()
        index = psutil.Process(pool.index._supervisor.pid)
        before = _used_s(index), _cpu_s()
        started = time.perf_counter()
        app.add([folder])
        app.wait_until_indexed()
        whole_s = time.perf_counter() - started
        index_s, own_s = _used_s(index) - before[0], _cpu_s() - before[1]
        all_index_s = _used_s(index)
    # Readers come and go: what they used, with their start, is what the others did not.
    ended = os.times()
    parse_s = ended.children_user + ended.children_system - all_index_s
    return whole_s, seconds, {"reading": parse_s, "index": index_s, "program": own_s}


def _used_s(process: psutil.Process) -> float:
    used = process.cpu_times()
    return used.user + used.system


def _cpu_s() -> float:
    return time.process_time()


def _pool(data_dir: Path) -> WorkerPool:
    def no_model() -> Any:
        raise AssertionError("indexing needs no language model")

    return start_engines(paths.DataDir(data_dir), _EMBEDDER, no_model)


def _timed(pool: WorkerPool, seconds: Counter[str]) -> Engines:
    reader: DocumentReader = Timed(pool.reader, seconds)
    index: SearchIndex = Timed(pool.index, seconds)
    return Engines(reader, index, pool.generator, pool.close)


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


def _counts(data_dir: Path) -> tuple[int, int]:
    database = Database(paths.DataDir(data_dir).database)
    with database.read() as db:
        files, pages = db.execute("SELECT count(*), sum(page_count) FROM documents").fetchone()
    database.close()
    return int(files), int(pages)


def _embed(texts: list[str]) -> float:
    from desktop_rag.engines.embedder_onnx import OnnxEmbedder

    embedder = OnnxEmbedder(_EMBEDDER)
    embedder.embed(texts[:8])
    started = time.perf_counter()
    embedder.embed(texts)
    elapsed_s = time.perf_counter() - started
    embedder.close()
    return elapsed_s


if __name__ == "__main__":
    main()
