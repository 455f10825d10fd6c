"""Python's search for garbage waits for the window."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QObject, QSize
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.domain.answers import Conversation, ConversationId
from desktop_rag.ui import smoothness
from desktop_rag.ui.chat.answer_footer import AnswerFooter
from desktop_rag.ui.chat.rating_form import RatingForm
from desktop_rag.ui.chat.verdict import Verdict
from desktop_rag.ui.chat_row_delegate import ChatRowDelegate
from desktop_rag.ui.history.chat_list import ChatList
from desktop_rag.ui.models.conversations import ConversationModel
from desktop_rag.ui.smoothness import Sweeper, give_turns_back, take_short_turns
from desktop_rag.ui.theme import Theme


@pytest.fixture
def is_swept_by_hand() -> Iterator[None]:
    take_short_turns()
    yield
    give_turns_back()
    assert gc.isenabled()


class _Knot:
    """Garbage that only a search finds."""

    alive = 0

    def __init__(self) -> None:
        self.me = self
        _Knot.alive += 1

    def __del__(self) -> None:
        _Knot.alive -= 1


@pytest.mark.usefixtures("is_swept_by_hand", "qtbot")
def test_garbage_is_found_between_events_once_there_is_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parent = QObject()
    sweeper = Sweeper(parent)
    gc.collect()
    _Knot.alive = 0
    _Knot()
    sweeper.sweep()
    assert _Knot.alive == 1, "little is new: not worth a search"
    monkeypatch.setattr(smoothness, "_MANY_NEW", 0)
    sweeper.sweep()
    assert _Knot.alive == 0


@pytest.mark.usefixtures("is_swept_by_hand", "qtbot")
def test_what_grew_old_is_found_after_many_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    parent = QObject()
    sweeper = Sweeper(parent)
    monkeypatch.setattr(smoothness, "_MANY_NEW", 0)
    _Knot.alive = 0
    old = _Knot()
    gc.collect()
    del old
    for _ in range(3):
        sweeper.sweep()
    assert _Knot.alive == 1
    monkeypatch.setattr(smoothness, "_ROUNDS", 2)
    sweeper.sweep()
    assert _Knot.alive == 0


def test_the_form_of_a_verdict_is_made_for_who_wants_it(qtbot: QtBot, theme: Theme) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    verdict = Verdict(theme, None, holder)
    footer = AnswerFooter(theme, verdict)
    footer.setParent(holder)
    holder.show()
    assert not footer.findChildren(RatingForm)
    assert not verdict.is_form_open
    footer.show()
    verdict.down.click()
    assert footer.findChildren(RatingForm) == [verdict.form]
    assert verdict.is_form_open


def test_chats_are_laid_out_again_only_when_one_is_higher(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    model = ConversationModel(holder)
    chats = [
        Conversation(ConversationId(n), f"Chat {n}", "2026-01-01T10:00:00+00:00")
        for n in range(200)
    ]
    model.replace(chats)
    asked: set[int] = set()
    size = ChatRowDelegate.sizeHint

    def noted(self: ChatRowDelegate, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        asked.add(index.row())
        return size(self, option, index)

    monkeypatch.setattr(ChatRowDelegate, "sizeHint", noted)
    view = ChatList(theme, model, holder)
    view.resize(200, 200)
    holder.show()

    def is_laid_out(change: Callable[[], None]) -> bool:
        qtbot.wait(30)
        asked.clear()
        change()
        qtbot.wait(30)  # Qt puts it off
        return 150 in asked  # far out of sight

    assert not is_laid_out(lambda: model.show_answering([chats[0].id]))
    assert not is_laid_out(lambda: model.replace([replace(chats[0], title="Other"), *chats[1:]]))
    assert model.chats()[0].title == "Other"
    assert is_laid_out(lambda: model.replace(chats[1:]))
