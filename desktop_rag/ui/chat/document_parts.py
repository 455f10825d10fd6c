"""Finds its way in a text document that Qt made from Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import (
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrame,
    QTextTable,
)


def runs(document: QTextDocument, start: int = 0) -> Iterator[tuple[int, int, QTextCharFormat]]:
    """(start, length, format) of all stretches of one format, from the block at `start` on."""
    block = document.findBlock(start)
    while block.isValid():
        run = block.begin()
        while not run.atEnd():
            piece = run.fragment()
            yield piece.position(), piece.length(), piece.charFormat()
            run += 1
        block = block.next()


def tables(frame: QTextFrame) -> list[QTextTable]:
    """The tables of a document, in order."""
    return [child for child in frame.childFrames() if isinstance(child, QTextTable)]


def words_of(table: QTextTable) -> Iterator[str]:
    """What its cells begin with."""
    for row in range(table.rows()):
        yield from row_words(table, row)


def row_words(table: QTextTable, row: int) -> Iterator[str]:
    """The same of one row."""
    for column in range(table.columns()):
        yield table.cellAt(row, column).firstCursorPosition().block().text()


def selection(document: QTextDocument, start: int, end: int) -> QTextCursor:
    """A cursor that holds a stretch of the document."""
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def all_of(block: QTextBlock) -> QTextCursor:
    """A cursor that holds all of a block."""
    cursor = QTextCursor(block)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    return cursor
