"""Tells a follow-up from a question that stands alone, and small talk from both.

Rules, no model: asking one would cost seconds before the search even begins. A wrong guess is
cheap, because a follow-up is searched both as `domain.standalone` rewrites it and as it is.
"""

from __future__ import annotations

import re

from desktop_rag.domain.terms import content_terms
from desktop_rag.domain.topics import names_in

_FEW_WORDS = 3
_NAMED_WORDS = 3
"""A name alone may be the thing that does something to what was said before."""
_LEANING = re.compile(
    # Begins by going on …
    r"^\s*(?:and|but|so|then|why|how so|what about|how about|what else|which one|und|aber|warum|"
    r"wieso|was ist mit|et|mais|pourquoi|y|pero|e|ma)\b(?!\s+\w+\s+\w+\s+\w+\s+\w+\s+\w+\s+\w+)"
    # … or points at something said before.
    r"|\b(?:it|its|they|them|their|this|these|those|he|his|him|she|her|that one|the same|"
    r"that(?=\s*(?:[?.!,]|$)|\s+(?:is|are|was|were|does|do|did|mean|work|happen|cost|apply)\b)|"
    r"former|latter|er|sie|ihm|ihr|ihre|dies|diese|dieser|dieses|davon|dazu|dort|il|elle|ils|"
    r"celui|celle|cela|ello|eso|esto|ese)\b",
    re.IGNORECASE,
)
# "Is it possible to …", "how long does it take to …": it stands for nothing said before.
_EMPTY_IT = re.compile(
    r"\b(?:(?:is|was|would|will|if) it(?: be)?(?: \w+ly)?|it (?:is|was)(?: not)?) (?:"
    r"true|possible|necessary|ok|okay|safe|legal|normal|better|best|worth|allowed|common|hard|"
    r"difficult|easy|important|required|mandatory|advisable|recommended|right|correct)"
    r" (?:that|to|for|if|when)\b"
    r"|\bit takes to\b"
    r"|\b(?:does|will|would) it (?:take|cost|make sense)(?: \w+){0,2} (?:to|for)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")

_GREETINGS = (
    "hello|hi|hey|hello there|hi there|good morning|good afternoon|good evening|hallo|guten tag|"
    "guten morgen|bonjour|salut|hola|buenos dias|ciao|buongiorno|olá|hej|hoi|cześć|ahoj|"
    "привет|здравствуйте|你好|こんにちは|안녕하세요|مرحبا"
)
_THANKS = (
    "thanks|thank you|thank you very much|thanks a lot|many thanks|great thanks|ok thanks|danke|"
    "vielen dank|danke schön|merci|merci beaucoup|gracias|muchas gracias|grazie|obrigado|obrigada|"
    "tack|dank je|dziękuję|děkuji|спасибо|谢谢|ありがとう|감사합니다|شكرا"
)
_GOODBYES = "bye|goodbye|good bye|see you|tschüss|auf wiedersehen|au revoir|adiós|adios"
_REPLIES = {
    _GREETINGS: "Hello! Ask me anything about your documents.",
    _THANKS: "You're welcome. Is there anything else you would like to find?",
    _GOODBYES: "Goodbye! This conversation stays in the list.",
}
_REPLY = {phrase: reply for phrases, reply in _REPLIES.items() for phrase in phrases.split("|")}


def small_talk(text: str) -> str | None:
    """A reply to a greeting, thanks or goodbye that holds nothing else; `None` for all the rest."""
    return _REPLY.get(" ".join(_WORD.findall(text.casefold())))


def is_follow_up(question: str) -> bool:
    """Whether a question likely leans on the one before it: very short, or pointing back."""
    if len(_WORD.findall(question)) <= _FEW_WORDS:
        return True
    found = _LEANING.search(without_empty_it(question))
    return found is not None and not _has_named_it(question[: found.start()])


def without_empty_it(question: str) -> str:
    """The question, as long as before, with blanks where "it" stands for nothing."""
    return _EMPTY_IT.sub(lambda found: " " * len(found.group()), question)


def _has_named_it(before: str) -> bool:
    """Whether a question names what it points at: "Who was Marie Curie and what did she study?"."""
    return bool(names_in(before)) and len(content_terms(before)) >= _NAMED_WORDS
