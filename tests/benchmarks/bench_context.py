"""What dropping duplicates, a diverse order and the floor do to the ranking.

Run with `python -m tests.benchmarks.bench_context FOLDER…`; folders as in `bench_retrieval`. Prints
nDCG@10 for several rules on the same library, how many relevant passages are dropped as duplicates
and of what, and what a diverse order (`mmr_lambda`) gains on a set of its own, where eight near-
copies of one text crowd out two others that answer as well.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import ir_measures
from ir_measures import nDCG

from desktop_rag.cli.measured_library import MeasuredLibrary, library_of
from desktop_rag.domain.evaluation import EvaluationSet, Question, Text, paired
from desktop_rag.domain.explanation import Fate
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from tests.benchmarks.pipeline_runs import sample

_DEPTH = 20
_PLAIN = replace(DEFAULT_RULES, duplicate_above=2.0, mmr_lambda=1.0, relevance_floor=0.0)
_RULES = {
    "plain": _PLAIN,
    "duplicates": replace(_PLAIN, duplicate_above=DEFAULT_RULES.duplicate_above),
    "mmr 0.85": replace(_PLAIN, mmr_lambda=0.85),
    "mmr 0.9": replace(_PLAIN, mmr_lambda=0.9),
    "mmr 0.8": replace(_PLAIN, mmr_lambda=0.8),
    "mmr 0.7": replace(_PLAIN, mmr_lambda=0.7),
    "floor 0.001": replace(_PLAIN, relevance_floor=0.001),
    "floor 0.01": replace(_PLAIN, relevance_floor=0.01),
    "defaults": DEFAULT_RULES,
}
_COPIES = 8
_TOPICS = (
    ("harbour ferry", "pier", "crossing"),
    ("village library", "reading room", "membership"),
    ("mountain hut", "dormitory", "night"),
    ("swimming hall", "large pool", "visit"),
    ("bicycle workshop", "repair stand", "hour"),
    ("botanical garden", "palm house", "ticket"),
    ("observatory", "great telescope", "tour"),
    ("music school", "practice room", "lesson"),
    ("market hall", "corner stall", "day"),
    ("steam railway", "dining car", "ride"),
)


def crowded() -> EvaluationSet:
    """For each topic eight texts that differ in a number, and two that answer differently."""
    texts: list[Text] = []
    questions: list[Question] = []
    for place, unit, event in _TOPICS:
        copies = [
            f"At the {place}, each {event} costs {n} francs for adults, and children pay half of "
            f"it; the {unit} is included in the price, and groups pay less."
            for n in range(11, 11 + _COPIES)
        ]
        others = [
            f"Members of the friends' society never pay at the {place}: show the green card at the "
            f"{unit} and every {event} is free for the whole family.",
            f"Prices of the {place} are set by the council in spring; what a {event} costs for "
            f"adults and children is printed on the board beside the {unit}.",
        ]
        first = len(texts)
        texts += [Text(str(first + n), "", text) for n, text in enumerate((*copies, *others))]
        wanted = {str(first + _COPIES): 1, str(first + _COPIES + 1): 1}
        question = f"What does a {event} at the {place} cost for adults and children?"
        questions.append(Question(place, question, wanted))
    return EvaluationSet("crowded", tuple(questions), tuple(texts))


def names(library: MeasuredLibrary, question: Question, rules: RetrievalRules) -> list[str]:
    """What is shown, each text once."""
    found = library.app.find(question.text, _DEPTH, rules)
    return list(dict.fromkeys(map(library.name, found.passages)))


def ndcg(questions: Sequence[Question], shown: Sequence[Sequence[str]]) -> list[float]:
    """nDCG@10 of each question."""
    wanted = {one.id: dict(one.grades) for one in questions}
    run = {
        one.id: {name: -float(n) for n, name in enumerate(some)}
        for one, some in zip(questions, shown, strict=True)
    }
    values = dict.fromkeys(wanted, 0.0)
    for metric in ir_measures.iter_calc([nDCG @ 10], wanted, run):
        values[metric.query_id] = float(metric.value)
    return list(values.values())


def print_rules(library: MeasuredLibrary, name: str) -> None:
    """A line for each of the rules: nDCG@10 and its paired change."""
    plain: list[float] = []
    for label, rules in _RULES.items():
        values = ndcg(library.questions, [names(library, q, rules) for q in library.questions])
        plain = plain or values
        change = paired(plain, values).change
        told = f"{change.mean:+.4f} ({change.low:+.4f} {change.high:+.4f})"
        print(f"{name[:20]:20s} {label:12s} {sum(values) / len(values):.4f} {told}", flush=True)


def print_duplicates(library: MeasuredLibrary, name: str) -> None:
    """Relevant texts that are dropped as duplicates, and whether their twins are relevant, too."""
    dropped = irrelevant = equal = 0
    for question in library.questions:
        found = library.app.find(question.text, 50, _RULES["duplicates"])
        by_chunk = {one.chunk: one for one in found.explanation.decisions}
        stored = library.app._catalog.resolve(list(by_chunk))
        for one in found.explanation.decisions:
            if one.verdict.fate is not Fate.DUPLICATE or one.verdict.because_of is None:
                continue
            twin = by_chunk[one.verdict.because_of]
            own, other = map(library.name_of, (one.path, twin.path))
            if own in question.grades and own != other:
                dropped += 1
                irrelevant += other not in question.grades
                texts = [" ".join(stored[c].text.split()) for c in (one.chunk, twin.chunk)]
                equal += texts[0] == texts[1]
    told = f"{dropped} relevant passages dropped as duplicates, {equal} of them word for word"
    print(f"{name[:20]:20s} {told}; {irrelevant} repeat one that the set does not call relevant")


def print_crowded() -> None:
    """How many of the two other answers stand among the first five, by `mmr_lambda`."""
    with library_of(crowded()) as library:
        for weight in (1.0, 0.9, 0.85, 0.8, 0.7):
            rules = replace(DEFAULT_RULES, mmr_lambda=weight)
            held = [
                len(set(names(library, one, rules)[:5]) & one.grades.keys()) / len(one.grades)
                for one in library.questions
            ]
            share = sum(held) / len(held)
            print(f"crowded by {_COPIES} near-copies, mmr {weight}: Recall@5 {share:.2f}")


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--questions", type=int, default=150)
    arguments = parser.parse_args()
    print_crowded()
    for folder in arguments.folders:
        made = sample(folder, arguments.texts, arguments.questions)
        with library_of(made) as library:
            print_rules(library, made.name)
            print_duplicates(library, made.name)


if __name__ == "__main__":
    main()
