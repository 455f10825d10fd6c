"""What a mail message is, whatever file it came in: head, body, attachments."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file, or another message, that came with a message."""

    name: str
    data: bytes = b""
    letter: Letter | None = None


@dataclass(frozen=True, slots=True)
class Letter:
    """One message. `text` and `html` are two versions of its body; each may be empty."""

    subject: str = ""
    sender: str = ""
    to: str = ""
    cc: str = ""
    date: str = ""
    """ISO date and time, or what the file says when that is no date."""
    text: str = ""
    html: str = ""
    enclosures: tuple[Enclosure, ...] = ()
    notes: tuple[str, ...] = ()
