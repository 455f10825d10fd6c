"""Other things to search for a question, as a small language model writes them.

Three techniques: other wordings (multi-query), the questions it is made of (decomposition), and a
made-up passage that answers it (HyDE, Gao et al. 2023: the neighbours of a false answer are often
true ones). Small models ramble, repeat themselves, answer instead of asking, or return the
examples of the prompt: what they write is taken apart line by line, and what has no word in common
with the question is thrown away. What comes out of here is never shown as a fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.answers import Expansion, Role, Turn
from desktop_rag.domain.ports import GenerationLimits
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.domain.terms import content_terms

MAX_QUESTION_CHARS = 500
"""Of a longer question only the beginning is expanded: reading costs time, too."""
_LEAST_CHARS, _MOST_CHARS = 4, 300
_PASSAGE_CHARS = 500
_STEM_CHARS = 5
_LEAST_DISTINCT = 0.5
_LEAD = re.compile(
    r"^\s*(?:[-*•–]|\(?\d{1,2}[.):]|[A-Za-z][.)]|(?:Sub-?)?Question\s*\d*:|Q\d*:)\s*"
)
_PREAMBLE = re.compile(r"^(?:sure|certainly|okay|ok|here (?:are|is)|of course)\b", re.IGNORECASE)
_JOINING = re.compile(
    r"\b(?:and|or|both|than|before|after|between|common|same|whose|who|which|that|where|as well|"
    r"und|oder|beide|als|deren|dessen|et|ou|y|o|e)\b|[,;]|\?.*\?",
    re.IGNORECASE,
)
_FEW_WORDS = 6


class Technique(StrEnum):
    """Ways to expand a question; the value names the prompt's file."""

    QUERIES = "queries"
    PARTS = "parts"
    HYDE = "hyde"


@dataclass(frozen=True, slots=True)
class Wording:
    """Something to search beside the question."""

    text: str
    weight: float
    """Against 1 for the question itself."""
    is_passage: bool = False
    """A made-up passage is compared as a whole; its words are looked up nowhere."""


_LINE = 'line ::= [^\\n?]{4,200} "?"?\n'
_LIMITS = {
    Technique.QUERIES: GenerationLimits(48, 0.0, f'root ::= line ("\\n" line)?\n{_LINE}'),
    Technique.PARTS: GenerationLimits(
        72, 0.0, f'root ::= line ("\\n" line)? ("\\n" line)?\n{_LINE}'
    ),
    Technique.HYDE: GenerationLimits(56, 0.0, "root ::= [^\\n]{20,400}\n"),
}


def techniques(question: str, rules: RetrievalRules) -> list[Technique]:
    """Which techniques the rules and the question want; taking apart needs several parts."""
    return [
        *([Technique.QUERIES] if rules.deep_queries else []),
        *([Technique.PARTS] if rules.deep_parts and is_manifold(question) else []),
        *([Technique.HYDE] if rules.deep_hyde else []),
    ]


def is_manifold(question: str) -> bool:
    """Whether a question may be made of several: long enough, and joined by something."""
    return len(question.split()) >= _FEW_WORDS and bool(_JOINING.search(question))


def limits(technique: Technique) -> GenerationLimits:
    """Bounds and form of what the model writes; always the same text for the same question."""
    return _LIMITS[technique]


def prompt(text: str, question: str) -> list[Turn]:
    """Turns for a question.

    Args:
        text: of the prompt's file: paragraphs; the instruction, then by turns a question and
            what is to be written for it.
        question: goes in as a turn of its own.
    """
    instruction, *examples = text.strip().split("\n\n")
    roles = (Role.USER, Role.ASSISTANT)
    turns = [Turn(roles[number % 2], example) for number, example in enumerate(examples)]
    asked = " ".join(question[:MAX_QUESTION_CHARS].split())
    return [Turn(Role.SYSTEM, instruction), *turns, Turn(Role.USER, asked)]


def parsed(technique: Technique, written: str, question: str) -> tuple[str, ...]:
    """What of a model's text can be searched; nothing when it is rubbish."""
    if technique is Technique.HYDE:
        passage = " ".join(written.split())[:_PASSAGE_CHARS]
        return (passage,) if _is_usable(passage, question) else ()
    found: dict[frozenset[str], str] = {_stems(question): ""}
    for line in _lines(written):
        if len(line) <= _MOST_CHARS and _is_usable(line, question):
            found.setdefault(_stems(line), line)
    most = 2 if technique is Technique.QUERIES else 3
    return tuple(line for line in found.values() if line)[:most]


def wordings(expansion: Expansion, weight: float) -> list[Wording]:
    """All that is searched, each with its share of the weight."""
    questions = list(dict.fromkeys((*expansion.queries, *expansion.parts)))
    passages = [expansion.hypothetical] if expansion.hypothetical else []
    share = weight / max(1, len(questions) + len(passages))
    return [
        *(Wording(text, share) for text in questions),
        *(Wording(text, share, is_passage=True) for text in passages),
    ]


def explained(expansion: Expansion) -> list[str]:
    """What was searched beside the question, a line each; for `search --explain`."""
    made_up = [expansion.hypothetical] if expansion.hypothetical else []
    return [
        *(f"Other wording: {text}" for text in expansion.queries),
        *(f"Part of the question: {text}" for text in expansion.parts),
        *(f"Made-up answer to search by: {text}" for text in made_up),
        *([_names(expansion)] if expansion.names else []),
        *([expansion.note] if expansion.note else []),
    ]


def _names(expansion: Expansion) -> str:
    passages = f"{expansion.linked} passage" + ("s" if expansion.linked != 1 else "")
    return f"Followed names: {', '.join(expansion.names)} (to {passages})"


def _lines(written: str) -> Iterator[str]:
    for line in written.splitlines():
        bare = _LEAD.sub("", line).strip(" \t\"'“”*`")
        if not bare.endswith(":") and not _PREAMBLE.match(bare):
            yield bare


def _is_usable(text: str, question: str) -> bool:
    words = content_terms(text)
    is_repeating = len(set(text.split())) < _LEAST_DISTINCT * len(text.split())
    is_long_enough = len(text) >= _LEAST_CHARS and bool(words)
    return is_long_enough and not is_repeating and bool(_stems(text) & _stems(question))


def _stems(text: str) -> frozenset[str]:
    """Beginnings of the words that carry meaning: `charging` has one in common with `charges`."""
    return frozenset(term[:_STEM_CHARS] for term in content_terms(text))


def summary(found: Sequence[tuple[Technique, tuple[str, ...]]], note: str = "") -> Expansion:
    """What the techniques gave, as one value."""
    by_technique = dict(found)
    return Expansion(
        queries=by_technique.get(Technique.QUERIES, ()),
        parts=by_technique.get(Technique.PARTS, ()),
        hypothetical=next(iter(by_technique.get(Technique.HYDE, ())), ""),
        note=note,
    )
