"""Turns the bytes of a text file into characters (charset-normalizer for what has no mark)."""

from __future__ import annotations

import codecs
import re
import unicodedata
from pathlib import Path
from typing import AnyStr

import charset_normalizer

from desktop_rag.domain.errors import NoText, TooLarge, Unsupported
from desktop_rag.engines.latin_pages import latin_page

MAX_TEXT_BYTES = 50_000_000
MAX_PROSE_BYTES = 10_000_000
"""Of a text that are read: two Bibles. Words take seconds; codes and numbers, which come to seven
tokens in ten characters, take most of a minute."""
MAX_DENSE = 6_000_000
"""Characters of scripts without spaces. Each is a token, so that this is read in half a minute."""
_DENSE = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u9fff]+")
ONLY_BEGINNING = ("The file holds more text than can be searched; only its beginning was read.",)
"""The note on a file of which `read_beginning` or `read_prose` gave a part."""
_SAMPLE = 64_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHER_SCRIPTS = re.compile(
    r"gb|big5|shift|cp932|cp936|cp949|cp950|euc|iso2022|johab|hz|utf"
    r"|cp125[1356]$|cp86[2469]$|cp87[45]$|cp720$|cp737$|cp855$|koi8|kz1048|ptcp154|mac_(?:cyr|gre)"
    r"|iso8859_(?:5|6|7|8|11)$|tis"
)
"""Guesses to trust. Latin code pages share most letters, so short text is taken for any of them;
those are told apart by `engines.latin_pages`."""
_CYRILLIC_PAGES = ("cp1251", "koi8_u", "cp866", "iso8859_5", "mac_cyrillic")
_CYRILLIC_WORD = re.compile(
    r"(?<!\w)(?![ьыъЬЫЪ])(?:[А-ЯЁІЇЄЎҐ]?[а-яёіїєўґ]+|[А-ЯЁІЇЄЎҐ]+)(?![^\W\d_]|[\u2500-\u25ff])"
)
_FREQUENT_CYRILLIC = frozenset("оеаинтсрвлі")
"""Two letters of three in Russian, Ukrainian and Bulgarian; one of three in a random mix."""
_RARE_CYRILLIC = frozenset("щэфъцюхжшґё")
_MIN_RUSSIAN = 0.5
_MIN_CYRILLIC = 12
_IN_USE = re.compile(
    r"[\t\n\r -~\xa0-\u024f\u0370-\u0556\u05d0-\u05ea\u060c-\u06ff\u0900-\u097f\u0e01-\u0e5b"
    r"\u2010-\u2026\u2190-\u2193\u2460-\u2473\u2500-\u2503\u25a0-\u25cf\u3000-\u30ff\u4e00-\u9fff"
    r"\uac00-\ud7a3\uff01-\uff9f]"
)
"""Characters of today's texts; the wrong order of bytes spreads over all others, too."""
_MIN_IN_USE = 0.97
_MAX_ASCII_LETTERS = 0.6
"""Of the bytes that are not zero: a third in Chinese and Japanese, nearly all in lists of words."""
_ASCII_RUN = re.compile(rb"[\0-\x7f]+")
_ALONE = re.compile(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])")
_MOSTLY_ALONE = 0.6
_MANY_SOUND = 8
_MIN_KANA, _MIN_HANGUL = 0.25, 0.85
"""Shares of what is not ASCII. In Chinese read as Korean one of two is Hangul."""
_KANA = re.compile("[\u3041-\u30f6]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
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
    if _dense_end(text) < len(text):
        raise TooLarge(
            f"“{path.name}” has more than {MAX_DENSE // 1_000_000} million characters of Chinese, "
            "Japanese or Thai; split it into smaller files."
        )
    return text


def read_prose(path: Path) -> tuple[str, tuple[str, ...]]:
    """As much of a text as can be searched, and the note that says so if there is more.

    Raises:
        NoText, Unsupported: as `read_text`.
    """
    text, is_cut = read_beginning(path, MAX_PROSE_BYTES)
    end = _dense_end(text)
    if end < len(text):
        text, is_cut = _up_to_gap(text[:end], ("\n", " ")), True
    return text, ONLY_BEGINNING if is_cut else ()


def _dense_end(text: str) -> int:
    """Where a text has `MAX_DENSE` characters of scripts without spaces; else its end."""
    left = MAX_DENSE
    for run in () if text.isascii() else _DENSE.finditer(text):
        left -= run.end() - run.start()
        if left < 0:
            return run.end() + left
    return len(text)


def read_beginning(path: Path, most: int) -> tuple[str, bool]:
    """Whole lines of text from the beginning of a file, and whether there are more.

    All lines end in a line feed. A line that goes on for half of `most` is cut between words.

    Args:
        most: bytes to read.

    Raises:
        NoText, Unsupported: as `read_text`.
    """
    with path.open("rb") as file:
        data = file.read(most)
        is_cut = bool(file.read(1))
    if is_cut:
        is_wide = b"\0" in data[:4096]
        data = data[: len(data) - len(data) % 4] if is_wide else _up_to_gap(data, (b"\n", b" "))
    text = decode(data, path.name).replace("\r\n", "\n").replace("\r", "\n")
    if is_cut:
        text = _up_to_gap(text, ("\n", " "))
    if not text.strip():
        raise NoText(f"“{path.name}” is blank: there is no text to search in it.")
    return text, is_cut


def _up_to_gap(text: AnyStr, gaps: tuple[AnyStr, ...]) -> AnyStr:
    """`text` up to the last of the first gap that its second half has; whole when it has none."""
    for gap in gaps:
        end = text.rfind(gap, len(text) // 2) + 1
        if end:
            return text[:end]
    return text


def decode(data: bytes, name: str, declared: str = "") -> str:
    """Decode bytes by mark, declaration, UTF-8 or best guess; see `read_text`."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _checked(data.decode(encoding, errors="replace"), name)
    if b"\0" in data:
        return _checked(_without_mark(data, name), name)
    for encoding in (declared, _escaped(data), "utf-8"):
        decoded = _strictly(data, encoding)
        if decoded is not None:
            return _checked(decoded, name)
    return _checked(data.decode(_guess(data), errors="replace"), name)


def _escaped(data: bytes) -> str:
    """Encodings of seven bits that switch to another script with signs of their own."""
    sample = data[:_SAMPLE]
    if b"\x1b$)C" in sample:
        return "iso2022_kr"
    if b"\x1b$" in sample:
        return "iso2022_jp"
    if b"~{" in sample and data.isascii():
        text = _strictly(data, "hz") or ""
        # Few programs and formulas hold valid pairs between such signs, and none many of them.
        return "hz" if sum(1 for c in text[:_SAMPLE] if "\u4e00" <= c <= "\u9fff") > 4 else ""
    return ""


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
    if not len(data) % 2 and max(even, odd) >= 0.7 * half and min(even, odd) <= 0.05 * half:
        text = _strictly(data, "utf-16-le" if odd > even else "utf-16-be")
        if text is not None and _is_assigned(text[:_SAMPLE]):
            return text
    encoding = _utf16_of_other_scripts(head)
    text = _strictly(data, encoding)
    if text is None:
        raise _binary(name)
    return text


def _utf16_of_other_scripts(head: bytes) -> str:
    """UTF-16 whose letters take both bytes of a pair: nothing but scripts in use may come out."""
    letters = sum(1 for byte in head if chr(byte).isalpha() and byte < 128)
    if letters > _MAX_ASCII_LETTERS * (len(head) - head.count(0)):
        return ""
    best, encoding = _MIN_IN_USE, ""
    for candidate in ("utf-16-le", "utf-16-be"):
        text = _strictly(head, candidate) or _strictly(head[:-2], candidate) or ""
        in_use = len(_IN_USE.findall(text)) / max(len(text), 1)
        if in_use > best and _is_assigned(text):
            best, encoding = in_use, candidate
    return encoding


def _is_assigned(text: str) -> bool:
    """Whether all characters exist and none is a control character that text does not use."""
    return all(
        c in _ALLOWED_CONTROLS or unicodedata.category(c) not in ("Cc", "Cn", "Co", "Cs")
        for c in set(text)
    )


def _guess(data: bytes) -> str:
    """The most likely legacy encoding of a file that is not UTF-8."""
    sample = data[:_SAMPLE]
    if _is_broken_utf8(sample):
        return "utf-8"
    if _stand_alone(sample):
        return latin_page(sample)
    cyrillic = _cyrillic(sample)
    if cyrillic:
        return cyrillic
    eastern = _japanese_or_korean(sample)
    if eastern:
        return eastern
    best = charset_normalizer.from_bytes(sample).best()
    if best is not None and _OTHER_SCRIPTS.match(best.encoding):
        return best.encoding
    return latin_page(sample)


def _is_broken_utf8(sample: bytes) -> bool:
    """Whether all but a few of the characters are UTF-8: a log of several programs, say."""
    text = sample.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    return sum(1 for c in text if c > "\x7f") > _MANY_SOUND * broken


def _stand_alone(sample: bytes) -> bool:
    """Whether bytes beyond ASCII stand between ASCII, as accented letters do.

    Letters of other scripts come in rows. Charset-normalizer takes "für" of DOS for Chinese.
    """
    foreign = len(sample) - sum(len(run) for run in _ASCII_RUN.findall(sample))
    return len(_ALONE.findall(sample)) > _MOSTLY_ALONE * foreign


def _japanese_or_korean(sample: bytes) -> str:
    """Double-byte pages whose alphabets tell them from each other and from Chinese."""
    for encoding, letters, least in (
        ("cp932", _KANA, _MIN_KANA),
        ("euc_jp", _KANA, _MIN_KANA),
        ("cp949", _HANGUL, _MIN_HANGUL),
        ("johab", _HANGUL, _MIN_HANGUL),
    ):
        text = sample.decode(encoding, errors="replace")
        foreign = sum(1 for c in text if c > "\x7f")
        wrong = text.count("\ufffd")
        if wrong <= 1 + 0.002 * foreign and len(letters.findall(text)) > least * foreign:
            return encoding
    return ""


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
