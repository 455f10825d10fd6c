"""Whether the relevance that people see is true: of passages shown with 80 %, are 80 % relevant?

Run with `python -m tests.benchmarks.bench_relevance FOLDER FOLDER… [--fit]`; folders as in
`bench_retrieval`. Every set is asked its own questions and, a few of each, those of the other sets,
whose answers it does not hold; the first passages shown are compared with the set's judgements.
Sets count alike, however large. `--fit` prints coefficients for `domain.scoring`, and how well
those of all other sets do on each set.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.app import App
from desktop_rag.cli.measured_library import library_of
from desktop_rag.domain.answerability import judge
from desktop_rag.domain.answers import Candidate, Confidence, Passage
from desktop_rag.domain.evaluation import EvaluationSet
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.domain.scoring import Signals, relevance, signals_for
from tests.benchmarks.pipeline_runs import sample

_RULES = replace(DEFAULT_RULES, relevance_floor=0.0, mmr_lambda=1.0, duplicate_above=2.0)
"""Everything in the order of the ranking."""
_SHOWN = 8
_BINS = 10
_FLOORS = (0.001, 0.002, 0.005, 0.01, 0.02)
_NAMES = ("cosine", "coverage", "keyword share", "log rank", "late", "constant")
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage that one question was shown."""

    set: int
    is_own: bool
    """Whether the question is one of the set's."""
    signals: Signals
    late: float
    is_relevant: bool
    is_refused: bool
    """Whether the question is said to have no answer there."""


def shown(
    app: App, text: str, name: Callable[[Passage], str], grades: dict[str, int] | None, place: int
) -> Iterator[Shown]:
    """What one question is shown; without grades it is none of the set's."""
    found = app.find(text, _SHOWN, _RULES)
    candidates = [
        Candidate(one.chunk, one.score, one.similarity, None, None, one.keyword_score)
        for one in found.explanation.decisions
    ]
    late = {one.chunk: one.late_score or 0.0 for one in found.explanation.decisions}
    signals = signals_for(found.texts[-1], candidates)
    is_refused = judge(found.texts[-1], found.passages) is Confidence.NONE
    for one in found.passages:
        is_relevant = grades is not None and name(one) in grades
        own = grades is not None
        yield Shown(place, own, signals(one), late[one.chunk], is_relevant, is_refused)


def asked(sets: Sequence[EvaluationSet], off_topic: int) -> list[Shown]:
    """What all questions are shown, on their own sets and on others."""
    found: list[Shown] = []
    for place, one in enumerate(sets):
        with library_of(one) as library:
            for question in library.questions:
                grades = dict(question.grades)
                found += shown(library.app, question.text, library.name, grades, place)
            for other in sets:
                for question in other.questions[:off_topic] if other is not one else ():
                    found += shown(library.app, question.text, library.name, None, place)
    return found


def reliability(rows: Sequence[Shown], values: Floats, sets: int) -> Iterator[str]:
    """A line a bin: how many, the mean relevance shown, the share relevant, in all and by set."""
    weights, truth = _weights(rows), np.array([one.is_relevant for one in rows], float)
    member = np.array([one.set for one in rows])
    yield f"{'shown':>10s} {'passages':>9s} {'mean':>6s} {'relevant':>9s}   by set"
    for low in np.arange(_BINS) / _BINS:
        held = (values >= low) & (values < low + 1 / _BINS + (low + 1 / _BINS >= 1))
        if not held.any():
            continue
        mean = np.average(values[held], weights=weights[held])
        share = np.average(truth[held], weights=weights[held])
        by_set = [truth[held & (member == n)] for n in range(sets)]
        cells = " ".join(f"{c.mean():.2f}/{len(c):<4d}" if len(c) else f"{'-':9s}" for c in by_set)
        bin_ = f"{low:4.1f} - {low + 1 / _BINS:3.1f}"
        yield f"{bin_} {held.sum():9d} {mean:6.2f} {share:9.2f}   {cells}"


