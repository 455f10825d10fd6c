"""The card of a citation: under the mouse, under the keyboard, inside the window."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.domain.citation_state import CitationState
from desktop_rag.ui.chat import citation_preview
from desktop_rag.ui.chat.citation_card import CitationCard, state_words
from desktop_rag.ui.chat.cited_words import cited_spans, sentence_of
from desktop_rag.ui.chat.messages import AnswerMessage
from desktop_rag.ui.main_window import MainWindow
from tests.helpers.fake_app import FakeApp

QUESTION = "How long is the cover?"


@pytest.fixture
def answer(window: MainWindow, qtbot: QtBot) -> AnswerMessage:
    window.session.ask(QUESTION)
    qtbot.waitUntil(lambda: bool(window.chat.messages.answers()))
    qtbot.waitUntil(lambda: not window.session.is_busy)
    made = window.chat.messages.answers()[-1]
    qtbot.waitUntil(lambda: made.text.isVisible() and bool(made.text.chip_rects()))
    return made


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a screen reader is told."""
    said: list[str] = []
    monkeypatch.setattr(citation_preview, "announce", lambda _widget, text: said.append(text))
    return said


def card_of(answer: AnswerMessage) -> CitationCard:
    assert answer.preview.card is not None
    return answer.preview.card


def focus_by_tab(answer: AnswerMessage) -> None:
    answer.text.setFocus(Qt.FocusReason.TabFocusReason)


def move_mouse(answer: AnswerMessage, point: QPointF) -> None:
    viewport = answer.text.viewport()
    place = QPointF(viewport.mapToGlobal(point.toPoint()))
    buttons = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove, point, place, buttons, buttons, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(viewport, event)


def chips(answer: AnswerMessage) -> list[QPointF]:
    return [rect.center() for rect in answer.text.chip_rects().values()]


def test_the_mouse_shows_title_place_and_quote_with_the_cited_words(
    answer: AnswerMessage, qtbot: QtBot
) -> None:
    move_mouse(answer, chips(answer)[0])
    assert answer.preview.card is None  # a mouse on its way elsewhere opens nothing
    qtbot.waitUntil(lambda: answer.preview.card is not None)
    card = card_of(answer)
    assert card.isVisible()
    assert card.title.text() == "Coffee machine guide"
    assert card.place.text() == "p. 2 · Warranty"
    assert "24 months from the date of purchase" in card.quote.text
    marked = [card.quote.text[start:end] for start, end in card.quote.spans]
    assert "24 months from" in marked
    assert not any("warranty" in one for one in marked)
    assert not card.state.isVisible()


def test_the_card_goes_when_the_mouse_goes_but_can_be_pressed(
    window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
) -> None:
    move_mouse(answer, chips(answer)[1])
    qtbot.waitUntil(lambda: answer.preview.card is not None)
    card = card_of(answer)
    move_mouse(answer, QPointF(1, 1))
    qtbot.waitUntil(lambda: not card.isVisible())
    move_mouse(answer, chips(answer)[1])
    qtbot.waitUntil(card.isVisible)
    move_mouse(answer, QPointF(1, 1))
    card.entered.emit()
    qtbot.wait(citation_preview.LEAVE_MS + 60)
    assert card.isVisible()
    with qtbot.waitSignal(answer.opened) as signal:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert signal.args == [app.citations()[1]]
    assert not card.isVisible()


