"""Scenes of `make.py`: the chat, its answers, its history, and what goes wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt, QUrl

from desktop_rag.domain.choices import Choice, Options, Resolved
from desktop_rag.domain.citation_state import CitationState
from desktop_rag.domain.errors import LibraryLocked, RoleUnavailable
from desktop_rag.domain.events import EngineState
from desktop_rag.domain.scope import Scope
from desktop_rag.ui.chat.why_dialog import WhyDialog
from desktop_rag.ui.crash_bar import CrashBar
from desktop_rag.ui.crash_report import CrashReport
from desktop_rag.ui.history.quick_switch import QuickSwitch
from desktop_rag.ui.shortcuts import ShortcutsSheet
from tests.helpers.fake_app import (
    FakeApp,
    drag_enter,
    paint_pages,
    with_sample_chats,
    with_sample_library,
)

if TYPE_CHECKING:
    from make import Stage

QUESTION = "How long is the coffee machine covered, and what keeps the cover valid?"
TABLE = """The machine needs care **twice a year** [1]:

| Part | Interval | Price |
|---|---|---:|
| Filter | every 6 months [2] | 12.00 |
| Seal | every 12 months [3] | 4.50 |

Reset it afterwards:

```sh
machinectl reset --keep-settings
```

Most people find the lamp easy to notice."""
CONFLICTS = (
    "Coffee machine guide.pdf says “The warranty lasts 24 months.”, but Dishwasher D40.pdf says "
    "“The warranty lasts 12 months.”",
    "From guide 2023.pdf, an older version: guide 2024.pdf is newer and does not hold this "
    "passage.",
    "Footnote to [1]: “Without seals and other parts that wear.”",
)
NOTE = "Quoted word for word, without a language model."
REPORT = "Desktop RAG 1.0, Linux\n\nTraceback (most recent call last):\n  …\nValueError: no page 7"


def first_run(stage: Stage) -> None:
    """Nothing added yet, and something dragged over it."""
    app = FakeApp()
    window = stage.window(app)
    stage.shoot("first-run", window)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/papers")])
    window.dragEnterEvent(drag_enter(data))
    stage.shoot("drop", window)
    stage.end(window, app)


def answer(stage: Stage) -> None:
    """Sources first, then words, then a finished answer with its page and its text."""
    app = with_sample_chats(with_sample_library(FakeApp(step_s=0.001, pages=paint_pages())))
    window = stage.window(app)
    stage.shoot("new-chat", window)
    app.step_s = 0.02
    window.session.ask(QUESTION)
    stage.wait(lambda: len(app.running_text()) > 150, 3000)
    app.after_first_word.clear()
    stage.wait()
    stage.shoot("streaming", window)
    app.step_s = 0.0
    app.after_first_word.set()
    stage.wait(lambda: not window.session.is_busy, 3000)
    stage.wait()
    stage.shoot("answer", window)
    citations = app.citations()
    window.show_place(citations[0])
    stage.wait(lambda: window.viewer.body.pages.view.has_picture, 3000)
    stage.wait()
    stage.shoot("cited-page", window)
    app.is_changed = True
    window.show_place(citations[3])
    stage.wait()
    stage.shoot("cited-text-changed", window)
    stage.end(window, app)


def answer_parts(stage: Stage) -> None:
    """What can be done with one answer: its card, its remarks, its verdict, its reasons."""
    app = with_sample_chats(with_sample_library(FakeApp(step_s=0.0, pages=paint_pages())))
    app.answer_text = TABLE
    window = stage.window(app)
    window.session.ask(QUESTION)
    stage.wait(lambda: bool(window.chat.messages.answers()) and not window.session.is_busy, 3000)
    stage.wait()
    message = window.chat.messages.answers()[-1]
    stage.shoot("answer-table", window)
    app.cited_files.answer = CitationState.CHANGED

    def point() -> None:
        window.chat.composer.edit.setFocus()
        message.text.setFocus(Qt.FocusReason.TabFocusReason)

    stage.shoot("citation-card", window, point)
    window.chat.composer.edit.setFocus()
    whole = app.answer(QUESTION, TABLE)
    message.complete(replace(whole, conflicts=CONFLICTS, note=NOTE, unread=3))
    message.verdict.down.click()
    stage.wait()
    stage.shoot("answer-remarks-and-verdict", window)
    message.footer.why_button.click()
    stage.wait()
    dialog = window.findChild(WhyDialog)
    assert dialog is not None
    stage.shoot("why-these-sources", dialog)
    dialog.close()
    stage.end(window, app)


class _Scopes:
    """Collections, folders and files to choose from."""

    def __init__(self, app: FakeApp) -> None:
        self._app = app

    def of(self, conversation: object) -> Resolved:
        del conversation
        return Resolved()

    def resolved(self, choice: Choice) -> Resolved:
        return Resolved(choice, Scope(choice.collections, folders=choice.paths))

    def choose(self, conversation: object, choice: Choice) -> None:
        """Not kept."""

    def options(self) -> Options:
        ready = (one for one in self._app.library if one.title)
        return Options(
            (("Warranties", 4), ("Taxes 2025", 19)),
            tuple(one.path for one in self._app.sources),
            tuple((one.path, one.title) for one in ready),
        )


def history(stage: Stage) -> None:
    """A scope of its own, words found in all chats, the way to another chat, and the keys."""
    app = with_sample_chats(with_sample_library(FakeApp(step_s=0.0)))
    app.scopes = _Scopes(app)  # type: ignore[assignment]
    window = stage.window(app)
    chats = app.conversations()
    window.history.open(chats[0].id)
    stage.wait()
    window.session.choose(Choice(("Warranties",), ("/home/ada/Manuals",)))
    stage.wait()
    stage.shoot("scope-of-a-chat", window)
    bar = window.chat.composer.scope
    bar.choose()
    stage.wait()
    stage.shoot("scope-choosing", bar.popup)
    bar.popup.hide()
    window.sidebar.history.field.setText("receipt")
    stage.wait(limit_ms=900)
    stage.shoot("history-search", window)
    window.sidebar.history.field.clear()
    stage.wait()
    window.sidebar.history.removal_requested.emit(chats[1:2])
    stage.wait()
    stage.shoot("history-undo", window)
    window.history.switch()
    stage.wait()
    switch = window.findChild(QuickSwitch)
    assert switch is not None
    stage.shoot("quick-switch", switch)
    switch.close()
    stage.end(window, app)
    _keys(stage)


def _keys(stage: Stage) -> None:
    app = with_sample_chats(with_sample_library())
    window = stage.window(app)
    sheet = ShortcutsSheet(window)
    sheet.open()
    stage.wait()
    stage.shoot("shortcuts", sheet)
    sheet.close()
    stage.end(window, app)


def trouble(stage: Stage) -> None:
    """No model, a failed answer, an engine that ended, a crash of the last run, a locked library,
    and a narrow window."""
    app = with_sample_chats(with_sample_library(FakeApp(llm="")))
    window = stage.window(app, (1000, 700))
    app.fail_with = RoleUnavailable(
        "The language model stopped three times in a row; search still works. "
        "Restart the program to try again."
    )
    window.session.ask(QUESTION)
    stage.wait()
    stage.shoot("no-model-and-failure", window)
    ended = "Search stopped repeatedly and is switched off for a while."
    app.bus.publish(EngineState("index", "unavailable", ended))
    bar = CrashBar(stage.theme, CrashReport(REPORT, is_native=False, files=()))
    window.notices.add(bar)
    bar.show()
    stage.wait()
    stage.shoot("engine-and-crash", window)
    window.show_error(
        LibraryLocked("Another Desktop RAG has this library open; close it, then try again.")
    )
    stage.wait()
    stage.shoot("locked", window)
    stage.end(window, app)
