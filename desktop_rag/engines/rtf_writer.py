"""Turns the paragraphs and cells that are found in RTF into blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_rag.domain.documents import BlockKind, PartKind
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines.part_assembly import PartAssembler

_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class ParagraphFormat:
    """Properties of a paragraph, which `\\pard` resets."""

    level: int = 0
    style: int = -1
    depth: int = 0
    in_table: bool = False


PLAIN = ParagraphFormat()


class RtfWriter(PartAssembler):
    """Turns paragraphs and cells into blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.mark = ""
        """Number or bullet of the paragraph that follows, empty for none."""
        self.commenter = ""
        self._cells: list[str] = []
        self._cell: list[str] = []
        """Paragraphs of the cell being read."""
        self._rows: list[list[str]] = []
        self._footnotes: list[str] = []
        self._boxes: list[str] = []
        self._noted = 0
        self._comments: list[tuple[str, str]] = []
        self._edges: list[str] = []

    def paragraph(self, text: str, properties: ParagraphFormat, styles: dict[int, int]) -> None:
        """A paragraph is complete; in a table it is a line of its cell."""
        mark, self.mark = self.mark, ""
        if properties.in_table:
            self._cell.append(text)
            return
        self._end_table()
        level = properties.level or styles.get(properties.style, 0)
        if level and text:
            title = clean_line(text)
            self.title = self.title or title
            lead = f"{clean_line(mark)} " if _is_number(mark) else ""
            self.add(BlockKind.HEADING, lead + title, min(level, 9))
        elif mark.strip() and text:
            lead = f"{clean_line(mark)} " if _is_number(mark) else "- "
            self.add_item(text, lead, properties.depth)
        else:
            self.add(BlockKind.PARAGRAPH, text)
        self._end_notes()

    def cell(self, text: str) -> None:
        """A cell is complete; `text` is its last paragraph."""
        self.mark = ""
        self._cells.append(clean_line(" ".join([*self._cell, text])))
        self._cell.clear()

    def row(self) -> None:
        """A row is complete."""
        if self._cells:
            self._rows.append(self._cells)
        self._cells = []

    @property
    def next_footnote(self) -> int:
        """Number of the footnote that is about to be read."""
        return self._noted + 1

    def box(self, text: str, *, in_table: bool) -> None:
        """A text box comes after the paragraph or in the cell that it is anchored to."""
        if in_table:
            self._cell.append(text)
        else:
            self._boxes.append(text)

    def footnote(self, text: str) -> None:
        """A footnote comes after the paragraph or table that refers to it."""
        self._noted += 1
        self._footnotes.append(f"[{self._noted}] {clean_line(text)}" if text else "")

    def comment(self, text: str) -> None:
        """Keep a comment for the end."""
        self._comments.append((self.commenter, clean_line(text)))
        self.commenter = ""

    def edge(self, text: str) -> None:
        """Keep a page header or footer for the end."""
        self._edges.append(clean_line(text))

    def end(self, text: str) -> None:
        """The text is over; what is still open is closed."""
        if self._cells or self._cell:
            self.cell(text)
            self.row()
        else:
            self.paragraph(text, ParagraphFormat(), {})
        self._end_table()
        self._end_notes()

    def finish(self) -> None:
        """Page headers that say something new, then comments."""
        known = {word.casefold() for word in _WORD.findall(self.text)}
        for text in self._edges:
            words = {word.casefold() for word in _WORD.findall(text)}
            if not words <= known:
                self.add(BlockKind.PARAGRAPH, text)
                known |= words
        if any(text for _, text in self._comments):
            with self.part(PartKind.COMMENTS):
                self.add(BlockKind.HEADING, "Comments", 1)
                for author, text in self._comments:
                    by = f" by {author}" if author else ""
                    self.add(BlockKind.PARAGRAPH, f"Comment{by}: {text}" if text else "")

    def _end_table(self) -> None:
        rows, self._rows = self._rows, []
        if any(len(row) > 1 for row in rows):
            self.add_table(_without_repeats(rows))
        else:
            for row in rows:
                self.add(BlockKind.PARAGRAPH, row[0])
        if rows:
            self._end_notes()

    def _end_notes(self) -> None:
        notes, self._footnotes = self._footnotes, []
        for note in notes:
            self.add(BlockKind.LIST, note)
        boxes, self._boxes = self._boxes, []
        for text in boxes:
            self.add(BlockKind.PARAGRAPH, text)


def _without_repeats(rows: list[list[str]]) -> list[list[str]]:
    """A header row that is repeated on every page comes once; only words make a header."""
    is_header = not any(any(c.isdigit() for c in cell) for cell in rows[0])
    return [row for n, row in enumerate(rows) if not (n and is_header and row == rows[0])]


def _is_number(mark: str) -> bool:
    return any(c.isalnum() for c in mark) and len(mark.strip()) > 1
