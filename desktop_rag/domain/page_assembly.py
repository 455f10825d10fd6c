"""Lays out the pages of a document and puts its text together: for PDFs, scans and images."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from desktop_rag.domain.assembly import PageAssembler
from desktop_rag.domain.documents import BlockKind
from desktop_rag.domain.layout.blocks import page_layout_blocks
from desktop_rag.domain.layout.fragments import Fragment, LayoutBlock, PageText, TextStyle
from desktop_rag.domain.layout.headings import heading_levels
from desktop_rag.domain.layout.outline import OutlineEntry, fitted_levels, outlined_levels
from desktop_rag.domain.layout.rows import rows_of
from desktop_rag.domain.text_cleaning import hyphenated_words


def assemble_pages(
    pages: Sequence[PageText], labels: Sequence[str] = (), outline: Sequence[OutlineEntry] = ()
) -> PageAssembler:
    """Text, blocks and pages of a document (properties of the assembler), in reading order.

    Args:
        pages: all physical pages; one without text becomes an empty page.
        labels: what is printed on each; without, their numbers.
        outline: the document's bookmarks, if it has any.
    """
    style = _body_style(chain.from_iterable(page.fragments for page in pages))
    layouts = [
        page_layout_blocks(page.fragments, _style_on(page, style), is_vertical=page.is_vertical)
        for page in pages
    ]
    outlined = outlined_levels(layouts, outline)
    headings = [b for blocks in layouts for b in blocks if b.kind is BlockKind.HEADING]
    graded = fitted_levels(headings, heading_levels(headings, style), outlined)
    levels = dict(zip(map(id, headings), graded, strict=True))
    assembler = PageAssembler(_real_hyphens(pages))
    for number, (page, blocks) in enumerate(zip(pages, layouts, strict=True), start=1):
        label = labels[number - 1] if labels else str(number)
        assembler.begin_page(number, label, page.width, page.height)
        for block in blocks:
            assembler.add_layout(block, levels.get(id(block), 0))
        for group in page.aside:
            assembler.add_layout(LayoutBlock(BlockKind.PARAGRAPH, rows_of(group)))
    return assembler


def _style_on(page: PageText, style: TextStyle) -> TextStyle:
    """Every scan has its own scale, so a recognised page is compared with itself only."""
    return _body_style(page.fragments) if page.is_recognised else style


def _body_style(fragments: Iterable[Fragment]) -> TextStyle:
    """The print most characters are set in."""
    sizes: Counter[float] = Counter()
    bold = total = 0
    for fragment in fragments:
        sizes[round(fragment.size * 2) / 2] += len(fragment.text)
        total += len(fragment.text)
        bold += len(fragment.text) if fragment.is_bold else 0
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    return TextStyle(size=size, is_bold=bold > 0.5 * total)


def _real_hyphens(pages: Sequence[PageText]) -> set[str]:
    texts = (f.text for page in pages for f in page.fragments)
    return hyphenated_words("\n".join(text for text in texts if "-" in text))
