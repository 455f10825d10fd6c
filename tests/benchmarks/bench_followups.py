"""How well follow-ups find what answers them: as typed, joined to what was asked before, rewritten.

Run with `python -m tests.benchmarks.bench_followups FOLDER [--questions N]`; the folder holds a set
in BEIR layout whose questions have a `history` of messages, each with `role` and `text`. Only
questions that `domain.followup` takes for follow-ups are asked; no language model is.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import ir_measures

from desktop_rag.cli.measured_library import MeasuredLibrary, library_of
from desktop_rag.domain.evaluation import interval
from desktop_rag.domain.followup import is_follow_up
from desktop_rag.domain.query_expansion import Wording
from desktop_rag.domain.standalone import Exchange, standalone
from desktop_rag.services.answering import TYPED_WEIGHT
from desktop_rag.services.evaluating import DEPTH
from desktop_rag.storage.evaluation_sets import read_set
from tests.benchmarks.pipeline_runs import MEASURES


@dataclass(frozen=True, slots=True)
class Turn:
    """A follow-up and what was said before it."""

    id: str
    text: str
    earlier: tuple[Exchange, ...]

    @property
    def alone(self) -> str:
        """Rewritten by the program's rules."""
        return standalone(self.text, self.earlier).text


Searched = tuple[list[str], list[Wording]]
WAYS: Mapping[str, Callable[[Turn], Searched]] = {
    "as typed": lambda turn: ([turn.text], []),
    "joined to the one before": lambda turn: ([_joined(turn)], []),
    "typed and joined, equally": lambda turn: ([turn.text, _joined(turn)], []),
    "rewritten": lambda turn: ([turn.alone], []),
    "rewritten and typed, equally": lambda turn: ([turn.alone, turn.text], []),
    "rewritten, typed counts less": lambda turn: (
        [turn.alone],
        [Wording(turn.text, TYPED_WEIGHT)],
    ),
}
"""What is searched for a follow-up; the last one is what the program does."""


def follow_ups(path: Path, wanted: set[str]) -> list[Turn]:
    """The follow-ups among these questions of a set."""
    found = []
    for one in map(json.loads, path.read_text(encoding="utf-8").split("\n")[:-1]):
        if one["id"] in wanted and one.get("history") and is_follow_up(one["text"]):
            found.append(Turn(one["id"], one["text"], tuple(_exchanges(one["history"]))))
    return found


def _exchanges(history: Sequence[Mapping[str, Any]]) -> list[Exchange]:
    """Questions as the program would have rewritten them then, with their answers."""
    found: list[Exchange] = []
    for one, following in zip(history, [*history[1:], {"role": "user"}], strict=True):
        if one["role"] == "user":
            answer = "" if following["role"] == "user" else following["text"]
            found.append(Exchange(standalone(one["text"], found).text, answer))
    return found


def _joined(turn: Turn) -> str:
    return f"{turn.earlier[-1].question} {turn.text}"


def _values(
    library: MeasuredLibrary,
    turns: Sequence[Turn],
    grades: Mapping[str, dict[str, int]],
    way: Callable[[Turn], Searched],
) -> dict[str, list[float]]:
    """One value a follow-up, by measure."""
    found = {}
    for turn in turns:
        queries, beside = way(turn)
        passages = library.app._retrieval.find(queries, DEPTH, also=beside).passages
        names = dict.fromkeys(library.name(one) for one in passages)
        found[turn.id] = {name: -float(rank) for rank, name in enumerate(names)}
    values: dict[str, list[float]] = {}
    for name, measure in MEASURES.items():
        by_question = dict.fromkeys(found, 0.0)
        for metric in ir_measures.iter_calc([measure], dict(grades), found):
            by_question[metric.query_id] = float(metric.value)
        values[name] = list(by_question.values())
    return values


def main() -> None:
    """Print a row a way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=200, help="at most so many")
    arguments = parser.parse_args()
    made = read_set(arguments.folder)
    grades = {one.id: dict(one.grades) for one in made.questions if one.grades}
    turns = follow_ups(arguments.folder / "queries.jsonl", set(grades))
    if len(turns) > arguments.questions:
        turns = random.Random(0).sample(turns, arguments.questions)
    grades = {turn.id: grades[turn.id] for turn in turns}
    print(f"{len(turns)} follow-ups of {made.name}, {len(made.texts)} texts")
    print(f"{'searched':30s}" + "".join(f"{name:>26s}" for name in MEASURES))
    with library_of(replace(made, questions=())) as library:
        for name, way in WAYS.items():
            values = _values(library, turns, grades, way)
            means = (interval(values[measure]) for measure in MEASURES)
            cells = (f"{one.mean:.3f} ({one.low:.3f} to {one.high:.3f})" for one in means)
            print(f"{name:30s}" + "".join(f"{cell:>26s}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
