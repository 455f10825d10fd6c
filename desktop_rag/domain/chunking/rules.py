"""How long passages may be, and the ways of cutting a document into them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

VERSION = "chunker-3"
_SPECIAL_TOKENS = 2
_SLACK = 2
"""Retokenising a cut word may cost a token more than the map says."""
_USUAL = 256
"""Tokens the sizes below are meant for; an embedder that reads fewer gets smaller passages."""


class Chunking(StrEnum):
    """Ways of cutting a document. `tests/benchmarks/bench_chunking.py` compares them."""

    STRUCTURE = "structure"
    """Along headings, blocks and sentences (`structure`)."""
    FIXED = "fixed"
    """So many tokens, whatever stands there (`fixed`)."""
    SENTENCES = "sentences"
    """One sentence each, shown with those around it (`windows`)."""
    SEMANTIC = "semantic"
    """Where the meaning of neighbouring sentences changes most (`semantic`)."""
    LATE = "late"
    """As `structure`, with vectors that have seen the text around (`late`)."""
    PROPOSITIONS = "propositions"
    """Sentences with what a language model says they state (`written`)."""
    CONTEXT = "context"
    """As `structure`, with a sentence by a language model that places each passage (`written`)."""

    @property
    def needs_language_model(self) -> bool:
        """Whether a language model reads every document."""
        return self in (Chunking.PROPOSITIONS, Chunking.CONTEXT)


@dataclass(frozen=True, slots=True)
class ChunkingRules:
    """Sizes in tokens of the embedder.

    `max_tokens` bounds a chunk with its header and the two special tokens; `target` is what its
    own text should come to; `minimum` is what is not left over at the end of a section.
    """

    max_tokens: int = 256
    target: int = 200
    minimum: int = 48
    overlap: int = 26
    header: int = 32
    table_head: int = 36
    section: int = 16
    """Shorter sections are joined with a neighbour. Short ones of different subjects are found far
    better alone: 38 tokens a section, MRR 0.956, joined to 116 tokens 0.887."""
    written: int = 0
    """Room left for what a language model writes about a chunk."""

    @property
    def limit(self) -> int:
        """Most tokens of text beside a full header and all that is written about it."""
        return max(self.room - self.header - self.written, 8)

    @property
    def room(self) -> int:
        """Most tokens of all that is embedded together."""
        return self.max_tokens - _SPECIAL_TOKENS - _SLACK


def rules_for(max_tokens: int, chunking: Chunking = Chunking.STRUCTURE) -> ChunkingRules:
    """Rules for an embedder that reads `max_tokens` tokens."""
    sizes = _SIZES.get(chunking, ChunkingRules())
    if max_tokens >= _USUAL:
        return replace(sizes, max_tokens=max_tokens)
    part = max_tokens / _USUAL
    return ChunkingRules(
        max_tokens=max_tokens,
        target=max(int(sizes.target * part), 8),
        minimum=int(sizes.minimum * part),
        overlap=int(sizes.overlap * part),
        header=int(sizes.header * part),
        table_head=int(sizes.table_head * part),
        section=int(sizes.section * part),
        written=int(sizes.written * part),
    )


_SENTENCES = ChunkingRules(target=100, minimum=12, overlap=0)
_SIZES = {
    Chunking.SENTENCES: _SENTENCES,
    Chunking.SEMANTIC: _SENTENCES,
    Chunking.PROPOSITIONS: replace(_SENTENCES, written=96),
    Chunking.LATE: ChunkingRules(target=128, minimum=32, overlap=20),
    Chunking.CONTEXT: ChunkingRules(target=128, minimum=32, overlap=20, written=64),
}
