"""Which part of the library a question is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from desktop_rag.domain.library import Tier

TIER_WEIGHT = {Tier.PRIMARY: 1.05, Tier.NORMAL: 1.0, Tier.BACKGROUND: 0.85}
"""Factor on a passage's fused score. With reciprocal rank fusion at k = 60 a primary source gains
about three ranks at the top of the list, and one in the background loses about ten: it is still
found when nothing else says it."""
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]")


@dataclass(frozen=True, slots=True)
class Scope:
    """A selection of passages. Kinds narrow each other, values of one kind add up.

    `Scope(collections=("Contracts",), tags=("signed", "draft"))` means: in Contracts, and tagged
    signed or draft. An empty scope is the whole library.
    """

    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """Absolute paths of folders or files, or names of folders anywhere (`domain.matching`)."""
    tiers: tuple[Tier, ...] = ()
    files: tuple[str, ...] = ()
    """Names of files, parts of names, or patterns with `*` and `?`."""
    types: tuple[str, ...] = ()
    """Suffixes, or families of them such as `image` (`domain.matching.TYPES`)."""
    after: date | None = None
    """The document's own date, else the file's last change, is on this day or later."""
    before: date | None = None
    """… is before this day."""
    pages: tuple[tuple[int, int], ...] = ()
    """First and last page, or slide; a passage that touches them is in."""

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return self == _EVERYTHING

    @property
    def paths(self) -> tuple[str, ...]:
        """Those of `folders` that are whole paths."""
        return tuple(one for one in self.folders if is_absolute(one))

    @property
    def folder_names(self) -> tuple[str, ...]:
        """Those of `folders` that are names."""
        return tuple(one for one in self.folders if not is_absolute(one))

    def described(self) -> str:
        """`collection Contracts, tagged signed or draft`, for a person; empty for everything."""
        kinds = (
            ("collection", self.collections),
            ("tagged", self.tags),
            ("in", self.paths),
            ("folder", self.folder_names),
            ("tier", self.tiers),
            ("file", self.files),
            ("type", self.types),
            ("from", (f"{self.after} on",) if self.after else ()),
            ("before", (str(self.before),) if self.before else ()),
            ("page", tuple(_range(*one) for one in self.pages)),
        )
        return ", ".join(
            f"{kind} {' or '.join(dict.fromkeys(values))}" for kind, values in kinds if values
        )


_EVERYTHING = Scope()


def is_absolute(path: str) -> bool:
    """Whether it is a whole path, of this system or another."""
    return _ABSOLUTE.match(path) is not None


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
