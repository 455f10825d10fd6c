"""The figures of records with their intervals, beside what they have to reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.domain.answer_scoring import contains, is_exact, token_f1
from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.evaluation import Interval, interval, paired, percentile
from tests.benchmarks.answer_records import Record
from tests.benchmarks.answer_sets import Kind

Values = Callable[[Record], Sequence[float]]
"""Of one record; none where the measure says nothing about it."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of the table."""

    name: str
    values: Values
    target: float | None = None
    is_least: bool = True
    """The target is the least it may be; else the most."""
    is_share: bool = True

    def is_met(self, mean: float) -> bool:
        """Whether the target is reached; there must be one."""
        assert self.target is not None
        return mean >= self.target if self.is_least else mean <= self.target


def right(one: Record) -> bool:
    """Whether the answer holds the gold; nothing answers a question without gold."""
    return one.is_answered and contains(one.text, one.gold)


def _f1(one: Record) -> float:
    return token_f1(one.text, one.gold) if one.is_answered else 0.0


def _exact(one: Record) -> bool:
    return one.is_answered and is_exact(one.text, one.gold)


def _invalid(one: Record) -> Sequence[float]:
    return [float(bool(one.invalid))]


def _answerable(value: Callable[[Record], float], *, is_retrieved: bool) -> Values:
    def values(one: Record) -> Sequence[float]:
        is_asked = one.kind is Kind.ANSWERABLE and (one.is_retrieved or not is_retrieved)
        return [float(value(one))] if is_asked else []

    return values


def _answered(value: Callable[[Record], Sequence[float]]) -> Values:
    """Of answers with citations to answerable questions whose passage was retrieved."""

    def values(one: Record) -> Sequence[float]:
        is_asked = one.kind is Kind.ANSWERABLE and one.is_retrieved and one.is_answered
        return value(one) if is_asked else []

    return values


def _refused(kind: Kind) -> Values:
    return lambda one: [float(not one.is_answered)] if one.kind is kind else []


def _claims(value: Callable[[bool, bool], bool]) -> Values:
    """One value a claim, of whether something is missing and whether it is marked."""
    return lambda one: [float(value(bool(c.missing), c.is_marked)) for c in one.claims]


def _first(event: str) -> Values:
    return lambda one: [one.first_s[event]] if one.is_answered and event in one.first_s else []


def _written(value: Callable[[Record], float]) -> Values:
    return lambda one: [value(one)] if one.generated_tokens else []


def _first_bears_out(one: Record) -> Sequence[float]:
    """Some facts stand in several paragraphs of an article, of which the set names one."""
    first = one.citations[:1]
    return [float(any(c.is_right or contains(c.quote, one.gold) for c in first))]


def _weighed_down(one: Record) -> Sequence[float]:
    return [one.seconds] if one.calls.get("weigh") and not one.generated_tokens else []


MEASURES = (
    Measure("contains gold, retrieved", _answerable(right, is_retrieved=True), 0.88),
    Measure("contains gold, all answerable", _answerable(right, is_retrieved=False)),
    Measure("contains gold, retrieved and answered", _answered(lambda one: [float(right(one))])),
    Measure(
        "token F1, retrieved",
        _answerable(_f1, is_retrieved=True),
    ),
    Measure(
        "exact match, retrieved",
        _answerable(_exact, is_retrieved=True),
    ),
    Measure(
        "first citation is right",
        _answered(lambda one: [float(bool(one.citations) and one.citations[0].is_right)]),
        0.95,
    ),
    Measure("first citation is right or quotes gold", _answered(_first_bears_out)),
    Measure(
        "any citation is right",
        _answered(lambda one: [float(any(c.is_right for c in one.citations))]),
        0.95,
    ),
    Measure(
        "citations that are right (precision)",
        _answered(lambda one: [float(c.is_right) for c in one.citations]),
        0.95,
    ),
    Measure(
        "false refusals, retrieved",
        _answerable(lambda one: not one.is_answered, is_retrieved=True),
        0.08,
        is_least=False,
    ),
    Measure(
        "false refusals, all answerable",
        _answerable(lambda one: not one.is_answered, is_retrieved=False),
    ),
    Measure("refused, misleading", _refused(Kind.MISLEADING), 0.70),
    Measure("refused, off-topic", _refused(Kind.OFF_TOPIC), 0.97),
    Measure("answers with an invalid number", _invalid, 0.0, is_least=False),
    Measure(
        "unsupported claims left unmarked",
        _claims(lambda missing, marked: missing and not marked),
        0.02,
        is_least=False,
    ),
    Measure("unsupported claims, marked", _claims(lambda missing, marked: missing and marked)),
    Measure("supported claims, marked", _claims(lambda missing, marked: not missing and marked)),
    Measure("failed", lambda one: [float(bool(one.error))], 0.0, is_least=False),
    Measure("seconds, all questions", lambda one: [one.seconds], is_share=False),
    Measure("seconds, language model wrote", _written(lambda one: one.seconds), is_share=False),
    Measure("seconds, language model refused", _weighed_down, is_share=False),
    Measure("seconds to the first word", _first("AnswerDelta"), is_share=False),
    Measure("seconds to the extract", _first("ExtractFound"), is_share=False),
    Measure("prompt tokens", _written(lambda one: one.prompt_tokens), is_share=False),
    Measure("generated tokens", _written(lambda one: one.generated_tokens), is_share=False),
)


