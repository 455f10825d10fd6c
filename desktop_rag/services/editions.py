"""Prefers the newest copy of a document in an answer, names it, and shows where files disagree.

Between search and writing, passages of older copies give way to the same passages of the newest
one. After writing, every sentence cited is compared with what the other passages found say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Answer, Candidate, Passage
from desktop_rag.domain.conflicts import (
    Claim,
    are_other_things,
    claims_cited,
    claims_of,
    disagree,
)
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.naming import Holding, file_names
from desktop_rag.domain.support import jaccard, terms
from desktop_rag.domain.versions import (
    are_of_other_periods,
    asked_for,
    has_version,
    name_keys,
    newest,
    periods,
    versions_of,
)
from desktop_rag.services.retrieval import Found, passage_of
from desktop_rag.storage.catalog import Catalog

_LOOKED_AT = 6
"""Of the best passages, those whose documents may have other copies; a prompt holds no more."""
_SAME = 0.5
"""Shared part of two passages' words from which one is the other, revised."""
_MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class Edition:
    """Copies and revisions of one document that the library has."""

    newest: Holding
    older: tuple[Holding, ...]
    asked: Holding | None = None
    """The one that the question names by its number; it answers instead of the newest."""

    @property
    def chosen(self) -> Holding:
        """The one to answer from."""
        return self.asked or self.newest

    @property
    def others(self) -> tuple[Holding, ...]:
        """The rest."""
        return tuple(one for one in (self.newest, *self.older) if one != self.chosen)


@dataclass(frozen=True, slots=True)
class Settled:
    """What was found, with the newest copies in the place of older ones."""

    found: Found
    editions: tuple[Edition, ...] = ()
    replaced: tuple[Passage, ...] = ()
    """Passages of older copies that gave way."""


class Editions:
    """Usable from any thread."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def settled(self, found: Found, *, is_narrowed: bool) -> Settled:
        """The newest copies instead of others, or the version that the question names.

        Where filters narrowed the search, nothing is replaced: the newest may be filtered out.
        """
        if is_narrowed or found.understood.filters:
            return Settled(found)
        question = found.texts[-1]
        documents = dict.fromkeys(one.document for one in found.passages[:_LOOKED_AT])
        editions = self._editions(list(documents), question)
        is_past = has_version(question) and not any(one.asked for one in editions)
        if not editions or is_past:
            return Settled(found)
        passages, replaced = self._renewed(found.passages, editions)
        return Settled(replace(found, passages=tuple(passages)), editions, tuple(replaced))

    def told(self, answer: Answer, settled: Settled) -> tuple[str, ...]:
        """Sentences on which copy was used, and on files that say otherwise."""
        cited = {citation.document for citation in answer.citations}
        used = [one for one in settled.editions if cited & _members(one)]
        claims = claims_cited(answer.citations, answer.text)
        question = settled.found.texts[-1]
        found = [claim for one in settled.found.passages for claim in claims_of(one)]
        others = [one for one in found if not _is_copy(one, settled)]
        older = [claim for one in settled.replaced for claim in claims_of(one)]
        revised = {one.newest.path for one in used if not one.asked}
        renewed = [claim for claim in claims if claim.path in revised]
        return (
            *(_copy_used(one, cited) for one in used),
            *_differences(question, renewed, older, are_older=True),
            *_differences(question, claims, others, are_older=False),
            *self._of_other_periods(question, cited, settled),
        )

    # ------------------------------------------------------------------ steps

    def _editions(self, documents: Sequence[DocumentId], question: str) -> tuple[Edition, ...]:
        editions: list[Edition] = []
        for one in self._catalog.shelf.of(documents):
            if any(one.document in _members(known) for known in editions):
                continue
            versions = versions_of(one, self._called_alike(one), self._catalog.text)
            if len(versions) > 1:
                first = newest(versions)
                older = tuple(one for one in versions if one != first)
                editions.append(Edition(first, older, asked_for(question, versions)))
        return tuple(editions)

    def _of_other_periods(
        self, question: str, cited: set[DocumentId], settled: Settled
    ) -> list[str]:
        """Of what was found, what holds the same for years that the question does not name."""
        if periods(question):
            return []
        found = dict.fromkeys(one.document for one in settled.found.passages[:_LOOKED_AT])
        holdings = self._catalog.shelf.of([*found, *(cited - set(found))])
        used = [one for one in holdings if one.document in cited]
        names = [
            one.file
            for one in holdings
            if one.document not in cited and any(are_of_other_periods(one, each) for each in used)
        ]
        told = ", ".join(names[:_MOST_TOLD])
        sentence = f"Found for another time, may say otherwise: {told}. To ask it, name the year."
        return [sentence] if names else []

    def _called_alike(self, one: Holding) -> list[Holding]:
        return self._catalog.shelf.named_with(*name_keys(one))

    def _renewed(
        self, passages: Sequence[Passage], editions: Sequence[Edition]
    ) -> tuple[list[Passage], list[Passage]]:
        """Passages in order, and the older ones that gave way to the newest's."""
        latest = {other.document: one.chosen for one in editions for other in one.others}
        kept: dict[int, Passage] = {}
        replaced: list[Passage] = []
        for passage in passages:
            newer = latest.get(passage.document)
            counterpart = self._counterpart(passage, newer) if newer else None
            if counterpart is not None:
                replaced.append(passage)
            chosen = counterpart or passage
            kept.setdefault(chosen.chunk, chosen)
        return list(kept.values()), replaced

    def _counterpart(self, passage: Passage, newer: Holding) -> Passage | None:
        """The passage of the newest copy that this one became."""
        chunks = self._catalog.resolve(self._catalog.shelf.chunks([newer.document]))
        wanted = terms(passage.text).words
        shares = {one.id: jaccard(wanted, terms(one.text).words) for one in chunks.values()}
        best = max(shares, key=lambda chunk: shares[chunk], default=None)
        if best is None or shares[best] < _SAME:
            return None
        candidate = Candidate(
            best, passage.score, passage.similarity, passage.dense_rank, passage.keyword_rank
        )
        renewed = passage_of(candidate, chunks[best])
        return replace(
            renewed,
            score=passage.score,
            relevance=passage.relevance,
            word_evidence=passage.word_evidence,
        )


