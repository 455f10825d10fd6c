"""Answers that begin while the question is being typed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence

import pytest

from desktop_rag.domain.answers import Turn
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import ModelMissing
from desktop_rag.domain.events import AnswerDelta, ExtractFound, SourcesForeseen, SourcesFound
from desktop_rag.domain.ports import GenerationLimits
from desktop_rag.domain.scope import Scope
from desktop_rag.storage.database import Database
from desktop_rag.storage.library_state import LibraryState
from tests.helpers.fakes import FakeGenerator
from tests.services.test_answering import TIMEOUT_S, Desk

QUESTION = "When did the harbour bridge open?"


class SlowReader(FakeGenerator):
    """Reads prompts for as long as `gate` is closed; `reads` says how each reading ended."""

    def __init__(self) -> None:
        super().__init__()
        self.gate, self.is_reading = threading.Event(), threading.Event()
        self.reads: list[str] = []

    def stream(
        self, turns: Sequence[Turn], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> Iterator[str]:
        if limits.max_tokens:
            yield from super().stream(turns, limits, is_cancelled)
            return
        self.is_reading.set()
        while not self.gate.is_set() and not is_cancelled():
            time.sleep(0.002)
        self.reads.append("dropped" if is_cancelled() else "whole")
        self.prompts.append(tuple(turns))


@pytest.fixture
def desk(database: Database) -> Iterator[Desk]:
    desk = Desk(database)
    desk.library_state = LibraryState(database).token
    desk.open_with(SlowReader())
    yield desk
    desk.answering.close()


def reader(desk: Desk) -> SlowReader:
    assert isinstance(desk.generator, SlowReader)
    return desk.generator


def wait_until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_enter_with_the_same_text_uses_what_was_begun(desk: Desk) -> None:
    reader(desk).gate.set()
    desk.answering.prepare(QUESTION)
    wait_until(lambda: bool(reader(desk).reads))
    searches = len(desk.index.questions)
    answer = desk.ask(QUESTION)
    assert "1932 [1]." in answer.text
    assert len(desk.index.questions) == searches, "it was not searched again"
    prepared, asked = desk.generator.prompts
    assert prepared == asked, "the model has read exactly this"


def test_nothing_of_a_preparation_is_an_answer(desk: Desk) -> None:
    reader(desk).gate.set()
    desk.answering.prepare(QUESTION)
    wait_until(lambda: bool(reader(desk).reads))
    assert [type(event) for event in desk.events] == [SourcesForeseen]
    (event,) = desk.of(SourcesForeseen)
    assert isinstance(event, SourcesForeseen)
    assert event.text == QUESTION
    assert event.passages
    assert desk.conversations.all() == []
    assert not desk.answering.is_busy(), "indexing goes on while somebody types"


@pytest.mark.parametrize("what", ["other text", "dropped", "another question", "other scope"])
def test_it_is_dropped_at_once_when_the_text_changes(desk: Desk, what: str) -> None:
    desk.answering.prepare(QUESTION)
    assert reader(desk).is_reading.wait(TIMEOUT_S)
    changed_at = time.monotonic()
    if what == "other text":
        desk.answering.prepare("When did the oil crisis begin?")
    elif what == "dropped":
        desk.answering.drop_preparation()
    elif what == "another question":
        desk.answering.ask("When did the oil crisis begin?")
    else:
        desk.answering.ask(QUESTION, scope=Scope(types=("pdf",)))
    wait_until(lambda: bool(reader(desk).reads))
    assert time.monotonic() - changed_at < 2.0
    assert reader(desk).reads[0] == "dropped"


def test_enter_while_it_is_read_lets_the_model_finish_reading(desk: Desk) -> None:
    desk.answering.prepare(QUESTION)
    assert reader(desk).is_reading.wait(TIMEOUT_S)
    running = desk.answering.ask(QUESTION)
    reader(desk).gate.set()
    assert running.result(TIMEOUT_S).found
    assert reader(desk).reads == ["whole"]


def test_enter_while_it_is_read_shows_the_quotation_at_once_and_once(desk: Desk) -> None:
    desk.answering.prepare(QUESTION)
    assert reader(desk).is_reading.wait(TIMEOUT_S)
    running = desk.answering.ask(QUESTION)
    wait_until(lambda: bool(desk.of(ExtractFound)))
    assert not reader(desk).reads, "the model still reads"
    reader(desk).gate.set()
    answer = running.result(TIMEOUT_S)
    (told,) = desk.of(ExtractFound)
    assert isinstance(told, ExtractFound)
    assert told.request == running.request
    assert told.citation == answer.extract
    assert "1932" in told.citation.quote


def test_what_is_typed_on_is_never_quoted(desk: Desk) -> None:
    reader(desk).gate.set()
    desk.answering.prepare(QUESTION)
    wait_until(lambda: bool(reader(desk).reads))
    desk.answering.prepare(f"{QUESTION} And why?")
    wait_until(lambda: len(reader(desk).reads) == 2)
    assert not desk.of(ExtractFound)


def test_stop_ends_a_preparation_that_was_asked_for(desk: Desk) -> None:
    desk.answering.prepare(QUESTION)
    assert reader(desk).is_reading.wait(TIMEOUT_S)
    running = desk.answering.ask(QUESTION)
    running.cancel()
    assert running.result(TIMEOUT_S).stopped
    assert reader(desk).reads == ["dropped"]


def test_preparing_the_same_twice_is_one_preparation(desk: Desk) -> None:
    reader(desk).gate.set()
    for _ in range(3):
        desk.answering.prepare(QUESTION)
    desk.answering.ask(QUESTION).result(TIMEOUT_S)
    assert reader(desk).reads == ["whole"]


def test_what_was_found_before_a_file_left_is_not_used(desk: Desk) -> None:
    reader(desk).gate.set()
    desk.answering.prepare(QUESTION)
    wait_until(lambda: bool(reader(desk).reads))
    desk.catalog.remove([DocumentId(1)])
    desk.ask(QUESTION)
    (event,) = desk.of(SourcesFound)
    assert isinstance(event, SourcesFound)
    assert {passage.document for passage in event.passages} == {DocumentId(2)}


def test_a_follow_up_is_prepared_with_its_conversation(desk: Desk) -> None:
    reader(desk).gate.set()
    running = desk.answering.ask(QUESTION)
    running.result(TIMEOUT_S)
    desk.answering.prepare("And how long did it take?", running.conversation)
    wait_until(lambda: bool(reader(desk).reads))
    desk.ask("And how long did it take?", running.conversation)
    assert desk.generator.prompts[-1] == desk.generator.prompts[-2]
    assert len(desk.generator.prompts[-1]) == 4


@pytest.mark.parametrize(
    "text", ["", "  ", "Thanks!", "Summarise all documents", "How many files?"]
)
def test_what_needs_no_passages_is_not_prepared(desk: Desk, text: str) -> None:
    desk.answering.prepare(text)
    desk.answering.close()
    assert reader(desk).reads == []
    assert desk.events == []


def test_a_missing_model_is_no_reason_to_complain_while_typing(desk: Desk) -> None:
    desk.generator.failure = ModelMissing("Install one.")
    desk.answering.prepare(QUESTION)
    answer = desk.ask(QUESTION)
    assert "Install one." in answer.note
    assert desk.of(AnswerDelta)
