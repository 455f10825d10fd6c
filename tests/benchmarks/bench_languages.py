"""Search in many languages: nDCG@10 of keywords, vectors and both, and what is refused.

Run with `python -m tests.benchmarks.bench_languages FOLDER`; the folder holds a set as in
`bench_retrieval` whose texts and questions have a `lang` and whose texts have a `title` (XQuAD).
A row a language: keywords alone among texts of that language, keywords among the texts of all
languages, vectors, both fused; then the share of questions refused when their article is in the
library, and when it is not (every second article is left out).
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from desktop_rag.domain.answerability import judge
from desktop_rag.domain.answers import Confidence, Ranking
from desktop_rag.domain.documents import ChunkId
from desktop_rag.engines.hybrid_index import HybridIndex
from tests.benchmarks.bench_answerability import passage
from tests.benchmarks.bench_retrieval import by_keywords, by_vectors, fused, indexed, ndcg

_PASSAGES = 8
_CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the set."""

    language: str
    article: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the number of the one text that answers it."""

    language: str
    text: str
    answer: int


def read_languages(folder: Path, asked: int) -> tuple[dict[int, Text], list[Question]]:
    """All texts by number, and `asked` questions of each language, drawn alike on every run."""
    corpus = _records(folder / "corpus.jsonl")
    numbers = {one["id"]: n for n, one in enumerate(corpus, start=1)}
    texts = {n: Text(one["lang"], one["title"], one["text"]) for n, one in enumerate(corpus, 1)}
    pairs = [line.split("\t") for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()]
    answers = {query: numbers[text] for query, text, _ in pairs if text in numbers}
    questions: dict[str, list[Question]] = {}
    for one in _records(folder / "queries.jsonl"):
        if one["id"] in answers:
            question = Question(one["lang"], one["text"], answers[one["id"]])
            questions.setdefault(one["lang"], []).append(question)
    dice = random.Random(0)
    drawn = [dice.sample(found, min(asked, len(found))) for found in questions.values()]
    return texts, [one for found in drawn for one in found]


def _records(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def measure(
    index: HybridIndex, texts: dict[int, Text], questions: list[Question]
) -> list[tuple[str, list[float]]]:
    """Language by language, the columns of the table."""
    rows = []
    for language in sorted({one.language for one in questions}):
        own = [ChunkId(n) for n, one in texts.items() if one.language == language]
        asked = [one for one in questions if one.language == language]
        alone = [index.search(one.text, _CANDIDATES, own) for one in asked]
        mixed = [index.search(one.text, _CANDIDATES) for one in asked]
        quality = [
            fmean(ndcg(order(r), {one.answer: 1.0}) for r, one in zip(found, asked, strict=True))
            for found, order in (
                (alone, by_keywords),
                (mixed, by_keywords),
                (alone, by_vectors),
                (alone, fused),
                (mixed, fused),
            )
        ]
        rows.append((language, quality + refusals(index, texts, asked)))
    return rows


def refusals(index: HybridIndex, texts: dict[int, Text], questions: list[Question]) -> list[float]:
    """Refused shares of questions whose article is there, and of those whose article is not."""
    articles = sorted({one.article for one in texts.values()})
    present = set(articles[::2])
    language = questions[0].language
    held = [
        ChunkId(n)
        for n, one in texts.items()
        if one.language == language and one.article in present
    ]
    refused: dict[bool, list[bool]] = {True: [], False: []}
    for one in questions:
        ranking = index.search(one.text, _CANDIDATES, held)
        is_there = texts[one.answer].article in present
        refused[is_there].append(_is_refused(one.text, ranking, texts))
    return [fmean(refused[True]), fmean(refused[False])]


def _is_refused(question: str, ranking: Ranking, texts: dict[int, Text]) -> bool:
    found = [passage(one, texts[one.chunk].text) for one in ranking.candidates[:_PASSAGES]]
    return judge(question, found) is Confidence.NONE


def main() -> None:
    """Print a table, one row a language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--asked", type=int, default=150, help="questions of each language")
    arguments = parser.parse_args()
    texts, questions = read_languages(arguments.folder, arguments.asked)
    names = ["BM25", "BM25+", "dense", "fused", "fused+", "refused", "off-topic"]
    print("nDCG@10 (+: among all languages)".ljust(34) + "refused, %")
    print("lang  " + " ".join(f"{name:>9s}" for name in names))
    with indexed({n: one.text for n, one in texts.items()}) as index:
        rows = measure(index, texts, questions)
    means = [fmean(column) for column in zip(*(row for _, row in rows), strict=True)]
    for language, row in [*rows, ("mean", means)]:
        cells = [*(f"{one:9.4f}" for one in row[:5]), *(f"{100 * one:9.1f}" for one in row[5:])]
        print(f"{language:5s} " + " ".join(cells))


if __name__ == "__main__":
    main()
