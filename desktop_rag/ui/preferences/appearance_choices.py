"""Rows for how the window looks: colours, contrast, size of text, language."""

from __future__ import annotations

from collections.abc import Callable

from desktop_rag.ui.preferences.choices import Choice, at_once
from desktop_rag.ui.preferences.controls import ChoiceControl, SwitchControl
from desktop_rag.ui.preferences.row import SettingRow
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.theme import Appearance, Theme
from desktop_rag.ui.translation import LANGUAGES, _, numeral

_SCALES = (100, 110, 125, 150, 175, 200)


class AppearanceChoices:
    """`rebuild` is called for what only another window can show."""

    def __init__(self, theme: Theme, preferences: Preferences, rebuild: Callable[[], None]) -> None:
        self._theme = theme
        self._preferences = preferences
        self._rebuild = rebuild

    def all(self) -> list[Choice]:
        """In the order of the page."""
        return [self._appearance(), self._contrast(), self._text_size(), self._language()]

    def _appearance(self) -> Choice:
        def take(value: str) -> None:
            self._preferences.appearance = Appearance(value)
            self._theme.choose(Appearance(value))

        labels = [
            (Appearance.SYSTEM.value, _("As the system")),
            (Appearance.LIGHT.value, _("Light")),
            (Appearance.DARK.value, _("Dark")),
        ]
        control = ChoiceControl(self._theme, labels)
        sentence = _("Light, dark, or whatever your desktop shows at the moment.")
        row = SettingRow(self._theme, _("Colours"), sentence, control)
        return Choice(row, lambda: self._theme.choice.value, at_once(take), Appearance.SYSTEM.value)

    def _contrast(self) -> Choice:
        def take(value: str) -> None:
            self._preferences.is_high_contrast = value == "on"
            self._theme.set_high_contrast(is_on=value == "on")

        row = SettingRow(
            self._theme,
            _("High contrast"),
            _("Black, white and strong lines. It is on anyway when your system asks for it."),
            SwitchControl(self._theme),
        )
        return Choice(row, lambda: _word(self._preferences.is_high_contrast), at_once(take), "off")

    def _text_size(self) -> Choice:
        def take(value: str) -> None:
            self._preferences.text_scale = int(value) / 100
            self._rebuild()

        labels = [(str(one), _("{percent} %").format(percent=numeral(one))) for one in _SCALES]
        row = SettingRow(
            self._theme,
            _("Size of text"),
            _("All of the window goes with it; documents have a zoom of their own."),
            ChoiceControl(self._theme, labels),
        )
        return Choice(
            row, lambda: str(round(self._preferences.text_scale * 100)), at_once(take), "100"
        )

    def _language(self) -> Choice:
        def take(value: str) -> None:
            self._preferences.language = value
            self._rebuild()

        labels = [("", _("As the system")), *LANGUAGES.items()]
        row = SettingRow(
            self._theme,
            _("Language"),
            _("Of the window. Questions and documents may be in any language."),
            ChoiceControl(self._theme, labels),
        )
        return Choice(row, lambda: self._preferences.language, at_once(take), "")


def _word(is_on: object) -> str:
    return "on" if is_on else "off"
