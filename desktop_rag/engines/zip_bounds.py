"""The one way to open ZIP files of unknown origin: entries, sizes and ratios are bounded.

Sizes in a ZIP are claims. What is read here is counted as it is unpacked; archives that another
library unpacks are judged by their claims and by what DEFLATE can do at most (`check_zip`).
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from desktop_rag.domain.errors import Damaged, Encrypted, TooLarge
from desktop_rag.engines import safe_xml

MAX_ENTRIES = 100_000
MAX_PART_BYTES = 100_000_000
"""Of one entry that is read. A tree of XML takes up to ten times as much memory."""
MAX_READ_BYTES = 400_000_000
"""Of all entries that are read, one after the other."""
MAX_TOTAL_BYTES = 2_000_000_000
MAX_RATIO = 300
"""Sheets of equal cells reach 100; only what is made to harm comes near the 1032 of DEFLATE."""
_RATIO_COUNTS_FROM = 20_000_000
_IS_ENCRYPTED = 0x1
_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError,
    RuntimeError,
)  # fmt: skip
"""What `zipfile` raises for broken data, unknown compression and impossible offsets."""


class BoundedZip:
    """An open archive. Names are compared without case and with either slash, as Office does."""

    def __init__(self, archive: zipfile.ZipFile, name: str, what: str) -> None:
        self.name = name
        """Of the file, for messages."""
        self.what = what
        self.mended: list[str] = []
        """What was wrong with XML of which something was lost, see `safe_xml`."""
        self._archive = archive
        self._entries = {_key(entry.filename): entry for entry in archive.infolist()}
        self._left = MAX_READ_BYTES

    @property
    def names(self) -> list[str]:
        """Names of all entries as they are written, in the archive's order."""
        return [entry.filename for entry in self._entries.values()]

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._entries

    def read(self, name: str, limit: int = 0) -> bytes:
        """Content of an entry, `b""` if there is none of that name.

        Args:
            limit: most bytes to accept; 0 stands for `MAX_PART_BYTES`.

        Raises:
            Encrypted, TooLarge, Damaged: as they say, with a sentence for the person.
        """
        entry = self._entries.get(_key(name))
        if entry is None:
            return b""
        if entry.flag_bits & _IS_ENCRYPTED:
            raise encrypted(self.name)
        limit = min(limit or MAX_PART_BYTES, self._left)
        try:
            with self._archive.open(entry) as file:
                data = file.read(limit + 1)
        except _BROKEN as exc:
            raise self.damaged() from exc
        if len(data) > limit:
            raise too_large(self.name)
        self._left -= len(data)
        return data

    def xml(self, name: str) -> Any | None:
        """Root element of an entry; `None` if there is none or it is no XML."""
        data = self.read(name)
        return safe_xml.parsed(data, self.name, self.mended) if data else None

    def mended_note(self) -> tuple[str, ...]:
        """The sentence about XML that was lost, if any was."""
        return mended_note(self.mended)

    def damaged(self) -> Damaged:
        """The error for content that is not what it should be."""
        return damaged(self.name, self.what)


@contextmanager
def open_zip(path: Path, what: str) -> Iterator[BoundedZip]:
    """Open an archive for reading; closed at the end.

    Args:
        what: the kind of document for messages, e.g. `Word document`.

    Raises:
        Damaged, TooLarge: it is no whole archive, or has too many entries.
        OSError: the file itself cannot be opened.
    """
    with path.open("rb") as file, open_zip_file(file, path.name, what) as archive:
        yield archive


@contextmanager
def open_zip_file(file: IO[bytes], name: str, what: str) -> Iterator[BoundedZip]:
    """`open_zip` for an open file or bytes in memory; `name` is for messages."""
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN as exc:
        raise damaged(name, what) from exc
    with archive:
        if len(archive.infolist()) > MAX_ENTRIES:
            raise too_large(name)
        yield BoundedZip(archive, name, what)


def check_zip(path: Path, what: str) -> None:
    """Refuse an archive that must not be given to a library which unpacks it whole.

    Raises:
        Encrypted, TooLarge, Damaged: as they say.
        OSError: the file itself cannot be opened.
    """
    with open_zip(path, what) as archive:
        entries = archive._archive.infolist()
        if any(entry.flag_bits & _IS_ENCRYPTED for entry in entries):
            raise encrypted(path.name)
        if sum(entry.file_size for entry in entries) > MAX_TOTAL_BYTES:
            raise too_large(path.name)
        if any(_is_bomb(entry) for entry in entries):
            raise too_large(path.name)


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    if entry.file_size < _RATIO_COUNTS_FROM:
        return False
    return entry.file_size > MAX_RATIO * max(entry.compress_size, 1)


def mended_note(mended: list[str]) -> tuple[str, ...]:
    """The sentence about XML of which something was lost; nothing for an empty list."""
    if not mended:
        return ()
    return ("Part of this file is damaged or nested too deeply; the rest of it was read.",)


def damaged(name: str, what: str) -> Damaged:
    """The error for a file that is not a whole `what`."""
    return Damaged(
        f"“{name}” is not a whole {what}; open it in its program and save it again, "
        "or get a new copy."
    )


def too_large(name: str) -> TooLarge:
    """The error for a file that unpacks to more than can be read."""
    return TooLarge(
        f"“{name}” unpacks to far more than its size or than can be read; "
        "split it into smaller files."
    )


def encrypted(name: str) -> Encrypted:
    """The error for a file that only its password opens."""
    return Encrypted(f"“{name}” needs a password; save a copy without one and add that.")


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").casefold()
