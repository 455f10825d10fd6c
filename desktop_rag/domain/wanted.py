"""What a start of the program is to show; a second start hands it to the window that is open."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Wanted:
    """Nothing in it means: just the window."""

    paths: tuple[Path, ...] = ()
    """Absolute. They are opened when they are in the library, else adding them is offered."""
    page: int | None = None
    """Of the first path; the first page is 1."""
    quote: str = ""
    """Words to be marked in the first path."""
    is_hidden: bool = False
    """Start in the tray where there is one, else small: nobody is waiting for the window."""
    added: tuple[Path, ...] = ()
    """Absolute. The person chose these in a file manager: they are added, as if dropped."""
    is_new_chat: bool = False
    """Begin with an empty chat."""

    def and_then(self, later: Wanted) -> Wanted:
        """Both, where the library was not open yet when the second came."""
        return Wanted(
            tuple(dict.fromkeys((*self.paths, *later.paths))),
            later.page,
            later.quote,
            added=tuple(dict.fromkeys((*self.added, *later.added))),
            is_new_chat=self.is_new_chat or later.is_new_chat,
        )
