"""Outlook messages: text, names in code pages, attachments, messages inside messages."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from pathlib import Path

from desktop_rag.domain.documents import PartKind
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines.mail_outlook import read_outlook
from tests.helpers.ole import Folder, make_ole

PROPERTIES = "__properties_version1.0"
SENT = datetime(2024, 3, 5, 9, 30, tzinfo=UTC)


def text(tag: int, value: str) -> dict[str, bytes]:
    return {f"__substg1.0_{tag:04X}001F": value.encode("utf-16-le")}


def data(tag: int, value: bytes, kind: str = "0102") -> dict[str, bytes]:
    return {f"__substg1.0_{tag:04X}{kind}": value}


def properties(head: int, **numbers: int) -> dict[str, bytes]:
    """`head` bytes that are passed over, then sixteen for each property of fixed size."""
    rows = b"".join(
        struct.pack("<HHIQ", 3, int(tag.lstrip("t"), 16), 6, value)
        for tag, value in numbers.items()
    )
    return {PROPERTIES: bytes(head) + rows}


def ticks(moment: datetime) -> int:
    return int((moment - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000


def message(head: int = 32, subject: str = "Pumps", body: str = "They rust.") -> dict[str, bytes]:
    return {
        **text(0x0037, subject),
        **text(0x1000, body),
        **text(0x0C1A, "Ana Šimić"),
        **text(0x5D01, "ana@example.org"),
        **text(0x0E04, "Bo; Cy"),
        **properties(head, t0039=ticks(SENT)),
    }


def test_a_message_with_an_attachment(tmp_path: Path, reader: DocumentReader) -> None:
    attached: Folder = {**text(0x3707, "list.txt"), **data(0x3701, b"Valves and seals.\n")}
    folder: Folder = {**message(), "__attach_version1.0_#00000000": attached}
    document = reader.read(make_ole(tmp_path / "a.msg", folder)).document
    for words in ("Pumps", "They rust.", "Ana Šimić <ana@example.org>", "Bo; Cy", "2024-03-05"):
        assert words in document.text
    parts = [part for part in document.parts if part.kind is PartKind.ATTACHMENT]
    assert [part.name for part in parts] == ["list.txt"]
    assert "Valves and seals." in document.text[parts[0].start : parts[0].end]


def test_the_time_of_sending_is_found_behind_other_properties(tmp_path: Path) -> None:
    folder = message() | properties(32, t0E06=1, t3FFD=1250, t0039=ticks(SENT))
    assert read_outlook(make_ole(tmp_path / "a.msg", folder)).date == "2024-03-05 09:30+00:00"


def test_narrow_text_is_read_by_the_code_page_of_the_message(tmp_path: Path) -> None:
    folder = {
        **data(0x0037, "Příští týden".encode("cp1250"), "001E"),
        **data(0x1000, "Žádné změny.".encode("cp1250"), "001E"),
        **properties(32, t3FFD=1250),
    }
    letter = read_outlook(make_ole(tmp_path / "a.msg", folder))
    assert (letter.subject, letter.text) == ("Příští týden", "Žádné změny.")


def test_a_message_inside_a_message(tmp_path: Path) -> None:
    inner = message(24, subject="Older", body="It leaked before.")
    attached: Folder = {"__substg1.0_3701000D": inner, **properties(8)}
    folder: Folder = {**message(), "__attach_version1.0_#00000000": attached}
    (enclosure,) = read_outlook(make_ole(tmp_path / "a.msg", folder)).enclosures
    assert enclosure.name == "Older"
    assert enclosure.letter is not None
    assert enclosure.letter.text == "It leaked before."
    assert enclosure.letter.date == "2024-03-05 09:30+00:00"


def test_pictures_of_the_text_are_no_attachments(tmp_path: Path) -> None:
    logo: Folder = {**text(0x3707, "logo.png"), **data(0x3701, b"png"), **text(0x3712, "id@1")}
    photo: Folder = {**text(0x3707, "photo.png"), **data(0x3701, b"png")}
    folder: Folder = {
        **message(),
        "__attach_version1.0_#00000000": logo,
        "__attach_version1.0_#00000001": photo,
    }
    letter = read_outlook(make_ole(tmp_path / "a.msg", folder))
    assert [one.name for one in letter.enclosures] == ["photo.png"]


def test_an_encrypted_message_says_so(tmp_path: Path) -> None:
    letter = read_outlook(
        make_ole(tmp_path / "a.msg", message(body="") | text(0x001A, "IPM.Note.SMIME"))
    )
    assert "encrypted" in letter.notes[0]
