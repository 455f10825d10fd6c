"""A library of ten thousand small files: memory while it grows, and a second start of it.

    python -m tests.benchmarks.bench_scale [--files 10000] [--data FOLDER]

Makes Markdown files by script (two chunks each), indexes them through the real program with its
real worker processes, and prints what each process holds every thousand files. Then starts the
unchanged library again in a new process and prints when it was ready, what was written, embedded
and read, and what it costs at rest. `--data` keeps the library and skips the indexing when it is
there already.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from desktop_rag.app import App
from desktop_rag.domain.ports import Embedding

_WORDS_A_SECTION = 60
_AT_REST_S = 5.0
_QUESTION = "What are the findings of note 77?"


def main() -> None:
    """Index, start again, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--step", type=int, default=1_000)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--random-vectors", action="store_true", help="skip the embedding")
    parser.add_argument("--second-start", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.second_start:
        second_start(options.data)
        return
    with tempfile.TemporaryDirectory() as scratch:
        data = options.data or Path(scratch)
        if not (data / "library").exists():
            make_files(data / "files", options.files)
            index(data / "library", data / "files", options)
        start_again(data)


def make_files(folder: Path, count: int) -> None:
    """Notes of two sections; the number in the words keeps their chunks apart."""
    # Imported here: a second start must not pay for the libraries that make test files.
    from tests.helpers.documents import filler

    folder.mkdir(parents=True)
    for number in range(count):
        sections = [
            f"## {name}\n\nNote {number}. {filler(_WORDS_A_SECTION, seed=2 * number + place)}\n"
            for place, name in enumerate(("Findings", "Next steps"))
        ]
        text = f"# Note {number}\n\n" + "\n".join(sections)
        (folder / f"{number // 500:03}-{number:05}.md").write_text(text, encoding="utf-8")


def random_vectors(texts: Sequence[str]) -> list[Embedding]:
    """Unit vectors that cost nothing: for the second start it does not matter which."""
    import numpy as np

    made = np.random.default_rng(len(texts[0])).standard_normal((len(texts), 384))
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return [Embedding(row.tobytes(), b"") for row in made.astype("<f2")]


def index(library: Path, folder: Path, options: argparse.Namespace) -> None:
    """Index everything, printing at every `step` files."""
    files, step = options.files, options.step
    with App.open(library) as app:
        if options.random_vectors:
            app._engines.index.embed = random_vectors  # type: ignore[method-assign]
        app.start_indexing()
        begin = last = time.perf_counter()
        app.add([folder])
        print(f"added in {time.perf_counter() - begin:.1f} s")
        shown = 0
        while shown < files:
            time.sleep(0.5)
            ready = app.status().ready
            if ready >= min(shown + step, files):
                now = time.perf_counter()
                speed = (ready - shown) / (now - last)
                print(f"{ready:6} files  {speed:6.1f} files/s  {describe(memory_mb())}", flush=True)
                shown, last = ready, now
        app.wait_until_indexed()
        seconds = time.perf_counter() - begin
        chunks = app.status().chunks
        print(f"indexed in {seconds:.0f} s: {files / seconds:.1f} files/s, {chunks} chunks")
        begin = time.perf_counter()
        while not app._engines.index.state().is_settled:
            time.sleep(0.5)
        # A program that is closed before goes on with the graph at its next starts.
        print(f"graph after {time.perf_counter() - begin:.0f} s more; {describe(memory_mb())}")


def memory_mb() -> dict[str, float]:
    """Resident megabytes of this process and of each worker."""
    me = psutil.Process()
    found = {"app": me.memory_info().rss / 2**20}
    for number, child in enumerate(me.children(), start=1):
        try:
            found[f"worker {number}"] = child.memory_info().rss / 2**20
        except psutil.NoSuchProcess:
            continue
    return found


def describe(memory: dict[str, float]) -> str:
    """One line."""
    return "  ".join(f"{name} {value:.0f} MB" for name, value in memory.items())


def start_again(data: Path) -> None:
    """Start the unchanged library in a process of its own; twice, for a warm disk cache."""
    for _ in range(2):
        before = snapshot(data / "library")
        command = [sys.executable, "-m", "tests.benchmarks.bench_scale", "--second-start"]
        told = subprocess.run(
            [*command, "--data", str(data)],
            check=True,
            capture_output=True,
            text=True,
        )
        print(told.stdout.strip())
        after = snapshot(data / "library")
        changed = sorted(n for n in before.keys() | after.keys() if before.get(n) != after.get(n))
        print(f"files written: {len(changed)} {changed[:10]}")


def second_start(data: Path) -> None:
    """Open, search, wait, rest, close; prints seconds since the process was created."""
    started = psutil.Process().create_time()
    times: dict[str, float] = {"imported": time.time() - started}
    embedded = 0
    with App.open(data / "library") as app:
        embed = app._engines.index.embed

        def counted(texts: Sequence[str]) -> list[Embedding]:
            nonlocal embedded
            embedded += len(texts)
            return embed(texts)

        app._engines.index.embed = counted  # type: ignore[method-assign]
        app.start_indexing()
        times["opened"] = time.time() - started
        found = app.search(_QUESTION)
        times["first answer"] = time.time() - started
        app.wait_until_swept()
        times["swept"] = time.time() - started
        app.wait_until_indexed()
        times["idle"] = time.time() - started
        memory = memory_mb()
        cpu_s = processor_s()
        time.sleep(_AT_REST_S)
        share = (processor_s() - cpu_s) / _AT_REST_S
    times["closed"] = time.time() - started
    print(json.dumps({name: round(seconds, 2) for name, seconds in times.items()}))
    print(f"{len(found.passages)} passages; texts embedded: {embedded}; {describe(memory)}")
    print(f"processor at rest: {share:.2%} of one core")


def processor_s() -> float:
    """Processor seconds of this process and its workers."""
    total = 0.0
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        times = process.cpu_times()
        total += times.user + times.system
    return total


def snapshot(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Size, time and inode of everything but locks and logs."""
    found = {}
    for path in folder.rglob("*"):
        if path.suffix not in {".lock", ".log"} and path.name != "logs":
            stat = path.stat()
            name = str(path.relative_to(folder))
            found[name] = (stat.st_size, stat.st_mtime_ns if path.is_file() else 0, stat.st_ino)
    return found


if __name__ == "__main__":
    main()
