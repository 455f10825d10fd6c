"""Which part of the library a person chose for a chat, and what of that is still there."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_rag.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Choice:
    """Collections, folders and files; they add up. An empty choice is the whole library."""

    collections: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """Absolute paths of folders and files."""

    @property
    def is_everything(self) -> bool:
        """Whether nothing was chosen."""
        return not self.collections and not self.paths

    def without(self, name: str) -> Choice:
        """The same, less a collection or path."""
        return Choice(
            tuple(one for one in self.collections if one != name),
            tuple(one for one in self.paths if one != name),
        )


@dataclass(frozen=True, slots=True)
class Resolved:
    """A choice against the library as it is now."""

    choice: Choice = field(default_factory=Choice)
    scope: Scope = field(default_factory=Scope)
    gone: tuple[str, ...] = ()
    """What of the choice has no file in the library any more."""

    @property
    def has_nothing(self) -> bool:
        """Whether something was chosen and all of it is gone: searching would find nothing."""
        chosen = len(self.choice.collections) + len(self.choice.paths)
        return chosen > 0 and len(self.gone) == chosen


@dataclass(frozen=True, slots=True)
class Options:
    """What can be chosen from."""

    collections: tuple[tuple[str, int], ...] = ()
    """Names with the number of their files."""
    folders: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    """Paths with the titles of the documents."""
