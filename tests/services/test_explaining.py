"""Why each candidate of a search was shown or not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.explanation import Decision, Explanation, Fate, Verdict
from desktop_rag.domain.library import Tier
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.services.retrieval import Retrieval
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

BRIDGE = "The harbour bridge opened in 1932 after eight years of work."
BRIDGES = "The harbour bridge is painted every ten years by the city."
TEA = "Green tea is picked in spring and steamed on the same day."
QUESTION = "When did the harbour bridge open?"


@pytest.fixture
def index() -> FakeIndex:
    return FakeIndex()


@pytest.fixture
def catalog(database: Database, index: FakeIndex) -> Catalog:
    documents = [
        read_document(BRIDGE, TEA, title="Bridges", paged=True),
        read_document(BRIDGE, title="Copy of bridges"),
        read_document(BRIDGES, title="Paint"),
    ]
    return fill_library(database, index, documents)


@pytest.fixture
def retrieval(index: FakeIndex, catalog: Catalog, database: Database) -> Retrieval:
    return Retrieval(index, catalog, Collections(database))


def test_every_candidate_has_a_decision_with_ranks_and_scores(retrieval: Retrieval) -> None:
    result = retrieval.search(QUESTION, limit=1, is_explained=True)
    decisions = result.explanation.decisions
    assert len(decisions) == result.figures.candidates == 4
    assert [one.rank for one in decisions] == [1, 2, 3, 4]
    best = decisions[0]
    assert (best.verdict.fate, best.shown_as) == (Fate.SHOWN, 1)
    assert (best.dense_rank, best.keyword_rank) == (1, 1)
    assert best.relevance == result.passages[0].relevance > 0.5
    assert best.where == "page 1"
    assert all(0 < (one.relevance or 0) < 1 for one in decisions)


def test_words_that_a_passage_shares_with_the_question_are_named(retrieval: Retrieval) -> None:
    question = "When did the harbour bridges open?"
    decisions = retrieval.search(question, limit=1, is_explained=True).explanation.decisions
    assert decisions[0].matched == ("harbour", "bridges", "open")
    assert {one.matched for one in decisions} >= {("harbour", "bridges"), ("bridges",)}
    plain = retrieval.search(question, limit=1).explanation.decisions
    assert {one.matched for one in plain} == {()}


def test_what_is_not_shown_has_its_reason(retrieval: Retrieval, catalog: Catalog) -> None:
    catalog.remove([DocumentId(3)])
    rules = replace(DEFAULT_RULES, relevance_floor=0.01)
    decisions = retrieval.find([QUESTION], rules=rules, is_explained=True).explanation.decisions
    fates = {one.verdict.fate: one for one in decisions}
    copy = fates[Fate.DUPLICATE]
    assert copy.verdict.because_of == fates[Fate.SHOWN].chunk
    assert fates[Fate.WEAK].relevance is not None
    assert fates[Fate.REMOVED].path == ""


def test_over_the_limit_is_a_reason(retrieval: Retrieval) -> None:
    decisions = retrieval.search("harbour bridge", limit=1).explanation.decisions
    assert Fate.OVER_LIMIT in {one.verdict.fate for one in decisions}


def test_relevance_of_the_others_is_worked_out_only_when_asked_for(retrieval: Retrieval) -> None:
    decisions = retrieval.search(QUESTION, limit=1).explanation.decisions
    assert [one.relevance is None for one in decisions] == [
        one.verdict.fate is not Fate.SHOWN for one in decisions
    ]


def test_the_tier_of_a_folder_is_told(
    retrieval: Retrieval, catalog: Catalog, database: Database
) -> None:
    with database.write() as db:
        db.execute("UPDATE sources SET tier = ?", (Tier.BACKGROUND,))
    decisions = retrieval.search(QUESTION).explanation.decisions
    assert {one.tier_weight for one in decisions} == {0.85}


def test_the_reading_tells_kind_and_weights(retrieval: Retrieval) -> None:
    (line,) = retrieval.search(QUESTION).explanation.reading
    assert line.startswith(f"“{QUESTION}”: a question")
    late, rest = DEFAULT_RULES.late_share, (1 - DEFAULT_RULES.late_share) / 2
    shares = f"vectors {rest:.2g}, keywords {rest:.2g}, late interaction {late:.2g}"
    assert line.endswith(f"weights: {shares}")


def test_what_was_read_again_is_told(retrieval: Retrieval, index: FakeIndex) -> None:
    index.reader = "ranks"
    found = retrieval.search(QUESTION).explanation
    assert found.reading[0].endswith("; read again by a cross-encoder, which counts 2")
    assert {one.read_rank for one in found.decisions} == {1, 2, 3, 4}


def test_a_search_that_nothing_matches_says_so(retrieval: Retrieval) -> None:
    assert retrieval.search("quarterly dividend of the airline").is_weak
    assert not retrieval.search(QUESTION).is_weak


def test_what_stands_behind_a_cut_was_not_kept_out_by_the_limit() -> None:
    def decided(relevance: float, shown_as: int | None) -> Decision:
        fate = Fate.SHOWN if shown_as else Fate.OVER_LIMIT
        return Decision(
            chunk=ChunkId(1),
            rank=1,
            score=0.1,
            similarity=None,
            dense_rank=None,
            keyword_score=None,
            keyword_rank=None,
            late_score=None,
            late_rank=None,
            verdict=Verdict(fate),
            relevance=relevance,
            shown_as=shown_as,
        )

    all_of_them = (decided(0.9, 1), decided(0.1, 2), decided(0.05, None), decided(0.3, None))
    cut = Explanation((), all_of_them).cut_after(1)
    fates = [one.verdict.fate for one in cut.decisions]
    assert fates == [Fate.SHOWN, Fate.NOT_WORTH_READING, Fate.NOT_WORTH_READING, Fate.OVER_LIMIT]
    assert Explanation((), all_of_them).cut_after(2).decisions == all_of_them
