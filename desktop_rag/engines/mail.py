"""Reads mail (EML, EMLX, MBOX, MSG): head, body, and attachments through the other readers.

A message is a document: its subject is the title. Attachments become parts with whatever structure
their own readers find.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

from desktop_rag.domain.documents import (
    BlockKind,
    Coverage,
    ParsedDocument,
    Part,
    PartKind,
)
from desktop_rag.domain.errors import NoText, PermanentError, TooLarge
from desktop_rag.domain.text_cleaning import clean_block
from desktop_rag.engines.letters import Enclosure, Letter
from desktop_rag.engines.mail_mime import read_mailbox, read_message
from desktop_rag.engines.mail_outlook import read_outlook
from desktop_rag.engines.part_assembly import PartAssembler
from desktop_rag.engines.plaintext import add_text
from desktop_rag.engines.web import read_html

MAX_BYTES = 150_000_000
MAX_ENCLOSURES = 200
MAX_CHARACTERS = 4_000_000
MAX_MESSAGES = 5_000
"""Of one mailbox file."""
_MIN_TEXT = 100
"""Shorter texts beside a long HTML version only say that there is one."""
_TEMPORARY = "desktop-rag-attachments-"
_STALE_AFTER_S = 3600
_UNSAFE = re.compile(r"[^\w.\- ]")

ReadFile = Callable[[Path], ParsedDocument]
"""Reads an attachment that was written to a file; raises `PermanentError`s."""


class MailParser:
    """`ports.Parser` for mail. Attachments are copied to a temporary folder while they are read."""

    name = "mail-1"
    suffixes = frozenset({".eml", ".emlx", ".mbox", ".mbx", ".msg"})

    def __init__(self, read_file: ReadFile) -> None:
        self._read_file = read_file

    def parse(self, path: Path) -> ParsedDocument:
        """Read a message or a mailbox; see `ports.Parser`."""
        if path.stat().st_size > MAX_BYTES:
            raise TooLarge(
                f"“{path.name}” is larger than {MAX_BYTES // 1_000_000} MB; save its messages, "
                "or the attachments, as files of their own."
            )
        with _temporary_folder() as folder:
            writer = _MailWriter(self._read_file, folder)
            with path.open("rb") as file:
                head = file.read(8)
            if head.startswith(b"\xd0\xcf\x11\xe0"):
                return _message(writer, read_outlook(path), path, "msg")
            data = path.read_bytes()
            if head.startswith(b"From "):
                return _mailbox(writer, read_mailbox(data), path)
            return _message(writer, read_message(data), path, "eml")


def _message(writer: _MailWriter, letter: Letter, path: Path, kind: str) -> ParsedDocument:
    writer.add_letter(letter)
    if not writer.text.strip():
        raise NoText(f"“{path.name}” is a message without a head, a text or an attachment.")
    return replace(
        writer.document(kind),
        title=letter.subject[:300],
        author=letter.sender,
        created=letter.date[:10] if re.match(r"\d{4}-\d\d-\d\d", letter.date) else "",
    )


def _mailbox(writer: _MailWriter, letters: Iterator[Letter], path: Path) -> ParsedDocument:
    for number, letter in enumerate(islice(letters, MAX_MESSAGES), 1):
        with writer.part(PartKind.MESSAGE, number=number):
            writer.add(BlockKind.HEADING, letter.subject or f"Message {number}", 1)
            writer.add_letter(letter, level=1)
    if next(letters, None) is not None:
        writer.notes.append(f"Only the first {MAX_MESSAGES:,} messages were read.")
    if not writer.text.strip():
        raise NoText(f"“{path.name}” holds no message with text.")
    return writer.document("mbox")


class _MailWriter(PartAssembler):
    """Assembles messages with what was attached to them."""

    def __init__(self, read_file: ReadFile, folder: Path) -> None:
        super().__init__()
        self.notes: list[str] = []
        self._names: list[str] = []
        self._inner: list[Part] = []
        self._read_file = read_file
        self._folder = folder

    def document(self, kind: str) -> ParsedDocument:
        """What was written so far."""
        parts = sorted((*self.parts, *self._inner), key=lambda part: (part.start, -part.end))
        return ParsedDocument(
            format=kind,
            text=self.text,
            blocks=self.blocks,
            notes=tuple(dict.fromkeys(self.notes)),
            parts=tuple(parts),
            coverage=Coverage(tables=self.tables, attachments=tuple(self._names)),
        )

    def add_letter(self, letter: Letter, level: int = 0) -> None:
        """Write a message; headings in it and its attachments stand below `level`."""
        head = (
            ("From", letter.sender),
            ("To", letter.to[:1000]),
            ("Cc", letter.cc[:1000]),
            ("Date", letter.date),
            ("Subject", letter.subject),
        )
        lines = [f"{label}: {value}" for label, value in head if value]
        self.add(BlockKind.PARAGRAPH, "\n".join(lines))
        self.notes += letter.notes
        self._add_body(letter, level)
        for enclosure in letter.enclosures:
            self._add_enclosure(enclosure, level)

    def _add_body(self, letter: Letter, level: int) -> None:
        text = clean_block(letter.text)
        if letter.html.strip() and len(text) < _MIN_TEXT:
            try:
                page = read_html(letter.html, "message")
            except PermanentError:
                page = None
            if page is not None and len(page.text) > 2 * len(text):
                self._append(page, level)
                return
        add_text(self, text)

    def _add_enclosure(self, enclosure: Enclosure, level: int) -> None:
        self._names.append(enclosure.name)
        if len(self._names) > MAX_ENCLOSURES or self.length > MAX_CHARACTERS:
            self.notes.append("Some attachments were not read: there are too many.")
            return
        if enclosure.letter is not None:
            with self.part(PartKind.ATTACHMENT, enclosure.name):
                self.add(BlockKind.HEADING, enclosure.name, level + 1)
                self.add_letter(enclosure.letter, level + 1)
            return
        document = self._read(enclosure)
        if document is None:
            return
        with self.part(PartKind.ATTACHMENT, enclosure.name):
            self.add(BlockKind.HEADING, enclosure.name, level + 1)
            self._append(document, level + 1)

    def _read(self, enclosure: Enclosure) -> ParsedDocument | None:
        if not enclosure.data:
            self.notes.append(f"Attachment “{enclosure.name}” is empty.")
            return None
        path = self._folder / str(len(self._names)) / _safe_name(enclosure.name)
        path.parent.mkdir()
        path.write_bytes(enclosure.data)
        try:
            document = self._read_file(path)
        except (PermanentError, RecursionError) as exc:
            reason = getattr(exc, "message", f"“{path.name}” is nested too deeply to be read.")
            self.notes.append(f"Attachment {reason}")
            return None
        finally:
            shutil.rmtree(path.parent, ignore_errors=True)
        self.notes += [f"Attachment “{enclosure.name}”: {note}" for note in document.notes]
        self._names += document.coverage.attachments
        if document.coverage.waiting:
            self.notes.append(
                f"Attachment “{enclosure.name}” has pages that are pictures of text; to have them "
                "read, save it as a file and add that."
            )
        return document if document.text.strip() else None

    def _append(self, document: ParsedDocument, level: int) -> None:
        """Another document's text, with its headings, parts and pages below ours."""
        shift = self.length + len("\n\n") if self.length else 0
        blocks = tuple(
            replace(block, level=block.level + level) if block.level else block
            for block in document.blocks
        )
        text = document.text[: max(MAX_CHARACTERS - self.length, 0)]
        if len(text) < len(document.text):
            self.notes.append("Part of the attachments was not read: they hold too much text.")
            blocks = tuple(block for block in blocks if block.end <= len(text))
        self.append(text, blocks)
        pages = [Part(PartKind.PAGE, p.start, p.end, number=p.number) for p in document.pages]
        self._inner += [
            replace(part, start=part.start + shift, end=part.end + shift)
            for part in (*document.parts, *pages)
            if part.end <= len(text)
        ]


def _safe_name(name: str) -> str:
    """A name every file system takes, with its suffix kept: it says what the file is."""
    stem, dot, suffix = _UNSAFE.sub("_", name).strip(". ").rpartition(".")
    return f"{stem[-80:]}{dot}{suffix[-20:]}" or "attachment"


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """A folder of the person's own; what a killed process left behind goes with the next mail."""
    for stale in Path(tempfile.gettempdir()).glob(f"{_TEMPORARY}*"):
        with suppress(OSError):
            if time.time() - stale.stat().st_mtime > _STALE_AFTER_S:
                shutil.rmtree(stale, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_TEMPORARY, ignore_cleanup_errors=True) as folder:
        yield Path(folder)
