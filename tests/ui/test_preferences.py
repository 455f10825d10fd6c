"""The Settings page: every choice has a control, is kept, and can be taken back."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.errors import DownloadFailed, UserError
from desktop_rag.services.models import ModelRole, ModelState, ModelStatus
from desktop_rag.services.update_check import UpdateFound
from desktop_rag.settings import SETTINGS, Settings
from desktop_rag.ui.background import Background
from desktop_rag.ui.preferences.controls import (
    ChoiceControl,
    Control,
    NumberControl,
    SwitchControl,
    TextControl,
)
from desktop_rag.ui.preferences.page import SettingsPage
from desktop_rag.ui.preferences.surroundings import Surroundings
from desktop_rag.ui.preferences.wording import library_groups
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.theme import Theme


class FakeAutostart:
    def __init__(self) -> None:
        self.on = False
        self.error = ""

    def is_on(self) -> bool:
        return self.on

    def switch(self, *, is_on: bool) -> None:
        if self.error:
            raise UserError(self.error)
        self.on = is_on


@pytest.fixture
def login() -> FakeAutostart:
    return FakeAutostart()


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(tmp_path)


Opener = Callable[..., SettingsPage]


@pytest.fixture
def open_page(
    theme: Theme, real_app: App, preferences: Preferences, login: FakeAutostart, qtbot: QtBot
) -> Iterator[Opener]:
    background = Background()

    def make(*, is_tray_there: bool = True) -> SettingsPage:
        page = SettingsPage(theme, background)
        qtbot.addWidget(page)
        page.surround(Surroundings(preferences, login, is_tray_there))
        page.attach(real_app)
        page.resize(900, 700)
        page.show()
        page.activate()
        return page

    yield make
    background.close()


@pytest.fixture
def page(open_page: Opener) -> SettingsPage:
    return open_page()


def control(page: SettingsPage, key: str) -> Control:
    return page.choices[key].row.control


def switch(qtbot: QtBot, page: SettingsPage, key: str) -> None:
    wanted = control(page, key)
    assert isinstance(wanted, SwitchControl)
    wanted.switch.setFocus()
    qtbot.keyClick(wanted.switch, Qt.Key.Key_Space)


def pick(page: SettingsPage, key: str, value: str) -> None:
    wanted = control(page, key)
    assert isinstance(wanted, ChoiceControl)
    row = wanted.box.findData(value)
    assert row >= 0, value
    wanted.box.setCurrentIndex(row)
    wanted.box.activated.emit(row)


# ---------------------------------------------------------------------- all of them


def test_every_setting_has_a_control(page: SettingsPage) -> None:
    assert {one.key for one in SETTINGS} <= set(page.choices)
    for one in SETTINGS:
        shown = control(page, one.key)
        kind = {bool: SwitchControl, int: NumberControl}.get(type(one.default))
        assert isinstance(shown, kind or (ChoiceControl if one.choices else TextControl)), one.key


def test_every_setting_is_worded_for_people(page: SettingsPage) -> None:
    """A key that somebody adds is shown anyway, under More; here it is missed."""
    for group in library_groups():
        assert group.heading != "More", [row.key for row in group.rows]
        for row in group.rows:
            assert row.sentence.endswith("."), row.key
            known = next(one for one in SETTINGS if one.key == row.key)
            assert {value for value, _ in row.choices} == set(known.choices), row.key


def _names(interface: QAccessibleInterface) -> set[str]:
    """Its own name, and that of its label: on Linux a list of choices is named by that alone."""
    labels = [one for one, kind in interface.relations() if kind == QAccessible.RelationFlag.Label]
    return {one.text(QAccessible.Text.Name) for one in (interface, *labels)}


def test_every_control_says_its_name_and_is_reached_by_tab(
    page: SettingsPage, qtbot: QtBot
) -> None:
    names = {}
    for key, choice in page.choices.items():
        field = choice.row.control.field
        interface = QAccessible.queryAccessibleInterface(field)
        assert choice.row.title.text() in _names(interface), key
        assert field.focusPolicy() & Qt.FocusPolicy.TabFocus, key
        names[key] = interface.role()
    assert names["ocr"] == QAccessible.Role.CheckBox
    assert names["answers"] == QAccessible.Role.ComboBox
    assert names["sweep_minutes"] == QAccessible.Role.SpinBox


def test_the_values_of_the_library_are_shown(
    real_app: App, open_page: Opener, qtbot: QtBot
) -> None:
    real_app.change_setting("ocr", "off")
    real_app.change_setting("sweep_minutes", "1440")
    real_app.change_setting("answers", "thorough")
    real_app.change_setting("leave_out", "csv log")
    page = open_page()
    for key, kind, value in (
        ("ocr", SwitchControl, lambda one: one.switch.isChecked()),
        ("sweep_minutes", NumberControl, lambda one: one.spin.value()),
        ("answers", ChoiceControl, lambda one: one.box.currentText()),
        ("leave_out", TextControl, lambda one: one.edit.text()),
        ("threads", NumberControl, lambda one: one.spin.text()),
    ):
        shown = control(page, key)
        assert isinstance(shown, kind)
        expected = {
            "ocr": False,
            "sweep_minutes": 1440,
            "answers": "Thorough",
            "leave_out": "csv log",
            "threads": "Automatic",
        }
        assert value(shown) == expected[key]
    assert real_app.settings().sweep_minutes == 1440, "showing changes nothing"


# ---------------------------------------------------------------------- choosing


def test_what_is_chosen_is_kept_and_taken_back(
    page: SettingsPage, real_app: App, qtbot: QtBot, tmp_path: Path
) -> None:
    row = page.choices["query_log"].row
    assert row.reset.isHidden()
    switch(qtbot, page, "query_log")
    qtbot.waitUntil(lambda: not real_app.settings().query_log)
    qtbot.waitUntil(lambda: not row.reset.isHidden())
    pick(page, "answers", "fast")
    qtbot.waitUntil(lambda: real_app.settings().answers == "fast")
    spin = control(page, "max_file_mb")
    assert isinstance(spin, NumberControl)
    spin.spin.setValue(7)
    qtbot.waitUntil(lambda: real_app.settings().max_file_mb == 7)
    assert "max_file_mb = 7" in (tmp_path / "data" / "settings.toml").read_text()
    row.reset.setFocus()
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: real_app.settings().query_log)
    qtbot.waitUntil(row.reset.isHidden)
    assert row.control.field.hasFocus(), "the focus does not vanish with the button"


def test_the_last_of_many_values_is_the_one_that_is_kept(
    page: SettingsPage, real_app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = real_app.change_setting

    def slow_at_first(key: str, value: str) -> Settings:
        if value == "11":
            time.sleep(0.2)
        return change(key, value)

    monkeypatch.setattr(real_app, "change_setting", slow_at_first)
    shown = control(page, "sweep_minutes")
    assert isinstance(shown, NumberControl)
    shown.spin.setFocus()
    for _ in range(5):
        qtbot.keyClick(shown.spin, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: real_app.settings().sweep_minutes == 15)
    qtbot.waitUntil(page.choices["sweep_minutes"].row.reset.isVisible)
    assert shown.spin.value() == 15


def test_a_text_is_taken_with_enter_as_the_library_keeps_it(
    page: SettingsPage, real_app: App, qtbot: QtBot
) -> None:
    shown = control(page, "leave_out")
    assert isinstance(shown, TextControl)
    qtbot.keyClicks(shown.edit, ".CSV, log")
    qtbot.keyClick(shown.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: real_app.settings().leave_out == "csv log")
    qtbot.waitUntil(lambda: shown.edit.text() == "csv log")


def test_a_value_that_is_not_taken_says_why_beside_it(
    page: SettingsPage, real_app: App, qtbot: QtBot
) -> None:
    shown, row = control(page, "update_address"), page.choices["update_address"].row
    assert isinstance(shown, TextControl)
    qtbot.keyClicks(shown.edit, "ftp://x")
    qtbot.keyClick(shown.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not row.error.isHidden())
    assert "http or https address" in row.error.text()
    assert shown.edit.text() == "ftp://x", "what was typed can be mended"
    assert real_app.settings() == Settings()
    shown.edit.clear()
    qtbot.keyClicks(shown.edit, "https://x.example/v.json")
    qtbot.keyClick(shown.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(row.error.isHidden)
    assert real_app.settings().update_address == "https://x.example/v.json"


def test_a_full_disk_is_told_beside_the_setting(
    page: SettingsPage, real_app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(key: str, value: str) -> Settings:
        raise UserError("The disk is full. Free some space.")

    monkeypatch.setattr(real_app, "change_setting", full)
    switch(qtbot, page, "ocr")
    qtbot.waitUntil(lambda: "disk is full" in page.choices["ocr"].row.error.text())


def test_what_waits_for_a_restart_says_so(page: SettingsPage, real_app: App, qtbot: QtBot) -> None:
    row = page.choices["gpu"].row
    assert page.restart_bar.isHidden()
    switch(qtbot, page, "gpu")
    qtbot.waitUntil(lambda: not row.note.isHidden())
    assert not page.restart_bar.isHidden()
    with qtbot.waitSignal(page.restart_requested):
        qtbot.mouseClick(page.restart, Qt.MouseButton.LeftButton)
    switch(qtbot, page, "gpu")  # as it was when the engines started
    qtbot.waitUntil(row.note.isHidden)
    assert page.restart_bar.isHidden()


def test_the_wheel_scrolls_the_page_and_changes_nothing(
    page: SettingsPage, real_app: App, qtbot: QtBot
) -> None:
    shown = control(page, "answers")
    assert isinstance(shown, ChoiceControl)
    here = QPointF(shown.box.rect().center())
    turn = QWheelEvent(
        here,
        QPointF(shown.box.mapToGlobal(here)),
        QPoint(),
        QPoint(0, -240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(shown.box, turn)
    assert shown.box.currentData() == "balanced"
    assert not turn.isAccepted(), "Qt hands it on to what is around it"


def test_where_there_is_no_room_the_control_goes_below_the_words(
    page: SettingsPage, qtbot: QtBot
) -> None:
    row = page.choices["chunking"].row
    assert row.control.mapTo(row, QPoint()).x() > row.title.geometry().left() + 100
    page.resize(500, 700)
    qtbot.waitUntil(lambda: row.control.mapTo(row, QPoint()).y() > row.sentence.geometry().bottom())


# ---------------------------------------------------------------------- the window


def test_appearance_is_in_force_at_once(
    page: SettingsPage, theme: Theme, preferences: Preferences, qtbot: QtBot
) -> None:
    pick(page, "Colours", "dark")
    assert (theme.choice.value, preferences.appearance.value) == ("dark", "dark")
    theme.toggle()  # the button in the sidebar
    shown = control(page, "Colours")
    assert isinstance(shown, ChoiceControl)
    assert shown.box.currentText() == "Light"
    seen: list[bool] = []
    for _ in range(2):
        switch(qtbot, page, "High contrast")
        seen.append(theme.is_high_contrast)
    assert seen == [True, False]


def test_language_and_size_of_text_want_another_window(
    page: SettingsPage, preferences: Preferences, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(page.rebuild_requested):
        pick(page, "Size of text", "175")
    assert preferences.text_scale == 1.75
    with qtbot.waitSignal(page.rebuild_requested):
        pick(page, "Language", "de")
    assert preferences.language == "de"


def test_the_system_is_changed_and_kept(
    page: SettingsPage, preferences: Preferences, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(page.surroundings_changed):
        switch(qtbot, page, "Icon in the tray")
    assert not preferences.has_tray
    switch(qtbot, page, "Closing keeps the program in the tray")
    switch(qtbot, page, "Notifications")
    switch(qtbot, page, "Questions in notifications")
    switch(qtbot, page, "Begin where you left off")
    kept = Preferences(preferences.file.parent)
    assert kept.closes_to_tray
    assert not kept.notifies
    assert kept.names_in_notifications
    assert not kept.restores_session


def test_without_a_tray_nothing_of_it_is_offered(open_page: Opener) -> None:
    page = open_page(is_tray_there=False)
    assert not {"Icon in the tray", "Notifications"} & set(page.choices)
    assert "Start when you log in" in page.choices


def test_starting_at_login_is_what_the_system_says(
    login: FakeAutostart, open_page: Opener, qtbot: QtBot
) -> None:
    login.on = True
    page = open_page()
    shown = control(page, "Start when you log in")
    assert isinstance(shown, SwitchControl)
    qtbot.waitUntil(shown.switch.isChecked)
    switch(qtbot, page, "Start when you log in")
    qtbot.waitUntil(lambda: not login.on)
    login.error = "That folder cannot be changed."
    switch(qtbot, page, "Start when you log in")
    row = page.choices["Start when you log in"].row
    qtbot.waitUntil(lambda: "cannot be changed" in row.error.text())


# ---------------------------------------------------------------------- re-ranker, updates


def _reranker(chosen: bool) -> ModelStatus:
    return ModelStatus(
        id="mini-ranker",
        title="Mini ranker",
        role=ModelRole.RERANKER,
        licence="",
        size=1,
        state=ModelState.READY,
        path=None,
        is_default=chosen,
        is_shipped=False,
        needs_memory=1,
        fits_memory=True,
        arrived=0,
    )


def test_without_a_re_ranker_there_is_nothing_to_choose(page: SettingsPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not control(page, "reranker").isEnabled())


def test_a_re_ranker_is_used_from_the_next_start_on(
    open_page: Opener, real_app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    models = real_app.models
    monkeypatch.setattr(models, "entries", lambda: [_reranker(chosen=False)])
    monkeypatch.setattr(models, "set_default", calls.append)
    monkeypatch.setattr(models, "stop_using", lambda role: calls.append(f"none {role}"))
    page = open_page()
    qtbot.waitUntil(control(page, "reranker").isEnabled)
    pick(page, "reranker", "mini-ranker")
    qtbot.waitUntil(lambda: calls == ["mini-ranker"])
    qtbot.waitUntil(lambda: not page.restart_bar.isHidden())
    pick(page, "reranker", "")
    qtbot.waitUntil(lambda: calls == ["mini-ranker", "none reranker"])
    qtbot.waitUntil(page.restart_bar.isHidden)


def test_checking_for_updates_without_an_address_says_so(page: SettingsPage, qtbot: QtBot) -> None:
    row = page.update_row
    qtbot.mouseClick(row.check, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "no address" in row.sentence.text())
    assert row.check.isEnabled()


def test_a_newer_version_is_told_with_a_way_to_it(
    page: SettingsPage, real_app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = page.update_row
    answers: list[UpdateFound | DownloadFailed] = [
        UpdateFound("9.0", "0.1.0", "https://x.example/"),
        UpdateFound("0.1", "0.1.0", "https://x.example/"),
        DownloadFailed("Nobody answers there."),
    ]

    def check() -> UpdateFound:
        answer = answers.pop(0)
        if isinstance(answer, DownloadFailed):
            raise answer
        return answer

    opened: list[str] = []
    monkeypatch.setattr(real_app.updates, "check", check)
    monkeypatch.setattr(
        "desktop_rag.ui.preferences.update_row.QDesktopServices.openUrl",
        lambda url: opened.append(url.toString()),
    )
    qtbot.mouseClick(row.check, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Version 9.0 is there" in row.sentence.text())
    qtbot.mouseClick(row.page_button, Qt.MouseButton.LeftButton)
    assert opened == ["https://x.example/"]
    qtbot.mouseClick(row.check, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "newest version" in row.sentence.text())
    assert row.page_button.isHidden()
    qtbot.mouseClick(row.check, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Nobody answers" in row.sentence.text())
