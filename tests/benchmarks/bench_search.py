"""Search speed over many chunks: latency by stage, memory and disk.

Run with `python -m tests.benchmarks.bench_search [--chunks 50000]`. Chunks are random words of a
Zipf vocabulary with random vectors around a few hundred centres; questions are words of it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import psutil

from desktop_rag import paths
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.ports import IndexBatch, IndexedChunk
from desktop_rag.engines.hybrid_index import HybridIndex, open_index

_WORDS_PER_CHUNK = 150
_VOCABULARY = 60_000
_BATCH = 500
_CENTRES = 300
_SYLLABLES = ("ba", "co", "di", "fu", "gra", "hel", "is", "jo", "ka", "lem", "mon", "nu", "or")


def word(rank: int) -> str:
    """A word that looks like one, different for every rank."""
    letters = ""
    number = rank + len(_SYLLABLES)
    while number:
        number, digit = divmod(number, len(_SYLLABLES))
        letters += _SYLLABLES[digit]
    return letters


def zipf_texts(count: int, words: int, dice: np.random.Generator) -> list[str]:
    """Texts whose word frequencies fall like those of language (exponent 1)."""
    vocabulary = np.array([word(rank) for rank in range(_VOCABULARY)])
    shares = 1 / np.arange(1, _VOCABULARY + 1)
    drawn = dice.choice(_VOCABULARY, size=(count, words), p=shares / shares.sum())
    return [" ".join(row) for row in vocabulary[drawn]]


def unit_vectors(count: int, dimensions: int, dice: np.random.Generator) -> npt.NDArray[np.float32]:
    """Random unit vectors in clouds, as those of real text are."""
    centres = dice.standard_normal((_CENTRES, dimensions), dtype=np.float32)
    made = centres[dice.integers(0, _CENTRES, count)]
    made += dice.standard_normal((count, dimensions), dtype=np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def fill(index: HybridIndex, chunks: int, dice: np.random.Generator) -> float:
    """Apply all chunks in batches; returns the seconds it took."""
    dimensions = index.embedder().dimensions
    seconds = 0.0
    for start in range(0, chunks, _BATCH):
        count = min(_BATCH, chunks - start)
        texts = zipf_texts(count, _WORDS_PER_CHUNK, dice)
        vectors = unit_vectors(count, dimensions, dice).astype("<f2")
        made = tuple(
            IndexedChunk(ChunkId(start + n + 1), texts[n], vectors[n].tobytes())
            for n in range(count)
        )
        begin = time.perf_counter()
        index.apply(IndexBatch(made, (), start + count))
        seconds += time.perf_counter() - begin
    return seconds


def measure(index: HybridIndex, questions: list[str]) -> dict[str, list[float]]:
    """Milliseconds of every question, in total and by stage."""
    laps: dict[str, list[float]] = {}
    for question in questions:
        begin = time.perf_counter()
        ranking = index.search(question, 50)
        laps.setdefault("total", []).append((time.perf_counter() - begin) * 1000)
        for stage, elapsed in ranking.timings_ms.items():
            laps.setdefault(stage, []).append(elapsed)
    return laps


def main() -> None:
    """Build, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--questions", type=int, default=300)
    arguments = parser.parse_args()
    dice = np.random.default_rng(11)
    embedder = paths.shipped("models", "all-minilm-l6-v2-int8")
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(Path(folder) / "index", embedder, threads=2)
        seconds = fill(index, arguments.chunks, dice)
        print(f"filled: {arguments.chunks / seconds:,.0f} chunks/s, {seconds:.0f} s")
        begin = time.perf_counter()
        index.settle()
        print(f"settled in {time.perf_counter() - begin:.2f} s")
        index.close()
        begin = time.perf_counter()
        index = open_index(Path(folder) / "index", embedder, threads=2)
        print(f"opened again in {time.perf_counter() - begin:.2f} s: {index.state()}")
        measure(index, ["warm up"] * 3)
        laps = measure(index, zipf_texts(arguments.questions, 8, dice))
        for stage, values in laps.items():
            middle, slow = np.percentile(values, [50, 95])
            print(f"{stage:10s} p50 {middle:6.1f} ms   p95 {slow:6.1f} ms")
        memory = psutil.Process().memory_info().rss / 2**20
        disk = sum(one.stat().st_size for one in Path(folder).rglob("*") if one.is_file()) / 2**20
        print(f"memory {memory:,.0f} MB, disk {disk:,.0f} MB")
        index.close()


if __name__ == "__main__":
    main()
