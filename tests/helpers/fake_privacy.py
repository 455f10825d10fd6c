"""What the pages Privacy and Quality ask of the façade, from memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from desktop_rag.domain.health import WorkerFacts
from desktop_rag.domain.quality import Day, Spread
from desktop_rag.network import Use, UseKind
from desktop_rag.services.connections import Activity, Protection
from desktop_rag.services.health import HealthReport
from desktop_rag.services.quality import Origin, QualityFigures
from desktop_rag.services.stored import Kind, Stored
from desktop_rag.services.upkeep import Finding, Outcome, Repair
from desktop_rag.storage.evaluations import StoredEvaluation
from desktop_rag.storage.index_age import IndexAge

_HOME = Path("/home/ada/.local/share/desktop-rag")
_AGE = IndexAge("2030-03-04T09:30:00+00:00", "2030-01-02T09:30:00+00:00", 35, 2, 1, 4)


class FakeConnections:
    """A window that has fetched a model once; a worker was kept from something."""

    def __init__(self) -> None:
        self.is_forbidden = False
        self.looks = 0
        self.uses: tuple[Use, ...] = ()

    def use_it(self) -> None:
        """A download."""
        began = 1_900_000_000.0
        self.uses = (
            Use(began + 9, "index", UseKind.LOOK_UP, "telemetry.example", is_refused=True),
            Use(began + 2, "program", UseKind.CONNECTION, "192.0.2.7:443", "small-model"),
            Use(began, "program", UseKind.LOOK_UP, "models.example", "small-model"),
        )

    def forbid(self, is_forbidden: bool) -> None:
        self.is_forbidden = is_forbidden

    def look(self) -> None:
        self.looks += 1

    def activity(self) -> Activity:
        counted = sum(not use.is_refused for use in self.uses)
        return Activity(
            since=1_900_000_000.0,
            count=counted,
            refused=len(self.uses) - counted,
            uses=self.uses,
            local=(),
            protection=Protection(self.is_forbidden, ("parse", "index"), ("llm",)),
        )


class FakeStored:
    """A library of some size."""

    def __init__(self) -> None:
        self.cleared: list[Kind] = []
        self.erased: list[bool] = []
        self.folder = _HOME

    def all(self) -> list[Stored]:
        parts = {Kind.RECOGNISED: 12, Kind.CHATS: 31, Kind.QUERY_LOG: 412}
        clearable = {Kind.RECOGNISED, Kind.ANSWERS, Kind.QUERY_LOG, Kind.LOGS}
        return [
            Stored(
                kind,
                _HOME / kind.value,
                0 if kind in self.cleared else 1_234_567,
                0 if kind in self.cleared else parts.get(kind, 1),
                is_in_library=kind in parts,
                is_clearable=kind in clearable,
            )
            for kind in Kind
        ]

    def clear(self, kind: Kind) -> None:
        self.cleared.append(kind)

    def delete_everything(self, *, with_models: bool) -> None:
        self.erased.append(with_models)


class FakeHealth:
    """Workers that had their days, and a check-up with something of everything."""

    def __init__(self) -> None:
        self.repairs = 0

    def report(self) -> HealthReport:
        workers = (
            WorkerFacts("parse", "ready", 11, 160_000_000, 3, 2, is_sealed=True),
            WorkerFacts("index", "ready", 12, 270_000_000, 1, is_sealed=True),
            WorkerFacts("llm", "unavailable"),
        )
        return HealthReport(workers, _AGE, 25_600_000_000, (("Desktop RAG", "1.0"),))

    def check(self) -> list[Finding]:
        if self.repairs:
            return [Finding("library", Outcome.OK, "The catalog's file is whole.")]
        return [
            Finding("library", Outcome.OK, "The catalog's file is whole."),
            Finding("sources", Outcome.NOTE, "1 of 3 cannot be reached now.", "Connect it."),
            Finding("texts", Outcome.PROBLEM, "2 must be read again.", repair=Repair.READ_AGAIN),
            Finding("vectors", Outcome.SKIPPED, "The search model is not loaded."),
        ]

    def repair(self) -> list[str]:
        self.repairs += 1
        return ["Queued 2 files to be read again."]

    def log_tail(self) -> str:
        return "\n".join(f"09:30:{second:02} INFO ready" for second in range(40))

    def shortened(self, text: str) -> str:
        return text


class FakeQuality:
    """Four weeks of searches and three runs."""

    def __init__(self) -> None:
        self.is_log_on = True
        self.runs = [_run(number) for number in range(3)]
        self.is_empty = False

    def figures(self) -> QualityFigures:
        nothing = Spread(0, 0.0, 0.0)
        days = () if self.is_empty else tuple(_day(number) for number in range(28))
        return QualityFigures(
            is_log_on=self.is_log_on,
            searches=nothing if self.is_empty else Spread(412, 84.0, 231.0),
            first_word=nothing if self.is_empty else Spread(31, 2_900.0, 6_100.0),
            without_result=0.0 if self.is_empty else 0.06,
            days=days,
            age=_AGE,
            good=0 if self.is_empty else 14,
            bad=0 if self.is_empty else 3,
            reasons=() if self.is_empty else (("incomplete", 2), ("too slow", 1)),
            runs=() if self.is_empty else tuple(self.runs),
        )

    def measure(
        self,
        origin: Origin,
        count: int,
        file: Path | None,
        tell: Callable[[int, int], None],
        is_cancelled: Callable[[], bool],
    ) -> StoredEvaluation:
        del origin, file, is_cancelled
        tell(count, count)
        self.runs.append(_run(len(self.runs)))
        return self.runs[-1]

    def forget_runs(self) -> None:
        self.runs.clear()


def _day(number: int) -> Day:
    spread = Spread(10 + number % 7, 70.0 + number % 5 * 9, 180.0 + number % 9 * 14)
    return Day(date(2030, 2, 1) + timedelta(days=number), spread, 0.02 * (number % 6))


def _run(number: int) -> StoredEvaluation:
    figures = {
        "questions": 30.0,
        "first": 0.6 + 0.05 * number,
        "five": 0.8 + 0.04 * number,
        "five_low": 0.65 + 0.04 * number,
        "five_high": 0.92 + 0.02 * number,
        "mrr": 0.68 + 0.05 * number,
        "without_result": 0.03,
        "search_p50_ms": 80.0,
        "search_p95_ms": 190.0,
    }
    return StoredEvaluation(f"2030-03-0{number % 9 + 1}T09:30:00+00:00", "documents", figures)
