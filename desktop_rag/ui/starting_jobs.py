"""What is done once when the library is open, off the GUI thread: each job may touch the disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices

from desktop_rag.ui.smoothness import Sweeper, leave_the_past_alone
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.update_check import UpdateFound
    from desktop_rag.ui.main_window import MainWindow
    from desktop_rag.ui.theme import Theme

_SETTLED_MS = 3000
_UPDATE_MS = 60 * 60 * 1000
"""A program that runs for weeks looks now and then whether the week is over."""


def begin_work(window: MainWindow, app: App) -> None:
    """Read, watch and have the models ready."""
    for job in (app.start_indexing, app.start_watching, app.warm_up):
        window.background.run(job)


def sweep_once_settled(owner: QObject) -> None:
    """From the end of the start on, for as long as `owner` lives: windows come and go."""

    def settle() -> None:
        leave_the_past_alone()
        Sweeper(owner)

    QTimer.singleShot(_SETTLED_MS, owner, settle)


def follow_updates(window: MainWindow, app: App) -> None:
    """Ask whether there is a newer version, where the person switched that on."""

    def ask() -> None:
        window.background.run(
            app.updates.check_when_due,
            lambda found: tell_update(window, found) if found is not None else None,
        )

    timer = QTimer(window)
    timer.timeout.connect(ask)
    timer.start(_UPDATE_MS)
    QTimer.singleShot(_SETTLED_MS, window, ask)


def tell_update(window: MainWindow, found: UpdateFound) -> None:
    """Say that there is a newer version, with a way to what it brings."""
    sentence = _("Version {newest} is there; you have {current}.")
    window.tell(sentence.format(newest=found.newest, current=found.current))

    def show_page() -> None:
        QDesktopServices.openUrl(QUrl(found.page))

    if found.page:
        window.notice.offer(_("What is new"), show_page)


def show_earlier_crash(window: MainWindow, theme: Theme, own: Path) -> None:
    """What an earlier run left in the folder of `own`, the file of this one."""
    from desktop_rag.ui.crash_bar import show_last_crash

    show_last_crash(window, theme, own.parent, own)
