"""Rewrites a follow-up so that it stands alone: by rules, from the question and answer before it.

A pronoun becomes what the last question was about ("its warranty" the warranty of the machine), a
year takes the place of the last one ("what about 2022?"), a name that of a name of the same kind
("and Tesla?"), and what lacks a subject gets it in brackets ("how long? (the passport)").
The words of the rewritten question are all the person's or those of the conversation.

Measured on 85 follow-ups of conversations with people (`tests/benchmarks/bench_followups.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.counting import Unit, wanted_in
from desktop_rag.domain.followup import is_follow_up, without_empty_it
from desktop_rag.domain.question_kinds import QuestionKind, kind_of
from desktop_rag.domain.scoring import stems_of
from desktop_rag.domain.summary_request import read_request
from desktop_rag.domain.terms import content_terms
from desktop_rag.domain.topics import names_in, topic_of

_MAX_CHARS = 300
_LEAD = re.compile(
    r"^\s*(?:(?:and|but|so|then|ok|okay|also|well|now|und|aber|et|mais|y|pero|e|ma)\b[\s,]*)*"
    r"(?:(?:what|how) about\b|was ist mit\b|wie ist es mit\b|et pour\b|qu'en est-il de\b|qué tal\b"
    r"|i mean(?:t)?\b|ich meine\b)?[\s,:]*",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:what|how) about\b|\bwas ist mit\b|^\s*(?:and|und|et|y|e)\b|\bi mean", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\d.,])(?:1[5-9]|20)\d\d(?![\d.,]\d)")
_ONLY_YEAR = re.compile(
    r"^(?:in|for|from|of|during|im jahr|en|pour|für)?\s*(?P<year>(?:1[5-9]|20)\d\d)\W*$",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"^(?P<word>for|in|on|at|with|without|from|to|under|during|by|für|mit|ohne|bei|pour|avec|sans|"
    r"para|con|sin)\s+\S",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|der|die|das|dem|den|le|la|les|el|los|las)\s+", re.IGNORECASE)
_CLAUSE = re.compile(
    r"^(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|should|"
    r"would|will|has|have|may|might|wer|was|wann|wo|warum|wie|ist|sind|kann|qui|que|quand|où|"
    r"pourquoi|comment|combien|qué|cuándo|dónde|cómo|quién)\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"^(?:why|how|when|where|who|how so|why not|how come|since when|how (?:much|many|long|often)|"
    r"(?:tell me )?more|go on|continue|explain|details|more details|for example|such as|warum|"
    r"wieso|wann|wie|mehr|pourquoi|quand|comment|por qué|cuándo|cómo)\W*$",
    re.IGNORECASE,
)
_WHOSE = re.compile(r"\b(?:its|their|his|her(?=\s+[^\W\d_]{3,}))\b(?!\s+own\b)", re.IGNORECASE)
_IT = re.compile(
    r"\b(?:it|they|them|he|him|she)\b"
    r"|\b(?:this|that|these|those)\b(?=\s*(?:[?.!,]|$|(?:is|are|was|were|does|do|did|can|could|will|"
    r"would|has|have|mean|work|happen|take|cost|apply|include)\b))",
    re.IGNORECASE,
)
_MANY = re.compile(r"\b(?:they|them|their|these|those|both)\b", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:he|him|his|she|her)\b", re.IGNORECASE)
_ASKS_FOR_NAME = re.compile(
    r"^\W*(?:who|whom|which|wer|qui|quién|what (?:is|was) the name)\b", re.I
)
_TALK = (QuestionKind.CHAT, QuestionKind.OUT_OF_SCOPE)
_PARTS = (Unit.ROWS, Unit.HEADINGS, Unit.ENTRIES)
"""Are counted in one document: "how many chapters?" leans on the one spoken of."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question, standing alone, and what was answered; empty when nothing was found."""

    question: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A question that stands alone."""

    text: str
    is_sure: bool = True
    """Whether the rules knew what it leans on; else a model may do better."""


def is_talk(question: str) -> bool:
    """Whether it is talk with the program, which nothing said before has to do with."""
    return kind_of(question) in _TALK


def standalone(question: str, earlier: Sequence[Exchange]) -> Rewriting:
    """The question so that it can be understood without the conversation.

    Args:
        question: as typed.
        earlier: what was said before, oldest first.

    Returns:
        the question itself when it stands alone, or there is nothing to lean on.
    """
    if not earlier or not is_follow_up(question) or _is_complete(question):
        return Rewriting(question)
    last, topic = earlier[-1], _topic(question, earlier)
    if not topic or _is_ambiguous(question, last):
        return Rewriting(_cut(f"{question} ({last.question.rstrip('?!. ')})"), is_sure=False)
    return Rewriting(_cut(_rewritten(question, last, topic)))


def is_faithful(written: str, question: str, earlier: Sequence[Exchange]) -> bool:
    """Whether a rewritten question says only what was said, and all that was asked.

    Every word that carries meaning must be the conversation's or the question's, and most of those
    of the question must be there.
    """
    said = " ".join(f"{one.question} {one.answer}" for one in earlier)
    made, asked = stems_of(written), stems_of(question)
    is_whole = len(made & asked) * 2 >= len(asked)
    return bool(made) and len(written) <= _MAX_CHARS and made <= asked | stems_of(said) and is_whole


def _is_complete(question: str) -> bool:
    """Whether it is talk, or a request that says itself what to count, to list or to summarise.

    "And how many files mention asbestos?" is not about the topic of the question before.
    """
    if is_talk(question):
        return True
    if _points_back(question):
        return False
    if (wanted := wanted_in(question)) is not None:
        return wanted.unit not in _PARTS or bool(wanted.condition)
    return kind_of(question) is QuestionKind.SUMMARY and bool(read_request(question).subject)


def _points_back(question: str) -> bool:
    return bool(_IT.search(question) or _WHOSE.search(question))


def _rewritten(question: str, last: Exchange, topic: str) -> str:
    asked = _LEAD.sub("", question, count=1).strip() or question.strip()
    if _BARE.match(asked):
        return f"{asked.rstrip('?!. ')}: {last.question}"
    if _is_elliptic(question, asked) and (filled := _filled(asked, last.question)):
        return filled
    return _capitalised(_with_topic(_capitalised(asked), topic))


def _is_ambiguous(question: str, last: Exchange) -> bool:
    """Whether a pronoun may stand for one of several names."""
    is_one = _points_back(question) and not _MANY.search(question)
    return is_one and len([name for name in names_in(last.question) if name not in question]) > 1


def _topic(question: str, earlier: Sequence[Exchange]) -> str:
    """Of the last question that has one; of people, the answer to "who …" names them."""
    for one in reversed(earlier):
        if one.answer and _PERSON.search(question) and _ASKS_FOR_NAME.match(one.question):
            new = [name for name in names_in(one.answer) if name not in one.question]
            if new:
                return new[0]
        if topic := topic_of(one.question):
            return topic
    return ""


def _is_elliptic(question: str, asked: str) -> bool:
    is_about = bool(_ABOUT.search(question)) or bool(_ONLY_YEAR.match(asked))
    is_about = is_about or bool(_PREPOSITION.match(asked))
    return is_about and not _CLAUSE.match(asked) and not _WHOSE.search(asked)


def _filled(asked: str, last: str) -> str:
    """The last question with what was asked in the place of its like; empty when it has none."""
    part = asked.rstrip("?!. ")
    if (year := _ONLY_YEAR.match(asked)) is not None:
        years = list(_YEAR.finditer(last))
        return _spliced(last, years[-1].span(), year["year"]) if years else _appended(last, part)
    if (preposition := _PREPOSITION.match(asked)) is not None:
        return _with_phrase(last, part, preposition["word"])
    name = _ARTICLE.sub("", part)
    names, own = names_in(last), names_in(f"- {name}")
    if names and own == [name]:
        start = last.rindex(names[-1]) if names[-1] in last else -1
        return _spliced(last, (start, start + len(names[-1])), name) if start >= 0 else ""
    return ""


def _with_phrase(last: str, part: str, preposition: str) -> str:
    """The last question with a phrase in the place of one at its end that begins alike."""
    alike = re.compile(rf"\s{preposition}\s+(?:[^\s?]+\s*){{1,4}}[?.!]*$", re.IGNORECASE)
    return _appended(alike.sub("", last), part)


def _appended(last: str, part: str) -> str:
    return f"{last.rstrip('?!. ')} {part}?"


def _spliced(text: str, span: tuple[int, int], put: str) -> str:
    return text[: span[0]] + put + text[span[1] :]


def _with_topic(asked: str, topic: str) -> str:
    """The question with its first pronoun as the topic, or the topic in brackets behind it."""
    if set(content_terms(topic)) <= set(content_terms(asked)):
        return asked
    pointing = without_empty_it(asked)
    if (whose := _WHOSE.search(pointing)) is not None:
        return _spliced(asked, whose.span(), f"{topic}’s")
    if (pronoun := _IT.search(pointing)) is not None:
        return _spliced(asked, pronoun.span(), topic)
    return f"{asked} ({topic})"


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else text[:_MAX_CHARS].rsplit(" ", 1)[0]
