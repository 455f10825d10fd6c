"""Asks a test set, measures what comes back, compares two settings, and makes sets of questions."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.domain.answerability import evidence_for
from desktop_rag.domain.answers import Passage
from desktop_rag.domain.dedup import join_touching
from desktop_rag.domain.errors import InvalidInput, UserError
from desktop_rag.domain.evaluation import (
    Difference,
    EvaluationSet,
    Interval,
    Outcome,
    Place,
    Question,
    holds,
    interval,
    is_relevant,
    paired,
    percentile,
    ranked,
)
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.domain.terms import content_terms
from desktop_rag.services.retrieval import Found

CUTOFFS = (1, 3, 5, 10)
DEPTH = 50
"""Passages looked at for each question: several may come from one text."""
_KEYWORDS = 5
_MIN_TERMS = 6
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÉ\"“])|\n{2,}")
_SENTENCE_CHARS = (50, 300)

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
    outcomes = tuple(_ask(one, find, name, rules) for one in questions)
    return Evaluation(rules, outcomes, _measured(outcomes, cutoffs))


def compare(first: Evaluation, second: Evaluation) -> dict[str, Difference]:
    """Paired difference (second minus first) of every measure, question by question."""
    return {
        measure: paired(list(values.values()), [second.values[measure][q] for q in values])
        for measure, values in first.values.items()
    }


def losses(
    first: PerQuestion, second: PerQuestion, measure: str, limit: int = 20
) -> list[tuple[str, float, float]]:
    """Questions that the second does worse, the worst first: id, first's value, second's."""
    both = [(q, value, second[measure][q]) for q, value in first[measure].items()]
    worse = [one for one in both if one[2] < one[1]]
    return sorted(worse, key=lambda one: one[2] - one[1])[:limit]


def _ask(question: Question, find: Find, name: Name, rules: RetrievalRules) -> Outcome:
    found = find(question.text, min(DEPTH, rules.candidates), rules)
    names = [name(one) for one in found.passages]
    context = join_touching(found.passages)[: rules.passages]
    timings = dict(found.figures.timings_ms)
    # "index" holds the stages of the index as well as the way there and back.
    outer = ("scope", "index", "fuse", "resolve", "dedup")
    timings["total"] = sum(timings.get(stage, 0.0) for stage in outer)
    return Outcome(
        question=question,
        ranked=tuple(ranked(question, found.passages, names)),
        context=tuple(is_relevant(question, one, name(one)) for one in context),
        context_recall=_recall(question, context, name),
        is_refused=evidence_for(question.text, found.passages) < rules.not_found_below,
        timings_ms=timings,
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
    return values


def _spoken(name: str) -> str:
    kind, at, depth = name.partition("@")
    return {"R": "Recall", "P": "Precision"}.get(kind, kind) + at + depth


def make_questions(texts: Mapping[str, str], count: int, seed: int = 0) -> list[Question]:
    """Questions whose answer's place is known, from sentences of the texts themselves.

    By turns the rarest words of a sentence as keywords, and the sentence with its rarest word left
    out. Both use the text's own words, so such a set flatters keyword search and says nothing of
    paraphrases; it does say whether files are read, cut and found, and which settings lose some.

    Args:
        texts: by file, as the program reads them.
        count: how many questions at most; spread over the files.
        seed: of the choice.

    Raises:
        InvalidInput: `count` is below 1, or no text has a sentence to ask about.
    """
    if count < 1:
        raise InvalidInput(f"At least one question must be made, not {count}.")
    spread = Counter(term for text in texts.values() for term in content_terms(text))
    dice = random.Random(seed)
    by_file = [list(_sentences(file, text)) for file, text in sorted(texts.items())]
    for sentences in by_file:
        dice.shuffle(sentences)
    turns = max(map(len, by_file), default=0)
    in_turn = [one[turn] for turn in range(turns) for one in by_file if turn < len(one)]
    questions = [
        _question(number, file, quote, start, spread)
        for number, (file, quote, start) in enumerate(in_turn[:count], 1)
    ]
    if not questions:
        raise InvalidInput("The documents hold no sentences to make questions from.")
    return questions


def _sentences(file: str, text: str) -> Iterator[tuple[str, str, int]]:
    start = 0
    ends = [(found.start(), found.end()) for found in _SENTENCE.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        sentence = text[start:end]
        is_fit = _SENTENCE_CHARS[0] <= len(sentence) <= _SENTENCE_CHARS[1]
        is_rich = is_fit and len(content_terms(sentence)) >= _MIN_TERMS
        # Only a sentence that stands once has one right place.
        if is_rich and text.count(sentence) == 1:
            yield file, sentence, start
        start = following


def _question(number: int, file: str, quote: str, start: int, spread: Counter[str]) -> Question:
    rarest = sorted(content_terms(quote), key=lambda term: (spread[term], -len(term)))
    place = Place(file, quote=quote, span=(start, start + len(quote)))
    gap = re.compile(rf"\b{re.escape(rarest[0])}\b", re.IGNORECASE)
    if number % 2 and gap.search(quote):
        text = gap.sub("____", " ".join(quote.split()))
    else:
        chosen = set(rarest[:_KEYWORDS])
        text = " ".join(term for term in content_terms(quote) if term in chosen)
    return Question(f"q{number}", text, places=(place,))


def sampled(made: EvaluationSet, count: int | None, seed: int = 0) -> tuple[Question, ...]:
    """Some of a set's questions, the same on every run; all when no count is given.

    Raises:
        InvalidInput: `count` is below 1.
    """
    if count is not None and count < 1:
        raise InvalidInput(f"At least one question must be asked, not {count}.")
    if count is None or count >= len(made.questions):
        return made.questions
    drawn = random.Random(seed).sample(made.questions, count)
    if not any(one.is_answerable for one in drawn):
        raise InvalidInput("Too few questions were drawn to hold one with an answer; ask more.")
    return tuple(drawn)
