"""The Privacy page over the real library, and its rarer states over one from memory."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from desktop_rag import network, paths
from desktop_rag.app import App
from desktop_rag.services.stored import Kind
from desktop_rag.ui.application import Desktop
from desktop_rag.ui.autostart import autostart
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.privacy.page import PrivacyPage
from tests.helpers.fake_app import FakeApp
from tests.helpers.fakes import fake_engines
from tests.helpers.pages import opened

TIMEOUT_S = 10.0


@pytest.fixture(autouse=True)
def _as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "models"))
    yield
    network.forbid(is_forbidden=False)


@pytest.fixture
def page(real_window: MainWindow, qtbot: QtBot) -> PrivacyPage:
    page = opened(real_window, "privacy", PrivacyPage)
    qtbot.waitUntil(lambda: "since start" in page.network.status.title.text())
    qtbot.waitUntil(lambda: page.stored.rows[Kind.LIBRARY].amount.text() != "…")
    return page


@pytest.fixture
def told(real_window: MainWindow) -> Callable[[], str]:
    return lambda: real_window.notice.sentence.text() if real_window.notice.isVisible() else ""


def _texts(page: PrivacyPage) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def test_the_counter_is_the_real_one(page: PrivacyPage, qtbot: QtBot) -> None:
    count = network.record.count
    expected = f"{count:,} connection" if count else "Offline: 0 connections"
    assert page.network.status.title.text().startswith(expected)
    network.record.add(
        network.Use(time.time(), "program", network.UseKind.CONNECTION, "192.0.2.1:443", "small")
    )
    qtbot.mouseClick(page.network.look, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.network.status.title.text().startswith(f"{count + 1:,} conn"))
    qtbot.waitUntil(lambda: "192.0.2.1:443 · model small" in _texts(page))


def test_the_switch_forbids_and_allows(
    page: PrivacyPage, real_app: App, qtbot: QtBot, real_window: MainWindow
) -> None:
    page.network.switch.setFocus()
    qtbot.keyClick(page.network.switch, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: real_app.connections.is_forbidden)
    qtbot.waitUntil(lambda: "Connections are refused." in _texts(page))
    assert page.network.switch.isChecked()
    assert real_app.settings().forbid_network
    qtbot.mouseClick(page.network.switch, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not network.is_forbidden())


def test_what_cannot_be_seen_is_said_on_demand(page: PrivacyPage, qtbot: QtBot) -> None:
    assert "is not seen" not in _texts(page)
    qtbot.mouseClick(page.network.more, Qt.MouseButton.LeftButton)
    assert "is not seen" in _texts(page)
    qtbot.mouseClick(page.network.more, Qt.MouseButton.LeftButton)
    assert "is not seen" not in _texts(page)


def test_a_log_of_searches_is_deleted_after_a_second_thought(
    page: PrivacyPage,
    real_app: App,
    add_files: Callable[[dict[str, str]], Path],
    told: Callable[[], str],
    qtbot: QtBot,
) -> None:
    add_files({"a.txt": "Apples are red and grow on trees."})
    real_app.search("apples")
    row = page.stored.rows[Kind.QUERY_LOG]

    def is_counted() -> bool:
        page.activate()
        qtbot.wait(30)
        return row.amount.text().startswith("1 search")

    qtbot.waitUntil(is_counted)
    row.clear.click()
    assert row.confirm.isVisible()
    assert row.keep.hasFocus(), "Enter must not delete"
    row.keep.click()
    assert not row.confirm.isVisible()
    row.clear.click()
    row.confirm.click()
    qtbot.waitUntil(lambda: row.amount.text() == "Nothing")
    assert not row.clear.isEnabled()
    assert told() == "Deleted: Log of searches."


def test_a_folder_is_opened_as_far_as_it_is_there(
    page: PrivacyPage,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    told: Callable[[], str],
) -> None:
    opened: list[str] = []
    is_able = [True, False]

    def open_url(url: object) -> bool:
        opened.append(url.toLocalFile())  # type: ignore[attr-defined]
        return is_able[len(opened) - 1]

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    page.stored.rows[Kind.BACKUPS].open.click()
    qtbot.waitUntil(lambda: opened == [str(tmp_path / "data")])
    page.stored.rows[Kind.LOGS].open.click()
    qtbot.waitUntil(lambda: "cannot be opened here" in told())


def test_everything_is_deleted_when_the_word_was_typed(
    page: PrivacyPage, real_app: App, real_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    erase = page.erase
    assert not erase.question.isVisible()
    erase.begin.click()
    assert erase.word.hasFocus()
    assert not erase.confirm.isEnabled()
    qtbot.keyClicks(erase.word, "remove")
    qtbot.keyClick(erase.word, Qt.Key.Key_Return)
    assert not erase.confirm.isEnabled()
    erase.word.clear()
    qtbot.keyClicks(erase.word, "Delete")
    assert erase.confirm.isEnabled()
    with qtbot.waitSignal(real_window.quit_requested):
        erase.confirm.click()
    assert (tmp_path / "data" / "library.sqlite3").exists()
    real_window.close()
    real_app.close()
    assert not (tmp_path / "data").exists()


def test_everything_is_kept_when_one_thinks_better_of_it(
    page: PrivacyPage, real_app: App, tmp_path: Path, qtbot: QtBot
) -> None:
    page.erase.begin.click()
    qtbot.keyClicks(page.erase.word, "delete")
    page.erase.cancel.click()
    assert not page.erase.question.isVisible()
    page.erase.begin.click()
    assert page.erase.word.text() == ""
    real_app.close()
    assert (tmp_path / "data" / "library.sqlite3").exists()


def test_the_check_up_of_a_sound_library_finds_nothing(page: PrivacyPage, qtbot: QtBot) -> None:
    assert not page.check.repair.isVisible()
    page.check.check.click()
    assert not page.check.check.isEnabled()
    qtbot.waitUntil(lambda: page.check.check.isEnabled())
    assert page.check.head.title.text().endswith("nothing wrong.")
    qtbot.waitUntil(lambda: "The catalog's file is whole." in _texts(page))


def test_the_log_is_shown_and_copied(page: PrivacyPage, qtbot: QtBot) -> None:
    import logging

    logging.getLogger("desktop_rag.test").info("something happened")
    page.log.show_button.click()
    qtbot.waitUntil(lambda: "something happened" in page.log.text.toPlainText())
    page.log.copy.click()
    assert "something happened" in QGuiApplication.clipboard().text()


def test_the_report_is_copied_without_names(
    page: PrivacyPage, tmp_path: Path, qtbot: QtBot
) -> None:
    page.check.check.click()
    qtbot.waitUntil(lambda: page.check.check.isEnabled())
    QGuiApplication.clipboard().clear()
    page.health.copy.click()
    qtbot.waitUntil(lambda: "SQLite" in QGuiApplication.clipboard().text())
    assert str(tmp_path) not in QGuiApplication.clipboard().text()
    assert "<data folder>" in QGuiApplication.clipboard().text()


def test_the_page_rests_while_nobody_looks(page: PrivacyPage, real_window: MainWindow) -> None:
    assert page._timer.isActive()
    real_window.show_library()
    assert not page._timer.isActive()


def _is_hidden(window: MainWindow) -> Callable[[], bool]:
    return lambda: not window.isVisible()


def test_a_program_that_was_told_to_forget_leaves_nothing(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the button to the end of the program, with the window's own files and log-in."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    data = tmp_path / "data"
    if sys.platform == "linux":
        autostart(data).switch(is_on=True)
    desktop = Desktop(qapp, lambda: App.open(data, fake_engines()), data)
    with qtbot.waitSignal(desktop.opened, timeout=20_000):
        desktop.start()
    page = opened(desktop.window, "privacy", PrivacyPage)
    page.erase.begin.click()
    page.erase.word.setText("delete")
    page.erase.confirm.click()
    qtbot.waitUntil(_is_hidden(desktop.window))
    assert desktop.finish() == 0
    desktop.window.deleteLater()
    desktop.theme.deleteLater()
    desktop.deleteLater()
    del desktop, page
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert not data.exists()
    assert not list(tmp_path.rglob("*.desktop"))


# ---------------------------------------------------------------------- rarer states


def test_a_download_and_a_refusal_are_listed(
    app: FakeApp, window: MainWindow, qtbot: QtBot
) -> None:
    app.connections.use_it()
    page = opened(window, "privacy", PrivacyPage)
    qtbot.waitUntil(lambda: page.network.status.title.text() == "2 connections since start")
    assert "1 attempt was refused." in page.network.status.sentence.text()
    refused = "Language model: connections of Python code are refused."
    qtbot.waitUntil(lambda: "192.0.2.7:443" in _texts(page) and refused in _texts(page))
    said = _texts(page)
    assert "Connection: 192.0.2.7:443 · model small-model" in said
    assert "Look-up of a name: telemetry.example · refused" in said
    assert "Search index: the system refuses them every connection." in said


def test_problems_come_first_and_are_repaired(
    app: FakeApp, window: MainWindow, qtbot: QtBot
) -> None:
    page = opened(window, "privacy", PrivacyPage)
    page.check.check.click()
    qtbot.waitUntil(lambda: page.check.repair.isVisible())
    assert page.check.head.title.text() == "1 problem was found."
    qtbot.waitUntil(lambda: "2 must be read again." in _texts(page))
    said = _texts(page)
    assert said.index("2 must be read again.") < said.index("1 of 3 cannot be reached now.")
    page.check.repair.click()
    qtbot.waitUntil(lambda: page.check.head.title.text() == "1 check, nothing wrong.")
    assert app.health.repairs == 1
    assert window.notice.sentence.text() == "Queued 2 files to be read again."
    assert not page.check.repair.isVisible()


def test_workers_tell_what_befell_them(app: FakeApp, window: MainWindow, qtbot: QtBot) -> None:
    page = opened(window, "privacy", PrivacyPage)
    qtbot.waitUntil(lambda: "crashed 2 times" in _texts(page))
    said = _texts(page)
    assert "Running · 160 MB of memory · started 2 more times · crashed 2 times" in said
    assert "Switched off for a while" in said
    assert "35 files searchable" in said
