"""Whether a text holds a phrase: without case and accents, over line ends and hyphenation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.domain.terms import fold

_MARKS = str.maketrans({"’": "'", "‘": "'", "`": "'", "–": "-", "—": "-", "‐": "-", "‑": "-"})
_BROKEN = re.compile(r"(?<=[^\W\d_])(?:\u00ad\s*|-[ \t]*\n\s*)(?=[^\W\d_])")
"""A soft hyphen, or a hyphen at the end of a line, which the word may be spelled with or not."""
_MAY_BREAK = re.compile(r"\u00ad|-[ \t]*\n")
_SOFT = "\u00ad"
SECTION_END = "\n\0\n"
"""Between a heading and the text below it: no phrase reaches from one into the other."""
# A letter that others stand beside in one word; scripts without spaces have no such borders.
_BORDERED = re.compile(r"[0-9a-z\u00c0-\u1fff]")


def holds_phrase(text: str, phrase: str) -> bool:
    """Whether the words of the phrase stand in the text one after the other, whole, as written.

    Spaces and line ends count the same; a word that is hyphenated at the end of a line counts as
    if it was not.
    """
    wanted = _Phrase.of(phrase)
    plain = _plain(text)
    if wanted.stands_in(plain):
        return True
    if not _MAY_BREAK.search(plain):
        return False
    return any(wanted.stands_in(_BROKEN.sub(mark, plain)) for mark in ("", "-"))


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase, ready to be looked for in many texts."""

    words: tuple[str, ...]
    pattern: re.Pattern[str]

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, phrase: str) -> _Phrase:
        words = _plain(phrase).replace(_SOFT, "").split()
        body = r"\s+".join(map(re.escape, words))
        first, last = (words[0][0], words[-1][-1]) if words else ("", "")
        before = r"(?<!\w)" if _BORDERED.match(first) else ""
        after = r"(?!\w)" if _BORDERED.match(last) else ""
        return cls(tuple(words), re.compile(before + body + after))

    def stands_in(self, plain: str) -> bool:
        # Most texts lack a word; that is found out ten times faster than the pattern fails.
        return all(word in plain for word in self.words) and bool(self.pattern.search(plain))


def _plain(text: str) -> str:
    return fold(text.replace("`", "'") if text.isascii() else text.translate(_MARKS))
