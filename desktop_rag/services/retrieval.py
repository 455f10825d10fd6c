"""Finds passages for a question: one round trip to the index, the rest from the catalog."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from desktop_rag.domain.adaptive_limit import adaptive_limit
from desktop_rag.domain.answerability import NOT_FOUND_BELOW, evidence_for
from desktop_rag.domain.answers import (
    Candidate,
    Expansion,
    Passage,
    Ranking,
    RetrievalFigures,
    SearchResult,
    Understood,
)
from desktop_rag.domain.choosing import choose
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.errors import InvalidInput, NothingIndexed
from desktop_rag.domain.explanation import Explanation
from desktop_rag.domain.languages import foreign_note
from desktop_rag.domain.linking import with_linked
from desktop_rag.domain.ordering import fuse, fuse_also
from desktop_rag.domain.ports import SearchIndex
from desktop_rag.domain.prompting import shortened
from desktop_rag.domain.query_expansion import Wording, explained
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.domain.scope import TIER_WEIGHT, Scope
from desktop_rag.domain.scoring import relevance_to
from desktop_rag.domain.spans import Span
from desktop_rag.domain.spelling import Correction, corrected
from desktop_rag.services.closer_look import CloserLook
from desktop_rag.services.explaining import Ranked, decisions, reading
from desktop_rag.services.graph_search import GraphSearch, Links
from desktop_rag.services.narrowing import Narrowed, Narrowing
from desktop_rag.storage.catalog import Catalog, StoredChunk
from desktop_rag.storage.collections import Collections

CONSIDERED = 16
"""Passages an answer is chosen from; the budget never holds more."""
EVERYTHING = Scope()


@dataclass(frozen=True, slots=True)
class Found:
    """The best passages for a question, without duplicates, and how they were found."""

    question: str
    passages: tuple[Passage, ...]
    figures: RetrievalFigures
    rankings: tuple[Ranking, ...]
    """One for each query, the question's own first; what answerability is judged by."""
    texts: tuple[str, ...] = ()
    """What was searched, one for each ranking: without filters and courtesies, well spelled."""
    understood: Understood = field(default_factory=Understood)
    is_weak: bool = False
    """Nothing matches well; the passages are merely the nearest."""
    explanation: Explanation = field(default_factory=Explanation)
    is_exact: bool = False
    """Every passage holds the phrase that was asked for, word for word."""


