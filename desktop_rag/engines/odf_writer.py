"""Turns the body of an OpenDocument text or slide into blocks: what is shown, in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from desktop_rag.domain.documents import BlockKind, PartKind
from desktop_rag.domain.hidden_text import leave_out
from desktop_rag.domain.text_cleaning import clean_characters, clean_line
from desktop_rag.engines.drawingml import picture_words
from desktop_rag.engines.numerals import whole
from desktop_rag.engines.odf_styles import (
    CHART,
    DC,
    DRAW,
    OFFICE,
    SVG,
    TABLE,
    TEXT,
    XLINK,
    OdfStyles,
)
from desktop_rag.engines.odf_tables import cells_of, table_texts
from desktop_rag.engines.part_assembly import PartAssembler

_PARAGRAPHS = frozenset({TEXT + "p", TEXT + "h"})
_LEFT_OUT = frozenset(
    {TEXT + tag for tag in ("tracked-changes", "ruby-text", "table-of-content", "sequence-decls")}
    | {OFFICE + "forms", OFFICE + "event-listeners"}
)
_SHAPE_NAMES = (
    "frame", "custom-shape", "g", "a", "rect", "ellipse", "circle", "polygon", "path", "line",
    "connector", "caption", "polyline", "regular-polygon",
)  # fmt: skip
_SHAPES = frozenset({DRAW + name for name in _SHAPE_NAMES})
_MAX_SPACES = 20


@dataclass(slots=True)
class _Words:
    """What a paragraph holds beside its text."""

    pieces: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    shapes: list[Any] = field(default_factory=list)


class OdfWriter(PartAssembler):
    """Writes one document.

    Args:
        styles: of the whole document.
        load: gives the root of an object inside the document by its link, `None` if there is none.
    """

    def __init__(self, styles: OdfStyles, load: Callable[[str], Any | None]) -> None:
        super().__init__()
        self.title = ""
        self.pictures = 0
        self._styles = styles
        self._load = load
        self._pending: list[str] = []
        """Footnotes to be written when the list or paragraph is complete."""
        self._comments: list[tuple[str, str]] = []

    def add_blocks(self, container: Any) -> None:
        """Everything that is shown in a body, section, cell or text box."""
        for element in container:
            tag = element.tag
            if tag in _LEFT_OUT or self._is_hidden(element):
                continue
            if tag in _PARAGRAPHS:
                self._add_paragraph(element)
            elif tag == TEXT + "list":
                self._add_list(element, element.get(TEXT + "style-name") or "", 0)
            elif tag == TABLE + "table":
                self._add_table(element)
            elif tag in _SHAPES:
                self.add_shape(element)
            elif tag == OFFICE + "annotation":
                self.keep_comment(element)
            elif isinstance(tag, str) and tag.startswith(TEXT):
                self.add_blocks(element)  # sections, indexes, numbered paragraphs
        self._add_notes()

    def add_shape(self, shape: Any) -> None:
        """Words, tables, charts and descriptions in a drawing."""
        if shape.tag in (DRAW + "g", DRAW + "a"):
            for element in shape:
                if element.tag in _SHAPES:
                    self.add_shape(element)
        elif shape.tag == DRAW + "frame":
            self._add_frame(shape)
        else:
            self.add_blocks(shape)
        self._add_description(shape)

    def _add_frame(self, frame: Any) -> None:
        """A frame holds one thing, with simpler pictures of it for other programs."""
        for element in frame:
            if element.tag == DRAW + "text-box":
                self.add_blocks(element)
            elif element.tag == TABLE + "table":
                self._add_table(element)
            elif element.tag == DRAW + "object":
                self._add_object(element)
            elif element.tag == DRAW + "image":
                self.pictures += frame.find(DRAW + "object") is None
                break

    def _add_object(self, element: Any) -> None:
        root = self._load(element.get(XLINK + "href") or "")
        chart = next(root.iter(CHART + "chart"), None) if root is not None else None
        if chart is not None:
            title = chart.find(CHART + "title")
            self.add(BlockKind.PARAGRAPH, self.words_of(title) if title is not None else "")
            for table in chart.iter(TABLE + "table"):
                self.add_table(_with_corner(table_texts(table, self.words_of)))
        elif root is not None and isinstance(root.tag, str) and root.tag.endswith("}math"):
            self.add(BlockKind.PARAGRAPH, clean_line(" ".join(_formula(root))))

    def _add_description(self, shape: Any) -> None:
        described = shape.findtext(SVG + "desc") or shape.findtext(SVG + "title") or ""
        words = picture_words({"descr": described})
        self.add(BlockKind.PARAGRAPH, f"Picture: {words}" if words else "")

    def _add_paragraph(self, paragraph: Any) -> None:
        text, words = self._read(paragraph)
        if paragraph.tag == TEXT + "h" and text:
            self._add_notes()
            self.title = self.title or clean_line(text)
            depth = max(whole(paragraph.get(TEXT + "outline-level"), 1, 9), 1)
            self.add(BlockKind.HEADING, clean_line(text), depth)
        else:
            self.add(BlockKind.PARAGRAPH, text)
        self._pending.extend(words.notes)
        self._add_notes()
        for shape in words.shapes:
            self.add_shape(shape)

    def _add_list(self, element: Any, style: str, depth: int) -> None:
        number = self._styles.first_number(style, depth)
        for item in element:
            if item.tag not in (TEXT + "list-item", TEXT + "list-header"):
                continue
            number = whole(item.get(TEXT + "start-value"), number)
            mark = self._styles.mark(style, depth, number)
            number += item.tag == TEXT + "list-item"
            self._add_item(item, style, mark, depth)

    def _add_item(self, item: Any, style: str, mark: str, depth: int) -> None:
        for element in item:
            if element.tag == TEXT + "list":
                self._add_list(element, element.get(TEXT + "style-name") or style, depth + 1)
            elif element.tag == TEXT + "h":
                self._add_paragraph(element)
            elif element.tag == TEXT + "p" and not self._is_hidden(element):
                text, words = self._read(element)
                if text:
                    self.add_item(text, mark, depth)
                    mark = "  "
                self._pending.extend(words.notes)
                for shape in words.shapes:
                    self.add_shape(shape)

    def _add_table(self, table: Any) -> None:
        rows = cells_of(table)
        if all(len(row) <= 1 for row in rows):
            for row in rows:
                for cell in row:
                    self.add_blocks(cell)
            return
        self.add_table(table_texts(table, self.words_of))
        self._add_notes()

    def words_of(self, container: Any) -> str:
        """All words in a cell, title or box on one line."""
        texts = []
        walker = etree.iterwalk(container, events=("start",))
        for _, element in walker:
            if element.tag in _LEFT_OUT or self._is_hidden(element):
                walker.skip_subtree()
            elif element.tag in _PARAGRAPHS:
                walker.skip_subtree()
                text, words = self._read(element)
                texts.append(text)
                texts.extend(self.words_of(shape) for shape in words.shapes)
                self._pending.extend(words.notes)
        return clean_line(" ".join(texts))

    def _is_hidden(self, element: Any) -> bool:
        """Whether an element is not shown; then it is named and passed over."""
        if not self._styles.is_hidden(element):
            return False
        leave_out("hidden or tiny", " ".join(element.itertext()))
        return True

    def _read(self, paragraph: Any) -> tuple[str, _Words]:
        """Text of a paragraph with its line breaks, and what is anchored in it."""
        words = _Words()
        walker = etree.iterwalk(paragraph, events=("start", "end"))
        for event, element in walker:
            if event == "end":
                if element is not paragraph:
                    words.pieces.append(element.tail or "")
            elif self._is_apart(element, words) or (
                element is not paragraph and self._is_hidden(element)
            ):
                walker.skip_subtree()
            else:
                words.pieces.append(_shown(element))
        lines = clean_characters("".join(words.pieces)).split("\n")
        return "\n".join(line for line in map(clean_line, lines) if line), words

    def _is_apart(self, element: Any, words: _Words) -> bool:
        """Whether an element is no running text; notes, comments and drawings are kept."""
        tag = element.tag
        if tag == TEXT + "note":
            citation = clean_line(element.findtext(TEXT + "note-citation") or "")
            body = element.find(TEXT + "note-body")
            words.pieces.append(f"[{citation}]")
            text = self.words_of(body) if body is not None else ""
            words.notes.extend([f"[{citation}] {text}"] if text else [])
        elif tag == OFFICE + "annotation":
            self.keep_comment(element)
        elif tag in _SHAPES:
            words.shapes.append(element)
        else:
            return tag in _LEFT_OUT
        return True

    def keep_comment(self, element: Any) -> None:
        """Remember a comment for `add_comments`."""
        text = clean_line(" ".join("".join(p.itertext()) for p in element.iter(TEXT + "p")))
        self._comments.append((clean_line(element.findtext(DC + "creator") or ""), text))

    def add_comments(self, *, heading: bool) -> None:
        """Write the comments met since the last call as a part."""
        comments = [(author, text) for author, text in self._comments if text]
        self._comments.clear()
        if not comments:
            return
        with self.part(PartKind.COMMENTS):
            self.add(BlockKind.HEADING, "Comments" if heading else "", 1)
            for author, text in comments:
                by = f" by {author}" if author else ""
                self.add(BlockKind.PARAGRAPH, f"Comment{by}: {text}")

    def _add_notes(self) -> None:
        pending, self._pending = self._pending, []
        for note in pending:
            self.add(BlockKind.LIST, note)


def _shown(element: Any) -> str:
    """What stands at the beginning of an element in running text."""
    tag = element.tag
    if tag == TEXT + "s":
        return " " * whole(element.get(TEXT + "c"), 1, _MAX_SPACES)
    if tag == TEXT + "tab":
        return " "
    if tag == TEXT + "line-break":
        return "\n"
    return (element.text or "") if isinstance(tag, str) else ""


def _with_corner(rows: list[list[str]]) -> list[list[str]]:
    """A chart's table has an empty corner, which would be taken for no column."""
    if rows and rows[0] and not rows[0][0]:
        return [["Category", *rows[0][1:]], *rows[1:]]
    return rows


def _formula(root: Any) -> list[str]:
    """A formula as its author typed it, else its symbols in order."""
    typed = [e.text or "" for e in root.iter() if str(e.tag).endswith("}annotation")]
    return typed or [text for text in root.itertext() if text.strip()]
