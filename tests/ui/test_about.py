"""The page About over a program from memory, and over this checkout."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.shipped_parts import Build
from desktop_rag.ui.about import page as about_page
from desktop_rag.ui.about.page import AboutPage
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.preferences.page import SettingsPage
from tests.helpers.fake_app import FakeApp
from tests.helpers.pages import opened


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> AboutPage:
    page = opened(window, "about", AboutPage)
    qtbot.waitUntil(lambda: page.parts.list.count() == 11)
    return page


def _shown(page: AboutPage) -> list[str]:
    rows = [page.parts.list.item(row) for row in range(page.parts.list.count())]
    return [item.text().split("\n")[0] for item in rows if not item.isHidden()]


def test_it_tells_what_was_built_from_what(page: AboutPage) -> None:
    said = [label.text() for label in page.program.facts.labels]
    assert said == ["Version", "0.1.0", "Made from", "commit 017be5f0c2aa of 2030-03-04"]
    assert any("Affero" in label.text() for label in page.program.findChildren(QLabel))


def test_the_program_itself_is_chosen_first_with_its_text(page: AboutPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "Desktop RAG 0.1.0 – AGPL" in page.parts.text.toPlainText())


def test_searching_keeps_parts_by_name_and_by_licence(page: AboutPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.parts.field, "NUM bsd")
    assert _shown(page) == ["numpy 2.4.6"]
    assert page.parts.state.text() == "1 part"
    page.parts.field.setText("lgpl")
    assert _shown(page) == ["Qt 6.11.3"]
    page.parts.field.setText("nothing like it")
    assert _shown(page) == []
    assert page.parts.state.text() == "No part has that in its name or licence."
    page.parts.field.clear()
    assert len(_shown(page)) == 11


def test_the_chosen_part_shows_what_its_licence_needs(page: AboutPage, qtbot: QtBot) -> None:
    page.parts.list.setCurrentRow(9)
    qtbot.waitUntil(lambda: page.parts.text.toPlainText().startswith("Qt 6.11.3 – LGPL"))
    assert "You may exchange it" in page.parts.text.toPlainText()
    assert page.parts.text.accessibleName() == "Licence text of Qt"


def test_a_part_without_licence_and_text_says_so(page: AboutPage, qtbot: QtBot) -> None:
    page.parts.list.setCurrentRow(10)
    qtbot.waitUntil(lambda: "strange 1 – licence not named" in page.parts.text.toPlainText())
    assert "It brought no licence text." in page.parts.text.toPlainText()


def test_going_through_the_list_ends_with_the_last_text(page: AboutPage, qtbot: QtBot) -> None:
    page.parts.list.setFocus()
    for _press in range(6):
        qtbot.keyClick(page.parts.list, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.parts.text.toPlainText().startswith("MuPDF"))
    qtbot.wait(50)
    assert page.parts.text.toPlainText().startswith("MuPDF")


def test_the_details_are_copied(window: MainWindow, page: AboutPage) -> None:
    page.program.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Desktop RAG 0.1.0, commit 017be5f0c2aa of 2030-03-04\n")
    assert "\nnumpy 2.4.6: BSD-3-Clause" in copied
    assert window.notice.sentence.text() == "The details were copied."


def test_the_list_for_machines_is_shown_in_its_folder(
    page: AboutPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Path] = []

    def note(file: Path) -> bool:
        shown.append(file)
        return True

    monkeypatch.setattr(about_page, "show_in_folder", note)
    page.program.show_bill.click()
    assert [file.parent for file in shown] == [Path("/opt/desktop-rag/_internal")]


def test_where_no_folder_can_be_opened_its_place_is_told(
    window: MainWindow, page: AboutPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(about_page, "show_in_folder", lambda _file: False)
    page.program.show_bill.click()
    assert "cannot be opened here" in window.notice.sentence.text()


def test_a_damaged_list_is_told_in_its_place(
    app: FakeApp, open_window: Callable[[FakeApp], MainWindow], qtbot: QtBot
) -> None:
    app.about.error = DesktopRagError("The list is damaged: install the program again.")
    page = opened(open_window(app), "about", AboutPage)
    qtbot.waitUntil(lambda: "damaged" in page.parts.state.text())
    assert not page.parts.field.isEnabled()
    assert not page.program.copy.isEnabled()
    assert page.program.facts.labels[1].text()


def test_a_checkout_has_no_list_for_machines(
    app: FakeApp, open_window: Callable[[FakeApp], MainWindow], qtbot: QtBot
) -> None:
    app.about.built, app.about.bill = Build("0.1.0", is_frozen=False), None
    page = opened(open_window(app), "about", AboutPage)
    qtbot.waitUntil(lambda: page.parts.list.count() == 11)
    assert page.program.bill.isHidden()
    assert "source code" in page.program.facts.labels[3].text()


def test_in_a_narrow_window_the_text_stands_below(
    window: MainWindow, page: AboutPage, qtbot: QtBot
) -> None:
    window.resize(1400, 900)
    qtbot.waitUntil(lambda: page.parts.text.x() > page.parts.list.width())
    window.resize(780, 700)
    qtbot.waitUntil(lambda: page.parts.text.x() < page.parts.list.width())


def test_the_real_library_tells_what_it_runs_on(real_window: MainWindow, qtbot: QtBot) -> None:
    page = opened(real_window, "about", AboutPage)
    qtbot.waitUntil(lambda: page.parts.list.count() > 20, timeout=20_000)
    page.parts.field.setText("numpy")
    assert any(row.startswith("numpy ") for row in _shown(page))


def test_settings_lead_to_it(real_window: MainWindow, qtbot: QtBot) -> None:
    opened(real_window, "settings", SettingsPage).about.click()
    assert real_window.pages.current == "about"
