"""Finds text in documents that gives orders to a language model ("ignore all instructions above").

Such text is named where a person can see it and kept from the model; everything else about the
document stays usable. Nothing here makes the program safe by itself: an order that reads like any
sentence is not found. What an answer says is checked against its sources whatever its passages say.

One sign is enough when only such text has it (an order to set instructions aside, talk to "the AI
reading this"). Signs that manuals and letters have too ("reply only with YES", "disregard the
earlier version") count when two different ones stand together.
"""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.domain.look_alikes import folded
from desktop_rag.domain.order_signs import HINTS, INITIALS, SOLE, TRIGGERS
from desktop_rag.domain.sentences import line_spans, sentence_spans

Span = tuple[int, int]

_NEAR = 2
"""Sentences within which two signs stand together."""
_PAYLOAD = 3
"""Sentences of the same paragraph behind an order that are taken for what it orders."""
_LINES = 2
_FAR = 500
"""Characters that are looked at before and behind a word that an order might hold."""
_QUOTED = 120


def orders_in(text: str) -> list[Span]:
    """Spans of the orders in a text, in order, apart from each other."""
    found: list[Span] = []
    for version in dict.fromkeys((text, folded(text))):
        stop = 0
        for position in _triggers(version):
            if position < stop:
                continue
            start, stop = _line_around(version, position)
            if any(_signs(version[a:b]) for a, b in sentence_spans(version, start, stop)):
                found += _orders_of(version, *_lines_around(version, start, stop))
    return _merged(found)


def without_orders(text: str) -> str:
    """`text` with blanks in the place of its orders; every offset stays what it was."""
    for start, end in orders_in(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def quoted(text: str, span: Span) -> str:
    """An order on one line, for a note."""
    words = " ".join(text[span[0] : span[1]].split())
    return words if len(words) <= _QUOTED else words[:_QUOTED].rsplit(" ", 1)[0] + " …"


def _line_around(text: str, position: int) -> Span:
    """The line, or of a very long one what stands near `position`."""
    least, most = max(position - _FAR, 0), min(position + _FAR, len(text))
    start, end = text.rfind("\n", least, position) + 1, text.find("\n", position, most)
    return start or least, most if end < 0 else end


def _lines_around(text: str, start: int, stop: int) -> Span:
    """From the line before to some lines after: an order may be spread over lines."""
    first = max(text.rfind("\n", 0, max(start - 1, 0)) + 1, start - _FAR, 0)
    most = min(stop + _FAR, len(text))
    for _ in range(_LINES):
        further = text.find("\n", stop + 1, most)
        stop = most if further < 0 else further
    return first, stop


def _triggers(text: str) -> list[int]:
    small = text.replace("\u0130", "I").lower()  # the one letter whose small form is two
    found = [at for word in TRIGGERS for at in _places(small, word)]
    for word in INITIALS:
        found += [at for at in _places(text, word) if _is_word(text, at, at + len(word))]
    return sorted(found)


def _places(text: str, word: str) -> Iterator[int]:
    position = text.find(word)
    while position >= 0:
        yield position
        position = text.find(word, position + 1)


def _is_word(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


def _orders_of(text: str, start: int, end: int) -> list[Span]:
    sentences = [
        span for line in line_spans(text, start, end) for span in sentence_spans(text, *line)
    ]
    signs = [_signs(text[first:last]) for first, last in sentences]
    spans = []
    for number, (first, _) in enumerate(sentences):
        together = set().union(*signs[number : number + _NEAR])
        if signs[number] and ("sole" in together or len(together) > 1):
            last = min(number + _PAYLOAD, len(sentences) - 1)
            stop = text.find("\n", sentences[number][1])
            stop = end if stop < 0 else stop
            spans.append((first, max(sentences[number][1], min(sentences[last][1], stop))))
    return spans


def _signs(sentence: str) -> set[str]:
    flat = " ".join(sentence.split())
    found = {name for name, pattern in HINTS.items() if pattern.search(flat)}
    return found | {"sole"} if any(pattern.search(flat) for pattern in SOLE) else found


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
