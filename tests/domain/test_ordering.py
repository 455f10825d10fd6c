from __future__ import annotations

from dataclasses import replace

from desktop_rag.domain.answers import Candidate
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.ordering import for_prompt, fuse, fuse_also, in_known_order, read_again
from tests.helpers.passages import make_passage


def candidate(chunk: int, similarity: float | None = None) -> Candidate:
    return Candidate(ChunkId(chunk), 1.0 / chunk, similarity, chunk, None)


def test_the_best_stands_first_and_the_second_best_last() -> None:
    passages = [make_passage(f"{n}", chunk=n, document=n) for n in range(1, 6)]
    assert [one.chunk for one in for_prompt(passages)] == [1, 3, 4, 5, 2]
    assert for_prompt(passages[:2]) == passages[:2]


def test_between_them_documents_stay_together_in_reading_order() -> None:
    best = make_passage("best", chunk=1, document=1, start=500)
    second = make_passage("second", chunk=2, document=2, start=0)
    other = make_passage("other", chunk=3, document=3, start=40)
    late = make_passage("late", chunk=4, document=1, start=900)
    early = make_passage("early", chunk=5, document=1, start=100)
    ordered = for_prompt([best, second, other, late, early])
    assert ordered == [best, early, late, other, second]


def test_nothing_stays_nothing() -> None:
    assert for_prompt([]) == []


def test_one_ranking_is_left_alone() -> None:
    ranking = [candidate(3), candidate(1)]
    assert fuse([ranking]) == ranking


def test_what_two_rankings_agree_on_comes_first() -> None:
    fused = fuse([[candidate(1), candidate(2)], [candidate(3), candidate(2)]])
    assert fused[0].chunk == 2
    assert {c.chunk for c in fused} == {1, 2, 3}


def test_the_better_similarity_is_kept() -> None:
    fused = fuse([[candidate(1, 0.2)], [candidate(1, 0.9)]])
    assert [c.similarity for c in fused] == [0.9]


def test_nothing_besides_leaves_a_ranking_alone() -> None:
    own = [candidate(3), candidate(1)]
    assert fuse_also(own, []) == own


def test_other_rankings_change_the_own_a_little() -> None:
    own = [candidate(n, 0.5) for n in range(1, 6)]
    also = [([ChunkId(4), ChunkId(9)], 0.5)]
    fused = fuse_also(own, also)
    assert [c.chunk for c in fused] == [1, 4, 2, 3, 5, 9]
    scores = [c.score for c in fused]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1 / 61


def test_what_only_other_rankings_found_has_no_similarity() -> None:
    fused = fuse_also([candidate(1, 0.5)], [([ChunkId(2), ChunkId(1)], 1.0)])
    known = {c.chunk: (c.similarity, c.dense_rank) for c in fused}
    assert known == {1: (0.5, 1), 2: (None, None)}


def test_what_a_prompt_began_with_comes_first_again() -> None:
    one, two, three, new = (make_passage(f"Passage {n}.", chunk=n) for n in range(1, 5))
    assert in_known_order([two, new, one], [one, two, three]) == [one, two, new]
    assert in_known_order([two, three], [one, two, three]) == [two, three], "one is not in front"
    shortened = replace(one, excerpt=((0, 3),))
    assert in_known_order([two, shortened], [one, two]) == [two, shortened], "it looks different"


def test_what_was_read_again_changes_places_by_weight() -> None:
    own = [candidate(n) for n in (1, 2, 3, 4)]
    scores = {ChunkId(1): -9.0, ChunkId(2): -8.0, ChunkId(3): 4.0}
    for weight, order in ((0.1, [1, 2, 3, 4]), (0.8, [1, 3, 2, 4]), (4.0, [3, 2, 1, 4])):
        found = read_again(own, scores, weight)
        assert [one.chunk for one in found] == order, weight
        ranks = {one.chunk: (one.read_rank, one.read_score) for one in found}
        assert ranks == {1: (3, -9.0), 2: (2, -8.0), 3: (1, 4.0), 4: (None, None)}
        assert [one.score for one in found] == sorted((o.score for o in found), reverse=True)
