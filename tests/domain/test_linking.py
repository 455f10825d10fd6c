from __future__ import annotations

from desktop_rag.domain.linking import with_linked
from tests.helpers.passages import make_passage

RANKED = [make_passage(f"text {n}", chunk=n, document=n) for n in range(1, 7)]


def test_linked_passages_stand_behind_the_best_two() -> None:
    new = make_passage("new", chunk=9, document=9)
    found = with_linked(RANKED, [RANKED[4], new])
    assert [one.chunk for one in found] == [1, 2, 5, 9, 3, 4, 6]
    assert [one.is_linked for one in found] == [False, False, True, True, False, False, False]


def test_scores_still_fall() -> None:
    found = with_linked(RANKED, [RANKED[5]])
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)


def test_what_is_among_the_best_two_already_stays_there() -> None:
    found = with_linked(RANKED, [RANKED[1], RANKED[0]])
    assert [one.chunk for one in found] == [one.chunk for one in RANKED]
    assert [one.is_linked for one in found[:3]] == [True, True, False]


def test_no_more_than_a_few_are_moved() -> None:
    found = with_linked(RANKED, [RANKED[5], RANKED[4], RANKED[3]])
    assert [one.chunk for one in found] == [1, 2, 6, 5, 3, 4]


def test_a_link_to_the_beginning_of_a_document_means_its_best_passage() -> None:
    beginning = make_passage("beginning", chunk=20, document=6)
    assert [one.chunk for one in with_linked(RANKED, [beginning])][2] == 6
    section = make_passage("section", chunk=21, document=6, start=300)
    assert [one.chunk for one in with_linked(RANKED, [section])][2] == 21


def test_nothing_was_found_but_links() -> None:
    assert [one.chunk for one in with_linked([], [RANKED[0]])] == [1]
    assert with_linked(RANKED, []) == RANKED
