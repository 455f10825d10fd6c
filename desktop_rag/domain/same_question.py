"""Tells whether two questions ask the same, so that one answer serves both.

Strict, because a wrong yes gives a wrong answer, and a wrong no costs seconds. The cosine of two
questions cannot decide it: "When did the harbour bridge open?" is nearer to "… close?" (0.93) and
"Can I cancel?" to "Can I not cancel?" (0.98) than to "Please tell me when the harbour bridge
opened" (0.92), with the shipped search model. So the words decide, all but articles, courtesies and
the helping "do", in their order and cut to their stems; the cosine must agree.
"""

from __future__ import annotations

import re

from desktop_rag.domain.query_language import clean_query, plain_words
from desktop_rag.domain.scoring import stem
from desktop_rag.domain.terms import fold

MIN_COSINE = 0.85
"""Of the two questions; below it they mean something else although they share their words."""
# fmt: off
_SAYS_NOTHING = frozenset({
    "a", "an", "the", "do", "does", "did", "me", "us", "please",
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer",
    "le", "la", "les", "un", "une", "el", "los", "las", "una", "il", "lo", "gli", "i", "o", "os",
    "as", "um", "uma", "de", "het", "een",
})
# fmt: on
_WORD = re.compile(r"[^\W_]+(?:['’.,:/-][^\W_]+)*|[%€$£°§]")
# Filters, phrases and words left out mean exactly what they say.
_OPERATOR = re.compile(r"[\"“”„«»@*]|(?:^|\s)-\w|\b[a-z]+:\S")
_RELATIVE = re.compile(
    r"\b(?:today|tomorrow|yesterday|now|currently|recent(?:ly)?|latest|newest|ago|this|next|last|"
    r"heute|morgen|gestern|jetzt|aktuell\w*|neueste\w*|letzte\w*|nächste\w*|diese[rsmn]?|"
    r"aujourd'hui|hier|demain|maintenant|dernier\w*|derni[eè]re\w*|prochain\w*|hoy|ayer|mañana|"
    r"ahora|últim\w+|próxim\w+|oggi|ieri|domani|adesso|ultim\w+|prossim\w+)\b",
    re.IGNORECASE,
)


def key_of(question: str) -> tuple[str, ...]:
    """What two questions must share to ask the same; their cosine has to agree as well."""
    if _OPERATOR.search(clean_query(question)):
        return (clean_query(question),)
    words = (fold(word) for word in _WORD.findall(plain_words(question)))
    # A word with a digit or a sign in it is a number or a name, and is never cut.
    return tuple(
        stem(word) if word.isalpha() else word for word in words if word not in _SAYS_NOTHING
    )


def depends_on_today(question: str) -> bool:
    """Whether it means another thing tomorrow."""
    return bool(_RELATIVE.search(question))
