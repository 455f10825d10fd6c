from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from desktop_rag.domain.answers import (
    Answer,
    Confidence,
    ConversationId,
    Passage,
    Ranking,
    Role,
    Turn,
)
from desktop_rag.domain.budget import Effort
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import (
    DesktopRagError,
    InvalidInput,
    ModelMissing,
    NotEnoughMemory,
    NotFound,
    NothingIndexed,
    RoleUnavailable,
    WorkerCrashed,
)
from desktop_rag.domain.events import (
    AnswerCompleted,
    AnswerDelta,
    AnswerFailed,
    Event,
    ExtractFound,
    SourcesFound,
)
from desktop_rag.domain.ports import GeneratorInfo
from desktop_rag.domain.tuning import Tuning
from desktop_rag.services.answer_cache import AnswerCache
from desktop_rag.services.answering import Answering
from desktop_rag.services.bus import Bus
from desktop_rag.services.counting import Counting
from desktop_rag.services.direct_answers import DirectAnswers
from desktop_rag.services.finishing import NOT_FOUND
from desktop_rag.services.retrieval import Retrieval
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database
from desktop_rag.storage.holdings import Holdings
from tests.helpers.fakes import FakeGenerator, FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

BRIDGE = "The harbour bridge opened in 1932. It took eight years to build."
CRISIS = "The oil crisis began in October 1973 with an embargo of OPEC."
WORDS = ("stone ", "iron ", "wood ", "rope ", "brick ")
TIMEOUT_S = 20.0


class Desk:
    """An answerer over a small library, with everything in reach."""

    def __init__(self, database: Database, texts: Sequence[str] = ()) -> None:
        self.effort = Effort.BALANCED
        self.library_state: Callable[[], str] = str
        self.index, self.generator, self.bus = FakeIndex(), FakeGenerator(), Bus()
        self.collections, self.holdings = Collections(database), Holdings(database)
        self.judged: list[str] = []
        self.verdict = Confidence.HIGH
        self.events: list[Event] = []
        self.bus.subscribe(self.events.append)
        self.catalog = fill_library(
            database,
            self.index,
            [read_document(text, title=f"Bridge {n}") for n, text in enumerate(texts)]
            or [
                read_document(BRIDGE, title="Bridges", paged=True),
                read_document(CRISIS, title="Oil"),
            ],
        )
        self.conversations = Conversations(database)
        self.answering = self.open(self.catalog)

    def open(self, catalog: Catalog, cache: AnswerCache | None = None) -> Answering:
        retrieval = Retrieval(self.index, catalog, self.collections)
        return Answering(
            retrieval,
            self.generator,
            catalog,
            self.conversations,
            self.bus,
            self._judge,
            effort=lambda: self.effort,
            library_state=lambda: self.library_state(),
            cache=cache,
            direct=DirectAnswers(Counting(catalog, self.holdings, self.bus), self.holdings),
        )

    def open_with(self, generator: FakeGenerator) -> None:
        self.answering.close()
        self.generator = generator
        self.answering = self.open(self.catalog)

    def _judge(self, question: str, passages: Sequence[Passage]) -> Confidence:
        self.judged.append(question)
        return self.verdict

    def ask(self, question: str, conversation: ConversationId | None = None) -> Answer:
        return self.answering.ask(question, conversation).result(TIMEOUT_S)

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    def hold(self) -> threading.Event:
        """The answerer waits at its next words until this is set, however quick the machine."""
        may_go_on = threading.Event()

        def wait(event: Event) -> None:
            if isinstance(event, AnswerDelta):
                may_go_on.wait(TIMEOUT_S)

        self.bus.subscribe(wait)
        return may_go_on

    def wait_for(self, kind: type[Event]) -> None:
        deadline = time.monotonic() + TIMEOUT_S
        while not self.of(kind):
            assert time.monotonic() < deadline, f"no {kind.__name__}"
            time.sleep(0.005)


@pytest.fixture
def desk(database: Database) -> Iterator[Desk]:
    desk = Desk(database)
    yield desk
    desk.answering.close()


