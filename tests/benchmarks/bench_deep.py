"""What deep search and following names are worth: nDCG@10, recall, and the seconds they take.

Run with `python -m tests.benchmarks.bench_deep FOLDER… [--questions 60] [--written FILE]`; a folder
is a test set in BEIR layout, which goes through the program itself. What the language model wrote
is kept in FILE and not asked for again: the ways of searching can then be compared in minutes, and
the seconds are those of the first time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import ir_measures
from ir_measures import R, nDCG

from desktop_rag.cli.measured_library import MeasuredLibrary, library_of
from desktop_rag.domain.answers import Turn
from desktop_rag.domain.evaluation import EvaluationSet
from desktop_rag.domain.ports import GenerationLimits, Generator, GeneratorInfo
from desktop_rag.domain.retrieval_rules import RetrievalRules, rules_for
from desktop_rag.domain.tuning import Tuning
from desktop_rag.services.deep_search import DeepSearch
from desktop_rag.services.evaluating import DEPTH
from tests.benchmarks.pipeline_runs import sample

WAYS = {
    "ordinary": RetrievalRules(),
    "graph, 1 hop": RetrievalRules(graph_hops=1),
    "graph, 2 hops": RetrievalRules(graph_hops=2),
    "other wordings": RetrievalRules(deep_queries=True),
    "parts": RetrievalRules(deep_parts=True),
    "made-up answer": RetrievalRules(deep_hyde=True),
    "all three": RetrievalRules(deep_queries=True, deep_parts=True, deep_hyde=True),
    "--deep": rules_for(deep=True),
    "--deep --graph": rules_for(deep=True, graph=True),
}


@dataclass(slots=True)
class Remembering:
    """A generator that writes the same text for the same prompt without being asked twice."""

    generator: Generator
    file: Path | None
    written: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Text and the seconds it took, by prompt."""
    spent_s: float = 0.0
    """Of all that was asked for, as it took the first time."""

    def __post_init__(self) -> None:
        if self.file is not None and self.file.exists():
            for line in self.file.read_text(encoding="utf-8").splitlines():
                one = json.loads(line)
                self.written[one["prompt"]] = (one["text"], one["seconds"])

    def info(self) -> GeneratorInfo:
        return self.generator.info()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.generator.count_tokens(texts)

    def stream(
        self, turns: Sequence[Turn], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> Iterator[str]:
        prompt = "\n\n".join(turn.content for turn in turns)
        if prompt not in self.written:
            begin = time.perf_counter()
            text = "".join(self.generator.stream(turns, limits, is_cancelled))
            self._keep(prompt, text, time.perf_counter() - begin)
        text, seconds = self.written[prompt]
        self.spent_s += seconds
        yield text

    def weigh(
        self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[float, ...]]:
        return self.generator.weigh(turns, openings, is_cancelled)

    def tune(self, is_cancelled: Callable[[], bool]) -> Iterator[Tuning]:
        return self.generator.tune(is_cancelled)

    def _keep(self, prompt: str, text: str, seconds: float) -> None:
        self.written[prompt] = (text, seconds)
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as kept:
                line = {"prompt": prompt, "text": text, "seconds": seconds}
                kept.write(json.dumps(line, ensure_ascii=False) + "\n")


def measure(
    made: EvaluationSet,
    generator: Callable[[Generator], Remembering],
    ways: dict[str, RetrievalRules],
) -> Iterator[str]:
    """A line for each way of searching."""
    yield (
        f"{made.name}, {len(made.questions)} questions: nDCG@10, Recall@5, Recall@10, share with "
        "everything among 5 and 10, seconds for the language model and for the rest"
    )
    with library_of(made) as library:
        remembering = generator(library.app._engines.generator)
        search = DeepSearch(library.app._retrieval, remembering)
        for name, rules in ways.items():
            yield f"{name:16s} {_line(library, search, remembering, rules)}"


def _line(
    library: MeasuredLibrary, search: DeepSearch, remembering: Remembering, rules: RetrievalRules
) -> str:
    found: dict[str, dict[str, float]] = {}
    begin, remembering.spent_s = time.perf_counter(), 0.0
    for question in library.questions:
        passages = search.find([question.text], DEPTH, rules=rules).passages
        names = dict.fromkeys(library.name(one) for one in passages)
        found[question.id] = {name: -float(rank) for rank, name in enumerate(names)}
    asked = len(library.questions)
    elapsed_s = (time.perf_counter() - begin) / asked
    wanted = {one.id: dict(one.grades) for one in library.questions}
    values: dict[str, list[float]] = {"nDCG@10": [], "R@5": [], "R@10": []}
    for metric in ir_measures.iter_calc([nDCG @ 10, R @ 5, R @ 10], wanted, found):
        values[str(metric.measure)].append(float(metric.value))
    whole = [sum(one == 1.0 for one in values[name]) / asked for name in ("R@5", "R@10")]
    means = [sum(some) / asked for some in values.values()]
    figures = " ".join(f"{one:.3f}" for one in (*means, *whole))
    return f"{figures}  {remembering.spent_s / asked:5.1f} s {elapsed_s:6.3f} s"


def main() -> None:
    """Print a line a set and way of searching."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--texts", type=int, default=1500, help="at most so many of a set")
    parser.add_argument("--questions", type=int, default=60, help="at most so many of a set")
    parser.add_argument("--written", type=Path, metavar="FILE", help="what the model wrote")
    options = parser.parse_args()
    for folder in options.folders:
        made = sample(folder, options.texts, options.questions)
        for line in measure(made, lambda one: Remembering(one, options.written), WAYS):
            print(line, flush=True)


if __name__ == "__main__":
    main()
