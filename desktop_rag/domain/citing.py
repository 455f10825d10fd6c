"""From the model's text with [n] to an answer whose every citation was checked.

The model's numbers are a hint. Each sentence is compared with the passages: numbers that do not
exist are dropped, a sentence that another passage supports is pointed there, one without a number
gets the passage that supports it, and one that nothing supports is marked. The quote of a citation
is the stretch of the passage that supports the sentence best, so a click lands on the line, not on
the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Citation, Confidence, Passage
from desktop_rag.domain.documents import Box
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.support import Terms, support, terms
from desktop_rag.domain.table_rows import CELL, Row, are_about, rows_of

Span = tuple[int, int]
"""Half-open character offsets."""

SUPPORTED = 0.5
"""Share of a sentence's terms a passage must hold to support it."""
WEAK = 0.3
"""From here a passage the model named itself stays cited, though the sentence is marked."""
_QUOTE_CHARS = 400
"""A quote grows no longer than this, except that a single sentence is never cut."""
_QUOTE_SENTENCES = 3
_GAIN = 0.15
"""What another sentence must add to the support to be quoted as well."""
_QUESTION_WEIGHT = 0.2
"""How much agreement with the question counts between equally supporting places."""
_NEW_NUMBER_WEIGHT = 1.0
"""A number the question did not name is the answer: the quote has to show it."""

_MARKER = re.compile(
    r"[ \t]*(?:[\[【](?:(?:passage|source|document|nr\.|no\.)\s*)?"
    r"(?P<square>\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*[\]】]"
    r"|\((?:passages?|sources?)\s+(?P<round>\d{1,3}(?:\s*(?:[,;–-]|and)\s*\d{1,3})*)\))",
    re.IGNORECASE,
)
_TAIL = re.compile(r"[.!?。！？…:;,]+[\"'”’»)]*$")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a span is: physical page, its printed label, boxes; without pages, slide or rows."""

    page: int | None
    label: str = ""
    boxes: tuple[Box, ...] = ()
    name: str = ""
    """See `domain.parts.place_of`."""


Locate = Callable[[Passage, int, int], Place]
"""Place of the span (start, end) of the passage's document."""


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


@dataclass(slots=True)
class _Sentence:
    """A sentence of the answer while it is checked."""

    start: int
    end: int
    terms: Terms
    named: list[int]
    """Passages (from 0) the model cited."""
    quotes: list[_Quote]
    is_supported: bool = True


@dataclass(frozen=True, slots=True)
class _Quote:
    """A stretch of a passage (offsets into the passage's text) and how well it supports."""

    passage: int
    start: int
    end: int
    support: float


@dataclass(frozen=True, slots=True)
class _Source:
    """A passage with its sentences' terms."""

    passage: Passage
    terms: Terms
    spans: list[Span]
    span_terms: list[Terms]
    rows: tuple[Row, ...]


def cite(text: str, question: str, passages: Sequence[Passage], locate: Locate) -> Cited:
    """Check and number the citations of `text`, written from `passages` in this order.

    Every answer that has a checkable sentence ends with at least one citation: when nothing
    supports any of it, the passage that comes nearest is named and everything is marked.
    """
    plain, markers = _split_markers(text.strip(), len(passages))
    sources = [_source(passage) for passage in passages]
    asked = terms(question)
    sentences = _sentences(plain, markers)
    for sentence in sentences:
        _check(sentence, sources, asked)
    _name_something(sentences, sources, asked)
    citations, numbers = _number(sentences, sources, locate)
    rewritten, unsupported = _rewrite(plain, sentences, numbers)
    return Cited(
        text=rewritten,
        citations=citations,
        unsupported=unsupported,
        support=_support_share(sentences),
        shows_figures=all(_shows_figures(one, sources, asked) for one in sentences),
    )


def citation_of(number: int, passage: Passage, first: int, last: int, locate: Locate) -> Citation:
    """A citation of the characters from `first` to `last` of a passage's text."""
    start, end = passage.start + first, passage.start + last
    place = locate(passage, start, end)
    return Citation(
        number=number,
        document=passage.document,
        chunk=passage.chunk,
        path=passage.path,
        title=passage.title,
        section=passage.section,
        page=place.page,
        page_label=place.label,
        quote=passage.text[first:last],
        start=start,
        end=end,
        sha256=passage.sha256,
        score=passage.relevance,
        boxes=place.boxes,
        place=place.name,
    )