def test_an_answer_cites_file_page_and_line(desk: Desk) -> None:
    answer = desk.ask("When did the harbour bridge open?")
    (citation,) = answer.citations
    assert answer.found
    assert answer.model == "fake-llm"
    assert "1932 [1]." in answer.text
    assert (citation.path, citation.page, citation.page_label) == ("/documents/1.pdf", 1, "i")
    assert citation.quote == "The harbour bridge opened in 1932."
    assert citation.boxes
    assert answer.confidence is Confidence.HIGH


def test_extract_and_sources_come_before_the_first_word_and_the_answer_last(desk: Desk) -> None:
    desk.ask("When did the harbour bridge open?")
    kinds = [type(event) for event in desk.events]
    assert kinds[:2] == [ExtractFound, SourcesFound]
    assert set(kinds[2:-1]) == {AnswerDelta}
    assert kinds[-1] is AnswerCompleted


def test_question_and_answer_are_stored_with_their_citations(desk: Desk) -> None:
    running = desk.answering.ask("When did the harbour bridge open?")
    answer = running.result(TIMEOUT_S)
    question, stored = desk.conversations.messages(running.conversation)
    assert (question.role, question.text) == (Role.USER, "When did the harbour bridge open?")
    assert stored.answer == answer
    assert desk.conversations.all()[0].title == "When did the harbour bridge open?"


def test_timings_cover_the_whole_way(desk: Desk) -> None:
    timings = desk.ask("When did the harbour bridge open?").figures.timings_ms
    stages = {
        "index",
        "resolve",
        "select",
        "load_model",
        "first_token",
        "generate",
        "cite",
        "total",
    }
    assert stages <= timings.keys()
    assert timings["total"] >= timings["index"]


def test_not_found_is_said_plainly_without_the_model(desk: Desk) -> None:
    desk.verdict = Confidence.NONE
    answer = desk.ask("Who won the chess championship?")
    assert (answer.found, answer.confidence) == (False, Confidence.NONE)
    assert answer.text == NOT_FOUND
    assert answer.citations == ()
    assert set(answer.nearest) == {"Bridges", "Oil"}
    assert desk.generator.prompts == []
    assert desk.of(ExtractFound) == [], "what does not answer is not quoted as if it did"


def test_the_best_sentence_is_quoted_before_the_model_is_asked(desk: Desk) -> None:
    running = desk.answering.ask("When did the harbour bridge open?")
    answer = running.result(TIMEOUT_S)
    (found,) = desk.of(ExtractFound)
    assert isinstance(found, ExtractFound)
    assert found.citation.quote == "The harbour bridge opened in 1932."
    assert found.citation.page == 1
    assert answer.extract == found.citation
    assert desk.conversations.messages(running.conversation)[-1].answer == answer


def test_a_model_that_finds_nothing_is_believed(desk: Desk) -> None:
    desk.generator.answer = "Not in the passages."
    answer = desk.ask("When did the harbour bridge close?")
    assert not answer.found
    assert answer.citations == ()
    assert answer.nearest


def test_a_model_sure_that_the_passages_do_not_state_it_writes_nothing(desk: Desk) -> None:
    desk.generator.weights = {"Yes": -9.0, "No": -0.1}
    answer = desk.ask("When did the harbour bridge close?")
    assert (answer.found, answer.confidence) == (False, Confidence.NONE)
    assert answer.citations == ()
    assert answer.nearest
    assert desk.generator.prompts == [], "nothing was written"
    (asked,) = desk.generator.weighed
    assert asked[-1].content.endswith("Yes or No.")
    assert "When did the harbour bridge close?" in asked[-1].content


@pytest.mark.parametrize(("effort", "read"), [(Effort.BALANCED, 1), (Effort.THOROUGH, 2)])
def test_a_fact_is_written_from_one_passage_unless_all_are_to_be_read(
    database: Database, effort: Effort, read: int
) -> None:
    desk = Desk(database, [BRIDGE, "The harbour bridge was painted in 1950."])
    desk.effort = effort
    try:
        answer = desk.ask("When did the harbour bridge open?")
    finally:
        desk.answering.close()
    assert ("[2]" in desk.generator.prompts[0][-1].content) == (read == 2)
    assert answer.figures.passages == read


