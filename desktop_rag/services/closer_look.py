"""Has the index look more closely at the best candidates, and fuses what it says with the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Candidate, Ranking
from desktop_rag.domain.diversity import Closeness
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.fusion import Shares, fused, with_late_scores
from desktop_rag.domain.ordering import read_again
from desktop_rag.domain.ports import Reranking, RerankItem, SearchIndex
from desktop_rag.domain.queries import reading_weight
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.storage.catalog import StoredChunk
from desktop_rag.storage.embeddings import TokenVectors

_COMPARED = 50
"""Candidates whose likeness to each other is asked for."""

Chunks = Mapping[ChunkId, StoredChunk]


@dataclass(frozen=True, slots=True)
class CloserLook:
    """Re-ranks. Usable from any thread, as far as the index is."""

    index: SearchIndex
    tokens: TokenVectors

    def rerank(
        self, question: str, ranking: Ranking, chunks: Chunks, rules: RetrievalRules
    ) -> tuple[Ranking, Closeness]:
        """The ranking with its best candidates re-ranked, and how alike these are.

        Where the embedder does not know the question's language there is nothing to look at: its
        vectors of tokens mean as little as those of passages.

        Args:
            question: as it was searched.
            ranking: for it.
            chunks: of the candidates that are in the library.
            rules: how many are looked at, and what that counts.
        """
        known = [one.chunk for one in ranking.candidates if one.chunk in chunks]
        looked_at = known[: max(rules.looked_at, _COMPARED)]
        is_scored = bool(rules.looked_at) and not ranking.language
        if is_scored:
            found = self.index.rerank(question, self._items(looked_at, ranking, chunks))
        else:
            found = self._compared(looked_at)
        closeness = Closeness(looked_at, found.similarities)
        if ranking.language and not _asks_for_other_fusion(rules):
            return ranking, closeness  # as the index fused it, which knows the cosines as well
        pairs = zip(looked_at[: rules.looked_at], found.scores, strict=False)
        scores = {chunk: score for chunk, score in pairs if score is not None}
        ranking = _fused(ranking, scores, rules)
        if found.reader and rules.read_again:
            ranking = self._read_again(question, ranking, chunks, rules.read_again)
        return ranking, closeness

    def score(
        self, question: str, texts: Sequence[tuple[ChunkId, str]]
    ) -> tuple[float | None, ...]:
        """How well short pieces of chunks answer a question; `None` where that cannot be told."""
        made = self.index.embed([text for _, text in texts])
        items = [
            RerankItem(chunk, text, one.tokens)
            for (chunk, text), one in zip(texts, made, strict=True)
        ]
        return self.index.rerank(question, items).scores

    def compare(self, candidates: Sequence[Candidate], chunks: Chunks) -> Closeness:
        """How alike the best of several rankings are."""
        best = [one.chunk for one in candidates if one.chunk in chunks][:_COMPARED]
        return Closeness(best, self._compared(best).similarities)

    def _read_again(self, question: str, ranking: Ranking, chunks: Chunks, most: int) -> Ranking:
        """The ranking after a cross-encoder has read its best passages with the question."""
        best = [one.chunk for one in ranking.candidates if one.chunk in chunks][:most]
        read = self.index.read_again(question, [chunks[chunk].headed_text for chunk in best])
        scores = dict(zip(best, read, strict=False))
        found = read_again(ranking.candidates, scores, reading_weight(question))
        return replace(ranking, candidates=tuple(found)) if scores else ranking

    def _compared(self, chunks: Sequence[ChunkId]) -> Reranking:
        """Only how alike they are: nothing of theirs has to be sent for that."""
        return self.index.rerank("", [RerankItem(chunk, "", b"") for chunk in chunks])

    def _items(
        self, looked_at: Sequence[ChunkId], ranking: Ranking, chunks: Chunks
    ) -> list[RerankItem]:
        tokens = self.tokens.of(looked_at, ranking.fingerprint)
        return [
            RerankItem(chunk, chunks[chunk].headed_text, tokens.get(chunk, b""))
            for chunk in looked_at
        ]


def _asks_for_other_fusion(rules: RetrievalRules) -> bool:
    wanted, own = ((one.dense_share, one.score_weight, one.rrf_k) for one in (rules, DEFAULT_RULES))
    return wanted != own


def shares_of(ranking: Ranking, rules: RetrievalRules) -> Shares:
    """How much each retriever counts in a ranking, before their agreement is looked at."""
    share = ranking.dense_share if rules.dense_share is None else rules.dense_share
    shares = Shares(share, 1 - share)
    is_looked_at = any(one.late_score is not None for one in ranking.candidates)
    return shares.with_late(rules.late_share) if is_looked_at else shares


def _fused(ranking: Ranking, scores: Mapping[ChunkId, float], rules: RetrievalRules) -> Ranking:
    looked_at = replace(ranking, candidates=tuple(with_late_scores(ranking.candidates, scores)))
    shares = shares_of(looked_at, rules)
    found = fused(looked_at.candidates, shares, rules.score_weight, rules.rrf_k)
    return replace(ranking, candidates=tuple(found))
