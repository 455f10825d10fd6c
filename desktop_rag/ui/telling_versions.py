"""What the window says about versions: of the library it opens, and of other starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rag import __version__
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.ui.main_window import MainWindow


def tell_upgrade(window: MainWindow) -> None:
    """A library of an older version is being opened; it says so until that is done."""
    window.notices.tell_while(
        _(
            "Your library is being brought up to date for this version. A copy of it is made "
            "first; with a large library that takes a minute."
        )
    )


def tell_upgraded(window: MainWindow) -> None:
    """It is done."""
    window.tell(
        _("Your library is up to date for this version. A copy of the old one is kept."), "info"
    )


def tell_other_version(window: MainWindow, version: str) -> None:
    """Another version was started for the same library; this window has it."""
    sentence = _(
        "Version {other} was started, and this window is version {own}. Quit here first to use "
        "the other one."
    )
    window.tell(sentence.format(other=version, own=__version__))
