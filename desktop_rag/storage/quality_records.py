"""What the catalog knows of how searches and answers went. Reads only."""

from __future__ import annotations

import msgspec

from desktop_rag.domain.answers import Answer, Confidence, Role
from desktop_rag.domain.evaluation import Place, Question
from desktop_rag.domain.quality import SearchRecord
from desktop_rag.storage.database import Database
from desktop_rag.storage.querylog import KEPT

_ANSWER = msgspec.json.Decoder(Answer)
_FIRST_WORD = "$.figures.timings_ms.first_token"


class QualityRecords:
    """*May block*: the log and the newest answers are read as a whole."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def searches(self, newest: int = KEPT) -> list[SearchRecord]:
        """The log of searches, oldest first."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT asked_at, confidence, search_ms FROM query_log ORDER BY id DESC LIMIT ?",
                (newest,),
            ).fetchall()
        return [
            SearchRecord(row[0], float(row[2]), row[1] != Confidence.NONE) for row in reversed(rows)
        ]

    def first_words_ms(self, newest: int = 1_000) -> list[float]:
        """How long the first word of the newest written answers took, oldest first."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT json_extract(answer_json, ?) FROM messages"
                " WHERE answer_json IS NOT NULL ORDER BY id DESC LIMIT ?",
                (_FIRST_WORD, newest),
            ).fetchall()
        return [float(row[0]) for row in reversed(rows) if row[0] is not None]

    def good_questions(self, newest: int = 200) -> list[Question]:
        """Questions whose answers the person found good, with the places that were cited.

        Newest first. A follow-up is asked as it was understood.
        """
        with self._database.read() as db:
            rows = db.execute(
                "SELECT m.id, m.answer_json FROM feedback AS f JOIN messages AS m"
                " ON m.id = f.message_id WHERE f.rating > 0 AND m.role = ?"
                " AND m.answer_json IS NOT NULL ORDER BY f.created_at DESC, m.id DESC LIMIT ?",
                (Role.ASSISTANT.value, newest),
            ).fetchall()
        made = []
        for row in rows:
            answer = _ANSWER.decode(row["answer_json"])
            places = tuple(Place(one.path, quote=one.quote) for one in answer.citations)
            text = answer.understood.rewritten or answer.question
            if places and text:
                made.append(Question(f"answer-{row['id']}", text, places=places))
        return made
