"""Names lead from document to document."""

from __future__ import annotations

import pytest

from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.domain.scope import Scope
from desktop_rag.services.graph_search import GraphSearch, Links
from desktop_rag.services.retrieval import Retrieval
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

QUESTION = "In which town was the author of Blue Harbour born?"
_FILLER = [
    (f"Town {n}", f"Many an author was born in which town the harbour of year {n} lies.")
    for n in range(20)
]


@pytest.fixture
def index() -> FakeIndex:
    return FakeIndex()


@pytest.fixture
def catalog(database: Database, index: FakeIndex) -> Catalog:
    documents = [
        ("Blue Harbour", "A play. It was written by Jane Roe."),
        ("Jane Roe", "She spent her childhood near Port Alder."),
        ("Port Alder", "A place of 900 people with a pier."),
        *_FILLER,
    ]
    read = [read_document(text, title=title) for title, text in documents]
    return fill_library(database, index, read)


@pytest.fixture
def graph(catalog: Catalog) -> GraphSearch:
    return GraphSearch(catalog.entities)


def test_each_hop_leads_one_document_further(graph: GraphSearch) -> None:
    assert graph.follow(QUESTION, [], 0) == Links(("blue harbour",), (ChunkId(1),))
    assert graph.follow(QUESTION, [], 1).chunks == (1, 2)
    assert graph.follow(QUESTION, [], 2).chunks == (1, 2, 3)


def test_a_question_that_names_nothing_known_leads_nowhere(graph: GraphSearch) -> None:
    for question in ("what is it?", "", "'; DROP TABLE chunks; --", "Grey Forest", "%"):
        assert graph.follow(question, [], 2) == Links()


def test_the_longest_name_is_meant(graph: GraphSearch) -> None:
    assert graph.follow("Is Jane Roe in Port Alder?", [], 0).names == ("jane roe", "port alder")


def test_following_names_finds_the_second_document(
    index: FakeIndex, catalog: Catalog, database: Database
) -> None:
    retrieval = Retrieval(index, catalog, Collections(database))
    ordinary = retrieval.find([QUESTION], 4)
    assert "Jane Roe" not in [one.title for one in ordinary.passages]
    assert ordinary.figures.expansion.names == ()
    linked = retrieval.find([QUESTION], 4, rules=RetrievalRules(graph_hops=1))
    assert [one.title for one in linked.passages].index("Jane Roe") <= 3
    assert linked.figures.expansion.names == ("blue harbour",)
    assert linked.figures.expansion.linked == 2
    assert any("blue harbour" in line for line in linked.explanation.reading)


def test_names_do_not_lead_out_of_the_scope(
    index: FakeIndex, catalog: Catalog, database: Database
) -> None:
    retrieval = Retrieval(index, catalog, Collections(database))
    scope = Scope(files=("1.pdf",))
    found = retrieval.find([QUESTION], 8, scope, RetrievalRules(graph_hops=2))
    assert {one.document for one in found.passages} == {1}


def test_ordinary_search_follows_nothing() -> None:
    assert DEFAULT_RULES.graph_hops == 0
