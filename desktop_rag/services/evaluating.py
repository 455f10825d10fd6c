"""Asks a test set, measures what comes back, and compares two settings."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.dedup import join_touching
from desktop_rag.domain.errors import InvalidInput, NothingIndexed, UserError
from desktop_rag.domain.evaluation import (
    Difference,
    EvaluationSet,
    Interval,
    Outcome,
    Question,
    TokenScores,
    interval,
    paired,
    percentile,
)
from desktop_rag.domain.grading import found_tokens, holds, is_relevant, ranked
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.services.retrieval import Found, says_nothing_matches

CUTOFFS = (1, 3, 5, 10)
DEPTH = 50
"""Passages looked at for each question, more if asked for: several may come from one text."""

Find = Callable[[str, int, RetrievalRules], Found]
"""Question, how many passages, rules: as `App.find`."""
Name = Callable[[Passage], str]
"""Of the text or file that a passage comes from."""
PerQuestion = Mapping[str, Mapping[str, float]]
"""Values by measure, then by question."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a set gave under one set of rules."""

    rules: RetrievalRules
    outcomes: tuple[Outcome, ...]
    values: PerQuestion
    """Of the answerable questions."""

    def interval(self, measure: str) -> Interval:
        """Mean of a measure with its 95 % interval."""
        return interval(list(self.values[measure].values()))

    @property
    def zero_result_rate(self) -> float:
        """Share of the answerable questions for which the program says it found nothing."""
        asked = [one for one in self.outcomes if one.question.is_answerable]
        return sum(one.is_refused for one in asked) / len(asked)

    @property
    def refused_unanswerable(self) -> float | None:
        """Share of the unanswerable questions for which it says so; `None` without any."""
        asked = [one for one in self.outcomes if not one.question.is_answerable]
        return sum(one.is_refused for one in asked) / len(asked) if asked else None

    def latency_ms(self) -> dict[str, tuple[float, float]]:
        """Median and 95th percentile in milliseconds by stage, and of all stages together."""
        found: dict[str, list[float]] = {}
        for one in self.outcomes:
            for stage, elapsed in one.timings_ms.items():
                found.setdefault(stage, []).append(elapsed)
        return {k: (percentile(v, 0.5), percentile(v, 0.95)) for k, v in found.items()}


@dataclass(frozen=True, slots=True)
class Loss:
    """A question that a second set of rules does worse."""

    question: str
    """Its id."""
    text: str
    before: float
    after: float


def require_measures() -> None:
    """Fail now, not after an hour of indexing.

    Raises:
        UserError: the library of ranking measures is not installed.
    """
    try:
        import ir_measures  # noqa: F401
    except ImportError as error:
        raise UserError(
            "Evaluation needs the Python package “ir-measures”, which is not installed here; "
            "install it beside Desktop RAG and try again."
        ) from error


def evaluate(
    questions: Sequence[Question],
    find: Find,
    name: Name,
    rules: RetrievalRules,
    cutoffs: Sequence[int] = CUTOFFS,
) -> Evaluation:
    """Ask every question under the rules and measure what is found.

    Args:
        questions: at least one of them answerable.
        find: the program's own search.
        name: as the questions' grades and places call texts and files.
        rules: of retrieval.
        cutoffs: ranks down to which Recall, Precision and nDCG look.

    Raises:
        InvalidInput: no cutoffs, or one below 1.
        UserError: see `require_measures`.
    """
    if not cutoffs or min(cutoffs) < 1:
        raise InvalidInput("The ranks to measure at must be whole numbers from 1 (-k 1,3,5,10).")
    require_measures()
    outcomes = tuple(ask_question(one, find, name, rules, cutoffs) for one in questions)
    return Evaluation(rules, outcomes, _measured(outcomes, cutoffs))


def compare(first: Evaluation, second: Evaluation) -> dict[str, Difference]:
    """Paired difference (second minus first) of every measure, question by question."""
    return {
        measure: paired(list(values.values()), [second.values[measure][q] for q in values])
        for measure, values in first.values.items()
    }


def losses(first: Evaluation, second: Evaluation, measure: str, limit: int = 20) -> list[Loss]:
    """Questions that the second does worse by a measure, the worst first."""
    texts = {one.question.id: one.question.text for one in first.outcomes}
    before, after = first.values[measure], second.values[measure]
    worse = [Loss(q, texts[q], before[q], after[q]) for q in before if after[q] < before[q]]
    return sorted(worse, key=lambda one: one.after - one.before)[:limit]


