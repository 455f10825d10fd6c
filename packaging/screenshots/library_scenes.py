"""Scenes of `make.py`: the library, what is asked about it, and its documents in the viewer."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QDialog, QWidget

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.domain.events import IndexingProgress
from desktop_rag.domain.library import Collection, DropKind, Dropped
from desktop_rag.engines.registry import build_reader
from desktop_rag.ui.library.counting_dialog import CountingDialog
from desktop_rag.ui.library.file_filter import Show
from desktop_rag.ui.library.folder_dialog import FolderDialog
from desktop_rag.ui.library.left_out_dialog import LeftOutDialog
from desktop_rag.ui.library.name_dialog import NameDialog
from desktop_rag.ui.library.why_dialog import TraceDialog
from desktop_rag.ui.main_window import MainWindow
from tests.end_to_end.documents import DOCUMENTS, make_documents
from tests.helpers.documents import filler, make_pptx, make_text
from tests.helpers.fake_app import FakeApp, with_sample_chats, with_sample_library
from tests.helpers.fakes import fake_engines
from tests.ui.viewing import SCANNED, WithRecognition, cite

if TYPE_CHECKING:
    from make import Stage

Dialog = TypeVar("Dialog", bound=QDialog)

QUOTE = "The gasket must be replaced every 500 hours."
MAIL = (
    "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nSubject: Pumps\n"
    "Date: Mon, 5 Jan 2026 10:00:00 +0000\n\nHello Bob,\n\n"
)
LEFT_OUT = (
    Dropped("https://example.org/terms", DropKind.WEB, sentence="It is an address of the web."),
    Dropped("/dev/sda", DropKind.SPECIAL, sentence="It is a device, not a file."),
)


def library(stage: Stage) -> None:
    """Files in every state, one in detail, those with problems, and no files at all."""
    app = with_sample_chats(with_sample_library())
    app.organising.kept = [Collection("Warranties", (app.library[0].path, app.library[2].path))]
    app.organising.used = [("important", 2), ("2024", 5)]
    window = stage.window(app)
    window.show_library()
    path = "/home/ada/Contracts/Insurance policy.pdf"
    app.bus.publish(IndexingProgress(4, 9, 3, path, 75.0))
    stage.wait()
    stage.shoot("library", window)
    page = window.library
    page.show_details(app.library[0])
    stage.wait()
    stage.shoot("library-details", window)
    page.details.closed.emit()
    page.filters.show_states(Show.FAILED)
    stage.wait()
    stage.shoot("library-problems", window)
    stage.end(window, app)
    empty = FakeApp()
    window = stage.window(empty)
    window.show_library()
    stage.wait()
    stage.shoot("library-empty", window)
    stage.end(window, empty)


def library_dialogs(stage: Stage) -> None:
    """Options of a folder, why something cannot be found, names, and what was dropped."""
    with _real() as (app, folder):
        window = stage.window(app)
        window.show_library()
        stage.wait(lambda: bool(window.library.model.total), 5000)
        _folder_options(stage, window, folder)
        _trace(stage, window)
        window.library.tasks.ask_collection()
        _shoot_dialog(stage, "new-collection", window, NameDialog)
        LeftOutDialog(LEFT_OUT, window).open()
        _shoot_dialog(stage, "left-out", window, LeftOutDialog)
        CountingDialog(stage.theme, window).ask("Add 100,000 files (31.4 GB)?")
        _shoot_dialog(stage, "very-many-files", window, CountingDialog)
        stage.end(window)


def _folder_options(stage: Stage, window: MainWindow, folder: Path) -> None:
    model = window.library.places_model
    stage.wait(lambda: any(one.name == str(folder) for one in model.places()), 5000)
    window.library.tasks.show_options(
        next(one for one in model.places() if one.name == str(folder))
    )
    _shoot_dialog(stage, "folder-options", window, FolderDialog)


def _trace(stage: Stage, window: MainWindow) -> None:
    window.library.tasks.ask_why("behind the blue door", "keys.docx")
    dialog = window.findChild(TraceDialog)
    assert dialog is not None
    stage.wait(lambda: not dialog.bar.isVisible(), 5000)
    _shoot_dialog(stage, "why-not-found", window, TraceDialog)


def _shoot_dialog(stage: Stage, name: str, over: QWidget, kind: type[Dialog]) -> None:
    stage.wait()
    dialog = over.findChild(kind)
    assert dialog is not None
    stage.shoot(name, dialog)
    dialog.close()
    dialog.deleteLater()
    stage.wait(limit_ms=50)


def viewer(stage: Stage) -> None:
    """A document of each kind at its cited place, by the real readers."""
    with _real() as (app, folder):
        window = stage.window(app)
        view = window.viewer.body.pages.view

        def show(file: str, words: str, until: Callable[[], bool] = lambda: False) -> None:
            window.show_place(cite(app, folder / file, words))
            stage.wait(until, 4000 if file.endswith(".pdf") else 700)
            stage.wait()

        for one in DOCUMENTS:
            is_scan = one.name == "lift report.pdf"
            show(one.name, SCANNED if is_scan else one.words, lambda: view.has_picture)
            stage.shoot(f"viewer-{one.name.replace('.', '-').replace(' ', '-')}", window)
        for file in ("pumps.pptx", "pumps.eml", "pumps.py"):
            show(file, QUOTE)
            stage.shoot(f"viewer-{file.replace('.', '-')}", window)
        show("night watch.pdf", "begins at 21:40", lambda: view.has_picture)
        window.viewer.body.page_bar.buttons["thumbnails"].setChecked(True)
        window.viewer.body.find_bar.begin("night")
        stage.wait(limit_ms=1500)
        stage.shoot("viewer-search-and-thumbnails", window)
        gone = cite(app, folder / "keys.docx", "behind the blue door")
        (folder / "keys.docx").unlink()
        app.remove([folder / "keys.docx"])
        window.show_place(gone)
        stage.wait(limit_ms=1000)
        stage.shoot("viewer-file-gone", window)
        stage.end(window)


@contextmanager
def _real() -> Iterator[tuple[App, Path]]:
    """The real façade and readers over a folder of documents; and that folder."""
    tokenizer = paths.shipped("models", "all-minilm-l6-v2-int8", "tokenizer.json")
    reader = WithRecognition(build_reader(tokenizer, 256))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "House"
        make_documents(folder)
        before = [filler(60, seed=seed) for seed in range(6)]
        slides = [[f"Slide about {n}", *before[:3]] for n in range(4)]
        make_pptx(folder / "pumps.pptx", [*slides, ["Care", QUOTE, "Then test it."]])
        flow = "\n\n".join(before)
        make_text(folder / "pumps.eml", f"{MAIL}{flow}\n\n{QUOTE}\n")
        lines = "\n".join(f"value_{n} = {n}" for n in range(80))
        make_text(folder / "pumps.py", f"{lines}\n\n# {QUOTE}\nlast = True\n")
        with App.open(Path(name) / "data", fake_engines(reader=reader)) as app:
            app.add([folder])
            app.start_indexing()
            app.wait_until_indexed(60)
            yield app, folder
