"""What the program uses while nothing is to be done: all its processes, over a minute.

    python -m tests.benchmarks.bench_idle [--files 1000] [--seconds 60]

Indexes many small files, lets everything settle, and compares processor times. Whatever the
program wakes up for (watching, sweeping, looking at the battery) is in the figure.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import psutil

from desktop_rag.app import App
from tests.helpers.documents import filler

_SETTLE_S = 5.0


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "files"
        folder.mkdir()
        for number in range(options.files):
            (folder / f"{number:05}.txt").write_text(f"Note {number}. {filler(12, seed=number)}\n")
        with App.open(Path(scratch) / "data") as app:
            app.start_indexing()
            app.add([folder])
            app.wait_until_indexed()
            time.sleep(_SETTLE_S)
            before = _used()
            time.sleep(options.seconds)
            after = _used()
    total = 0.0
    for pid, (name, used_s) in after.items():
        spent_s = used_s - before.get(pid, (name, 0.0))[1]
        total += spent_s
        print(f"{name:40}{spent_s:8.2f} s")
    print(
        f"{options.files} files, {len(after)} processes: {total:.2f} s of processor time in "
        f"{options.seconds:.0f} s, {total / options.seconds:.2%} of one core"
    )


def _used() -> dict[int, tuple[str, float]]:
    """Processor seconds so far of this process and its children, by process id."""
    own = psutil.Process()
    found = {}
    for process in (own, *own.children(recursive=True)):
        used = process.cpu_times()
        name = "program" if process.pid == own.pid else " ".join(process.cmdline()[-2:])[:38]
        found[process.pid] = (name, used.user + used.system)
    return found


if __name__ == "__main__":
    main()