@dataclass(slots=True)
class _Stopwatch:
    """Milliseconds by stage."""

    timings_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def measure(self, stage: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            elapsed = (time.perf_counter() - begin) * 1000
            self.timings_ms[stage] = self.timings_ms.get(stage, 0.0) + elapsed


class Retrieval:
    """Searches. Usable from any thread, as far as the index is."""

    def __init__(self, index: SearchIndex, catalog: Catalog, collections: Collections) -> None:
        self._index = index
        self._catalog = catalog
        self._narrowing = Narrowing(index, catalog, collections)
        self._graph = GraphSearch(catalog.entities)
        self._closer = CloserLook(index, catalog.token_vectors)

    def search(
        self,
        question: str,
        limit: int = 8,
        scope: Scope = EVERYTHING,
        *,
        is_explained: bool = False,
    ) -> SearchResult:
        """The `limit` best passages of the scope.

        Explained, the relevance of the others is worked out as well.

        Raises:
            InvalidInput: the question is empty or the limit below 1.
            NotFound: the scope names a collection or tag that does not exist.
            NothingIndexed: there is nothing to search.
        """
        if limit < 1:
            raise InvalidInput(f"At least one result must be asked for, not {limit}.")
        return result(self.find([question], limit, scope, is_explained=is_explained))

    def find(
        self,
        queries: Sequence[str],
        limit: int = CONSIDERED,
        scope: Scope = EVERYTHING,
        rules: RetrievalRules = DEFAULT_RULES,
        also: Sequence[Wording] = (),
        *,
        is_explained: bool = False,
    ) -> Found:
        """Passages for a question and other wordings of it, searched apart and fused.

        Args:
            queries: the question itself first.
            limit: how many passages to keep.
            scope: which documents are searched.
            rules: how; an evaluation compares others.
            also: what is searched besides, and counts less.
            is_explained: whether relevance is worked out of what is not shown, too.

        Raises:
            InvalidInput, NotFound, NothingIndexed: as `search`.
        """
        watch = _Stopwatch()
        with watch.measure("scope"):
            asked = self.narrowed(queries, scope)
        if asked.is_exact:  # what holds the phrase is what was asked for, whatever else it says
            rules = replace(rules, relevance_floor=0.0)
        ranked = self._ranked(asked, limit, rules, also, watch)
        with watch.measure("choose"):
            relevance = relevance_to(ranked.questions[-1], ranked.candidates)
            choice = choose(ranked.passages, relevance, ranked.closeness, limit, rules)
        understood = _understood(asked, ranked)
        expansion = Expansion(
            names=ranked.links.names, linked=sum(one.is_linked for one in choice.passages)
        )
        figures = RetrievalFigures(
            max(ranking.searched for ranking in ranked.rankings),
            asked.documents,
            len(ranked.candidates),
            passages=0,
            passage_documents=0,
            timings_ms=watch.timings_ms,
            expansion=expansion,
            reranked=sum(one.late_score is not None for one in ranked.candidates),
        )
        lines = (*reading(ranked, rules), *understood.sentences(), *explained(expansion))
        verdicts = decisions(ranked, choice, relevance if is_explained else None)
        return Found(
            shortened(queries[0]),
            choice.passages,
            figures.with_passages(choice.passages),
            ranked.rankings,
            ranked.questions,
            understood,
            choice.is_weak,
            Explanation(lines, verdicts),
            asked.is_exact,
        )

    def score(
        self, question: str, texts: Sequence[tuple[ChunkId, str]]
    ) -> tuple[float | None, ...]:
        """How well short pieces of chunks answer a question (`CloserLook.score`)."""
        return self._closer.score(question, texts)

    def spans(self, question: str, texts: Sequence[str]) -> list[Span]:
        """The words of each text that answer a question; none without a model for it."""
        return self._index.spans(question, texts)

    def filters_of(self, question: str) -> Scope:
        """What a question asks to be narrowed to; everything when it says nothing of the kind."""
        return self._narrowing.filters_of(question)

    def narrowed(self, queries: Sequence[str], scope: Scope) -> Narrowed:
        """What `find` would search; for those who want to know first that there is something.

        Raises:
            InvalidInput, NotFound, NothingIndexed: as `search`.
        """
        if any(map(str.strip, queries)) and not self._catalog.counts().chunks:
            raise _nothing_indexed(self._catalog)
        return self._narrowing.narrow(queries, scope)

    def _ranked(
        self,
        asked: Narrowed,
        limit: int,
        rules: RetrievalRules,
        also: Sequence[Wording],
        watch: _Stopwatch,
    ) -> Ranked:
        """All candidates, best first: searched, looked at closely, fused, joined by links."""
        wordings = [*asked.texts, *(shortened(wording.text) for wording in also)]
        rankings = self._rank(wordings, max(rules.candidates, limit), asked.among, watch)
        wordings = [*map(_set_right, wordings, rankings)]
        with watch.measure("resolve"):
            chunks = self._catalog.resolve([*dict.fromkeys(_candidates(rankings))])
        with watch.measure("rerank"):
            # What is only searched besides is not worth a cross-encoder's time.
            own_rules = [rules] * len(asked.texts) + [replace(rules, read_again=0)] * len(also)
            looks = [
                self._closer.rerank(wording, ranking, chunks, some)
                for wording, ranking, some in zip(wordings, rankings, own_rules, strict=True)
            ]
        with watch.measure("fuse"):
            candidates = _fused([ranking for ranking, _ in looks], also)
        with watch.measure("graph"):
            own = asked.texts
            links = self._links(wordings[len(own) - 1], candidates, rules, asked.among)
            candidates += _unseen(links.chunks, candidates)
            chunks |= self._catalog.resolve([one for one in links.chunks if one not in chunks])
        is_one = len(looks) == 1 and not links.chunks
        closeness = looks[0][1] if is_one else self._closer.compare(candidates, chunks)
        return Ranked(
            tuple(wordings[: len(own)]),
            tuple(ranking for ranking, _ in looks[: len(own)]),
            tuple(candidates),
            tuple(_passages(candidates, chunks, links)),
            {chunk: one.tier for chunk, one in chunks.items()},
            closeness,
            links,
        )

    def _links(
        self,
        question: str,
        candidates: Sequence[Candidate],
        rules: RetrievalRules,
        among: Sequence[ChunkId] | None,
    ) -> Links:
        """Where names lead, of what is searched."""
        if not rules.graph_hops:
            return Links()
        links = self._graph.follow(question, [one.chunk for one in candidates], rules.graph_hops)
        searched = links.chunks if among is None else set(among)
        return replace(links, chunks=tuple(one for one in links.chunks if one in searched))

    def _rank(
        self,
        questions: Sequence[str],
        candidates: int,
        among: Sequence[ChunkId] | None,
        watch: _Stopwatch,
    ) -> list[Ranking]:
        with watch.measure("index"):
            rankings = [self._index.search(question, candidates, among) for question in questions]
        if not any(ranking.searched for ranking in rankings):
            raise _nothing_indexed(self._catalog)
        for ranking in rankings:
            for stage, elapsed in ranking.timings_ms.items():
                watch.timings_ms[stage] = watch.timings_ms.get(stage, 0.0) + elapsed
        return rankings


def _set_right(question: str, ranking: Ranking) -> str:
    return corrected(question, ranking.corrections)


def _understood(asked: Narrowed, ranked: Ranked) -> Understood:
    return replace(
        asked.understood,
        text=ranked.questions[0],
        corrections=_corrections(ranked.rankings),
        notes=(*asked.understood.notes, *_foreign_notes(ranked.rankings)),
    )


def _corrections(rankings: Sequence[Ranking]) -> tuple[Correction, ...]:
    """Of all wordings, each once."""
    return tuple(dict.fromkeys(one for ranking in rankings for one in ranking.corrections))


def _foreign_notes(rankings: Sequence[Ranking]) -> tuple[str, ...]:
    """What the search model cannot do for this question: at most one sentence."""
    notes = (foreign_note(ranking.language) for ranking in rankings)
    return tuple(filter(None, notes))[:1]


def result(found: Found) -> SearchResult:
    """What was found, as a search shows it."""
    return SearchResult(
        found.question,
        found.passages,
        found.figures.with_passages(found.passages),
        found.understood,
        says_nothing_matches(found),
        found.explanation,
    )


def says_nothing_matches(found: Found, below: float = NOT_FOUND_BELOW) -> bool:
    """Whether a search says that nothing matches well, by evidence below which there is none.

    What answers are refused for must not be praised; but who asked for a phrase has found it.
    """
    if found.is_exact:
        return False
    return found.is_weak or evidence_for(found.texts[-1], found.passages) < below


def worth_reading(found: SearchResult) -> SearchResult:
    """The same without the passages at its end that do not compare with the best."""
    count = adaptive_limit([one.relevance for one in found.passages])
    passages = found.passages[:count]
    return replace(
        found,
        passages=passages,
        figures=found.figures.with_passages(passages),
        explanation=found.explanation.cut_after(count),
    )


def _fused(rankings: Sequence[Ranking], also: Sequence[Wording]) -> list[Candidate]:
    """All rankings as one; the last of them are for what is searched besides."""
    own = rankings[: len(rankings) - len(also)]
    rest = [
        (_dense(ranking) if wording.is_passage else _all(ranking), wording.weight)
        for ranking, wording in zip(rankings[len(own) :], also, strict=True)
    ]
    return fuse_also(fuse([ranking.candidates for ranking in own]), rest)


def _all(ranking: Ranking) -> list[ChunkId]:
    return [one.chunk for one in ranking.candidates]


def _dense(ranking: Ranking) -> list[ChunkId]:
    """By vectors alone: the words of a made-up passage are those of no document."""
    ranks = [(one.dense_rank, one.chunk) for one in ranking.candidates if one.dense_rank]
    return [chunk for _, chunk in sorted(ranks)]


def _unseen(chunks: Sequence[ChunkId], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those of the chunks that are no candidates yet."""
    known = {one.chunk for one in candidates}
    return [Candidate(one, 0.0, None, None, None) for one in chunks if one not in known]


def _candidates(rankings: Sequence[Ranking]) -> Iterator[ChunkId]:
    return (candidate.chunk for ranking in rankings for candidate in ranking.candidates)


def _passages(
    candidates: Sequence[Candidate], chunks: Mapping[ChunkId, StoredChunk], links: Links
) -> list[Passage]:
    """Of those that are in the library, best first when tiers count as well."""
    known = {c.chunk: passage_of(c, chunks[c.chunk]) for c in candidates if c.chunk in chunks}
    ranked = sorted(known.values(), key=lambda passage: -passage.score)
    return with_linked(ranked, [known[one] for one in links.chunks if one in known])


def passage_of(candidate: Candidate, chunk: StoredChunk) -> Passage:
    """A chunk as it stands in the library, with how it was found."""
    return Passage(
        chunk=chunk.id,
        document=chunk.document,
        path=chunk.path,
        title=chunk.title,
        section=chunk.section,
        text=chunk.text,
        start=chunk.start,
        end=chunk.end,
        sha256=chunk.sha256,
        pages=chunk.pages,
        page_label=chunk.page_label,
        score=candidate.score * TIER_WEIGHT[chunk.tier],
        similarity=candidate.similarity,
        dense_rank=candidate.dense_rank,
        keyword_rank=candidate.keyword_rank,
        word_evidence=candidate.word_evidence,
        columns=chunk.header.partition("\n")[2],
        place=chunk.place,
    )


def _nothing_indexed(catalog: Catalog) -> NothingIndexed:
    counts = catalog.counts()
    if counts.queued or counts.chunks:
        return NothingIndexed(
            "No document is searchable yet: they are still being read. Ask again in a moment."
        )
    if counts.failed:
        return NothingIndexed(
            "No document could be read; `desktop-rag files` says why for each of them."
        )
    return NothingIndexed(
        "There are no documents to search yet; add a file or folder with `desktop-rag add PATH` "
        "or drop one on the window."
    )
