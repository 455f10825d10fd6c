"""Finds passages for a question, by its kind: from the newest copies, without orders to a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.domain.ports import Generator
from desktop_rag.domain.query_expansion import Wording
from desktop_rag.domain.question_kinds import QuestionKind
from desktop_rag.services.comparing import for_both_sides
from desktop_rag.services.deep_search import DeepSearch
from desktop_rag.services.drafts import IsCancelled, Question
from desktop_rag.services.editions import Editions, Settled
from desktop_rag.services.retrieval import Found, Retrieval
from desktop_rag.services.safeguards import Safeguards
from desktop_rag.services.stoppable import unless_stopped
from desktop_rag.services.widening import with_procedure
from desktop_rag.storage.catalog import Catalog


class Finding:
    """Searches. Called on the answerer thread only."""

    def __init__(
        self,
        retrieval: Retrieval,
        generator: Generator,
        catalog: Catalog,
        editions: Editions,
        safeguards: Safeguards,
    ) -> None:
        self._deep = DeepSearch(retrieval, generator)
        self._catalog = catalog
        self._editions = editions
        self._safeguards = safeguards

    def find(self, question: Question, is_cancelled: IsCancelled) -> Found | None:
        """What the search finds; `None` as soon as it was cancelled.

        Raises:
            NothingIndexed: there is nothing to search.
            InvalidInput, NotFound: a filter makes no sense, or names what is not there.
            WorkerCrashed, WorkerTimedOut: the index ended in the middle.
        """
        return unless_stopped(lambda: self._find(question, is_cancelled), is_cancelled)

    def settled(self, question: Question, found: Found) -> Settled:
        """What was found, in the newest copies, or those that the question names."""
        settled = self._editions.settled(found, is_narrowed=not question.scope.is_everything)
        if settled.replaced:
            return replace(settled, found=self._safeguards.guarded(settled.found))
        return settled

    def _find(self, question: Question, is_cancelled: IsCancelled) -> Found:
        def find(queries: Sequence[str], beside: Sequence[Wording] = ()) -> Found:
            return self._deep.find(
                queries,
                scope=question.scope,
                rules=question.rules,
                is_cancelled=is_cancelled,
                beside=beside,
            )

        found = find(question.queries, question.beside)
        if question.kind is QuestionKind.COMPARISON:
            found = for_both_sides(found, lambda query: find([query]))
        elif question.kind is QuestionKind.HOW_TO:
            steps = with_procedure(found.passages, self._catalog.neighbours)
            found = replace(found, passages=tuple(steps))
        return self._safeguards.guarded(found)
