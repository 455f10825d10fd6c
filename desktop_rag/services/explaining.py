"""Puts together why each candidate of a search was shown or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Candidate, Passage, Ranking
from desktop_rag.domain.choosing import Choice, Judge
from desktop_rag.domain.diversity import Closeness
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.explanation import Decision, Fate, Verdict
from desktop_rag.domain.library import Tier
from desktop_rag.domain.queries import QueryKind, classify, reading_weight
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.domain.scope import TIER_WEIGHT
from desktop_rag.domain.scoring import held_stems, stems, stems_of
from desktop_rag.domain.terms import words
from desktop_rag.services.closer_look import shares_of
from desktop_rag.services.graph_search import Links


@dataclass(frozen=True, slots=True)
class Ranked:
    """Everything that was found for a question and looked at."""

    questions: tuple[str, ...]
    """As they were searched: well spelled, without filters."""
    rankings: tuple[Ranking, ...]
    """One a question."""
    candidates: tuple[Candidate, ...]
    """Of all rankings together, best first."""
    passages: tuple[Passage, ...]
    """Of those that are in the library, best first when tiers count as well."""
    tiers: Mapping[ChunkId, Tier]
    closeness: Closeness
    links: Links


_SPOKEN = {
    QueryKind.PHRASE: "with a quotation",
    QueryKind.IDENTIFIER: "names a code or identifier",
    QueryKind.QUESTION: "a question",
    QueryKind.KEYWORDS: "keywords",
}
_REMOVED = Verdict(Fate.REMOVED)


def reading(ranked: Ranked, rules: RetrievalRules) -> tuple[str, ...]:
    """How the queries were understood, a line each."""
    lines = []
    for query, ranking in zip(ranked.questions, ranked.rankings, strict=True):
        shares = shares_of(ranking, rules)
        weights = f"vectors {shares.dense:.2g}, keywords {shares.keyword:.2g}"
        if shares.late:
            weights += f", late interaction {shares.late:.2g}"
        if any(one.read_rank is not None for one in ranking.candidates):
            weights += f"; read again by a cross-encoder, which counts {reading_weight(query):g}"
        foreign = f", in {ranking.language.capitalize()}" if ranking.language else ""
        lines.append(f"“{query}”: {_SPOKEN[classify(query)]}{foreign}; weights: {weights}")
    return tuple(lines)


def decisions(ranked: Ranked, choice: Choice, judge: Judge | None = None) -> tuple[Decision, ...]:
    """One decision a candidate, in their order.

    Args:
        ranked: everything that was looked at.
        choice: what was shown.
        judge: asked for the relevance of those that were not shown, which takes reading them;
            without one they have none.
    """
    passages = {one.chunk: one for one in ranked.passages}
    tiers = ranked.tiers
    shown = {one.chunk: (number, one) for number, one in enumerate(choice.passages, 1)}

    def decided(rank: int, one: Candidate) -> Decision:
        passage = passages.get(one.chunk)
        number, judged = shown.get(one.chunk, (None, None))
        relevance = judged.relevance if judged else None
        if passage is not None and relevance is None and judge is not None:
            relevance = judge(passage)
        return Decision(
            chunk=one.chunk,
            rank=rank,
            score=one.score,
            similarity=one.similarity,
            dense_rank=one.dense_rank,
            keyword_score=one.keyword_score,
            keyword_rank=one.keyword_rank,
            late_score=one.late_score,
            late_rank=one.late_rank,
            read_score=one.read_score,
            read_rank=one.read_rank,
            verdict=choice.verdicts.get(one.chunk, _REMOVED),
            path=passage.path if passage else "",
            where=_where(passage) if passage else "",
            tier_weight=TIER_WEIGHT[tiers[one.chunk]] if passage else 1.0,
            relevance=relevance,
            shown_as=number,
            matched=_matched(ranked.questions, passage) if passage and judge else (),
        )

    return tuple(decided(rank, one) for rank, one in enumerate(ranked.candidates, 1))


def _matched(questions: Sequence[str], passage: Passage) -> tuple[str, ...]:
    """Words of the questions, without those that stand everywhere, that a passage holds."""
    held = held_stems(passage)
    found: dict[str, None] = {}
    for question in questions:
        wanted = stems_of(question) & held
        found |= {word: None for word in words(question) if stems(word) & wanted}
    return tuple(found)


def _where(passage: Passage) -> str:
    return f"page {passage.pages[0]}" if passage.pages else passage.place or passage.section
