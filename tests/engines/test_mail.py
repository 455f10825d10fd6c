"""Mail: heads, bodies, character sets, attachments as parts, what is encrypted, bounds."""

from __future__ import annotations

import tempfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument, ReadDocument
from desktop_rag.domain.errors import Damaged, NoText, TooLarge
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines import mail, mail_mime
from desktop_rag.engines.rtf_compression import unpacked_rtf
from tests.helpers.documents import filler, make_pdf, make_text, make_xlsx


def letter(subject: str = "Pump 7", body: str = "It leaks.\n\nSince May.") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ada Lovelace <ada@plant.example>"
    message["To"] = "Bob <bob@plant.example>"
    message["Date"] = "Fri, 01 Mar 2024 09:30:00 +0100"
    message["Subject"] = subject
    message.set_content(body)
    return message


def saved(path: Path, message: EmailMessage | bytes) -> Path:
    path.write_bytes(message if isinstance(message, bytes) else bytes(message))
    return path


def read(reader: DocumentReader, path: Path, message: EmailMessage | bytes) -> ParsedDocument:
    return reader.read(saved(path, message)).document


def test_head_title_author_and_date(tmp_path: Path, reader: DocumentReader) -> None:
    document = read(reader, tmp_path / "a.eml", letter())
    assert document.text == (
        "From: Ada Lovelace <ada@plant.example>\nTo: Bob <bob@plant.example>\n"
        "Date: 2024-03-01 09:30+01:00\nSubject: Pump 7\n\nIt leaks.\n\nSince May."
    )
    assert (document.title, document.created) == ("Pump 7", "2024-03-01")
    assert document.author == "Ada Lovelace <ada@plant.example>"
    assert document.format == "eml"


def test_text_is_preferred_unless_it_says_nothing(tmp_path: Path, reader: DocumentReader) -> None:
    page = f"<h2>Findings</h2><p>{filler(60)}</p>"
    both = letter(body=filler(40))
    both.add_alternative(page, subtype="html")
    assert "Findings" not in read(reader, tmp_path / "a.eml", both).text
    stub = letter(body="This message is in HTML.")
    stub.add_alternative(page, subtype="html")
    document = read(reader, tmp_path / "b.eml", stub)
    assert "This message" not in document.text
    assert [b.level for b in document.blocks if b.kind is BlockKind.HEADING] == [2]


def test_quoted_history_keeps_its_lines(tmp_path: Path, reader: DocumentReader) -> None:
    quoted = "\n".join(f"> line {n} of what Bob wrote some weeks ago about pumps" for n in range(4))
    body = f"Agreed.\n\n{quoted}\n"
    assert quoted in read(reader, tmp_path / "a.eml", letter(body=body)).text


def test_attachments_are_parts_with_their_own_structure(
    tmp_path: Path, reader: DocumentReader
) -> None:
    sheet = make_xlsx(tmp_path / "s.xlsx", {"Flow": [["Pump", "Flow"], ["P-7", 12]]})
    pdf = make_pdf(tmp_path / "r.pdf", ["First page.", "The second page has the answer."])
    message = letter()
    for path, name in ((sheet, "März/flow.xlsx"), (pdf, "report.pdf")):
        message.add_attachment(
            path.read_bytes(), maintype="application", subtype="octet-stream", filename=name
        )
    result = reader.read(saved(tmp_path / "a.eml", message))
    assert result.document.coverage.attachments == ("März_flow.xlsx", "report.pdf")
    assert result.document.coverage.tables == 1
    assert place(result, "P-7 | 12") == "attachment März_flow.xlsx, sheet Flow, rows 1-2"
    assert place(result, "the answer").startswith("attachment report.pdf, page")
    (chunk,) = [c for c in result.chunks if "P-7" in c.text]
    assert chunk.header == "Pump 7 > März_flow.xlsx > Flow"
    assert result.document.pages == ()


def place(result: ReadDocument, quote: str) -> str:
    (found,) = [chunk.place for chunk in result.chunks if quote in chunk.text]
    return found


