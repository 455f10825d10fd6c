from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

from desktop_rag.domain.answers import Answer, Turn
from desktop_rag.domain.errors import ModelMissing, NothingIndexed, WorkerCrashed
from desktop_rag.domain.events import AnswerDelta, AnswerProgress, Event, SourcesFound
from desktop_rag.domain.ports import GeneratorInfo
from desktop_rag.domain.scope import Scope
from desktop_rag.services.bus import Bus
from desktop_rag.services.locating import Locator
from desktop_rag.services.retrieval import EVERYTHING, Retrieval
from desktop_rag.services.summarising import Summarising
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeGenerator, FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

TOPICS = {
    "Holidays": "twenty days of leave",
    "Sickness": "pay for six weeks",
    "Travel": "trains in second class",
    "Pensions": "five per cent of wages",
    "Parking": "places behind the building",
    "Lunch": "meals in a canteen",
    "Laptops": "computers with encrypted disks",
    "Notice": "three months before anybody leaves",
    "Training": "two courses every year",
    "Pets": "quiet dogs below desks",
}
HANDBOOK = [
    f"{topic}: the company grants its staff {rule} after {number} days of work. "
    f"A hedgehog number {number} was once seen. " + "Nobody knows why. " * 9
    for number, (topic, rule) in enumerate(TOPICS.items(), start=11)
]
LEASE = ["The tenant rents the flat in Mill Street. The rent for the flat is 900 euros a month."]


def first_sentence(turns: Sequence[Turn]) -> str:
    """What a good model says of a part: a sentence of it."""
    lines = [line.lstrip("- ") for line in turns[-1].content.splitlines() if "." in line]
    return lines[0].split(". ")[0].rstrip(".") + "."


E = TypeVar("E", bound=Event)


class Desk:
    """A summariser over a handbook and a lease."""

    def __init__(self, database: Database) -> None:
        self.index, self.generator, self.bus = FakeIndex(), FakeGenerator(first_sentence), Bus()
        self.events: list[Event] = []
        self.bus.subscribe(self.events.append)
        self.catalog = fill_library(
            database,
            self.index,
            [
                read_document(*HANDBOOK, title="Staff handbook", paged=True),
                read_document(*LEASE, title="Lease of the flat"),
            ],
        )
        self.retrieval = Retrieval(self.index, self.catalog, Collections(database))
        self.now = 0.0
        self.is_cancelled: Callable[[], bool] = lambda: False

    def ask(self, question: str, scope: Scope = EVERYTHING, part_s: float = 0.0) -> Answer | None:
        written = self.generator.answer
        assert callable(written)

        def slowly(turns: Sequence[Turn]) -> str:
            self.now += part_s
            return written(turns)

        self.generator.answer = slowly
        summarising = Summarising(
            self.retrieval, self.generator, self.catalog, self.bus, clock=lambda: self.now
        )
        locate = Locator(self.catalog).locate
        return summarising.compose(7, question, scope, locate, lambda: self.is_cancelled())

    def summary(self, question: str, part_s: float = 0.0) -> Answer:
        answer = self.ask(question, part_s=part_s)
        assert answer is not None
        return answer

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


def small_parts(desk: Desk) -> None:
    """A model that reads about two chapters at once."""
    desk.generator = FakeGenerator(first_sentence, context_tokens=500)


def test_every_part_is_read_and_every_sentence_cited(desk: Desk) -> None:
    small_parts(desk)
    answer = desk.summary("Summarise the staff handbook")
    points = [line for line in answer.text.splitlines() if line.startswith("- ")]
    assert len(points) == len(desk.of(AnswerProgress)) - 1 >= 4
    assert all("[" in point for point in points)
    assert answer.unsupported == ()
    assert {citation.document for citation in answer.citations} == {1}
    assert [c.page for c in answer.citations][-1] in (9, 10), "of the last part"
    assert answer.scope_note == "All 10 pages of 1.pdf."
    assert answer.model == "fake-llm"


def test_the_summary_of_the_parts_comes_first(desk: Desk) -> None:
    small_parts(desk)
    answer = desk.summary("What is the staff handbook about?")
    overview, _, points = answer.text.partition("\n\n")
    assert overview.startswith("Holidays: the company grants")
    assert points.startswith("- ")
    assert "- Holidays: the company grants" in desk.generator.prompts[-1][-1].content, (
        "notes on the parts"
    )


def test_progress_is_told_for_every_part(desk: Desk) -> None:
    small_parts(desk)
    desk.summary("Summarise the staff handbook")
    told = desk.of(AnswerProgress)
    assert told[2].sentence == f"Reading part 3 of {told[2].total} of 1.pdf …"
    assert [one.done for one in told] == list(range(len(told)))


def test_central_sentences_are_shown_before_the_model_is_asked(desk: Desk) -> None:
    desk.summary("Summarise the staff handbook")
    kinds = [type(event) for event in desk.events]
    assert kinds[:2] == [SourcesFound, AnswerDelta]
    assert "[1]" in desk.of(AnswerDelta)[0].text


def test_what_the_part_does_not_bear_out_is_replaced_by_its_own_words(desk: Desk) -> None:
    desk.generator.answer = lambda _: "Elephants fly to the moon for 77 dollars every Sunday."
    answer = desk.summary("Summarise the lease")
    assert "Elephants" not in answer.text
    assert "flat" in answer.text
    assert answer.unsupported == ()


def test_without_a_model_the_central_sentences_are_the_summary(desk: Desk) -> None:
    desk.generator.failure = ModelMissing("Install one with `desktop-rag models install`.")
    answer = desk.summary("Summarise the staff handbook")
    points = answer.text.splitlines()
    assert 3 <= len(points) <= 6
    assert "company" in points[0]
    assert len({citation.page for citation in answer.citations}) >= 3
    assert answer.model == ""
    assert "desktop-rag models install" in answer.note
    assert (
        answer.scope_note == "The most central sentences of all 10 pages of 1.pdf, word for word."
    )


