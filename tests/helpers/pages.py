"""The pages of a window, by their classes."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

from desktop_rag.ui.main_window import MainWindow

Page = TypeVar("Page", bound=QWidget)


def opened(window: MainWindow, name: str, kind: type[Page]) -> Page:
    """A page, as who goes there finds it."""
    window.show_page(name)
    page = window.pages.page(name)
    assert isinstance(page, kind)
    return page