def test_what_was_not_read_is_named(tmp_path: Path, reader: DocumentReader) -> None:
    message = letter()
    movie = b"\0\0\0\x20ftypisom" + bytes(90)
    for name, data in (("movie.mp4", movie), ("data.zzz", b"\1\2" * 90)):
        message.add_attachment(data, maintype="application", subtype="x", filename=name)
    document = read(reader, tmp_path / "a.eml", message)
    assert document.coverage.attachments == ("movie.mp4", "data.zzz")
    assert len(document.notes) == 2
    assert document.notes[0].startswith("Attachment “movie.mp4” is a video")
    assert "data.zzz" in document.notes[1]
    assert document.parts == ()


def test_messages_inside_messages(tmp_path: Path, reader: DocumentReader) -> None:
    inner = letter("Older matter", "The inner words.")
    sheet = make_xlsx(tmp_path / "s.xlsx", {"Flow": [["deep"], ["cell"]]})
    inner.add_attachment(sheet.read_bytes(), maintype="application", subtype="x", filename="s.xlsx")
    outer = letter()
    outer.add_attachment(inner)
    result = reader.read(saved(tmp_path / "a.eml", outer))
    assert place(result, "The inner words.") == "attachment Older matter"
    assert place(result, "cell").startswith("attachment Older matter, attachment s.xlsx, sheet")


def test_endless_nesting_is_bounded(tmp_path: Path, reader: DocumentReader) -> None:
    message = letter("Level 0", "innermost")
    for level in range(1, 15):
        around = letter(f"Level {level}", f"body {level}")
        around.add_attachment(message)
        message = around
    document = read(reader, tmp_path / "a.eml", message)
    assert "body 14" in document.text
    assert "innermost" not in document.text
    assert any("nested too deep" in note for note in document.notes)


RAW = (
    b"From: =?koi8-r?B?6dfBzg==?= <ivan@plant.example>\r\n"
    b"Subject: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?= =?x-unknown?Q?_m=FC?=\r\n"
    b"Date: sometime last week\r\n"
    b"Content-Type: text/plain; charset=%s\r\n"
    b"Content-Transfer-Encoding: 8bit\r\n\r\n%s\r\n"
)


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        (b"utf-8", "utf-8"),
        (b"utf-8", "cp1252"),
        (b"iso-8859-1", "utf-8"),
        (b"x-no-such-charset", "utf-8"),
        (b"us-ascii", "cp1252"),
        (b"unicode-1-1-utf-7", "utf-8"),
    ],
)
def test_wrong_character_sets(
    tmp_path: Path, reader: DocumentReader, declared: bytes, encoding: str
) -> None:
    body = "Die Größe der Anlage beträgt 20 m², der Preis ist für alle gleich."
    document = read(reader, tmp_path / "a.eml", RAW % (declared, body.encode(encoding)))
    assert document.text.endswith(body)
    assert document.title == "Größe mü"
    assert document.author == "Иван <ivan@plant.example>"
    assert "Date: sometime last week" in document.text
    assert document.created == ""


def test_raw_bytes_in_a_header(tmp_path: Path, reader: DocumentReader) -> None:
    raw = "From: a@b.example\nTo: c@d.example\nSubject: Größe der Anlage\n\nwords\n"
    for encoding in ("utf-8", "cp1252"):
        document = read(reader, tmp_path / "a.eml", raw.encode(encoding))
        assert document.title == "Größe der Anlage"


def test_broken_multipart_is_read_as_far_as_it_goes(tmp_path: Path, reader: DocumentReader) -> None:
    raw = (
        b"From: a@b.example\nSubject: Cut\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/mixed; boundary="xx"\n\n--xx\nContent-Type: text/plain\n\n'
        b"first words\n--xx\nContent-Type: application/pdf; name=a.pdf\n"
        b"Content-Transfer-Encoding: base64\n\nJVBERi0xLjQK!!!not base64"
    )
    document = read(reader, tmp_path / "a.eml", raw)
    assert "first words" in document.text
    assert "a.pdf" in document.notes[0]


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ('multipart/encrypted; protocol="application/pgp-encrypted"; boundary="b"', "encrypted"),
        ("application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "S/MIME"),
        ("application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "signed as one piece"),
    ],
)
def test_encrypted_mail_says_so(
    tmp_path: Path, reader: DocumentReader, kind: str, says: str
) -> None:
    raw = f"From: a@b.example\nSubject: Secret\nContent-Type: {kind}\n\n--b\n\nMIIB\n--b--\n"
    document = read(reader, tmp_path / "a.eml", raw.encode())
    assert says in document.notes[0]
    assert document.text == "From: a@b.example\nSubject: Secret"


