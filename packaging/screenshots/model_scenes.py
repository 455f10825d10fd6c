"""Scenes of `make.py`: the Models page and the first steps."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, cast

from desktop_rag.domain.events import EngineState
from desktop_rag.paths import MODELS_DIR_VARIABLE
from desktop_rag.services.suggestions import PlaceKind, Suggestions
from desktop_rag.ui.first_run.first_run_page import FirstRunPage
from desktop_rag.ui.models_page.models_page import ModelsPage
from desktop_rag.ui.models_page.work import Job, JobKind
from tests.helpers.fake_app import FakeApp, with_sample_chats, with_sample_library

if TYPE_CHECKING:
    from make import Stage

_TALL = (1280, 1180)
_ENDED = "The language model crashed repeatedly and is switched off for a while."


def models(stage: Stage) -> None:
    """Nothing installed, a download on its way, and an engine that does not work."""
    with tempfile.TemporaryDirectory() as empty:
        os.environ[MODELS_DIR_VARIABLE] = empty
        app = with_sample_chats(with_sample_library(FakeApp(llm="")))
        window = stage.window(app, _TALL)
        window.show_page("models")
        stage.wait()
        stage.shoot("models", window)
        page = cast("ModelsPage", window.pages.page("models"))
        assert page.shown is not None
        first = page.shown.models[-2]
        app.bus.publish(EngineState("llm", "unavailable", _ENDED))
        page.work.job = Job(
            JobKind.INSTALL, first.id, first.title, "downloading", first.size // 3, first.size
        )
        page.work.changed.emit()
        stage.wait()
        stage.shoot("models-download-and-failure", window)
        page.work.job = None
        stage.end(window, app)


def first_steps(stage: Stage) -> None:
    """Folders, language model, go."""
    with tempfile.TemporaryDirectory() as name:
        os.environ[MODELS_DIR_VARIABLE] = str(Path(name) / "models")
        home = Path(name) / "ada"
        for folder, count in (("Documents", 34), ("Downloads", 12), ("Nextcloud", 7)):
            (home / folder).mkdir(parents=True)
            for number in range(count):
                (home / folder / f"{number}.txt").write_text("A note. " * 4000, encoding="utf-8")
        app = FakeApp(llm="")
        app.suggestions = Suggestions(
            lambda: {".txt"},
            lambda: home,
            lambda: {
                PlaceKind.DOCUMENTS: home / "Documents",
                PlaceKind.DOWNLOADS: home / "Downloads",
            },
        )
        window = stage.window(app)
        window.show_page("first-run")
        page = cast("FirstRunPage", window.pages.page("first-run"))
        for step in range(3):
            page.turn_to(step)
            stage.wait()
            stage.shoot(f"first-steps-{step + 1}", window)
        stage.end(window, app)