def fitted(rows: Sequence[Shown], chosen: Sequence[int]) -> Floats:
    """Coefficients of a weighted logistic regression (Newton's method, a little ridge)."""
    features, truth, weights = _features(rows)[:, chosen], _truth(rows), _weights(rows)
    found = np.zeros(features.shape[1])
    ridge = np.full(len(found), 1e-3)
    for _ in range(50):
        guess = 1 / (1 + np.exp(-features @ found))
        slope = features.T @ (weights * (guess - truth)) + ridge * found
        curve = (features.T * (weights * guess * (1 - guess))) @ features + np.diag(ridge)
        found -= np.linalg.solve(curve, slope)
    return found


def log_loss(rows: Sequence[Shown], values: Floats) -> float:
    """Mean negative log-likelihood, sets alike."""
    bounded = np.clip(values, 1e-6, 1 - 1e-6)
    truth = _truth(rows)
    losses = -(truth * np.log(bounded) + (1 - truth) * np.log(1 - bounded))
    return float(np.average(losses, weights=_weights(rows)))


def _features(rows: Sequence[Shown]) -> Floats:
    return np.array(
        [
            (
                0.4 if one.signals.cosine is None else one.signals.cosine,
                one.signals.coverage,
                one.signals.keyword_share,
                np.log(one.signals.rank),
                one.late,
                1.0,
            )
            for one in rows
        ]
    )


def _truth(rows: Sequence[Shown]) -> Floats:
    return np.array([one.is_relevant for one in rows], float)


def _weights(rows: Sequence[Shown]) -> Floats:
    member = np.array([one.set for one in rows])
    counts = np.bincount(member)
    weights: Floats = 1000.0 / counts[member]
    return weights


def _print_floors(rows: Sequence[Shown], values: Floats) -> None:
    weights, truth = _weights(rows), _truth(rows) > 0
    own = np.array([one.is_own for one in rows])
    print("floor: relevant passages lost; others left out, on topic and off topic")
    for floor in _FLOORS:
        low = values < floor
        lost = np.average(low[truth], weights=weights[truth])
        print(f"{floor:6.3f} {lost:7.3f} {low[own & ~truth].mean():7.2f} {low[~own].mean():7.2f}")
    refused = np.array([one.is_refused for one in rows])
    shares = f"{refused[own].mean():.3f} of the own questions, {refused[~own].mean():.3f} of others"
    print(f"nothing matches well: said to {shares}")


def _print_fit(rows: Sequence[Shown], sets: Sequence[EvaluationSet]) -> None:
    for chosen in ((0, 1, 2, 3, 5), (0, 1, 2, 3, 4, 5)):
        coefficients = fitted(rows, chosen)
        told = ", ".join(f"{_NAMES[n]} {c:.2f}" for n, c in zip(chosen, coefficients, strict=True))
        held_out = []
        for place in range(len(sets)):
            own = [one for one in rows if one.set == place]
            others = fitted([one for one in rows if one.set != place], chosen)
            guesses = 1 / (1 + np.exp(-_features(own)[:, chosen] @ others))
            held_out.append(log_loss(own, guesses))
        guesses = 1 / (1 + np.exp(-_features(rows)[:, chosen] @ coefficients))
        losses = f"log loss {log_loss(rows, guesses):.4f}, on sets left out {np.mean(held_out):.4f}"
        print(f"{told}: {losses}")


def main() -> None:
    """Print the reliability table, what floors would do, and new coefficients when asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--questions", type=int, default=120)
    arguments = parser.parse_args()
    sets = [sample(one, arguments.texts, arguments.questions) for one in arguments.folders]
    rows = asked(sets, max(1, arguments.questions // (2 * len(sets))))
    values = np.array([relevance(one.signals) for one in rows])
    print("; ".join(one.name for one in sets))
    print("\n".join(reliability(rows, values, len(sets))))
    print(f"log loss {log_loss(rows, values):.4f}")
    _print_floors(rows, values)
    if arguments.fit:
        _print_fit(rows, sets)


if __name__ == "__main__":
    main()
