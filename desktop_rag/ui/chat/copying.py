"""Answers for the clipboard: as plain text, and as Markdown with numbered references."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextListFormat

from desktop_rag.domain.answers import Answer, Citation
from desktop_rag.domain.mentions import mention
from desktop_rag.ui import words
from desktop_rag.ui.chat.typesetter import CODE
from desktop_rag.ui.translation import _

_SIGNS = re.compile(r"([\\`*_\[\]<>#|~])")
"""What Markdown would take for its own in a title."""


def plain_text(document: QTextDocument) -> str:
    """What is read on screen: lists with their numbers, rows of tables apart by tabs."""
    lines: list[str] = []
    block, last_row = document.begin(), None
    while block.isValid():
        row = _row_of(block)
        text = block.text().replace("\u00a0", " ").replace("\u2028", "\n")
        if row is not None and row == last_row:
            lines[-1] = f"{text}\t{lines[-1]}" if _is_turned(block) else f"{lines[-1]}\t{text}"
        elif text or row is not None or _is_code(block):
            gap = [] if not lines or _belongs_together(block) else [""]
            lines += [*gap, f"{_list_sign(block)}{text}"]
        last_row = row
        block = block.next()
    return "\n".join(lines)


def with_sources(answer: Answer) -> str:
    """The answer's Markdown and a list of what its numbers mean."""
    if not answer.citations:
        return answer.text
    listed = "\n".join(f"- \\[{one.number}\\] {_reference(one)}" for one in answer.citations)
    return f"{answer.text.rstrip()}\n\n**{_('Sources')}**\n\n{listed}\n"


def _reference(citation: Citation) -> str:
    title = _SIGNS.sub(r"\\\1", words.title(citation))
    fence = "``" if "`" in citation.path else "`"
    where = _SIGNS.sub(r"\\\1", mention(citation).removeprefix(citation.path).lstrip(", "))
    place = f", {where}" if where else ""
    return f"{title}{place} ({fence}{citation.path}{fence})"


def _belongs_together(block: QTextBlock) -> bool:
    """Whether nothing parts it from the block before it: items, rows and lines of code."""
    before = block.previous()
    is_list = block.textList() is not None and before.textList() is not None
    is_table = _row_of(block) is not None and _row_of(before) is not None
    both_code = _is_code(block) and _is_code(before)
    return is_list or is_table or both_code


def _is_code(block: QTextBlock) -> bool:
    return block.blockFormat().hasProperty(CODE)


def _row_of(block: QTextBlock) -> tuple[int, int] | None:
    cursor = QTextCursor(block)
    table = cursor.currentTable()
    return (table.firstPosition(), table.cellAt(cursor).row()) if table is not None else None


def _is_turned(block: QTextBlock) -> bool:
    """Whether the last column stands first (`table_rows`)."""
    table = QTextCursor(block).currentTable()
    return table.format().layoutDirection() == Qt.LayoutDirection.RightToLeft


def _list_sign(block: QTextBlock) -> str:
    lines = block.textList()
    if not lines:
        return ""
    is_numbered = lines.format().style().value <= QTextListFormat.Style.ListDecimal.value
    sign = lines.itemText(block) if is_numbered else "-"
    return f"{'  ' * (lines.format().indent() - 1)}{sign} "
