"""The `parse` role's `DocumentReader`: parses a file, cuts it into chunks, shows its pages.

Which parser reads a file is decided in `engines.parsers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from desktop_rag.domain import long_runs
from desktop_rag.domain.chunking import (
    VERSION,
    Chunking,
    ChunkingRules,
    chunk_document,
    rules_for,
)
from desktop_rag.domain.chunking.headers import telling_name
from desktop_rag.domain.documents import (
    PageImage,
    ParsedDocument,
    ReadDocument,
    RecognisedPage,
)
from desktop_rag.domain.errors import NoText
from desktop_rag.domain.hidden_text import orders_note
from desktop_rag.domain.ports import DocumentReader, Parser
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines.page_recogniser import OcrChoice, PageRecogniser
from desktop_rag.engines.page_rendering import render_page
from desktop_rag.engines.parsers import BY_SUFFIX, checked_parser, parse_with
from desktop_rag.engines.tokenizing import TokenCounter
from desktop_rag.storage.folders import sha256_of


def build_reader(
    tokenizer_file: Path,
    max_tokens: int,
    ocr: OcrChoice | None = None,
    chunking: Chunking = Chunking.STRUCTURE,
) -> DocumentReader:
    """The reader of all formats, with chunks for an embedder of `max_tokens` tokens.

    `ocr` says how text in pictures is recognised; its models are loaded with the first page.

    Raises:
        ModelMissing, ModelDamaged: the tokenizer is not there or not readable.
    """
    recogniser = PageRecogniser(ocr or OcrChoice())
    rules = rules_for(max_tokens, chunking)
    return Reader(TokenCounter(tokenizer_file), rules, recogniser, chunking)


class Reader:
    """`ports.DocumentReader`. Keeps nothing of a file once it is read."""

    def __init__(
        self,
        counter: TokenCounter,
        rules: ChunkingRules,
        recogniser: PageRecogniser,
        chunking: Chunking,
    ) -> None:
        self._counter = counter
        self._rules = rules
        self._recogniser = recogniser
        self._chunking = chunking

    def read(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ReadDocument:
        """Parse and chunk a file; see `ports.DocumentReader.read`."""
        parser = checked_parser(path)
        document = _titled(parse_with(parser, path, recognised), path)
        tokens = self._counter.map(long_runs.blanked(document.text))
        chunks = chunk_document(
            document,
            tokens,
            self._counter.count,
            self._rules,
            self._chunking,
            telling_name(document.title, path.stem),
        )
        if not chunks and not document.coverage.waiting:
            raise NoText(f"“{path.name}” holds no text that can be searched.")
        told = (*long_runs.note(document.text), *orders_note(document.text))
        document = replace(document, notes=(*document.notes, *told))
        return ReadDocument(document, chunks, self._version(parser))

    def digest(self, path: Path) -> str:
        """SHA-256 of a file; see `ports.DocumentReader.digest`."""
        return sha256_of(path)

    def recognise(self, path: Path, page: int) -> RecognisedPage:
        """Text in the picture of a page; see `ports.DocumentReader.recognise`."""
        return self._recogniser.recognise(checked_parser(path), path, page)

    def recogniser(self) -> str:
        """Engine and models of `recognise`; see `ports.DocumentReader.recogniser`."""
        return self._recogniser.name

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        """Picture of a page of a PDF or an image; other formats have none."""
        return render_page(path, page, scale)

    def versions(self) -> dict[str, str]:
        """Suffix to the value `read` would record today."""
        return {suffix: self._version(parser) for suffix, parser in sorted(BY_SUFFIX.items())}

    def _version(self, parser: Parser) -> str:
        way = "" if self._chunking is Chunking.STRUCTURE else f"-{self._chunking}"
        return f"{parser.name}+{VERSION}-{self._rules.max_tokens}{way}"


def _titled(document: ParsedDocument, path: Path) -> ParsedDocument:
    """A document without a title is called what its file is called."""
    if document.title:
        return document
    return replace(document, title=clean_line(path.stem.replace("_", " ")))
