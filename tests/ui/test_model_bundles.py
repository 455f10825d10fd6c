"""Models come from another computer and go to one, in the window."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.services import models as models_module
from desktop_rag.ui.drop_overlay import _words
from desktop_rag.ui.first_run.model_step import ModelStep
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.models_page.models_page import ModelsPage
from desktop_rag.ui.models_page.work import Job, JobKind
from desktop_rag.ui.theme import Theme
from tests.helpers.fakes import fake_engines
from tests.helpers.model_shelf import BIG, SMALL, Shelf, gguf
from tests.ui.test_models_page import card_of, is_state, menu_of, page_of


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Both models, from another computer."""
    sender = Shelf(tmp_path / "sender")
    for data in (sender.big, sender.small):
        sender.library().add(sender.write(data))
    (tmp_path / "stick").mkdir()
    return sender.library().export(tmp_path / "stick" / "both.ragmodels", [BIG, SMALL]).path


@pytest.fixture
def app(shelf: Shelf, tmp_path: Path) -> Iterator[App]:
    """No language model is installed."""
    with App.open(tmp_path / "data", fake_engines()) as opened:
        yield opened


@pytest.fixture
def window(app: App, open_window: Callable[[App], MainWindow]) -> MainWindow:
    return open_window(app)


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> ModelsPage:
    return page_of(window, qtbot)


def says(window: MainWindow, words: str) -> Callable[[], bool]:
    return lambda: words in window.notice.sentence.text()


def drop_on(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPoint(10, 10),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)


def dialog_of(window: MainWindow, qtbot: QtBot) -> QFileDialog:
    qtbot.waitUntil(lambda: bool(window.findChildren(QFileDialog)))
    [dialog] = window.findChildren(QFileDialog)
    return dialog


def test_what_is_dropped_on_the_window_is_imported(
    window: MainWindow, bundle: Path, shelf: Shelf, qtbot: QtBot
) -> None:
    drop_on(window, bundle)
    page = page_of(window, qtbot)
    qtbot.waitUntil(is_state(page, BIG, "Installed"))
    qtbot.waitUntil(is_state(page, SMALL, "Installed"))
    qtbot.waitUntil(says(window, "Imported: Big-Llm-Q4, Small-Llm-Q4."))
    assert shelf.path(BIG).read_bytes() == shelf.big
    window.add_paths([bundle])  # pasted
    qtbot.waitUntil(says(window, "installed already"))


def test_the_dialog_of_the_page_leads_to_the_same(
    page: ModelsPage, window: MainWindow, bundle: Path, qtbot: QtBot
) -> None:
    page.add.import_action.trigger()
    dialog = dialog_of(window, qtbot)
    assert dialog.nameFilters() == ["Models from another computer (*.ragmodels)"]
    dialog.fileSelected.emit(str(bundle))
    dialog.reject()
    qtbot.waitUntil(is_state(page, BIG, "Installed"))


def test_a_file_that_is_cut_off_is_refused_with_a_reason(
    page: ModelsPage, window: MainWindow, bundle: Path, shelf: Shelf, qtbot: QtBot
) -> None:
    bundle.write_bytes(bundle.read_bytes()[:-4000])
    window.import_models(bundle)
    qtbot.waitUntil(says(window, "4,000 bytes are missing): copy it"))
    assert not shelf.models.exists()
    assert page.add.isEnabled()


def test_progress_is_shown_and_can_be_stopped(
    page: ModelsPage, window: MainWindow, bundle: Path, qtbot: QtBot
) -> None:
    page.work.job = Job(JobKind.IMPORT, bundle.name, bundle.name, "importing", 500_000, 1_000_000)
    page.work.changed.emit()
    assert page.adding.sentence.text() == "Importing: 500 kB of 1.0 MB (50 %)"
    assert (page.adding.cancel.text(), page.adding.pause.isVisible()) == ("Cancel", False)
    window.import_models(bundle)
    assert says(window, "not done yet")()
    page.adding.cancel.click()
    assert page.work._stopped()
    page.work.job = None


def test_the_models_in_use_are_exported(
    page: ModelsPage, window: MainWindow, app: App, shelf: Shelf, tmp_path: Path, qtbot: QtBot
) -> None:
    assert not page.export.isVisible(), "there is nothing to export"
    page.wishes.add(shelf.write(gguf(seed=7), "mine.gguf"))
    qtbot.waitUntil(is_state(page, "mine", "Installed"))
    qtbot.waitUntil(lambda: page.export.isVisible() and page.export.isEnabled())
    page.export.click()
    dialog = dialog_of(window, qtbot)
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    assert dialog.defaultSuffix() == "ragmodels"
    dialog.fileSelected.emit(str(tmp_path / "out.ragmodels"))
    dialog.reject()
    qtbot.waitUntil(says(window, "out.ragmodels (3"))
    receiver = Shelf(tmp_path / "receiver")
    [done] = receiver.library().import_(tmp_path / "out.ragmodels").models
    assert done.id == "mine"


