"""Asks a test set's questions of the whole program and measures the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from desktop_rag.domain.answer_grading import CONTAINS, Name, graded, is_free_form
from desktop_rag.domain.answer_scoring import contains
from desktop_rag.domain.answers import Answer
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.evaluation import Difference, Interval, Question, interval, paired
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.services.answer_judging import Judge

RELEVANCE, SAME = "answer relevance (judge)", "says the same as gold (judge)"
CONTROLS = 30
"""Verdicts of each kind, at most, by which the judge is measured: each takes seconds."""


@dataclass(frozen=True, slots=True)
class Given:
    """What the program gave, and when."""

    answer: Answer
    seconds: float
    first_word_s: float | None = None


Ask = Callable[[str, RetrievalRules], Given]
Tell = Callable[[str, int, int], None]
"""What is done, how many of how many are."""


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """One question with its answer; a question that failed has none."""

    question: Question
    given: Given | None
    values: Mapping[str, float] = field(default_factory=dict)
    error: str = ""
    """Sentence of the failure."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often the judge says what answers on record say of the same replies."""

    agreed: int
    of: int
    kappa: float
    """Beyond chance (Cohen 1960): 1 always, 0 as dice would."""


@dataclass(frozen=True, slots=True)
class AnswerEvaluation:
    """What a set gave under one set of rules."""

    rules: RetrievalRules
    outcomes: tuple[AnswerOutcome, ...]
    is_complete: bool
    """Nobody stopped it."""
    agreements: Mapping[str, Agreement] = field(default_factory=dict)
    """Of the judge, by measure; empty without one."""
    note: str = ""
    """Why the judge did not finish."""

    @property
    def values(self) -> dict[str, dict[str, float]]:
        """By measure, then by question; only measures that say something about one."""
        found: dict[str, dict[str, float]] = {}
        for one in self.outcomes:
            for measure, value in one.values.items():
                found.setdefault(measure, {})[one.question.id] = value
        return found

    @property
    def failed(self) -> list[AnswerOutcome]:
        """Questions that ended with an error."""
        return [one for one in self.outcomes if one.given is None]

    def interval(self, measure: str) -> Interval:
        """Mean of a measure with its 95 % interval."""
        return interval(list(self.values[measure].values()))


def evaluate_answers(
    questions: Sequence[Question],
    ask: Ask,
    name: Name,
    rules: RetrievalRules,
    judge: Judge | None,
    tell: Tell,
) -> AnswerEvaluation:
    """Ask every question, then have the judge look at what no exact measure covers.

    KeyboardInterrupt ends it early; what was measured until then is kept.

    Args:
        questions: at least one.
        ask: the program's own way from a question to an answer.
        name: as the questions' grades and places call texts and files.
        rules: of retrieval.
        judge: `None` when there is no language model.
        tell: how far it is.
    """
    outcomes: list[AnswerOutcome] = []
    agreements: dict[str, Agreement] = {}
    note, is_complete = "", True
    try:
        for number, one in enumerate(questions, 1):
            outcomes.append(_asked(one, ask, name, rules))
            tell("asked", number, len(questions))
        if judge is not None:
            # Afterwards: between questions it would push what they share out of the model's cache.
            outcomes, agreements = _judged(outcomes, judge, tell)
    except KeyboardInterrupt:
        is_complete = False
    except DesktopRagError as error:
        note = f"Nothing was judged: {error.message}"
    return AnswerEvaluation(rules, tuple(outcomes), is_complete, agreements, note)


def compare_answers(first: AnswerEvaluation, second: AnswerEvaluation) -> dict[str, Difference]:
    """Paired difference (second minus first) of measures, on questions that both speak of."""
    found = {}
    others = second.values
    for measure, values in first.values.items():
        both = [one for one in values if one in others.get(measure, {})]
        if both:
            found[measure] = paired(
                [values[one] for one in both], [others[measure][one] for one in both]
            )
    return found


