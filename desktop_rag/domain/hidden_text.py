"""Counts text that a document holds and nobody can see, so that it is named instead of lost.

Readers call `leave_out` where they come upon such text and go on without it. What was left out of
one file is collected by `collected`, wherever in the file it stands (a web page in a mail, a letter
in an archive), because hidden text matters only to the person who looks at that file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from desktop_rag.domain.orders import orders_in, quoted

_FEW_LETTERS = 8
"""Fewer are a blank that somebody coloured, or the number of a list."""
_SHOWN = 3
_MAX_CHARS = 20_000
"""Of hidden text that are looked through for orders."""


class HiddenText:
    """What was left out of one file."""

    def __init__(self) -> None:
        self._words: Counter[str] = Counter()
        self._letters = 0
        self._text = ""

    def add(self, how: str, text: str) -> None:
        """Count a text that is hidden in the way `how` says: `white`, `display:none` …"""
        words = len(text.split())
        if not words:
            return
        self._words[how] += words
        self._letters += sum(char.isalnum() for char in text)
        self._text = f"{self._text}\n{text}"[:_MAX_CHARS]

    def notes(self) -> tuple[str, ...]:
        """Sentences for the person; none when next to nothing was hidden."""
        if self._letters < _FEW_LETTERS:
            return ()
        count = self._words.total()
        how = ", ".join(name for name, _ in self._words.most_common(_SHOWN))
        said = "1 hidden word was" if count == 1 else f"{count:,} hidden words were"
        seen = f"{said} left out ({how}): nobody sees that in the document."
        return (seen, *orders_note(self._text, is_hidden=True))


def leave_out(how: str, text: str) -> None:
    """Name text that nobody can see; called by readers, in a `collected` block or not."""
    if (current := _current.get()) is not None:
        current.add(how, text)


@contextmanager
def collected() -> Iterator[HiddenText]:
    """Collect what readers leave out until the end of the block."""
    found = HiddenText()
    token = _current.set(found)
    try:
        yield found
    finally:
        _current.reset(token)


def orders_note(text: str, *, is_hidden: bool = False) -> tuple[str, ...]:
    """A sentence when a text gives orders to a language model, with the first of them."""
    spans = orders_in(text)
    if not spans:
        return ()
    what = "Hidden text" if is_hidden else "Text"
    count = f" ({len(spans)} places)" if len(spans) > 1 else ""
    return (
        f"{what} in this file gives orders to AI programs{count}; it is kept from the language "
        f"model: “{quoted(text, spans[0])}”",
    )


_current: ContextVar[HiddenText | None] = ContextVar("hidden text", default=None)