def _members(edition: Edition) -> set[DocumentId]:
    return {edition.newest.document, *(one.document for one in edition.older)}


def _is_copy(claim: Claim, settled: Settled) -> bool:
    """Whether it stands in an older copy: that is told as such."""
    return any(claim.path == other.path for one in settled.editions for other in one.others)


def _copy_used(edition: Edition, cited: set[DocumentId]) -> str:
    count = 1 + len(edition.older)
    first, *others = file_names([edition.newest, *edition.older])
    told = ", ".join(others[:_MOST_TOLD])
    if edition.asked and edition.asked.document in cited:
        return f"From {edition.asked.file}, as asked; {first} is the newest of {count} versions."
    if edition.newest.document in cited:
        return f"From {first}, the newest of {count} versions; older: {told}."
    used = ", ".join(
        name for name, one in zip(others, edition.older, strict=True) if one.document in cited
    )
    return f"From {used}, an older version: {first} is newer and does not hold this passage."


def _differences(
    question: str, claims: Sequence[Claim], others: Sequence[Claim], *, are_older: bool
) -> list[str]:
    """Sentences on those of the others that contradict what is cited."""
    told: dict[str, str] = {}
    for claim in claims:
        for other in others:
            if other.path in told or other.path == claim.path:
                continue
            is_case = not are_older and are_other_things(claim, other)
            if not is_case and disagree(question, claim, other):
                told[other.path] = _told(claim, other, is_older=are_older)
    return list(told.values())[:_MOST_TOLD]


def _told(claim: Claim, other: Claim, *, is_older: bool) -> str:
    here, there = claim.file, other.file
    if here == there:
        here, there = claim.path, other.path
    who = f"{there}, an older copy," if is_older else there
    return f"{here} says “{claim.sentence}”, but {who} says “{other.sentence}”"
