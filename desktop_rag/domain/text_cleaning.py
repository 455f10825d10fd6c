"""Makes text comparable: Unicode NFC, plain spaces, no ligatures, no invisible characters.

Arabic and Hebrew letters in the shapes they are printed in (presentation forms) become letters.

Cleaning happens before a document's text is put together, so spans always point into clean text.
"""

from __future__ import annotations

import re
import unicodedata

from desktop_rag.domain.hidden_text import leave_out

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl"}
_LIGATURES |= {0xFB05: "st", 0xFB06: "st"}
_SPACES = dict.fromkeys(
    [0x00A0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0x0B, 0x0C, 0x85], " "
)
_LINE_ENDS = {0x2028: "\n", 0x2029: "\n"}
# ZWNJ and ZWJ (200C, 200D) stay: Persian and Indic words are spelled with them.
_INVISIBLE: dict[int, str] = dict.fromkeys(
    [
        *range(0x09),
        *range(0x0E, 0x20),
        *range(0x7F, 0x85),
        *range(0x86, 0xA0),
        *(0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, 0xFEFF),
        *range(0x180B, 0x1810),
        *(0x200B, 0x200E, 0x200F),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE0E),
        *range(0xFFF0, 0xFFFC),
        *range(0xE0000, 0xE1000),
        *range(0xD800, 0xE000),
        *range(0xFDD0, 0xFDF0),
        *(0xFFFE, 0xFFFF),
    ],
    "",
)
_TABLE: dict[int, str] = _LIGATURES | _SPACES | _LINE_ENDS | _INVISIBLE
_TAGS = re.compile("(?<!\U0001f3f4)(?<![\U000e0020-\U000e007e])[\U000e0020-\U000e007e]{2,}")
"""Not behind a black flag, where they spell the flag of a region."""
_JOINED_LATIN = re.compile("(?<=[\u0020-\u024f])[\u200c\u200d]+")
"""Joiners mean something between letters of Persian or Hindi, and in emoji."""
SOFT_HYPHEN = "\u00ad"
# Without the ornate brackets (FD3E, FD3F) and the noncharacters.
_PRESENTATION = re.compile("[\ufb1d-\ufb4f\ufb50-\ufd3d\ufd50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]+")
_BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")
_HYPHENATED = re.compile(r"[^\W\d_]+-[^\W\d_]+")
_WORD_BEFORE_HYPHEN = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_WORD_AT_START = re.compile(r"[^\W\d_]+")


def clean_characters(text: str) -> str:
    """NFC, ligatures spelled out, odd spaces plain, control and direction marks removed.

    Line structure is kept; `\\r\\n` and `\\r` become `\\n`.
    """
    if text.isascii() and text.isprintable():
        return text
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    if not unified.isascii():
        _name_tags(unified)
        unified = _JOINED_LATIN.sub("", unified)
        unified = _PRESENTATION.sub(_plain_letters, unified)
    return unicodedata.normalize("NFC", unified.translate(_TABLE))


def _name_tags(text: str) -> None:
    """Tell of words spelled in tag characters, which no font shows and some models read."""
    for run in _TAGS.findall(text):
        leave_out("letters without a shape", "".join(chr(ord(char) - 0xE0000) for char in run))


def _plain_letters(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", found.group()).replace("\u0640", "")


def clean_line(text: str) -> str:
    """One line of clean text: runs of white space become one space, ends are trimmed."""
    return " ".join(clean_characters(text).replace(SOFT_HYPHEN, "").split())


def clean_block(text: str) -> str:
    """Clean text of several lines: spaces at line ends and more than one blank line removed."""
    characters = clean_characters(text).replace(SOFT_HYPHEN, "")
    lines = "\n".join(line.rstrip() for line in characters.split("\n"))
    return _BLANK_LINES.sub("\n\n", lines).strip("\n")


def hyphenated_words(text: str) -> set[str]:
    """Lower-case words that are written with a hyphen inside a line, e.g. `year-end`."""
    return {word.lower() for word in _HYPHENATED.findall(text)}


def is_broken_word(before: str, after: str, real_hyphens: set[str]) -> bool:
    """Whether the hyphen at the end of `before` only breaks a word that goes on in `after`.

    A word that the same document writes with a hyphen elsewhere keeps it.
    """
    head = _WORD_BEFORE_HYPHEN.search(before)
    tail = _WORD_AT_START.match(after)
    if not head or not tail or not tail.group()[0].islower():
        return False
    return f"{head.group(1)}-{tail.group()}".lower() not in real_hyphens
