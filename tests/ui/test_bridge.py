from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.events import (
    AnswerDelta,
    AnswerProgress,
    IndexingProgress,
    LibraryChanged,
    SourcesFound,
)
from desktop_rag.services.bus import Bus
from desktop_rag.ui.bridge import Bridge


@pytest.fixture
def bus() -> Bus:
    return Bus()


@pytest.fixture
def bridge(bus: Bus, qtbot: QtBot) -> Iterator[Bridge]:
    made = Bridge()
    made.connect_to(bus)
    yield made
    made.close()


def test_a_flood_of_words_becomes_a_few_signals_and_loses_none(
    bus: Bus, bridge: Bridge, qtbot: QtBot
) -> None:
    heard: list[str] = []
    bridge.delta.connect(lambda event: heard.append(event.text))

    def speak() -> None:
        for number in range(2000):
            bus.publish(AnswerDelta(1, f"{number} "))

    thread = threading.Thread(target=speak)
    thread.start()
    thread.join()
    expected = "".join(f"{number} " for number in range(2000))
    qtbot.waitUntil(lambda: "".join(heard) == expected)
    assert len(heard) < 100


def test_answers_are_not_mixed_and_order_is_kept(bus: Bus, bridge: Bridge, qtbot: QtBot) -> None:
    heard: list[tuple[str, int, str]] = []
    bridge.sources_found.connect(lambda event: heard.append(("sources", event.request, "")))
    bridge.delta.connect(lambda event: heard.append(("delta", event.request, event.text)))
    bus.publish(SourcesFound(1, ()))
    for text in ("a", "b"):
        bus.publish(AnswerDelta(1, text))
        bus.publish(AnswerDelta(2, text.upper()))
    qtbot.waitUntil(lambda: len(heard) == 3)
    assert heard == [("sources", 1, ""), ("delta", 1, "ab"), ("delta", 2, "AB")]


def test_progress_keeps_its_last_value(bus: Bus, bridge: Bridge, qtbot: QtBot) -> None:
    heard: list[IndexingProgress] = []
    bridge.progress.connect(heard.append)
    for done in range(50):
        bus.publish(IndexingProgress(done, 50, 0, "a.pdf"))
    qtbot.waitUntil(lambda: bool(heard) and heard[-1].done == 49)
    assert len(heard) <= 2


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([(1,), (2,), (1,)], (1, 2)),
        ([(1,), ()], ()),
    ],
)
def test_changes_are_merged_and_many_stays_many(
    bus: Bus,
    bridge: Bridge,
    qtbot: QtBot,
    changes: list[tuple[int, ...]],
    expected: tuple[int, ...],
) -> None:
    heard: list[LibraryChanged] = []
    bridge.library_changed.connect(heard.append)
    for documents in changes:
        bus.publish(LibraryChanged(tuple(DocumentId(one) for one in documents)))
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [LibraryChanged(tuple(DocumentId(one) for one in expected))]


def test_a_closed_bridge_is_silent(bus: Bus, qtbot: QtBot) -> None:
    bridge = Bridge()
    bridge.connect_to(bus)
    heard: list[object] = []
    bridge.delta.connect(heard.append)
    bus.publish(AnswerDelta(1, "late"))
    bridge.close()
    bus.publish(AnswerDelta(1, "later"))
    qtbot.wait(80)
    assert heard == []


def test_progress_of_each_answer_keeps_its_last_value(
    bus: Bus, bridge: Bridge, qtbot: QtBot
) -> None:
    heard: list[AnswerProgress] = []
    bridge.answer_progress.connect(heard.append)
    for done in range(5):
        for request in (1, 2):
            bus.publish(AnswerProgress(request, done, 5, f"Part {done + 1} of 5"))
    qtbot.waitUntil(lambda: len(heard) >= 2 and heard[-1].done == 4)
    assert {one.request for one in heard[-2:]} == {1, 2}
    assert len(heard) <= 4