def test_one_model_is_exported_from_its_menu(
    page: ModelsPage, window: MainWindow, bundle: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window.import_models(bundle)
    qtbot.waitUntil(is_state(page, SMALL, "Installed"))
    qtbot.waitUntil(lambda: page.work.job is None)
    menu_of(card_of(page, SMALL))["Export to a file …"]()
    dialog_of(window, qtbot).fileSelected.emit(str(tmp_path / "one"))
    dialog_of(window, qtbot).reject()
    qtbot.waitUntil(says(window, "one.ragmodels (12"))
    assert [one.id for one in Shelf(tmp_path / "r").library().import_(
        tmp_path / "one.ragmodels").models] == [SMALL]  # fmt: skip


def test_a_full_stick_is_said_in_words(
    page: ModelsPage,
    window: MainWindow,
    bundle: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window.import_models(bundle)
    qtbot.waitUntil(is_state(page, SMALL, "Installed"))
    qtbot.waitUntil(lambda: page.work.job is None)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
    page.work.export(tmp_path / "out")
    qtbot.waitUntil(says(window, f"too little room in {tmp_path}"))


# beside the program
def test_a_file_beside_the_program_is_offered_and_never_taken_by_itself(
    window: MainWindow,
    bundle: Path,
    shelf: Shelf,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (bundle.parent / "broken.ragmodels").write_bytes(b"rubbish")
    monkeypatch.setattr(models_module, "bundle_folders", lambda: [bundle.parent, Path("/nowhere")])
    page = page_of(window, qtbot)
    qtbot.waitUntil(page.offer.isVisible)
    assert page.offer.sentence.text() == (
        "“both.ragmodels” beside the program holds Big-Llm-Q4, Small-Llm-Q4 (420 kB)."
    )
    assert not shelf.models.exists()
    page.offer.button.click()
    qtbot.waitUntil(is_state(page, SMALL, "Installed"))
    qtbot.waitUntil(lambda: not page.offer.isVisible())


def test_the_first_steps_offer_it_too(
    app: App,
    theme: Theme,
    window: MainWindow,
    bundle: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(models_module, "bundle_folders", lambda: [bundle.parent])
    step = ModelStep(theme, window.background)
    qtbot.addWidget(step)
    step.attach(app)
    step.show()
    step.enter()
    qtbot.waitUntil(step.offer.isVisible)
    assert "without a network" in step.without.text()
    step.offer.button.click()
    qtbot.waitUntil(lambda: step.has_model)
    assert not step.offer.isVisible()


def test_only_a_frozen_program_looks_beside_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    from desktop_rag.paths import bundle_folders

    assert bundle_folders() == []
    program = tmp_path / "stick" / "program" / "desktop-rag"
    program.parent.mkdir(parents=True)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    assert bundle_folders()[:2] == [program.parent, tmp_path / "stick"]
    (program.parent / "installed-from.txt").write_text(f"{tmp_path}\n", encoding="utf-8")
    assert bundle_folders()[-1] == tmp_path
    (program.parent / "installed-from.txt").write_text("relative", encoding="utf-8")
    assert bundle_folders()[-1] != Path("relative")


# a model that came with the program
def test_a_shipped_model_is_in_use_and_only_a_copy_of_it_can_be_removed(
    window: MainWindow, shelf: Shelf, qtbot: QtBot
) -> None:
    shelf.library().add(shelf.write(shelf.big))
    shelf.ship(BIG, shelf.big)
    page = page_of(window, qtbot)
    card = card_of(page, BIG)
    assert (card.use_chip.text(), card.state_chip.text()) == ("In use", "Part of the program")
    assert "Remove" not in menu_of(card)
    menu_of(card)["Remove your own copy (300 kB)"]()
    window.undo_bar.settle()
    qtbot.waitUntil(lambda: not shelf.path(BIG).exists())
    qtbot.waitUntil(lambda: page.card(BIG) is not None)
    assert "Check files by checksum" in menu_of(card_of(page, BIG))
    assert not [one for one in menu_of(card_of(page, BIG)) if one.startswith("Remove")]


def test_a_drag_says_what_will_be_done(bundle: Path) -> None:
    assert _words([str(bundle)], 1)[0] == "Drop to import the models of “both.ragmodels”"
    assert _words(["/a/b.pdf"], 1)[0] == "Drop to add “b.pdf”"
