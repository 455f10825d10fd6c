"""Folds letters that only look like plain ones, so that nothing hides behind another alphabet.

Length for length: a span of the folded text is the same span of the text. For finding only; what a
person reads is never folded.
"""

from __future__ import annotations

import re
import unicodedata

_CYRILLIC = dict(
    zip("АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһԛԝո", "ABESIJKMHOPCTYXaesijopcyxdhqwn", strict=True)
)
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυχ", "ABEZHIKMNOPTYXaivopux", strict=True))
_SIGNS = dict(zip("‹›〈〉⟨⟩《》【】〔〕⟦⟧∣│❘ǀ꞉∶ː", "<><><><>[][][]||||:::", strict=True))
_LOOK_ALIKES = _CYRILLIC | _GREEK | _SIGNS
_SUSPICIOUS = re.compile(
    "[a-zA-Z][\u0370-\u052f]|[\u0370-\u052f][a-zA-Z]|[\uff01-\uff5e\U0001d400-\U0001d7ff\u24b6-\u24e9"
    f"{re.escape(''.join(_SIGNS))}]"
)
"""Words of two alphabets, and letters and brackets of odd forms."""


def folded(text: str) -> str:
    """`text` with look-alikes of Latin letters and of brackets as what they look like."""
    if text.isascii() or not _SUSPICIOUS.search(text):
        return text
    table = {ord(char): _plain(char) for char in set(text) if not char.isascii()}
    return text.translate(table)


def _plain(char: str) -> str:
    """Full-width, mathematical and circled letters as plain ones."""
    normal = unicodedata.normalize("NFKC", char)
    plain = normal if len(normal) == 1 else char
    return _LOOK_ALIKES.get(plain, plain)