def test_pgp_in_the_text_and_signatures(tmp_path: Path, reader: DocumentReader) -> None:
    body = "See below.\n\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"
    document = read(reader, tmp_path / "a.eml", letter(body=body))
    assert "PGP" in document.notes[0]
    assert document.text.endswith("See below.")
    signed = letter()
    signed.add_attachment(b"x", maintype="application", subtype="pgp-signature", filename="s.asc")
    document = read(reader, tmp_path / "b.eml", signed)
    assert (document.coverage.attachments, document.notes) == ((), ())


def test_pictures_of_the_layout_are_no_attachments(tmp_path: Path, reader: DocumentReader) -> None:
    message = letter()
    message.add_attachment(b"x", maintype="image", subtype="png", filename="logo.png", cid="<l>")
    message.get_payload()[1].replace_header("Content-Disposition", "inline")  # type: ignore[union-attr, index]
    assert read(reader, tmp_path / "a.eml", message).coverage.attachments == ()


def test_mailbox(tmp_path: Path, reader: DocumentReader) -> None:
    source = b"".join(
        b"From bob@plant.example Fri Mar  1 09:30:00 2024\n"
        + bytes(letter(f"No {n}", f"body {n}"))
        + b"\n"
        for n in range(3)
    )
    result = reader.read(saved(tmp_path / "a.mbox", source))
    assert result.document.format == "mbox"
    headings = [b for b in result.document.blocks if b.kind is BlockKind.HEADING]
    assert len(headings) == 3
    assert "body 2" in result.document.text
    places = [f"message {n}" for n in (1, 2, 3)]
    assert [chunk.place for chunk in result.chunks] == places  # they share no passage


def test_mail_is_told_by_its_content(tmp_path: Path, reader: DocumentReader) -> None:
    for name in ("message", "message.txt", "message.20240301"):
        assert read(reader, tmp_path / name, letter()).format == "eml"
    apple = bytes(letter())
    apple = str(len(apple)).encode() + b"\n" + apple + b"<?xml version='1.0'?><plist/>"
    document = read(reader, tmp_path / "a.emlx", apple)
    assert document.title == "Pump 7"
    assert "plist" not in document.text
    script = make_text(tmp_path / "m.md", "From: a\nTo: b\nSubject: c\nDate: d\n\n# Head\n")
    assert reader.read(script).document.format == "markdown"


def test_bounds_and_reasons(
    tmp_path: Path, reader: DocumentReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoText, match=r"a\.eml"):
        read(reader, tmp_path / "a.eml", b"\n\n\n")
    with pytest.raises(Damaged, match=r"b\.msg"):
        read(reader, tmp_path / "b.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(700))
    many = letter()
    for number in range(5):
        words, name = f"words {number}".encode(), f"{number}.txt"
        many.add_attachment(words, maintype="text", subtype="x", filename=name)
    monkeypatch.setattr(mail, "MAX_ENCLOSURES", 3)
    document = read(reader, tmp_path / "c.eml", many)
    assert "words 2" in document.text
    assert "words 3" not in document.text
    assert "too many" in document.notes[0]
    monkeypatch.setattr(mail, "MAX_BYTES", 10)
    with pytest.raises(TooLarge, match=r"d\.eml"):
        read(reader, tmp_path / "d.eml", letter())
    assert mail_mime.MAX_DEPTH < 20


def test_nothing_stays_in_the_temporary_folder(
    tmp_path: Path, reader: DocumentReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    left = tmp_path / "t" / "desktop-rag-attachments-old"
    left.mkdir()
    monkeypatch.setattr(mail, "_STALE_AFTER_S", -1)
    message = letter()
    message.add_attachment(b"words", maintype="text", subtype="plain", filename="../../up.txt")
    assert "words" in read(reader, tmp_path / "a.eml", message).text
    assert list((tmp_path / "t").iterdir()) == []


def test_compressed_rtf() -> None:
    """The first example of [MS-OXRTFCP], section 4.1."""
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d"
        "0a800fa0"
    )
    assert unpacked_rtf(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    for length in range(len(packed)):
        assert unpacked_rtf(packed).startswith(unpacked_rtf(packed[:length]))
