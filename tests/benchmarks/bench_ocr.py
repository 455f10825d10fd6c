"""Time, memory and accuracy of text recognition. Prints figures; nothing is asserted.

    python -m tests.benchmarks.bench_ocr [THREADS]

Scans are made by script: a dense page drawn at several resolutions, then turned, inclined, covered
with grain and compressed. With DESKTOP_RAG_CORPUS, the pages of its files that wait for recognition
follow. Processor time over the number of threads is what a page takes on an idle machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from desktop_rag import paths
from desktop_rag.domain.documents import RecognisedPage
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.engines.page_recogniser import OcrChoice
from desktop_rag.engines.registry import build_reader
from tests.helpers.documents import filler
from tests.helpers.scans import make_scan

WORDS_A_LINE = 14
LINES = 45
PAGES_OF_A_FILE = 4
SCANS: dict[str, dict[str, Any]] = {
    "300 dpi": {"dpi": 300},
    "200 dpi": {"dpi": 200},
    "150 dpi": {"dpi": 150},
    "100 dpi": {"dpi": 100},
    "turned 90": {"turn": 90},
    "turned 180": {"turn": 180},
    "skew 2": {"skew": 2.0},
    "skew -10": {"skew": -10.0},
    "noise": {"noise": 25.0, "quality": 40},
    "bad fax": {"noise": 35.0, "quality": 20, "dpi": 130},
    "small print": {"size": 6.5},
}


@dataclass(slots=True)
class Clock:
    """Wall and processor time of a stretch of work."""

    wall: float = 0.0
    cpu: float = 0.0

    def start(self) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def stop(self) -> None:
        self.wall, self.cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu


def dense_page(seed: int = 1) -> list[str]:
    """Lines that fill a page from margin to margin."""
    words = filler(LINES * WORDS_A_LINE, seed=seed).split()
    return [" ".join(words[n : n + WORDS_A_LINE]) for n in range(0, len(words), WORDS_A_LINE)]


def edits(text: str, wanted: str) -> int:
    """Levenshtein distance, a row of the matrix at a time."""
    letters = np.array([ord(c) for c in wanted])
    steps = np.arange(len(wanted) + 1)
    row = steps.copy()
    for number, letter in enumerate(text, start=1):
        best = np.minimum(row[1:] + 1, row[:-1] + (letters != ord(letter)))
        row = np.minimum.accumulate(np.concatenate(([number], best)) - steps) + steps
    return int(row[-1])


def accuracy(page: RecognisedPage, lines: list[str]) -> float:
    """Part of the characters that are right."""
    wanted = "\n".join(lines)
    return 1 - edits("\n".join(line.text for line in page.lines), wanted) / len(wanted)


def corpus_pages(reader: Any) -> Iterator[tuple[Path, int]]:
    """Pages of real files that wait for recognition, a few of each file."""
    folder = os.environ.get("DESKTOP_RAG_CORPUS", "")
    for path in sorted(Path(folder).rglob("*")) if folder else []:
        if path.is_file():
            try:
                waiting = reader.read(path).document.coverage.waiting
            except DesktopRagError:
                continue
            yield from ((path, page) for page in waiting[:PAGES_OF_A_FILE])


def report(name: str, clock: Clock, threads: int, page: RecognisedPage, right: str = "") -> None:
    """One line of the table."""
    characters = sum(len(line.text) for line in page.lines)
    print(
        f"{name:34.34} {clock.wall:6.2f} s {clock.cpu / threads:6.2f} s  "
        f"{characters:5} characters  {right:8} rotation {page.rotation:3} skew {page.skew:5.1f}  "
        f"{psutil.Process().memory_info().rss / 2**20:5.0f} MB"
    )


def main() -> None:
    threads = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    tokenizer = paths.shipped("models", "all-minilm-l6-v2-int8", "tokenizer.json")
    reader = build_reader(tokenizer, 256, OcrChoice(threads=threads))
    before = psutil.Process().memory_info().rss
    print(f"{reader.recogniser()}, {threads} threads\n{'':34} {'wall':>8} {'cpu/thread':>8}")
    clock, lines = Clock(), dense_page()
    with tempfile.TemporaryDirectory() as folder:
        for name, faults in SCANS.items():
            path = make_scan(Path(folder) / "scan.pdf", lines, **faults)
            clock.start()
            page = reader.recognise(path, 1)
            clock.stop()
            report(name, clock, threads, page, f"{accuracy(page, lines):.2%}")
    for path, number in corpus_pages(reader):
        clock.start()
        try:
            page = reader.recognise(path, number)
        except DesktopRagError as exc:
            print(f"{path.name} page {number}: {exc.message}")
            continue
        clock.stop()
        report(f"{path.name} {number}", clock, threads, page)
    info = psutil.Process().memory_info()
    peak = getattr(info, "peak_wset", 0) or _peak_of_linux()
    print(f"Memory: {before / 2**20:.0f} MB before the first page, {peak / 2**20:.0f} MB at most.")


def _peak_of_linux() -> int:
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


if __name__ == "__main__":
    main()
