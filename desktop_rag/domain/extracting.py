"""Chooses the sentences that answer a question best, word for word and without a language model.

Three things speak for a stretch of a passage: how much of the question's wording it holds, whether
it holds what the question asks for (a number for "how many", a date for "when", a name for "who", a
reason for "why") that the question itself does not say, and how well its passage was ranked. The
few for which most speaks are compared with the question by the embedder's vectors of tokens.

Measured on 200 questions on 500 passages of Wikipedia: the one sentence holds the answer in 80.5 %
by these rules, in 87.0 % with the comparison of the best four (87.5 % of the best ten), and the
three passages it is taken from hold it in 99 %.

A heading agrees with a question better than any answer does, and says nothing: a stretch that holds
hardly more than the question's own words goes on to the sentence that follows.

Sentences on adults and on children, on this model and on that, look alike. What tells them apart
stands around them: in their line (a paragraph, an item, a row), in the names of section and
document. A stretch loses against one around which the same words of the question stand, and more.
Measured on 140 other questions on Wikipedia: the one sentence holds the answer in 78.6 % instead of
75.7 %; where such stretches were left out altogether, in 72.9 %.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.calendar_words import MONTHS
from desktop_rag.domain.citing import Locate, citation_of
from desktop_rag.domain.entities import entities
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.support import Terms, support, terms

COMPARED = 4
"""Stretches that are looked at more closely; reading them takes about 5 ms each."""
LOOKED_AT = 3
"""Passages, the best first; what answers stands further down too seldom to be worth the risk."""
_QUOTE_SENTENCES = 3
_NEW_WORDS = 3
"""Words a quoted answer must add to those of the question; a number counts for two."""
_HINT = 0.25
"""What holding the kind of thing asked for is worth, as a share of the question's wording."""
_RANK = 0.1
"""What a passage loses for each one before it."""
_RANK_CLOSELY = 0.05
"""The same where vectors of tokens are compared, whose scores lie nearer to each other."""
_ASIDE, _ASIDE_CLOSELY = 0.2, 0.1
"""What a stretch loses that speaks of something else, by rules and where vectors are compared."""

_NUMBER = re.compile(
    r"\bhow (?:many|much|long|far|often|old|tall|high|fast|big|large|deep|wide|heavy|thick)\b"
    r"|\bwhat (?:percentage|percent|share|number|amount|price|age)\b|\bwie (?:vie|lang|oft|hoch|"
    r"weit|alt|groß|schnell|schwer|tief|teuer)|\bcombien\b|\bcuánt|\bquant[oaie]\b|\bhoeveel\b|\bile\b"
    r"|сколько|多少|いくつ|몇",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|century|decade|time)\b|\bwann\b"
    r"|\bin welchem (?:jahr|monat)|\bquand\b|\ben quelle année|\bcuándo\b|\bquando\b|\bwanneer\b"
    r"|\bkiedy\b|когда|いつ|何年|什么时候|언제",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\bwho(?:m|se)?\b|\bwe[rmn]\b|\bwessen\b|\bqui\b|\bquién(?:es)?\b|\bquem\b|\bchi\b|\bwie is\b"
    r"|\bkto\b|кто|谁|誰|누구",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\bwhy\b|\bwarum\b|\bwieso\b|\bweshalb\b|\bpourquoi\b|\bpor qu[ée]\b|\bperché\b|\bwaarom\b"
    r"|почему|为什么|なぜ|왜",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"\b(?:because|since|due to|so that|in order to|as a result|therefore|reason|weil|denn|"
    r"wegen|damit|deshalb|parce que|car|afin|puisque|porque|debido|perché|poiché|omdat)\b"
    r"|потому|因为|ため",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"\b(?:1\d|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm|uhr)\b|\bcentur(?:y|ies)\b|\d世紀"
    rf"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:{'|'.join(MONTHS)})\b|\d ?[年月日]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring sentences of a passage, by offsets into its text."""

    passage: Passage
    start: int
    end: int
    held: Terms
    rank: int
    """Of its passage, from 0."""
    around: Terms
    """What its line, section and document say, and itself."""
    is_aside: bool = False
    """Others say as much about more of what is asked."""

    @property
    def text(self) -> str:
        """Word for word."""
        return self.passage.text[self.start : self.end]

    def loss(self, rank: float, aside: float) -> float:
        """What counts against it, for each rank and for being aside."""
        return rank * self.rank + aside * self.is_aside


