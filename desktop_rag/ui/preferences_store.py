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
        self.file = data_dir / "window.ini"
        self._store = QSettings(str(self.file), QSettings.Format.IniFormat)

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

    @property
    def has_tray(self) -> bool:
        """Show an icon in the tray, where the desktop has one."""
        return self.flag("tray", is_on=True)

    @has_tray.setter
    def has_tray(self, value: bool) -> None:
        self.set_flag("tray", is_on=value)

    @property
    def closes_to_tray(self) -> bool:
        """Closing the window keeps the program in the tray."""
        return self.flag("close_to_tray")

    @closes_to_tray.setter
    def closes_to_tray(self, value: bool) -> None:
        self.set_flag("close_to_tray", is_on=value)

    @property
    def notifies(self) -> bool:
        """Tell what happened while the window is out of sight."""
        return self.flag("notifications", is_on=True)

    @notifies.setter
    def notifies(self, value: bool) -> None:
        self.set_flag("notifications", is_on=value)

    @property
    def names_in_notifications(self) -> bool:
        """Notifications may show questions and names of files."""
        return self.flag("names_in_notifications")

    @names_in_notifications.setter
    def names_in_notifications(self, value: bool) -> None:
        self.set_flag("names_in_notifications", is_on=value)

    @property
    def restores_session(self) -> bool:
        """Begin where the person left off."""
        return self.flag("restore_session", is_on=True)

    @restores_session.setter
    def restores_session(self, value: bool) -> None:
        self.set_flag("restore_session", is_on=value)

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
