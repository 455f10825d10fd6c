"""Reads Outlook messages (MSG) from their container with olefile.

Properties and their types follow [MS-OXMSG] and [MS-OXCMSG]. python-oxmsg reads the same files, but
no code page that Python has no name for and no message inside a message.
"""

from __future__ import annotations

import email
import email.policy
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import olefile

from desktop_rag.domain.errors import Damaged, PermanentError
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines.decoding import decode
from desktop_rag.engines.letters import Enclosure, Letter
from desktop_rag.engines.mail_mime import MAX_DEPTH, header_text
from desktop_rag.engines.rtf import read_rtf
from desktop_rag.engines.rtf_compression import unpacked_rtf

_SUBJECT, _BODY, _HTML, _RTF = 0x0037, 0x1000, 0x1013, 0x1009
_SENDER_NAME, _SENDER_MAIL, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_TO, _CC, _HEADERS = 0x0E04, 0x0E03, 0x007D
_SENT, _RECEIVED = 0x0039, 0x0E06
_CODEPAGES = (0x3FFD, 0x3FDE)
_FILE_NAMES = (0x3707, 0x3704, 0x3001)
_DATA = 0x3701
_CLASS = 0x001A
_INLINE_ID = 0x3712


def read_outlook(path: Path) -> Letter:
    """A message with its attachments.

    Raises:
        Damaged: the container is broken.
    """
    try:
        with olefile.OleFileIO(path) as container:
            return _Storage(container, ()).letter()
    except (OSError, ValueError, IndexError, TypeError, struct.error) as exc:
        raise Damaged(
            f"“{path.name}” is not a whole Outlook message; open it in Outlook and save it again."
        ) from exc


class _Storage:
    """One folder of the container: a message or an attachment, with its properties."""

    def __init__(self, container: olefile.OleFileIO, folder: tuple[str, ...], depth: int = 0):
        self._container = container
        self._folder = folder
        self._depth = depth
        self._codepages: list[str] = []

    def letter(self) -> Letter:
        self._codepages = [
            name for number in map(self._number, _CODEPAGES) if (name := _codec(number))
        ]
        headers = email.message_from_string(self._text(_HEADERS), policy=email.policy.compat32)
        sender, kind = self._sender(), self._text(_CLASS).lower()
        notes: tuple[str, ...] = ()
        if "smime" in kind and "multipartsigned" not in kind:
            notes = ("The message is encrypted (S/MIME); only its head was read.",)
        text, html = self._text(_BODY), self._html()
        if not (text.strip() or html.strip()):
            text = self._rich_text()
        return Letter(
            subject=clean_line(self._text(_SUBJECT)),
            sender=sender if "@" in sender else header_text(headers, "From") or sender,
            to=clean_line(self._text(_TO)),
            cc=clean_line(self._text(_CC)),
            date=self._date() or header_text(headers, "Date"),
            text=text,
            html=html,
            enclosures=tuple(self._enclosures()),
            notes=notes,
        )

    def _sender(self) -> str:
        name = clean_line(self._text(_SENDER_NAME))
        address = clean_line(self._text(_SENDER_SMTP) or self._text(_SENDER_MAIL))
        if "@" not in address or address == name:
            return name or address
        return f"{name} <{address}>" if name else address

    def _date(self) -> str:
        for tag in (_SENT, _RECEIVED):
            ticks = int.from_bytes(self._fixed(tag), "little")
            if 0 < ticks < 2**62:
                moment = datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10)
                return moment.isoformat(sep=" ", timespec="minutes")
        return ""

    def _html(self) -> str:
        data = self._stream(_HTML, "0102")
        if not data:
            return self._text(_HTML)
        return _decoded(data, [_codec(self._number(0x3FDE)), *self._codepages])

    def _rich_text(self) -> str:
        data = unpacked_rtf(self._stream(_RTF, "0102"))
        try:
            return read_rtf(data, "message").text if data else ""
        except PermanentError:
            return ""

    def _enclosures(self) -> Iterator[Enclosure]:
        for folder in self._folders("__attach_version1.0_"):
            attached = _Storage(self._container, folder, self._depth + 1)
            attached._codepages = self._codepages
            name = next(filter(None, map(attached._text, _FILE_NAMES)), "")
            name = clean_line(name).replace("/", "_").replace("\\", "_")[:150]
            inner = (*folder, f"__substg1.0_{_DATA:04X}000D")
            if self._container.exists([*inner, "__properties_version1.0"]):
                if self._depth < MAX_DEPTH:
                    letter = _Storage(self._container, inner, self._depth + 1).letter()
                    yield Enclosure(name or letter.subject or "message", letter=letter)
                continue
            data = attached._stream(_DATA, "0102")
            if data and not (attached._text(_INLINE_ID) and _is_picture(name)):
                yield Enclosure(name or "attachment", data)

    # properties

    def _folders(self, prefix: str) -> list[tuple[str, ...]]:
        depth = len(self._folder)
        found = {
            tuple(path[: depth + 1])
            for path in self._container.listdir()
            if len(path) > depth + 1
            and tuple(path[:depth]) == self._folder
            and path[depth].startswith(prefix)
        }
        return sorted(found)

    def _stream(self, tag: int, kind: str) -> bytes:
        path = [*self._folder, f"__substg1.0_{tag:04X}{kind}"]
        if not self._container.exists(path) or self._container.get_type(path) != 2:
            return b""
        data: bytes = self._container.openstream(path).read()
        return data

    def _text(self, tag: int) -> str:
        wide = self._stream(tag, "001F")
        if wide:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self._stream(tag, "001E")
        return _decoded(narrow, self._codepages).rstrip("\0") if narrow else ""

    def _fixed(self, tag: int) -> bytes:
        """Value of a property of fixed size: eight bytes, zeros when there is none."""
        path = [*self._folder, "__properties_version1.0"]
        if not self._container.exists(path):
            return bytes(8)
        data: bytes = self._container.openstream(path).read()
        head = 32 if not self._folder else 24
        for start in range(head, len(data) - 15, 16):
            if int.from_bytes(data[start + 2 : start + 4], "little") == tag:
                return data[start + 8 : start + 16]
        return bytes(8)

    def _number(self, tag: int) -> int:
        return int.from_bytes(self._fixed(tag)[:4], "little")


def _is_picture(name: str) -> bool:
    return name.lower().endswith((".png", ".jpg", ".jpeg", ".gif", ".bmp"))


def _codec(number: int) -> str:
    """Python's name for a Windows code page; empty for none and for Unicode's own numbers."""
    special = {65001: "utf-8", 20127: "", 1200: "", 28591: "latin-1", 20866: "koi8-r"}
    special |= {21866: "koi8-u", 51932: "euc-jp", 51949: "euc-kr", 54936: "gb18030"}
    special |= {50220: "iso2022_jp", 50221: "iso2022_jp", 936: "gb18030"}
    return special.get(number, f"cp{number}" if number else "")


def _decoded(data: bytes, codecs: list[str]) -> str:
    for codec in ("utf-8", *codecs):
        try:
            return data.decode(codec or "ascii")
        except (UnicodeDecodeError, LookupError):
            continue
    try:
        return decode(data.replace(b"\0", b""), "message")
    except PermanentError:
        return data.decode("cp1252", "replace")
