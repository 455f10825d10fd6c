"""Paints every view of the window to PNG, light and dark, from a library made for the purpose.

Usage: python packaging/screenshots/make.py [FOLDER] (from the top of the project)

`QT_SCALE_FACTOR=2` gives the pictures of a dense screen, named `…@2x.png`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(1, str(Path(__file__).resolve().parent))

from model_scenes import first_steps, models
from PySide6.QtCore import QElapsedTimer, QEvent, QMimeData, Qt, QUrl
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag.domain.citation_state import CitationState
from desktop_rag.domain.errors import LibraryLocked, RoleUnavailable
from desktop_rag.domain.events import IndexingProgress
from desktop_rag.ui.chat.why_dialog import WhyDialog
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Appearance, Theme
from tests.helpers.fake_app import (
    FakeApp,
    drag_enter,
    paint_pages,
    with_sample_chats,
    with_sample_library,
)

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


class Stage:
    """One window after another, each in the state of a picture."""

    def __init__(self, application: QApplication, folder: Path) -> None:
        self.application = application
        self.theme = Theme(application, Appearance.LIGHT)
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def wait(self, until: Callable[[], bool] = lambda: False, limit_ms: int = 400) -> None:
        """Let the window work until something is so, or for a while."""
        clock = QElapsedTimer()
        clock.start()
        while clock.elapsed() < limit_ms and not until():
            self.application.processEvents()

    def shoot(self, name: str, widget: QWidget, prepare: Callable[[], None] = lambda: None) -> None:
        """Both appearances of what is on screen; `prepare` what a change of theme takes away."""
        density = "@2x" if widget.devicePixelRatioF() > 1 else ""
        for choice in (Appearance.LIGHT, Appearance.DARK):
            self.theme.choose(choice)
            prepare()
            self.wait(limit_ms=150)
            widget.grab().save(str(self.folder / f"{name}-{choice.value}{density}.png"))

    def window(self, app: FakeApp, size: tuple[int, int] = (1280, 820)) -> MainWindow:
        """A window over `app`."""
        window = MainWindow(self.theme)
        window.resize(*size)
        window.show()
        window.attach(app)  # type: ignore[arg-type]
        self.wait()
        return window

    def end(self, window: MainWindow, app: FakeApp) -> None:
        """Away with it."""
        window.close()
        app.close()
        window.deleteLater()
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


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
    stage.wait(lambda: window.viewer.page_view.has_picture, 3000)
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


def library(stage: Stage) -> None:
    """Files in every state."""
    app = with_sample_chats(with_sample_library())
    window = stage.window(app)
    window.show_library()
    path = "/home/ada/Contracts/Insurance policy.pdf"
    app.bus.publish(IndexingProgress(4, 9, 3, path, 75.0))
    stage.wait()
    stage.shoot("library", window)
    stage.end(window, app)


def trouble(stage: Stage) -> None:
    """No model, a failed answer, a locked library, a narrow window."""
    app = with_sample_chats(with_sample_library(FakeApp(llm="")))
    window = stage.window(app, (1000, 700))
    app.fail_with = RoleUnavailable(
        "The language model stopped three times in a row; search still works. "
        "Restart the program to try again."
    )
    window.session.ask(QUESTION)
    stage.wait()
    stage.shoot("no-model-and-failure", window)
    window.show_error(
        LibraryLocked("Another Desktop RAG has this library open; close it, then try again.")
    )
    stage.wait()
    stage.shoot("locked", window)
    stage.end(window, app)


def main() -> None:
    """All pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    stage = Stage(QApplication(sys.argv[:1]), folder)
    for scene in (first_run, answer, answer_parts, library, trouble, models, first_steps):
        scene(stage)


if __name__ == "__main__":
    main()
