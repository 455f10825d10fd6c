"""Retrieval may not become worse: a drop on the small set beyond what chance explains fails.

When a change is meant to trade something, look at what was lost and record the new figures with
`python -m tests.evaluation_set --record`.
"""

from __future__ import annotations

import pytest

from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from tests.evaluation_set.measuring import (
    JUDGED_BY,
    Figures,
    changes,
    described,
    measured,
    recorded,
)

# Settings that lose something: vectors alone, and only three candidates of each store.
WORSE = (
    RetrievalRules(dense_share=1.0),
    RetrievalRules(candidates=3, dense_share=1.0, score_weight=0.0),
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Figures]:
    return measured(tmp_path_factory.mktemp("documents"), DEFAULT_RULES, *WORSE)


@pytest.mark.parametrize("measure", JUDGED_BY)
def test_retrieval_is_as_good_as_on_record(runs: list[Figures], measure: str) -> None:
    change = changes(recorded(), runs[0])[measure]
    assert not change.is_drop, f"{measure} fell:\n{described(recorded(), runs[0])}"


@pytest.mark.parametrize("number", range(1, len(WORSE) + 1))
def test_search_without_keywords_would_fail(runs: list[Figures], number: int) -> None:
    found = changes(recorded(), runs[number])
    assert [key for key, one in found.items() if one.is_drop], described(recorded(), runs[number])


def test_every_question_is_on_record() -> None:
    with pytest.raises(KeyError, match="record the set anew"):
        changes({"MRR": {"q1": 1.0}}, {"MRR": {"q1": 1.0, "q2": 1.0}})
