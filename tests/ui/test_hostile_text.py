"""Text of documents and models in the window: nothing is loaded, nothing opens by itself."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QImage
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolTip, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.ui.chat import outside_links
from desktop_rag.ui.chat.answer_text import AnswerText
from desktop_rag.ui.chat.document_parts import runs
from desktop_rag.ui.chat.messages import AnswerMessage
from desktop_rag.ui.chat.typesetter import Typesetter
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.plain import PlainLabel, tip
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.viewer.text_view import TextView
from tests.helpers.fake_app import FakeApp

UI = Path(__file__).resolve().parents[2] / "desktop_rag" / "ui"
RED = QColor("#ff0000")
Shown = Callable[[QWidget], QWidget]
pytestmark = pytest.mark.qt_log_ignore("does not support (propagateSizeHints|raise)")
"""What the window system of the tests says about every small window of its own."""


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A red picture; a red point in the window shows that it was read from the disk."""
    image = QImage(QSize(80, 80), QImage.Format.Format_RGB32)
    image.fill(RED)
    file = tmp_path / "red.png"
    assert image.save(str(file))
    return file


def shows_red(widget: QWidget) -> bool:
    shot = widget.grab().toImage()
    points = ((x, y) for x in range(0, shot.width(), 5) for y in range(0, shot.height(), 5))
    return any(shot.pixelColor(x, y) == RED for x, y in points)


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    """Puts a widget into a window that is on screen."""
    windows = []

    def show(widget: QWidget) -> QWidget:
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        QVBoxLayout(window).addWidget(widget)
        window.resize(400, 300)
        with qtbot.waitExposed(window):
            window.show()
        return widget

    return show


class TestAnswers:
    @pytest.mark.parametrize(
        "form",
        ["![plan]({0})", "![plan](file://{0})", "![plan][1]\n\n[1]: {0}", '<img src="{0}">'],
    )
    def test_pictures_are_words(self, shown: Shown, theme: Theme, picture: Path, form: str) -> None:
        text = AnswerText(theme)
        text.set_answer("See " + form.format(picture))
        assert not shows_red(shown(text))
        assert "\ufffc" not in text.toPlainText()
        assert "plan" in text.toPlainText() or "<img" in text.toPlainText()

    def test_not_even_while_the_text_is_laid_out(
        self, shown: Shown, theme: Theme, picture: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Qt reads the file of a picture by itself when it is given none."""
        monkeypatch.setattr(Typesetter, "_disarm", lambda *_: None)
        text = AnswerText(theme)
        text.set_answer(f"![plan]({picture})")
        assert not shows_red(shown(text))

    def test_a_picture_in_the_address_is_not_shown(self, shown: Shown, theme: Theme) -> None:
        dot = "R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="
        text = AnswerText(theme)
        text.set_answer(f"![dot](data:image/gif;base64,{dot})")
        assert not shows_red(shown(text))
        assert text.toPlainText() == "[dot]"

    @pytest.mark.parametrize(
        "address",
        [
            "file:///etc/passwd",
            "file://server/share/a.docx",
            "//server/share/a.docx",
            "\\\\server\\share",
            "javascript:alert(1)",
            "ms-word:ofe|u|https://example.test/a.docx",
            "smb://server/share",
            "vscode://file/etc/passwd",
            "data:text/html,hello",
            "qrc:/x",
            "https:///nowhere",
        ],
    )
    def test_links_to_files_and_programs_are_text(
        self, shown: Shown, theme: Theme, address: str
    ) -> None:
        text = AnswerText(theme)
        text.set_answer(f"Read [the terms]({address}) first.")
        shown(text)
        assert "the terms" in text.toPlainText()
        assert not any(style.isAnchor() for _, _, style in runs(text.document()))
        assert outside_links.offer(text, QUrl(address)) is None

    def test_a_link_to_the_web_shows_where_it_leads_before_it_opens(
        self, shown: Shown, theme: Theme, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened: list[str] = []
        monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
        text = AnswerText(theme)
        text.set_answer("[www.bank.test](https://www.bank.test@evil.test/pay) [1]", {1: "quote"})
        shown(text)
        text.anchorClicked.emit(QUrl("https://www.bank.test@evil.test/pay"))
        box = text.findChild(QMessageBox)
        assert box is not None
        assert "evil.test" in box.text()
        assert "bank.test" not in box.text()
        assert opened == []
        box.button(QMessageBox.StandardButton.Open).click()
        assert opened == ["https://www.bank.test@evil.test/pay"]

    def test_look_alike_letters_show(self, shown: Shown, theme: Theme) -> None:
        parent = shown(AnswerText(theme))
        box = outside_links.offer(parent, QUrl("https://\u0430pple.test/"))
        assert box is not None
        assert "xn--pple" in box.text()
        box.reject()


class TestLabelsAndTips:
    def test_a_label_shows_tags(self, shown: Shown, picture: Path) -> None:
        for label in (PlainLabel(), ElidedLabel()):
            label.setText(f'<img src="{picture}"> title')
            assert not shows_red(shown(label))

    def test_a_tool_tip_shows_tags(self, qapp: QApplication, picture: Path) -> None:
        QToolTip.showText(QPoint(5, 5), tip(f'<img src="{picture}"> quote'))
        tips = [
            w for w in QApplication.topLevelWidgets() if w.metaObject().className() == "QTipLabel"
        ]
        assert tips
        assert not any(shows_red(one) for one in tips)
        QToolTip.hideText()

    def test_a_document_is_shown_as_text(self, shown: Shown, theme: Theme, picture: Path) -> None:
        view = TextView(theme)
        view.show_text(f'<img src="{picture}">\n![plan]({picture})', ())
        assert not shows_red(shown(view))
        assert "<img" in view.toPlainText()

    def test_every_label_of_the_window_is_plain(self, window: MainWindow) -> None:
        rich = [
            label.objectName() or label.text()
            for label in window.findChildren(QLabel)
            if label.textFormat() != Qt.TextFormat.PlainText
        ]
        assert rich == []

    def test_labels_of_the_window_are_plain_wherever_they_are_made(self) -> None:
        """Also those that the test above did not get to see."""
        made = [
            f"{file.name}:{node.lineno}"
            for file in UI.rglob("*.py")
            if file.name != "plain.py"
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Name) and node.id in {"QLabel", "QTextEdit"}
        ]
        assert made == []

    def test_tips_of_an_answer(
        self, shown: Shown, theme: Theme, app: FakeApp, picture: Path
    ) -> None:
        hostile = f'<img src="{picture}">'
        citation = replace(app.citations()[0], quote=hostile, title=hostile, path=hostile)
        answer = replace(app.answer("?", "So [1]."), citations=(citation,), nearest=(hostile,))
        message = AnswerMessage(theme)
        message.complete(answer)
        assert not shows_red(shown(message))
        for widget in message.findChildren(QWidget):
            assert "<img" not in widget.toolTip()
