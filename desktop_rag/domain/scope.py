"""Which part of the library a question is about."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.library import Tier

TIER_WEIGHT = {Tier.PRIMARY: 1.05, Tier.NORMAL: 1.0, Tier.BACKGROUND: 0.85}
"""Factor on a passage's fused score. With reciprocal rank fusion at k = 60 a primary source gains
about three ranks at the top of the list, and one in the background loses about ten: it is still
found when nothing else says it."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A selection of documents. Kinds narrow each other, values of one kind add up.

    `Scope(collections=("Contracts",), tags=("signed", "draft"))` means: in Contracts, and tagged
    signed or draft. An empty scope is the whole library.
    """

    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """Absolute paths of folders or files."""
    tiers: tuple[Tier, ...] = ()

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return not (self.collections or self.tags or self.folders or self.tiers)

    def described(self) -> str:
        """`collection Contracts, tagged signed or draft`, for a person; empty for everything."""
        kinds = (
            ("collection", self.collections),
            ("tagged", self.tags),
            ("in", self.folders),
            ("tier", self.tiers),
        )
        return ", ".join(f"{kind} {' or '.join(values)}" for kind, values in kinds if values)
