"""Fills a prompt: which of the passages found an answer is written from, and how much of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Passage, SearchResult
from desktop_rag.domain.budget import MAX_PASSAGES
from desktop_rag.domain.compression import Priced, fit
from desktop_rag.domain.dedup import join_touching
from desktop_rag.domain.ordering import for_prompt
from desktop_rag.domain.parents import wants_more
from desktop_rag.domain.prompting import numbered_passage
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.domain.scoring import stems_of
from desktop_rag.domain.support import Terms, terms
from desktop_rag.services.retrieval import Found
from desktop_rag.services.widening import grown
from desktop_rag.storage.neighbours import Neighbours

_COST_MARGIN = 4
"""Tokens of the blank line and number around a passage."""
_SPENDABLE = 0.9
"""Of the room that is left for the surroundings of passages: their tokens are estimated."""

CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Budget:
    """What passages may cost in a prompt, and how their tokens are counted."""

    tokens: int
    count: CountTokens
    passages: int = MAX_PASSAGES


def filled(
    found: Found, budget: Budget, neighbours: Neighbours, rules: RetrievalRules
) -> SearchResult:
    """The passages an answer is written from, in prompt order: what fits the budget."""
    begin = time.perf_counter()
    asked = terms(found.texts[0])
    priced = _priced(join_touching(found.passages), asked, budget)
    if priced and priced[0].tokens > budget.tokens:
        # It would be cut, and the cut might take the very row it was found for.
        priced = _priced(found.passages, asked, budget)
    wanted = stems_of(found.texts[0])
    fitting = fit(priced, wanted, budget.tokens, budget.passages, rules.whole_passages)
    chosen = for_prompt(_grown(fitting, asked, budget, neighbours, rules.window_chars))
    elapsed_ms = (time.perf_counter() - begin) * 1000
    figures = replace(found.figures, timings_ms={**found.figures.timings_ms, "select": elapsed_ms})
    return SearchResult(
        found.question, tuple(chosen), figures.with_passages(chosen), found.understood
    )


def _priced(passages: Sequence[Passage], asked: Terms, budget: Budget) -> list[Priced]:
    texts = [numbered_passage(1, passage, asked) for passage in passages]
    costs = budget.count(texts) if texts else []
    return [
        Priced(passage, cost + _COST_MARGIN, len(text))
        for passage, cost, text in zip(passages, costs, texts, strict=True)
    ]


def _grown(
    passages: Sequence[Passage],
    asked: Terms,
    budget: Budget,
    neighbours: Neighbours,
    window_chars: int,
) -> list[Passage]:
    """Short passages with what is around them, as far as the budget has room."""
    if not any(wants_more(one, window_chars) for one in passages):
        return list(passages)
    texts = [numbered_passage(1, passage, asked) for passage in passages]
    used = sum(budget.count(texts)) + _COST_MARGIN * len(texts)
    chars_per_token = sum(map(len, texts)) / max(used, 1)
    spare = int((budget.tokens - used) * chars_per_token * _SPENDABLE)
    return grown(passages, neighbours, spare, window_chars)
