"""Which code page the bytes of an RTF text are in: by the font's character set, else the file's."""

from __future__ import annotations

import codecs

_BY_CHARSET = {
    0: "cp1252", 77: "mac_roman", 78: "cp932", 79: "cp949", 80: "cp936", 81: "cp950",
    83: "mac_cyrillic", 84: "cp1255", 85: "mac_greek", 86: "mac_turkish", 88: "mac_latin2",
    89: "mac_cyrillic", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "big5hkscs",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
"""Python's codecs for \\fcharset of the RTF specification 1.9.1; the others name no code page."""
SYMBOL_CHARSET = 2
_BY_NUMBER = {
    708: "iso8859_6", 709: "iso8859_6", 819: "latin_1", 936: "gb18030", 950: "big5hkscs",
    1361: "johab", 10000: "mac_roman", 10001: "cp932", 10006: "mac_greek", 10007: "mac_cyrillic",
    10029: "mac_latin2", 10081: "mac_turkish", 20127: "cp1252", 20866: "koi8_r", 20932: "euc_jp",
    21866: "koi8_u", 28591: "latin_1", 51949: "euc_kr", 54936: "gb18030", 65001: "utf-8",
}  # fmt: skip
_TWO_BYTES = frozenset({"cp932", "cp949", "gb18030", "big5hkscs", "johab", "euc_jp", "euc_kr"})
DEFAULT = "cp1252"


def of_number(number: int) -> str:
    """Codec of a Windows code page number; `cp1252` for one that Python does not know."""
    name = _BY_NUMBER.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return DEFAULT


def of_charset(number: int, document: str) -> str:
    """Codec for a font's character set.

    Args:
        document: codec of the whole file, which counts where the font leaves it open. East Asian
            programs also write their text in fonts of the Latin set.
    """
    if number == 0 and codecs.lookup(document).name in {codecs.lookup(n).name for n in _TWO_BYTES}:
        return document
    return _BY_CHARSET.get(number, document)
