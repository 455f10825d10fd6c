"""Indexing end to end against the embedder alone on the same chunks, in one run.

    python -m tests.benchmarks.bench_indexing [--files 20] [--pages 10] [--folder FOLDER]
    python -m tests.benchmarks.bench_indexing --tiny 2000

Makes PDFs by script (or many one-paragraph texts with --tiny, or takes the files of a folder),
and indexes them in turns (`--turns`) through the real program with its real worker processes.
After each turn the very same chunks are embedded in this process with nothing else going on, so
that both meet the same machine. The ratio is what parsing, chunking, storing and crossing processes
cost. The shares say how long each kind of work took; reading goes on while the embedder works, so
they add up to more than the whole. Processor seconds tell the same on a machine that others use,
too: with every core busy, the embedder's share of them is the ratio that can be reached. Building
the vector graph comes after the turns, as it does after indexing, and has a line of its own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from desktop_rag import paths
from desktop_rag.app import App, Engines
from desktop_rag.domain.events import Event, IndexingProgress
from desktop_rag.domain.ports import DocumentReader, SearchIndex
from desktop_rag.engines.embedder_onnx import OnnxEmbedder
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.database import Database
from desktop_rag.workers.remote import WorkerPool, start_engines
from tests.helpers.documents import filler, make_pdf

_WORDS_A_PAGE = 450
_LINE_WORDS = 14
_PROCESSES = ("reading", "index", "program")
_EMBEDDER = paths.shipped("models", "all-minilm-l6-v2-int8")


@dataclass(slots=True)
class Found:
    """What was measured, in seconds of the clock and of the processor."""

    seconds: Counter[str] = field(default_factory=Counter)
    """By method of the ports."""
    whole_s: float = 0.0
    alone_s: float = 0.0
    alone_cpu_s: float = 0.0
    graph_cpu_s: float = 0.0
    chunks: int = 0
    cpu: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_PROCESSES, 0.0))


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
        found = _index(data_dir, folder, options.turns)
        second_s, touched = _start_again(data_dir)
        files, pages = _counts(data_dir)
    _report(found, files, pages)
    print(f"second start, nothing changed: {second_s:.2f} s, {touched} files read")


def _report(found: Found, files: int, pages: int) -> None:
    seconds, whole_s, chunks = found.seconds, found.whole_s, found.chunks
    print(f"{files} files, {pages} pages, {chunks} chunks")
    print(f"{'':24}{'seconds':>9}{'files/s':>9}{'pages/s':>9}{'chunks/s':>9}{'share':>9}")
    index_s = seconds["apply"] + seconds["settle"] + seconds["state"]
    parts = {
        "end to end": whole_s,
        "  reading": seconds["digest"] + seconds["read"],
        "  embedding": seconds["embed"],
        "  search index": index_s,
        "  catalog and waiting": whole_s - seconds["embed"] - index_s,
        "embedder alone": found.alone_s,
    }
    for name, part_s in parts.items():
        if part_s > 0:  # parts are done side by side, so that nothing may be left between them
            _line(name, part_s, whole_s, files, pages, chunks)
    print(f"share of the embedder's own throughput: {found.alone_s / whole_s:.0%}")
    all_s = sum(found.cpu.values())
    spent = [f"{name} {cpu_s:.1f} ({cpu_s / all_s:.0%})" for name, cpu_s in found.cpu.items()]
    print(f"processor seconds: {', '.join(spent)}")
    print(f"  embedder alone {found.alone_cpu_s:.1f}: {found.alone_cpu_s / all_s:.0%} of them")
    print(f"  the vector graph, afterwards: {found.graph_cpu_s:.1f}")


def _line(name: str, seconds: float, whole_s: float, *amounts: int) -> None:
    rates = "".join(f"{amount / max(seconds, 1e-9):9.1f}" for amount in amounts)
    print(f"{name:24}{seconds:9.1f}{rates}{seconds / whole_s:9.0%}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--tiny", type=int, default=0, help="so many one-paragraph texts instead")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--turns", type=int, default=4)
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


def _index(data_dir: Path, folder: Path, turns: int) -> Found:
    """Index a part of the files, embed its chunks here, then the next part."""
    # A first document starts the workers: the benchmark is about their work, not their start.
    first = make_pdf(data_dir.with_name("first.pdf"), [_page(-1)])
    parts = _parted(folder, data_dir.with_name("turns"), turns)
    found, embedder, pool = Found(), OnnxEmbedder(_EMBEDDER), _pool(data_dir)
    with App.open(data_dir, _timed(pool, found.seconds)) as app:
        app.start_indexing()
        app.add([first])
        app.wait_until_indexed()
        index = psutil.Process(pool.index._supervisor.pid)
        _settle(pool, index)
        known = set(_embedded_texts(data_dir))
        found.seconds.clear()
        for turn in range(turns):
            _index_some(app, parts[turn], index, found)
            found.graph_cpu_s += _settle(pool, index)
            texts = [text for text in _embedded_texts(data_dir) if text not in known]
            known.update(texts)
            _embed(embedder, texts, found)
        index_s = _used_s(index)
    embedder.close()
    # Readers come and go; what they used, with their start, is what the others did not.
    ended = os.times()
    found.cpu["reading"] = ended.children_user + ended.children_system - index_s
    return found


def _parted(folder: Path, target: Path, turns: int) -> list[Path]:
    """Copies of the files, dealt out to a folder for each turn."""
    parts = [target / str(turn) for turn in range(turns)]
    for part in parts:
        part.mkdir(parents=True)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for number, path in enumerate(files):
        shutil.copy(path, parts[number % turns] / f"{number}-{path.name}")
    return parts


def _index_some(app: App, folder: Path, index: psutil.Process, found: Found) -> None:
    before_s, own_s = _used_s(index), time.process_time()
    started = time.perf_counter()
    app.add([folder])
    app.wait_until_indexed()
    found.whole_s += time.perf_counter() - started
    found.cpu["program"] += time.process_time() - own_s
    found.cpu["index"] += _used_s(index) - before_s


def _settle(pool: WorkerPool, index: psutil.Process) -> float:
    """Wait for what the index does in the background; its processor seconds."""
    before_s = _used_s(index)
    while not pool.index.state().is_settled:
        time.sleep(0.1)
    return _used_s(index) - before_s


def _embed(embedder: OnnxEmbedder, texts: list[str], found: Found) -> None:
    started, own_s = time.perf_counter(), time.process_time()
    embedder.embed(texts)
    found.alone_s += time.perf_counter() - started
    found.alone_cpu_s += time.process_time() - own_s
    found.chunks += len(texts)


def _used_s(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


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


if __name__ == "__main__":
    main()
