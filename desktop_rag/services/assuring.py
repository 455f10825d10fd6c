"""Has the language model read passages until it says that one states the answer.

A small model finds an answer in the one passage that states it, and loses it among others that are
nearly about it: its yes told answerable questions from misleading ones in 0.70 of pairs when the
best three passages were read alone, in 0.62 when all that fit were read at once (34 and 90
questions of SQuAD 2.0, 1.5B). So it reads the best passage alone, and the next one only when it is
not convinced; an answer cites what it was written from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Passage, Turn
from desktop_rag.domain.assurance import OPENINGS, Levels, log_odds
from desktop_rag.domain.ports import Generator
from desktop_rag.domain.prompting import PromptTexts, checking, numbered_passage
from desktop_rag.domain.spotting import Spot
from desktop_rag.domain.support import terms
from desktop_rag.services.filling import Budget

MOST_READ = 3
"""Passages read alone; behind the third the answer is hardly ever."""

_LEAD = 0.5
"""How much more a passage behind must convince: search puts the right one first, mostly."""

Prompt = Callable[[Sequence[Passage]], list[Turn]]
"""The prompt with some passages."""


@dataclass(frozen=True, slots=True)
class Assured:
    """What the model was convinced by most."""

    passages: tuple[Passage, ...]
    turns: list[Turn]
    log_odds: float
    """That one of those read states the answer."""
    read: tuple[Passage, ...]
    """All that it has read for the question."""


def likeliest_first(
    passages: Sequence[Passage], ranked: Sequence[Passage], spots: Sequence[Spot]
) -> list[Passage]:
    """The passages of a prompt by how likely they answer: by words that do, then as found.

    Args:
        passages: as chosen, cut and joined for one prompt, in its order.
        ranked: all that were found, best first.
        spots: words that answer, best first, where a model looked for them.
    """
    ranks = {passage.chunk: rank for rank, passage in enumerate(ranked)}

    def place(passage: Passage) -> tuple[int, int]:
        spotted = (n for n, spot in enumerate(spots) if spot.is_in(passage))
        return next(spotted, len(spots)), ranks.get(passage.chunk, len(ranks))

    return sorted(passages, key=place)


def alone(passages: Sequence[Passage], question: str, budget: Budget) -> list[tuple[Passage, ...]]:
    """The best passages, each by itself and whole if it fits.

    Args:
        passages: best first, cut as for one prompt.
        question: in the words that were searched.
        budget: what passages may cost.
    """
    best, asked = passages[:MOST_READ], terms(question)
    whole = [replace(one, excerpt=()) for one in best]
    costs = budget.count([numbered_passage(1, one, asked) for one in whole])
    return [
        (uncut if cost <= budget.tokens else cut,)
        for uncut, cut, cost in zip(whole, best, costs, strict=True)
    ]


def most_assured(
    generator: Generator,
    texts: PromptTexts,
    portions: Sequence[tuple[Passage, ...]],
    prompt: Prompt,
    levels: Levels,
    is_cancelled: Callable[[], bool],
) -> Assured | None:
    """Read one portion after the other, until the model is convinced; the one that did it most.

    Returns:
        `None` when cancelled before the first was read.
    """
    best: Assured | None = None
    read: tuple[Passage, ...] = ()
    for passages in portions:
        turns = prompt(passages)
        for weighed in generator.weigh(checking(texts, turns), OPENINGS, is_cancelled):
            read = (*read, *passages)
            odds = log_odds(weighed)
            if best is None or odds > best.log_odds + _LEAD:
                best = Assured(passages, turns, odds, read)
            best = replace(best, log_odds=max(odds, best.log_odds))
        if is_cancelled() or (best is not None and best.log_odds >= levels.enough):
            break
    return best and replace(best, read=read)
