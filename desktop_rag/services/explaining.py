"""Puts together why each candidate of a search was shown or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_rag.domain.answers import Candidate, Passage, Ranking
from desktop_rag.domain.choosing import Choice, Judge
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.explanation import Decision, Fate, Verdict
from desktop_rag.domain.library import Tier
from desktop_rag.domain.queries import QueryKind, classify
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.domain.scope import TIER_WEIGHT

_SPOKEN = {
    QueryKind.PHRASE: "with a quotation",
    QueryKind.IDENTIFIER: "names a code or identifier",
    QueryKind.QUESTION: "a question",
    QueryKind.KEYWORDS: "keywords",
}
_REMOVED = Verdict(Fate.REMOVED)


def reading(
    queries: Sequence[str], rankings: Sequence[Ranking], rules: RetrievalRules
) -> tuple[str, ...]:
    """How the queries were understood, a line each."""
    lines = []
    for query, ranking in zip(queries, rankings, strict=False):
        share = ranking.dense_share if rules.dense_share is None else rules.dense_share
        weights = f"vectors {share:g}, keywords {1 - share:g}"
        foreign = f", in {ranking.language.capitalize()}" if ranking.language else ""
        lines.append(f"“{query}”: {_SPOKEN[classify(query)]}{foreign}; weights: {weights}")
    return tuple(lines)


def decisions(
    candidates: Sequence[Candidate],
    passages: Mapping[ChunkId, Passage],
    tiers: Mapping[ChunkId, Tier],
    choice: Choice,
    judge: Judge | None = None,
) -> tuple[Decision, ...]:
    """One decision a candidate, in their order.

    Args:
        candidates: as the rankings were fused, best first.
        passages: of those that are in the library.
        tiers: of the same.
        choice: what was shown.
        judge: asked for the relevance of those that were not shown, which takes reading them;
            without one they have none.
    """
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
            verdict=choice.verdicts.get(one.chunk, _REMOVED),
            path=passage.path if passage else "",
            where=_where(passage) if passage else "",
            tier_weight=TIER_WEIGHT[tiers[one.chunk]] if passage else 1.0,
            relevance=relevance,
            shown_as=number,
        )

    return tuple(decided(rank, one) for rank, one in enumerate(candidates, 1))


def _where(passage: Passage) -> str:
    return f"page {passage.pages[0]}" if passage.pages else passage.place or passage.section
