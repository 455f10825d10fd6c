"""The Models page over the real façade and a shelf of small models."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.errors import (
    DesktopRagError,
    DiskFull,
    DownloadFailed,
    InvalidInput,
    ModelDamaged,
    ModelMissing,
    NotEnoughMemory,
)
from desktop_rag.domain.events import EngineState
from desktop_rag.domain.tuning import Tuning
from desktop_rag.services.models import ModelRole, ModelState, ModelStatus
from desktop_rag.storage import model_files, model_url
from desktop_rag.storage.model_speeds import FILE_NAME, ModelSpeeds
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.models_page import words
from desktop_rag.ui.models_page.failures import failure
from desktop_rag.ui.models_page.licence_dialog import LicenceDialog
from desktop_rag.ui.models_page.model_card import ModelCard
from desktop_rag.ui.models_page.models_page import ModelsPage
from tests.helpers.fakes import FakeGenerator, fake_engines
from tests.helpers.model_server import Server
from tests.helpers.model_shelf import BIG, EMBEDDER, SMALL, Shelf, gguf
from tests.helpers.pages import opened
from tests.ui.conftest import use_shelf

TUNED = Tuning(2, 2, reads_per_s=90, writes_per_s=16, is_measured=True)


@pytest.fixture
def app(shelf: Shelf, tmp_path: Path) -> Iterator[App]:
    """The big model is installed; what a model is measured at is always the same."""
    (shelf.models).mkdir()
    with App.open(
        tmp_path / "data", fake_engines(generator=FakeGenerator(tuned_to=TUNED))
    ) as opened:
        opened.models.add(shelf.write(shelf.big))
        yield opened


@pytest.fixture
def window(app: App, open_window: Callable[[App], MainWindow]) -> MainWindow:
    return open_window(app)


def page_of(window: MainWindow, qtbot: QtBot) -> ModelsPage:
    page = opened(window, "models", ModelsPage)
    qtbot.waitUntil(lambda: page.card(BIG) is not None)
    return page


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> ModelsPage:
    return page_of(window, qtbot)


def card_of(page: ModelsPage, model_id: str) -> ModelCard:
    card = page.card(model_id)
    assert card is not None
    return card


def menu_of(card: ModelCard) -> dict[str, Callable[[], None]]:
    menu = card.more.menu()
    assert isinstance(menu, QMenu)
    return {action.text(): action.trigger for action in menu.actions()}


def is_state(page: ModelsPage, model_id: str, word: str) -> Callable[[], bool]:
    def check() -> bool:
        card = page.card(model_id)
        return card is not None and card.state_chip.text() == word

    return check


# what is shown
def test_every_model_says_what_it_is_for_and_what_it_needs(page: ModelsPage) -> None:
    big, small = card_of(page, BIG), card_of(page, SMALL)
    assert (big.use_chip.text(), big.state_chip.text()) == ("In use", "Installed")
    assert (small.use_chip.text(), small.state_chip.text()) == ("", "Available")
    assert small.main_action.text() == "Download 120 kB"
    assert "package index" in small.origin.text()
    assert "Needs" in big.memory.text()
    assert "It fits." in big.memory.text()
    assert big.memory.property("level") == "success"
    embedder = card_of(page, EMBEDDER)
    assert (embedder.use_chip.text(), embedder.state_chip.text()) == (
        "In use",
        "Part of the program",
    )
    assert embedder.main_action.isHidden()
    assert "Remove" not in menu_of(embedder)
    assert "of memory" in page.computer.text()
    assert "balanced" in page.in_force.sentence.text()
    assert not page.sections[2].empty.isHidden(), "no re-ranker: the page says so"


def test_memory_that_is_short_is_said_in_words_and_colour(
    page: ModelsPage, shelf: Shelf, qtbot: QtBot
) -> None:
    assert page.shown is not None
    needs = card_of(page, SMALL).status.needs_memory  # type: ignore[union-attr]
    small = replace(page.shown.computer, memory=needs + 1, free_memory=needs - 1)
    page._show(replace(page.shown, computer=small))
    assert card_of(page, SMALL).memory.property("level") == "warning"
    assert "Close other programs" in card_of(page, SMALL).memory.text()
    tiny = replace(small, memory=needs - 1)
    page._show(replace(page.shown, computer=tiny))
    assert card_of(page, SMALL).memory.property("level") == "danger"
    assert card_of(page, SMALL).state_chip.text() == "Too large"


def test_a_full_disk_keeps_the_download_button_off(page: ModelsPage) -> None:
    assert page.shown is not None
    page._show(replace(page.shown, computer=replace(page.shown.computer, free_disk=1000)))
    small = card_of(page, SMALL)
    assert not small.main_action.isEnabled()
    assert "make room" in small.origin.text()


def test_a_forbidden_network_is_said_on_the_button(
    page: ModelsPage, window: MainWindow, qtbot: QtBot
) -> None:
    assert page.shown is not None
    page._show(replace(page.shown, is_forbidden=True))
    small = card_of(page, SMALL)
    assert small.main_action.text() == "Network use is forbidden …"
    page.page_requested.disconnect()
    with qtbot.waitSignal(page.page_requested) as wanted:
        small.main_action.click()
    assert wanted.args == ["privacy"]


def test_the_licence_opens_in_full(page: ModelsPage, qtbot: QtBot) -> None:
    card_of(page, BIG).licence.click()
    qtbot.waitUntil(lambda: bool(page.findChildren(LicenceDialog)))
    [dialog] = page.findChildren(LicenceDialog)
    assert "Apache License" in dialog.text.toPlainText()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not page.findChildren(LicenceDialog))


# measuring
def test_measuring_tells_words_a_second(
    page: ModelsPage, shelf: Shelf, app: App, qtbot: QtBot
) -> None:
    big = card_of(page, BIG)
    assert "not measured" in big.speed.text()
    # What the engine itself would remember when it was tuned.
    ModelSpeeds(shelf.models / FILE_NAME).put(shelf.path(BIG), TUNED)
    with qtbot.waitSignal(page.told) as told:
        qtbot.mouseClick(big.second_action, Qt.MouseButton.LeftButton)
    assert told.args == ["The speed was measured.", "info"]
    qtbot.waitUntil(
        lambda: "About 12 words a second; first word after about 5 s." in big.speed.text()
    )


# choosing
def test_another_model_is_used_without_a_restart(
    page: ModelsPage, window: MainWindow, app: App, shelf: Shelf, qtbot: QtBot
) -> None:
    app.models.add(shelf.write(shelf.small))
    page.refresh()
    qtbot.waitUntil(is_state(page, SMALL, "Installed"))
    with qtbot.waitSignal(page.told) as told:
        card_of(page, SMALL).main_action.click()
    assert "writes the next answer" in told.args[0]
    qtbot.waitUntil(lambda: card_of(page, SMALL).use_chip.text() == "In use")
    assert card_of(page, BIG).use_chip.text() == ""
    assert app.status().llm == SMALL
    card_of(page, BIG).main_action.click()
    qtbot.waitUntil(lambda: app.status().llm == BIG)


# removing
def test_removing_can_be_undone(
    page: ModelsPage, window: MainWindow, shelf: Shelf, qtbot: QtBot
) -> None:
    menu_of(card_of(page, BIG))["Remove"]()
    assert page.card(BIG) is None
    assert window.undo_bar.isVisible()
    assert shelf.path(BIG).exists()
    window.undo_bar.button.click()
    qtbot.waitUntil(lambda: page.card(BIG) is not None)
    assert shelf.path(BIG).exists()


def test_a_removed_model_is_gone_when_the_offer_has_passed(
    page: ModelsPage, window: MainWindow, app: App, shelf: Shelf, qtbot: QtBot
) -> None:
    menu_of(card_of(page, BIG))["Remove"]()
    window.undo_bar.settle()
    qtbot.waitUntil(is_state(page, BIG, "Available"))
    assert not shelf.path(BIG).exists()
    assert app.status().llm == ""


def test_a_removed_model_is_gone_when_the_window_closes(
    page: ModelsPage, window: MainWindow, shelf: Shelf
) -> None:
    menu_of(card_of(page, BIG))["Remove"]()
    window.close()
    assert not shelf.path(BIG).exists()


# checking
def test_a_damaged_file_is_found_and_can_be_repaired(
    page: ModelsPage, shelf: Shelf, qtbot: QtBot
) -> None:
    data = bytearray(shelf.path(BIG).read_bytes())
    data[-1] ^= 1
    shelf.path(BIG).write_bytes(bytes(data))
    with qtbot.waitSignal(page.told) as told:
        menu_of(card_of(page, BIG))["Check files by checksum"]()
    assert "is damaged" in told.args[0]
    qtbot.waitUntil(is_state(page, BIG, "Damaged"))
    assert card_of(page, BIG).main_action.text() == "Download again"
    assert not page.problem.isHidden()
    shelf.path(BIG).write_bytes(shelf.big)
    card_of(page, BIG).second_action.click()
    qtbot.waitUntil(is_state(page, BIG, "Installed"))
    assert page.problem.isHidden()


def test_a_whole_file_is_said_to_be_whole(page: ModelsPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.told) as told:
        menu_of(card_of(page, EMBEDDER))["Check files by checksum"]()
    assert "is whole" in told.args[0]


# adding
def test_a_dropped_model_is_added(page: ModelsPage, shelf: Shelf, qtbot: QtBot) -> None:
    drop(page, shelf.write(gguf(seed=7, name="Mine"), "mine.gguf"))
    qtbot.waitUntil(is_state(page, "mine", "Installed"))
    mine = card_of(page, "mine")
    assert mine.title.text() == "Mine"
    assert mine.licence.isHidden()
    assert "unknown" in mine.licence_unknown.text()
    assert "Added by you" in mine.purpose.text()


def test_a_truncated_model_is_refused_with_a_reason(
    page: ModelsPage, window: MainWindow, shelf: Shelf, qtbot: QtBot
) -> None:
    drop(page, shelf.write(gguf(seed=7)[:-5000], "mine.gguf"))
    qtbot.waitUntil(lambda: "5,000 bytes are missing" in window.notice.sentence.text())
    assert page.card("mine") is None
    assert page.add.isEnabled()


def test_other_files_are_left_to_the_library(page: ModelsPage, shelf: Shelf) -> None:
    event = drop_event(shelf.write(b"hello", "notes.txt"))
    page.dropEvent(event)
    assert page.work.job is None


def test_the_file_dialog_leads_to_the_same(page: ModelsPage, shelf: Shelf, qtbot: QtBot) -> None:
    page.add.chosen.emit(shelf.write(shelf.small, "some.gguf"))
    qtbot.waitUntil(is_state(page, SMALL, "Installed"))


def drop_event(path: Path) -> QDropEvent:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop_event.kept = data  # type: ignore[attr-defined] # Qt does not own it
    return QDropEvent(
        QPoint(10, 10),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )


def drop(page: ModelsPage, path: Path) -> None:
    event = drop_event(path)
    page.dropEvent(event)
    assert event.isAccepted()


# engines
def test_a_failed_engine_says_why_and_is_really_restarted(
    page: ModelsPage, app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    restarted: list[str] = []

    def restart(role: str) -> None:
        restarted.append(role)
        app.bus.publish(EngineState(role, "starting"))

    monkeypatch.setattr(app, "_engines", replace(app._engines, restart=restart))
    app.bus.publish(EngineState("llm", "unavailable", "The language model crashed repeatedly."))
    qtbot.waitUntil(lambda: page.engine.restart.isVisible())
    assert "crashed repeatedly" in page.engine.sentence.text()
    page.engine.restart.click()
    qtbot.waitUntil(lambda: "being loaded" in page.engine.sentence.text())
    assert restarted == ["llm"]
    app.bus.publish(EngineState("llm", "ready"))
    qtbot.waitUntil(lambda: page.engine.sentence.text() == "Language model: ready.")
    assert page.engine.restart.isHidden()


def test_other_engines_are_shown_only_when_they_do_not_work(
    page: ModelsPage, app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = page.engines[1]
    app.bus.publish(EngineState("index", "ready"))
    qtbot.wait(60)
    assert search.isHidden()
    app.bus.publish(EngineState("index", "unavailable", "The search index crashed repeatedly."))
    qtbot.waitUntil(search.isVisible)
    assert search.sentence.text().startswith("Search: does not work.")
    restarted: list[str] = []
    monkeypatch.setattr(app, "_engines", replace(app._engines, restart=restarted.append))
    search.restart.click()
    qtbot.waitUntil(lambda: restarted == ["index"])
    app.bus.publish(EngineState("index", "ready"))
    qtbot.waitUntil(search.isHidden)


def test_without_a_model_there_is_no_engine_to_restart(
    page: ModelsPage, window: MainWindow, app: App, qtbot: QtBot
) -> None:
    menu_of(card_of(page, BIG))["Remove"]()
    window.undo_bar.settle()
    app.bus.publish(EngineState("llm", "unavailable", "The language model is not installed."))
    qtbot.waitUntil(page.engine.isHidden)


# downloads
@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(model_url, "_BLOCK", 10_000)
    monkeypatch.setattr(model_files, "_CHECKPOINT_EVERY", 40_000)
    made = Server(gguf(seed=1))
    yield made
    made.gate.set()
    made.close()


@pytest.fixture
def online(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    open_window: Callable[[App], MainWindow],
) -> Iterator[ModelsPage]:
    """A page over a shelf whose big model is to be had from a server on this machine."""
    shelf = Shelf(tmp_path / "online", url=server.url)
    use_shelf(shelf, monkeypatch)
    with App.open(tmp_path / "data", fake_engines()) as opened:
        window = open_window(opened)
        yield page_of(window, qtbot)
        window.close()


@pytest.mark.network_setup
def test_a_download_shows_progress_and_is_used(online: ModelsPage, qtbot: QtBot) -> None:
    big = card_of(online, BIG)
    assert "127.0.0.1" in big.origin.text()
    with qtbot.waitSignal(online.told) as told:
        big.main_action.click()
        assert big.progress.isVisible()
        assert not online.add.isEnabled()
    assert "the next answer is written by it" in told.args[0]
    qtbot.waitUntil(lambda: big.use_chip.text() == "In use")
    assert not big.progress.isVisible()
    assert online.add.isEnabled()


@pytest.mark.network_setup
def test_a_download_is_paused_and_goes_on(online: ModelsPage, server: Server, qtbot: QtBot) -> None:
    server.hold_after = 100_000
    big = card_of(online, BIG)
    big.main_action.click()
    qtbot.waitUntil(lambda: " of 300 kB (" in big.progress.sentence.text())
    assert big.progress.bar.accessibleName() == big.progress.sentence.text()
    big.progress.pause.click()
    server.gate.set()
    qtbot.waitUntil(is_state(online, BIG, "Paused"))
    assert big.main_action.text() == "Resume download"
    assert big.status is not None
    assert big.status.arrived > 0
    server.hold_after = None
    big.main_action.click()
    qtbot.waitUntil(is_state(online, BIG, "Installed"))
    assert server.seen[-1][0] is not None, "it asked for the rest only"


@pytest.mark.network_setup
def test_a_cancelled_download_leaves_nothing(
    online: ModelsPage, server: Server, qtbot: QtBot
) -> None:
    server.hold_after = 100_000
    big = card_of(online, BIG)
    big.main_action.click()
    qtbot.waitUntil(lambda: " of 300 kB (" in big.progress.sentence.text())
    with qtbot.waitSignal(online.told) as told:
        big.progress.cancel.click()
        server.gate.set()
    assert "nothing of it is kept" in told.args[0]
    qtbot.waitUntil(is_state(online, BIG, "Available"))


@pytest.mark.network_setup
def test_what_arrives_damaged_is_refused(online: ModelsPage, server: Server, qtbot: QtBot) -> None:
    server.data = gguf(seed=5)
    with qtbot.waitSignal(online.told) as told:
        card_of(online, BIG).main_action.click()
    assert "checksum is wrong" in told.args[0]
    qtbot.waitUntil(is_state(online, BIG, "Available"))


# keyboard and screen readers
def test_all_controls_have_names_and_are_reached_by_tab(page: ModelsPage, qtbot: QtBot) -> None:
    big = card_of(page, BIG)
    for control in (big.second_action, big.licence, big.more, page.add, page.in_force.change):
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert control.accessibleName() or control.text()
    assert big.second_action.accessibleName() == f"Measure speed, {BIG.title()}"
    big.licence.setFocus()
    qtbot.keyClick(big.licence, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(page.findChildren(LicenceDialog)))
    page.findChildren(LicenceDialog)[0].reject()


def test_a_model_that_cannot_be_deleted_comes_back_with_the_reason(
    page: ModelsPage, window: MainWindow, app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(model_id: str) -> None:
        raise ModelDamaged(f"{model_id} is held by another program.")

    monkeypatch.setattr(app.models, "remove", refuse)
    menu_of(card_of(page, BIG))["Remove"]()
    window.undo_bar.settle()
    qtbot.waitUntil(lambda: page.card(BIG) is not None)
    qtbot.waitUntil(lambda: "held by another program" in window.notice.sentence.text())
    assert app.models.entry(BIG).state is ModelState.READY


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DiskFull("The model needs 1 GB, set DESKTOP_RAG_MODELS_DIR."), "Make room"),
        (NotEnoughMemory("Run `desktop-rag models install x`."), "close other programs"),
        (ModelMissing("Run `desktop-rag models install x`."), "download it"),
        (InvalidInput("Run `desktop-rag models remove x` first."), "Remove the other one"),
        (InvalidInput("notes.txt is not a model."), "notes.txt is not a model."),
        (DownloadFailed("Run `desktop-rag models add FILE`."), "add it from there"),
    ],
)
def test_failures_name_buttons_and_no_commands(error: DesktopRagError, words: str) -> None:
    assert words in failure(error)
    assert "`desktop-rag" not in failure(error)


def test_a_model_that_vanished_cannot_be_used(
    page: ModelsPage, window: MainWindow, app: App, shelf: Shelf, qtbot: QtBot
) -> None:
    app.models.add(shelf.write(shelf.small))
    page.refresh()
    qtbot.waitUntil(is_state(page, SMALL, "Installed"))
    shelf.path(SMALL).unlink()
    card_of(page, SMALL).main_action.click()
    qtbot.waitUntil(lambda: "not installed" in window.notice.sentence.text())
    qtbot.waitUntil(is_state(page, SMALL, "Available"))


def test_a_re_ranker_of_the_catalog_says_what_it_costs_here() -> None:
    known = ModelStatus(
        id="ranks",
        title="Ranks",
        role=ModelRole.RERANKER,
        licence="Apache-2.0",
        size=10,
        state=ModelState.MISSING,
        path=None,
        is_default=False,
        is_shipped=False,
        needs_memory=1,
        fits_memory=True,
        arrived=0,
        download=25,
        notes="For English.",
    )
    assert "English" in words.purpose(known)
    assert known.to_download == 25
    assert "1,234 ms" in words.purpose(replace(known, elapsed_ms=1234.4))
