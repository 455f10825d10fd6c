"""What kind of answer a question wants: rules in the languages that people ask in, no model.

Not to be confused with `domain.queries`, which says how much each retriever is trusted with a
question. In doubt a question asks for a fact: that is searched, and the passages decide.
"""

from __future__ import annotations

import re
from enum import StrEnum

from desktop_rag.domain import kind_words
from desktop_rag.domain.counting import wanted_in
from desktop_rag.domain.off_topic import off_topic
from desktop_rag.domain.politeness_words import folded_request


class QuestionKind(StrEnum):
    """Kinds that are answered in different ways."""

    FACT = "fact"
    """Something a passage states; also everything that is none of the others."""
    COMPARISON = "comparison"
    """Two or more things, from as many sources."""
    HOW_TO = "how_to"
    """Steps."""
    SUMMARY = "summary"
    """Of a document, a folder or all."""
    COUNT = "count"
    """A number that only looking at everything gives."""
    LIST = "list"
    """Everything there is of something."""
    CHAT = "chat"
    """Talk with the program."""
    OUT_OF_SCOPE = "out_of_scope"
    """What no document can answer, or no program of this kind can do."""


_BY_WORDS = (
    (QuestionKind.SUMMARY, re.compile(kind_words.SUMMARY)),
    (QuestionKind.COMPARISON, re.compile(kind_words.COMPARISON)),
    (QuestionKind.HOW_TO, re.compile(kind_words.HOW_TO)),
)


_FILTER = re.compile(r'(?<!\S)(?:file|folder|type|after|before|pages?):(?:"[^"]*"|\S+)')
"""As `domain.query_language` reads them: where to look says nothing about what for."""
_LONGEST = 1_000
"""Characters of a question these rules are for; more is a text to be searched with."""


def kind_of(question: str) -> QuestionKind:
    """The kind of a question; any text has one."""
    if len(question) > _LONGEST:
        return QuestionKind.FACT
    question = _FILTER.sub(" ", question)
    if (off := off_topic(question)) is not None:
        return QuestionKind.CHAT if off.is_chat else QuestionKind.OUT_OF_SCOPE
    if (wanted := wanted_in(question)) is not None:
        return QuestionKind.LIST if wanted.is_list else QuestionKind.COUNT
    plain = folded_request(question)
    return next((kind for kind, words in _BY_WORDS if words.search(plain)), QuestionKind.FACT)
