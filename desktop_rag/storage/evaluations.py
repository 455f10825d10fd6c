"""What was measured on the person's own questions, run by run."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from desktop_rag.storage.catalog import now
from desktop_rag.storage.database import Database

logger = logging.getLogger(__name__)

KEPT = 200
"""Newest runs."""
_FIGURES = msgspec.json.Decoder(dict[str, float])


@dataclass(frozen=True, slots=True)
class StoredEvaluation:
    """One run. `figures` are named by whoever measures."""

    time: str
    """UTC, ISO 8601."""
    name: str
    figures: Mapping[str, float]


class Evaluations:
    """The store. Usable from any thread."""

    def __init__(self, database: Database, kept: int = KEPT) -> None:
        self._database = database
        self._kept = kept

    def add(self, name: str, figures: Mapping[str, float]) -> StoredEvaluation:
        """Keep a run, and drop the oldest beyond those kept."""
        run = StoredEvaluation(now(), name, figures)
        with self._database.write() as db:
            db.execute(
                "INSERT INTO evaluations (created_at, name, figures) VALUES (?, ?, ?)",
                (run.time, name, msgspec.json.encode(figures).decode()),
            )
            db.execute(
                "DELETE FROM evaluations WHERE id NOT IN"
                " (SELECT id FROM evaluations ORDER BY id DESC LIMIT ?)",
                (self._kept,),
            )
        return run

    def all(self) -> list[StoredEvaluation]:
        """Oldest first; one that cannot be read is left out."""
        with self._database.read() as db:
            rows = db.execute("SELECT * FROM evaluations ORDER BY id").fetchall()
        found = []
        for row in rows:
            try:
                figures = _FIGURES.decode(row["figures"])
            except msgspec.MsgspecError:
                logger.info("An evaluation of %s cannot be read", row["created_at"])
                continue
            found.append(StoredEvaluation(row["created_at"], row["name"], figures))
        return found

    def clear(self) -> None:
        """Forget all runs."""
        with self._database.write() as db:
            db.execute("DELETE FROM evaluations")
