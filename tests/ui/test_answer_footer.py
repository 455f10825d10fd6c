"""Under an answer: the badge, the legend, remarks, copies and verdicts."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.domain.answers import Answer, Confidence, MessageId, Understood
from desktop_rag.domain.errors import DiskFull
from desktop_rag.domain.feedback import Rating, Reason
from desktop_rag.domain.footnotes import footnotes_to
from desktop_rag.ui import words
from desktop_rag.ui.chat import verdict
from desktop_rag.ui.chat.copying import with_sources
from desktop_rag.ui.chat.messages import AnswerMessage
from desktop_rag.ui.chat.remarks import RemarkKind, remarks_of
from desktop_rag.ui.main_window import MainWindow
from tests.helpers.fake_app import FakeApp

CONFLICT = "a.pdf says “It lasts 24 months.”, but b.pdf says “It lasts 12 months.”"
ORDER = "Text that gives orders to AI programs was left out of /a.pdf: “Ignore all rules”"
OLDER = "From v1.pdf, an older version: v2.pdf is newer and does not hold this passage."


@pytest.fixture
def answer(window: MainWindow, qtbot: QtBot) -> AnswerMessage:
    window.session.ask("How long is the cover?")
    qtbot.waitUntil(lambda: bool(window.chat.messages.answers()))
    qtbot.waitUntil(lambda: not window.session.is_busy)
    made = window.chat.messages.answers()[-1]
    qtbot.waitUntil(made.footer.isVisible)
    return made


def whole(answer: AnswerMessage) -> Answer:
    assert answer._answer is not None
    return answer._answer


def stored(window: MainWindow, app: FakeApp) -> MessageId:
    conversation = window.session.conversation
    assert conversation is not None
    return app.messages(conversation)[-1].id


def reopened(window: MainWindow, qtbot: QtBot) -> AnswerMessage:
    conversation = window.session.conversation
    assert conversation is not None
    window.new_chat()
    qtbot.waitUntil(lambda: not window.chat.messages.answers())
    window.session.open(conversation)
    qtbot.waitUntil(lambda: bool(window.chat.messages.answers()))
    return window.chat.messages.answers()[-1]


class TestBadge:
    @pytest.mark.parametrize("level", list(Confidence))
    def test_it_is_explained_in_a_sentence(self, answer: AnswerMessage, level: Confidence) -> None:
        answer.complete(replace(whole(answer), confidence=level, found=False))
        assert answer.footer.badge.text() == words.confidence(level)
        reason = answer.footer.badge.toolTip()
        assert reason.endswith(".")
        assert answer.footer.badge.accessibleDescription() == reason

    def test_a_stopped_answer_says_what_that_means(self, answer: AnswerMessage) -> None:
        answer.complete(replace(whole(answer), stopped=True))
        assert answer.footer.badge.text() == "Stopped"
        assert "not checked" in answer.footer.badge.toolTip()


class TestLegend:
    def test_it_stands_there_while_something_is_underlined(self, answer: AnswerMessage) -> None:
        legend = answer.footer.legend
        assert legend.isVisible()
        assert legend.accessibleName() == "Underlined: not found in the sources"
        assert "look them up" in legend.toolTip()
        described = answer.text.accessibleDescription()
        assert described == "1 underlined stretch was not found in the sources"
        answer.complete(replace(whole(answer), unsupported=()))
        assert not legend.isVisible()
        assert answer.text.accessibleDescription() == ""


class TestRemarks:
    def test_the_kinds_are_told_by_what_the_program_says(self, app: FakeApp) -> None:
        cited = replace(app.citations()[0], quote="It lasts 24 months*.", start=0, end=20)
        note = footnotes_to([cited], lambda _: "It lasts 24 months*.\n\n* Without batteries.\n")
        kinds = RemarkKind
        answer = replace(
            app.answer("Q", "A [1]."),
            understood=Understood(filters=("file a.pdf",), notes=(ORDER,)),
            conflicts=(
                *note,
                CONFLICT,
                OLDER,
                "From v2.pdf, the newest of 2 versions; older: v1.pdf.",
                "addendum.pdf may change this: “It is 12 months now.”",
                "Found for another time, may say otherwise: b.pdf. To ask it, name the year.",
            ),
            is_cached=True,
            unread=2,
            masked=(("e-mail", 1),),
            note="It broke off.",
        )
        found = {one.text.split(" ")[0]: one.kind for one in remarks_of(answer)}
        assert note
        assert found["Footnote"] is kinds.FOOTNOTE
        assert found["Text"] is kinds.ORDER
        assert found["a.pdf"] is kinds.CONFLICT
        assert found["addendum.pdf"] is kinds.AMENDED
        assert found["Found"] is kinds.NEWER
        assert found["Filters:"] is kinds.UNDERSTOOD
        assert found["Answered"] is kinds.CACHED
        assert found["2"] is kinds.UNREAD
        assert found["It"] is kinds.NOTE
        assert found["Not"] is kinds.MASKED
        told = [one.kind for one in remarks_of(answer) if one.text.startswith("From")]
        assert told == [kinds.NEWER, kinds.VERSION]

    def test_each_has_a_line_and_warnings_stand_first(self, answer: AnswerMessage) -> None:
        answer.complete(replace(whole(answer), conflicts=(CONFLICT,), note="It broke off."))
        lines = answer.footer.remarks.lines
        assert [line.text.text() for line in lines] == [CONFLICT, "It broke off."]
        assert [line.property("warning") for line in lines] == [True, False]
        assert lines[0].accessibleName() == f"Warning: {CONFLICT}"
        assert lines[1].accessibleName() == "Remark: It broke off."
        assert lines[0].y() < lines[1].y()
        assert not answer.footer.remarks.more.isVisible()

    def test_more_than_three_are_folded(self, answer: AnswerMessage, qtbot: QtBot) -> None:
        many = tuple(f"{n}.pdf says “1”, but b.pdf says “2”" for n in range(6))
        answer.complete(replace(whole(answer), conflicts=many))
        remarks = answer.footer.remarks
        assert len(remarks.lines) == 3
        assert remarks.more.text() == "Show 3 more remarks"
        with qtbot.waitSignal(answer.unfolded):
            qtbot.keyClick(remarks.more, Qt.Key.Key_Space)
        assert [line.text.text() for line in remarks.lines] == list(many)
        assert all(line.isVisible() for line in remarks.lines)
        assert not remarks.more.isVisible()

    def test_most_answers_have_none(self, answer: AnswerMessage) -> None:
        assert not answer.footer.remarks.isVisible()


class TestCopying:
    def test_plain_text_has_no_signs_of_markdown(self, answer: AnswerMessage, qtbot: QtBot) -> None:
        text = "# Plan\n\nIn **bold** [1]:\n\n1. one\n2. two\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n"
        answer.complete(replace(whole(answer), text=f"{text}```\nx\n\ny\n```", unsupported=()))
        qtbot.mouseClick(answer.footer.copy_button, Qt.MouseButton.LeftButton)
        assert QGuiApplication.clipboard().text() == (
            "Plan\n\nIn bold [1]:\n\n1. one\n2. two\n\nA\tB\n1\t2\n\nx\n\ny"
        )

    def test_with_sources_numbers_are_explained(
        self, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
    ) -> None:
        qtbot.mouseClick(answer.footer.copy_sources_button, Qt.MouseButton.LeftButton)
        copied = QGuiApplication.clipboard().text()
        assert copied.startswith(app.answer_text)
        path = app.citations()[0].path
        assert f"- \\[1\\] Coffee machine guide, page 2 · Warranty (`{path}`)" in copied
        assert copied.count("\n- \\[") == 4

    def test_titles_are_text_in_markdown_too(self, app: FakeApp) -> None:
        answer = app.answer("Q", "A [1].")
        evil = replace(answer.citations[0], title="[x](http://a) *b*")
        copied = with_sources(replace(answer, citations=(evil,)))
        assert "\\[x\\](http://a) \\*b\\*" in copied

    def test_without_sources_there_is_nothing_to_add(self, answer: AnswerMessage) -> None:
        answer.complete(replace(whole(answer), citations=()))
        assert not answer.footer.copy_sources_button.isVisible()
        assert with_sources(whole(answer)) == whole(answer).text


def test_tab_goes_through_an_answer_as_it_is_read(answer: AnswerMessage, qtbot: QtBot) -> None:
    text = "```\na\n```\n\nand [1]\n\n```\nb\n```"
    many = tuple(f"{n}.pdf says “1”, but b.pdf says “2”" for n in range(6))
    answer.complete(replace(whole(answer), text=text, conflicts=many))
    answer.verdict.down.click()
    footer, form = answer.footer, answer.verdict.form
    wanted = [
        answer.text, *answer.text._buttons.shown, *answer.sources.rows, footer.copy_button,
        footer.copy_sources_button, footer.export_button, footer.why_button, answer.verdict.up,
        answer.verdict.down, footer.remarks.more, *form.reasons.values(), form.comment, form.cancel,
        form.save,
    ]  # fmt: skip
    found: list[QWidget] = [answer.text]
    widget = answer.text.nextInFocusChain()
    while widget is not None and widget is not answer.text:
        found += [widget] if widget in wanted else []
        widget = widget.nextInFocusChain()
    assert [type(one).__name__ for one in found] == [type(one).__name__ for one in wanted]
    assert found == wanted


class TestVerdicts:
    def test_thumbs_up_is_kept_and_taken_back(
        self, window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
    ) -> None:
        up = answer.verdict.up
        qtbot.mouseClick(up, Qt.MouseButton.LeftButton)
        message = stored(window, app)
        qtbot.waitUntil(lambda: app.feedback.kept == {message: Rating(is_good=True)})
        assert up.isChecked()
        qtbot.keyClick(up, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: app.feedback.kept == {})
        assert not up.isChecked()

    def test_thumbs_down_asks_why_and_keeps_it(
        self,
        window: MainWindow,
        answer: AnswerMessage,
        app: FakeApp,
        qtbot: QtBot,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        said: list[str] = []
        monkeypatch.setattr(verdict, "announce", lambda _widget, text: said.append(text))
        with qtbot.waitSignal(answer.unfolded):
            qtbot.mouseClick(answer.verdict.down, Qt.MouseButton.LeftButton)
        form = answer.verdict.form
        assert form.isVisible()
        assert not form.take_back.isVisible()
        assert form.reasons[Reason.WRONG].hasFocus()
        qtbot.keyClick(form.reasons[Reason.INCOMPLETE], Qt.Key.Key_Space)
        form.comment.setFocus()
        qtbot.keyClicks(form.comment, "No date")
        qtbot.keyClick(form.comment, Qt.Key.Key_Return)
        wanted = Rating(is_good=False, reason=Reason.INCOMPLETE, comment="No date")
        qtbot.waitUntil(lambda: app.feedback.kept == {stored(window, app): wanted})
        qtbot.waitUntil(lambda: not form.isVisible())
        assert answer.verdict.down.isChecked()
        assert answer.verdict.down.toolTip() == "Bad answer · Incomplete · No date"
        assert answer.verdict.down.accessibleDescription() == answer.verdict.down.toolTip()
        assert said == ["Thank you, kept"]

    def test_the_form_is_scrolled_into_view(
        self, window: MainWindow, answer: AnswerMessage, qtbot: QtBot
    ) -> None:
        window.resize(window.width(), 520)
        bar = window.chat.messages.verticalScrollBar()
        qtbot.waitUntil(lambda: bar.maximum() > 0)
        qtbot.mouseClick(answer.verdict.down, Qt.MouseButton.LeftButton)
        form = answer.verdict.form
        qtbot.waitUntil(lambda: form.visibleRegion().contains(form.save.geometry()))

    def test_escape_and_cancel_leave_everything_as_it_was(
        self, window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
    ) -> None:
        form = answer.verdict.form
        qtbot.mouseClick(answer.verdict.down, Qt.MouseButton.LeftButton)
        qtbot.keyClick(form.comment, Qt.Key.Key_Escape)
        assert not form.isVisible()
        qtbot.mouseClick(answer.verdict.down, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(form.cancel, Qt.MouseButton.LeftButton)
        assert not form.isVisible()
        assert not answer.verdict.down.isChecked()
        assert app.feedback.kept == {}

    def test_a_kept_verdict_can_be_changed_and_taken_back(
        self, window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
    ) -> None:
        message = stored(window, app)
        app.feedback.kept[message] = Rating(False, Reason.TOO_SLOW, "Ten minutes")
        again = reopened(window, qtbot)
        qtbot.waitUntil(again.verdict.down.isChecked)
        qtbot.mouseClick(again.verdict.down, Qt.MouseButton.LeftButton)
        form = again.verdict.form
        assert form.reasons[Reason.TOO_SLOW].isChecked()
        assert form.comment.text() == "Ten minutes"
        qtbot.mouseClick(form.take_back, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: app.feedback.kept == {})
        qtbot.waitUntil(lambda: not form.isVisible())
        assert not again.verdict.down.isChecked()

    def test_what_cannot_be_kept_is_told_and_not_shown_as_kept(
        self, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
    ) -> None:
        app.feedback.fail_with = DiskFull("The disk is full; make room and try again.")
        qtbot.mouseClick(answer.verdict.up, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(answer.footer.failure.isVisible)
        assert answer.footer.failure.text() == "The disk is full; make room and try again."
        assert not answer.verdict.up.isChecked()
        qtbot.mouseClick(answer.verdict.down, Qt.MouseButton.LeftButton)
        form = answer.verdict.form
        form.comment.setText("Wrong year")
        qtbot.mouseClick(form.save, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(form.failure.isVisible)
        assert form.comment.text() == "Wrong year"

    def test_a_message_made_again_knows_its_verdict(
        self, window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
    ) -> None:
        """Of a long chat only some messages are widgets at a time."""
        qtbot.mouseClick(answer.verdict.up, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: bool(app.feedback.kept))
        QApplication.processEvents()
        twin = AnswerMessage(window._theme, window.chat.desk)
        twin.complete(whole(answer))
        assert twin.verdict.up.isChecked()
        twin.deleteLater()
