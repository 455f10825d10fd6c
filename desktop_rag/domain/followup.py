"""Tells a follow-up from a question that stands alone, and small talk from both.

Rules, no model: rewriting a question with a language model would cost seconds before the search
even begins. A wrong guess is cheap, because a follow-up is searched both as it is and together
with the question before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_FEW_WORDS = 3
_LEANING = re.compile(
    # Begins by going on …
    r"^\s*(?:and|but|so|then|why|how so|what about|how about|what else|which one|und|aber|warum|"
    r"wieso|was ist mit|et|mais|pourquoi|y|pero|e|ma)\b(?!\s+\w+\s+\w+\s+\w+\s+\w+\s+\w+\s+\w+)"
    # … or points at something said before.
    r"|\b(?:it|its|they|them|their|this|these|those|he|his|him|she|her|there|that one|the same|"
    r"former|latter|er|sie|ihm|ihr|ihre|dies|diese|dieser|dieses|davon|dazu|dort|il|elle|ils|"
    r"celui|celle|cela|ello|eso|esto|ese)\b",
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
    words = _WORD.findall(question)
    return len(words) <= _FEW_WORDS or bool(_LEANING.search(question))


def queries(question: str, earlier: Sequence[str]) -> list[str]:
    """What to search: the question, and for a follow-up also with the question before it.

    Args:
        question: as asked.
        earlier: the questions before it, oldest first.
    """
    if not earlier or not is_follow_up(question):
        return [question]
    return [question, f"{earlier[-1]} {question}"]
