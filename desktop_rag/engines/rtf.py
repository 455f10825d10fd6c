"""Reads RTF: paragraphs, headings, lists, tables, footnotes, comments; every code page of Windows.

Written by hand: striprtf, the library for this, drops footnotes and text boxes, keeps deleted and
hidden text, gives up on half a surrogate pair, and knows neither headings nor cells from text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from desktop_rag.domain.documents import Coverage, ParsedDocument
from desktop_rag.domain.errors import Damaged, NoText, TooLarge
from desktop_rag.domain.hidden_text import leave_out
from desktop_rag.domain.text_cleaning import clean_characters, clean_line
from desktop_rag.engines import rtf_codepages
from desktop_rag.engines.rtf_writer import PLAIN, ParagraphFormat, RtfWriter

MAX_BYTES = 200_000_000
MAX_TOKENS = 8_000_000
MAX_DEPTH = 2_000
_TOKEN = re.compile(
    r"\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([0-9a-fA-F]{2})|(.))|([{}])|([^\\{}\r\n]+)|[\r\n]+",
    re.DOTALL,
)
_TO_MARK = re.compile(r"[^\\{}]*")
_SYMBOLS = {
    "line": "\n", "tab": "\t", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ",
    "qmspace": " ", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\", "\n": "\n", "\r": "\n",
}  # fmt: skip
_PARAGRAPH_ENDS = frozenset({"par", "sect", "page", "column"})
_SKIPPED = frozenset({
    "colortbl", "pict", "objdata", "fldinst", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc",
    "aftncn", "sp", "shprslt", "nonshppict", "private", "xe", "tc", "txe", "rxe", "bkmkstart",
    "bkmkend", "pntxta", "pntxtb", "listtable", "listoverridetable", "revtbl", "filetbl",
    "rsidtbl", "template", "do", "datafield", "formfield", "nonesttables", "pgptbl", "themedata",
    "operator",
})  # fmt: skip
"""Groups without text of the document."""
_EDGES = frozenset({"header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr",
                    "footerf"})  # fmt: skip
_MARKS = frozenset({"listtext", "pntext"})
_KEPT_IF_STARRED = frozenset(
    {"shpinst", "shptxt", "shppict", "annotation", "atnauthor", "listtext", "pntext", "footnote"}
)
_INFO = frozenset({"title", "author", "creatim"})
_TINY_HALF_POINTS = 3
_HEADING = re.compile(r"^(?:heading|überschrift|titre|título|titolo|заголовок)\s*(\d)", re.I)


class RtfParser:
    """`ports.Parser` for RTF."""

    name = "rtf-2"
    suffixes = frozenset({".rtf"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read the file; see `ports.Parser`."""
        if path.stat().st_size > MAX_BYTES:
            raise _too_large(path.name)
        return read_rtf(path.read_bytes(), path.name)


def read_rtf(data: bytes, name: str) -> ParsedDocument:
    """Read an RTF text in memory; also for messages and parts of other documents.

    Args:
        name: of the file, for messages.

    Raises:
        Damaged, NoText, TooLarge: as they say.
    """
    start = data.find(b"{\\rtf", 0, 1024)
    if start < 0:
        raise Damaged(f"“{name}” is not an RTF document; open it in its program and save it again.")
    reader = _Reader(name)
    reader.read(data[start:].decode("latin-1"))
    return reader.document()


def _too_large(name: str) -> TooLarge:
    return TooLarge(f"“{name}” has more than can be read at once; split it into smaller files.")


@dataclass(frozen=True, slots=True)
class _State:
    """What a group passes on to the groups in it."""

    goal: str = "body"
    """Where text goes: `body`, `skip`, `fonts`, `styles`, `mark`, `note`, `comment` …"""
    font: int = -1
    is_hidden: bool = False
    is_tiny: bool = False
    after_unicode: int = 1
    """How many characters stand in for each Unicode character, for old programs."""
    paragraph: ParagraphFormat = PLAIN


@dataclass(slots=True)
class _Flow:
    """Text being gathered: the body, or a note that interrupts it."""

    pieces: list[str] = field(default_factory=list)
    raw: bytearray = field(default_factory=bytearray)
    codec: str = rtf_codepages.DEFAULT

    def flush(self) -> None:
        if self.raw:
            self.pieces.append(self.raw.decode(self.codec, errors="replace"))
            self.raw.clear()

    def take(self) -> str:
        """Everything gathered, cleaned; pairs of surrogates joined, single ones replaced."""
        self.flush()
        text = "".join(self.pieces)
        self.pieces.clear()
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        lines = clean_characters(joined).split("\n")
        return "\n".join(line for line in map(clean_line, lines) if line)