def kappa(verdicts: Sequence[bool], truths: Sequence[bool]) -> float:
    """Cohen's kappa of two yes-or-no judges over the same cases; 1 when both say one thing only.

    Raises:
        ZeroDivisionError: there are no cases.
    """
    count = len(verdicts)
    agreed = sum(a == b for a, b in zip(verdicts, truths, strict=True)) / count
    yes, true = sum(verdicts) / count, sum(truths) / count
    by_chance = yes * true + (1 - yes) * (1 - true)
    return 1.0 if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)


def _asked(question: Question, ask: Ask, name: Name, rules: RetrievalRules) -> AnswerOutcome:
    try:
        given = ask(question.text, rules)
    except DesktopRagError as error:
        return AnswerOutcome(question, None, error=error.message)
    return AnswerOutcome(question, given, graded(question, given.answer, name))


# --------------------------------------------------------------------------- the judge


@dataclass(frozen=True, slots=True)
class _Case:
    """A question with a reply for the judge."""

    measure: str
    question: Question
    reply: str
    truth: bool | None = None
    """What answers on record say of it, if they say anything."""
    is_counted: bool = False
    """The reply is the program's own, and no exact measure speaks of it."""


def _judged(
    outcomes: Sequence[AnswerOutcome], judge: Judge, tell: Tell
) -> tuple[list[AnswerOutcome], dict[str, Agreement]]:
    cases = [*_relevance_cases(outcomes), *_agreement_cases(outcomes)]
    verdicts: dict[str, list[tuple[bool, bool]]] = {}
    values: dict[str, dict[str, float]] = {}
    for number, case in enumerate(cases, 1):
        verdict = _verdict(case, judge)
        if case.is_counted:
            values.setdefault(case.question.id, {})[case.measure] = float(verdict)
        if case.truth is not None:
            verdicts.setdefault(case.measure, []).append((verdict, case.truth))
        tell("judged", number, len(cases))
    joined = [
        replace(one, values={**one.values, **values.get(one.question.id, {})}) for one in outcomes
    ]
    return joined, {measure: _agreement(pairs) for measure, pairs in verdicts.items()}


def _verdict(case: _Case, judge: Judge) -> bool:
    if case.measure == RELEVANCE:
        return judge.is_relevant(case.question.text, case.reply)
    return judge.is_same(case.question.text, case.reply, case.question.answers)


def _relevance_cases(outcomes: Sequence[AnswerOutcome]) -> Iterator[_Case]:
    """Every answer; and as a control, answers known to be right given to other questions."""
    answered = [(one.question, _reply(one)) for one in outcomes if _reply(one)]
    right = {one.question.id for one in outcomes if one.values.get(CONTAINS) == 1}
    for question, reply in answered:
        truth = True if question.id in right else None
        yield _Case(RELEVANCE, question, reply, truth, is_counted=True)
    known = [pair for pair in answered if pair[0].id in right][: CONTROLS + 1]
    for (question, _), (_, other) in pairwise(known):
        if not contains(other, question.answers):
            yield _Case(RELEVANCE, question, other, truth=False)


def _agreement_cases(outcomes: Sequence[AnswerOutcome]) -> Iterator[_Case]:
    """Answers to questions with a long answer on record; as a control, some with a short one."""
    answered = [one for one in outcomes if _reply(one) and one.question.is_answerable]
    free = [one for one in answered if is_free_form(one.question.answers)]
    for one in free:
        yield _Case(SAME, one.question, _reply(one), is_counted=True)
    for one in [one for one in answered if CONTAINS in one.values][: CONTROLS if free else 0]:
        yield _Case(SAME, one.question, _reply(one), truth=one.values[CONTAINS] == 1)


def _reply(one: AnswerOutcome) -> str:
    """What was answered; nothing for a refusal or a failure."""
    return one.given.answer.text if one.given is not None and one.given.answer.found else ""


def _agreement(pairs: Sequence[tuple[bool, bool]]) -> Agreement:
    verdicts, truths = [verdict for verdict, _ in pairs], [truth for _, truth in pairs]
    agreed = sum(verdict == truth for verdict, truth in pairs)
    return Agreement(agreed, len(pairs), kappa(verdicts, truths))
