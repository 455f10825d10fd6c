"""The visible words of a Word paragraph: what was inserted, not what was deleted or hidden."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from desktop_rag.domain.hidden_text import leave_out
from desktop_rag.domain.text_cleaning import clean_characters, clean_line
from desktop_rag.engines.drawingml import MATH_TEXT, picture_words
from desktop_rag.engines.numerals import roman, whole
from desktop_rag.engines.ooxml import FALLBACK, RELATION_ID
from desktop_rag.engines.word_styles import W, is_on, value

_LEFT_OUT = frozenset(
    {W + tag for tag in ("del", "moveFrom", "instrText", "delText", "pPr", "rt")} | {FALLBACK}
)
"""`rt` is the reading printed above a Japanese word; the word itself follows."""
_PLAIN = {
    W + "br": "\n", W + "cr": "\n", W + "noBreakHyphen": "-", W + "ptab": " ",
}  # fmt: skip
_SYMBOLS = {
    "F0FE": "☒", "F0FD": "☒", "F078": "☒", "F053": "☒", "F052": "☒", "F0A8": "☐", "F06F": "☐",
    "F0A3": "☐", "F071": "☐", "F0FC": "✓", "F0FB": "✗", "F0B7": "•", "F0A7": "▪", "F0E0": "→",
    "F0B0": "°", "F0B1": "±", "F0B3": "≥", "F0D7": "×",
}  # fmt: skip
"""Characters of the Wingdings and Symbol fonts that carry meaning."""
_DESCRIBED = "}docPr"
_WHITE = re.compile("F[A-F]F[A-F]F[A-F]", re.IGNORECASE)
_TINY_HALF_POINTS = 3


@dataclass(slots=True)
class NoteNumbers:
    """Numbers of footnotes and endnotes in the order in which the text refers to them."""

    footnotes: dict[str, str] = field(default_factory=dict)
    endnotes: dict[str, str] = field(default_factory=dict)

    def footnote(self, key: str) -> str:
        """`1`, `2` …"""
        return self.footnotes.setdefault(key, str(len(self.footnotes) + 1))

    def endnote(self, key: str) -> str:
        """`i`, `ii` …"""
        return self.endnotes.setdefault(key, roman(len(self.endnotes) + 1))


@dataclass(slots=True)
class Words:
    """What a paragraph holds: text, and what its text refers to."""

    text: str = ""
    footnotes: list[str] = field(default_factory=list)
    """Ids of footnotes that are referred to for the first time."""
    drawings: list[str] = field(default_factory=list)
    """Relation ids of charts and diagrams."""
    commented: dict[str, str] = field(default_factory=dict)
    """By id of a comment the words it is about, as far as they stand in this paragraph."""


class WordReader:
    """Reads paragraphs in order; keeps the count of notes."""

    def __init__(self) -> None:
        self.notes = NoteNumbers()

    def read(self, paragraph: Any) -> Words:
        """Words of a `w:p` with what its text boxes hold."""
        return _Reading(paragraph, self.notes).words()


class _Reading:
    def __init__(self, paragraph: Any, notes: NoteNumbers) -> None:
        self._paragraph = paragraph
        self._notes = notes
        self._pieces: list[str] = []
        self._open_comments: dict[str, int] = {}
        self._found = Words()

    def words(self) -> Words:
        walker = etree.iterwalk(self._paragraph, events=("start", "end"))
        for event, element in walker:
            if event == "end":
                if element.tag == W + "p" and element is not self._paragraph:
                    self._pieces.append("\n")  # paragraphs in a paragraph stand in a text box
            elif element.tag in _LEFT_OUT:
                walker.skip_subtree()
            elif element.tag == W + "r" and (how := self._how_hidden(element)):
                leave_out(how, "".join(t.text or "" for t in element.iter(W + "t")))
                walker.skip_subtree()
            else:
                self._start(element)
        for key in list(self._open_comments):
            self._close_comment(key)
        self._found.text = _cleaned("".join(self._pieces))
        return self._found

    def _how_hidden(self, run: Any) -> str:
        """In which way a run cannot be seen; empty when it can."""
        properties = run.find(W + "rPr")
        if properties is None:
            return ""
        if is_on(properties.find(W + "vanish")):
            return "hidden"
        if 0 < whole(value(properties.find(W + "sz")), 0) <= _TINY_HALF_POINTS:
            return "tiny"
        is_white = _WHITE.fullmatch(value(properties.find(W + "color")))
        return "white" if is_white and not self._is_shaded(run) else ""

    def _is_shaded(self, run: Any) -> bool:
        """Whether anything that says so lies behind a run: shading, a highlight, a drawn shape."""
        if run.find(f"{W}rPr/{W}highlight") is not None:
            return True
        for element in (run, *run.iterancestors()):
            properties = element.find(f"{element.tag}Pr") if isinstance(element.tag, str) else None
            shade = properties.find(W + "shd") if properties is not None else None
            if value(shade) == "solid" or _is_dark(shade):
                return True
            # A table takes colours from its style, a text box from its shape.
            if element.tag in (W + "tbl", W + "txbxContent"):
                return True
            if element.find(W + "background") is not None:
                return True
        return False

    def _start(self, element: Any) -> None:
        tag = element.tag
        if tag == W + "t" or tag == MATH_TEXT:
            self._pieces.append(element.text or "")
        elif tag in _PLAIN:
            self._pieces.append(_PLAIN[tag])
        elif tag == W + "tab" and element.getparent().tag == W + "r":
            self._pieces.append(" ")
        elif tag == W + "p" and element is not self._paragraph:
            self._pieces.append("\n")
        elif tag == W + "sym":
            self._pieces.append(_symbol(element))
        elif tag == W + "checkBox":
            self._pieces.append(_box(element))
        elif isinstance(tag, str) and tag.endswith(_DESCRIBED):
            words = picture_words(element)
            self._pieces.append(f"\nPicture: {words}\n" if words else "")
        else:
            self._refer(element)

    def _refer(self, element: Any) -> None:
        tag, key = element.tag, element.get(W + "id") or ""
        if tag == W + "footnoteReference":
            if key not in self._notes.footnotes:
                self._found.footnotes.append(key)
            self._pieces.append(f"[{self._notes.footnote(key)}]")
        elif tag == W + "endnoteReference":
            self._pieces.append(f"[{self._notes.endnote(key)}]")
        elif tag == W + "commentRangeStart":
            self._open_comments[key] = len(self._pieces)
        elif tag == W + "commentRangeEnd":
            self._close_comment(key)
        elif isinstance(tag, str) and tag.endswith(("}chart", "}relIds")):
            drawn = element.get(RELATION_ID + "id") or element.get(RELATION_ID + "dm")
            self._found.drawings.extend([drawn] if drawn else [])

    def _close_comment(self, key: str) -> None:
        begun = self._open_comments.pop(key, None)
        if begun is not None:
            self._found.commented[key] = clean_line("".join(self._pieces[begun:]))


def _cleaned(text: str) -> str:
    lines = clean_characters(text).split("\n")
    return "\n".join(line for line in map(clean_line, lines) if line)


def _is_dark(shade: Any | None) -> bool:
    fill = (shade.get(W + "fill") or "auto") if shade is not None else "auto"
    return fill != "auto" and not _WHITE.fullmatch(fill)


def _symbol(element: Any) -> str:
    code = (element.get(W + "char") or "").upper()
    if code in _SYMBOLS:
        return _SYMBOLS[code]
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    # F000-F0FF is a font's own set: its characters mean nothing without the font.
    return "" if 0xE000 <= number <= 0xF8FF or number > 0x10FFFF else chr(number)


def _box(element: Any) -> str:
    """An old form's box; new ones hold their character as text."""
    checked = element.find(W + "checked")
    state = checked if checked is not None else element.find(W + "default")
    return "☒" if is_on(state) else "☐"
