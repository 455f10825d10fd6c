"""Reads XML of unknown origin: no entity expanded, nothing fetched, size and depth bounded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from desktop_rag.domain.errors import TooLarge

MAX_NODES = 4_000_000
"""Elements and attributes take 120 to 200 bytes each; 900 pages of Word come to 1 million."""


def parsed(data: bytes, name: str, mended: list[str] | None = None) -> Any | None:
    """Root element, or `None` when the bytes are no XML at all.

    Args:
        name: of the file, for messages.
        mended: gets a line when something was lost: broken off, closed wrongly, nested too deeply.

    What is broken in the middle is mended as well as libxml2 can: half a slide is better than none.
    Comments and processing instructions are dropped; unexpanded entities stay as nodes whose `tag`
    is no string. Depth ends at 256 elements.

    Raises:
        TooLarge: more elements and attributes than memory should be spent on.
    """
    if data.count(b"<") + data.count(b'="') + data.count(b"='") > MAX_NODES:
        raise TooLarge(f"“{name}” has too many parts to be read; split it into smaller files.")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    fatal = [error for error in parser.error_log if error.level == etree.ErrorLevels.FATAL]
    if mended is not None and fatal:
        mended.append(str(fatal[0].message))
    return root


def named(root: Any | None, name: str) -> Iterator[Any]:
    """Elements of a local name from `root` on, in whatever namespace; none without a root."""
    return iter(()) if root is None else root.iter(f"{{*}}{name}")