def confidence(judged: Confidence, cited: Cited) -> Confidence:
    """The weaker of what retrieval promises and what the sources bear out.

    A figure from a table is never more than MEDIUM: that the row is right was checked, but small
    models take the wrong column easily, and words cannot tell.
    """
    support_share = cited.support
    has_cells = any(CELL in citation.quote for citation in cited.citations)
    if support_share >= 0.8 and cited.shows_figures and not has_cells:
        borne_out = Confidence.HIGH
    elif support_share >= 0.5:
        borne_out = Confidence.MEDIUM
    else:
        borne_out = Confidence.LOW
    order = (Confidence.NONE, Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)
    return min(judged, borne_out, key=order.index)


# --------------------------------------------------------------------------- reading the text


def _split_markers(text: str, passages: int) -> tuple[str, list[tuple[int, list[int]]]]:
    """Text without markers, and (position in it, passages named there), existing ones only."""
    pieces: list[str] = []
    markers: list[tuple[int, list[int]]] = []
    position = length = 0
    for found in _MARKER.finditer(text):
        pieces.append(text[position : found.start()])
        length += len(pieces[-1])
        position = found.end()
        numbers = [int(number) for number in re.findall(r"\d+", found["square"] or found["round"])]
        markers.append((length, [n - 1 for n in numbers if 1 <= n <= passages]))
    pieces.append(text[position:])
    return "".join(pieces), markers


def _sentences(plain: str, markers: Sequence[tuple[int, list[int]]]) -> list[_Sentence]:
    """Sentences with the markers that stand in them or directly behind them."""
    spans = sentence_spans(plain)
    sentences = [_Sentence(a, b, terms(plain[a:b]), [], []) for a, b in spans]
    for position, numbers in markers:
        owner = next((s for s in reversed(sentences) if s.start < position), None)
        if owner is not None:
            owner.named += [n for n in numbers if n not in owner.named]
    return sentences


def _source(passage: Passage) -> _Source:
    spans = sentence_spans(passage.text) or [(0, len(passage.text))]
    # Title, file and section say what the text is about ("Apple", "2023"), so they support too.
    file = re.split(r"[\\/]", passage.path)[-1]
    header = f"{passage.title} {file} {passage.section}"
    return _Source(
        passage=passage,
        terms=terms(f"{header} {passage.text}"),
        spans=spans,
        span_terms=[terms(passage.text[a:b]) for a, b in spans],
        rows=rows_of(passage.text),
    )


# --------------------------------------------------------------------------- checking


def _check(sentence: _Sentence, sources: Sequence[_Source], asked: Terms) -> None:
    """Choose the passages a sentence cites, best first among equals the model named."""
    if sentence.terms.is_empty:
        return
    shares = [_share(sentence.terms, source, asked) for source in sources]
    good = [n for n in sentence.named if shares[n] >= SUPPORTED]
    # A sentence that repeats the question proves nothing: what it adds must be in the source.
    if not good and shares and max(shares) >= SUPPORTED:
        good = [_best_source(sentence.terms, sources, shares, asked)]
    sentence.is_supported = bool(good)
    cited = good or [n for n in sentence.named if shares[n] >= WEAK]
    sentence.quotes = [_best_quote(n, sources[n], sentence.terms, asked) for n in cited]


def _share(statement: Terms, source: _Source, asked: Terms) -> float:
    """Support of a statement; below any threshold when its numbers are from rows about others."""
    topic = _joined((statement, asked))
    is_on_topic = are_about(source.rows, statement.numbers - asked.numbers, topic)
    share = support(statement, source.terms)
    return share if is_on_topic else min(share, SUPPORTED / 2)


def _shows_figures(sentence: _Sentence, sources: Sequence[_Source], asked: Terms) -> bool:
    shown = _joined(
        [terms(sources[q.passage].passage.text[q.start : q.end]) for q in sentence.quotes]
    )
    return sentence.terms.numbers - asked.numbers <= shown.numbers


def _best_source(
    statement: Terms, sources: Sequence[_Source], shares: Sequence[float], asked: Terms
) -> int:
    """The passage whose best stretch supports most; the earlier, better ranked one among equals."""

    def strength(number: int) -> tuple[float, float]:
        quote = _best_quote(number, sources[number], statement, asked)
        return shares[number] + quote.support, -number

    best = max(shares)
    return max((n for n, share in enumerate(shares) if share >= best - 0.1), key=strength)


def _name_something(
    sentences: Sequence[_Sentence], sources: Sequence[_Source], asked: Terms
) -> None:
    checkable = [s for s in sentences if not s.terms.is_empty]
    if not checkable or not sources or any(s.quotes for s in sentences):
        return
    last = checkable[-1]
    named = next((s.named[0] for s in reversed(sentences) if s.named), None)
    shares = [support(last.terms, source.terms) for source in sources]
    nearest = named if named is not None else max(range(len(sources)), key=shares.__getitem__)
    last.quotes = [_best_quote(nearest, sources[nearest], last.terms, asked)]


