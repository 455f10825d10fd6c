"""Reads messages in Internet form (EML, EMLX, MBOX) with the standard library.

Nothing in a message is trusted: character sets that do not exist or do not fit, raw bytes in
headers, parts that never end. What can be read is read.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from datetime import UTC
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime

from desktop_rag.domain.errors import PermanentError
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines.decoding import decode
from desktop_rag.engines.letters import Enclosure, Letter

MAX_DEPTH = 8
"""Messages inside messages; what lies deeper is named and not read."""
_CALENDAR = "text/calendar"
_SIGNATURES = frozenset({
    "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature",
})  # fmt: skip
_PGP = re.compile(r"^-----BEGIN PGP MESSAGE-----", re.MULTILINE)
_FROM_LINE = re.compile(rb"^From \S.*\d{4}[^\n]*\n(?=[!-9;-~]+:)", re.MULTILINE)
_EMLX = re.compile(rb"\A\d{1,12}\s*\n")
_LATIN = ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii", "windows-1252", "cp1252")


def read_message(data: bytes, depth: int = 0) -> Letter:
    """A message from its bytes; EMLX, which puts the length in front, too."""
    length = _EMLX.match(data)
    if length:
        data = data[length.end() : length.end() + int(length.group())]
    return _letter(email.message_from_bytes(data, policy=email.policy.compat32), depth)


def read_mailbox(data: bytes) -> Iterator[Letter]:
    """The messages of an MBOX file, one after the other."""
    borders = [match.end() for match in _FROM_LINE.finditer(data)]
    starts = [match.start() for match in _FROM_LINE.finditer(data)]
    for begin, end in zip(borders, [*starts[1:], len(data)], strict=True):
        yield read_message(data[begin:end])


def _letter(message: Message, depth: int) -> Letter:
    body = _Body()
    body.collect(message, depth)
    return Letter(
        subject=header_text(message, "Subject"),
        sender=header_text(message, "From"),
        to=header_text(message, "To"),
        cc=header_text(message, "Cc"),
        date=_date(header_text(message, "Date")),
        text="\n\n".join(body.texts),
        html="\n".join(body.pages),
        enclosures=tuple(body.enclosures),
        notes=tuple(dict.fromkeys(body.notes)),
    )


class _Body:
    """Sorts the parts of one message into text, HTML and attachments."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.pages: list[str] = []
        self.enclosures: list[Enclosure] = []
        self.notes: list[str] = []

    def collect(self, part: Message, depth: int) -> None:
        """Sort a part, or all that is in it."""
        kind = part.get_content_type()
        if kind == "multipart/encrypted":
            self.notes.append("The message is encrypted; only its head was read.")
        elif kind == "message/rfc822":
            self._add_message(part, depth)
        elif part.is_multipart():
            for child in part.get_payload():
                if isinstance(child, Message):
                    self.collect(child, depth)
        else:
            self._add_leaf(part, kind)

    def _add_message(self, part: Message, depth: int) -> None:
        inner = part.get_payload()
        message = inner[0] if isinstance(inner, list) and inner else None
        if not isinstance(message, Message):
            return
        name = _file_name(part) or header_text(message, "Subject") or "message"
        if depth >= MAX_DEPTH:
            self.notes.append(f"The attached message “{name}” was not read: it is nested too deep.")
            return
        self.enclosures.append(Enclosure(name, letter=_letter(message, depth + 1)))

    def _add_leaf(self, part: Message, kind: str) -> None:
        name = _file_name(part)
        if kind in _SIGNATURES or name.endswith((".p7s", ".asc")):
            return
        if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            signed = "signed" in str(part.get_param("smime-type") or "")
            how = "signed as one piece" if signed else "encrypted"
            self.notes.append(f"The message is {how} (S/MIME); only its head was read.")
        elif kind in ("text/plain", "text/html") and not _is_attached(part) and not name:
            self._add_text(part, is_page=kind == "text/html")
        elif kind == _CALENDAR and not name:
            self.enclosures.append(Enclosure("invitation.ics", _bytes(part)))
        else:
            self._add_file(part, kind, name)

    def _add_text(self, part: Message, *, is_page: bool) -> None:
        text = _decoded(_bytes(part), str(part.get_content_charset() or ""))
        if _PGP.search(text):
            self.notes.append("Part of the message is encrypted (PGP) and was not read.")
            text = _PGP.split(text)[0]
        (self.pages if is_page else self.texts).append(text)

    def _add_file(self, part: Message, kind: str, name: str) -> None:
        is_shown_inside = part.get("Content-ID") and kind.startswith("image/")
        if is_shown_inside and not _is_attached(part):
            return  # logos and drawings of the HTML body
        suffix = "." + kind.partition("/")[2].split("-")[-1].split(".")[-1]
        self.enclosures.append(Enclosure(name or f"attachment{suffix}", _bytes(part)))


def _is_attached(part: Message) -> bool:
    return str(part.get("Content-Disposition") or "").strip().lower().startswith("attachment")


def _bytes(part: Message) -> bytes:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, MessageError):
        data = None
    return data if isinstance(data, bytes) else b""


def _decoded(data: bytes, charset: str) -> str:
    """Text in the character set that is named, unless another fits better."""
    names = () if charset.lower() in _LATIN else (charset,)
    for name in (*names, "utf-8", charset):
        try:
            return data.decode(name) if name else data.decode("ascii")
        except (UnicodeDecodeError, LookupError):
            continue
    try:
        return decode(data, "message")
    except PermanentError:
        return data.decode("cp1252", "replace")


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename()
    except (ValueError, LookupError, MessageError):
        return ""
    return _plain(name or "").replace("/", "_").replace("\\", "_")[:150]


def header_text(message: Message, name: str) -> str:
    """A header's first value, decoded; empty when there is none."""
    found = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return _plain(str(found))


def _plain(raw: str) -> str:
    """A header's value with its encoded words decoded; raw bytes are guessed."""
    raw = raw.replace("\r", "").replace("\n", "")
    data = raw.encode("utf-8", "surrogateescape")
    if data != raw.encode("utf-8", "replace"):
        raw = _decoded(data, "utf-8")
    try:
        pieces = decode_header(raw)
    except (HeaderParseError, ValueError):
        return clean_line(raw)
    return clean_line(
        "".join(
            piece if isinstance(piece, str) else _decoded(piece, charset or "utf-8")
            for piece, charset in pieces
        )
    )


def _date(text: str) -> str:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return text
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.isoformat(sep=" ", timespec="minutes")
