"""Ranking quality on test sets: nDCG@10 and Recall@5 of keywords, vectors, plain fusion, and ours.

Run with `python -m tests.benchmarks.bench_retrieval FOLDER… [--full] [--pages FOLDER] [--reranker
FOLDER]`; a set's folder holds `corpus.jsonl` (id, title, text), `queries.jsonl` (id, text) and
`qrels.tsv` (query, document, grade). Sets go through the program itself (`pipeline_runs`), large
ones are sampled, the same way on every run; a re-ranker is measured beside our order, on the same
questions. What stands here besides is an index alone, for other benchmarks.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop_rag import paths
from desktop_rag.domain.answers import Candidate, Ranking
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.evaluation import interval
from desktop_rag.domain.ports import IndexBatch, IndexedChunk
from desktop_rag.engines.hybrid_index import HybridIndex, open_index
from desktop_rag.engines.vectors_exact import ExactVectorIndex
from tests.benchmarks.pipeline_runs import (
    MEASURES,
    Run,
    latency,
    page_recall,
    page_set,
    reading_table,
    reranker_in_use,
    run,
    sample,
    table,
)


@dataclass(frozen=True, slots=True)
class TestSet:
    """Texts by number, questions by id, and the graded numbers relevant to each question."""

    __test__ = False
    name: str
    texts: dict[int, str]
    questions: dict[str, str]
    relevant: dict[str, dict[int, float]]


def read_set(
    folder: Path, max_texts: int = 1500, max_questions: int = 200, *, has_titles: bool = True
) -> TestSet:
    """Read a set; a question is kept when all its relevant texts were drawn."""
    dice = random.Random(0)
    corpus = [json.loads(line) for line in _lines(folder / "corpus.jsonl")]
    if len(corpus) > max_texts:
        corpus = dice.sample(corpus, max_texts)
    numbers = {str(one["id"]): n for n, one in enumerate(corpus, start=1)}
    grades: dict[str, dict[str, float]] = {}
    for line in _lines(folder / "qrels.tsv"):
        query, document, grade = line.split("\t")
        if grade.replace(".", "").isdigit() and float(grade) > 0:
            grades.setdefault(query, {})[document] = float(grade)
    queries = {
        str(one["id"]): one["text"] for one in map(json.loads, _lines(folder / "queries.jsonl"))
    }
    usable = [q for q, found in grades.items() if q in queries and found.keys() <= numbers.keys()]
    if len(usable) > max_questions:
        usable = dice.sample(usable, max_questions)
    return TestSet(
        name=folder.name,
        texts={
            numbers[str(one["id"])]: _with_title(one) if has_titles else one["text"]
            for one in corpus
        },
        questions={q: queries[q] for q in usable},
        relevant={q: {numbers[d]: g for d, g in grades[q].items()} for q in usable},
    )


@contextmanager
def indexed(texts: dict[int, str], threads: int = 2) -> Iterator[HybridIndex]:
    """An index over the texts in a temporary folder, with exact vector search."""
    embedder = paths.shipped("models", "all-minilm-l6-v2-int8")
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(
            Path(folder) / "index", embedder, threads, lambda f, d, _: ExactVectorIndex(f, d)
        )
        try:
            vectors = [one.vector for one in index.embed(list(texts.values()))]
            chunks = tuple(
                IndexedChunk(ChunkId(number), text, vector)
                for (number, text), vector in zip(texts.items(), vectors, strict=True)
            )
            index.apply(IndexBatch(chunks, (), 1))
            index.settle()
            yield index
        finally:
            index.close()


def ndcg(ranked: list[int], grades: dict[int, float], depth: int = 10) -> float:
    """Normalised discounted cumulative gain (Jarvelin & Kekalainen 2002), linear gain."""
    gain = sum(grades.get(n, 0.0) / math.log2(i + 2) for i, n in enumerate(ranked[:depth]))
    best = sorted(grades.values(), reverse=True)[:depth]
    return gain / sum(grade / math.log2(i + 2) for i, grade in enumerate(best))


def by_keywords(ranking: Ranking) -> list[int]:
    """What keyword search alone found."""
    return _ordered(ranking, lambda one: one.keyword_rank)


def by_vectors(ranking: Ranking) -> list[int]:
    """What vector search alone found."""
    return _ordered(ranking, lambda one: one.dense_rank)


def fused(ranking: Ranking) -> list[int]:
    """What the program uses."""
    return [one.chunk for one in ranking.candidates]


def _ordered(ranking: Ranking, rank: Callable[[Candidate], int | None]) -> list[int]:
    found = [(place, one.chunk) for one in ranking.candidates if (place := rank(one)) is not None]
    return [chunk for _, chunk in sorted(found)]


def _with_title(one: dict[str, str]) -> str:
    return f"{one['title']}\n{one['text']}" if one.get("title") else one["text"]


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]


def _runs(arguments: argparse.Namespace) -> list[Run]:
    everything = 10**9 if arguments.full else 0
    texts, questions = (max(everything, one) for one in (arguments.texts, arguments.questions))
    runs = []
    with reranker_in_use(arguments.reranker):
        for folder in arguments.folders:
            made = sample(folder, texts, questions)
            runs.append(run(made, has_reranker=arguments.reranker is not None))
            print(f"{made.name}: {latency(runs[-1].latencies_ms)}", flush=True)
            if runs[-1].reading_ms:
                print(f"{made.name}, read again: {latency(runs[-1].reading_ms)}", flush=True)
    return runs


def main() -> None:
    """Print a table a measure, a row a set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--texts", type=int, default=1500, help="at most so many of a set")
    parser.add_argument("--questions", type=int, default=200, help="at most so many of a set")
    parser.add_argument("--full", action="store_true", help="all texts and questions")
    parser.add_argument("--pages", type=Path, help="folder of questions on PDFs (see `page_set`)")
    parser.add_argument("--reranker", type=Path, help="folder of a cross-encoder, installed or not")
    arguments = parser.parse_args()
    runs = _runs(arguments)
    for measure in MEASURES if runs else ():
        print("\n" + "\n".join(table(runs, measure)))
        if arguments.reranker:
            print("\n" + "\n".join(reading_table(runs, measure)))
    if arguments.pages:
        made = page_set(arguments.pages)
        values, latencies = page_recall(made)
        found = interval(values)
        print(
            f"\npage-level Recall@10 on {made.name}, {len(values)} questions: {found.mean:.3f} "
            f"({found.low:.3f} to {found.high:.3f}); {latency(latencies)}"
        )


if __name__ == "__main__":
    main()
