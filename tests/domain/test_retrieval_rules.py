"""Rules of retrieval from a configuration, and the fusion they ask for."""

from __future__ import annotations

import pytest

from desktop_rag.domain.answers import Candidate
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.fusion import hybrid_fusion
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, fused_anew, rules_from

DENSE, WORDS = [1, 2, 3], [3, 4, 1]
COSINES = {1: 0.8, 2: 0.6, 3: 0.5, 4: 0.1}
SCORES = {3: 9.0, 4: 5.0, 1: 1.0}


def candidates() -> list[Candidate]:
    return [
        Candidate(
            ChunkId(number),
            0.0,
            COSINES[number],
            DENSE.index(number) + 1 if number in DENSE else None,
            WORDS.index(number) + 1 if number in WORDS else None,
            SCORES.get(number),
        )
        for number in COSINES
    ]


def test_the_default_rules_fuse_as_the_index_does() -> None:
    expected = [number for number, _ in hybrid_fusion(DENSE, WORDS, COSINES, SCORES, 0.5)]
    assert [one.chunk for one in fused_anew(candidates(), 0.5, DEFAULT_RULES)] == expected


def test_vectors_alone_decide_when_they_have_the_whole_share() -> None:
    rules = rules_from({"dense_share": 1.0, "score_weight": 0.0}, "a.toml")
    assert rules.is_own_fusion
    assert [one.chunk for one in fused_anew(candidates(), 0.5, rules)][:3] == DENSE


def test_what_is_not_named_keeps_its_default() -> None:
    assert rules_from({}, "a.toml") == DEFAULT_RULES
    assert not rules_from({"candidates": 7}, "a.toml").is_own_fusion


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"colour": 1}, "“colour”"),
        ({"candidates": 0}, "whole number"),
        ({"candidates": True}, "whole number"),
        ({"dense_share": 1.5}, "from 0 to 1"),
        ({"rrf_k": "many"}, "whole number"),
        ({"score_weight": float("nan")}, "from 0"),
    ],
)
def test_what_makes_no_sense_is_named(values: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        rules_from(values, "a.toml")
    assert "a.toml" in caught.value.message
