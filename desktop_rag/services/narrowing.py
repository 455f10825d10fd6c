"""From a question as typed to what is searched, and which passages are searched at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from desktop_rag.domain.answers import Understood
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import InvalidInput, NothingIndexed
from desktop_rag.domain.phrases import holds_phrase
from desktop_rag.domain.ports import SearchIndex
from desktop_rag.domain.prompting import shortened
from desktop_rag.domain.query_language import Query, plain_words, read_query
from desktop_rag.domain.scope import Scope
from desktop_rag.paths import home_expanded
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.collections import Collections

_COMPARED = 5_000
"""Passages whose text is compared with a phrase, the best ones: half a second at most."""
_COMPARED_AT_LEAST = 200
"""A word may be hyphenated in the text, so that the index does not know it; the passages nearest
to the phrase are compared, too."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What `Retrieval.find` goes on with."""

    texts: tuple[str, ...]
    """What is searched, one for each wording, the question's own first."""
    among: Sequence[ChunkId] | None
    """The only passages to search; `None`: all."""
    documents: int
    """How many files those are from, phrases aside."""
    understood: Understood
    is_exact: bool = False
    """Whether `among` are the passages that hold the question's phrases."""


class Narrowing:
    """Understands questions. Usable from any thread, as far as the index is."""

    def __init__(
        self,
        index: SearchIndex,
        catalog: Catalog,
        collections: Collections,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._index = index
        self._catalog = catalog
        self._collections = collections
        self._today = today

    def narrow(self, wordings: Sequence[str], scope: Scope) -> Narrowed:
        """Read a question, the first of its wordings, and apply what it asks for.

        Args:
            wordings: other ones give words to search only; filters are those of the question.
            scope: chosen beside the question; its filters narrow further.

        Raises:
            InvalidInput: there is nothing to search for, or a filter cannot be read.
            NotFound: the scope names a collection or tag that does not exist.
            NothingIndexed: the filters leave nothing to search.
        """
        query = self._read(wordings)
        scopes = [one for one in (scope, query.scope) if not one.is_everything]
        among = self._in_scopes(scopes)
        among = self._without(query, among)
        held = self._holding(query.phrases, among) if query.phrases else among
        is_held = held is None or bool(held)
        return Narrowed(
            texts=(query.text, *filter(None, map(plain_words, wordings[1:]))),
            among=held if is_held else among,
            documents=self._count_documents(scopes),
            understood=_understood(query, is_held=is_held),
            is_exact=bool(query.phrases) and is_held,
        )

    def filters_of(self, question: str) -> Scope:
        """The scope that a question names, in operators or in words."""
        try:
            return self._read([question]).scope
        except InvalidInput:
            return Scope()

    def _read(self, wordings: Sequence[str]) -> Query:
        if not wordings:
            raise InvalidInput("The question is empty; type what you want to know.")
        query = read_query(shortened(wordings[0]), self._collections.documents, self._today())
        folders = tuple(
            str(home_expanded(Path(one))) if one.startswith("~") else one
            for one in query.scope.folders
        )
        return replace(query, scope=replace(query.scope, folders=folders))

    def _in_scopes(self, scopes: Sequence[Scope]) -> list[ChunkId] | None:
        if not scopes:
            return None
        chunks = self._collections.chunks_in(*scopes)
        if not chunks:
            described = ", ".join(scope.described() for scope in scopes)
            raise NothingIndexed(
                f"Nothing is searchable there ({described}); `desktop-rag files` lists "
                "what is, and what still waits to be read."
            )
        return chunks

    def _count_documents(self, scopes: Sequence[Scope]) -> int:
        if not scopes:
            return self._catalog.counts().searchable
        return self._collections.count_documents(*scopes)

    def _without(self, query: Query, among: list[ChunkId] | None) -> list[ChunkId] | None:
        if not (query.excluded or query.excluded_phrases):
            return among
        left = self._index.select([], query.excluded, among)
        # The index does not know function words: `-the` is looked for in the texts, too.
        for phrase in (*query.excluded, *query.excluded_phrases):
            held = set(self._that_hold([phrase], self._index.select([phrase], [], left)))
            left = [chunk for chunk in left if chunk not in held]
        if not left and not self._index.select([], [], among):
            raise NothingIndexed(
                "The search index is still being filled, so that no words can be left out yet; "
                "ask again in a moment."
            )
        if not left:
            words = " or ".join(f"“{one}”" for one in (*query.excluded, *query.excluded_phrases))
            raise NothingIndexed(
                f"Every passage there holds {words}, which the question leaves out; ask without "
                "that, or look somewhere else."
            )
        return left

    def _holding(self, phrases: Sequence[str], among: list[ChunkId] | None) -> list[ChunkId]:
        """The passages that hold all phrases, as far as they are among the best for them."""
        chunks = self._index.select(phrases, [], among)
        if len(chunks) > _COMPARED:
            chunks = self._nearest(phrases, _COMPARED, chunks)
        elif len(chunks) < _COMPARED_AT_LEAST:
            chunks = [*chunks, *self._nearest(phrases, _COMPARED_AT_LEAST, among)]
        return sorted(self._that_hold(phrases, dict.fromkeys(chunks)))

    def _nearest(
        self, phrases: Sequence[str], count: int, among: Sequence[ChunkId] | None
    ) -> list[ChunkId]:
        ranking = self._index.search(" ".join(phrases), count, among)
        return [candidate.chunk for candidate in ranking.candidates]

    def _that_hold(self, phrases: Sequence[str], chunks: Iterable[ChunkId]) -> list[ChunkId]:
        texts = self._catalog.searched_texts(list(chunks))
        return [
            chunk
            for chunk, text in texts.items()
            if all(holds_phrase(text, phrase) for phrase in phrases)
        ]


def _understood(query: Query, *, is_held: bool) -> Understood:
    if is_held:
        return Understood(query.text, query.filters)
    phrases = " and ".join(f"“{phrase}”" for phrase in query.phrases)
    return Understood(
        query.text,
        replace(query, phrases=()).filters,
        notes=(f"No passage holds {phrases} word for word; the nearest ones are shown.",),
    )
