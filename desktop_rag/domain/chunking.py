"""Cuts a document into passages that fit the embedder, along its own structure.

Recursive: a section that is too long is cut between blocks, a block between lines or sentences, a
sentence between words. Sizes are tokens of the embedder, measured with a `TokenMap`. Every
character that is not white space is in a chunk, except for what `domain.long_runs` takes for no
language; neighbours in running text share a sentence or two.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.domain.chunk_headers import (
    PATH_GAP,
    Count,
    contextual_header,
    names_of_cut_row,
    shortened,
    table_head,
)
from desktop_rag.domain.documents import Block, BlockKind, Chunk, ParsedDocument, PartKind
from desktop_rag.domain.long_runs import left_out
from desktop_rag.domain.parts import line_counter, place_of
from desktop_rag.domain.places import pages_of
from desktop_rag.domain.sentences import line_spans, sentence_spans, trimmed
from desktop_rag.domain.tokens import TokenMap

VERSION = "chunker-2"
_MAX_SECTION_CHARACTERS = 300
_SPECIAL_TOKENS = 2
_HEAD_CHARACTERS = 20_000
"""Of a table that are looked at for its column titles."""
_APART = frozenset({PartKind.SHEET, PartKind.ATTACHMENT, PartKind.CHAPTER})
"""Parts that share no passage, however short they are: a place names one of them."""
_SLACK = 2
"""Retokenising a cut word may cost a token more than the map says."""


@dataclass(frozen=True, slots=True)
class ChunkingRules:
    """Sizes in tokens of the embedder.

    `max_tokens` bounds a chunk with its header and the two special tokens; `target` is what its
    own text should come to.
    """

    max_tokens: int = 256
    target: int = 200
    minimum: int = 48
    overlap: int = 26
    header: int = 32
    table_head: int = 36

    @property
    def limit(self) -> int:
        """Most tokens of text beside a full header."""
        return max(self.max_tokens - _SPECIAL_TOKENS - _SLACK - self.header, 8)


def rules_for(max_tokens: int) -> ChunkingRules:
    """Rules for an embedder that reads `max_tokens` tokens."""
    if max_tokens >= 256:
        return ChunkingRules(max_tokens=max_tokens)
    part = max_tokens / 256
    return ChunkingRules(
        max_tokens=max_tokens,
        target=max(int(200 * part), 8),
        minimum=int(48 * part),
        overlap=int(26 * part),
        header=int(32 * part),
        table_head=int(36 * part),
    )


@dataclass(frozen=True, slots=True)
class _TableHead:
    """Column titles of a table, and what they may cost in front of a passage from it."""

    rows: tuple[str, ...]
    budget: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """The smallest thing that is not cut: a sentence, a table row, a line of code."""

    start: int
    end: int
    block: int
    kind: BlockKind
    opens_block: bool


@dataclass(slots=True)
class _Section:
    """Blocks under one heading."""

    path: tuple[str, ...]
    first: int
    last: int
    """Half-open range of block numbers."""
    is_code: bool = False


def chunk_document(
    document: ParsedDocument, tokens: TokenMap, count: Count, rules: ChunkingRules
) -> tuple[Chunk, ...]:
    """All chunks of a document, in order. The same document always gives the same chunks.

    Args:
        tokens: token map of `document.text`.
        count: tokens of any other text (for headers).
    """
    return _Chunker(document, tokens, count, rules).run()


class _Chunker:
    def __init__(
        self, document: ParsedDocument, tokens: TokenMap, count: Count, rules: ChunkingRules
    ) -> None:
        self._document = document
        self._text = document.text
        self._tokens = tokens
        self._count = count
        self._rules = rules
        self._left_out = left_out(document.text)
        self._left_out_starts = [start for start, _ in self._left_out]
        self._blocks = _complete_blocks(document.text, document.blocks)
        self._borders = [part.start for part in document.parts if part.kind in _APART]
        self._count_lines = line_counter(document.text) if document.parts else None
        self._attachments = {
            part.start for part in document.parts if part.kind is PartKind.ATTACHMENT
        }
        self._table_heads: dict[int, _TableHead] = {}
        self._headers: dict[tuple[str, ...], str] = {}
        self._chunks: list[Chunk] = []

    def run(self) -> tuple[Chunk, ...]:
        for section in self._merge_small(_sections(self._text, self._blocks)):
            for pieces in self._unbroken(self._pieces(section)):
                self._pack(section.path, pieces)
        return tuple(self._chunks)

    # sections

    def _merge_small(self, sections: Sequence[_Section]) -> list[_Section]:
        """Join sections too short to stand alone with a neighbour, while both fit one chunk."""
        merged: list[_Section] = []
        for section in sections:
            before = merged[-1] if merged else None
            if before is not None and self._should_merge(before, section):
                merged[-1] = _joined(before, section)
            else:
                merged.append(section)
        return merged

    def _should_merge(self, before: _Section, section: _Section) -> bool:
        if self._part_at(before) != self._part_at(section):
            return False
        sizes = (self._section_size(before), self._section_size(section))
        return min(sizes) < self._rules.minimum and sum(sizes) <= self._rules.target

    def _part_at(self, section: _Section) -> int:
        return bisect_right(self._borders, self._blocks[section.first].start)

    def _section_size(self, section: _Section) -> int:
        return self._tokens.count(
            self._blocks[section.first].start, self._blocks[section.last - 1].end
        )

    # pieces

    def _pieces(self, section: _Section) -> list[_Piece]:
        pieces: list[_Piece] = []
        for number in range(section.first, section.last):
            block = self._blocks[number]
            spans = self._spans(number)
            pieces += [
                _Piece(start, end, number, block.kind, opens_block=position == 0)
                for position, (start, end) in enumerate(spans)
            ]
        return pieces

    def _unbroken(self, pieces: Sequence[_Piece]) -> Iterator[Sequence[_Piece]]:
        """The pieces in groups with nothing left out between them: a chunk is one span."""
        first = 0
        for number in range(1, len(pieces)):
            before, after = pieces[number - 1].start, pieces[number].start
            if self._left_out_before(before) != self._left_out_before(after):
                yield pieces[first:number]
                first = number
        yield pieces[first:]

    def _left_out_before(self, position: int) -> int:
        """How many stretches that are left out begin up to `position`."""
        return bisect_right(self._left_out_starts, position)

    def _kept(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """`text[start:end]` without what is left out of it."""
        number = max(self._left_out_before(start) - 1, 0)
        while number < len(self._left_out) and self._left_out[number][0] < end:
            left, right = self._left_out[number]
            number += 1
            if start < left:
                yield trimmed(self._text, start, left)
            start = max(start, right)
        if start < end:
            yield trimmed(self._text, start, end)

    def _spans(self, number: int) -> list[tuple[int, int]]:
        """The block cut into pieces that each leave room for an overlap or a table head."""
        block = self._blocks[number]
        rules = self._rules
        most = min(rules.target, rules.limit - rules.table_head) - rules.overlap
        if block.kind is BlockKind.TABLE:
            most = min(rules.target, rules.limit - self._table_head(number).budget)
        if block.kind in (BlockKind.TABLE, BlockKind.CODE):
            spans = line_spans(self._text, block.start, block.end)
        elif block.kind is BlockKind.HEADING:
            spans = [trimmed(self._text, block.start, block.end)]
        else:
            spans = sentence_spans(self._text, block.start, block.end)
        kept = [part for span in spans for part in self._kept(*span)]
        return [part for span in kept for part in self._cut_words(*span, max(most, 1))]

    def _cut_words(self, start: int, end: int, most: int) -> list[tuple[int, int]]:
        """Cut between words so that no part exceeds `most`; inside a word if there is no gap."""
        parts: list[tuple[int, int]] = []
        while self._tokens.count(start, end) > most:
            cut = max(self._tokens.fit(start, end, most), start + 1)
            gap = _last_gap(self._text, start + (cut - start) // 2, cut)
            cut = gap if gap > start else cut
            part = trimmed(self._text, start, cut)
            if part[1] > part[0]:
                parts.append(part)
            start, end = trimmed(self._text, cut, end)
        if end > start:
            parts.append((start, end))
        return parts

    # packing

    def _pack(self, path: tuple[str, ...], pieces: Sequence[_Piece]) -> None:
        first = done = 0
        while done < len(pieces):
            end = self._chunk_end(pieces, first, done)
            self._emit(path, pieces[first:end])
            done = end
            first = self._overlap_start(pieces, first, end) if end < len(pieces) else end

    def _chunk_end(self, pieces: Sequence[_Piece], first: int, done: int) -> int:
        """Number of the piece after the last one of the chunk that begins with piece `first`."""
        limit = self._limit(pieces[first])
        rest = self._size(pieces, first, len(pieces))
        if rest <= min(limit, self._rules.target + self._rules.minimum):
            return len(pieces)
        budget = min(self._rules.target, limit)
        if rest < 1.6 * budget:
            budget = int(0.62 * rest)  # two halves read better than a whole and a crumb
        budget = min(budget, limit)
        end = done + 1
        while end < len(pieces) and self._size(pieces, first, end + 1) <= budget:
            end += 1
        return self._better_break(pieces, first, done, end, budget)

    def _better_break(
        self, pieces: Sequence[_Piece], first: int, done: int, end: int, budget: int
    ) -> int:
        """Prefer the border of a block, if the chunk stays reasonably full."""
        for candidate in range(end, done, -1):
            if candidate < len(pieces) and pieces[candidate].opens_block:
                if self._size(pieces, first, candidate) >= 0.6 * budget:
                    return candidate
                break
        while end - 1 > done and pieces[end - 1].kind is BlockKind.HEADING:
            end -= 1  # a heading belongs to what follows
        return end

    def _limit(self, piece: _Piece) -> int:
        if piece.kind is BlockKind.TABLE and not piece.opens_block:
            return self._rules.limit - self._table_head(piece.block).budget
        return self._rules.limit

    def _overlap_start(self, pieces: Sequence[_Piece], first: int, end: int) -> int:
        """Where the next chunk begins: up to `overlap` tokens of whole sentences earlier."""
        start = end
        while (
            start - 1 > first
            and pieces[start - 1].kind in (BlockKind.PARAGRAPH, BlockKind.LIST)
            and pieces[end].kind in (BlockKind.PARAGRAPH, BlockKind.LIST)
            and self._size(pieces, start - 1, end) <= self._rules.overlap
        ):
            start -= 1
        return start

    def _size(self, pieces: Sequence[_Piece], first: int, end: int) -> int:
        return self._tokens.count(pieces[first].start, pieces[end - 1].end)

    # chunks

    def _emit(self, path: tuple[str, ...], pieces: Sequence[_Piece]) -> None:
        start, end = pieces[0].start, pieces[-1].end
        self._chunks.append(
            Chunk(
                ordinal=len(self._chunks),
                start=start,
                end=end,
                text=self._text[start:end],
                header=self._header(path, pieces[0], end),
                section=PATH_GAP.join(path)[:_MAX_SECTION_CHARACTERS],
                kind=_main_kind(pieces),
                pages=pages_of(self._document.pages, start, end),
                place=self._place(pieces, end),
            )
        )

    def _place(self, pieces: Sequence[_Piece], end: int) -> str:
        """Below the name of an attachment it begins in the attachment's first sheet or page."""
        start = pieces[0].start
        if start in self._attachments:
            bodies = (piece.start for piece in pieces if piece.kind is not BlockKind.HEADING)
            start = next(bodies, start)
        return place_of(self._document.parts, self._text, start, end, self._count_lines)

    def _header(self, path: tuple[str, ...], first: _Piece, end: int) -> str:
        if path not in self._headers:
            self._headers[path] = contextual_header(
                self._document.title, path, self._rules.header, self._count
            )
        header = self._headers[path]
        if first.kind is not BlockKind.TABLE or first.opens_block:
            return header
        head = self._column_names(first, end)
        return f"{header}\n{head}" if header and head else header or head

    def _column_names(self, first: _Piece, end: int) -> str:
        """Titles of the columns of a passage that begins in the middle of a table."""
        head = self._table_head(first.block)
        if not head.rows:
            return ""
        block = self._blocks[first.block]
        row_start = self._text.rfind("\n", block.start, first.start) + 1 or block.start
        row = self._text[row_start : _line_end(self._text, row_start, block.end)]
        names = " / ".join(head.rows)
        if first.start - row_start > len(row) - len(row.lstrip()):
            names = names_of_cut_row(head.rows[-1], row, first.start - row_start, end - row_start)
        return shortened(names, head.budget, self._count)

    def _table_head(self, number: int) -> _TableHead:
        if number not in self._table_heads:
            block = self._blocks[number]
            spans = line_spans(
                self._text, block.start, min(block.end, block.start + _HEAD_CHARACTERS)
            )
            rows = tuple(table_head([self._text[start:end] for start, end in spans]))
            sizes = sorted(self._tokens.count(*span) for span in spans[len(rows) :])
            typical = sizes[len(sizes) // 2] if sizes else 0
            self._table_heads[number] = _TableHead(rows, self._head_budget(rows, typical))
        return self._table_heads[number]

    def _head_budget(self, rows: Sequence[str], typical: int) -> int:
        """Tokens for column titles: all of them if a typical row still fits beside them.

        A row that does not fit is cut, and then every part needs the names of its own columns.
        """
        if not rows:
            return 0
        names = self._count(" / ".join(rows)) + 1
        if names <= self._rules.table_head:
            return self._rules.table_head
        limit = self._rules.limit
        if names + typical <= limit:
            return names
        share = int(limit * names / (names + typical))
        return max(self._rules.table_head, min(share, limit // 2))


def _sections(text: str, blocks: Sequence[Block]) -> list[_Section]:
    """Group blocks under their headings; headings in a row open one section."""
    sections: list[_Section] = []
    open_headings: list[tuple[int, str]] = []
    has_body = True
    code: tuple[str, ...] = ()
    for number, block in enumerate(blocks):
        if block.kind is not BlockKind.HEADING:
            if not sections or block.path != code:
                above = tuple(title for _, title in open_headings)
                sections.append(_Section((*above, *block.path), number, number, bool(block.path)))
            sections[-1].last = number + 1
            code, has_body = block.path, True
            continue
        code = ()
        while open_headings and open_headings[-1][0] >= block.level:
            open_headings.pop()
        open_headings.append((block.level, " ".join(text[block.start : block.end].split())))
        path = tuple(title for _, title in open_headings)
        if has_body:
            sections.append(_Section(path, number, number + 1))
        else:
            sections[-1].path, sections[-1].last = path, number + 1
        has_body = False
    return sections


def _joined(before: _Section, section: _Section) -> _Section:
    """Both as one. Two definitions share what is around both; loose lines go with theirs."""
    path = _common(before.path, section.path)
    if before.is_code != section.is_code:
        path = before.path if before.is_code else section.path
    elif not section.is_code:
        path = path or before.path
    return _Section(path, before.first, section.last, before.is_code or section.is_code)


def _complete_blocks(text: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with paragraphs for any text between them, without blank ones."""
    complete: list[Block] = []
    position = 0
    for block in [*blocks, Block(BlockKind.PARAGRAPH, len(text), len(text))]:
        if text[position : block.start].strip():
            complete.append(Block(BlockKind.PARAGRAPH, position, block.start))
        if text[block.start : block.end].strip():
            complete.append(block)
        position = max(position, block.end)
    return complete


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    length = 0
    while length < min(len(a), len(b)) and a[length] == b[length]:
        length += 1
    return a[:length]


def _line_end(text: str, start: int, end: int) -> int:
    found = text.find("\n", start, end)
    return end if found < 0 else found


def _last_gap(text: str, start: int, end: int) -> int:
    """Offset after the last white space in `text[start:end]`, or -1."""
    for position in range(end - 1, start - 1, -1):
        if text[position].isspace():
            return position + 1
    return -1


def _main_kind(pieces: Sequence[_Piece]) -> BlockKind:
    """The kind most characters have; a heading only when there is nothing else."""
    sizes: dict[BlockKind, int] = {}
    for piece in pieces:
        weight = 0 if piece.kind is BlockKind.HEADING else piece.end - piece.start
        sizes[piece.kind] = sizes.get(piece.kind, 0) + weight
    return max(sizes, key=lambda kind: sizes[kind])
