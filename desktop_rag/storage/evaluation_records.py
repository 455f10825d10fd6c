"""When retrieval was last measured, on what, and what came out: kept in the library."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from desktop_rag.storage.database import Database
from desktop_rag.storage.meta import Meta

_KEY = "last_evaluation"


@dataclass(frozen=True, slots=True)
class EvaluationRecord:
    """One run of a test set."""

    set: str
    questions: int
    """With an answer in the set."""
    measured_at: datetime
    """With its time zone."""
    measures: dict[str, float]
    """Means by name: Recall@5, nDCG@10, MRR …"""

    @property
    def age_days(self) -> float:
        """Days since; 0 for a time to come."""
        since = datetime.now(UTC) - self.measured_at
        return max(0.0, since.total_seconds() / 86_400)


def keep_evaluation(database: Database, record: EvaluationRecord) -> None:
    """Remember a run in place of the one before."""
    Meta(database).set(_KEY, msgspec.json.encode(record).decode())


def last_evaluation(db: sqlite3.Connection) -> EvaluationRecord | None:
    """The last run; `None` when there was none, or it was kept by another version."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    try:
        return msgspec.json.decode(row[0], type=EvaluationRecord) if row else None
    except msgspec.MsgspecError:
        return None
