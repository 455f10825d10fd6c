"""Paints every view of the window to PNG, light and dark, from a library made for the purpose.

Usage: python packaging/screenshots/make.py [FOLDER [SCENE ...]] (from the top of the project)

`QT_SCALE_FACTOR=2` gives the pictures of a dense screen, named `…@2x.png`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(1, str(Path(__file__).resolve().parent))

from chat_scenes import answer, answer_parts, first_run, history, trouble
from library_scenes import library, library_dialogs, viewer
from model_scenes import first_steps, models
from page_scenes import about, privacy, quality, settings
from PySide6.QtCore import QElapsedTimer, QEvent, QLocale
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag.app import App
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.theme import Appearance, Theme
from tests.helpers.fake_app import FakeApp


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

    def window(
        self,
        app: FakeApp | App,
        size: tuple[int, int] = (1280, 820),
        preferences: Preferences | None = None,
    ) -> MainWindow:
        """A window over `app`."""
        window = MainWindow(self.theme, preferences)
        window.resize(*size)
        window.show()
        window.attach(app)  # type: ignore[arg-type]
        self.wait()
        return window

    def end(self, window: MainWindow, app: FakeApp | None = None) -> None:
        """Away with it, and with what it made of the library."""
        window.close()
        if app is not None:
            app.close()
        window.deleteLater()
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


SCENES: tuple[Callable[[Stage], None], ...] = (
    first_run,
    first_steps,
    answer,
    answer_parts,
    history,
    library,
    library_dialogs,
    viewer,
    models,
    quality,
    privacy,
    settings,
    about,
    trouble,
)


def main() -> None:
    """All pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    wanted = set(sys.argv[2:])
    QLocale.setDefault(QLocale("en_GB"))
    stage = Stage(QApplication(sys.argv[:1]), folder)
    for scene in SCENES:
        if not wanted or scene.__name__ in wanted:
            scene(stage)


if __name__ == "__main__":
    main()
