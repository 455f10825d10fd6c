"""Says what a file's first bytes show it to be, whatever its name claims."""

from __future__ import annotations

import re
import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path

import olefile

_HTML = re.compile(
    rb"\A\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_MAIL_HEAD = re.compile(rb"\A\s*(?:[A-Za-z][\w-]{1,60}:[^\n]*\n(?:[ \t][^\n]*\n)*){3,}")
_MAIL_FIELD = re.compile(
    rb"^(from|to|subject|date|message-id|received|return-path|delivered-to|mime-version):",
    re.IGNORECASE | re.MULTILINE,
)
_MAILBOX = re.compile(rb"\AFrom \S.*\d{4}[^\n]*\n[\w-]+:")
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n", "png", "a PNG image"),
    (b"\xff\xd8\xff", "jpg", "a JPEG image"),
    (b"GIF8", "gif", "a GIF image"),
    (b"II*\0", "tif", "a TIFF image"),
    (b"MM\0*", "tif", "a TIFF image"),
    (b"BM", "bmp", "a bitmap image"),
    (b"{\\rtf", "rtf", "an RTF document"),
    (b"\x1f\x8b", "archive", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "archive", "a 7z archive"),
    (b"Rar!\x1a\x07", "archive", "a RAR archive"),
    (b"BZh", "archive", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "archive", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "archive", "a Zstandard archive"),
    (b"MSCF\0\0\0\0", "archive", "a cabinet archive"),
    (b"\x7fELF", "other", "a program"),
    (b"MZ", "other", "a Windows program"),
    (b"\xca\xfe\xba\xbe", "other", "a program"),
    (b"SQLite format 3\0", "other", "a database"),
    (b"ID3", "other", "an audio file"),
    (b"OggS", "other", "an audio file"),
    (b"fLaC", "other", "an audio file"),
    (b"\x1aE\xdf\xa3", "other", "a video"),
    (b"\x78\x9f\x3e\x22", "other", "an Outlook attachment container (winmail.dat)"),
    (b"!BDN", "other", "an Outlook data file"),
    (b"\0\0\1\0", "other", "an icon"),
    (b"GGUF", "other", "a language model"),
    (b"wOF", "other", "a font"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (
    ("EncryptedPackage", "encrypted-office", "an Office file with a password"),
    ("__properties_version1.0", "msg", "an Outlook message"),
    ("Workbook", "xls", "an old Excel workbook"),
    ("Book", "xls", "an old Excel workbook"),
    ("PowerPoint Document", "ppt", "an old PowerPoint presentation"),
    ("WordDocument", "doc", "an old Word document"),
    ("MatOST", "wps", "a Microsoft Works document"),
    ("CONTENTS", "wps", "a Microsoft Works document"),
)
_ZIP_MEMBERS = (
    ("word/document.xml", "docx", "a Word document"),
    ("word/document2.xml", "docx", "a Word document"),
    ("ppt/presentation.xml", "pptx", "a PowerPoint presentation"),
    ("xl/workbook.xml", "xlsx", "an Excel workbook"),
    ("xl/workbook.bin", "xlsb", "an Excel workbook"),
    ("META-INF/container.xml", "epub", "an e-book"),
    ("AndroidManifest.xml", "other", "an Android app"),
    ("META-INF/MANIFEST.MF", "other", "a Java program"),
)
_ZIP_FOLDERS = (
    ("ppt/", "pptx", "a PowerPoint presentation"),
    ("word/", "docx", "a Word document"),
    ("xl/", "xlsx", "an Excel workbook"),
)
_MIMETYPES = (
    ("application/epub", "epub", "an e-book"),
    ("application/x-ibooks", "epub", "an e-book"),
    ("application/vnd.oasis.opendocument.text", "odt", "an OpenDocument text"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods", "an OpenDocument spreadsheet"),
    ("application/vnd.oasis.opendocument.presentation", "odp", "an OpenDocument presentation"),
    ("application/vnd.oasis.opendocument.graphics", "odg", "an OpenDocument drawing"),
    ("application/vnd.oasis.opendocument", "other", "an OpenDocument file"),
    ("application/vnd.sun.xml.writer", "sxw", "an old OpenOffice text"),
    ("application/vnd.sun.xml.impress", "sxi", "an old OpenOffice presentation"),
    ("application/vnd.sun.xml", "other", "an old OpenOffice file"),
)


@dataclass(frozen=True, slots=True)
class Content:
    """What a file is: `kind` names a family a reader may claim, `description` is for a person."""

    kind: str
    """The usual suffix of such content without its dot, or one of `encrypted-office`,
    `damaged` (the description says what it should be), `archive` (unpack it), `other` (known, and
    nothing to read) and `unknown`."""
    description: str = ""


def sniff(path: Path) -> Content:
    """Look at the first 64 KB. Raises OSError when the file cannot be read."""
    with path.open("rb") as file:
        head = file.read(65536)
    if b"%PDF-" in head[:1024]:
        return Content("pdf", "a PDF")
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zip_content(path)
    if head.startswith(_OLE):
        return _ole_content(path)
    if media := _media_content(head):
        return media
    for signature, kind, description in _SIGNATURES:
        # A few printable letters may also begin a text: then the rest must look binary.
        if head.startswith(signature) and (len(signature) > 4 or _is_binary(head)):
            return Content(kind, description)
    return _words(head)


def _words(head: bytes) -> Content:
    """What a text begins like."""
    if _HTML.match(head[:2048].removeprefix(b"\xef\xbb\xbf")):
        return Content("html", "a web page")
    if head.lstrip().startswith(b"<?xml"):
        return Content("xml", "an XML file")
    if _MAILBOX.match(head):
        return Content("mbox", "a mailbox")
    fields = _MAIL_HEAD.match(head)
    if fields and len({f.lower() for f in _MAIL_FIELD.findall(fields.group())}) >= 3:
        return Content("eml", "a mail message")
    return Content("unknown")


def _media_content(head: bytes) -> Content | None:
    """Pictures, films and sounds in boxes (ISO) or chunks (RIFF)."""
    if head[4:8] == b"ftyp":
        is_picture = head[8:12] in {b"heic", b"heix", b"mif1", b"msf1", b"avif"}
        return Content("other", "a HEIC or AVIF image" if is_picture else "a video")
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return Content("webp", "a WEBP image")
    if head.startswith(b"RIFF") and b"\0" in head[:64]:
        return Content("other", "a media file")
    return None


def _is_binary(head: bytes) -> bool:
    return any(byte < 9 or 13 < byte < 27 or byte > 126 for byte in head[:64])


def _zip_content(path: Path) -> Content:
    try:
        with zipfile.ZipFile(path) as archive:
            names = {name.replace("\\", "/").lstrip("/") for name in archive.namelist()}
            return _opendocument(archive, names) or _packed(names)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError):
        return Content("damaged", "archive")


def _packed(names: set[str]) -> Content:
    for member, kind, description in _ZIP_MEMBERS:
        if member in names:
            return Content(kind, description)
    for folder, kind, description in _ZIP_FOLDERS:
        if "[Content_Types].xml" in names and any(name.startswith(folder) for name in names):
            return Content(kind, description)
    return Content("archive", "a ZIP archive")


def _opendocument(archive: zipfile.ZipFile, names: set[str]) -> Content | None:
    """Formats that name their type in a first entry; with a password the manifest says so."""
    if "mimetype" not in names:
        return None
    with archive.open("mimetype") as file:
        mimetype = file.read(200).decode("ascii", "replace").strip()
    for begin, kind, description in _MIMETYPES:
        if mimetype.startswith(begin):
            if kind != "epub" and _is_locked(archive, names):
                return Content("encrypted-office", "an OpenDocument file with a password")
            return Content(kind, description)
    return None


def _is_locked(archive: zipfile.ZipFile, names: set[str]) -> bool:
    if "META-INF/manifest.xml" not in names:
        return False
    with archive.open("META-INF/manifest.xml") as file:
        return b"encryption-data" in file.read(1_000_000)


def _ole_content(path: Path) -> Content:
    """Old Office files, Outlook messages and new files with a password share one container."""
    try:
        with olefile.OleFileIO(path) as container:
            streams = {parts[0] for parts in container.listdir() if len(parts) == 1}
    except (OSError, ValueError, IndexError, TypeError, AttributeError, struct.error):
        # olefile: whatever a broken container leads to
        return _damaged_ole(path)
    for stream, kind, description in _OLE_STREAMS:
        if stream in streams:
            return Content(kind, description)
    return Content("other", "an old Office file")


def _damaged_ole(path: Path) -> Content:
    """A container that is cut short may still say that it needs a password."""
    with path.open("rb") as file:
        is_locked = "EncryptedPackage".encode("utf-16-le") in file.read(2_000_000)
    if is_locked:
        return Content("encrypted-office", "an Office file with a password")
    return Content("damaged", "old Office file or Outlook message")
