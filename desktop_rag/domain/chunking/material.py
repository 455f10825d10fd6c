"""A document prepared for cutting, and the one place where passages are made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from desktop_rag.domain.chunking.headers import PATH_GAP, Count, contextual_header
from desktop_rag.domain.chunking.outline import Section, complete_blocks, sections
from desktop_rag.domain.chunking.pieces import Cutter, Piece
from desktop_rag.domain.chunking.rules import ChunkingRules
from desktop_rag.domain.chunking.tables import TableHeads
from desktop_rag.domain.documents import BlockKind, Chunk, ParsedDocument, PartKind
from desktop_rag.domain.parts import line_counter, place_of
from desktop_rag.domain.places import pages_of
from desktop_rag.domain.tokens import TokenMap

_MAX_SECTION_CHARACTERS = 300


class Material:
    """What every way of cutting starts from.

    Args:
        document: to be cut.
        tokens: token map of its text.
        count: tokens of any other text (for headers).
        rules: sizes.
        file: name of its file, when headers should say it beside the title.
    """

    def __init__(
        self,
        document: ParsedDocument,
        tokens: TokenMap,
        count: Count,
        rules: ChunkingRules,
        file: str = "",
    ) -> None:
        self.text = document.text
        self.tokens = tokens
        self.rules = rules
        self.blocks = complete_blocks(document.text, document.blocks)
        self.sections: Sequence[Section] = sections(document, self.blocks)
        self.heads = TableHeads(self.text, self.blocks, tokens, count, rules)
        self._document = document
        self._file = file
        self.count = count
        self._count_lines = line_counter(self.text) if document.parts else None
        self._attachments = {
            part.start for part in document.parts if part.kind is PartKind.ATTACHMENT
        }
        self._headers: dict[tuple[str, ...], str] = {}

    def groups(
        self, parts: Sequence[Section], most: Callable[[int], int]
    ) -> Iterator[tuple[tuple[str, ...], list[Piece]]]:
        """Pieces of each section, with the section's path; `most` as in `pieces.Cutter`."""
        cutter = Cutter(self.text, self.blocks, self.tokens, most)
        for section in parts:
            for pieces in cutter.pieces(section.first, section.last):
                yield section.path, pieces

    def size(self, pieces: Sequence[Piece], first: int, end: int) -> int:
        """Tokens from piece `first` to the one before `end`."""
        return self.tokens.count(pieces[first].start, pieces[end - 1].end)

    def chunk(self, ordinal: int, path: tuple[str, ...], pieces: Sequence[Piece]) -> Chunk:
        """The passage from the first piece to the last."""
        start, end = pieces[0].start, pieces[-1].end
        return Chunk(
            ordinal=ordinal,
            start=start,
            end=end,
            text=self.text[start:end],
            header=self._header(path, pieces[0], end),
            section=PATH_GAP.join(path)[:_MAX_SECTION_CHARACTERS],
            kind=_main_kind(pieces),
            pages=pages_of(self._document.pages, start, end),
            place=self._place(pieces, end),
        )

    def _place(self, pieces: Sequence[Piece], end: int) -> str:
        """Below the name of an attachment it begins in the attachment's first sheet or page."""
        start = pieces[0].start
        if start in self._attachments:
            bodies = (piece.start for piece in pieces if piece.kind is not BlockKind.HEADING)
            start = next(bodies, start)
        return place_of(self._document.parts, self.text, start, end, self._count_lines)

    def _header(self, path: tuple[str, ...], first: Piece, end: int) -> str:
        if path not in self._headers:
            self._headers[path] = contextual_header(
                self._document.title, path, self.rules.header, self.count, self._file
            )
        header, names = self._headers[path], self.heads.column_names(first, end)
        return f"{header}\n{names}" if header and names else header or names


def _main_kind(pieces: Sequence[Piece]) -> BlockKind:
    """The kind most characters have; a heading only when there is nothing else."""
    sizes: dict[BlockKind, int] = {}
    for piece in pieces:
        weight = 0 if piece.kind is BlockKind.HEADING else piece.end - piece.start
        sizes[piece.kind] = sizes.get(piece.kind, 0) + weight
    return max(sizes, key=lambda kind: sizes[kind])
