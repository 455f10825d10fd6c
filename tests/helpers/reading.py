"""Documents as the `parse` role would return them, from plain text."""

from __future__ import annotations

from desktop_rag.domain.documents import (
    Block,
    BlockKind,
    Chunk,
    Line,
    Page,
    ParsedDocument,
    ReadDocument,
)


def read_document(*paragraphs: str, title: str = "Title", paged: bool = False) -> ReadDocument:
    """One chunk a paragraph; with `paged`, one page a paragraph too, labelled i, ii, iii."""
    text, chunks, blocks, pages = "", [], [], []
    for ordinal, paragraph in enumerate(paragraphs):
        start, end = len(text), len(text) + len(paragraph)
        text += paragraph + "\n\n"
        number = ordinal + 1
        blocks.append(Block(BlockKind.PARAGRAPH, start, end))
        chunks.append(
            Chunk(
                ordinal=ordinal,
                start=start,
                end=end,
                text=paragraph,
                header=title,
                section="",
                kind=BlockKind.PARAGRAPH,
                pages=(number, number) if paged else None,
            )
        )
        if paged:
            line = Line(start, end, 72.0, 100.0, 500.0, 112.5)
            pages.append(Page(number, "i" * number, start, end + 2, 595.0, 842.0, (line,)))
    document = ParsedDocument(
        format="pdf" if paged else "txt",
        text=text,
        blocks=tuple(blocks),
        pages=tuple(pages),
        title=title,
        notes=("a note",),
    )
    return ReadDocument(document, tuple(chunks), "fake-1")
