"""Answers that are given again, and those that must not be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.answers import Answer, ConversationId, Turn
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import NotFound, WorkerCrashed
from desktop_rag.domain.scope import Scope
from desktop_rag.services.answer_cache import AnswerCache
from desktop_rag.services.revising import Revising
from desktop_rag.services.running import RunningAnswer
from desktop_rag.storage.database import Database
from desktop_rag.storage.kept_answers import MOST, KeptAnswer, KeptAnswers
from desktop_rag.storage.library_state import LibraryState
from tests.helpers.fakes import FakeGenerator, fake_engines
from tests.services.test_answering import TIMEOUT_S, Desk

QUESTION = "When did the harbour bridge open?"


class Cached(Desk):
    """A desk that keeps answers in `file`."""

    def __init__(self, database: Database, file: Path) -> None:
        self.file, self.settings = file, "balanced"
        self.embed: Callable[[str], bytes] = lambda text: self.index.embed([text])[0].vector
        super().__init__(database)
        self.library_state = LibraryState(database).token
        self.restart()

    def restart(self) -> None:
        self.answering.close()
        self.cache = AnswerCache(
            KeptAnswers(self.file),
            lambda: f"{self.library_state()} {self.settings}",
            lambda text: self.embed(text),
            is_on=True,
        )
        self.answering = self.open(self.catalog, self.cache)

    @property
    def written(self) -> int:
        """How often the model was asked."""
        return len(self.generator.prompts)


@pytest.fixture
def desk(database: Database, tmp_path: Path) -> Iterator[Cached]:
    desk = Cached(database, tmp_path / "answers.kept")
    yield desk
    desk.answering.close()


def test_the_same_question_gets_the_same_answer_without_the_model(desk: Cached) -> None:
    first = desk.ask(QUESTION)
    assert not first.is_cached
    again = desk.ask("when did the harbour bridge open")
    assert again.is_cached
    assert (again.text, again.citations) == (first.text, first.citations)
    assert again.question == "when did the harbour bridge open"
    assert desk.written == 1


def test_it_outlives_the_program_and_is_stored_in_its_chat(desk: Cached) -> None:
    first = desk.ask(QUESTION)
    desk.restart()
    running = desk.answering.ask(QUESTION)
    assert running.result(TIMEOUT_S).is_cached
    stored = desk.conversations.messages(running.conversation)[-1]
    assert stored.answer is not None
    assert stored.answer.is_cached
    assert stored.text == first.text


@pytest.mark.parametrize(
    "other",
    [
        "When did the harbour bridge not open?",
        "Why did the harbour bridge open?",
        "When did the harbour bridge open in 1932?",
        "When did the bridge open?",
    ],
)
def test_another_question_is_another_answer(desk: Cached, other: str) -> None:
    desk.ask(QUESTION)
    assert not desk.ask(other).is_cached


def test_another_scope_is_another_answer(desk: Cached) -> None:
    desk.ask(QUESTION)
    narrowed = desk.answering.ask(QUESTION, scope=Scope(types=("pdf",)))
    assert not narrowed.result(TIMEOUT_S).is_cached


def test_questions_that_mean_something_else_to_the_embedder_are_not_the_same(
    desk: Cached,
) -> None:
    desk.ask(QUESTION)
    assert desk.ask(QUESTION).is_cached, "and its vector is known"
    other = desk.embed("an oil crisis")
    desk.embed = lambda _: other
    assert not desk.ask("When did the harbour bridge open").is_cached
    assert desk.ask(QUESTION).is_cached, "word for word needs no embedder"


@pytest.mark.parametrize("change", ["file left", "settings"])
def test_what_has_changed_since_is_answered_anew(desk: Cached, change: str) -> None:
    desk.ask(QUESTION)
    if change == "file left":
        desk.catalog.remove([DocumentId(2)])
    else:
        desk.settings = "thorough"
    assert not desk.ask(QUESTION).is_cached
    assert desk.written == 2


def half_answered(desk: Cached) -> tuple[RunningAnswer, threading.Event]:
    """An answer that is being written, and goes on when the event is set."""
    is_writing, may_end = threading.Event(), threading.Event()

    def answer(turns: Sequence[Turn]) -> str:
        is_writing.set()
        may_end.wait(TIMEOUT_S)
        return "The harbour bridge opened in 1932 [1]."

    desk.generator.answer = answer
    running = desk.answering.ask(QUESTION)
    assert is_writing.wait(TIMEOUT_S)
    return running, may_end


def test_a_change_while_it_is_written_is_noticed(desk: Cached) -> None:
    running, may_end = half_answered(desk)
    desk.catalog.remove([DocumentId(2)])
    may_end.set()
    assert running.result(TIMEOUT_S).found
    assert not desk.ask(QUESTION).is_cached


def test_a_fresh_answer_is_written_and_takes_the_old_one_back(desk: Cached) -> None:
    desk.ask(QUESTION)
    fresh = desk.answering.ask(QUESTION, is_fresh=True)
    assert not fresh.result(TIMEOUT_S).is_cached
    assert not desk.ask(QUESTION).is_cached, "what did not please is not given again"
    assert desk.written == 3


def test_an_answer_that_was_asked_for_in_other_words_is_not_the_old_one(desk: Cached) -> None:
    running = desk.answering.ask(QUESTION)
    running.result(TIMEOUT_S)
    assert desk.ask(QUESTION).is_cached
    again = Revising(desk.answering, desk.conversations).regenerate(running.conversation)
    assert not again.result(TIMEOUT_S).is_cached
    assert not desk.ask(QUESTION).is_cached


def test_half_an_answer_is_not_kept(desk: Cached) -> None:
    desk.generator.answer = "The harbour bridge opened in 1932 [1]. And then it did."
    desk.generator.crash_after = 8
    assert desk.ask(QUESTION).stopped
    desk.generator.crash_after = 0
    with pytest.raises(WorkerCrashed):
        desk.ask(QUESTION)
    desk.generator.crash_after = None
    assert not desk.ask(QUESTION).is_cached
    assert desk.ask(QUESTION).is_cached


def test_a_follow_up_is_another_question_in_another_context(desk: Cached) -> None:
    running = desk.answering.ask(QUESTION)
    running.result(TIMEOUT_S)
    assert not desk.ask("And how long did it take?", running.conversation).is_cached
    assert not desk.ask("And how long did it take?").is_cached


def test_a_deleted_chat_leaves_nothing_behind(desk: Cached) -> None:
    running = desk.answering.ask(QUESTION)
    running.result(TIMEOUT_S)
    desk.restart()
    assert desk.file.exists()
    desk.cache.forget(running.conversation)
    assert not desk.file.exists()
    assert not desk.ask(QUESTION).is_cached


def test_a_chat_that_is_deleted_while_it_is_answered_leaves_nothing_behind(desk: Cached) -> None:
    running, may_end = half_answered(desk)
    desk.cache.forget(running.conversation)
    desk.conversations.delete(running.conversation)
    may_end.set()
    with pytest.raises(NotFound):
        running.result(TIMEOUT_S)
    assert not desk.ask(QUESTION).is_cached


def test_switched_off_nothing_is_kept_and_what_was_is_deleted(desk: Cached) -> None:
    desk.ask(QUESTION)
    desk.cache.switch(is_on=False)
    assert not desk.file.exists()
    assert not desk.ask(QUESTION).is_cached
    desk.answering.close()
    assert not desk.file.exists()


def test_without_an_embedder_the_answer_is_written(desk: Cached) -> None:
    desk.ask(QUESTION)
    assert desk.ask(QUESTION).is_cached

    def fail(_: str) -> bytes:
        raise WorkerCrashed("The search index crashed.")

    desk.embed = fail
    assert desk.ask("When did the harbour bridge open").found
    assert desk.written == 2


def kept(number: int, answer: Answer) -> KeptAnswer:
    return KeptAnswer((str(number),), "basis", "", b"", ConversationId(number), answer)


def test_what_is_kept_is_bounded(desk: Cached) -> None:
    answer = desk.ask(QUESTION)
    store = KeptAnswers(desk.file.with_name("other"))
    for number in range(MOST + 5):
        store.add(kept(number, answer))
    assert len(store.all()) == MOST
    assert store.all()[0].key == (str(MOST + 4),)


@pytest.mark.parametrize("contents", [b"", b"nonsense", b"\x93\x01\x02\x03"])
def test_a_damaged_file_is_no_answer(tmp_path: Path, contents: bytes) -> None:
    file = tmp_path / "answers.kept"
    file.write_bytes(contents)
    assert KeptAnswers(file).all() == []
    KeptAnswers(file).clear()
    assert not file.exists()


def test_the_program_keeps_answers_unless_it_is_told_not_to(tmp_path: Path) -> None:
    (tmp_path / "bridge.txt").write_text("The harbour bridge opened in 1932.")
    generator = FakeGenerator()
    with App.open(tmp_path / "data", fake_engines(generator=generator)) as app:
        app.add([tmp_path / "bridge.txt"])
        app.start_indexing()
        assert app.wait_until_indexed(TIMEOUT_S)
        assert not app.ask(QUESTION).result(TIMEOUT_S).is_cached
        again = app.ask(QUESTION)
        assert again.result(TIMEOUT_S).is_cached
        assert not app.ask(QUESTION, is_fresh=True).result(TIMEOUT_S).is_cached
        assert not app.ask(QUESTION).result(TIMEOUT_S).is_cached
        assert app.ask(QUESTION).result(TIMEOUT_S).is_cached
        app.remove([tmp_path / "bridge.txt"])
        assert not (tmp_path / "data" / "answers.kept").exists(), "it quotes what is gone"
        app.add([tmp_path / "bridge.txt"])
        assert app.wait_until_indexed(TIMEOUT_S)
        app.change_setting("answer_cache", "off")
        assert not app.ask(QUESTION).result(TIMEOUT_S).is_cached
        assert not (tmp_path / "data" / "answers.kept").exists()
