"""Rows for the program as a part of the desktop: tray, notifications, log-in, session."""

from __future__ import annotations

from collections.abc import Callable

from desktop_rag.ui.background import Background
from desktop_rag.ui.preferences.choices import Choice, Done, Failed, at_once
from desktop_rag.ui.preferences.controls import SwitchControl
from desktop_rag.ui.preferences.row import SettingRow
from desktop_rag.ui.preferences.surroundings import Surroundings
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _


class SystemChoices:
    """`changed` is called when the tray may have to come or go."""

    def __init__(
        self,
        theme: Theme,
        background: Background,
        around: Surroundings,
        changed: Callable[[], None],
    ) -> None:
        self._theme = theme
        self._background = background
        self._around = around
        self._changed = changed
        self._starts_at_login = False

    def all(self) -> list[Choice]:
        """In the order of the page; what needs a tray only where there is one."""
        tray = self._tray() if self._around.is_tray_there else []
        self.login = self._login()
        starts = [self.login] if self._around.is_login_offered else []
        return [*tray, *starts, self._session()]

    def look_at_login(self) -> None:
        """Another program may have changed what starts at log-in."""

        def found(*, is_on: bool) -> None:
            self._starts_at_login = is_on
            self.login.show()

        if self._around.is_login_offered:
            self._background.run(self._around.autostart.is_on, lambda is_on: found(is_on=is_on))

    def _tray(self) -> list[Choice]:
        return [
            self._flag(
                "has_tray",
                _("Icon in the tray"),
                _("Shows how far reading is, and leads to the window, to Ask and to Pause."),
                "on",
            ),
            self._flag(
                "closes_to_tray",
                _("Closing keeps the program in the tray"),
                _("Reading goes on while the window is closed. Quit is in the menu of the icon."),
                "off",
            ),
            self._flag(
                "notifies",
                _("Notifications"),
                _("When an answer or all reading is done, or something fails, out of your sight."),
                "on",
            ),
            self._flag(
                "names_in_notifications",
                _("Questions in notifications"),
                _(
                    "Shows which question was answered. Others may see your screen; nothing from "
                    "a document is ever shown."
                ),
                "off",
            ),
        ]

    def _flag(self, name: str, title: str, sentence: str, default: str) -> Choice:
        preferences = self._around.preferences

        def take(value: str) -> None:
            setattr(preferences, name, value == "on")
            self._changed()

        row = SettingRow(self._theme, title, sentence, SwitchControl(self._theme))
        return Choice(
            row, lambda: "on" if getattr(preferences, name) else "off", at_once(take), default
        )

    def _session(self) -> Choice:
        return self._flag(
            "restores_session",
            _("Begin where you left off"),
            _("The chat, the page, the open document and what you were typing come back."),
            "on",
        )

    def _login(self) -> Choice:
        sentence = (
            _("The program waits in the tray, and your library is up to date when you need it.")
            if self._around.is_tray_there
            else _("The window opens small, and your library is up to date when you need it.")
        )
        row = SettingRow(
            self._theme, _("Start when you log in"), sentence, SwitchControl(self._theme)
        )
        return Choice(
            row, lambda: "on" if self._starts_at_login else "off", self._write_login, "off"
        )

    def _write_login(self, value: str, done: Done, failed: Failed) -> None:
        is_on = value == "on"

        def written() -> None:
            self._starts_at_login = is_on
            done()

        self._background.run(
            lambda: self._around.autostart.switch(is_on=is_on), lambda _: written(), failed
        )