def figures(records: Sequence[Record]) -> dict[str, tuple[Interval, int]]:
    """Mean with interval and number of values by measure; without those nothing speaks of."""
    found = {}
    for measure in MEASURES:
        values = [value for one in records for value in measure.values(one)]
        if values:
            found[measure.name] = interval(values), len(values)
    return found


def table(records: Sequence[Record]) -> list[str]:
    """A row a measure, then what each kind of confidence is worth."""
    counts = ", ".join(f"{sum(r.kind is kind for r in records)} {kind}" for kind in Kind)
    models = ", ".join(sorted({one.model for one in records if one.model})) or "no language model"
    rows = [f"{counts}; {models}", f"{'':40s}{'mean':>8s}   {'95 %':18s}{'n':>5s}  wanted"]
    found = figures(records)
    for measure in MEASURES:
        if measure.name in found:
            rows.append(_row(measure, *found[measure.name]))
    return rows + _medians(records) + _confidence_rows(records)


def changes(first: Sequence[Record], second: Sequence[Record]) -> Iterator[str]:
    """How the second differs on the questions that both were asked, a row a measure."""
    others = {one.id: one for one in second}
    both = [(one, others[one.id]) for one in first if one.id in others]
    yield f"{len(both)} questions asked of both"
    for measure in MEASURES:
        pairs = [
            (_mean(a), _mean(b))
            for a, b in ((measure.values(one), measure.values(other)) for one, other in both)
            if a and b
        ]
        if pairs:
            one = paired([before for before, _ in pairs], [after for _, after in pairs])
            span = f"({one.change.low:+.3f} {one.change.high:+.3f})"
            row = f"{measure.name:40s}{one.change.mean:+8.3f}   {span:18s}{len(pairs):5d}"
            yield f"{row}  p {one.p:.3f}"


def _row(measure: Measure, one: Interval, count: int) -> str:
    form = "{:.1%}" if measure.is_share else "{:.2f}"
    mean, low, high = (form.format(value) for value in (one.mean, one.low, one.high))
    wanted = ""
    if measure.target is not None:
        sign = ">=" if measure.is_least else "<="
        verdict = "met" if measure.is_met(one.mean) else "MISSED"
        wanted = f"{sign} {measure.target:.0%} {verdict}"
    return f"{measure.name:40s}{mean:>8s}   {f'{low} to {high}':18s}{count:5d}  {wanted}".rstrip()


def _medians(records: Sequence[Record]) -> list[str]:
    written = [one for one in records if one.generated_tokens]
    if not written:
        return []
    seconds = [one.seconds for one in written]
    first = [one.first_s.get("AnswerDelta", one.seconds) for one in written]
    return [
        f"where the model wrote: total p50 {percentile(seconds, 0.5):.1f} s, "
        f"p95 {percentile(seconds, 0.95):.1f} s; first word p50 {percentile(first, 0.5):.1f} s, "
        f"p95 {percentile(first, 0.95):.1f} s"
    ]


def _confidence_rows(records: Sequence[Record]) -> list[str]:
    levels = {level: [one for one in records if one.confidence == level] for level in Confidence}
    some = {k: [one for one in v if one.is_answered] for k, v in levels.items()}
    return [_confidence_row(level, answered) for level, answered in some.items() if answered]


def _confidence_row(level: Confidence, some: Sequence[Record]) -> str:
    """Right is an answer that holds the gold; to a question without an answer none is."""
    counts = {kind: sum(one.kind is kind for one in some) for kind in Kind}
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    held = [right(one) for one in some if one.kind is Kind.ANSWERABLE]
    of_answerable = f"; of the answerable {_mean(held):.0%}" if held else ""
    share = _mean([right(one) for one in some])
    return f"confidence {level:8s} right {share:4.0%} of {len(some)} ({kinds}){of_answerable}"


def as_json(records: Sequence[Record]) -> Mapping[str, object]:
    """The figures for programs."""
    return {
        name: {"mean": one.mean, "low": one.low, "high": one.high, "n": count}
        for name, (one, count) in figures(records).items()
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
