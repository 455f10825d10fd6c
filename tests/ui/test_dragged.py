"""Reading what is dragged onto the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from pytestqt.qtbot import QtBot

from desktop_rag.ui import dragged as module
from desktop_rag.ui.dragged import dragged
from desktop_rag.ui.drop_overlay import DropOverlay
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.mime import FILES_MIME
from desktop_rag.ui.theme import Theme
from tests.helpers.fake_app import FakeApp


def _urls(*told: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl(one) for one in told])
    return data


def test_few_are_known_at_once() -> None:
    found = dragged(_urls("file:///a%20b/%C3%A4.pdf", "https://example.org/x"))
    assert found.first == ("/a b/ä.pdf", "https://example.org/x")
    assert found.number == 2
    assert found.all() == list(found.first)


def test_an_address_may_come_as_text_and_files_of_the_list_are_not_added() -> None:
    text = QMimeData()
    text.setText(" https://example.org/x ")
    assert dragged(text).first == ("https://example.org/x",)
    own = _urls("file:///a.pdf")
    own.setData(FILES_MIME, b"file:///a.pdf")
    assert dragged(own).number == 0


def test_many_are_read_later_and_all_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FEW", 3)
    data = QMimeData()
    data.setData("text/uri-list", b"file:///a%20b\r\nfile:///%C3%A4\r\n" * 3)
    found = dragged(data)
    assert found.first == ("/a b", "/ä", "/a b")
    assert found.number == 6
    assert found.all() == ["/a b", "/ä"] * 3


def test_the_veil_tells_how_many(qtbot: QtBot, theme: Theme) -> None:
    window = MainWindow(theme)
    qtbot.addWidget(window)
    veil = DropOverlay(theme, window)
    veil.cover(("/a", "/b"), 100_000)
    assert "100,000" in veil.heading
    veil.cover(("/a", "https://example.org"), 2)
    assert "“a”" in veil.heading


def test_a_large_drop_is_added(
    window: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "_FEW", 3)
    for n in range(6):
        (tmp_path / f"{n}.txt").write_text("words")
    data = _urls(*(f"file://{tmp_path}/{n}.txt" for n in range(6)))
    window.library_actions.add_dragged(dragged(data))
    qtbot.waitUntil(lambda: "6 files" in window.notices.notice.sentence.text(), timeout=5000)
    assert {f"{n}.txt" for n in range(6)} <= {Path(one.path).name for one in app.library}
