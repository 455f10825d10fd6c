"""Says what a file's first bytes show it to be, whatever its name claims."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

_HTML = re.compile(
    rb"\A\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"BM", "a bitmap image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a Windows program"),
    (b"SQLite format 3\0", "a database"),
    (b"ID3", "an audio file"),
    (b"OggS", "an audio file"),
    (b"fLaC", "an audio file"),
    (b"{\\rtf", "an RTF document"),
    (b"!BDN", "an Outlook data file"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_ZIP_KINDS = (
    ("ppt/", "a PowerPoint presentation"),
    ("xl/", "an Excel workbook"),
    ("META-INF/container.xml", "an e-book"),
    ("content.xml", "an OpenDocument file"),
)


@dataclass(frozen=True, slots=True)
class Content:
    """What a file is: `kind` names a family a reader may claim, `description` is for a person."""

    kind: str
    """`pdf`, `docx`, `html`, `encrypted-office`, `other` (known, no reader) or `unknown`."""
    description: str = ""


def sniff(path: Path) -> Content:
    """Look at the first 64 KB. Raises OSError when the file cannot be read."""
    with path.open("rb") as file:
        head = file.read(65536)
    if b"%PDF-" in head[:1024]:
        return Content("pdf", "a PDF")
    if head.startswith(b"PK\x03\x04"):
        return _zip_content(path)
    if head.startswith(_OLE):
        return _ole_content(path)
    if head[4:8] == b"ftyp":
        return Content("other", "a video or HEIC image")
    if head.startswith(b"RIFF") and b"\0" in head[:64]:
        return Content("other", "a media file")
    for signature, description in _SIGNATURES:
        # A few printable letters may also begin a text: then the rest must look binary.
        if head.startswith(signature) and (len(signature) > 4 or _is_binary(head)):
            return Content("other", description)
    if _HTML.match(head[:2048].removeprefix(b"\xef\xbb\xbf")):
        return Content("html", "a web page")
    return Content("unknown")


def _is_binary(head: bytes) -> bool:
    return any(byte < 9 or 13 < byte < 27 or byte > 126 for byte in head[:64])


def _zip_content(path: Path) -> Content:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return Content("damaged-zip", "a damaged archive")
    if "word/document.xml" in names:
        return Content("docx", "a Word document")
    for part, description in _ZIP_KINDS:
        if any(name.startswith(part) for name in names):
            return Content("other", description)
    return Content("other", "a ZIP archive")


def _ole_content(path: Path) -> Content:
    """Old Office files, and new ones with a password, share one container."""
    with path.open("rb") as file:
        data = file.read(2_000_000)
    if _ENCRYPTED_PACKAGE in data:
        return Content("encrypted-office", "an Office file with a password")
    return Content("other", "an old Office file or an Outlook message")
