"""Finds sentence borders. Rules, not a model: good enough to cut chunks and to check quotes."""

from __future__ import annotations

import re

_BORDER = re.compile(
    r"(?P<stop>[.!?…]+[\"'”’»)\]]*)(?P<gap>\s+)(?=[\"'“‘«(\[]*[^\W_a-zß-ÿ])"
    r"|(?P<wide>[。！？]+[」』”）]*)"
    r"|(?P<line>\n)"
)
_ENDS_SENTENCE = re.compile(r"[.!?:;。！？…][\"'”’)\]]*$")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|vs|cf|al|approx|Fig|Figs|Eq|Sec|Inc|Ltd|Corp|Co"
    r"|e\.g|i\.e|U\.S|z\.B|bzw|ca|Nr|Art|Abs|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\.$"
)
_NUMBER = re.compile(r"\s*\d{1,3}(?:\.\d{1,3})*")


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Spans of the sentences of `text[start:end]`, trimmed, in order, without blank ones.

    A line end always ends a sentence: in assembled text it separates rows and list items.
    """
    stop = len(text) if end is None else end
    spans: list[tuple[int, int]] = []
    begin = start
    for border in _BORDER.finditer(text, start, stop):
        if border["stop"] and _is_within(text, begin, border.start()):
            continue
        cut = border.start() if border["line"] else border.end()
        _append_trimmed(spans, text, begin, cut)
        begin = border.end()
    _append_trimmed(spans, text, begin, stop)
    return spans


def _is_within(text: str, begin: int, stop: int) -> bool:
    """Whether the stop at `stop` belongs to an abbreviation or to an item's number: `3. Oil`."""
    if _ABBREVIATION.search(text[max(begin, stop - 12) : stop + 1]):
        return True
    return _NUMBER.fullmatch(text, max(begin, stop - 12), stop) is not None


def line_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of the lines of `text[start:end]`, trimmed, without blank ones."""
    spans: list[tuple[int, int]] = []
    begin = start
    while begin < end:
        cut = text.find("\n", begin, end)
        cut = end if cut < 0 else cut
        _append_trimmed(spans, text, begin, cut)
        begin = cut + 1
    return spans


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends; empty spans stay where they begin."""
    # Character by character: a slice would copy all of a line of megabytes for every cut in it.
    first, last = start, min(end, len(text))
    while first < last and text[first].isspace():
        first += 1
    while first < last and text[last - 1].isspace():
        last -= 1
    return (first, last) if first < last else (start, start)


def ends_sentence(text: str) -> bool:
    """Whether a paragraph's text is complete as it stands."""
    return bool(_ENDS_SENTENCE.search(text.rstrip()))


def _append_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    begin, stop = trimmed(text, start, end)
    if stop > begin:
        spans.append((begin, stop))
