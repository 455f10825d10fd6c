"""Has a language model write questions about passages, and keeps those that can be a test.

A small model copies, asks about "the text", or asks what the passage does not say. So the answer it
gives, asked apart, must stand in the passage, and the question may not repeat the passage's rare
words.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from desktop_rag.domain.answers import Role, Turn
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.evaluation import Place, Question
from desktop_rag.domain.grading import quote_span
from desktop_rag.domain.ports import GenerationLimits
from desktop_rag.domain.terms import content_terms
from desktop_rag.services.question_making import in_turns
from desktop_rag.storage.prompt_texts import prompt_text

_QUESTION_LIMITS = GenerationLimits(60, 0.3, "root ::= [^?？؟\\n]+ [?？؟]\n")
_ANSWER_LIMITS = GenerationLimits(40, 0.0, "root ::= [^\\n]+\n")
_ABOUT_ITSELF = re.compile(
    r"\b(?:this|the|following|above|given) (?:passage|text|document|paragraph|excerpt|section)\b"
    r"|\bthe author\b|\b(?:diese[rmns]?|de[rm]|laut) (?:Text|Textes|Abschnitt|Passage|Auszug)\b"
    r"|\b(?:ce|le|du) (?:texte|passage|document|paragraphe)\b",
    re.IGNORECASE,
)
_PASSAGE_CHARS = (250, 900)
_MIN_TERMS = 12
_RARE = 6
_QUESTION_WORDS = (3, 40)
_TRIES = 4
"""Passages looked at for each question that is wanted, at most."""
_EXAMPLE = (
    "The ferry to Lindholm leaves at 6:40 and at 17:15, on Sundays at nine only. Bicycles travel "
    "free, cars cost twelve euros, and dogs have to stay on the upper deck.",
    "What do I pay to take my car over to Lindholm?",
    "cars cost twelve euros",
)

Complete = Callable[[Sequence[Turn], GenerationLimits], str]
"""What the language model writes after the turns."""


@dataclass(slots=True)
class Written:
    """Questions that were kept, and why others were not."""

    questions: list[Question] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Extract:
    """A stretch of a file's text, to be asked about."""

    file: str
    start: int
    text: str


def write_questions(
    texts: Mapping[str, str],
    count: int,
    complete: Complete,
    tell: Callable[[int], None] = lambda _: None,
    seed: int = 0,
) -> Written:
    """At most one question a passage, spread over the files.

    Args:
        texts: by file, as the program reads them.
        count: how many questions at most.
        complete: asks the model.
        tell: called with the number of questions kept, whenever there is one more.
        seed: of the choice of passages.

    Raises:
        InvalidInput: `count` is below 1, no text has a passage, or no question was any good.
        ModelMissing, ModelDamaged, NotEnoughMemory: of the model.
    """
    if count < 1:
        raise InvalidInput(f"At least one question must be made, not {count}.")
    spread = Counter(term for text in texts.values() for term in content_terms(text))
    by_file = [list(_extracts(file, text)) for file, text in sorted(texts.items())]
    extracts = in_turns(by_file, random.Random(seed))
    if not extracts:
        raise InvalidInput("The documents hold no passages to make questions from.")
    written = Written()
    for extract in extracts[: _TRIES * count]:
        if len(written.questions) == count:
            break
        if _ask_about(extract, written, spread, complete):
            tell(len(written.questions))
    if not written.questions:
        raise InvalidInput(
            "The language model wrote no question that could be used; try a larger model, or "
            "`eval make` without --llm."
        )
    return written


def _extracts(file: str, text: str) -> Iterator[_Extract]:
    """Paragraphs, joined until they are long enough to be asked about."""
    start: int | None = None
    for found in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text):
        start = found.start() if start is None else start
        if found.end() - start < _PASSAGE_CHARS[0]:
            continue
        extract = _Extract(file, start, text[start : found.end()].rstrip()[: _PASSAGE_CHARS[1]])
        if len(content_terms(extract.text)) >= _MIN_TERMS:
            yield extract
        start = None


def _ask_about(
    extract: _Extract, written: Written, spread: Counter[str], complete: Complete
) -> bool:
    turns = [Turn(Role.SYSTEM, prompt_text("question_system")), *_asked(_EXAMPLE[0], *_EXAMPLE[1:])]
    question = complete([*turns, *_asked(extract.text)], _QUESTION_LIMITS).strip()
    fault = _fault(question, extract, spread)
    if fault is None and any(one.text == question for one in written.questions):
        fault = "asked before"
    answer = ""
    if fault is None:
        answer = _bare(complete([*turns, *_asked(extract.text, question)], _ANSWER_LIMITS))
    span = quote_span(_lower(extract.text), _lower(answer))
    if fault is None and (span is None or _is_given_away(question, answer)):
        fault = "not answered by its passage"
    if fault is not None or span is None:
        written.rejected[fault or ""] += 1
        return False
    start, end = extract.start + span[0], extract.start + span[1]
    place = Place(extract.file, quote=extract.text[span[0] : span[1]], span=(start, end))
    number = len(written.questions) + 1
    written.questions.append(Question(f"q{number}", question, places=(place,), answers=(answer,)))
    return True


def _asked(passage: str, *replies: str) -> list[Turn]:
    """The turns of one passage up to the model's next reply: the question, or the answer."""
    turns = [Turn(Role.USER, f"Passage:\n{passage}\n\nWrite the question.")]
    wanted = Turn(Role.USER, "Copy the words that answer it.")
    for reply, following in zip(replies, ([wanted], []), strict=False):
        turns += [Turn(Role.ASSISTANT, reply), *following]
    return turns


def _fault(question: str, extract: _Extract, spread: Counter[str]) -> str | None:
    """What is wrong with a question as such; `None` when nothing is."""
    if not _QUESTION_WORDS[0] <= len(question.split()) <= _QUESTION_WORDS[1]:
        return "not a question"
    if _ABOUT_ITSELF.search(question):
        return "about the text itself"
    asked, known = set(content_terms(question)), content_terms(extract.text)
    rare = sorted(known, key=lambda term: (spread[term], -len(term)))[:_RARE]
    if len(asked.intersection(rare)) > len(rare) / 2:
        return "copied from its passage"
    return None


def _is_given_away(question: str, answer: str) -> bool:
    """Whether the answer has no word that the question lacks."""
    return set(content_terms(answer)) <= set(content_terms(question))


def _bare(answer: str) -> str:
    return answer.strip(" \t\n\"“”„«»'.")


def _lower(text: str) -> str:
    """Lower case, when that keeps every character in its place."""
    low = text.lower()
    return low if len(low) == len(text) else text
