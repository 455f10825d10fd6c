from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import InvalidInput, NothingIndexed
from desktop_rag.domain.explanation import Fate
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.services.filling import Budget, filled
from desktop_rag.services.retrieval import Retrieval, worth_reading
from desktop_rag.storage.catalog import Catalog, FileStamp
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.passages import make_passage
from tests.helpers.reading import read_document

BRIDGE = "The harbour bridge opened in 1932 after eight years of work."
CRISIS = "The oil crisis began in October 1973 with an embargo of OPEC."
TEA = "Green tea is picked in spring and steamed on the same day."


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


@pytest.fixture
def index() -> FakeIndex:
    return FakeIndex()


@pytest.fixture
def catalog(database: Database, index: FakeIndex) -> Catalog:
    return fill_library(
        database,
        index,
        [
            read_document(BRIDGE, TEA, title="Bridges", paged=True),
            read_document(CRISIS, title="Oil"),
            read_document(BRIDGE, title="Copy of bridges"),
        ],
    )


@pytest.fixture
def retrieval(index: FakeIndex, catalog: Catalog, database: Database) -> Retrieval:
    return Retrieval(index, catalog, Collections(database))


def test_the_best_passage_comes_first_with_its_place(retrieval: Retrieval) -> None:
    best = retrieval.search("When did the harbour bridge open?").passages[0]
    assert best.text == BRIDGE
    assert best.pages == (1, 1)
    assert best.page_label == "i"
    assert best.path.startswith("/documents/")
    assert best.dense_rank == 1


def test_a_copy_is_shown_once(retrieval: Retrieval) -> None:
    found = retrieval.search("When did the harbour bridge open?")
    assert [passage.text for passage in found.passages].count(BRIDGE) == 1


def test_figures_count_and_time_every_stage(retrieval: Retrieval, catalog: Catalog) -> None:
    found = retrieval.find(["harbour bridge, oil crisis"])
    budget = Budget(100, words, passages=2)
    figures = filled(found, budget, catalog.neighbours, DEFAULT_RULES).figures
    assert figures.searched_chunks == 4
    assert figures.searched_documents == 3
    assert figures.candidates == figures.reranked == 4
    assert figures.passages == 2
    stages = {"index", "search", "fuse", "resolve", "rerank", "choose", "select"}
    assert stages <= figures.timings_ms.keys()


def test_a_removed_document_is_never_found_although_the_index_still_knows_it(
    retrieval: Retrieval, catalog: Catalog
) -> None:
    catalog.remove([DocumentId(2)])
    found = retrieval.search("When did the oil crisis begin?")
    assert all(passage.document != 2 for passage in found.passages)
    assert found.figures.candidates == 4


def test_a_follow_up_is_searched_both_ways(retrieval: Retrieval, index: FakeIndex) -> None:
    queries = ["Which embargo?", "When did the oil crisis begin? Which embargo?"]
    found = retrieval.find(queries)
    assert index.questions == queries
    assert found.passages[0].text == CRISIS
    assert len(found.rankings) == 2


def test_the_budget_limits_passages(retrieval: Retrieval, catalog: Catalog) -> None:
    found = retrieval.find(["harbour bridge"])
    gathered = filled(found, Budget(20, words), catalog.neighbours, DEFAULT_RULES)
    assert [passage.text for passage in gathered.passages] == [BRIDGE]


def test_a_short_passage_grows_while_the_budget_has_room(
    retrieval: Retrieval, catalog: Catalog
) -> None:
    found = retrieval.find(["harbour bridge"], limit=1)
    budget = Budget(200, words)
    (shown,) = filled(found, budget, catalog.neighbours, DEFAULT_RULES).passages
    assert shown.text.startswith(BRIDGE)
    assert shown.text.endswith(TEA)
    assert (shown.start, shown.end) == (0, len(shown.text))
    rules = RetrievalRules(window_chars=0)
    (narrow,) = filled(found, budget, catalog.neighbours, rules).passages
    assert narrow.text == BRIDGE


