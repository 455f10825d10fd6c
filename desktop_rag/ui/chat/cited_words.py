"""Which words of a quote a sentence of the answer took over. Pure functions, no Qt."""

from __future__ import annotations

import re

from desktop_rag.domain.sentences import sentence_spans

_WORD = re.compile(r"\w[\w'’.,-]*\w|\w")
_CITED = re.compile(r"\[(\d+)\]")
_LEAST_CHARS = 4
_STEM_CHARS = 5
"""So much of a word is compared: `warranties` stands for `warranty`."""


def cited_spans(quote: str, said: str) -> list[tuple[int, int]]:
    """Spans of `quote` that hold words of `said`; neighbours are joined."""
    wanted = {_key(word[0]) for word in _WORD.finditer(said) if _counts(word[0])}
    spans: list[tuple[int, int]] = []
    for word in _WORD.finditer(quote):
        if not _counts(word[0]) or _key(word[0]) not in wanted:
            continue
        if spans and not quote[spans[-1][1] : word.start()].strip():
            spans[-1] = spans[-1][0], word.end()
        else:
            spans.append(word.span())
    return spans


def sentence_of(text: str, number: int) -> str:
    """The sentences of an answer that a citation stands in."""
    found = [
        text[start:end]
        for start, end in sentence_spans(text)
        if any(int(mark) == number for mark in _CITED.findall(text[start:end]))
    ]
    return _CITED.sub("", " ".join(found))


def _counts(word: str) -> bool:
    """Short words stand everywhere; numbers and scripts without spaces do not."""
    return len(word) >= _LEAST_CHARS or any(map(str.isdigit, word)) or not word.isascii()


def _key(word: str) -> str:
    bare = word.strip(".,'’-").casefold()
    return bare if any(map(str.isdigit, bare)) else bare[:_STEM_CHARS]
