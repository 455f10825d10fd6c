"""The last evaluation is remembered in the library."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from desktop_rag.storage.database import Database
from desktop_rag.storage.evaluation_records import (
    EvaluationRecord,
    keep_evaluation,
    last_evaluation,
)
from desktop_rag.storage.meta import Meta


def record(questions: int = 120, days: float = 2) -> EvaluationRecord:
    then = datetime.now(UTC) - timedelta(days=days)
    return EvaluationRecord("own", questions, then, {"nDCG@10": 0.9})


def last(database: Database) -> EvaluationRecord | None:
    with database.read() as db:
        return last_evaluation(db)


def test_the_newest_replaces_the_one_before(database: Database) -> None:
    assert last(database) is None
    keep_evaluation(database, record(10))
    keep_evaluation(database, kept := record(120))
    assert last(database) == kept
    assert kept.age_days == pytest.approx(2, abs=0.01)
    assert record(days=-5).age_days == 0, "a clock that was put back makes no age"


@pytest.mark.parametrize(
    "value", ["{}", "nonsense", '{"set": 1}', '{"measured_at": "x", "questions": 1}']
)
def test_what_another_version_kept_is_no_evaluation(database: Database, value: str) -> None:
    Meta(database).set("last_evaluation", value)
    assert last(database) is None
