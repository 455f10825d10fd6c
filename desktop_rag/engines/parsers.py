"""Chooses the parser for a file, by content first and name second, and runs it.

A new format is one more parser in `PARSERS` and one more line in `engines.sniffing`: a sniffed kind
is the suffix, without its dot, of the parser that reads such content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from desktop_rag.domain import hidden_text
from desktop_rag.domain.documents import ParsedDocument, RecognisedPage
from desktop_rag.domain.errors import (
    Damaged,
    DesktopRagError,
    NoText,
    NotFound,
    TooLarge,
    Unreadable,
    Unsupported,
)
from desktop_rag.domain.ports import Parser
from desktop_rag.engines.delimited import DelimitedParser
from desktop_rag.engines.epub import EpubParser
from desktop_rag.engines.images import ImageParser
from desktop_rag.engines.json_text import JsonParser
from desktop_rag.engines.legacy_office import LegacyOfficeParser
from desktop_rag.engines.light_markup import LightMarkupParser
from desktop_rag.engines.mail import MailParser
from desktop_rag.engines.markdown import MarkdownParser
from desktop_rag.engines.opendocument import OdpParser, OdtParser
from desktop_rag.engines.pdf_pymupdf import PdfParser
from desktop_rag.engines.plaintext import PlainTextParser
from desktop_rag.engines.rtf import RtfParser
from desktop_rag.engines.slides_pptx import PptxParser
from desktop_rag.engines.sniffing import Content, sniff
from desktop_rag.engines.source_code import CodeParser
from desktop_rag.engines.spreadsheets import SpreadsheetParser
from desktop_rag.engines.web import WebParser
from desktop_rag.engines.word_docx import DocxParser
from desktop_rag.engines.xml_text import XmlParser
from desktop_rag.engines.zip_bounds import damaged, encrypted

MAX_FILE_BYTES = 300_000_000

PARSERS: tuple[Parser, ...] = (
    PdfParser(),
    ImageParser(),
    DocxParser(),
    PptxParser(),
    RtfParser(),
    OdtParser(),
    OdpParser(),
    EpubParser(),
    LegacyOfficeParser(),
    SpreadsheetParser(),
    DelimitedParser(),
    MailParser(lambda path: parse_with(checked_parser(path), path)),
    MarkdownParser(),
    WebParser(),
    CodeParser(),
    XmlParser(),
    JsonParser(),
    LightMarkupParser(),
    PlainTextParser(),
)

BY_SUFFIX: dict[str, Parser] = {suffix: parser for parser in PARSERS for suffix in parser.suffixes}

_GUESSED = frozenset({"html", "xml", "eml", "mbox"})
"""Kinds that are told by words only: text formats may begin so and still be themselves."""
_CONTAINERS = {
    ".docx": "Word document",
    ".docm": "Word document",
    ".xlsx": "Excel workbook",
    ".xlsm": "Excel workbook",
    ".xlsb": "Excel workbook",
    ".pptx": "PowerPoint presentation",
    ".pptm": "PowerPoint presentation",
    ".epub": "e-book",
    ".odt": "OpenDocument text",
    ".ods": "OpenDocument spreadsheet",
    ".odp": "OpenDocument presentation",
    ".xls": "Excel workbook",
    ".doc": "Word document",
    ".ppt": "PowerPoint presentation",
    ".msg": "Outlook message",
}
"""What is expected behind a suffix whose files are containers; other content is damage."""
_SAYS_LITTLE = frozenset({".txt", ".text", ".log", ".conf", ".pdf", ".rtf", *_CONTAINERS})
"""Suffixes that yield to a guess from the content."""
_OFTEN_TEXT = {".xls": ".csv", ".doc": ".txt"}
"""Programs like to call their text exports so; Office opens them all the same."""


def checked_parser(path: Path) -> Parser:
    """Look at size and first bytes, then choose.

    Raises:
        NotFound, Unreadable, NoText, TooLarge: before any reader is asked.
        Encrypted, Damaged, Unsupported: see `parser_for`.
    """
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise Unsupported(f"“{path.name}” is a folder, not a file.")
        if size == 0:
            raise NoText(f"“{path.name}” is empty: the file has no content at all.")
        if size > MAX_FILE_BYTES:
            raise TooLarge(
                f"“{path.name}” is larger than {MAX_FILE_BYTES // 1_000_000} MB; "
                "split it into smaller files."
            )
        return parser_for(path, sniff(path))
    except FileNotFoundError as exc:
        raise NotFound(f"“{path.name}” is no longer where it was.") from exc
    except OSError as exc:
        raise _unreadable(path) from exc


def parser_for(path: Path, content: Content) -> Parser:
    """The reader for a file by content first and name second.

    Raises:
        Encrypted, Damaged, Unsupported: with the reason, when no reader fits.
    """
    suffix = path.suffix.lower()
    if content.kind == "encrypted-office":
        raise encrypted(path.name)
    if content.kind in _GUESSED and suffix in BY_SUFFIX and suffix not in _SAYS_LITTLE:
        return BY_SUFFIX[suffix]
    if f".{content.kind}" in BY_SUFFIX:
        return BY_SUFFIX[f".{content.kind}"]
    if content.kind == "unknown" and suffix in _OFTEN_TEXT:
        return BY_SUFFIX[_OFTEN_TEXT[suffix]]
    if content.kind == "damaged" or (content.kind == "unknown" and suffix in _CONTAINERS):
        raise damaged(path.name, _CONTAINERS.get(suffix, content.description or "file"))
    if content.kind == "archive":
        raise Unsupported(
            f"“{path.name}” is {content.description}; unpack it and add the folder instead."
        )
    if content.kind != "unknown":
        named = f"is named {suffix} and is" if suffix in BY_SUFFIX else "is"
        raise Unsupported(
            f"“{path.name}” {named} {content.description}; there is no reader for it."
        )
    if suffix in BY_SUFFIX or not suffix:
        return BY_SUFFIX.get(suffix, BY_SUFFIX[".txt"])
    raise Unsupported(f"“{path.name}”: there is no reader for {suffix} files yet.")


def parse_with(
    parser: Parser, path: Path, recognised: Sequence[RecognisedPage] = ()
) -> ParsedDocument:
    """Run a parser; whatever it stumbles over becomes an error with a sentence.

    Text that nobody can see is left out, and named in the document's notes.
    """
    try:
        with hidden_text.collected() as hidden:
            document = _parsed(parser, path, recognised)
        return replace(document, notes=(*document.notes, *hidden.notes()))
    except NoText as error:
        raise NoText(" ".join((error.message, *hidden.notes()))) from error
    except DesktopRagError:
        raise
    except OSError as exc:
        raise _unreadable(path) from exc
    except RecursionError as exc:
        raise Damaged(f"“{path.name}” is nested too deeply to be read.") from exc


def _parsed(parser: Parser, path: Path, recognised: Sequence[RecognisedPage]) -> ParsedDocument:
    if isinstance(parser, (PdfParser, ImageParser)):
        return parser.parse(path, recognised)
    return parser.parse(path)


def _unreadable(path: Path) -> Unreadable:
    return Unreadable(f"“{path.name}” cannot be opened: allow your account to read it and retry.")
