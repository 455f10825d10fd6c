"""The index over many chunks: search by stage, among chosen chunks, while merging; saving; size.

Run with `python -m tests.benchmarks.bench_search [--chunks 100000] [--turnover 20]`. Chunks are
random words of a Zipf vocabulary with random vectors around a few hundred centres; questions are
words of it.
"""

from __future__ import annotations

import argparse
import sys
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
from desktop_rag.workers import frames, methods

_WORDS_PER_CHUNK = 150
_VOCABULARY = 60_000
_BATCH = 500
_CENTRES = 300
_DOCUMENT_CHUNKS = 30
"""Of ten pages."""
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


def saved_document_ms(index: HybridIndex, chunks: int, dice: np.random.Generator) -> float:
    """Milliseconds to store one document of ten pages (`_DOCUMENT_CHUNKS`) and find it by word."""
    first = chunks + int(dice.integers(1, 10**6)) * 100
    texts = [f"unheard{first + n} {text}" for n, text in enumerate(_document_texts(dice))]
    vectors = unit_vectors(len(texts), index.embedder().dimensions, dice).astype("<f2")
    made = tuple(
        IndexedChunk(ChunkId(first + n), text, vectors[n].tobytes()) for n, text in enumerate(texts)
    )
    begin = time.perf_counter()
    index.apply(IndexBatch(made, (), first))
    elapsed_ms = (time.perf_counter() - begin) * 1000
    hits = index.search(f"unheard{first}", 5).candidates
    assert first in {one.chunk for one in hits if one.keyword_rank}
    return elapsed_ms


def _document_texts(dice: np.random.Generator) -> list[str]:
    return zipf_texts(_DOCUMENT_CHUNKS, _WORDS_PER_CHUNK, dice)


def print_latency(name: str, values: list[float]) -> None:
    """Median, slow and slowest."""
    middle, slow = np.percentile(values, [50, 95])
    print(f"{name:32s} p50 {middle:6.1f} ms   p95 {slow:6.1f} ms   max {max(values):6.1f} ms")


def measure_while(index: HybridIndex, questions: list[str]) -> tuple[list[float], float]:
    """Search while the background works; latencies, and the seconds until it was done."""
    latencies: list[float] = []
    begin = time.perf_counter()
    while not index.state().is_settled:
        latencies += measure(index, [questions[len(latencies) % len(questions)]])["total"]
    return latencies, time.perf_counter() - begin


def print_merge(index: HybridIndex, questions: list[str], dice: np.random.Generator) -> None:
    """Search at rest and while keywords are merged, with a document saved in between."""
    chunks = index.state().keywords
    print_latency("search, nothing else", measure(index, questions)["total"])
    print_latency("save 10 pages", [saved_document_ms(index, chunks, dice) for _ in range(20)])
    index.wait_until_settled()
    index._upkeep.merge()
    late_ms = saved_document_ms(index, chunks, dice)
    latencies, seconds = measure_while(index, questions)
    print_latency("search, while merging", latencies)
    print(f"merged in {seconds:.1f} s; saved meanwhile in {late_ms:.0f} ms")


def print_among(index: HybridIndex, questions: list[str], dice: np.random.Generator) -> None:
    """Search among more and more chosen chunks, with the cost of their way through a pipe."""
    chunks = index.state().keywords
    index._upkeep.follow()
    for has_graph in (False, True):
        if has_graph:
            index.wait_until_settled()
        for share in (0.0001, 0.001, 0.01, 0.1, 0.5, 0.9):
            some = sorted(int(n) + 1 for n in dice.choice(chunks, int(share * chunks), False))
            values = []
            for question in questions[:60]:
                begin = time.perf_counter()
                call = frames.encode((question, 50, some))
                arguments = frames.decode(call, methods.SEARCH.arguments)
                index.search(*arguments)
                values.append((time.perf_counter() - begin) * 1000)
            graph = "graph" if index._stores.vectors.graph else "matrix"
            print_latency(f"among {len(some)} ({graph}, {len(call) // 1000} kB)", values)


def print_turnover(
    index: HybridIndex, folder: Path, rounds: int, dice: np.random.Generator
) -> None:
    """Replace a twentieth of the chunks again and again; what the folder grows to."""
    chunks = index.state().keywords
    index.wait_until_settled()
    before = folder_mb(folder)
    next_id = 10**9
    held = list(range(1, chunks + 1))
    for turn in range(1, rounds + 1):
        gone, held = held[: chunks // 20], held[chunks // 20 :]
        texts = zipf_texts(len(gone), _WORDS_PER_CHUNK, dice)
        vectors = unit_vectors(len(gone), index.embedder().dimensions, dice).astype("<f2")
        new = range(next_id, next_id + len(gone))
        next_id += len(gone)
        held += new
        for start in range(0, len(gone), _BATCH):
            some = range(start, min(start + _BATCH, len(gone)))
            made = tuple(
                IndexedChunk(ChunkId(new[n]), texts[n], vectors[n].tobytes()) for n in some
            )
            index.apply(IndexBatch(made, tuple(ChunkId(gone[n]) for n in some), next_id + start))
        index.settle()
        index.wait_until_settled()
        if not turn % 5:
            now = folder_mb(folder)
            parts = ", ".join(
                f"{name} {now[name]:.0f}" for name in ("vectors", "matrix", "keywords")
            )
            ratio = sum(now.values()) / sum(before.values())
            print(
                f"after {turn} rounds of replacing 5 %: {ratio:.2f} of the first size; MB: {parts}"
            )


def folder_mb(folder: Path) -> dict[str, float]:
    """Size of each store."""
    return {
        store.name: sum(one.stat().st_size for one in store.rglob("*") if one.is_file()) / 2**20
        for store in folder.iterdir()
        if store.is_dir()
    }


def memory_mb() -> float:
    """What this process holds."""
    return psutil.Process().memory_info().rss / 2**20


def main() -> None:
    """Build, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--index", type=Path, help="keep it there, or use what is there")
    parser.add_argument("--turnover", type=int, default=0, help="rounds of replacing 5 %%")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    dice = np.random.default_rng(11)
    embedder = paths.shipped("models", "all-minilm-l6-v2-int8")
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.index or Path(scratch) / "index"
        index = open_index(folder, embedder, threads=2)
        print(f"opened empty: {memory_mb():,.0f} MB")
        if not index.state().applied_seq:
            seconds = fill(index, arguments.chunks, dice)
            print(
                f"filled: {arguments.chunks / seconds:,.0f} chunks/s, {seconds:.0f} s", flush=True
            )
        begin = time.perf_counter()
        index.settle()
        index.wait_until_settled()
        print(f"settled in {time.perf_counter() - begin:.2f} s, {memory_mb():,.0f} MB")
        index.close()
        begin = time.perf_counter()
        index = open_index(folder, embedder, threads=2)
        print(f"opened again in {time.perf_counter() - begin:.2f} s: {index.state()}")
        questions = zipf_texts(arguments.questions, 8, dice)
        measure(index, ["warm up"] * 3)
        index.wait_until_settled()
        for stage, values in measure(index, questions).items():
            print_latency(stage, values)
        print_among(index, questions, dice)
        print_merge(index, questions, dice)
        print(f"memory {memory_mb():,.0f} MB, disk {folder_mb(folder)}")
        if arguments.turnover:
            print_turnover(index, folder, arguments.turnover, dice)
        index.close()


if __name__ == "__main__":
    main()
