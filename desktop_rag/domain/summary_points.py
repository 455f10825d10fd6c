"""The sentences of a summary, each with the passages that bear it out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.centrality import most_central, statements_of
from desktop_rag.domain.citing import Locate, cite
from desktop_rag.domain.prompting import file_of, title_of
from desktop_rag.domain.sentences import ends_sentence, sentence_spans

_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Point:
    """A sentence of a summary and the passages that bear it out."""

    sentence: str
    passages: tuple[Passage, ...]


def extracted(passages: Sequence[Passage], count: int) -> list[Point]:
    """The most central sentences, word for word."""
    found = most_central(statements_of(passages), count)
    return [
        Point(" ".join(passages[s.passage].text[s.start : s.end].split()), (passages[s.passage],))
        for s in found
    ]


def borne_out(written: str, passages: Sequence[Passage], locate: Locate) -> list[Point]:
    """The sentences that a passage supports, with it."""
    by_chunk = {passage.chunk: passage for passage in passages}
    points = []
    for start, end in sentence_spans(written):
        cited = cite(written[start:end], "", passages, locate)
        if cited.citations and not cited.unsupported:
            sources = dict.fromkeys(by_chunk[one.chunk] for one in cited.citations)
            points.append(Point(written[start:end], tuple(sources)))
    return points


def laid_out(overview: Sequence[Point], points: Sequence[Point]) -> tuple[str, list[Passage]]:
    """Text with numbers of passages, and the passages in this order.

    The points are a list; where several documents are summarised, each says which it is of.
    """
    passages = list(dict.fromkeys(p for point in (*overview, *points) for p in point.passages))
    titles = {passage.document: title_of(passage) for passage in passages}
    has_several = len(titles) > 1
    is_clear = len(set(titles.values())) == len(titles)
    lines = []
    if overview:
        lines += [" ".join(_numbered(point, passages) for point in overview), ""]
    for point in points:
        name = title_of if is_clear else file_of
        title = f"{name(point.passages[0])}: " if has_several else ""
        lines.append(f"- {title}{_numbered(point, passages)}")
    return "\n".join(lines), passages


def _numbered(point: Point, passages: Sequence[Passage]) -> str:
    numbers = "".join(f"[{passages.index(passage) + 1}]" for passage in point.passages)
    bare = point.sentence.rstrip()
    stop = bare[-1] if bare[-1:] in ".!?" else ""
    return f"{bare[: len(bare) - len(stop)]} {numbers}{stop or '.'}"


def whole_sentences(written: str, count: int) -> str:
    """At most `count` sentences of a list, without one that was cut short, unless it is alone."""
    lines = (_BULLET.sub("", line).strip() for line in written.splitlines())
    text = "\n".join(filter(None, lines))
    spans = sentence_spans(text)
    kept = [span for span in spans if ends_sentence(text[slice(*span)])] or spans[:1]
    return "\n".join(text[start:end] for start, end in kept[:count])
