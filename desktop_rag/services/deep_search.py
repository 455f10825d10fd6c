"""Searches more thoroughly: the language model says what else to search for a question.

Whatever the model does (is missing, crashes, rambles, takes too long), what comes back is at least
an ordinary search, with a note that says why it was not deeper.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from desktop_rag.domain.answers import Expansion, SearchResult
from desktop_rag.domain.errors import DesktopRagError, InvalidInput
from desktop_rag.domain.ports import Generator
from desktop_rag.domain.query_expansion import (
    Technique,
    Wording,
    explained,
    limits,
    parsed,
    prompt,
    summary,
    techniques,
    wordings,
)
from desktop_rag.domain.query_language import plain_words
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.domain.scope import Scope
from desktop_rag.services.retrieval import CONSIDERED, EVERYTHING, Found, Retrieval, result
from desktop_rag.services.stoppable import end
from desktop_rag.storage.prompt_texts import prompt_text

TIME_LIMIT_S = 60.0
"""For all techniques together; a model on a slow computer needs 15 seconds."""
_MOST_CHARS = 2000
"""A model that does not keep its own limits is cut off here."""

IsCancelled = Callable[[], bool]


def never() -> bool:
    """For those who cannot cancel."""
    return False


class DeepSearch:
    """Finds passages, deeply where the rules say so. Usable from any thread."""

    def __init__(
        self,
        retrieval: Retrieval,
        generator: Generator,
        prompts: Mapping[Technique, str] | None = None,
        time_limit_s: float = TIME_LIMIT_S,
    ) -> None:
        self._retrieval = retrieval
        self._generator = generator
        self._prompts = prompts or load_prompts()
        self._time_limit_s = time_limit_s

    def search(
        self,
        question: str,
        limit: int = 8,
        scope: Scope = EVERYTHING,
        rules: RetrievalRules = DEFAULT_RULES,
        *,
        is_explained: bool = False,
    ) -> SearchResult:
        """As `Retrieval.search`, by rules that may be deep."""
        if limit < 1:
            raise InvalidInput(f"At least one result must be asked for, not {limit}.")
        return result(self.find([question], limit, scope, rules, is_explained=is_explained))

    def find(
        self,
        queries: Sequence[str],
        limit: int = CONSIDERED,
        scope: Scope = EVERYTHING,
        rules: RetrievalRules = DEFAULT_RULES,
        is_cancelled: IsCancelled = never,
        beside: Sequence[Wording] = (),
        *,
        is_explained: bool = False,
    ) -> Found:
        """As `Retrieval.find`; the last query, which says the most, is the one expanded.

        `beside` is searched as well, and counts less.
        """
        question = plain_words(queries[-1]) if queries else ""
        if not rules.is_deep or not question:
            return self._retrieval.find(
                queries, limit, scope, rules, beside, is_explained=is_explained
            )
        self._retrieval.narrowed(queries, scope)  # a slip in a filter is told at once
        begin = time.perf_counter()
        expansion = self._expand(question, rules, is_cancelled)
        elapsed_ms = (time.perf_counter() - begin) * 1000
        also = [*beside, *wordings(expansion, rules.deep_weight)]
        found = self._retrieval.find(queries, limit, scope, rules, also, is_explained=is_explained)
        return _with_expansion(found, expansion, elapsed_ms)

    def _expand(self, question: str, rules: RetrievalRules, is_cancelled: IsCancelled) -> Expansion:
        deadline = time.monotonic() + self._time_limit_s
        found: list[tuple[Technique, tuple[str, ...]]] = []

        def must_stop() -> bool:
            return is_cancelled() or time.monotonic() > deadline

        try:
            for technique in techniques(question, rules):
                if not must_stop():
                    written = self._write(technique, question, must_stop)
                    found.append((technique, parsed(technique, written, question)))
        except DesktopRagError as error:
            return summary(found, f"Not searched as deeply as asked: {error.message}")
        return summary(found, "" if is_cancelled() else _note(found, is_late=must_stop()))

    def _write(self, technique: Technique, question: str, must_stop: IsCancelled) -> str:
        turns = prompt(self._prompts[technique], question)
        stream = self._generator.stream(turns, limits(technique), must_stop)
        written = ""
        try:
            for piece in stream:
                written += piece
                if len(written) > _MOST_CHARS or must_stop():
                    break
        finally:
            end(stream)
        # What was cut short is half a question; the lines before it are whole.
        return written.rpartition("\n")[0] if must_stop() else written


def load_prompts() -> dict[Technique, str]:
    """The prompts shipped with the program."""
    return {technique: prompt_text(f"deep_{technique}") for technique in Technique}


def _with_expansion(found: Found, expansion: Expansion, elapsed_ms: float) -> Found:
    linked = found.figures.expansion
    reading = (*found.explanation.reading, *explained(expansion))
    return replace(
        found,
        figures=replace(
            found.figures,
            expansion=replace(expansion, names=linked.names, linked=linked.linked),
            timings_ms={**found.figures.timings_ms, "expand": elapsed_ms},
        ),
        explanation=replace(found.explanation, reading=reading),
    )


def _note(found: Sequence[tuple[Technique, tuple[str, ...]]], *, is_late: bool) -> str:
    if is_late:
        return (
            "Not searched as deeply as asked: the language model took too long; a smaller model "
            "(`desktop-rag models`) is quicker."
        )
    if not any(texts for _, texts in found):
        return "Not searched as deeply as asked: the language model had nothing useful to add."
    return ""
