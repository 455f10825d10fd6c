"""A chat over real documents with the real search model: what an earlier turn found stays there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.app import App, Engines
from desktop_rag.domain.answers import Answer, ConversationId
from desktop_rag.domain.errors import ModelMissing
from desktop_rag.domain.events import Event, ExtractFound
from desktop_rag.workers.remote import LlmChoice, start_engines
from tests.helpers.fakes import FakeGenerator

_TIMEOUT_S = 120.0
_HANDBOOK = """# Employee handbook

## Vacation

Employees get 28 days of paid vacation a year. Part-time employees get vacation in proportion.
Up to five days carry over into the next year.

## Remote work

Employees may work from home three days a week after their trial period.
"""
_LEASE = """# Lease of Maple Street 14

The rent is 890 EUR a month. The notice period is three months. The deposit is 1,780 EUR.
"""


def _no_model() -> LlmChoice:
    raise ModelMissing("There is none in this test.")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    folder = tmp_path
    documents = folder / "documents"
    documents.mkdir()
    (documents / "handbook.md").write_text(_HANDBOOK, encoding="utf-8")
    (documents / "lease.md").write_text(_LEASE, encoding="utf-8")
    embedder = paths.shipped("models", "all-minilm-l6-v2-int8")
    pool = start_engines(paths.DataDir(folder / "data"), embedder, _no_model, threads=1)
    engines = Engines(pool.reader, pool.index, FakeGenerator(), pool.close)
    with App.open(folder / "data", engines) as opened:
        opened.add([documents])
        opened.start_indexing()
        assert opened.wait_until_indexed(_TIMEOUT_S)
        yield opened


@pytest.fixture
def chat(app: App) -> ConversationId:
    """One in which the handbook was asked about."""
    running = app.ask("How many days of paid vacation do employees get?")
    answer = running.result(_TIMEOUT_S)
    assert {Path(one.path).name for one in answer.citations} == {"handbook.md"}
    return running.conversation


def ask(app: App, question: str, chat: ConversationId) -> Answer:
    return app.ask(question, chat).result(_TIMEOUT_S)


def test_off_topic_is_refused_without_a_source_and_follow_ups_stay_with_their_topic(
    app: App, chat: ConversationId
) -> None:
    shown: list[Event] = []
    app.bus.subscribe(lambda event: shown.append(event))
    for question in (
        "Who won the world chess championship in 1972?",
        "And who won the world chess championship?",
        "What about quantum entanglement of photons?",
        "How do volcanoes erupt?",
    ):
        answer = ask(app, question, chat)
        assert not answer.found, question
        assert answer.citations == ()
        assert answer.extract is None
    assert not any(isinstance(event, ExtractFound) for event in shown)
    assert ask(app, "How many days of paid vacation do employees get?", chat).found
    follow_up = ask(app, "And for part-time employees?", chat)
    assert follow_up.found
    assert follow_up.understood.rewritten
    assert {Path(one.path).name for one in follow_up.citations} == {"handbook.md"}
    other = ask(app, "What is the notice period of the lease in Maple Street?", chat)
    assert {Path(one.path).name for one in other.citations} == {"lease.md"}
    assert other.understood.rewritten == ""
