"""What a person chose for the window, in `window.ini` of the data folder.

Choices about the library and its answers are `desktop_rag.settings`; these are about looks.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from desktop_rag.ui.theme import MOST_TEXT_SCALE, Appearance


class Preferences:
    """Typed access to the file; what is missing or makes no sense is the default."""

    def __init__(self, data_dir: Path) -> None:
        self._store = QSettings(str(data_dir / "window.ini"), QSettings.Format.IniFormat)

    @property
    def appearance(self) -> Appearance:
        """Light, dark or as the system is."""
        value = str(self._store.value("appearance", ""))
        return Appearance(value) if value in set(Appearance) else Appearance.SYSTEM

    @appearance.setter
    def appearance(self, value: Appearance) -> None:
        self._store.setValue("appearance", value.value)

    @property
    def is_high_contrast(self) -> bool:
        """Black, white and strong lines."""
        return self.flag("high_contrast")

    @is_high_contrast.setter
    def is_high_contrast(self, value: bool) -> None:
        self.set_flag("high_contrast", is_on=value)

    @property
    def text_scale(self) -> float:
        """1 is the usual size of text, 2 twice that."""
        try:
            return min(max(float(str(self._store.value("text_scale", 1.0))), 1.0), MOST_TEXT_SCALE)
        except ValueError:
            return 1.0

    @text_scale.setter
    def text_scale(self, value: float) -> None:
        self._store.setValue("text_scale", value)

    @property
    def language(self) -> str:
        """A code of `translation.LANGUAGES`; empty: the system's."""
        return str(self._store.value("language", ""))

    @language.setter
    def language(self, value: str) -> None:
        self._store.setValue("language", value)

    @property
    def geometry(self) -> QByteArray | None:
        """Where the window was."""
        value = self._store.value("geometry")
        return value if isinstance(value, QByteArray) else None

    @geometry.setter
    def geometry(self, value: QByteArray) -> None:
        self._store.setValue("geometry", value)

    def flag(self, key: str, *, is_on: bool = False) -> bool:
        """A switch; `is_on` is what it is until somebody turns it."""
        return str(self._store.value(key, is_on)).lower() == "true"

    def set_flag(self, key: str, *, is_on: bool) -> None:
        """Turn a switch."""
        self._store.setValue(key, is_on)

    def text(self, key: str) -> str:
        """A remembered text; empty when there is none."""
        return str(self._store.value(key, ""))

    def set_text(self, key: str, value: str) -> None:
        """Remember a text."""
        self._store.setValue(key, value)

    def save(self) -> None:
        """Write it to the file now."""
        self._store.sync()
