"""Makes questions whose answers are known, from documents: by rule."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.evaluation import Place, Question
from desktop_rag.domain.terms import content_terms

T = TypeVar("T")
_Sentence = tuple[str, str, int]
"""File, the sentence, where it begins."""

_KEYWORDS = 5
_MIN_TERMS = 6
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÉ\"“])|\n{2,}")
_SENTENCE_CHARS = (50, 300)


def make_questions(texts: Mapping[str, str], count: int, seed: int = 0) -> list[Question]:
    """Questions whose answer's place is known, from sentences of the texts themselves.

    By turns the rarest words of a sentence as keywords, and the sentence with its rarest word left
    out. Both use the text's own words, so such a set flatters keyword search and says nothing of
    paraphrases; it does say whether files are read, cut and found, and which settings lose some.

    Args:
        texts: by file, as the program reads them.
        count: how many questions at most; spread over the files.
        seed: of the choice.

    Raises:
        InvalidInput: `count` is below 1, or no text has a sentence to ask about.
    """
    if count < 1:
        raise InvalidInput(f"At least one question must be made, not {count}.")
    spread = Counter(term for text in texts.values() for term in content_terms(text))
    dice = random.Random(seed)
    by_file = _once([list(_sentences(file, text)) for file, text in sorted(texts.items())])
    questions = [
        _question(number, file, quote, start, spread)
        for number, (file, quote, start) in enumerate(in_turns(by_file, dice)[:count], 1)
    ]
    if not questions:
        raise InvalidInput("The documents hold no sentences to make questions from.")
    return questions


def _once(by_file: Sequence[Sequence[_Sentence]]) -> list[list[_Sentence]]:
    """Without the sentences of several files: whichever copy is found would be the wrong one."""
    spread = Counter(quote for some in by_file for _, quote, _ in some)
    return [[one for one in some if spread[one[1]] == 1] for some in by_file]


def in_turns(by_file: Sequence[Sequence[T]], dice: random.Random) -> list[T]:
    """One of each file by turns, in an order of chance within the file."""
    shuffled = [dice.sample(some, len(some)) for some in by_file]
    turns = max(map(len, shuffled), default=0)
    return [some[turn] for turn in range(turns) for some in shuffled if turn < len(some)]


def _sentences(file: str, text: str) -> Iterator[_Sentence]:
    start = 0
    ends = [(found.start(), found.end()) for found in _SENTENCE.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        sentence = text[start:end]
        is_fit = _SENTENCE_CHARS[0] <= len(sentence) <= _SENTENCE_CHARS[1]
        is_rich = is_fit and len(content_terms(sentence)) >= _MIN_TERMS
        # Only a sentence that stands once has one right place.
        if is_rich and text.count(sentence) == 1:
            yield file, sentence, start
        start = following


def _question(number: int, file: str, quote: str, start: int, spread: Counter[str]) -> Question:
    rarest = sorted(content_terms(quote), key=lambda term: (spread[term], -len(term)))
    place = Place(file, quote=quote, span=(start, start + len(quote)))
    gap = re.compile(rf"\b{re.escape(rarest[0])}\b", re.IGNORECASE)
    if number % 2 and gap.search(quote):
        text = gap.sub("____", " ".join(quote.split()))
    else:
        chosen = set(rarest[:_KEYWORDS])
        text = " ".join(term for term in content_terms(quote) if term in chosen)
    return Question(f"q{number}", text, places=(place,))
