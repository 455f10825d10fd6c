"""Prepares an answer's Markdown for a text document. Pure functions, no Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable

from desktop_rag.domain.doubts import SPAN_END, SPAN_START, marked

__all__ = ["SPAN_END", "SPAN_START", "prepare"]

# A line that begins "[1]: …" would be swallowed as a link definition.
_LINK_DEFINITION = re.compile(r"^( {0,3})\[(\d+)\]:", re.MULTILINE)
# A chip never begins a line: it belongs to the word before it.
_BEFORE_CITATION = re.compile(r"(?<=\S) (?=\[\d+\])")


def prepare(text: str, unsupported: Iterable[tuple[int, int]] = ()) -> str:
    """The Markdown to render, with a mark at both ends of every unsupported stretch of a line."""
    glued = _BEFORE_CITATION.sub("\u00a0", marked(text, unsupported))
    return _LINK_DEFINITION.sub(r"\1\\[\2\\]:", glued)
