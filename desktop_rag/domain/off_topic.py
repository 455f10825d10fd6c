"""Tells what is no question to documents: talk with the program, and what it cannot do.

Both get a fixed, honest reply in the language they were asked in, without a language model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_rag.domain.followup import small_talk
from desktop_rag.domain.off_topic_words import PATTERNS, Topic
from desktop_rag.domain.politeness_words import folded_request


@dataclass(frozen=True, slots=True)
class OffTopic:
    """A question that documents do not answer, in the language it was recognised in."""

    topic: Topic
    language: str
    """ISO 639-1."""

    @property
    def is_chat(self) -> bool:
        """Whether it is talk with the program, not something it cannot do."""
        return self.topic in (Topic.GREETING, Topic.SELF, Topic.LIBRARY)


_COMPILED = {
    (language, topic): re.compile(rf"(?:{pattern})")
    for language, topics in PATTERNS.items()
    for topic, pattern in topics.items()
}
_ARITHMETIC = re.compile(
    r"(?:what(?:'s| is)|how much is|calculate|compute|solve|was ist|wie ?viel (?:ist|sind)|"
    r"berechne|"
    r"combien (?:font|fait)|calcule|cuanto es|calcula|quanto fa|quanto e|hoeveel is|bereken)?\s*"
    r"(?:the )?(?:square root of |cube root of |wurzel aus )?"
    r"[-+(]*\d[\d.,]*%?(?:\s*(?:[-+*/x×÷^=:()%]|\*\*|plus|minus|times|divided by|over|"
    r"multiplied by|to "
    r"the power of|percent of|% of|of|mal|geteilt durch|fois|divise par|moins|por|mas|menos|entre|"
    r"per|"
    r"piu|meno|diviso|keer|gedeeld door|min)\s*[-+(]*\d[\d.,]*\)*%?)+\s*[)=]*"
    r"|(?:what(?:'s| is) |calculate )?the (?:square|cube) root of \d[\d.,]*"
)
_GREETED = re.compile(
    r"^(?:hi|hello|hey|good (?:morning|afternoon|evening)|hallo|guten (?:morgen|tag|abend)|bonjour|"
    r"salut|hola|buenos dias|buenas tardes|ciao|buongiorno|ola|bom dia|hoi|hej|czesc|привет)"
    r"(?: there| zusammen)?[,!.]* +"
)
_DATE_LIKE = re.compile(r"[\d./:-]+")


def off_topic(question: str) -> OffTopic | None:
    """What the question is about instead of documents; `None` for a question to documents."""
    if small_talk(question) is not None:
        return OffTopic(Topic.GREETING, "en")
    plain = _GREETED.sub("", folded_request(question))
    for (language, topic), pattern in _COMPILED.items():
        if pattern.fullmatch(plain):
            return OffTopic(topic, language)
    # A date or a part number alone is searched for.
    if _ARITHMETIC.fullmatch(plain) and not _DATE_LIKE.fullmatch(plain):
        return OffTopic(Topic.ARITHMETIC, "en")
    return None
