"""Where in a passage a sentence's figures and names stand, and what that place speaks of.

A passage holds many facts: a figure that stands in it, though in a sentence about something else,
bears nothing out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from desktop_rag.domain.citing.sentences import Sentence
from desktop_rag.domain.citing.sources import Source, best_stretch, years
from desktop_rag.domain.facts.codes import codes
from desktop_rag.domain.facts.names import names, vocabulary
from desktop_rag.domain.facts.quantities import Quantity
from desktop_rag.domain.facts.statements import Said
from desktop_rag.domain.support import Terms, terms

_NEAR = 0.6
"""Share of the best agreement that a figure's own place must reach."""
_LEAST_WORDS = 3
_MANY_WORDS = 5
_SAME = 0.9
_CLEAR = 0.75
"""Share of the plain words that make it clear which sentence is meant."""


def places(sentence: Sentence, source: Source, known: Set[str], asked: Terms) -> list[int]:
    """Sentences of the source that hold a number the question did not name; else the best one.

    Args:
        sentence: of the answer.
        source: that may bear it out.
        known: readings of the question's numbers.
        asked: terms of the question.
    """
    new = [
        one
        for one in sentence.said.quantities
        if not one.readings & known and not one.readings & years(sentence.text)
    ]
    found = [at for at in range(len(source.spans)) if _holds_any(source, at, new, sentence.said)]
    return found or [best_stretch(source, sentence.terms, asked)[1]]


def is_governed(
    source: Source,
    found: list[int],
    wanted: Set[str],
    pick: Callable[[str], frozenset[str]],
) -> bool:
    """Whether at some of the places what is wanted is what the text speaks of, or nothing is."""
    nearest = [source.governing(at, pick) for at in found]
    return any(not one or one & wanted for one in nearest)


def codes_like(wanted: Set[str]) -> Callable[[str], frozenset[str]]:
    """Picks the identifiers of a text that begin with the same letters as one of these."""
    families = {_family(key) for key in wanted}
    return lambda text: frozenset(one.key for one in codes(text) if one.family in families)


def stands_elsewhere(sentence: Sentence, source: Source, known: Set[str]) -> bool:
    """Whether a figure stands only where the sentence's words do not, and these stand clearly.

    Readings of the question's numbers are `known`: its wording need not stand beside the answer.
    """
    plain = _plain_words(sentence)
    figures = [one for one in sentence.said.quantities if not one.readings & known]
    if len(plain) < _LEAST_WORDS or not figures or len(source.spans) < 2:
        return False
    if _has_rivals(sentence, source, plain, known):
        return True
    agreement = [_agreement(plain, source, at) for at in range(len(source.spans))]
    best = max(agreement)
    for one in figures:
        own = [at for at in range(len(agreement)) if _holds_any(source, at, [one], sentence.said)]
        if own and max(agreement[at] for at in own) < _NEAR * best:
            return best >= _CLEAR * len(plain)
    return False


def speaks_of_another(sentence: Sentence, source: Source, known: Set[str]) -> bool:
    """Whether the one sentence that says all the rest names another where this one has a name."""
    plain = _plain_words(sentence)
    if len(plain) < _LEAST_WORDS or not sentence.said.names:
        return False
    at = _clear_place(plain, source, _CLEAR)
    if at is None:
        return False
    text = source.sentence(at)
    near = vocabulary(f"{source.header}\n{source.sentence(at - 1) if at else ''}\n{text}")
    strangers = [name for name in sentence.said.names if not near.has_name(name)]
    if any(
        _is_near(name, plain, source, len(plain & source.span_terms[at].words))
        for name in strangers
    ):
        return False
    said_names = vocabulary(sentence.text)
    others = [name for name in names(text, known) if not any(map(said_names.has, name))]
    return bool(strangers) and bool(others)


def _clear_place(plain: Set[str], source: Source, share: float) -> int | None:
    """The sentence that holds the most of these words, if that is nearly all of them."""
    own = [len(plain & one.words) for one in source.span_terms]
    at = max(range(len(own)), key=own.__getitem__)
    return at if own[at] >= share * len(plain) else None


def _has_rivals(sentence: Sentence, source: Source, plain: Set[str], known: Set[str]) -> bool:
    """Whether the sentence that says all the rest has other numbers in place of these."""
    at = _clear_place(plain, source, _SAME)
    if at is None or len(plain) < _MANY_WORDS:
        return False
    own = sentence.terms.numbers - known
    held = source.span_terms[at].numbers
    return bool(own - held) and bool(held - sentence.terms.numbers)


def _is_near(name: tuple[str, ...], plain: Set[str], source: Source, best: int) -> bool:
    """Whether a name stands in another sentence that says half as much of the rest."""
    stems = terms(" ".join(name)).words
    holding = [one.words for one in source.span_terms if stems <= one.words]
    return any(2 * len(plain & words) >= best for words in holding)


def _plain_words(sentence: Sentence) -> frozenset[str]:
    called = terms(" ".join(word for name in sentence.said.names for word in name)).words
    return sentence.terms.words - called


def _agreement(plain: Set[str], source: Source, at: int) -> int:
    """Words shared with a sentence and the one before it, which it may refer to."""
    before = source.span_terms[at - 1].words if at else frozenset()
    return len(plain & (source.span_terms[at].words | before))


def _holds_any(source: Source, at: int, wanted: list[Quantity], statement: Said) -> bool:
    if not wanted or not source.span_terms[at].numbers:
        return False
    facts = source.facts_of(at)
    return any(facts.has_quantity(one, is_fall=statement.is_fall) for one in wanted)


def _family(key: str) -> str:
    return "".join(_letters(key))


def _letters(key: str) -> Iterator[str]:
    for letter in key:
        if not letter.isalpha():
            return
        yield letter
