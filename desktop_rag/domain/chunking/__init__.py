"""Cuts documents into passages that fit the embedder.

Whatever the way of cutting: a chunk is one span of the document's text; with its header it has at
most the tokens the embedder reads, measured with a `TokenMap`; every character that is not white
space is in a chunk, except for what `domain.long_runs` takes for no language. The same document
always gives the same chunks.
"""

from __future__ import annotations

from desktop_rag.domain.chunking.fixed import by_size
from desktop_rag.domain.chunking.headers import Count
from desktop_rag.domain.chunking.late import with_surroundings
from desktop_rag.domain.chunking.material import Material
from desktop_rag.domain.chunking.rules import VERSION, Chunking, ChunkingRules, rules_for
from desktop_rag.domain.chunking.structure import by_structure
from desktop_rag.domain.chunking.windows import by_sentence
from desktop_rag.domain.documents import Chunk, ParsedDocument
from desktop_rag.domain.tokens import TokenMap

__all__ = ["VERSION", "Chunking", "ChunkingRules", "chunk_document", "rules_for"]


def chunk_document(
    document: ParsedDocument,
    tokens: TokenMap,
    count: Count,
    rules: ChunkingRules,
    chunking: Chunking = Chunking.STRUCTURE,
    file: str = "",
) -> tuple[Chunk, ...]:
    """All chunks of a document, in order.

    What else a model has to do with them (`semantic`, `written`) is not done here.

    Args:
        tokens: token map of `document.text`.
        count: tokens of any other text (for headers).
        rules: sizes, see `rules_for`.
        chunking: the way of cutting.
        file: name of its file for headers, see `headers.telling_name`.
    """
    cut = {
        Chunking.FIXED: by_size,
        Chunking.SENTENCES: by_sentence,
        Chunking.SEMANTIC: by_sentence,
        Chunking.PROPOSITIONS: by_sentence,
        Chunking.LATE: with_surroundings,
    }.get(chunking, by_structure)
    return tuple(cut(Material(document, tokens, count, rules, file)))