def test_sources_stand_in_the_order_that_the_answer_will_number_them_in(
    database: Database,
) -> None:
    class Convinced(FakeGenerator):
        def weigh(
            self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: Callable[[], bool]
        ) -> Iterator[tuple[float, ...]]:
            yield (-0.1, -3.0) if "opened" in turns[-1].content else (-2.0, -1.5)

    desk = Desk(database, [BRIDGE, "The harbour bridge was painted in 1950."])
    desk.open_with(Convinced())
    try:
        answer = desk.ask("When did the harbour bridge open?")
    finally:
        desk.answering.close()
    first, last = (one.passages for one in desk.events if isinstance(one, SourcesFound))
    assert "opened" in first[1].text
    assert last == (first[1], first[0])
    assert "[1] Bridge 0" in desk.generator.prompts[0][-1].content
    assert answer.figures.passages == 2


def test_talk_in_the_middle_of_a_chat_is_no_follow_up(desk: Desk) -> None:
    chat = desk.answering.ask("When did the harbour bridge open?")
    chat.result(TIMEOUT_S)
    talk = desk.ask("Who are you?", chat.conversation)
    assert (talk.kind, talk.citations, talk.understood.rewritten) == ("chat", (), "")
    counted = desk.ask("And how many files mention it?", chat.conversation)
    assert counted.text.startswith("1 of your 2 files mentions “harbour bridge”")