def ask_question(
    question: Question, find: Find, name: Name, rules: RetrievalRules, cutoffs: Sequence[int]
) -> Outcome:
    """Ask one question under the rules; see `evaluate`."""
    begin = time.perf_counter()
    # Asking for more than the rules' candidates would raise their number.
    depth = max(cutoffs) if max(cutoffs) > DEPTH else min(DEPTH, rules.candidates)
    try:
        found = find(question.text, depth, rules)
    except (InvalidInput, NothingIndexed):  # a filter that leaves nothing, a question of signs
        return _unanswered(question, cutoffs)
    elapsed_ms = (time.perf_counter() - begin) * 1000
    names = [name(one) for one in found.passages]
    context = join_touching(found.passages)[: rules.passages]
    return Outcome(
        question=question,
        ranked=tuple(ranked(question, found.passages, names)),
        context=tuple(is_relevant(question, one, name(one)) for one in context),
        context_recall=_recall(question, context, name),
        tokens=found_tokens(question, found.passages, names, cutoffs),
        is_refused=says_nothing_matches(found, rules.not_found_below),
        timings_ms={**found.figures.timings_ms, "total": elapsed_ms},
    )


def _unanswered(question: Question, cutoffs: Sequence[int]) -> Outcome:
    tokens = found_tokens(question, (), (), cutoffs)
    return Outcome(
        question,
        ranked=(),
        context=(),
        context_recall=0.0,
        tokens=tokens,
        is_refused=True,
        timings_ms={},
    )


def _recall(question: Question, context: Sequence[Passage], name: Name) -> float:
    named = [(one, name(one)) for one in context]
    if question.places:
        held = [any(holds(*one, place) for one in named) for place in question.places]
        return sum(held) / len(held)
    names = {one for _, one in named}
    return len(names & question.grades.keys()) / max(1, len(question.grades))


def _measured(outcomes: Sequence[Outcome], cutoffs: Sequence[int]) -> dict[str, dict[str, float]]:
    import ir_measures
    from ir_measures import RR, P, R, nDCG

    asked = {one.question.id: one for one in outcomes if one.question.is_answerable}
    measures = {f"{m.NAME}@{k}": m @ k for m in (R, P, nDCG) for k in cutoffs}
    measures = {_spoken(name): measure for name, measure in measures.items()}
    measures["MRR"] = RR @ max(cutoffs)
    names = {str(measure): name for name, measure in measures.items()}
    # Missing from a run means nothing was found: nought, not left out.
    values = {name: dict.fromkeys(asked, 0.0) for name in measures}
    wanted = {id_: one.question.wanted for id_, one in asked.items()}
    run = {id_: {n: -float(i) for i, n in enumerate(one.ranked)} for id_, one in asked.items()}
    for metric in ir_measures.iter_calc(list(measures.values()), wanted, run):
        values[names[str(metric.measure)]][metric.query_id] = float(metric.value)
    values["context precision"] = {
        id_: sum(one.context) / max(1, len(one.context)) for id_, one in asked.items()
    }
    values["context recall"] = {id_: one.context_recall for id_, one in asked.items()}
    return values | _token_values(asked, cutoffs)


def _token_values(
    asked: Mapping[str, Outcome], cutoffs: Sequence[int]
) -> dict[str, dict[str, float]]:
    spanned = {id_: one.tokens for id_, one in asked.items() if one.tokens}
    return {
        f"token {kind}@{k}": {id_: getattr(scores[k], kind) for id_, scores in spanned.items()}
        for kind in (TokenScores._fields if spanned else ())
        for k in cutoffs
    }


def _spoken(name: str) -> str:
    kind, at, depth = name.partition("@")
    return {"R": "Recall", "P": "Precision"}.get(kind, kind) + at + depth


def sampled(made: EvaluationSet, count: int | None) -> EvaluationSet:
    """The set with some of its questions, the same on every run; all when no count is given.

    Raises:
        InvalidInput: `count` is below 1, or none of those drawn has an answer.
    """
    if count is not None and count < 1:
        raise InvalidInput(f"At least one question must be asked, not {count}.")
    if count is None or count >= len(made.questions):
        return made
    drawn = tuple(random.Random(0).sample(made.questions, count))
    if not any(one.is_answerable for one in drawn):
        raise InvalidInput("Too few questions were drawn to hold one with an answer; ask more.")
    return replace(made, questions=drawn)