def test_tab_and_arrows_go_from_chip_to_chip_and_out_again(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    focus_by_tab(answer)
    assert card_of(answer).number.text() == "1"
    qtbot.keyClick(answer.text, Qt.Key.Key_Tab)
    assert card_of(answer).number.text() == "2"
    qtbot.keyClick(answer.text, Qt.Key.Key_Right)
    assert card_of(answer).number.text() == "3"
    qtbot.keyClick(answer.text, Qt.Key.Key_Left)
    assert card_of(answer).number.text() == "2"
    qtbot.keyClick(answer.text, Qt.Key.Key_Backtab)
    assert card_of(answer).number.text() == "1"
    assert answer.text.hasFocus()  # the card never has it
    for _ in range(3):
        qtbot.keyClick(answer.text, Qt.Key.Key_Tab)
    assert card_of(answer).number.text() == "4"
    qtbot.keyClick(answer.text, Qt.Key.Key_Tab)
    assert not answer.text.hasFocus()
    assert answer.preview.card is None
    focus = QApplication.focusWidget()
    assert focus is not None
    qtbot.keyClick(focus, Qt.Key.Key_Backtab)
    assert card_of(answer).number.text() == "4"


def test_enter_opens_and_escape_closes_only_the_card(
    window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
) -> None:
    focus_by_tab(answer)
    with qtbot.waitSignal(answer.opened) as signal:
        qtbot.keyClick(answer.text, Qt.Key.Key_Return)
    assert signal.args == [app.citations()[0]]
    qtbot.waitUntil(window.viewer.isVisible)
    focus_by_tab(answer)
    qtbot.keyClick(answer.text, Qt.Key.Key_Down)
    card = card_of(answer)
    qtbot.keyClick(answer.text, Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert window.viewer.isVisible()
    assert answer.text.hasFocus()
    qtbot.keyClick(answer.text, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.viewer.isVisible())


def test_a_screen_reader_is_told_the_source_and_what_became_of_it(
    answer: AnswerMessage, app: FakeApp, qtbot: QtBot, told: list[str]
) -> None:
    app.cited_files.answer = CitationState.GONE
    focus_by_tab(answer)
    assert told[0].startswith("Source 1: Coffee machine guide, p. 2 · Warranty. “The warranty")
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told[1] == "The file is not where it was; the quote was kept."
    assert card_of(answer).accessibleName() == told[0]


@pytest.mark.parametrize("state", [one for one in CitationState if state_words(one)])
def test_the_card_says_what_became_of_the_file(
    answer: AnswerMessage, app: FakeApp, qtbot: QtBot, state: CitationState
) -> None:
    app.cited_files.answer = state
    focus_by_tab(answer)
    card = card_of(answer)
    qtbot.waitUntil(card.state.isVisible)
    assert card.state_text.text() == state_words(state)
    assert card.rect().contains(card.state.geometry())


def test_the_card_lies_inside_the_window_wherever_the_chip_is(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    focus_by_tab(answer)
    card = card_of(answer)
    room = window.rect()
    for x in (0, room.width() - 20):
        for y in (0, room.height() // 2, room.height() - 18):
            chip = QRect(QPoint(x, y), QPoint(x + 18, y + 16))
            card.place_at(chip)
            assert room.contains(card.geometry())
            assert not card.geometry().intersects(chip)


def test_a_card_follows_its_chip_and_leaves_with_it(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    window.resize(window.width(), 520)
    bar = window.chat.messages.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 60)
    focus_by_tab(answer)
    card = card_of(answer)
    before, value = card.y(), bar.value()
    bar.setValue(value - 20 if value >= 20 else value + 20)
    assert card.y() != before or not card.isVisible()


def test_a_card_does_not_outlive_its_chat(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    move_mouse(answer, chips(answer)[0])
    qtbot.waitUntil(lambda: answer.preview.card is not None)
    card = card_of(answer)
    window.new_chat()
    assert not card.isVisible()


def test_tab_goes_to_the_chips_of_a_text_that_was_clicked(
    answer: AnswerMessage, qtbot: QtBot
) -> None:
    qtbot.mouseClick(answer.text.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    answer.text.setFocus(Qt.FocusReason.MouseFocusReason)
    assert answer.preview.card is None
    qtbot.keyClick(answer.text, Qt.Key.Key_Tab)
    assert card_of(answer).number.text() == "1"


def test_without_chips_tab_goes_on(window: MainWindow, answer: AnswerMessage, qtbot: QtBot) -> None:
    answer.text.set_answer("Nothing is cited here.")
    focus_by_tab(answer)
    assert answer.preview.card is None
    accent = window._theme.color("accent")
    picture = answer.text.grab().toImage()
    assert any(picture.pixelColor(picture.width() // 2, y) == accent for y in range(4))
    qtbot.keyClick(answer.text, Qt.Key.Key_Tab)
    assert not answer.text.hasFocus()


class TestCitedWords:
    def test_words_of_the_sentence_are_found_in_the_quote(self) -> None:
        quote = "The warranties last 24 months, as of the purchase."
        spans = cited_spans(quote, "Its warranty covers 24 months.")
        assert [quote[start:end] for start, end in spans] == ["warranties", "24 months"]

    def test_the_sentence_is_the_one_with_the_number(self) -> None:
        text = "It is covered [1]. Keep the receipt [2]. Then rest."
        assert sentence_of(text, 2).strip() == "Keep the receipt ."
        assert sentence_of(text, 9) == ""

    @pytest.mark.parametrize("said", ["", "the of and"])
    def test_nothing_is_marked_without_a_word_in_common(self, said: str) -> None:
        assert cited_spans("The warranty lasts.", said) == []


def test_a_click_opens_the_place_without_a_card_over_it(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    chip = chips(answer)[0]
    move_mouse(answer, chip)
    qtbot.mouseClick(answer.text.viewport(), Qt.MouseButton.LeftButton, pos=chip.toPoint())
    qtbot.waitUntil(window.viewer.isVisible)
    qtbot.wait(citation_preview.HOVER_MS + citation_preview.LEAVE_MS)
    assert not shown_cards(window)


def test_a_text_that_moves_away_from_under_the_mouse_gets_no_card(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    """An empty one would stay in the corner of the window."""
    move_mouse(answer, chips(answer)[0])
    answer.text.pointed.emit(1, QRectF(5000, 5000, 18, 18), False)
    qtbot.wait(citation_preview.HOVER_MS + 60)
    assert answer.preview.card is None
    assert not shown_cards(window)


def shown_cards(window: MainWindow) -> list[CitationCard]:
    return [card for card in window.findChildren(CitationCard) if card.isVisible()]