class ConvincedBy(FakeGenerator):
    """Says yes only where a prompt holds `word`."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word

    def weigh(
        self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[float, ...]]:
        yield (-0.1, -9.0) if self.word in turns[-1].content else (-3.0, -1.5)


def test_a_follow_up_begins_with_the_passage_that_was_read_last(database: Database) -> None:
    desk = Desk(database, [BRIDGE, "The harbour bridge was painted in 1950."])
    first = desk.answering.ask("When did the harbour bridge open?")
    first.result(TIMEOUT_S)
    (ranked,) = desk.of(SourcesFound)
    assert isinstance(ranked, SourcesFound)
    second = ranked.passages[1].text  # what search does not put first
    desk.open_with(ConvincedBy(second))
    try:
        chat = desk.answering.ask("When did the harbour bridge open?", is_fresh=True)
        chat.result(TIMEOUT_S)
        desk.effort = Effort.THOROUGH
        desk.ask("And why did it open?", chat.conversation)
    finally:
        desk.answering.close()
    assert second in desk.generator.prompts[0][-1].content
    told = "\n".join(turn.content for turn in desk.generator.prompts[-1])
    assert second in told.partition("[2]")[0]


def test_a_model_in_doubt_lowers_the_confidence(desk: Desk) -> None:
    desk.generator.weights = {"Yes": -1.0, "No": -2.0}
    answer = desk.ask("When did the harbour bridge open?")
    assert answer.found
    assert answer.confidence is Confidence.MEDIUM


@pytest.mark.parametrize("error", [ModelMissing, NotEnoughMemory, RoleUnavailable])
def test_without_a_model_the_best_sentences_are_quoted(
    desk: Desk, error: type[DesktopRagError]
) -> None:
    desk.generator.failure = error("Install one with `desktop-rag models install`.")
    answer = desk.ask("When did the harbour bridge open?")
    assert answer.text == "The harbour bridge opened in 1932. [1]"
    assert "desktop-rag models install" in answer.note
    assert answer.model == ""
    assert answer.confidence is Confidence.LOW, "nobody checked that it answers"
    assert answer.citations[0].page == 1
    assert desk.of(SourcesFound)


def test_a_follow_up_is_searched_standing_alone_and_as_typed_and_sees_history(desk: Desk) -> None:
    running = desk.answering.ask("When did the harbour bridge open?")
    running.result(TIMEOUT_S)
    answer = desk.ask("And how long did it take to build?", running.conversation)
    rewritten = "How long did the harbour bridge take to build?"
    assert desk.index.questions[-2:] == [rewritten, "And how long did it take to build?"]
    assert desk.judged[-1] == rewritten
    assert answer.question == "And how long did it take to build?"
    assert answer.understood.rewritten == rewritten
    assert answer.understood.sentences()[0] == f"Understood as: {rewritten}"
    roles = [turn.role for turn in desk.generator.prompts[-1]]
    assert roles == [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.USER]
    assert "[1]" not in desk.generator.prompts[-1][2].content


def test_filters_of_an_earlier_question_hold_for_follow_ups_until_the_topic_changes(
    desk: Desk,
) -> None:
    running = desk.answering.ask("When did the harbour bridge open? file:1.pdf")
    running.result(TIMEOUT_S)
    follow_up = desk.ask("And how long did it take?", running.conversation)
    assert follow_up.understood.inherited == "file 1.pdf"
    assert "As before only: file 1.pdf" in follow_up.understood.sentences()
    assert {one.path for one in follow_up.citations} == {"/documents/1.pdf"}
    again = desk.ask("Why?", running.conversation)
    assert again.understood.inherited == "file 1.pdf", "through a follow-up"
    own = desk.ask("And what about it in file:2.pdf?", running.conversation)
    assert own.understood.inherited == ""
    other = desk.ask("When did the oil crisis of OPEC begin?", running.conversation)
    assert other.understood.inherited == ""
    assert other.citations[0].path == "/documents/2.pdf"


def test_a_small_context_leaves_no_room_for_history(desk: Desk) -> None:
    running = desk.answering.ask("When did the harbour bridge open?")
    running.result(TIMEOUT_S)
    desk.generator.shrink_to(700)
    desk.ask("And how long did it take?", running.conversation)
    assert len(desk.generator.prompts[-1]) == 2


def test_a_loaded_model_is_asked_what_an_unclear_follow_up_means(desk: Desk) -> None:
    running = desk.answering.ask("When did OPEC and Sydney open the harbour bridge?")
    running.result(TIMEOUT_S)
    desk.generator.answer = "How long did OPEC take to open the harbour bridge?"
    answer = desk.ask("How long did it take?", running.conversation)
    assert answer.understood.rewritten == "How long did OPEC take to open the harbour bridge?"
    desk.generator.answer = "How long did Napoleon take?"
    answer = desk.ask("How long did it take?", running.conversation)
    assert "Napoleon" not in answer.understood.rewritten


def test_a_new_topic_in_a_conversation_starts_afresh(desk: Desk) -> None:
    running = desk.answering.ask("When did the harbour bridge open?")
    running.result(TIMEOUT_S)
    desk.ask("When did the oil crisis of OPEC begin?", running.conversation)
    assert len(desk.generator.prompts[-1]) == 2


def test_counts_are_exact_and_ask_no_model(desk: Desk) -> None:
    answer = desk.ask("How many documents mention the harbour bridge?")
    assert answer.text.startswith("1 of your 2 files mentions “harbour bridge”:\n- 1.pdf [1]")
    assert (answer.kind, answer.model, answer.found) == ("count", "", True)
    assert answer.citations[0].quote == "The harbour bridge opened in 1932."
    assert desk.generator.prompts == []
    assert desk.judged == []
    (_, stored) = desk.conversations.messages(desk.conversations.all()[0].id)
    assert stored.answer == answer


@pytest.mark.parametrize(
    "question",
    ["List all events of the oil crisis", "How often was the harbour bridge closed?"],
)
def test_what_asks_for_all_is_told_that_only_the_best_passages_were_read(
    desk: Desk, question: str
) -> None:
    assert "Nothing was counted or listed in full" in " ".join(desk.ask(question).understood.notes)
    assert desk.ask("When did the harbour bridge open?").understood.notes == ()


def test_what_cannot_be_counted_is_answered_from_passages_and_says_so(desk: Desk) -> None:
    answer = desk.ask("How many customers are in the harbour?")
    assert answer.kind == "fact"
    assert "Nothing was counted" in " ".join(answer.understood.notes)
    assert answer.citations


def test_what_is_about_other_models_only_is_no_answer(database: Database) -> None:
    desk = Desk(database, ["The HX-250 weighs 112 kg.", "The HX-200 weighs 86 kg."])
    answer = desk.ask("What does the HX-400 weigh?")
    assert (answer.found, answer.text, answer.citations) == (False, NOT_FOUND, ())
    assert answer.note == "What comes closest is about HX-200, HX-250, not about HX-400."
    assert desk.generator.prompts == []
    assert desk.of(ExtractFound) == []
    assert "112 kg" in desk.ask("What does the HX-250 weigh?").citations[0].quote
    desk.answering.close()


@pytest.mark.parametrize(
    "written",
    ["Error E09 on the HX-200 means oil level too low [1].", "E09 means oil level too low [1]."],
)
def test_what_only_another_model_bears_out_is_no_answer(database: Database, written: str) -> None:
    texts = ["HX-250 manual. Error E09: oil level too low.", "The HX-200 weighs 86 kg."]
    desk = Desk(database, texts)
    desk.generator.answer = written
    answer = desk.ask("What does error E09 mean on the HX-200?")
    assert (answer.found, answer.citations) == (False, ())
    assert answer.note == "What comes closest is about HX-250, not about HX-200."
    desk.answering.close()


def test_an_amendment_of_what_is_cited_is_shown_and_lowers_the_confidence(
    database: Database,
) -> None:
    new = "Clause 5 is replaced: The notice period is nine months."
    desk = Desk(database, ["The notice period is six months.", new])
    desk.generator.answer = "The notice period is six months [1]."
    answer = desk.ask("What is the notice period?")
    assert "six months" in answer.citations[0].quote
    assert any("may change this" in one and new in one for one in answer.conflicts)
    assert answer.confidence is Confidence.LOW
    desk.answering.close()


def test_what_stands_under_a_heading_that_withdraws_it_is_told(
    desk: Desk, database: Database
) -> None:
    assert desk.ask("When did the harbour bridge open?").confidence is not Confidence.LOW
    with database.write() as db:
        db.execute("UPDATE chunks SET section = 'Superseded (do not use)'")
    answer = desk.ask("When did the harbour bridge open?")
    assert answer.conflicts == (
        "Mind the heading above what is quoted: “Superseded (do not use)”.",
    )
    assert answer.confidence is Confidence.LOW


def test_an_answer_tells_how_many_files_it_does_not_know_yet(
    desk: Desk, database: Database
) -> None:
    assert desk.ask("When did the harbour bridge open?").unread == 0
    with database.write() as db:
        db.execute("UPDATE documents SET state = 'queued' WHERE title = 'Oil'")
    assert desk.ask("When did the harbour bridge open?").unread == 1
    assert desk.ask("Who are you?").unread == 0


def test_the_footnote_of_what_is_cited_is_told(database: Database) -> None:
    text = "Adults get 1 g a day.* Give it slowly.\n* Patients with liver disease get half of it."
    desk = Desk(database, [text])
    desk.generator.answer = "Adults get 1 g a day [1]."
    answer = desk.ask("How much do adults get a day?")
    assert answer.conflicts == ("Footnote to [1]: “Patients with liver disease get half of it.”",)
    desk.answering.close()


def test_what_is_out_of_scope_asks_no_model(desk: Desk) -> None:
    answer = desk.ask("Schreibe ein Gedicht über den Herbst.")
    assert answer.text.startswith("Ich beantworte Fragen aus Ihren Dokumenten")
    assert (answer.kind, answer.citations) == ("out_of_scope", ())
    assert desk.generator.prompts == []


def test_small_talk_needs_neither_documents_nor_model(desk: Desk) -> None:
    answer = desk.ask("Thanks!")
    assert answer.text
    assert answer.citations == ()
    assert desk.index.questions == []
    assert desk.generator.prompts == []


def test_an_empty_question_is_refused_and_leaves_no_trace(desk: Desk) -> None:
    with pytest.raises(InvalidInput, match="empty"):
        desk.answering.ask(" \n ")
    assert desk.conversations.all() == []


def test_a_pasted_book_is_cut_with_a_notice(desk: Desk) -> None:
    answer = desk.ask("When did the harbour bridge open? " * 2000)
    assert "very long" in answer.text
    assert answer.citations
    assert len(desk.generator.prompts[0][-1].content) < 6000


def test_stop_while_writing_keeps_what_was_written(desk: Desk) -> None:
    desk.generator.answer = "The harbour bridge opened in 1932 [1]. "
    may_go_on = desk.hold()
    running = desk.answering.ask("When did the harbour bridge open?")
    desk.wait_for(AnswerDelta)
    assert desk.answering.is_busy()
    running.cancel()
    may_go_on.set()
    answer = running.result(TIMEOUT_S)
    assert not desk.answering.is_busy()
    assert answer.stopped
    assert answer.text.startswith("The")
    stored = desk.conversations.messages(running.conversation)[-1]
    assert stored.answer == answer


def test_a_deaf_model_is_left_behind(desk: Desk) -> None:
    desk.generator.is_endless = desk.generator.is_deaf = True
    may_go_on = desk.hold()
    running = desk.answering.ask("When did the harbour bridge open?")
    desk.wait_for(AnswerDelta)
    running.cancel()
    may_go_on.set()
    assert running.result(TIMEOUT_S).stopped


def test_stop_while_waiting_in_the_queue(desk: Desk) -> None:
    may_go_on = desk.hold()
    first = desk.answering.ask("When did the harbour bridge open?")
    second = desk.answering.ask("When did the oil crisis begin?")
    second.cancel()
    first.cancel()
    may_go_on.set()
    assert second.result(TIMEOUT_S).stopped
    assert second.result().text == ""
    assert len(desk.of(AnswerCompleted)) == 2


def test_a_crash_before_the_first_word_fails_clearly_and_the_conversation_goes_on(
    desk: Desk,
) -> None:
    desk.generator.crash_after = 0
    running = desk.answering.ask("When did the harbour bridge open?")
    with pytest.raises(WorkerCrashed):
        running.result(TIMEOUT_S)
    (failed,) = desk.of(AnswerFailed)
    assert isinstance(failed, AnswerFailed)
    assert failed.code == "worker-crashed"
    assert desk.conversations.messages(running.conversation)[-1].role is Role.SYSTEM
    assert desk.conversations.messages(running.conversation)[-1].text == failed.message
    desk.generator.crash_after = None
    assert desk.ask("When did the harbour bridge open?", running.conversation).found


def test_what_was_written_before_a_crash_is_kept_and_marked(desk: Desk) -> None:
    desk.generator.answer = "The harbour bridge opened in 1932 [1]. It took eight years [1]."
    desk.generator.crash_after = 8
    running = desk.answering.ask("When did the harbour bridge open?")
    answer = running.result(TIMEOUT_S)
    assert answer.stopped
    assert "broke off" in answer.note
    assert answer.text.startswith("The harbour bridge opened in 1932 [1]. It")
    assert desk.conversations.messages(running.conversation)[-1].answer == answer
    desk.generator.crash_after = None
    assert not desk.ask("When did the oil crisis begin?", running.conversation).stopped


def test_a_model_that_loops_is_stopped_at_its_last_sentence(desk: Desk) -> None:
    desk.generator.answer = "The harbour bridge opened in 1932 [1]. " * 100
    answer = desk.ask("When did the harbour bridge open?")
    assert len(desk.of(AnswerDelta)) < 40
    assert answer.text == "The harbour bridge opened in 1932 [1]."
    assert "repeat itself" in answer.note
    assert not answer.stopped


def test_a_small_context_holds_passage_question_and_answer(desk: Desk) -> None:
    desk.open_with(FakeGenerator(context_tokens=512))
    answer = desk.ask("When did the harbour bridge open? " + "Please tell me. " * 100)
    assert "1932 [1]." in answer.text
    (turns,) = desk.generator.prompts
    assert sum(desk.generator.count_tokens([turn.content for turn in turns])) < 512 - 128


def test_a_context_too_small_for_any_answer_is_said_and_the_best_sentence_quoted(
    desk: Desk,
) -> None:
    desk.open_with(FakeGenerator(context_tokens=256))
    answer = desk.ask("When did the harbour bridge open?")
    assert answer.text == "The harbour bridge opened in 1932. [1]"
    assert "256 tokens" in answer.note


def test_a_context_that_the_instructions_fill_is_said_and_the_best_sentence_quoted(
    desk: Desk,
) -> None:
    desk.open_with(FakeGenerator(context_tokens=512, tokens_per_word=6))
    answer = desk.ask("When did the harbour bridge open?")
    assert answer.text == "The harbour bridge opened in 1932. [1]"
    assert "512 tokens" in answer.note


def test_stop_works_while_the_model_is_loaded(desk: Desk) -> None:
    is_loading, may_end = threading.Event(), threading.Event()
    info = desk.generator.info()

    def load() -> GeneratorInfo:
        is_loading.set()
        may_end.wait(TIMEOUT_S)
        return info

    desk.generator.info = load  # type: ignore[method-assign]
    running = desk.answering.ask("When did the harbour bridge open?")
    assert is_loading.wait(TIMEOUT_S)
    running.cancel()
    answer = running.result(2.0)
    may_end.set()
    assert (answer.stopped, answer.text) == (True, "")
    assert desk.conversations.messages(running.conversation)[-1].answer == answer


def test_stop_works_while_the_index_is_opened(desk: Desk) -> None:
    is_opening, may_end = threading.Event(), threading.Event()
    search = desk.index.search

    def wait(*arguments: Any) -> Ranking:
        is_opening.set()
        may_end.wait(TIMEOUT_S)
        return search(*arguments)

    desk.index.search = wait  # type: ignore[assignment,method-assign]
    running = desk.answering.ask("When did the harbour bridge open?")
    assert is_opening.wait(TIMEOUT_S)
    running.cancel()
    assert running.result(2.0).stopped
    may_end.set()
    assert desk.ask("When did the harbour bridge open?", running.conversation).found


def test_a_follow_up_lets_the_model_read_only_what_is_new(desk: Desk) -> None:
    running = desk.answering.ask("When did the harbour bridge open?")
    running.result(TIMEOUT_S)
    desk.ask("And how long did it take?", running.conversation)
    first, second = desk.generator.prompts
    assert second[: len(first)] == first


@pytest.mark.parametrize(("effort", "passages"), [(Effort.FAST, 2), (Effort.THOROUGH, 5)])
def test_the_effort_decides_how_much_is_read(
    database: Database, effort: Effort, passages: int
) -> None:
    desk = Desk(database, [f"The harbour bridge {n} {word * 80}" for n, word in enumerate(WORDS)])
    desk.effort = effort
    try:
        desk.ask("harbour bridge")
        (event,) = desk.of(SourcesFound)
        assert isinstance(event, SourcesFound)
        assert len(event.passages) == passages
    finally:
        desk.answering.close()


def test_nothing_indexed_is_an_answer_that_failed(desk: Desk) -> None:
    desk.catalog.remove([DocumentId(1), DocumentId(2)])
    running = desk.answering.ask("When did the harbour bridge open?")
    with pytest.raises(NothingIndexed, match="desktop-rag add"):
        running.result(TIMEOUT_S)
    assert "desktop-rag add" in desk.conversations.messages(running.conversation)[-1].text


def test_a_bug_is_logged_and_told(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    def broken(turns: Sequence[Turn]) -> str:
        raise ZeroDivisionError

    desk.generator.answer = broken
    with pytest.raises(DesktopRagError, match="ask again"):
        desk.ask("When did the harbour bridge open?")
    assert "ZeroDivisionError" in caplog.text
    caplog.clear()


def test_a_deleted_conversation_cannot_be_asked_in(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.answering.ask("When?", ConversationId(99))


def test_a_conversation_deleted_while_answering_ends_quietly(desk: Desk) -> None:
    may_go_on = desk.hold()
    running = desk.answering.ask("When did the harbour bridge open?")
    desk.wait_for(SourcesFound)
    desk.conversations.delete(running.conversation)
    may_go_on.set()
    with pytest.raises(NotFound):
        running.result(TIMEOUT_S)
    assert desk.of(AnswerFailed)


def test_closing_stops_the_answer_and_stores_it(desk: Desk) -> None:
    desk.generator.answer = " ".join(f"Bridge{n}" for n in range(2000))  # no loop to be cut off
    desk.generator.delay_s = 0.02
    running = desk.answering.ask("When did the harbour bridge open?")
    desk.wait_for(AnswerDelta)
    desk.answering.close()
    assert running.result(0).stopped
    assert desk.conversations.messages(running.conversation)[-1].answer is not None
    with pytest.raises(InvalidInput):
        desk.answering.ask("Another one?")


def test_warming_up_reads_the_instructions_and_hurts_nobody(desk: Desk) -> None:
    desk.answering.warm_up()
    desk.answering.close()
    assert desk.generator.prompts[0][0].role is Role.SYSTEM


def test_a_quotation_does_not_wait_for_a_model_that_is_being_loaded(desk: Desk) -> None:
    loaded, info = threading.Event(), desk.generator.info

    def load() -> GeneratorInfo:
        loaded.wait(TIMEOUT_S)
        return info()

    desk.generator.info = load  # type: ignore[method-assign]
    desk.answering.warm_up()
    running = desk.answering.ask("When did the harbour bridge open?")
    desk.wait_for(ExtractFound)
    loaded.set()
    assert running.result(TIMEOUT_S).model == "fake-llm"


def test_warming_up_without_a_model_is_silent(desk: Desk) -> None:
    desk.generator.failure = ModelMissing("No model.")
    desk.answering.warm_up()
    desk.answering.close()
    assert desk.events == []


def test_answers_are_given_one_after_the_other_in_order(desk: Desk) -> None:
    running = [desk.answering.ask("When did the harbour bridge open?") for _ in range(3)]
    for one in running:
        one.result(TIMEOUT_S)
    completed = [e.request for e in desk.of(AnswerCompleted) if isinstance(e, AnswerCompleted)]
    assert completed == [one.request for one in running]
    assert sum(t.name == "answerer" for t in threading.enumerate()) == 1


def test_a_request_for_a_summary_gets_the_whole_document_summarised(desk: Desk) -> None:
    desk.generator.answer = "The bridge opened in 1932."
    answer = desk.ask("Summarise the document Bridges")
    assert answer.kind == "summary"
    assert answer.scope_note == "All of 1.pdf."
    assert answer.text == "- The bridge opened in 1932 [1]."
    assert desk.of(SourcesFound)


def test_the_model_is_tuned_once_when_the_window_opens(desk: Desk) -> None:
    desk.open_with(FakeGenerator(tuned_to=Tuning(2, 2, 256, 80.0, is_measured=True)))
    desk.ask("When did the harbour bridge open?")
    assert desk.generator.tunings == 0, "a command that asks and ends has no time for it"
    desk.answering.warm_up()
    desk.ask("When did the oil crisis begin?")
    desk.answering.close()
    assert desk.generator.tunings == 1


def test_tuning_never_keeps_a_question_waiting(desk: Desk) -> None:
    generator = FakeGenerator(tuned_to=Tuning(2, 2))
    is_tuning = threading.Event()

    def endless(is_cancelled: Callable[[], bool]) -> Iterator[Tuning]:
        generator.tunings += 1
        is_tuning.set()
        while not is_cancelled():
            time.sleep(0.005)
        yield from ()

    generator.tune = endless  # type: ignore[method-assign]
    desk.open_with(generator)
    desk.answering.warm_up()
    assert is_tuning.wait(TIMEOUT_S)
    for _ in range(5):
        assert desk.ask("When did the harbour bridge open?").found
    desk.answering.close()
    assert generator.tunings == 3, "it is tried again, but not for ever"


@pytest.mark.parametrize("gone", [1, 2])
def test_a_file_that_leaves_while_it_is_quoted_does_not_cost_the_answer(
    desk: Desk, gone: int
) -> None:
    is_writing, may_end = threading.Event(), threading.Event()

    def answer(turns: Sequence[Turn]) -> str:
        is_writing.set()
        may_end.wait(TIMEOUT_S)
        return "The harbour bridge opened in 1932 [1]."

    desk.generator.answer = answer
    running = desk.answering.ask("When did the harbour bridge open?")
    assert is_writing.wait(TIMEOUT_S)
    desk.catalog.remove([DocumentId(gone)])
    may_end.set()
    answered = running.result(TIMEOUT_S)
    assert "1932" in answered.text
    assert answered.citations[0].quote == "The harbour bridge opened in 1932."
    assert ("“Bridges” changed or left" in answered.note) == (gone == 1)
