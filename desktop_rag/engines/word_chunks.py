"""Bodies in other formats inside Word documents (altChunk): web pages, RTF, text."""

from __future__ import annotations

import posixpath

from desktop_rag.domain.assembly import TextAssembler
from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import PermanentError
from desktop_rag.domain.text_cleaning import clean_block
from desktop_rag.engines.decoding import decode
from desktop_rag.engines.rtf import read_rtf
from desktop_rag.engines.web import declared_encoding, read_html

_WEB = frozenset({".html", ".htm", ".xhtml"})


def read_foreign(data: bytes, name: str) -> ParsedDocument | None:
    """Read a body by its content and name; `None` when it cannot be read."""
    suffix = posixpath.splitext(name)[1].lower()
    try:
        if data.lstrip().startswith(b"{\\rtf"):
            return read_rtf(data, name)
        text = decode(data, name, declared_encoding(data[:4096]))
        if suffix in _WEB or "<html" in text[:1000].lower():
            return read_html(text, name)
    except PermanentError:
        return None
    assembler = TextAssembler()
    for paragraph in clean_block(text).split("\n\n"):
        assembler.add(BlockKind.PARAGRAPH, paragraph)
    return ParsedDocument("text", assembler.text, assembler.blocks)
