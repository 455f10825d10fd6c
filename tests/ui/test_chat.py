"""Asking: sources, streaming, citations, stopping, failing, switching."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.domain.answers import Answer, Confidence, ConversationId, Message, Role
from desktop_rag.domain.errors import RoleUnavailable
from desktop_rag.domain.events import AnswerDelta, AnswerProgress
from desktop_rag.domain.transcripts import Transcript
from desktop_rag.ui.chat.messages import AnswerMessage, QuestionMessage
from desktop_rag.ui.chat.quote_card import QuoteCard
from desktop_rag.ui.chat.session import Running
from desktop_rag.ui.chat.source_list import SourceRow
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Theme
from tests.helpers.fake_app import ANSWER, UNSUPPORTED, FakeApp, FakeHandle

QUESTION = "How long is the cover?"
PLAIN_ANSWER = (
    "The coffee machine is covered for 24 months from the date of purchase [1]. "
    "Two things keep the cover valid:\n\n"
    "- keep the receipt, because repairs without proof of purchase are charged [2];\n"
    "- descale it every three months, or earlier when the lamp blinks [3].\n\n"
    "Most people find the lamp easy to notice. "
    "An archive of manuals may hold at most 2,000 files [4]."
)


def ask(window: MainWindow, qtbot: QtBot, question: str = QUESTION) -> AnswerMessage:
    edit = window.chat.composer.edit
    edit.setFocus()
    qtbot.keyClicks(edit, question)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    return window.chat.messages.answers()[-1]


def finished(window: MainWindow, qtbot: QtBot) -> AnswerMessage:
    answer = ask(window, qtbot)
    qtbot.waitUntil(lambda: not window.session.is_busy)
    return answer


def hold(app: FakeApp) -> None:
    """The next answer waits after its first word."""
    app.after_first_word.clear()


def hold_at_start(app: FakeApp) -> None:
    """The next answer waits before anything is known of it."""
    app.answer_gate.clear()


def test_sources_appear_before_the_first_word(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.step_s = 5.0
    answer = ask(window, qtbot)
    qtbot.waitUntil(lambda: bool(answer.sources.rows))
    assert answer.text.source == ""
    assert answer.activity.isVisible()
    assert len(answer.sources.rows) == 4
    window.session.stop()


def test_the_best_sentence_is_quoted_with_its_source_until_the_answer_is_there(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    hold(app)
    answer = ask(window, qtbot)
    qtbot.waitUntil(answer.extract.isVisible)
    assert answer.extract.heading.text().startswith("Quoted from Coffee machine guide · p. 2")
    assert "24 months" in answer.extract.accessibleName()
    with qtbot.waitSignal(answer.opened) as told:
        qtbot.keyClick(answer.extract, Qt.Key.Key_Return)
    assert told.args == [app.citations()[0]]
    with qtbot.waitSignal(answer.opened):
        qtbot.mouseClick(answer.extract, Qt.MouseButton.LeftButton)
    app.after_first_word.set()
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert not answer.extract.isVisible()


def test_a_quotation_is_text_whatever_it_contains(window: MainWindow, app: FakeApp) -> None:
    card = QuoteCard(window)
    evil = "<img src=x> covers & <b>more</b>"
    card.show_quote(replace(app.citations()[0], quote=evil, title=evil))
    for label in (card.quote, card.heading):
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert evil in label.text()


def test_a_long_title_does_not_widen_the_chat(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    message = finished(window, qtbot)
    message.show_extract(replace(app.citations()[0], title="A guide to everything " * 40))
    page, view = window.chat.messages.widget(), window.chat.messages.viewport()
    qtbot.waitUntil(message.extract.isVisible)
    assert page is not None
    assert page.minimumSizeHint().width() <= view.width()
    assert page.width() == view.width()


def test_a_screen_reader_takes_the_quotation_for_a_button(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    card = QuoteCard(window)
    card.show_quote(app.citations()[0])
    told = QAccessible.queryAccessibleInterface(card)
    assert told.role() is QAccessible.Role.Button
    assert "24 months" in told.text(QAccessible.Text.Name)


def counted(app: FakeApp, number: int) -> Answer:
    """An answer that lists so many things at once."""
    places = tuple(replace(app.citations()[n % 4], number=n + 1) for n in range(number))
    lines = [f"- Invoice {n} [{n}]" for n in range(1, number + 1)]
    text = "\n".join((f"{number} invoices:", "", *lines))
    return replace(app.answer("List all invoices", text), citations=places)


def test_a_long_list_of_sources_is_folded(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    message = finished(window, qtbot)
    sources = message.sources
    assert not sources.more.isVisible()
    message.complete(counted(app, 102))
    assert len(sources.rows) == 10
    assert sources.more.text() == "Show all 102 sources"
    sources.more.setFocus()
    bar = window.chat.messages.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0)
    before = bar.value()
    qtbot.keyClick(sources.more, Qt.Key.Key_Space)
    assert len(sources.rows) == 102
    assert sources.rows[10].hasFocus()
    assert not sources.more.isVisible()
    qtbot.waitUntil(lambda: bar.maximum() > before + 1000)
    assert bar.value() < before + 200
    with qtbot.waitSignal(message.opened) as told:
        sources.rows[101].click()
    assert told.args[0].number == 102


def test_tab_goes_through_the_sources_before_what_stands_below(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    message = finished(window, qtbot)
    message.complete(counted(app, 13))
    wanted = [*message.sources.rows, message.sources.more, message.footer.copy_button]
    found: list[QWidget] = []
    widget = message.text.nextInFocusChain()
    while widget is not None and widget is not message.text:
        found += [widget] if widget in wanted else []
        widget = widget.nextInFocusChain()
    assert found == wanted


def test_small_talk_is_not_called_missing_from_the_documents(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    message = finished(window, qtbot)
    assert message.footer.badge.isVisible()
    talk = replace(app.answer("Thanks", "You're welcome."), confidence=Confidence.NONE)
    message.complete(talk)
    assert not message.footer.badge.isVisible()
    message.complete(replace(talk, found=False))
    assert message.footer.badge.isVisible()
    assert message.footer.badge.text() == "Not in your documents"


def test_a_long_answer_that_comes_at_once_is_read_from_its_beginning(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    hold_at_start(app)
    message = ask(window, qtbot)
    window.session.completed.emit(counted(app, 102))
    bar = window.chat.messages.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 1000)
    qtbot.waitUntil(lambda: message.visibleRegion().boundingRect().top() == 0)
    app.answer_gate.set()
    qtbot.waitUntil(lambda: not window.session.is_busy)


def test_citations_can_be_opened_while_the_answer_streams(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.answer_text = "[2] first."
    hold(app)
    answer = ask(window, qtbot)
    qtbot.waitUntil(lambda: bool(answer.text.chip_rects()))
    with qtbot.waitSignal(answer.opened) as told:
        answer.text.citation_clicked.emit(2)
    assert told.args == [app.passages()[1]]
    app.after_first_word.set()


def test_words_stream_in_and_the_finished_answer_replaces_them(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    hold(app)
    answer = ask(window, qtbot)
    qtbot.waitUntil(lambda: answer.text.source == "The")
    app.after_first_word.set()
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert answer.text.source == ANSWER
    assert not answer.activity.isVisible()
    assert answer.footer.badge.text() == "High confidence"
    assert answer.footer.scope.text() == "5 of 340 passages from 3 of 35 files"


def test_how_far_a_long_answer_is_stays_on_screen_while_it_is_written(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    hold(app)
    answer = ask(window, qtbot)
    qtbot.waitUntil(lambda: answer.text.source == "The")
    running = window.session._shown
    assert running is not None
    assert running.handle is not None
    app.bus.publish(AnswerProgress(running.handle.request, 2, 12, "Reading part 3 of 12 …"))
    qtbot.waitUntil(lambda: answer.activity.accessibleName() == "Reading part 3 of 12 …")
    app.bus.publish(AnswerDelta(running.handle.request, " more"))
    qtbot.waitUntil(lambda: answer.text.source == "The more")
    assert answer.activity.accessibleName() == "Reading part 3 of 12 …"
    app.after_first_word.set()


def test_citations_are_chips_and_the_text_stays_whole(window: MainWindow, qtbot: QtBot) -> None:
    answer = finished(window, qtbot)
    text = answer.text.toPlainText()
    assert all(f"[{number}]" in text for number in (1, 2, 3, 4))
    rects = list(answer.text.chip_rects().values())
    assert len(rects) == 4
    picture = answer.text.grab().toImage()
    ratio = picture.devicePixelRatio()
    ground = window._theme.color("accent_soft")
    for rect in rects:
        # Just inside the chip, left of the digit: the bracket there is invisible.
        x, y = rect.left() + 2.5, rect.center().y()
        assert picture.pixelColor(round(x * ratio), round(y * ratio)) == ground


def test_copied_text_keeps_its_citations(window: MainWindow, qtbot: QtBot) -> None:
    answer = finished(window, qtbot)
    answer.text.selectAll()
    answer.text.copy()
    assert "purchase [1]." in QGuiApplication.clipboard().text()
    qtbot.mouseClick(answer.footer.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == PLAIN_ANSWER


def test_a_sentence_without_support_is_marked_and_explained(
    window: MainWindow, qtbot: QtBot
) -> None:
    text = finished(window, qtbot).text
    found = text.document().find(UNSUPPORTED)
    assert not found.isNull()
    inside, outside = QTextCursor(found), text.document().find("Two things keep")
    assert inside.charFormat().underlineStyle() == inside.charFormat().UnderlineStyle.DotLine
    assert outside.charFormat().underlineStyle() == outside.charFormat().UnderlineStyle.NoUnderline
    cursor = QTextCursor(text.document())
    cursor.setPosition(found.selectionStart() + 3)
    assert "Not found in the sources" in text.tip_at(text.cursorRect(cursor).center())


def test_stop_keeps_what_was_written(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    hold(app)
    answer = ask(window, qtbot)
    qtbot.waitUntil(lambda: answer.text.source == "The")
    assert window.chat.composer.button.accessibleName().startswith("Stop")
    qtbot.mouseClick(window.chat.composer.button, Qt.MouseButton.LeftButton)
    app.after_first_word.set()
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert answer.text.source == "The"
    assert answer.footer.badge.text() == "Stopped"
    assert window.chat.composer.button.accessibleName() == "Send question"


def test_escape_stops_even_before_the_facade_has_answered(
    window: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    real = app.ask
    monkeypatch.setattr(app, "ask", lambda *args: (gate.wait(), real(*args))[1])
    app.step_s = 0.05
    answer = ask(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    gate.set()
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert answer.footer.badge.text() == "Stopped"
    assert answer.text.source != ANSWER


def test_a_failure_says_why_and_can_be_tried_again(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.fail_with = RoleUnavailable("The model stopped; restart the program.")
    answer = ask(window, qtbot)
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert answer.failure.isVisible()
    assert answer.failure.sentence.text() == "The model stopped; restart the program."
    app.fail_with = None
    qtbot.mouseClick(answer.failure.retry, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert window.chat.messages.answers()[-1].text.source == ANSWER


def test_each_failure_asks_its_own_question_again(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.fail_with = RoleUnavailable("The model stopped; restart the program.")
    first = ask(window, qtbot, "Who is first?")
    qtbot.waitUntil(lambda: not window.session.is_busy)
    ask(window, qtbot, "Who is second?")
    qtbot.waitUntil(lambda: not window.session.is_busy)
    with qtbot.waitSignal(window.session.asked) as told:
        first.failure.retry.click()
    assert told.args is not None
    assert told.args[0].question == "Who is first?"


def test_a_stored_failure_looks_like_one_and_can_be_tried_again(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    number = next(iter(app.chats))
    title, said = app.chats[number]
    failed = replace(said[1], role=Role.SYSTEM, text="The model stopped.", answer=None)
    app.chats[number] = (title, [said[0], failed])
    window.session.open(number)
    qtbot.waitUntil(lambda: bool(window.chat.messages.answers()))
    answer = window.chat.messages.answers()[0]
    assert answer.failure.sentence.text() == "The model stopped."
    assert not answer.text.isVisible()
    qtbot.waitUntil(window.chat.changes.again.isVisible)
    answer.failure.retry.click()
    qtbot.waitUntil(lambda: window.chat.messages.answers()[0].text.source == ANSWER)
    assert app.calls[-1] == "regenerate"


def test_nothing_found_has_no_citations(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    app.is_found = False
    answer = finished(window, qtbot)
    assert answer.footer.badge.text() == "Not in your documents"
    assert answer.sources.rows == []
    assert answer.footer.remarks.isVisible()
    assert "Release notes" in answer.footer.remarks.lines[0].remark.text


def test_shift_enter_makes_a_line_and_an_empty_question_is_not_sent(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    edit = window.chat.composer.edit
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.keyClicks(edit, "a")
    height = edit.height()
    qtbot.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(edit, "b")
    assert edit.toPlainText() == "a\nb"
    assert edit.height() > height
    assert not [call for call in app.calls if call.startswith("ask")]


def test_the_same_answer_comes_back_from_the_store(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    stored = next(iter(app.chats))
    window.session.open(stored)
    qtbot.waitUntil(lambda: len(window.chat.messages.widgets()) == 2)
    question, answer = window.chat.messages.widgets()
    assert isinstance(question, QuestionMessage)
    assert isinstance(answer, AnswerMessage)
    assert len(answer.sources.rows) == 4


def test_a_stored_answer_has_the_size_of_a_new_one(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    new = finished(window, qtbot).text
    size = new.document().defaultFont().pixelSize()
    window.session.open(list(app.chats)[1])
    qtbot.waitUntil(lambda: window.chat.messages.answers()[0].text is not new)
    stored = window.chat.messages.answers()[0].text
    qtbot.waitUntil(stored.isVisible)
    assert stored.document().defaultFont().pixelSize() == size


def test_an_answer_goes_on_while_another_chat_is_looked_at(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    hold(app)
    ask(window, qtbot)
    qtbot.waitUntil(lambda: window.session.conversation is not None)
    running, other = window.session.conversation, list(app.chats)[1]
    assert running is not None
    window.session.open(other)
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert not window.chat.messages.answers() or window.session.conversation == other
    window.session.open(running)
    qtbot.waitUntil(lambda: window.session.is_busy)
    questions = [w for w in window.chat.messages.widgets() if isinstance(w, QuestionMessage)]
    assert len(questions) == 1
    app.after_first_word.set()
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert window.chat.messages.answers()[-1].text.source == ANSWER


def test_an_answer_that_ends_while_its_chat_opens_is_shown(
    window: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(app)
    ask(window, qtbot)
    qtbot.waitUntil(lambda: window.session.conversation is not None)
    running, other = window.session.conversation, list(app.chats)[1]
    assert running is not None
    window.session.open(other)
    qtbot.waitUntil(lambda: not window.session.is_busy)
    read, has_ended = app.messages, threading.Event()

    def slow(conversation: ConversationId) -> list[Message]:
        found = read(conversation)
        app.after_first_word.set()
        has_ended.wait(5)
        return found

    monkeypatch.setattr(app, "messages", slow)
    window.session.open(running)
    qtbot.waitUntil(lambda: not window.session._running)
    has_ended.set()
    qtbot.waitUntil(lambda: len(window.chat.messages.widgets()) == 2)
    assert window.chat.messages.answers()[0].text.source == ANSWER


def test_an_answer_stored_but_not_told_yet_is_not_shown_twice(app: FakeApp) -> None:
    number = next(iter(app.chats))
    said = app.chats[number][1]
    whole = Transcript.of(said)
    assert whole.before(said[0].text) == Transcript()
    assert Transcript.of(said[:1]).before(said[0].text) == Transcript()
    assert whole.before("Another question?") is whole


def test_of_a_pasted_book_the_beginning_is_shown(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    window.chat.composer.edit.setPlainText("word " * 50_000)
    window.chat.composer.send()
    qtbot.waitUntil(lambda: not window.session.is_busy)
    question = window.chat.messages.widgets()[0]
    assert isinstance(question, QuestionMessage)
    assert len(question._label.text()) < 2100
    assert question._label.text().endswith("(249,999 characters)")


def test_long_chats_stay_above_the_composer(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    def left(widget: QWidget) -> int:
        return widget.mapTo(window, QPoint(0, 0)).x()

    app.answer_text = "\n\n".join(f"Paragraph {n} of a long answer." for n in range(60))
    app.step_s = 0.0
    answer = finished(window, qtbot)
    qtbot.waitUntil(lambda: window.chat.messages.verticalScrollBar().isVisible())
    for size in ((1280, 820), (900, 600)):
        window.resize(*size)
        # The parts are laid out one after the other; what counts is where they come to rest.
        qtbot.waitUntil(lambda: left(answer) == left(window.chat.composer))
        qtbot.waitUntil(lambda: answer.width() == window.chat.composer.width())


def test_the_view_follows_until_the_person_scrolls_away(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.answer_text = "\n\n".join(f"Paragraph {n} of a long answer." for n in range(60))
    app.step_s = 0.0
    finished(window, qtbot)
    bar = window.chat.messages.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 400 and bar.value() == bar.maximum())
    bar.setSliderPosition(10)
    bar.actionTriggered.emit(1)
    window.chat.messages.answers()[-1].append("\n\nmore " * 20)
    qtbot.wait(30)
    assert bar.value() < bar.maximum() - 200


def test_every_control_has_a_name_for_screen_readers(window: MainWindow, qtbot: QtBot) -> None:
    finished(window, qtbot)
    window.show_library()
    for widget in window.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
            continue
        if widget.objectName().startswith("qt_") or widget.inherits("QScrollArea"):
            continue
        text = getattr(widget, "text", str)
        name = widget.accessibleName() or (text() if callable(text) else "")
        assert name or not widget.inherits("QAbstractButton"), widget


def test_text_in_an_answer_never_becomes_a_link_or_a_picture(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.answer_text = "See [this](smb://example.org/x) and ![x](file:///etc/hosts) <b>bold</b> [9]."
    answer = finished(window, qtbot)
    opened: list[object] = []
    answer.opened.connect(opened.append)
    for x in range(0, answer.text.width(), 5):
        point = QPoint(x, 10)
        href = answer.text.anchorAt(point)
        assert not href.startswith("cite:")
        qtbot.mouseClick(answer.text.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert opened == []
    assert "<b>" in answer.text.toPlainText()


def test_a_source_without_a_place_names_its_file(app: FakeApp, theme: Theme, qtbot: QtBot) -> None:
    place = replace(app.citations()[0], page=None, page_label="", section="")
    titled = replace(place, title="Lease contract", path="/home/ada/letters/lease.md")
    untitled = replace(place, title="lease", path="/home/ada/letters/lease.md")
    assert SourceRow(theme, 1, titled).accessibleName() == "Source 1: Lease contract, lease.md"
    assert SourceRow(theme, 1, untitled).accessibleName() == "Source 1: lease"


def test_two_questions_taken_at_once_get_their_own_words_and_once(window: MainWindow) -> None:
    session = window.session
    first, second = (Running(f"Question {n}?", ConversationId(n)) for n in (901, 902))
    session.adopt([first, second])
    window.bridge.delta.emit(AnswerDelta(802, "Two"))
    window.bridge.delta.emit(AnswerDelta(801, "One"))
    session._on_taken(first, FakeHandle(801, ConversationId(901)))  # type: ignore[arg-type]
    session._on_taken(second, FakeHandle(802, ConversationId(902)))  # type: ignore[arg-type]
    window.bridge.delta.emit(AnswerDelta(802, " months"))
    assert (first.text, second.text) == ("One", "Two months")


def test_an_answer_is_prepared_in_a_pause_of_typing(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    edit = window.chat.composer.edit
    qtbot.keyClicks(edit, "How long")
    assert "prepare How long" not in app.calls
    qtbot.waitUntil(lambda: "prepare How long" in app.calls)
    app.calls.clear()
    qtbot.keyClicks(edit, " is it?")
    assert app.calls[0] == "drop_preparation", "with the first key"
    qtbot.waitUntil(lambda: "prepare How long is it?" in app.calls)
    app.calls.clear()
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert "drop_preparation" not in app.calls, "what was prepared is what is asked"


def test_an_emptied_field_ends_the_preparation(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    edit = window.chat.composer.edit
    qtbot.keyClicks(edit, "How long")
    qtbot.waitUntil(lambda: "prepare How long" in app.calls)
    app.calls.clear()
    edit.clear()
    qtbot.waitUntil(lambda: app.calls == ["drop_preparation"])