def _best_quote(number: int, source: _Source, statement: Terms, asked: Terms) -> _Quote:
    """The sentence with most support, widened while a neighbour adds to it."""

    new_numbers = statement.numbers - asked.numbers

    def gain(first: int, last: int) -> float:
        held = _joined(source.span_terms[first : last + 1])
        shown = len(new_numbers & held.numbers) / len(new_numbers) if new_numbers else 0.0
        agreement = support(statement, held) + _QUESTION_WEIGHT * support(asked, held)
        return agreement + _NEW_NUMBER_WEIGHT * shown

    first = last = max(range(len(source.spans)), key=lambda i: (gain(i, i), -i))
    score = gain(first, last)
    while last - first + 1 < _QUOTE_SENTENCES:
        wider = [
            (gain(a, b), a, b)
            for a, b in ((first - 1, last), (first, last + 1))
            if a >= 0 and b < len(source.spans) and _length(source, a, b) <= _QUOTE_CHARS
        ]
        best = max(wider, default=(0.0, 0, 0))
        if best[0] < score + _GAIN:
            break
        score, first, last = best
    held = _joined(source.span_terms[first : last + 1])
    return _Quote(number, source.spans[first][0], source.spans[last][1], support(statement, held))


def _length(source: _Source, first: int, last: int) -> int:
    return source.spans[last][1] - source.spans[first][0]


def _joined(parts: Sequence[Terms]) -> Terms:
    words = frozenset[str]().union(*(part.words for part in parts))
    return Terms(words, frozenset[str]().union(*(part.numbers for part in parts)))


def _support_share(sentences: Sequence[_Sentence]) -> float:
    checkable = [s for s in sentences if not s.terms.is_empty]
    total = sum(s.end - s.start for s in checkable)
    borne_out = sum(s.end - s.start for s in checkable if s.is_supported)
    return borne_out / total if total else 0.0


# --------------------------------------------------------------------------- writing the text


def _number(
    sentences: Sequence[_Sentence], sources: Sequence[_Source], locate: Locate
) -> tuple[tuple[Citation, ...], dict[_Quote, int]]:
    """Number quotes in order of appearance; quotes that touch become one citation."""
    merged: list[_Quote] = []
    numbers: dict[_Quote, int] = {}
    for quote in (quote for sentence in sentences for quote in sentence.quotes):
        index = next((i for i, other in enumerate(merged) if _is_one_place(other, quote)), None)
        if index is None:
            merged.append(quote)
            index = len(merged) - 1
        else:
            known = merged[index]
            start, end = min(known.start, quote.start), max(known.end, quote.end)
            merged[index] = replace(known, start=start, end=end)
        numbers[quote] = index + 1
    citations = (
        _citation(number, quote, sources[quote.passage].passage, locate)
        for number, quote in enumerate(merged, start=1)
    )
    return tuple(citations), numbers


def _is_one_place(known: _Quote, quote: _Quote) -> bool:
    if known.passage != quote.passage:
        return False
    if known.start <= quote.start and quote.end <= known.end:
        return True
    joined = max(known.end, quote.end) - min(known.start, quote.start)
    is_touching = quote.start <= known.end + 2 and known.start <= quote.end + 2
    return is_touching and joined <= 2 * _QUOTE_CHARS


def _citation(number: int, quote: _Quote, passage: Passage, locate: Locate) -> Citation:
    return citation_of(number, passage, quote.start, quote.end, locate)


def _rewrite(
    plain: str, sentences: Sequence[_Sentence], numbers: dict[_Quote, int]
) -> tuple[str, tuple[Span, ...]]:
    """Text with the new numbers before each sentence's full stop, and spans without support."""
    pieces: list[str] = []
    unsupported: list[Span] = []
    position = length = 0
    for sentence in sentences:
        written = _with_numbers(
            plain[sentence.start : sentence.end], _unique(numbers[q] for q in sentence.quotes)
        )
        pieces += [plain[position : sentence.start], written]
        begin = length + sentence.start - position
        length = begin + len(written)
        position = sentence.end
        if not sentence.is_supported:
            unsupported.append((begin, length))
    pieces.append(plain[position:])
    return "".join(pieces), tuple(unsupported)


def _with_numbers(sentence: str, numbers: Sequence[int]) -> str:
    if not numbers:
        return sentence
    marks = " " + "".join(f"[{number}]" for number in numbers)
    tail = _TAIL.search(sentence)
    cut = tail.start() if tail else len(sentence)
    return sentence[:cut].rstrip() + marks + sentence[cut:]


def _unique(numbers: Iterator[int]) -> list[int]:
    return list(dict.fromkeys(numbers))
