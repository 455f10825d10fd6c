"""Has the extractive model look for the very words that answer, in the best passages found."""

from __future__ import annotations

import logging

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.question_kinds import QuestionKind
from desktop_rag.domain.spotting import LOOKED_AT, Spot, asks_for_words, read_as, spots_of
from desktop_rag.services.retrieval import Found, Retrieval

logger = logging.getLogger(__name__)


class Spotting:
    """Spots. Remembers what it looked at last, because a question typed is soon a question asked.

    Called on the answerer thread only.
    """

    def __init__(self, retrieval: Retrieval) -> None:
        self._retrieval = retrieval
        self._last: tuple[tuple[str, ...], tuple[Spot, ...]] = ((), ())

    def spots(self, found: Found, kind: QuestionKind) -> tuple[Spot, ...]:
        """The words that answer, best first; none for what no single place answers.

        None either where no such model is there, or in languages it does not know.
        """
        if kind is not QuestionKind.FACT or not found.passages or found.is_exact:
            return ()
        question = found.texts[-1]
        if found.rankings[-1].language or not asks_for_words(question):
            return ()
        read = [read_as(one) for one in found.passages[:LOOKED_AT]]
        if self._last[0] != (question, *read):
            self._last = ((question, *read), self._looked_for(question, read, found))
        return self._last[1]

    def _looked_for(self, question: str, read: list[str], found: Found) -> tuple[Spot, ...]:
        try:
            spans = self._retrieval.spans(question, read)
        except DesktopRagError as error:
            # What search found is here already, and is answered from as if no model had looked.
            logger.info("The words that answer were not looked for: %s", error.code)
            return ()
        return spots_of(question, found.passages, spans)
