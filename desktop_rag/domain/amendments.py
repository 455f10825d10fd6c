"""Later documents that change what an answer rests on: `Clause 5 is replaced: The notice …`.

An amendment is no newer copy of a contract: it holds a few clauses only, under another name. The
clause it replaces reads as valid as ever, and answers the question better.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.conflicts import Claim, claims_of
from desktop_rag.domain.support import terms

_CHANGES = re.compile(
    r"\b(?:is|are|shall be|will be|has been|have been) (?:hereby )?"
    r"(?:replaced|amended|deleted|superseded|changed|modified|revised|extended|repealed)\b"
    r"|\b(?:is|are) no longer\b|, no longer\b|\binstead of (?:the )?(?:previous|former)"
    r"|\b(?:wird|werden|wurde|wurden)\b.{0,80}\b(?:ersetzt|geändert|gestrichen|aufgehoben)\b"
    r"|\b(?:est|sont) (?:remplacée?s?|modifiée?s?|supprimée?s?)\b"
    r"|\b(?:se|queda|quedan) (?:sustituye|modifica|modificad[oa]s?|sustituid[oa]s?)\b",
    re.IGNORECASE,
)
_FEWEST_SHARED = 2
"""Words of the question that the changed clause must hold."""
_MOST_TOLD = 2


def amendments(
    question: str, citations: Sequence[Citation], passages: Sequence[Passage]
) -> tuple[str, ...]:
    """Sentences that quote what may change the answer; none when it rests on the changes already.

    Args:
        question: standing alone.
        citations: of the answer.
        passages: that were found for it.
    """
    asked = terms(question).words
    cited = {one.document for one in citations}
    told: dict[int, str] = {}
    for passage in passages:
        if passage.document in cited:
            continue
        for claim in claims_of(passage):
            if _changes(claim.sentence, asked) and _is_about(asked, claim, citations):
                told.setdefault(passage.document, _told(claim))
    return tuple(told.values())[:_MOST_TOLD]


def _changes(sentence: str, asked: frozenset[str]) -> bool:
    """Whether it changes a rule; "is replaced" does not where replacing things was asked about."""
    found = _CHANGES.search(sentence)
    return found is not None and not terms(found.group()).words & asked


def _is_about(asked: frozenset[str], claim: Claim, citations: Sequence[Citation]) -> bool:
    """Whether it is about what was asked, and says something else than what is quoted."""
    said = terms(claim.sentence)
    quoted = [terms(one.quote) for one in citations]
    is_new = not any(said.numbers and said.numbers <= one.numbers for one in quoted)
    subjects = [asked & one.words for one in quoted]
    return is_new and any(
        len(shared & said.words) >= min(_FEWEST_SHARED, len(asked)) for shared in subjects
    )


def _told(claim: Claim) -> str:
    return f"{claim.file} may change this: “{claim.sentence}”"
