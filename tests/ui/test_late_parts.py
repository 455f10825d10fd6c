"""What the first screen does not show is made after it, and works all the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.domain.events import IndexingPaused, IndexingProgress
from desktop_rag.ui import late_parts
from desktop_rag.ui.main_window import LIBRARY, MainWindow
from tests.helpers.fake_app import FakeApp, with_sample_library

Opener = Callable[[FakeApp], MainWindow]


@pytest.fixture
def is_never_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quiet moment after the start does not come during a test."""
    monkeypatch.setattr(late_parts, "_QUIET_MS", 10_000_000)


@pytest.mark.usefixtures("is_never_quiet")
def test_library_and_viewer_are_made_when_they_are_needed(open_window: Opener) -> None:
    app = with_sample_library()
    window = open_window(app)
    assert window.pages.made_page(LIBRARY) is None
    assert window.late_viewer.reading is None
    window.escape()
    window.columns.focus_next()
    assert not window.late_viewer.is_made, "asking whether it is open does not make it"
    assert len(window.columns.sizes()) == 3
    window.show_document(app.files()[0])
    assert window.columns.is_viewer_open
    assert window.viewer.isVisible()
    assert window.columns.indexOf(window.viewer) == 2
    assert window.columns.widget(2) is window.viewer
    assert window.columns.sizes()[2] >= window.viewer.minimumWidth()
    window.escape()
    assert not window.columns.is_viewer_open


@pytest.mark.usefixtures("is_never_quiet")
def test_a_library_page_made_late_knows_the_counts_and_follows_the_work(
    open_window: Opener, qtbot: QtBot
) -> None:
    app = with_sample_library()
    window = open_window(app)
    qtbot.waitUntil(lambda: bool(window.sidebar.counts.text()))
    window.show_library()
    assert window.library.head.summary.text()
    window.bridge.progress.emit(IndexingProgress(1, 4, 0, "/docs/a.pdf"))
    assert window.library.progress.isVisible()
    window.bridge.paused.emit(IndexingPaused("The disk is full."))
    assert "disk is full" in window.library.progress.name.text()


def test_a_quiet_moment_makes_them(
    open_window: Opener, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late_parts, "_QUIET_MS", 1)
    window = open_window(with_sample_library())
    qtbot.waitUntil(
        lambda: window.pages.made_page(LIBRARY) is not None and window.late_viewer.is_made
    )
    assert window.pages.current != LIBRARY
    assert not window.columns.is_viewer_open
