"""Measuring on a person's own questions, and the figures of the page Quality."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.answers import Answer, MessageId, Role
from desktop_rag.domain.errors import Cancelled, InvalidInput, NotFound, NothingIndexed
from desktop_rag.domain.feedback import Reason
from desktop_rag.services.quality import Origin
from desktop_rag.storage.database import Database
from desktop_rag.storage.evaluations import Evaluations
from tests.helpers.fakes import fake_engines

TIMEOUT_S = 10.0
_TEXTS = {
    "kiln.txt": "The kiln reaches twelve hundred degrees when both dampers are closed at noon.",
    "ferry.txt": "The ferry to Lindholm leaves the northern harbour at quarter past five daily.",
    "roses.txt": "Climbing roses along southern walls want generous watering before hot weekends.",
}


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[App]:
    with App.open(tmp_path / "data", fake_engines()) as opened:
        yield opened


@pytest.fixture
def app(empty: App, tmp_path: Path) -> App:
    for name, text in _TEXTS.items():
        (tmp_path / name).write_text(text)
    empty.add([tmp_path / name for name in _TEXTS])
    empty.start_indexing()
    assert empty.wait_until_indexed(TIMEOUT_S)
    return empty


def _rate(app: App, question: str, *, is_good: bool) -> Answer:
    handle = app.ask(question)
    answer = handle.result(TIMEOUT_S)
    told = app.messages(handle.conversation)
    message = next(one.id for one in told if one.role is Role.ASSISTANT)
    app.feedback.rate(MessageId(message), is_good=is_good, reason=Reason.WRONG)
    return answer


def _until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_an_empty_library_has_empty_figures(empty: App) -> None:
    figures = empty.quality.figures()
    assert (figures.searches.count, figures.first_word.count, figures.days) == (0, 0, ())
    assert (figures.good, figures.bad, figures.runs) == (0, 0, ())
    assert figures.is_log_on
    with pytest.raises(NothingIndexed):
        empty.quality.measure()


def test_questions_made_from_the_documents_are_asked_and_the_run_is_kept(app: App) -> None:
    told: list[tuple[int, int]] = []
    run = app.quality.measure(count=3, tell=lambda done, total: told.append((done, total)))
    assert run.name == Origin.DOCUMENTS.value
    assert run.figures["questions"] == 3
    assert run.figures["five"] == 1.0, "three files: the right one is among five"
    assert 0 < run.figures["search_p50_ms"] <= run.figures["search_p95_ms"]
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert app.quality.figures().runs == (run,)
    app.quality.forget_runs()
    assert app.quality.figures().runs == ()


def test_a_run_that_is_stopped_leaves_nothing(app: App) -> None:
    asked = iter([False, True])
    with pytest.raises(Cancelled):
        app.quality.measure(is_cancelled=lambda: next(asked))
    assert app.quality.figures().runs == ()


def test_measuring_does_not_count_as_searching(app: App) -> None:
    app.quality.measure(count=3)
    app.search("ferry")
    _until(lambda: bool(app.quality.figures().searches.count))
    assert app.quality.figures().searches.count == 1


def test_the_persons_own_questions_are_asked_again(app: App) -> None:
    with pytest.raises(InvalidInput, match="thumbs up"):
        app.quality.measure(Origin.GOOD_ANSWERS)
    answer = _rate(app, "When does the ferry to Lindholm leave?", is_good=True)
    assert answer.citations
    _rate(app, "What do climbing roses want?", is_good=False)
    run = app.quality.measure(Origin.GOOD_ANSWERS)
    assert run.figures["questions"] == 1, "only those that were good"
    assert run.figures["first"] == 1.0


def test_good_questions_about_files_that_are_gone_are_left_out(app: App, tmp_path: Path) -> None:
    _rate(app, "When does the ferry to Lindholm leave?", is_good=True)
    app.remove([tmp_path / "ferry.txt"])
    with pytest.raises(InvalidInput):
        app.quality.measure(Origin.GOOD_ANSWERS)


def test_a_file_of_questions_can_be_asked(app: App, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    lines = [
        {"question": "When does the ferry leave?", "file": "ferry.txt"},
        {"question": "How hot is the kiln?", "file": "kiln.txt"},
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    run = app.quality.measure(Origin.FILE, file=path)
    assert (run.name, run.figures["questions"]) == ("questions.jsonl", 2)
    with pytest.raises(NotFound):
        app.quality.measure(Origin.FILE, file=tmp_path / "missing.jsonl")


def test_feedback_is_counted_with_its_reasons(app: App) -> None:
    _rate(app, "When does the ferry to Lindholm leave?", is_good=True)
    _rate(app, "What do climbing roses want?", is_good=False)
    figures = app.quality.figures()
    assert (figures.good, figures.bad) == (1, 1)
    assert figures.reasons == ((Reason.WRONG.value, 1),)


def test_the_first_word_is_known_from_the_chats(app: App) -> None:
    app.ask("When does the ferry to Lindholm leave?").result(TIMEOUT_S)
    first = app.quality.figures().first_word
    assert first.count == 1
    assert first.p50_ms > 0


def test_a_log_that_is_off_is_said_to_be(app: App) -> None:
    app.change_setting("query_log", "off")
    assert not app.quality.figures().is_log_on


def test_old_runs_make_room_and_damaged_ones_are_passed_over(tmp_path: Path) -> None:
    database = Database(tmp_path / "library.sqlite3")
    runs = Evaluations(database, kept=2)
    for number in range(3):
        runs.add("documents", {"five": number / 10})
    assert [one.figures["five"] for one in runs.all()] == [0.1, 0.2]
    with database.write() as db:
        db.execute("UPDATE evaluations SET figures = 'nonsense' WHERE id = 3")
    assert len(runs.all()) == 1
    database.close()