def test_what_takes_too_long_is_read_in_part_and_the_rest_is_offered(desk: Desk) -> None:
    small_parts(desk)
    answer = desk.summary("Summarise the staff handbook", part_s=70.0)
    read = [line for line in answer.text.splitlines() if line.startswith("- ")]
    assert "Holidays" in read[0], "the beginning is always read"
    assert len(desk.generator.prompts) == 2
    assert len(read) > 4, "of parts that were not read, sentences are quoted"
    assert len({citation.page for citation in answer.citations}) > 4
    assert answer.unsupported == ()
    assert "2 of 5 parts, about 4 of 10 pages" in answer.scope_note
    assert "about 6 minutes" in answer.scope_note
    assert "“full summary of 1.pdf”" in answer.scope_note


def test_a_full_summary_takes_its_time(desk: Desk) -> None:
    small_parts(desk)
    answer = desk.summary("full summary of the staff handbook", part_s=70.0)
    assert answer.scope_note == "All 10 pages of 1.pdf."


def test_stopped_in_the_middle_the_parts_read_so_far_are_kept(desk: Desk) -> None:
    small_parts(desk)
    desk.is_cancelled = lambda: len(desk.of(AnswerProgress)) > 2
    answer = desk.summary("Summarise the staff handbook")
    assert answer.stopped
    assert answer.scope_note.startswith("Stopped after 2 of 5 parts")
    assert len(answer.text.splitlines()) == 2


def test_stopped_before_the_model_the_central_sentences_are_kept(desk: Desk) -> None:
    desk.is_cancelled = lambda: True
    answer = desk.summary("Summarise the staff handbook")
    assert answer.stopped
    assert answer.citations
    assert desk.generator.prompts == []


def test_stop_is_heard_while_the_model_is_loaded(desk: Desk) -> None:
    may_load = threading.Event()

    class Loading(FakeGenerator):
        def info(self) -> GeneratorInfo:
            assert may_load.wait(30)
            return super().info()

    desk.generator = Loading(first_sentence)
    desk.is_cancelled = lambda: bool(desk.of(AnswerDelta))
    answer = desk.summary("Summarise the staff handbook")
    may_load.set()
    assert answer.stopped
    assert "[1]" in answer.text
    assert desk.generator.prompts == []


def test_a_model_that_dies_leaves_what_it_wrote(desk: Desk) -> None:
    small_parts(desk)

    def die(turns: Sequence[Turn]) -> str:
        if len(desk.generator.prompts) > 2:
            raise WorkerCrashed("The language model crashed; it starts again.")
        return first_sentence(turns)

    desk.generator.answer = die
    answer = desk.summary("Summarise the staff handbook")
    assert len(answer.text.splitlines()) == 2
    assert answer.note == "The language model crashed; it starts again."
    assert "Stopped after 2 of 5 parts" in answer.scope_note


@pytest.mark.parametrize("context", [64, 420, 8192])
def test_prompts_fit_any_context(desk: Desk, context: int) -> None:
    desk.generator = FakeGenerator(first_sentence, context_tokens=context)
    answer = desk.summary("Summarise the staff handbook")
    for prompt in desk.generator.prompts:
        assert sum(desk.generator.count_tokens([turn.content for turn in prompt])) < context
    assert answer.citations
    assert bool(desk.generator.prompts) == ("reads too little" not in answer.note)


def test_filters_say_what_is_summarised(desk: Desk) -> None:
    answer = desk.summary("file:2.pdf summary")
    assert {citation.document for citation in answer.citations} == {2}
    assert answer.understood.filters == ("file 2.pdf",)
    everything = desk.summary("Summarise my documents")
    assert {citation.document for citation in everything.citations} == {1, 2}
    assert "- Lease of the flat: " in everything.text
    assert everything.scope_note == "All 10 pages of 2 files."


def test_without_a_name_the_document_that_says_most_is_taken_and_named(desk: Desk) -> None:
    answer = desk.summary("Summarise rent of the flat in Mill Street")
    assert {citation.document for citation in answer.citations} == {2}
    assert "No file is called" in answer.scope_note
    assert "2.pdf says most about it" in answer.scope_note


def test_a_question_about_a_topic_is_no_request_for_a_summary(desk: Desk) -> None:
    assert desk.ask("What is the rent of the flat in Mill Street about?") is None
    assert desk.ask("Summarise the moon landing of 1969") is None


def test_of_several_that_are_called_so_one_is_taken_and_the_others_are_named(
    database: Database,
) -> None:
    index = FakeIndex()
    leases = [read_document(*LEASE, title=f"Lease of the {what}") for what in ("boat", "flat")]
    catalog = fill_library(database, index, leases)
    retrieval = Retrieval(index, catalog, Collections(database))
    summarising = Summarising(retrieval, FakeGenerator(first_sentence), catalog, Bus())
    locate = Locator(catalog).locate
    answer = summarising.compose(1, "Summarise the lease", EVERYTHING, locate, lambda: False)
    assert answer is not None
    assert answer.scope_note == "All of 1.pdf. “lease” may also mean 2.pdf."


def test_an_empty_library_says_so(database: Database) -> None:
    retrieval = Retrieval(
        FakeIndex(), fill_library(database, FakeIndex(), []), Collections(database)
    )
    catalog = retrieval._catalog
    summarising = Summarising(retrieval, FakeGenerator(), catalog, Bus())
    with pytest.raises(NothingIndexed):
        summarising.compose(1, "Summarise", EVERYTHING, Locator(catalog).locate, lambda: False)
