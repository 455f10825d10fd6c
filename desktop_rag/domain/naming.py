"""Which document is meant by a name said in a sentence: `the lease`, `annual report 2023`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.library import Tier
from desktop_rag.domain.terms import FUNCTION_WORDS, fold

_WORD = re.compile(r"[^\W_]+")
_JOINTS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_SEPARATORS = re.compile(r"[/\\]+")
_FEWEST_LETTERS = 4
"""From here on a word may be the beginning of another: `lease` and `leases`, `Miet`vertrag not."""
_ENDING = 2
"""Letters by which two forms of one word may differ at their ends."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A searchable document as a person names it."""

    document: DocumentId
    path: str
    title: str
    created: str = ""
    """The document's own date in ISO 8601, as far as it is known."""
    mtime_ns: int = 0
    tier: Tier = Tier.NORMAL
    pages: int = 0

    @property
    def file(self) -> str:
        """The file's name."""
        return file_name(self.path)

    @property
    def stem(self) -> str:
        """The file's name without its suffix."""
        return self.file.rpartition(".")[0] or self.file

    @property
    def folders(self) -> tuple[str, ...]:
        """Names of the folders it lies in, the innermost last."""
        return tuple(filter(None, _SEPARATORS.split(self.path)[:-1]))


def file_name(path: str) -> str:
    """The last part of a path of any system."""
    return _SEPARATORS.split(path)[-1]


def name_words(text: str) -> tuple[str, ...]:
    """Different words of a name, folded, without function words; letters and digits apart."""
    found = (fold(word) for part in _WORD.findall(text) for word in _JOINTS.split(part))
    return tuple(word for word in dict.fromkeys(found) if word not in FUNCTION_WORDS)


def called(words: Sequence[str], holdings: Sequence[Holding]) -> list[Holding]:
    """Documents whose title or file's name holds all the words, the closest fit first.

    The fewer other words its name has, the closer. Those that fit as well stay in order.
    """
    fits = [(fit, one) for one in holdings if (fit := _fit(words, one)) is not None]
    return [one for _, one in sorted(fits, key=lambda pair: -pair[0])]


def fits_as_well(words: Sequence[str], one: Holding, other: Holding) -> bool:
    """Whether two documents are equally what the words may mean."""
    return _fit(words, one) == _fit(words, other)


def in_folder_called(words: Sequence[str], holdings: Sequence[Holding]) -> list[Holding]:
    """Documents of the folders whose name holds all the words."""
    return [one for one in holdings if any(_holds(name_words(name), words) for name in one.folders)]


def _fit(words: Sequence[str], holding: Holding) -> float | None:
    """Share of its best name that the words are; `None` when no name holds them all."""
    names = (name_words(holding.stem), name_words(holding.file), name_words(holding.title))
    shares = [len(words) / len(name) for name in names if name and _holds(name, words)]
    return max(shares) if shares and words else None


def _holds(name: Sequence[str], words: Sequence[str]) -> bool:
    return bool(words) and all(any(_is_like(word, other) for other in name) for word in words)


def _is_like(word: str, other: str) -> bool:
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    is_form = len(short) >= _FEWEST_LETTERS and len(long) - len(short) <= _ENDING
    return is_form and long.startswith(short)


def file_names(holdings: Sequence[Holding]) -> list[str]:
    """Files' names, with the folder before those that several share."""
    names = [one.file for one in holdings]
    return [
        "/".join([*one.folders[-1:], one.file]) if names.count(one.file) > 1 else one.file
        for one in holdings
    ]
