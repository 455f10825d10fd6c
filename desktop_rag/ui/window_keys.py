"""The keys that work anywhere in the main window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rag.ui.pages import FIRST_RUN
from desktop_rag.ui.shortcuts import ShortcutsSheet, shortcut
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.ui.main_window import MainWindow


def connect_keys(window: MainWindow) -> None:
    """Give the window its keys."""
    for keys, label, slot in (
        ("Ctrl+N", _("New chat"), window.new_chat),
        ("Ctrl+O", _("Add a folder"), window.library_actions.choose_folder),
        ("Ctrl+Shift+O", _("Add files"), window.library_actions.choose_files),
        ("Ctrl+L", _("To the library and back"), window.toggle_library),
        ("Ctrl+Shift+F", _("Search in all chats"), window.history.begin_search),
        ("Ctrl+K", _("Go to another chat"), window.history.switch),
        ("Ctrl+W", _("Close the document"), window.columns.close_viewer),
        ("Ctrl+Q", _("Quit"), window.quit),
        ("Esc", _("Stop, or close what was opened last"), window.escape),
        ("Ctrl+Z", _("Undo what was done a moment ago"), window.undo_bar.take_back),
        ("Shift+F1", _("First steps"), lambda: window.show_page(FIRST_RUN)),
        ("F1", _("Keyboard shortcuts"), lambda: show_sheet(window)),
        ("F6", _("Go to the next part of the window"), window.columns.focus_next),
    ):
        shortcut(keys, label, slot, window)


def show_sheet(window: MainWindow) -> None:
    """The sheet with all keys."""
    sheet = ShortcutsSheet(window)
    sheet.first_steps.clicked.connect(lambda: window.show_page(FIRST_RUN))
    sheet.open()
