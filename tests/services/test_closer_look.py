"""Re-ranking of the best candidates, over a real catalog and a fake index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop_rag.domain.answers import Candidate, Ranking
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.services.closer_look import CloserLook, shares_of
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FINGERPRINT, FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

TEXTS = ["Red pumps leak.", "Blue pumps leak.", "Blue valves leak.", "Blue valves hold."]
QUESTION = "Which blue valves hold?"


class Desk:
    """Four passages, and a ranking that has them in the worst order for `QUESTION`."""

    def __init__(self, database: Database) -> None:
        self.index = FakeIndex()
        self.catalog: Catalog = fill_library(database, self.index, [read_document(*TEXTS)])
        self.chunks = self.catalog.resolve([ChunkId(n) for n in range(1, len(TEXTS) + 1)])
        self.closer = CloserLook(self.index, self.catalog.token_vectors)

    def ranking(self, **changes: object) -> Ranking:
        candidates = [Candidate(one, 1 / one, 0.5, one, None) for one in self.chunks]
        made = Ranking(tuple(candidates), len(candidates), fingerprint=FINGERPRINT)
        return replace(made, **changes)  # type: ignore[arg-type]

    def rerank(self, rules: RetrievalRules = DEFAULT_RULES, **changes: object) -> Ranking:
        return self.closer.rerank(QUESTION, self.ranking(**changes), self.chunks, rules)[0]


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


def late_scores(ranking: Ranking) -> dict[int, float | None]:
    return {one.chunk: one.late_score for one in sorted(ranking.candidates, key=lambda c: c.chunk)}


def order(ranking: Ranking) -> Sequence[int]:
    return [one.chunk for one in ranking.candidates]


def test_the_closer_look_counts_beside_the_rankings(desk: Desk) -> None:
    found = desk.rerank(replace(DEFAULT_RULES, late_share=1.0))
    assert order(found) == [4, 3, 2, 1]
    assert late_scores(found) == pytest.approx({1: 0, 2: 1 / 3, 3: 2 / 3, 4: 1})
    assert order(desk.rerank(replace(DEFAULT_RULES, late_share=0.0))) == [1, 2, 3, 4]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_only_so_many_are_looked_at(desk: Desk, count: int) -> None:
    found = desk.rerank(replace(DEFAULT_RULES, looked_at=count))
    assert [chunk for chunk, score in late_scores(found).items() if score is not None] == [
        *range(1, count + 1)
    ]


def test_nothing_is_looked_at_when_it_is_switched_off(desk: Desk) -> None:
    found = desk.rerank(replace(DEFAULT_RULES, looked_at=0))
    assert desk.index.reranked == [""], "cosines between passages are asked for all the same"
    assert order(found) == [1, 2, 3, 4]
    assert set(late_scores(found).values()) == {None}
    assert shares_of(found, DEFAULT_RULES).late == 0


def test_without_a_cross_encoder_nothing_is_read_again(desk: Desk) -> None:
    desk.rerank()
    assert desk.index.read == []
    assert {one.read_rank for one in desk.rerank().candidates} == {None}


def test_a_cross_encoder_changes_the_order_that_was_found_without(desk: Desk) -> None:
    rules = replace(DEFAULT_RULES, late_share=0.0)
    assert order(desk.rerank(rules)) == [1, 2, 3, 4]
    desk.index.reader = "ranks"
    found = desk.rerank(rules)
    assert desk.index.read == [QUESTION]
    by_number = sorted(found.candidates, key=lambda one: one.chunk)
    assert [one.read_rank for one in by_number] == [4, 3, 2, 1]
    assert [one.read_score for one in by_number] == [0, 1, 2, 3]
    assert order(found) == [4, 3, 1, 2]
    assert late_scores(found) == late_scores(desk.rerank(replace(rules, read_again=0)))


def test_only_the_best_are_read_and_the_rest_keep_their_order(desk: Desk) -> None:
    desk.index.reader = "ranks"
    found = desk.rerank(replace(DEFAULT_RULES, late_share=0.0, read_again=2))
    assert {one.chunk for one in found.candidates if one.read_rank is not None} == {1, 2}
    assert order(found)[2:] == [3, 4]
    desk.rerank(replace(DEFAULT_RULES, read_again=0))
    assert len(desk.index.read) == 1


def test_what_the_embedder_does_not_understand_is_not_read_again(desk: Desk) -> None:
    desk.index.reader = "ranks"
    desk.rerank(language="german")
    assert desk.index.read == []


def test_tokens_of_another_embedder_are_left_alone(desk: Desk) -> None:
    assert set(late_scores(desk.rerank(fingerprint="another")).values()) == {None}


def test_more_may_be_looked_at_than_are_compared(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.services.closer_look._COMPARED", 2)
    assert set(late_scores(desk.rerank()).values()).isdisjoint({None})
    few = replace(DEFAULT_RULES, looked_at=1)
    closeness = desk.closer.rerank(QUESTION, desk.ranking(), desk.chunks, few)[1]
    assert closeness.cosine(ChunkId(1), ChunkId(2)) is not None
    assert closeness.cosine(ChunkId(1), ChunkId(3)) is None


def test_rules_may_set_the_share_of_vectors(desk: Desk) -> None:
    ranking = desk.ranking(dense_share=0.3)
    assert shares_of(ranking, DEFAULT_RULES).dense == 0.3
    assert shares_of(ranking, replace(DEFAULT_RULES, dense_share=0.8)).dense == 0.8


def test_what_left_the_library_is_not_looked_at(desk: Desk) -> None:
    ranking = desk.ranking()
    del desk.chunks[ChunkId(1)]
    found, closeness = desk.closer.rerank(QUESTION, ranking, desk.chunks, DEFAULT_RULES)
    assert late_scores(found)[1] is None
    assert late_scores(found)[2] is not None
    assert closeness.cosine(ChunkId(1), ChunkId(2)) is None


def test_a_language_the_embedder_does_not_know_keeps_the_ranking_of_the_index(desk: Desk) -> None:
    unknown = desk.ranking(language="thai")
    found, closeness = desk.closer.rerank(
        QUESTION, unknown, desk.chunks, replace(DEFAULT_RULES, relevance_floor=0.0, graph_hops=1)
    )
    assert desk.index.reranked == [""]
    assert found == unknown
    assert closeness.cosine(ChunkId(2), ChunkId(3)) is not None


@pytest.mark.parametrize("changed", [{"dense_share": 0.9}, {"score_weight": 0.0}, {"rrf_k": 5}])
def test_even_then_rules_of_fusion_are_followed(desk: Desk, changed: dict[str, float]) -> None:
    unknown = desk.ranking(language="thai")
    found = desk.rerank(replace(DEFAULT_RULES, **changed), language="thai")  # type: ignore[arg-type]
    assert [one.score for one in found.candidates] != [one.score for one in unknown.candidates]


def test_passages_are_compared_by_their_stored_vectors(desk: Desk) -> None:
    closeness = desk.closer.compare(desk.ranking().candidates, desk.chunks)
    near, far = (closeness.cosine(ChunkId(4), ChunkId(other)) for other in (3, 1))
    assert near is not None
    assert far is not None
    assert near > far
