"""Finds the sentence that is shown at once: best by rules, then by the embedder's own look."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.citing import Locate, citation_of
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.extracting import Stretch, best_of, likely_stretches
from desktop_rag.domain.spotting import LIKELY_FROM, Spot, sentence_of
from desktop_rag.services.retrieval import Found, Retrieval

logger = logging.getLogger(__name__)


class Quoting:
    """Quotes. Usable from any thread, as far as the index is."""

    def __init__(self, retrieval: Retrieval) -> None:
        self._retrieval = retrieval

    def best(self, found: Found, locate: Locate, spots: Sequence[Spot] = ()) -> Citation | None:
        """The sentence of what was found that answers best; `None` when nothing was found.

        Args:
            found: the passages.
            locate: where a span of a passage stands.
            spots: words that answer, best first, where a model looked for them.
        """
        if spots and spots[0].margin >= LIKELY_FROM:
            return citation_of(1, spots[0].passage, *sentence_of(spots[0]), locate)
        question = found.texts[-1]
        likely = likely_stretches(question, found.passages)
        is_known = not found.rankings[-1].language
        scores = self._scores(question, likely) if is_known and len(likely) > 1 else ()
        return best_of(likely, scores, locate)

    def _scores(self, question: str, likely: list[Stretch]) -> tuple[float | None, ...]:
        try:
            return self._retrieval.score(question, [(s.passage.chunk, s.text) for s in likely])
        except DesktopRagError as error:
            # The passages are here already: a quotation chosen by rules is better than none.
            logger.info("Sentences were not compared: %s", error.code)
            return ()
