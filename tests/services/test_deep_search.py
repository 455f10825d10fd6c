"""Deep search is at least an ordinary search, whatever the language model does."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from desktop_rag.domain.answers import Turn
from desktop_rag.domain.errors import InvalidInput, ModelMissing, NothingIndexed, WorkerCrashed
from desktop_rag.domain.ports import Generator
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.services.deep_search import DeepSearch
from desktop_rag.services.retrieval import Retrieval
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeGenerator, FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

QUESTION = "When did the harbour bridge open, and which oil crisis came in October?"
DEEP = RetrievalRules(deep_queries=True, deep_parts=True, deep_hyde=True)
BRIDGE = "The harbour bridge opened in 1932 after eight years of work."
CRISIS = "The oil crisis began in October 1973 with an embargo of OPEC."
TEA = "Green tea is picked in spring and steamed on the same day."
FERRY = "Before the viaduct people crossed by ferry, which sailed hourly."

Make = Callable[[Generator], DeepSearch]


@pytest.fixture
def index() -> FakeIndex:
    return FakeIndex()


@pytest.fixture
def retrieval(database: Database, index: FakeIndex) -> Retrieval:
    documents = [read_document(text) for text in (BRIDGE, CRISIS, TEA, FERRY)]
    return Retrieval(index, fill_library(database, index, documents), Collections(database))


@pytest.fixture
def make(retrieval: Retrieval) -> Make:
    return lambda generator: DeepSearch(retrieval, generator)


def by_prompt(turns: Sequence[Turn]) -> str:
    """A model that does what each prompt asks for."""
    if "searches" in turns[0].content:
        return "harbour viaduct and ferry\noil crisis of autumn"
    if "look up" in turns[0].content:
        return "When did the harbour bridge open?\nWhich oil crisis came in October?"
    return "The harbour bridge opened when the ferry stopped."


def texts(search: DeepSearch, rules: RetrievalRules = DEEP) -> list[str]:
    return [one.text for one in search.find([QUESTION], rules=rules).passages]


def test_the_model_says_what_else_is_searched(make: Make, index: FakeIndex) -> None:
    found = make(FakeGenerator(by_prompt)).find([QUESTION], rules=DEEP)
    expansion = found.figures.expansion
    assert expansion.queries == ("harbour viaduct and ferry", "oil crisis of autumn")
    assert expansion.parts == (
        "When did the harbour bridge open?",
        "Which oil crisis came in October?",
    )
    assert expansion.hypothetical == "The harbour bridge opened when the ferry stopped."
    assert expansion.note == ""
    assert index.questions == [
        QUESTION,
        *expansion.queries,
        *expansion.parts,
        expansion.hypothetical,
    ]
    assert found.figures.timings_ms["expand"] > 0
    assert any("viaduct" in line for line in found.explanation.reading)
    assert len(found.rankings) == len(found.texts) == 1


def test_other_wordings_find_what_the_question_did_not(make: Make) -> None:
    narrow = RetrievalRules(candidates=2, relevance_floor=0.0)
    search = make(FakeGenerator(by_prompt))
    ordinary = [one.text for one in search.find([QUESTION], limit=2, rules=narrow).passages]
    deep = replace(narrow, deep_queries=True)
    assert FERRY not in ordinary
    assert FERRY in [one.text for one in search.find([QUESTION], limit=4, rules=deep).passages]


def test_each_technique_can_be_had_alone(make: Make) -> None:
    for rules, asked in (
        (RetrievalRules(deep_queries=True), "searches"),
        (RetrievalRules(deep_parts=True), "look up"),
        (RetrievalRules(deep_hyde=True), "sentence"),
    ):
        generator = FakeGenerator(by_prompt)
        make(generator).find([QUESTION], rules=rules)
        [turns] = generator.prompts
        assert asked in turns[0].content


def test_without_deep_rules_the_model_is_not_asked(make: Make) -> None:
    generator = FakeGenerator(failure=ModelMissing("There is none."))
    found = make(generator).find([QUESTION])
    assert generator.prompts == []
    assert found.figures.expansion.note == ""


@pytest.mark.parametrize(
    "generator",
    [
        FakeGenerator(""),
        FakeGenerator("qwertz asdf yxcv"),
        FakeGenerator("blah " * 5000, is_endless=True),
        FakeGenerator("🙂 \x00 [1] [2] ]]] {question}"),
        FakeGenerator(crash_after=0),
        FakeGenerator("one two three", crash_after=2),
        FakeGenerator(failure=ModelMissing("No language model is installed.")),
        FakeGenerator(failure=WorkerCrashed("The language model crashed.")),
    ],
    ids=["nothing", "rubbish", "endless", "signs", "crash", "late crash", "missing", "failing"],
)
def test_a_bad_model_costs_nothing_but_a_note(make: Make, generator: FakeGenerator) -> None:
    search = make(generator)
    found = search.find([QUESTION], rules=DEEP)
    assert [one.text for one in found.passages] == texts(search, DEFAULT_RULES)
    assert found.figures.expansion.note.startswith("Not searched as deeply as asked: ")
    assert found.figures.expansion.note in found.explanation.reading


def test_what_was_written_before_a_crash_is_used(make: Make) -> None:
    def answer(turns: Sequence[Turn]) -> str:
        if "look up" in turns[0].content:
            raise WorkerCrashed("The language model crashed.")
        return by_prompt(turns)

    expansion = make(FakeGenerator(answer)).find([QUESTION], rules=DEEP).figures.expansion
    assert expansion.queries
    assert "crashed" in expansion.note


def test_a_slow_model_is_stopped_in_time(retrieval: Retrieval) -> None:
    generator = FakeGenerator("harbour bridge", delay_s=0.05, is_endless=True, is_deaf=True)
    begin = time.monotonic()
    found = DeepSearch(retrieval, generator, time_limit_s=0.3).find([QUESTION], rules=DEEP)
    assert time.monotonic() - begin < 3
    assert "took too long" in found.figures.expansion.note
    assert found.passages[0].text in {BRIDGE, CRISIS}


def test_half_a_line_is_not_searched(retrieval: Retrieval) -> None:
    text = "harbour viaduct and ferry\noil crisis" + " of autumn" * 400
    generator = FakeGenerator(text, delay_s=0.05)
    rules = RetrievalRules(deep_queries=True)
    search = DeepSearch(retrieval, generator, time_limit_s=1.0)
    expansion = search.find([QUESTION], rules=rules).figures.expansion
    assert expansion.queries == ("harbour viaduct and ferry",)
    assert "took too long" in expansion.note


def test_cancelling_ends_the_model_and_still_searches(make: Make) -> None:
    generator = FakeGenerator("harbour bridge", delay_s=0.01, is_endless=True)
    calls = 0

    def is_cancelled() -> bool:
        nonlocal calls
        calls += 1
        return calls > 5

    found = make(generator).find([QUESTION], rules=DEEP, is_cancelled=is_cancelled)
    assert len(generator.prompts) == 1
    assert found.passages
    assert found.figures.expansion.note == ""


def test_filters_are_not_told_to_the_model(make: Make) -> None:
    generator = FakeGenerator(by_prompt)
    make(generator).find([f"{QUESTION} type:pdf"], rules=DEEP)
    assert all("type:pdf" not in turns[-1].content for turns in generator.prompts)


@pytest.mark.parametrize("question", ["", "   ", "type:pdf"])
def test_no_question_is_said_before_the_model_is_asked(make: Make, question: str) -> None:
    generator = FakeGenerator(by_prompt)
    with pytest.raises(InvalidInput):
        make(generator).search(question, rules=DEEP)
    assert generator.prompts == []


def test_similarity_is_always_with_the_question(make: Make) -> None:
    """Or a made-up answer would vouch for itself."""
    rules = RetrievalRules(deep_hyde=True, deep_weight=2, candidates=2, relevance_floor=0.0)
    found = make(FakeGenerator("The harbour tea is picked in spring and steamed on the same day."))
    passages = found.find([QUESTION], limit=2, rules=rules).passages
    assert TEA in [one.text for one in passages]
    for one in passages:
        is_own = one.text in {BRIDGE, CRISIS}
        assert (one.similarity is not None) is is_own


def test_a_filter_that_leaves_nothing_is_told_without_asking_the_model(make: Make) -> None:
    generator = FakeGenerator(by_prompt)
    with pytest.raises(NothingIndexed):
        make(generator).search(f"{QUESTION} file:nowhere", rules=DEEP)
    assert not generator.prompts
