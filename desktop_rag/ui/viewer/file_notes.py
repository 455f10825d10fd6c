"""What is to be said about a file above its text: it changed, it is gone, with the stored quote."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Citation
from desktop_rag.ui import words
from desktop_rag.ui.announce import announce
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.theme import M, S, Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.loading import Loaded, Target
from desktop_rag.ui.viewer.stored_quote import StoredQuote


class FileNotes(QWidget):
    """Hidden for a file that is as it was read.

    Signals:
        find_requested: the person knows where the file is now.
    """

    find_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notice = NoticeBar(theme, "warning")
        self.notice.close_button.hide()
        self.find_button = QPushButton(_("Find it…"))
        self.find_button.clicked.connect(self.find_requested)
        self.notice.add_button(self.find_button)
        self.quote = StoredQuote()
        column = QVBoxLayout(self)
        column.setContentsMargins(M, M, M, M)
        column.setSpacing(S)
        column.addWidget(self.notice)
        column.addWidget(self.quote)
        self.hide()

    def show_for(self, loaded: Loaded) -> None:
        """Say what is to be said about a document that was opened."""
        view, target = loaded.view, loaded.target
        is_other = bool(
            target and target.sha256 and view.file.sha256 and target.sha256 != view.file.sha256
        )
        if not (view.is_missing or view.is_changed or is_other or not loaded.is_found):
            self.hide()
            return
        note, has_quote = self._note(loaded, is_other=is_other)
        self.say(note, quote_of(target) if target and has_quote else "")
        self.find_button.setVisible(view.is_missing)

    def say(self, sentence: str, quote: str = "") -> None:
        """Show a sentence, and a quote as it was stored."""
        self.notice.say(sentence)
        self.find_button.hide()
        self.quote.setText(f"“{words.preview(quote, 600)}”")
        self.quote.setVisible(bool(quote))
        self.show()
        announce(self, sentence)

    def _note(self, loaded: Loaded, *, is_other: bool) -> tuple[str, bool]:
        """The sentence, and whether the stored quote belongs below it."""
        name = words.file_name(loaded.view.file.path)
        if not loaded.is_found:
            return _(
                "This file has changed, and the passage stands in it no more. As it was quoted:"
            ), True
        if loaded.view.is_missing:
            return gone(name), False
        if loaded.view.is_changed and loaded.target is not None:
            return _("This file has changed since it was read. The passage as it was then:"), True
        if loaded.view.is_changed:
            return _("This file has changed since it was read."), False
        assert is_other
        return _(
            "This file has changed since it was quoted; the passage still stands in it."
        ), False


def gone(name: str) -> str:
    """The sentence about a file that is not where it was."""
    sentence = _("“{name}” is not at its place any more; what was read is kept.")
    return sentence.format(name=name)


def quote_of(target: Target) -> str:
    """The text of the place."""
    return target.quote if isinstance(target, Citation) else target.text
