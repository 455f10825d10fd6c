"""Passages for tests of the domain."""

from __future__ import annotations

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.documents import Box, ChunkId, DocumentId

BRIDGE_CITATION = Citation(
    number=1,
    document=DocumentId(7),
    chunk=ChunkId(9),
    path="/documents/brücke.pdf",
    title="Bridges",
    section="History",
    page=3,
    page_label="iii",
    quote="It opened in 1932.",
    start=10,
    end=28,
    sha256="ab" * 32,
    score=0.9,
    boxes=(Box(3, 1.0, 2.0, 3.0, 4.5),),
)


def make_passage(
    text: str,
    *,
    chunk: int = 1,
    document: int = 1,
    title: str = "Report",
    section: str = "",
    start: int = 0,
    pages: tuple[int, int] | None = None,
    path: str = "/documents/report.pdf",
) -> Passage:
    """A passage of `text` that begins at `start` of its document."""
    return Passage(
        chunk=ChunkId(chunk),
        document=DocumentId(document),
        path=path,
        title=title,
        section=section,
        text=text,
        start=start,
        end=start + len(text),
        sha256="0" * 64,
        pages=pages,
        page_label=str(pages[0]) if pages else "",
        score=1.0 / chunk,
        similarity=0.5,
        dense_rank=chunk,
        keyword_rank=None,
    )
