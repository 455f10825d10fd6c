"""Turns the bytes of a text file into characters (charset-normalizer for what has no mark)."""

from __future__ import annotations

import codecs
import re
import unicodedata
from pathlib import Path

import charset_normalizer

from desktop_rag.domain.errors import NoText, TooLarge, Unsupported

MAX_TEXT_BYTES = 50_000_000
_SAMPLE = 64_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TURKISH = re.compile("[ğĞışŞİ]")
_TURKISH_IN_LATIN1 = re.compile("[ðÐýþÞÝ]")
_OTHER_SCRIPTS = re.compile(
    r"gb|big5|shift|cp932|cp936|cp949|cp950|euc|iso2022|johab|hz|utf"
    r"|cp125[1356]$|cp86[2469]$|cp87[45]$|cp720$|cp737$|cp855$|koi8|kz1048|ptcp154|mac_(?:cyr|gre)"
    r"|iso8859_(?:5|6|7|8|11)$|tis"
)
"""Guesses to trust. Latin code pages share most letters, so short text is taken for any of them;
those are told apart by `_western`."""
_CYRILLIC_PAGES = ("cp1251", "koi8_u", "cp866", "iso8859_5", "mac_cyrillic")
_CYRILLIC_WORD = re.compile(
    r"(?<!\w)(?![ьыъЬЫЪ])(?:[А-ЯЁІЇЄЎҐ]?[а-яёіїєўґ]+|[А-ЯЁІЇЄЎҐ]+)(?![^\W\d_]|[\u2500-\u25ff])"
)
_FREQUENT_CYRILLIC = frozenset("оеаинтсрвлі")
"""Two letters of three in Russian, Ukrainian and Bulgarian; one of three in a random mix."""
_RARE_CYRILLIC = frozenset("щэфъцюхжшґё")
_MIN_RUSSIAN = 0.5
_MIN_CYRILLIC = 12
_ALLOWED_CONTROLS = frozenset("\t\n\r\f\x0b\x1b\x08\x85")


def read_text(path: Path, declared: str = "") -> str:
    """The whole file as text.

    Args:
        declared: encoding named in the file itself (HTML's meta, for example); used if it fits.

    Raises:
        NoText: the file is blank.
        TooLarge: more text than can be searched sensibly.
        Unsupported: the bytes are not text.
    """
    if path.stat().st_size > MAX_TEXT_BYTES:
        raise TooLarge(
            f"“{path.name}” has more than {MAX_TEXT_BYTES // 1_000_000} MB of text; "
            "split it into smaller files."
        )
    text = decode(path.read_bytes(), path.name, declared)
    if not text.strip():
        raise NoText(f"“{path.name}” is blank: there is no text to search in it.")
    return text


def read_beginning(path: Path, most: int) -> tuple[str, bool]:
    """Whole lines of text from the beginning of a file, and whether there are more.

    Args:
        most: bytes to read.

    Raises:
        NoText, Unsupported: as `read_text`.
    """
    with path.open("rb") as file:
        data = file.read(most)
        is_cut = bool(file.read(1))
    if is_cut:
        data = data[: len(data) - len(data) % 4] if b"\0" in data[:4096] else _whole_lines(data)
    text = decode(data, path.name)
    if is_cut:
        text = text[: text.rfind("\n") + 1] or text
    if not text.strip():
        raise NoText(f"“{path.name}” is blank: there is no text to search in it.")
    return text, is_cut


def _whole_lines(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1] or data


