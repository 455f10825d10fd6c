"""Chats as files, through the window and the real façade; each file is read again."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.answers import Citation, ConversationId
from desktop_rag.domain.chats import file_name
from desktop_rag.ui.history import exporting, pdf
from desktop_rag.ui.history.pdf import PdfMaking
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Appearance, Theme

QUESTION = "How much oil does the pump hold?"


@pytest.fixture
def chat(
    real_app: App, add_files: Callable[[dict[str, str]], Path]
) -> tuple[ConversationId, Citation]:
    """A chat with one answer, and what that rests on."""
    add_files({"pump.md": "# Pump\n\nThe pump holds four litres of oil."})
    handle = real_app.ask(QUESTION)
    return handle.conversation, handle.result(10).citations[0]


@pytest.fixture
def shown(
    real_window: MainWindow, chat: tuple[ConversationId, Citation], qtbot: QtBot
) -> MainWindow:
    real_window.history.refresh()
    qtbot.waitUntil(lambda: real_window.sidebar.model.rowCount() == 1)
    return real_window


def export(window: MainWindow, qtbot: QtBot, kind: int, path: Path) -> Path:
    """Choose a kind in the menu of the chat and a place in the dialogue that follows."""
    panel = window.sidebar.history
    menu = panel.menu_for(window.sidebar.model.chats())
    menu.export.actions()[kind].trigger()
    dialog = name_file(window, path)
    with qtbot.waitSignal(window.history.exporting.written, timeout=10_000) as told:
        dialog.accept()
    assert isinstance(told.args[0], Path)
    assert window.notices.written_bar.isVisible()
    assert path.name in window.notices.written_bar.sentence.text()
    return told.args[0]


def name_file(window: MainWindow, path: Path) -> QFileDialog:
    """Type a path into the dialogue that asks for one."""
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    edit = dialog.findChild(QLineEdit)
    assert edit is not None
    assert edit.text()
    edit.setText(str(path))
    return dialog


def test_a_chat_becomes_markdown(shown: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    text = export(shown, qtbot, 0, tmp_path / "oil.md").read_text(encoding="utf-8")
    assert text.startswith("# How much oil")
    assert "**\\[1\\] Pump**" in text
    assert "> The pump holds four litres of oil." in text


def test_a_chat_becomes_a_page(shown: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    text = export(shown, qtbot, 1, tmp_path / "oil.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert 'class="cite"' in text
    assert "The pump holds four litres of oil." in text


def test_a_chat_becomes_a_pdf(
    shown: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    theme.choose(Appearance.DARK)
    path = export(shown, qtbot, 2, tmp_path / "oil.pdf")
    with pymupdf.open(path) as document:
        text = document[0].get_text()
        picture = document[0].get_pixmap(dpi=50)
        assert document.metadata["title"] == QUESTION
    assert QUESTION in text
    assert "[1] Pump" in text
    assert "The pump holds four litres of oil." in text
    assert picture.pixel(2, 2) == (255, 255, 255)
    assert min(picture.samples) < 90  # dark letters also from a dark window


def test_a_chat_becomes_json(
    shown: MainWindow, chat: tuple[ConversationId, Citation], qtbot: QtBot, tmp_path: Path
) -> None:
    made = json.loads(export(shown, qtbot, 3, tmp_path / "oil.json").read_text(encoding="utf-8"))
    citation = made["messages"][1]["answer"]["citations"][0]
    assert (citation["path"], citation["quote"]) == (chat[1].path, chat[1].quote)
    assert citation["sha256"] == chat[1].sha256


def test_one_answer_becomes_a_file_with_its_question(
    shown: MainWindow, real_app: App, qtbot: QtBot, tmp_path: Path
) -> None:
    """The chat goes on with the same question: only the answer that was chosen is written."""
    shown.history.open(shown.sidebar.model.chats()[0].id)
    qtbot.waitUntil(lambda: len(shown.chat.messages.answers()) == 1)
    shown.session.ask("And once more: how much oil?")
    qtbot.waitUntil(lambda: not shown.session.is_busy, timeout=10_000)
    answer = shown.chat.messages.answers()[-1]
    qtbot.waitUntil(answer.footer.export_button.isVisible)
    answer.footer.export_menu().actions()[3].trigger()
    qtbot.waitUntil(lambda: shown.findChild(QFileDialog) is not None)
    offered = shown.findChild(QFileDialog)
    assert offered is not None
    assert Path(offered.selectedFiles()[0]).name == "And once more how much oil.json"
    dialog = name_file(shown, tmp_path / "one.json")
    with qtbot.waitSignal(shown.history.exporting.written):
        dialog.accept()
    made = json.loads((tmp_path / "one.json").read_text())
    assert made["messages"][0]["text"] == "And once more: how much oil?"
    assert len(made["messages"]) == 2


def test_the_suffix_is_added_and_a_file_is_replaced_whole(
    shown: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "oil.md").write_text("x" * 100_000)
    exporting_ = shown.history.exporting
    with qtbot.waitSignal(exporting_.written):
        exporting_.write(tmp_path / "oil.md", "markdown", shown.sidebar.model.chats()[0].id)
    assert (tmp_path / "oil.md").read_text().startswith("# How much oil")
    assert {one.name for one in tmp_path.iterdir()} == {"data", "documents", "oil.md"}
    path = export(shown, qtbot, 0, tmp_path / "other")
    assert path == tmp_path / "other.md"


@pytest.mark.parametrize("kind", ["markdown", "pdf"])
def test_a_folder_that_is_not_there_is_told(
    shown: MainWindow, qtbot: QtBot, tmp_path: Path, kind: str
) -> None:
    shown.history.exporting.write(
        tmp_path / "gone" / "oil", kind, shown.sidebar.model.chats()[0].id
    )
    qtbot.waitUntil(lambda: "There is no folder" in shown.notice.sentence.text())
    assert not shown.notices.written_bar.isVisible()


def test_personal_data_is_masked_when_that_is_chosen(
    shown: MainWindow, real_app: App, qtbot: QtBot, tmp_path: Path
) -> None:
    chat = shown.sidebar.model.chats()[0].id
    real_app.rename_conversation(chat, "Mail of anna.weber@example.org")
    real_app.change_setting("mask_personal_data", "on")
    for kind in ("markdown", "pdf"):
        with qtbot.waitSignal(shown.history.exporting.written):
            shown.history.exporting.write(tmp_path / f"a.{kind}", kind, chat)
    assert "anna.weber" not in (tmp_path / "a.markdown").read_text()
    with pymupdf.open(tmp_path / "a.pdf") as document:
        text = document[0].get_text()
    assert "anna.weber" not in text
    assert "EMAIL" in text


def test_the_bar_shows_the_file_in_its_folder(
    shown: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(exporting, "show_in_folder", opened.append)
    shown.notices.written_bar.show_written(tmp_path / "a.md")
    qtbot.mouseClick(shown.notices.written_bar.button, Qt.MouseButton.LeftButton)
    assert opened == [tmp_path / "a.md"]


def test_a_long_pdf_lets_the_window_breathe_and_cuts_no_line(qtbot: QtBot, qapp: object) -> None:
    rows = "".join(f"<tr><td>Row {n}</td><td>Value {n}</td></tr>" for n in range(120))
    pieces = [f"<h1>Long</h1><table>{rows}</table>"]
    pieces += [f"<p>Paragraph {n}. {'More words of it. ' * 30}</p>" for n in range(60)]
    making = PdfMaking("Long", pieces, qapp)  # type: ignore[arg-type]
    beats: list[int] = []
    clock = QTimer()
    clock.timeout.connect(lambda: beats.append(1))
    clock.start(1)
    with qtbot.waitSignal(making.done, timeout=20_000) as told:
        making.start()
    clock.stop()
    assert len(beats) >= 2  # a quick machine is done after a few
    with pymupdf.open(stream=told.args[0], filetype="pdf") as document:
        pages = [page.get_text() for page in document]
        assert len(pages) > 5
    text = "\n".join(pages)
    found = re.findall(r"Row (\d+)\s+Value (\d+)", text)
    assert found == [(str(n), str(n)) for n in range(120)]
    assert all(f"Paragraph {n}." in text for n in range(60))
    assert all(page.rstrip().endswith(str(n)) for n, page in enumerate(pages, 1))
    making.deleteLater()


def test_a_second_pdf_does_not_take_the_place_of_the_first(
    shown: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    paths = [tmp_path / "one.pdf", tmp_path / "two.pdf"]
    for path in paths:  # painted before either has had its first slice
        shown.history.exporting._paint(path, path.stem, [f"<p>This is {path.stem}.</p>"])
    qtbot.waitUntil(lambda: all(path.exists() for path in paths))
    for path in paths:
        with pymupdf.open(path) as document:
            assert f"This is {path.stem}." in document[0].get_text()


def test_half_a_pdf_is_not_handed_over(
    qtbot: QtBot, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bytes] = []
    adapt = pdf._adapted

    def fail(piece: str) -> str:
        if "second" in piece:
            raise ZeroDivisionError
        return adapt(piece)

    monkeypatch.setattr(pdf, "_adapted", fail)
    making = PdfMaking("Half", ["<p>The first.</p>", "<p>The second.</p>"], qapp)  # type: ignore[arg-type]
    making.done.connect(made.append)
    with qtbot.captureExceptions() as caught:
        making.start()
        qtbot.waitUntil(lambda: bool(caught))
        qtbot.wait(50)  # what is not to come
    assert not made
    making.stop()
    making.deleteLater()


def test_closing_gives_up_a_pdf_on_its_way(shown: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    shown.history.exporting.write(tmp_path / "oil.pdf", "pdf", shown.sidebar.model.chats()[0].id)
    shown.close()
    qtbot.wait(100)
    assert not (tmp_path / "oil.pdf").exists()


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Warranty: 2/3 <new>?", "Warranty 2 3 new.md"),
        ("咖啡机的保修期", "咖啡机的保修期.md"),
        ("con", "con_.md"),
        (" .. ", "chat.md"),
        ("How long is the cover of …", "How long is the cover of.md"),
        ("a\u202eb\x07", "a b.md"),
        ("w" * 300, "w" * 60 + ".md"),
    ],
)
def test_the_name_of_the_file_suits_every_system(title: str, name: str) -> None:
    assert file_name(title, ".md") == name
