"""Reads text with a little markup: LaTeX, Org, AsciiDoc, subtitles, calendars, address cards.

Enough of each format is understood to have headings where the author has them and words without
signs; nothing is set, included or computed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from desktop_rag.domain.assembly import TextAssembler
from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import NoText
from desktop_rag.domain.text_cleaning import clean_block, clean_characters, clean_line
from desktop_rag.engines.decoding import read_prose
from desktop_rag.engines.plaintext import add_text

_ASTERISKS = re.compile(r"^(\*+)\s+(?:(?:TODO|DONE)\s+)?(.+?)(?:\s+:[\w:@]+:)?\s*$", re.MULTILINE)
_EQUALS = re.compile(r"^(={1,6})\s+(.+?)\s*=*$", re.MULTILINE)
_TEX_HEADING = re.compile(
    r"\\(part|chapter|section|subsection|subsubsection|paragraph)\*?(?:\[[^\]]*\])?"
    r"\{((?:[^{}]|\{[^{}]*\})*)\}"
)
_TEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_TEX_TITLE = re.compile(r"\\title(?:\[[^\]]*\])?\{((?:[^{}]|\{[^{}]*\})*)\}")
_TEX_COMMENT = re.compile(r"(?<!\\)%.*$", re.MULTILINE)
_TEX_FRAME = re.compile(
    r"\\(?:begin|end)\{[^{}]*\}(?:\[[^\]]*\])?|\\(?:label|vspace|hspace)\{[^{}]*\}"
)
_TEX_STYLE = re.compile(r"\\(?:emph|text\w\w|textsc|underline|mbox|caption|footnote)\{([^{}]*)\}")
_TEX_ITEM = re.compile(r"\\item\b\s*")
_TEX_SIGNS = (
    ("\\\\", "\n"), ("~", " "), ("``", "“"), ("''", "”"), ("\\%", "%"), ("\\&", "&"),
    ("\\_", "_"), ("\\#", "#"), ("\\$", "$"),
)  # fmt: skip
_CUE_TIME = re.compile(r"^((?:\d+:)?\d+:\d+)[.,]\d+\s+-->.*$")
_CUE_TAG = re.compile(r"<[^<>\n]{1,80}>|\{\\[^{}\n]{1,80}\}")
_FOLDED = re.compile(r"\n[ \t]")
_ESCAPED = (("\\n", "\n  "), ("\\N", "\n  "), ("\\,", ","), ("\\;", ";"))
_CARD_LINE = re.compile(r"^([A-Z][A-Z0-9-]*)(;[^:\n]*)?:(.*)$", re.MULTILINE)
_CARD_NOISE = frozenset({
    "BEGIN", "END", "VERSION", "PRODID", "UID", "DTSTAMP", "SEQUENCE", "CALSCALE", "METHOD", "REV",
    "TRANSP", "TZID", "TZOFFSETFROM", "TZOFFSETTO", "TZNAME", "PHOTO", "KEY", "CREATED", "CLASS",
    "LAST-MODIFIED",
})  # fmt: skip


class LightMarkupParser:
    """`ports.Parser` for small text formats; see the module."""

    name = "light-markup-1"
    suffixes = frozenset({
        ".tex", ".latex", ".ltx", ".org", ".adoc", ".asciidoc", ".srt", ".vtt", ".ics", ".vcf",
    })  # fmt: skip

    def parse(self, path: Path) -> ParsedDocument:
        """Read the file; see `ports.Parser`."""
        suffix = path.suffix.lower()
        assembler = TextAssembler()
        text, notes = read_prose(path)
        title = _WRITERS[suffix](assembler, clean_characters(text))
        if not assembler.text.strip():
            raise NoText(f"“{path.name}” holds no readable text.")
        return ParsedDocument(
            format=suffix[1:],
            text=assembler.text,
            blocks=assembler.blocks,
            title=title[:300],
            notes=notes,
        )


def _write_tex(assembler: TextAssembler, source: str) -> str:
    source = _TEX_COMMENT.sub("", source)
    title = _TEX_TITLE.search(source)
    body = source.partition("\\begin{document}")[2] or source
    position = 0
    for heading in _TEX_HEADING.finditer(body):
        add_text(assembler, _tex_words(body[position : heading.start()]))
        level = _TEX_LEVELS.index(heading[1]) + 1
        assembler.add(BlockKind.HEADING, clean_line(_tex_words(heading[2])), level)
        position = heading.end()
    add_text(assembler, _tex_words(body[position:]))
    return clean_line(_tex_words(title[1])) if title else ""


def _tex_words(source: str) -> str:
    text = _TEX_FRAME.sub("\n", source.replace("\\maketitle", ""))
    for _ in range(3):
        text = _TEX_STYLE.sub(r"\1", text)
    text = _TEX_ITEM.sub("\n- ", text)
    for sign, word in _TEX_SIGNS:
        text = text.replace(sign, word)
    return clean_block(text)


def _write_headed(heading: re.Pattern[str]) -> Callable[[TextAssembler, str], str]:
    """A writer for formats whose headings are lines that begin with repeated signs."""

    def write(assembler: TextAssembler, source: str) -> str:
        source, first, position = clean_block(source), "", 0
        for found in heading.finditer(source):
            add_text(assembler, source[position : found.start()].strip("\n"))
            assembler.add(BlockKind.HEADING, clean_line(found[2]), len(found[1]))
            first = first or clean_line(found[2])
            position = found.end()
        add_text(assembler, source[position:].strip("\n"))
        named = re.search(r"^#\+title:\s*(.+)$", source, re.IGNORECASE | re.MULTILINE)
        return clean_line(named[1]) if named else first

    return write


def _write_cues(assembler: TextAssembler, source: str) -> str:
    """Subtitles: every cue a line with the time it begins."""
    lines: list[str] = []
    for cue in re.split(r"\n\s*\n", clean_block(source)):
        rows = cue.split("\n")
        timed = next((n for n, row in enumerate(rows) if _CUE_TIME.match(row.strip())), -1)
        if timed < 0:
            continue
        time = _CUE_TIME.match(rows[timed].strip())
        words = clean_line(_CUE_TAG.sub("", " ".join(rows[timed + 1 :])))
        if words and time:
            lines.append(f"[{time[1]}] {words}")
    assembler.add(BlockKind.LIST, "\n".join(lines))
    return ""


def _write_cards(assembler: TextAssembler, source: str) -> str:
    """Calendars and address cards: the fields a person would look for, entry by entry."""
    source = _FOLDED.sub("", source)
    for entry in re.split(r"^BEGIN:", source, flags=re.MULTILINE):
        lines = [
            f"{name.capitalize()}: {_card_value(value)}"
            for name, _, value in _CARD_LINE.findall(entry)
            if name not in _CARD_NOISE and not name.startswith("X-") and value.strip(" ;")
        ]
        assembler.add(BlockKind.PARAGRAPH, "\n".join(lines))
    return ""


def _card_value(value: str) -> str:
    for sign, word in _ESCAPED:
        value = value.replace(sign, word)
    date = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?", value.strip())
    if not date:
        return value.strip()
    year, month, day, hour, minute, utc = date.groups()
    clock = f" {hour}:{minute}{' UTC' if utc else ''}" if hour else ""
    return f"{year}-{month}-{day}{clock}"


_WRITERS: dict[str, Callable[[TextAssembler, str], str]] = {
    **dict.fromkeys((".tex", ".latex", ".ltx"), _write_tex),
    ".org": _write_headed(_ASTERISKS),
    **dict.fromkeys((".adoc", ".asciidoc"), _write_headed(_EQUALS)),
    **dict.fromkeys((".srt", ".vtt"), _write_cues),
    **dict.fromkeys((".ics", ".vcf"), _write_cards),
}
