"""Rows for the settings of the library, which the façade keeps and follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop_rag.settings import setting, shown
from desktop_rag.ui.preferences.choices import Choice, Done, Failed
from desktop_rag.ui.preferences.controls import (
    ChoiceControl,
    Control,
    NumberControl,
    SwitchControl,
    TextControl,
)
from desktop_rag.ui.preferences.row import SettingRow
from desktop_rag.ui.preferences.wording import Row
from desktop_rag.ui.theme import Theme

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background


class LibraryChoices:
    """Makes a `Choice` for a key of `settings.SETTINGS`."""

    def __init__(self, theme: Theme, background: Background, app: App) -> None:
        self._theme = theme
        self._background = background
        self._app = app
        self._is_writing = False
        self._waiting: dict[str, tuple[str, Done, Failed]] = {}

    def choice(self, row: Row) -> Choice:
        """The row with its value."""
        known = setting(row.key)
        return Choice(
            SettingRow(self._theme, row.title, row.sentence, self._control(row)),
            read=lambda: shown(getattr(self._app.settings(), row.key)),
            write=lambda value, done, failed: self._write(row.key, value, done, failed),
            default=shown(known.default),
            is_due=lambda: row.key in self._app.waiting_for_restart(),
        )

    def _control(self, row: Row) -> Control:
        known = setting(row.key)
        if isinstance(known.default, bool):
            return SwitchControl(self._theme)
        if isinstance(known.default, int):
            return NumberControl(self._theme, known.least, known.most, row.suffix, row.zero)
        if known.choices:
            labels = dict(row.choices)
            return ChoiceControl(
                self._theme, [(word, labels.get(word, word)) for word in known.choices]
            )
        return TextControl(self._theme, row.hint)

    def _write(self, key: str, value: str, done: Done, failed: Failed) -> None:
        """One after the other; of a key that is held down only the last value is told of."""
        self._waiting.pop(key, None)
        self._waiting[key] = (value, done, failed)
        self._write_next()

    def _write_next(self) -> None:
        if self._is_writing or not self._waiting:
            return
        key, (value, done, failed) = next(iter(self._waiting.items()))
        del self._waiting[key]
        self._is_writing = True
        app = self._app
        self._background.run(
            lambda: app.change_setting(key, value),
            lambda _: self._on_written(key, done),
            lambda error: self._on_written(key, lambda: failed(error)),
        )

    def _on_written(self, key: str, tell: Callable[[], None]) -> None:
        self._is_writing = False
        if key not in self._waiting:
            tell()
        self._write_next()
