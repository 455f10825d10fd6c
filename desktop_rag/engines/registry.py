"""Chooses the reader for a file, and is the `parse` role's `DocumentReader`.

A new format is one more line in `PARSERS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from desktop_rag.domain import chunking, long_runs
from desktop_rag.domain.documents import (
    PageImage,
    ParsedDocument,
    ReadDocument,
    RecognisedPage,
)
from desktop_rag.domain.errors import (
    Damaged,
    DesktopRagError,
    Encrypted,
    NoText,
    NotFound,
    TooLarge,
    Unreadable,
    Unsupported,
)
from desktop_rag.domain.ports import DocumentReader, Parser
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines.markdown import MarkdownParser
from desktop_rag.engines.office import DocxParser
from desktop_rag.engines.pdf_pymupdf import PdfParser, render_page
from desktop_rag.engines.plaintext import PlainTextParser
from desktop_rag.engines.sniffing import Content, sniff
from desktop_rag.engines.tokenizing import TokenCounter
from desktop_rag.engines.web import WebParser
from desktop_rag.storage.folders import sha256_of

MAX_FILE_BYTES = 300_000_000

PARSERS: tuple[Parser, ...] = (
    PdfParser(),
    DocxParser(),
    MarkdownParser(),
    WebParser(),
    PlainTextParser(),
)

_BY_SUFFIX: dict[str, Parser] = {suffix: parser for parser in PARSERS for suffix in parser.suffixes}
_KIND_SUFFIX = {"pdf": ".pdf", "docx": ".docx", "html": ".html"}
"""The suffix whose reader takes a file of that content, whatever the file is called."""
_MARKUP_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".rst"})
"""Text formats that may begin with HTML and still are themselves."""


def build_reader(tokenizer_file: Path, max_tokens: int) -> DocumentReader:
    """The reader of all formats, with chunks for an embedder of `max_tokens` tokens.

    Raises:
        ModelMissing, ModelDamaged: the tokenizer is not there or not readable.
    """
    return Reader(TokenCounter(tokenizer_file), chunking.rules_for(max_tokens))


class Reader:
    """`ports.DocumentReader`. Keeps nothing of a file once it is read."""

    def __init__(self, counter: TokenCounter, rules: chunking.ChunkingRules) -> None:
        self._counter = counter
        self._rules = rules

    def read(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ReadDocument:
        """Parse and chunk a file; see `ports.DocumentReader.read`."""
        parser = _checked_parser(path)
        document = _titled(_parsed(parser, path, recognised), path)
        tokens = self._counter.map(document.text)
        chunks = chunking.chunk_document(document, tokens, self._counter.count, self._rules)
        if not chunks and not document.coverage.waiting:
            raise NoText(f"“{path.name}” holds no text that can be searched.")
        document = replace(document, notes=(*document.notes, *long_runs.note(document.text)))
        return ReadDocument(document, chunks, self._version(parser))

    def digest(self, path: Path) -> str:
        """SHA-256 of a file; see `ports.DocumentReader.digest`."""
        return sha256_of(path)

    def recognise(self, path: Path, page: int) -> RecognisedPage:
        """Text in the picture of a page; see `ports.DocumentReader.recognise`."""
        raise Unsupported(f"“{path.name}”: this installation cannot recognise text in pictures.")

    def recogniser(self) -> str:
        """Engine and models of `recognise`; see `ports.DocumentReader.recogniser`."""
        return ""

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        """Picture of a page of a PDF; other formats have none."""
        if not isinstance(_checked_parser(path), PdfParser):
            raise Unsupported(f"“{path.name}” has no pages to show; its text can be shown instead.")
        return render_page(path, page, scale)

    def versions(self) -> dict[str, str]:
        """Suffix to the value `read` would record today."""
        return {suffix: self._version(parser) for suffix, parser in sorted(_BY_SUFFIX.items())}

    def _version(self, parser: Parser) -> str:
        return f"{parser.name}+{chunking.VERSION}-{self._rules.max_tokens}"


def _checked_parser(path: Path) -> Parser:
    """Look at size and first bytes, then choose."""
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


def _unreadable(path: Path) -> Unreadable:
    return Unreadable(f"“{path.name}” cannot be opened: allow your account to read it and retry.")


def parser_for(path: Path, content: Content) -> Parser:
    """The reader for a file by content first and name second.

    Raises:
        Encrypted, Damaged, Unsupported: with the reason, when no reader fits.
    """
    suffix = path.suffix.lower()
    if content.kind == "encrypted-office":
        raise Encrypted(f"“{path.name}” needs a password; save a copy without one and add that.")
    if content.kind == "html" and suffix in _MARKUP_SUFFIXES:
        return _BY_SUFFIX[suffix]
    if content.kind in _KIND_SUFFIX and not (content.kind == "html" and suffix == ".docx"):
        return _BY_SUFFIX[_KIND_SUFFIX[content.kind]]
    if content.kind == "damaged-zip" and suffix in DocxParser.suffixes:
        raise Damaged(f"“{path.name}” is not a whole Word document; save it again or get it anew.")
    if content.kind != "unknown":
        named = f"is named {suffix} and is" if suffix in _BY_SUFFIX else "is"
        raise Unsupported(
            f"“{path.name}” {named} {content.description}; there is no reader for it."
        )
    if suffix in _BY_SUFFIX or not suffix:
        return _BY_SUFFIX.get(suffix, _BY_SUFFIX[".txt"])
    raise Unsupported(f"“{path.name}”: there is no reader for {suffix} files yet.")


def _parsed(
    parser: Parser, path: Path, recognised: Sequence[RecognisedPage] = ()
) -> ParsedDocument:
    try:
        if isinstance(parser, PdfParser):
            return parser.parse(path, recognised)
        return parser.parse(path)
    except DesktopRagError:
        raise
    except OSError as exc:
        raise _unreadable(path) from exc
    except RecursionError as exc:
        raise Damaged(f"“{path.name}” is nested too deeply to be read.") from exc


def _titled(document: ParsedDocument, path: Path) -> ParsedDocument:
    """A document without a title is called what its file is called."""
    if document.title:
        return document
    return replace(document, title=clean_line(path.stem.replace("_", " ")))
