"""A tray where there is none: the offscreen platform of Qt has no such place."""

from __future__ import annotations

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QSystemTrayIcon


class FakeTrayIcon(QSystemTrayIcon):
    """Remembers what it was told. `activated` and `messageClicked` are emitted by tests."""

    def __init__(self) -> None:
        super().__init__()
        self.is_shown = False
        self.messages: list[tuple[str, str]] = []

    def setVisible(self, visible: bool) -> None:  # noqa: N802 - Qt's own
        self.is_shown = visible

    def isVisible(self) -> bool:  # noqa: N802 - Qt's own
        return self.is_shown

    def showMessage(  # type: ignore[override]  # noqa: N802 - Qt's own
        self, title: str, msg: str, icon: QIcon, msecs: int = 0
    ) -> None:
        self.messages.append((title, msg))