class _Reader:
    """Goes through the text once, token by token, with a stack of groups instead of recursion."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._state = _State()
        self._stack: list[_State] = []
        self._flows = {"body": _Flow()}
        self._codec = rtf_codepages.DEFAULT
        self._charsets: dict[int, int] = {}
        self._codepages: dict[int, str] = {}
        self._styles: dict[int, int] = {}
        self._default_font = -1
        self._defined = -1
        """Number of the font or style being defined."""
        self._to_skip = 0
        self._is_starred = False
        self._info: dict[str, str] = {}
        self._writer = RtfWriter()
        self._hidden: list[str] = []
        self.embedded = 0
        self.pictures = 0

    def read(self, source: str) -> None:
        position, tokens = 0, 0
        while found := _TOKEN.match(source, position):
            position = found.end()
            tokens += 1
            if tokens > MAX_TOKENS:
                raise _too_large(self._name)
            word, number, code, symbol, brace, text = found.groups()
            if brace:
                self._brace(brace)
                if brace == "}" and not self._stack:
                    break  # what follows the outermost group is no part of the document
            elif word:
                position += self._word(word, int(number) if number else None)
            elif code:
                self._bytes(bytes.fromhex(code))
            elif symbol:
                self._symbol(symbol)
            elif text:
                self._bytes(text.encode("latin-1"))
            if self._state.goal == "skip":
                position = self._after_text(source, position)
        self._writer.end(self._flow("body").take())

    def _after_text(self, source: str, position: int) -> int:
        """End of text that is skipped: pictures hold millions of digits."""
        found = _TO_MARK.match(source, position)
        return found.end() if found else position

    def document(self) -> ParsedDocument:
        self._writer.finish()
        leave_out("hidden, deleted or tiny", "".join(self._hidden))
        text = self._writer.text
        if not text.strip():
            more = "; text inside pictures is not read" if self.pictures else ""
            raise NoText(f"“{self._name}” holds no text{more}.")
        notes = []
        if self.pictures:
            notes.append("Pictures are in this file; text inside pictures is not read.")
        if self.embedded:
            notes.append("Files embedded in this document were not read.")
        return ParsedDocument(
            format="rtf",
            text=text,
            blocks=self._writer.blocks,
            title=self._info.get("title", "")[:300] or self._writer.title[:300],
            author=self._info.get("author", "")[:200],
            created=self._info.get("creatim", ""),
            notes=tuple(notes),
            parts=self._writer.parts,
            coverage=Coverage(tables=self._writer.tables),
        )

    def _flow(self, goal: str) -> _Flow:
        return self._flows.setdefault(goal, _Flow())

    def _brace(self, brace: str) -> None:
        self._to_skip = 0
        self._is_starred = False
        self._flow(self._state.goal).flush()
        if brace == "{":
            if len(self._stack) >= MAX_DEPTH:
                raise Damaged(f"“{self._name}” is nested too deeply to be read.")
            self._stack.append(self._state)
        elif self._stack:
            ended, self._state = self._state, self._stack.pop()
            if ended.goal != self._state.goal:
                self._end_of(ended.goal)

    def _end_of(self, goal: str) -> None:
        """A group with a purpose of its own is complete."""
        if goal in ("skip", "fonts", "styles", "body"):
            return
        text = self._flow(goal).take()
        if goal == "mark":
            self._writer.mark = text
        elif goal == "note":
            self._writer.footnote(text)
        elif goal == "comment":
            self._writer.comment(text)
        elif goal == "commenter":
            self._writer.commenter = clean_line(text)
        elif goal == "edge":
            self._writer.edge(text)
        elif goal == "box":
            self._writer.box(text, in_table=self._state.paragraph.in_table)
        elif goal in _INFO and text:
            self._info.setdefault(goal, clean_line(text))

    def _symbol(self, symbol: str) -> None:
        if symbol == "*":
            self._is_starred = True
        elif symbol in "\r\n":
            self._word("par", None)
        elif self._to_skip:
            self._to_skip -= 1
        elif symbol in _SYMBOLS:
            self._characters(_SYMBOLS[symbol])

    def _bytes(self, data: bytes) -> None:
        skipped = min(self._to_skip, len(data))
        self._to_skip -= skipped
        data = data[skipped:]
        state = self._state
        if not data or state.goal == "skip":
            return
        if state.is_hidden or state.is_tiny:
            self._hidden.append(data.decode(self._codec_of(state.font), "replace"))
            return
        if state.goal in ("fonts", "styles"):
            self._define(data)
            return
        flow = self._flow(state.goal)
        codec = self._codec_of(state.font)
        if codec != flow.codec:
            flow.flush()
            flow.codec = codec
        flow.raw += data

    def _characters(self, text: str) -> None:
        state = self._state
        if state.goal in ("skip", "fonts", "styles"):
            return
        if state.is_hidden or state.is_tiny:
            self._hidden.append(text)
            return
        flow = self._flow(state.goal)
        flow.flush()
        flow.pieces.append(text)

    def _codec_of(self, font: int) -> str:
        if font in self._codepages:
            return self._codepages[font]
        charset = self._charsets.get(font if font >= 0 else self._default_font, 1)
        if charset == rtf_codepages.SYMBOL_CHARSET:
            return rtf_codepages.DEFAULT
        return rtf_codepages.of_charset(charset, self._codec)

    def _define(self, data: bytes) -> None:
        """Names of styles tell headings; names of fonts tell nothing."""
        if self._state.goal == "styles":
            heading = _HEADING.match(data.decode("latin-1").strip())
            if heading and self._defined >= 0:
                self._styles[self._defined] = int(heading[1])

    def _word(self, word: str, number: int | None) -> int:
        """Obey a control word; returns how many characters of raw data follow it."""
        starred, self._is_starred = self._is_starred, False
        if word == "bin":
            return max(number or 0, 0)
        if word == "u" and number is not None:
            self._characters(chr(number & 0xFFFF))
            self._to_skip = self._state.after_unicode
        elif self._to_skip:
            self._to_skip -= 1
        elif not self._begins_group(word, starred=starred) and not self._sets(word, number):
            self._structure(word)
        return 0

    def _begins_group(self, word: str, *, starred: bool) -> bool:
        """Whether a word gives the group it stands in a purpose of its own."""
        goal = _GOALS.get(word)
        if self._state.goal == "skip":
            return True
        if word in _INFO and self._state.goal != "info":
            goal = None
        if goal is None and starred and word not in _KEPT_IF_STARRED:
            goal = "skip"
        if goal is None:
            return False
        self._flow(self._state.goal).flush()
        if goal == "note" and self._state.goal == "body":
            self._characters(f"[{self._writer.next_footnote}]")
        self.pictures += word == "pict"
        self.embedded += word == "objdata"
        self._state = replace(self._state, goal=goal)
        return True

    def _sets(self, word: str, number: int | None) -> bool:
        """Fonts, code pages, and what is hidden."""
        state, is_on = self._state, number != 0
        if word == "f":
            self._state = replace(state, font=number or 0)
            self._defined = (number or 0) if state.goal == "fonts" else self._defined
        elif word == "deff":
            self._default_font = number or 0
        elif word == "fcharset":
            self._charsets[self._defined] = number or 0
        elif word == "cpg" and state.goal == "fonts":
            self._codepages[self._defined] = rtf_codepages.of_number(number or 0)
        elif word in ("ansicpg", "mac", "pc", "pca"):
            pages = {"mac": 10000, "pc": 437, "pca": 850}
            self._codec = rtf_codepages.of_number(pages.get(word, number or 0))
        elif word == "uc":
            self._state = replace(state, after_unicode=min(max(number or 0, 0), 8))
        elif word in ("v", "deleted"):
            self._state = replace(state, is_hidden=is_on)
        elif word == "fs":
            self._state = replace(state, is_tiny=0 < (number or 24) <= _TINY_HALF_POINTS)
        elif word == "plain":
            self._state = replace(state, is_hidden=False, is_tiny=False, font=-1)
        else:
            return self._sets_paragraph(word, number)
        return True

    def _sets_paragraph(self, word: str, number: int | None) -> bool:
        if word == "pard":
            self._change_paragraph(PLAIN)
        elif word == "s":
            self._defined = number or 0
            self._change_paragraph(replace(self._state.paragraph, style=number or 0))
        elif word == "outlinelevel":
            level = number + 1 if number is not None and 0 <= number < 9 else 0
            self._change_paragraph(replace(self._state.paragraph, level=level))
        elif word == "ilvl":
            depth = min(max(number or 0, 0), 8)
            self._change_paragraph(replace(self._state.paragraph, depth=depth))
        elif word == "intbl":
            self._change_paragraph(replace(self._state.paragraph, in_table=number != 0))
        elif word in ("yr", "mo", "dy") and self._state.goal == "creatim":
            self._characters(f"{number or 0:02d}" + ("" if word == "dy" else "-"))
        else:
            return False
        return True

    def _change_paragraph(self, paragraph: ParagraphFormat) -> None:
        self._state = replace(self._state, paragraph=paragraph)

    def _structure(self, word: str) -> None:
        goal = self._state.goal
        if word in _SYMBOLS:
            self._characters(_SYMBOLS[word])
        elif goal != "body":
            self._characters("\n" if word in (*_PARAGRAPH_ENDS, "cell", "row") else "")
        elif word in _PARAGRAPH_ENDS:
            text = self._flow("body").take()
            self._writer.paragraph(text, self._state.paragraph, self._styles)
        elif word == "cell":
            self._writer.cell(self._flow("body").take())
        elif word == "nestcell":
            self._characters(" ")
        elif word == "row":
            self._writer.row()


_GOALS = (
    dict.fromkeys(_SKIPPED, "skip")
    | dict.fromkeys(_EDGES, "edge")
    | dict.fromkeys(_MARKS, "mark")
    | dict.fromkeys(_INFO, "")
    | {
        "fonttbl": "fonts", "stylesheet": "styles", "info": "info", "footnote": "note",
        "annotation": "comment", "atnauthor": "commenter", "shptxt": "box", "title": "title",
        "author": "author", "creatim": "creatim",
    }
)  # fmt: skip
