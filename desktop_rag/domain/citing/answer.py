"""Checks a whole answer: passages each sentence is to cite, then the text with their numbers."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.citing.checking import Asked, Flaw, asked_for, flaws, word_share
from desktop_rag.domain.citing.sentences import Sentence, clauses, sentences, split_markers
from desktop_rag.domain.citing.sources import Source, Span, best_quote, joined, source
from desktop_rag.domain.citing.writing import Locate, numbered, rewritten
from desktop_rag.domain.facts.names import sure_names
from desktop_rag.domain.support import support, terms

_WEAK = 0.3
"""From here a passage the model named itself stays cited, though the sentence is marked."""


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer's text after checking."""

    text: str
    citations: tuple[Citation, ...]
    unsupported: tuple[Span, ...]
    support: float
    """Share of the text's checkable sentences (by length) that a source supports, in [0, 1]."""
    shows_figures: bool = True
    """Whether every number the question did not name stands in the quote of its sentence."""


def cite(text: str, question: str, passages: Sequence[Passage], locate: Locate) -> Cited:
    """Check and number the citations of `text`, written from `passages` in this order.

    Every answer that has a checkable sentence ends with at least one citation: when nothing
    supports any of it, the passage that comes nearest is named and everything is marked.
    """
    plain, markers = split_markers(text.strip(), len(passages))
    sources = [source(passage) for passage in passages]
    known = sure_names(question).union(*(one.names for one in sources))
    asked = asked_for(question, known)
    found = sentences(plain, markers, known)
    for sentence in found:
        _check(sentence, sources, asked, known)
    _name_something(found, sources, asked)
    citations, numbers = numbered([one.quotes for one in found], passages, locate)
    written, unsupported = rewritten(plain, found, numbers)
    return Cited(
        text=written,
        citations=citations,
        unsupported=unsupported,
        support=_support_share(found),
        shows_figures=all(_shows_figures(one, sources, asked) for one in found),
    )


def _check(sentence: Sentence, sources: Sequence[Source], asked: Asked, known: Set[str]) -> None:
    """Choose the passages a sentence cites: those it names, else the best, else two together."""
    if not sentence.is_checkable:
        return
    faults = [flaws(sentence, one, asked) for one in sources]
    good = [n for n in sentence.named if not faults[n]]
    if not good and not all(faults):
        good = [_best(sentence, sources, faults, asked)]
    if good:
        sentence.quotes = [best_quote(n, sources[n], sentence.terms, asked.terms) for n in good]
        return
    if _check_clauses(sentence, sources, asked, known):
        return
    sentence.is_supported = False
    cited = [n for n in sentence.named if support(sentence.terms, sources[n].terms) >= _WEAK]
    sentence.quotes = [best_quote(n, sources[n], sentence.terms, asked.terms) for n in cited]


def _check_clauses(
    sentence: Sentence, sources: Sequence[Source], asked: Asked, known: Set[str]
) -> bool:
    """Whether the statements joined in a sentence are borne out each by a place of its own."""
    parts = clauses(sentence, known)
    if len(parts) == 1:
        return False
    for part in parts:
        faults = [flaws(part, one, asked) for one in sources]
        if all(faults):
            return False
        named = [n for n in part.named if not faults[n]]
        best = named[0] if named else _best(part, sources, faults, asked)
        sentence.quotes.append(best_quote(best, sources[best], part.terms, asked.terms))
    return True


def _best(
    sentence: Sentence,
    sources: Sequence[Source],
    faults: Sequence[Sequence[Flaw]],
    asked: Asked,
) -> int:
    """Of the passages without fault the one whose best stretch supports most; the earlier one
    among equals, since it was ranked better.
    """
    shares = {n: word_share(sentence, one) for n, one in enumerate(sources) if not faults[n]}

    def strength(number: int) -> tuple[float, int]:
        quote = best_quote(number, sources[number], sentence.terms, asked.terms)
        return shares[number] + quote.support, -number

    most = max(shares.values())
    return max((n for n, share in shares.items() if share >= most - 0.1), key=strength)


def _name_something(found: Sequence[Sentence], sources: Sequence[Source], asked: Asked) -> None:
    checkable = [one for one in found if one.is_checkable]
    if not checkable or not sources or any(one.quotes for one in found):
        return
    last = checkable[-1]
    named = next((one.named[0] for one in reversed(found) if one.named), None)
    shares = [support(last.terms, one.terms) for one in sources]
    nearest = named if named is not None else max(range(len(sources)), key=shares.__getitem__)
    last.quotes = [best_quote(nearest, sources[nearest], last.terms, asked.terms)]


def _shows_figures(sentence: Sentence, sources: Sequence[Source], asked: Asked) -> bool:
    shown = joined(
        [terms(sources[q.passage].passage.text[q.start : q.end]) for q in sentence.quotes]
    )
    return sentence.terms.numbers - asked.terms.numbers <= shown.numbers


def _support_share(found: Sequence[Sentence]) -> float:
    checkable = [one for one in found if one.is_checkable]
    total = sum(one.end - one.start for one in checkable)
    borne_out = sum(one.end - one.start for one in checkable if one.is_supported)
    return borne_out / total if total else 0.0
