"""What is dragged onto the window: paths and addresses, be they one or a hundred thousand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QMimeData, QUrl

from desktop_rag.ui.mime import FILES_MIME

_URI_LIST = "text/uri-list"
_FEW = 500
"""More are read elsewhere: Qt needs a fifth of a second for the addresses of 100,000 files."""


@dataclass(frozen=True, slots=True)
class Dragged:
    """All of one drag; the first ones are known at once."""

    first: tuple[str, ...]
    number: int
    raw: bytes = b""
    """Addresses that are not read yet, one a line, when there are more than the first."""

    def all(self) -> list[str]:
        """Every path and address; takes its time for many. Called on any thread."""
        return _read(self.raw.split(b"\n")) if self.raw else list(self.first)


def dragged(data: QMimeData) -> Dragged:
    """Paths, and addresses of what lies elsewhere; a browser may bring an address as text."""
    if data.hasFormat(FILES_MIME):
        return Dragged((), 0)
    raw = bytes(data.data(_URI_LIST).data()).strip()
    if (number := raw.count(b"\n") + 1) > _FEW:
        return Dragged(tuple(_read(raw.split(b"\n", _FEW)[:_FEW])), number, raw)
    urls = data.urls()
    if not urls and data.hasText() and re.match(r"https?://\S+$", data.text().strip()):
        urls = [QUrl(data.text().strip())]
    return Dragged(tuple(map(_told, urls)), len(urls))


def _read(lines: Sequence[bytes]) -> list[str]:
    told = (line.strip() for line in lines)
    return [_told(QUrl.fromEncoded(QByteArray(one))) for one in told if one[:1] not in (b"", b"#")]


def _told(url: QUrl) -> str:
    return url.toLocalFile() if url.isLocalFile() else url.toString()