def test_an_empty_question_is_refused(retrieval: Retrieval) -> None:
    with pytest.raises(InvalidInput, match="empty"):
        retrieval.search("  \n")


def test_a_limit_below_one_is_refused(retrieval: Retrieval) -> None:
    with pytest.raises(InvalidInput):
        retrieval.search("bridge", limit=0)


def test_a_very_long_question_is_cut(retrieval: Retrieval, index: FakeIndex) -> None:
    retrieval.search("bridge " * 10_000)
    assert len(index.questions[0]) <= 2000


def test_an_empty_library_says_how_to_add_documents(database: Database) -> None:
    with pytest.raises(NothingIndexed, match="desktop-rag add"):
        Retrieval(FakeIndex(), Catalog(database), Collections(database)).search("Anything?")


def test_a_library_still_being_read_says_to_wait(database: Database) -> None:
    catalog = Catalog(database)
    with database.write() as db:
        db.execute(
            "INSERT INTO sources (id, path, is_folder, device, added_at)"
            " VALUES (1, '/documents', 1, 0, '')"
        )
    catalog.enqueue(1, "/documents/1.pdf", FileStamp(1, 1))
    with pytest.raises(NothingIndexed, match="still being read"):
        Retrieval(FakeIndex(), catalog, Collections(database)).search("Anything?")


def test_an_index_that_lost_everything_says_to_wait(catalog: Catalog, database: Database) -> None:
    with pytest.raises(NothingIndexed, match="still being read"):
        Retrieval(FakeIndex(), catalog, Collections(database)).search("Anything?")


def test_results_that_do_not_compare_with_the_best_are_cut(retrieval: Retrieval) -> None:
    found = retrieval.search("harbour bridge", 8, is_explained=True)
    one = found.passages[0]
    scores = (0.9, 0.5, 0.001, 0.001, 0.001)
    many = replace(found, passages=tuple(replace(one, relevance=score) for score in scores))
    shown = worth_reading(many)
    assert [passage.relevance for passage in shown.passages] == [0.9, 0.5, 0.001]
    assert shown.figures.passages == 3
    first = found.explanation.cut_after(1)
    assert [d.shown_as for d in first.decisions if d.shown_as] == [1]
    fates = {d.verdict.fate for d in first.decisions}
    assert (Fate.NOT_WORTH_READING in fates) == (len(found.passages) > 1)


def test_two_versions_of_a_document_are_both_shown(database: Database, index: FakeIndex) -> None:
    versions = [
        f"Employees may work from home on {days} days a week if their manager agrees in writing."
        for days in (2, 3)
    ]
    documents = [read_document(text, title="Policy") for text in (*versions, versions[0])]
    catalog = fill_library(database, index, documents)
    found = Retrieval(index, catalog, Collections(database)).search("days of work from home")
    assert sorted(passage.text for passage in found.passages) == versions


def test_what_the_search_model_cannot_read_is_said(index: FakeIndex, retrieval: Retrieval) -> None:
    assert not retrieval.find(["harbour bridge"]).understood.notes
    index.language = "german"
    notes = retrieval.find(["harbour bridge", "opening of the bridge"]).understood.notes
    assert len(notes) == 1
    assert "German" in notes[0]


def test_the_row_that_was_found_is_not_cut_off_with_what_stands_before_it(
    retrieval: Retrieval, catalog: Catalog
) -> None:
    before = make_passage("Number | Price\n" + "A1 | 10\n" * 9 + "A1 | 10", chunk=91)
    start = len(before.text) + 1
    row = make_passage("INV-9 | 1512", chunk=92, start=start)
    best = replace(row, columns="Number | Price")
    found = replace(retrieval.find(["harbour bridge"]), passages=(best, before))
    rules = RetrievalRules(window_chars=0)
    passages = filled(found, Budget(20, words), catalog.neighbours, rules).passages
    assert [one.text for one in passages] == ["INV-9 | 1512"]