def likely_stretches(question: str, passages: Sequence[Passage]) -> list[Stretch]:
    """The stretches of the best passages for which most speaks, the best first.

    Args:
        question: standing alone.
        passages: best first.
    """
    asked = terms(question)
    found = [
        one
        for rank, passage in enumerate(passages[:LOOKED_AT])
        for one in _stretches(passage, asked, rank)
    ]
    found = _told_apart(question, asked, found)
    found.sort(key=lambda one: one.loss(_RANK, _ASIDE) - _score(question, asked, one))
    return found[:COMPARED]


def best_of(
    stretches: Sequence[Stretch], scores: Sequence[float | None], locate: Locate
) -> Citation | None:
    """The one that answers best, as [1]; `None`: there are none.

    Args:
        stretches: by `likely_stretches`.
        scores: of each, of a closer look; where one is missing, their order decides.
        locate: where a span of a passage stands.
    """
    if not stretches:
        return None
    best = stretches[0]
    if all(score is not None for score in scores) and len(scores) == len(stretches):
        looked_at = zip(scores, stretches, strict=True)
        _, best = max(
            looked_at, key=lambda one: (one[0] or 0.0) - one[1].loss(_RANK_CLOSELY, _ASIDE_CLOSELY)
        )
    return citation_of(1, best.passage, best.start, best.end, locate)


def _stretches(passage: Passage, asked: Terms, rank: int) -> list[Stretch]:
    """From each sentence on, as far as it takes to say something the question did not."""
    spans = sentence_spans(passage.text) or [(0, len(passage.text))]
    found = []
    for first in range(len(spans)):
        for last in range(first, min(first + _QUOTE_SENTENCES, len(spans))):
            start, end = spans[first][0], spans[last][1]
            held = terms(passage.text[start:end])
            if _adds(held, asked) >= _NEW_WORDS:
                break
        found.append(Stretch(passage, start, end, held, rank, _around(passage, start, end)))
    return found


def _around(passage: Passage, start: int, end: int) -> Terms:
    line = passage.text.rfind("\n", 0, start) + 1
    line_end = passage.text.find("\n", start)
    told = passage.text[line : max(end, line_end)]
    return terms(f"{passage.title}\n{passage.section}\n{told}")


def _told_apart(question: str, asked: Terms, stretches: Sequence[Stretch]) -> list[Stretch]:
    """The stretches, those marked that speak of something else than others do."""
    judged = [
        (one, _holds_what_is_asked(question, asked, one), _shared(asked, one.around))
        for one in stretches
    ]
    better = [
        (is_kind, shared) for one, is_kind, shared in judged if _adds(one.held, asked) >= _NEW_WORDS
    ]

    return [
        replace(one, is_aside=any(shared < more and is_kind <= also for also, more in better))
        for one, is_kind, shared in judged
    ]


def _shared(asked: Terms, around: Terms) -> frozenset[str]:
    return (asked.words & around.words) | (asked.numbers & around.numbers)


def _score(question: str, asked: Terms, stretch: Stretch) -> float:
    """Agreement with the question, halved for what adds next to nothing to it, and the hint."""
    agreement = support(asked, stretch.held)
    if _adds(stretch.held, asked) < _NEW_WORDS:
        agreement /= 2
    return agreement + (_HINT if _holds_what_is_asked(question, asked, stretch) else 0.0)


def _adds(held: Terms, asked: Terms) -> int:
    return len(held.words - asked.words) + 2 * len(held.numbers - asked.numbers)


def _holds_what_is_asked(question: str, asked: Terms, stretch: Stretch) -> bool:
    text = stretch.text
    if _NUMBER.search(question):
        return bool(stretch.held.numbers - asked.numbers)
    if _TIME.search(question):
        told = {found.casefold() for found in _MOMENT.findall(question)}
        return any(found.casefold() not in told for found in _MOMENT.findall(text))
    if _PERSON.search(question):
        return any(name not in question.casefold() for name in entities(text))
    return bool(_REASON.search(question) and _BECAUSE.search(text))
