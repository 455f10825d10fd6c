"""Filters, phrases and words left out, on a real catalog."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.domain.answers import Ranking
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import InvalidInput, NothingIndexed
from desktop_rag.domain.scope import Scope
from desktop_rag.services.retrieval import Retrieval, says_nothing_matches
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

BRIDGE = "The harbour bridge opened in 1932 after eight years of work."
TEA = "Green tea is picked in spring near the bridge."
CRISIS = "The oil crisis began in October 1973 with an embargo of OPEC."
BROKEN = "The oil em-\nbargo ended in 1974, and the cri-\nsis with it."


class Desk:
    def __init__(self, database: Database, *more: str) -> None:
        self.index = FakeIndex()
        documents = [
            read_document(BRIDGE, TEA, title="Bridges", paged=True),
            read_document(CRISIS, BROKEN, title="Oil"),
            *(read_document(text, title=f"More {n}") for n, text in enumerate(more)),
        ]
        catalog = fill_library(database, self.index, documents)
        self.retrieval = Retrieval(self.index, catalog, Collections(database))

    def found(self, question: str, scope: Scope | None = None, limit: int = 8) -> list[str]:
        result = self.retrieval.search(question, limit, scope or Scope())
        return [passage.text for passage in result.passages]


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("bridge file:1.pdf", {BRIDGE, TEA}),
        ("bridge in the file 2.pdf", {CRISIS, BROKEN}),
        ("bridge page:2", {TEA}),
        ("bridge page:1-2", {BRIDGE, TEA}),
        ("bridge folder:documents page:1", {BRIDGE}),
        ("bridge -tea -oil", {BRIDGE}),
        ('bridge -"oil crisis" file:2', {BROKEN}),
        ('"harbour bridge"', {BRIDGE}),
        ('when was the "bridge" made', {BRIDGE, TEA}),
        ('"oil embargo ended"', {BROKEN}),
        ('"crisis"', {CRISIS, BROKEN}),
        ('"bridge" "green tea"', {TEA}),
        ('"the"', {BRIDGE, TEA, CRISIS, BROKEN}),
    ],
)
def test_only_what_is_asked_for_is_searched(desk: Desk, question: str, texts: set[str]) -> None:
    assert set(desk.found(question)) == texts


def test_filters_are_not_searched_but_told(desk: Desk) -> None:
    result = desk.retrieval.search("could you please tell me about the bridge file:1.pdf -oil")
    assert desk.index.questions == ["the bridge"]
    assert result.understood.sentences() == ["Filters: without “oil”, file 1.pdf"]
    assert result.question == "could you please tell me about the bridge file:1.pdf -oil"
    assert (result.figures.searched_chunks, result.figures.searched_documents) == (2, 1)


def test_filters_narrow_the_scope_and_never_widen_it(desk: Desk) -> None:
    assert set(desk.found("bridge page:1", Scope(files=("1.pdf",)))) == {BRIDGE}
    with pytest.raises(NothingIndexed, match=r"file 2\.pdf, file 1\.pdf"):
        desk.found("bridge file:1.pdf", Scope(files=("2.pdf",)))


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("bridge file:nowhere.pdf", "file nowhere.pdf"),
        ("bridge type:xlsx", "type xlsx"),
        ("bridge after:2050", "from 2050-01-01 on"),
        ("bridge page:900", "page 900"),
        ("bridge folder:nowhere", "folder nowhere"),
        ("tea page:2 -bridge", "leaves out"),
    ],
)
def test_a_filter_that_leaves_nothing_is_named(desk: Desk, question: str, says: str) -> None:
    with pytest.raises(NothingIndexed, match=says):
        desk.found(question)


def test_a_phrase_nobody_wrote_gives_the_nearest_passages_and_says_so(desk: Desk) -> None:
    result = desk.retrieval.search('"bridge harbour" -tea')
    assert result.passages[0].text == BRIDGE
    assert result.understood.filters == ("without “tea”",)
    assert "No passage holds “bridge harbour” word for word" in result.understood.sentences()[1]


def test_what_holds_the_phrase_is_never_called_merely_nearest(desk: Desk) -> None:
    words = " ".join(TEA.split()[:2]).lower()
    found = desk.retrieval.find([f'"{words}"'])
    unlike = tuple(replace(one, similarity=0.0, relevance=0.0) for one in found.passages)
    assert not says_nothing_matches(replace(found, passages=unlike))
    assert says_nothing_matches(replace(found, passages=unlike, is_exact=False), below=9.0)


def test_a_phrase_far_down_the_ranking_is_found(database: Database) -> None:
    many = [f"Bridge harbour bridge harbour number {n}." for n in range(600)]
    desk = Desk(database, *many)
    assert desk.found('"harbour bridge opened"') == [BRIDGE]
    assert BRIDGE in desk.found("harbour bridge -number", limit=3)


def test_a_follow_up_keeps_only_its_own_filters(desk: Desk) -> None:
    found = desk.retrieval.find(["And the tea page:2?", "bridge page:x file:1.pdf And the tea?"])
    assert [passage.text for passage in found.passages] == [TEA]
    assert desk.index.questions == ["And the tea", "bridge And the tea?"]


def test_an_index_that_is_being_filled_says_to_wait(desk: Desk) -> None:
    desk.index.clear()
    with pytest.raises(NothingIndexed, match="still being filled"):
        desk.found("bridge -tea")


def test_only_filters_are_no_question(desk: Desk) -> None:
    with pytest.raises(InvalidInput, match="only says where to look"):
        desk.found("file:1.pdf")


def test_words_set_right_are_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    search = desk.index.search

    def corrected(question: str, limit: int, among: Sequence[ChunkId] | None = None) -> Ranking:
        return replace(search(question, limit, among), corrections=(("brigde", "bridge"),))

    monkeypatch.setattr(desk.index, "search", corrected)
    found = desk.retrieval.find(["harbour brigde"])
    assert found.understood.sentences() == ["Also searched for “bridge”"]
    assert (found.question, found.texts) == ("harbour brigde", ("harbour bridge",))


def test_function_words_are_left_out_too(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(database, "A bridge leads over water.")
    known = desk.index.select

    def without_function_words(
        holding: Sequence[str], without: Sequence[str], among: Sequence[ChunkId] | None = None
    ) -> list[ChunkId]:
        held, unheld = ([one for one in texts if one != "the"] for texts in (holding, without))
        return known(held, unheld, among)

    monkeypatch.setattr(desk.index, "select", without_function_words)
    assert desk.found("bridge -the") == ["A bridge leads over water."]


def test_an_empty_library_is_called_empty_whatever_the_filters(database: Database) -> None:
    retrieval = Retrieval(FakeIndex(), Catalog(database), Collections(database))
    for question in ("bridge -tea", "bridge file:x", '"harbour bridge"'):
        with pytest.raises(NothingIndexed, match="no documents to search yet"):
            retrieval.search(question)


def test_the_home_of_nobody_is_a_folder_that_is_not_there(desk: Desk) -> None:
    with pytest.raises(NothingIndexed, match="~nobody-of-that-name"):
        desk.found("bridge folder:~nobody-of-that-name")


def test_only_so_many_are_compared_with_a_phrase(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best of those that hold its words: comparing all of a large library would take long."""
    monkeypatch.setattr("desktop_rag.services.narrowing._COMPARED", 3)
    desk = Desk(database, *(f"Bridge harbour, and {'tea ' * n}harbour bridge." for n in range(9)))
    result = desk.retrieval.search('"harbour bridge"', 20)
    assert result.figures.searched_chunks == 3


def test_only_passages_that_hold_the_phrase_are_exact(desk: Desk) -> None:
    assert desk.retrieval.narrowed(['"harbour bridge"'], Scope()).is_exact
    assert not desk.retrieval.narrowed(['"bridge harbour"'], Scope()).is_exact
    assert not desk.retrieval.narrowed(["harbour bridge"], Scope()).is_exact


def test_a_folder_may_be_given_from_home(desk: Desk) -> None:
    with pytest.raises(NothingIndexed, match=re.escape(str(Path("~/nowhere").expanduser()))):
        desk.found("bridge folder:~/nowhere")


def test_files_that_are_read_again_are_still_counted_as_searched(
    desk: Desk, database: Database
) -> None:
    with database.write() as db:
        db.execute("UPDATE documents SET state = 'queued'")
    assert desk.retrieval.search("bridge").figures.searched_documents == 2
