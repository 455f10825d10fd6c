"""Reads Markdown with markdown-it-py into readable text: words and structure, without the marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_rag.domain.assembly import CELL_GAP, TextAssembler
from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import NoText
from desktop_rag.domain.hidden_text import leave_out
from desktop_rag.domain.text_cleaning import clean_block, clean_line
from desktop_rag.engines.decoding import read_prose

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|author|date)\s*[:=]\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_MAX_NESTING = 60
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<[^<>]{1,2000}>")
_ELEMENT = re.compile(r"<(?P<end>/?)(?P<tag>\w+)(?P<rest>[^<>]{0,2000})>")
_VALUE = re.compile(r"\"[^\"]*\"|'[^']*'")
_IS_HIDDEN = re.compile(r"(?<![\w-])hidden(?![\w-])", re.IGNORECASE)
_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.IGNORECASE
)
_EMPTY = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"})
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class MarkdownParser:
    """`ports.Parser` for Markdown (CommonMark with tables)."""

    name = "markdown-2"
    suffixes = frozenset({".md", ".markdown", ".mdown"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read the file; see `ports.Parser`."""
        text, notes = read_prose(path)
        fields, source = _split_front_matter(clean_block(text))
        parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
        tokens = parser.enable(["table", "strikethrough"]).parse(source)
        is_cut = any(token.level >= _MAX_NESTING - 2 for token in tokens)
        rendered = _Rendering()
        if is_cut:  # the parser leaves out what is nested deeper, and much of what follows
            for paragraph in source.split("\n\n"):
                rendered.add(BlockKind.PARAGRAPH, paragraph.strip("\n"))
        else:
            rendered.add_all(tokens)
        if not rendered.text.strip():
            raise NoText(f"“{path.name}” holds no readable text.")
        date = _ISO_DATE.search(fields.get("date", ""))
        return ParsedDocument(
            format="markdown",
            text=rendered.text,
            blocks=rendered.blocks,
            title=fields.get("title") or rendered.first_heading,
            author=fields.get("author", ""),
            created=date.group() if date else "",
            notes=(*notes, "Read as plain text: it is nested too deeply.") if is_cut else notes,
        )


def _split_front_matter(text: str) -> tuple[dict[str, str], str]:
    found = _FRONT_MATTER.match(text)
    if not found:
        return {}, text
    fields = {
        name.lower(): clean_line(value.strip("\"'")) for name, value in _FIELD.findall(found[2])
    }
    return fields, text[found.end() :]


class _Rendering(TextAssembler):
    """Walks the tokens of a document once, block by block."""

    def __init__(self) -> None:
        super().__init__()
        self.first_heading = ""
        self._lists: list[int] = []
        """For every open list the next number, or -1 for bullets."""
        self._prefix = ""
        self._is_item = False

    def add_all(self, tokens: Iterable[Token]) -> None:
        stream = iter(tokens)
        for token in stream:
            if token.type == "heading_open":
                self._add_heading(int(token.tag[1]), next(stream))
            elif token.type == "table_open":
                self._add_table(stream)
            elif token.type == "inline":
                self._add_text(_plain(token))
            elif token.type in ("fence", "code_block"):
                self.add(BlockKind.CODE, token.content.rstrip("\n"))
            elif token.type == "html_block":
                self._add_text(_without_tags(token.content))
            else:
                self._track_list(token)

    def _add_heading(self, level: int, inline: Token) -> None:
        title = clean_line(_plain(inline))
        self.first_heading = self.first_heading or title
        self.add(BlockKind.HEADING, title, level)

    def _add_text(self, text: str) -> None:
        if not self._lists:
            self.add(BlockKind.PARAGRAPH, text)
            return
        indent = "  " * (len(self._lists) - 1)
        lead = self._prefix or "  "
        is_first = not (self.blocks and self.blocks[-1].kind is BlockKind.LIST and self._is_item)
        self.add(BlockKind.LIST, f"{indent}{lead}{text}", gap="\n\n" if is_first else "\n")
        self._prefix = ""
        self._is_item = True

    def _track_list(self, token: Token) -> None:
        if token.type == "bullet_list_open":
            self._is_item = self._is_item and bool(self._lists)
            self._lists.append(-1)
        elif token.type == "ordered_list_open":
            self._is_item = self._is_item and bool(self._lists)
            self._lists.append(int(token.attrGet("start") or 1))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
        elif token.type == "list_item_open":
            number = self._lists[-1]
            self._prefix = "- " if number < 0 else f"{number}. "
            self._lists[-1] = number if number < 0 else number + 1

    def _add_table(self, stream: Iterator[Token]) -> None:
        rows: list[list[str]] = []
        for token in stream:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(clean_line(_plain(token)))
        self.add(BlockKind.TABLE, "\n".join(CELL_GAP.join(row) for row in rows))


def _plain(inline: Token) -> str:
    """Text of an inline token: link texts, code and picture descriptions, without marks."""
    parts: list[str] = []
    for child in inline.children or ():
        if child.type == "softbreak":
            parts.append(" ")
        elif child.type == "hardbreak":
            parts.append("\n")
        elif child.type == "html_inline" and child.content.startswith("<!--"):
            leave_out("comments", child.content.removeprefix("<!--").removesuffix("-->"))
        elif child.type == "html_inline":
            parts.append(" " if child.content.lower().startswith("<br") else "")
        elif child.type in ("text", "code_inline", "image", "text_special"):
            parts.append(child.content)
    return "".join(parts).strip()


def _without_tags(html: str) -> str:
    """Words of a piece of HTML; comments and hidden elements are named and left out."""
    for comment in _COMMENT.findall(html):
        leave_out("comments", comment)
    shown, hidden = _parted(_COMMENT.sub(" ", html))
    leave_out("hidden", _TAG.sub(" ", hidden))
    text = _TAG.sub(" ", shown)
    return "\n".join(line for line in (clean_line(part) for part in text.split("\n")) if line)


def _parted(html: str) -> tuple[str, str]:
    """What is shown of a piece of HTML, and what stands in hidden elements; in one pass."""
    texts: tuple[list[str], list[str]] = ([], [])
    hiding, depth, position = "", 0, 0
    for found in _ELEMENT.finditer(html):
        texts[depth > 0].append(html[position : found.start()])
        position = found.end()
        tag, is_end = found["tag"].lower(), bool(found["end"])
        if tag in _EMPTY or found["rest"].endswith("/"):
            continue
        if depth:
            depth += (tag == hiding) * (-1 if is_end else 1)
        elif not is_end and _is_hidden(found["rest"]):
            hiding, depth = tag, 1
    texts[depth > 0].append(html[position:])
    return " ".join(texts[0]), " ".join(texts[1])


def _is_hidden(attributes: str) -> bool:
    return bool(_HIDES.search(attributes) or _IS_HIDDEN.search(_VALUE.sub("", attributes)))
