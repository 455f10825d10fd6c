"""Reads plain text: paragraphs, underlined headings, lists. Keeps the characters as they are."""

from __future__ import annotations

import re
from pathlib import Path

from desktop_rag.domain.assembly import TextAssembler
from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.text_cleaning import clean_block
from desktop_rag.engines.decoding import read_prose

_UNDERLINE = re.compile(r"^([=\-~^\"'*#+])\1{2,}$")
_LIST_ITEM = re.compile(r"^\s*(?:[-*•+–]|\d{1,3}[.)])\s+\S")
_RULE_LEVELS = "=-~^\"'*#+"
_MIN_WRAPPED, _MAX_WRAPPED = 45, 110


class PlainTextParser:
    """`ports.Parser` for text without markup."""

    name = "text-2"
    suffixes = frozenset({".txt", ".text", ".rst"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read the file; see `ports.Parser`."""
        assembler = TextAssembler()
        text, notes = read_prose(path)
        add_text(assembler, clean_block(text))
        return ParsedDocument(
            format="text", text=assembler.text, blocks=assembler.blocks, notes=notes
        )


def add_text(assembler: TextAssembler, text: str) -> None:
    """Write plain text, cleaned before, paragraph by paragraph."""
    for paragraph in re.split(r"\n[ \t]*\n", text):
        _add(assembler, paragraph.strip("\n"))


def _add(assembler: TextAssembler, paragraph: str) -> None:
    lines = paragraph.split("\n")
    first = 0
    while len(lines) > first + 1 and _is_underlined(lines[first : first + 2]):
        level = _RULE_LEVELS.index(lines[first + 1].strip()[0]) + 1
        assembler.add(BlockKind.HEADING, lines[first].strip(), level)
        first += 2
    lines = lines[first:]
    paragraph = "\n".join(lines)
    if sum(1 for line in lines if _LIST_ITEM.match(line)) >= 0.5 * len(lines):
        assembler.add(BlockKind.LIST, paragraph)
    elif _is_wrapped(lines):
        assembler.add(BlockKind.PARAGRAPH, " ".join(line.strip() for line in lines))
    else:
        assembler.add(BlockKind.PARAGRAPH, paragraph)


def _is_underlined(lines: list[str]) -> bool:
    title, rule = lines[0].strip(), lines[1].strip()
    return (
        bool(_UNDERLINE.match(rule))
        and 0 < len(title) <= 120
        and len(rule) >= 0.7 * len(title)
        and not _UNDERLINE.match(title)
    )


def _is_wrapped(lines: list[str]) -> bool:
    """Prose broken at a fixed width: all lines but the last are about equally long."""
    full = [len(line.rstrip()) for line in lines[:-1]]
    if not full or not _MIN_WRAPPED <= max(full) <= _MAX_WRAPPED:
        return False
    is_even = min(full) >= 0.7 * max(full) and len(lines[-1]) <= max(full) + 5
    return is_even and not any(line.startswith((" ", "\t", ">", "|")) for line in lines)