def decode(data: bytes, name: str, declared: str = "") -> str:
    """Decode bytes by mark, declaration, UTF-8 or best guess; see `read_text`."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _checked(data.decode(encoding, errors="replace"), name)
    if b"\0" in data:
        return _checked(_without_mark(data, name), name)
    escaped = "iso2022_jp" if b"\x1b$" in data[:_SAMPLE] else ""
    for encoding in (declared, escaped, "utf-8"):
        decoded = _strictly(data, encoding)
        if decoded is not None:
            return _checked(decoded, name)
    return _checked(data.decode(_guess(data), errors="replace"), name)


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding) if encoding else None
    except (UnicodeDecodeError, LookupError):
        return None


def _without_mark(data: bytes, name: str) -> str:
    """UTF-32 and UTF-16 without a byte order mark.

    Every fourth byte of UTF-32 is zero; one byte of nearly every pair of Latin text in UTF-16.

    Raises:
        Unsupported: the zeros stand elsewhere, or what comes out is no text.
    """
    for encoding, zeros in (("utf-32-le", data[3::4]), ("utf-32-be", data[0::4])):
        text = None if len(data) % 4 or any(zeros[:_SAMPLE]) else _strictly(data, encoding)
        if text is not None and _is_assigned(text[:_SAMPLE]):
            return text
    head = data[: _SAMPLE - _SAMPLE % 2]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) / 2
    # Words that end in a zero byte ("abc\0def\0") come to half of the pairs and decode to Chinese.
    if len(data) % 2 or max(even, odd) < 0.7 * half or min(even, odd) > 0.05 * half:
        raise _binary(name)
    text = _strictly(data, "utf-16-le" if odd > even else "utf-16-be")
    if text is None or not _is_assigned(text[:_SAMPLE]):
        raise _binary(name)
    return text


def _is_assigned(text: str) -> bool:
    """Whether all characters exist and none is a control character that text does not use."""
    return all(
        c in _ALLOWED_CONTROLS or unicodedata.category(c) not in ("Cc", "Cn", "Co", "Cs")
        for c in set(text)
    )


def _guess(data: bytes) -> str:
    """The most likely legacy encoding of a file that is not UTF-8."""
    sample = data[:_SAMPLE]
    cyrillic = _cyrillic(sample)
    if cyrillic:
        return cyrillic
    best = charset_normalizer.from_bytes(sample).best()
    if best is None:
        return "cp1252"
    return best.encoding if _OTHER_SCRIPTS.match(best.encoding) else _western(sample)


def _cyrillic(sample: bytes) -> str:
    """Code page of Cyrillic text, or nothing if it is none.

    The code pages permute the same letters, so the wrong one gives words in odd case with rare
    letters. Even fifty letters tell; charset-normalizer takes short KOI8-R for Japanese.
    """
    encoding = max(_CYRILLIC_PAGES, key=lambda page: _russian_score(sample, page))
    return encoding if _russian_score(sample, encoding) > _MIN_RUSSIAN else ""


def _russian_score(sample: bytes, encoding: str) -> float:
    """Share of frequent less rare letters, in words of sound case, among what is not ASCII."""
    text = sample.decode(encoding, errors="replace")
    foreign = sum(1 for c in text if c > "\x7f")
    sound = "".join(_CYRILLIC_WORD.findall(text)).lower()
    if len(sound) < _MIN_CYRILLIC:
        return 0.0
    frequent = sum(1 for c in sound if c in _FREQUENT_CYRILLIC)
    return (frequent - sum(1 for c in sound if c in _RARE_CYRILLIC)) / foreign


def _western(sample: bytes) -> str:
    """Windows code page of Latin text, told by the letters that only one of them makes sense of."""
    turkish = sample.decode("cp1254", errors="replace")
    central = sample.decode("cp1250", errors="replace")
    western = sample.decode("cp1252", errors="replace")
    odd = len(_TURKISH_IN_LATIN1.findall(western))
    accented = sum(1 for c in western if "\u00c0" <= c <= "\u00ff")
    if odd and odd >= 0.2 * accented and _TURKISH.search(turkish):
        return "cp1254"
    if _central_score(central) > 2 * _western_score(western):
        return "cp1250"
    return "cp1252"


def _central_score(text: str) -> int:
    return sum(text.count(c) for c in "ąćęłńśźżčďěňřšťůžľĺőűăţŁŚŻŹČŘŠŽ")


def _western_score(text: str) -> int:
    return sum(text.count(c) for c in "àâãäåæçèéêëìíîïñòóôõöøùúûüßÄÖÜÉ€’“”–—")


def _checked(text: str, name: str) -> str:
    """Refuse what decodes but is plainly not text."""
    sample = text[:_SAMPLE]
    controls = sum(1 for c in sample if c < " " and c not in _ALLOWED_CONTROLS)
    strange = controls + sample.count("\ufffd")
    if "\0" in text or strange > 0.05 * max(len(sample), 20):
        raise _binary(name)
    return text


def _binary(name: str) -> Unsupported:
    return Unsupported(
        f"“{name}” holds binary data, not text; add the document it was made from instead."
    )
