"""What the list knows of one message, with or without its words or a widget for it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from desktop_rag.domain.answers import Message, Role
from desktop_rag.domain.transcripts import MessageOutline
from desktop_rag.ui.chat.answer_text import AnswerText
from desktop_rag.ui.theme import scaled

_CHARS_PER_PX = 0.13
"""About 100 in a line of the widest column."""
_LINE_PX = 23
_BUBBLE_PX = 24
_FOOT_PX = 60
_SOURCE_PX = 40
_KEPT_PER_SOURCE = 600
"""Characters a stored citation takes with its quote."""
_MOST_SOURCES = 11
"""More are folded away."""


@dataclass(slots=True, eq=False)
class Entry:
    """One message. `eq=False`: two of the same words are two."""

    outline: MessageOutline | None = None
    """Of a stored message; `None` while it is being written in this window."""
    message: Message | None = None
    """Read from the store; `None` until somebody looks at it."""
    widget: QWidget | None = None
    asked: str = ""
    """The question of an answer that is being written."""
    is_touched: bool = False
    """The person unfolded something in it: a new widget would have it folded again."""

    @property
    def can_be_built(self) -> bool:
        """Whether a widget can be made of what is known."""
        return self.widget is None and self.message is not None

    @property
    def can_be_dropped(self) -> bool:
        """Whether its widget holds nothing that another one would not."""
        if self.widget is None or self.message is None or self.is_touched:
            return False
        texts = self.widget.findChildren(AnswerText)
        is_selected = any(text.textCursor().hasSelection() for text in texts)
        focused = self.widget.focusWidget()
        return not is_selected and not (focused is not None and focused.hasFocus())

    def guess(self, width: int) -> int:
        """About how high it is in a column of that width."""
        if self.outline is None or width <= 0:
            return scaled(_FOOT_PX)
        lines = 1 + int(self.outline.chars * scaled(100) / (100 * width * _CHARS_PER_PX))
        if self.outline.role is Role.USER:
            return scaled(lines * _LINE_PX + _BUBBLE_PX)
        sources = min(_MOST_SOURCES, self.outline.kept // _KEPT_PER_SOURCE)
        return scaled(lines * _LINE_PX + _FOOT_PX + sources * _SOURCE_PX)
