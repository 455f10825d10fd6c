"""What kind of question it is, and how much each retriever is to be trusted with it."""

from __future__ import annotations

import re
from enum import StrEnum

from desktop_rag.domain.fusion import Shares
from desktop_rag.domain.terms import FUNCTION_WORDS, terms

_PHRASE = re.compile(r"[\"“”„«»]([^\"“”„«»]{3,})[\"“”„«»]")
# A word no dictionary holds: letters with digits, joined by punctuation, camelCase, or a call.
_IDENTIFIER = re.compile(
    r"\b(?=\w*\d)(?=\w*[A-Za-z])\w{3,}\b|\b[^\W_]\w*?(?:_[^\W_]+)+\b|\b\w+::\w+|\b\w+\(\)"
    r"|\b[a-z]+[A-Z]\w*\b|\b[A-Z]{2,}-\d+|`[^`]+`"
)
# Looks like a code and is a word: ordinals, decades, sizes, brands, illnesses named by year.
_NO_CODE = re.compile(
    r"\d+(?:st|nd|rd|th|s|[kKmM])\b|\bi(?:Phone|Pad|Pod|OS|Cloud|Tunes)s?\b|\bmacOS\b|\beBay\b"
    r"|\b(?:COVID|Covid|covid)-?(?:19|2019)\b|\bQ[1-4]\b|\b10-[KQ]\b"
)
_MARK = re.compile(r"[?？؟՞;]\s*[\"”»)]*\s*$")
"""The end of a question; Greek asks with a semicolon."""
_ASKING = re.compile(
    r"^\W*(?:(?:and|so|but|then|ok|well)\W+)*(?:"
    # English, with the tasks that are set instead of asking
    r"(?:in|at|on|to|for|from|by|of|with|under|about|during|until|since|into|through) "
    r"(?:what|which|whom|whose|how)|"
    r"who|whom|whose|what|what's|when|where|which|why|how|is|are|was|were|do|does|did|can|could|"
    r"should|would|will|has|have|had|may|might|"
    r"describe|explain|summari[sz]e|compare|contrast|list|name|outline|discuss|define|identify|"
    r"anal[yz]e|analyse|examine|evaluate|tell|show|give|find|"
    # German, Dutch, Scandinavian
    r"wer|wem|wen|wessen|was|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[rsmn]?|womit|"
    r"wodurch|wofür|worin|wozu|ist|sind|hat|haben|kann|wird|nenne|beschreibe|erkläre|"
    r"wie|wat|waar|wanneer|waarom|hoe|welke?|hvad|hvem|hvor|hvorfor|hvordan|vad|vem|var|varför|"
    # French, Spanish, Portuguese, Italian, Romanian
    r"qui|que|quoi|quand|où|pourquoi|comment|combien|quel(?:le)?s?|est-ce|qu'est-ce|"
    r"qué|quién(?:es)?|cuándo|dónde|por qué|cómo|cuál(?:es)?|cuánt[oa]s?|"
    r"o que|quem|quando|onde|por que|como|qual|quais|quant[oai]s?|"
    r"chi|che|cosa|dove|perché|come|quale|quali|cine|ce|când|unde|cum|care|cât[ăei]?|"
    # Polish, Czech, Turkish, Russian, Greek
    r"kto|co|kiedy|gdzie|dlaczego|jak|jaki[em]?|jaka|który|ile|czy|kdo|kdy|kde|proč|který|kolik|"
    r"kim|ne|neden|nasıl|nerede|hangi|kaç|"
    r"кто|что|когда|где|почему|зачем|как|какой|какая|какие|какое|сколько|чей|куда|"
    r"ποιος|ποια|ποιο|ποιοι|τι|πότε|πού|γιατί|πώς|πόσ[οιεα]ς?"
    r")(?!\w)",
    re.IGNORECASE,
)
_ASKING_ANYWHERE = re.compile(
    # Languages that ask in the middle, or at the end, without a mark.
    r"什么|什麼|谁|誰|哪|怎么|怎样|如何|为什么|為什麼|几个|多少|吗|呢|何|どこ|いつ|なぜ|どう|いくつ|ですか|ますか"
    r"|무엇|누구|언제|어디|왜|어떻게|몇|까$|อะไร|ใคร|เมื่อ(?:ไร|ไหร่|ใด)|ที่ไหน|ทำไม|อย่างไร|กี่|เท่าไร|ไหน|ใด"
    r"|क्या|कौन|कब|कहाँ|कहां|कैसे|क्यों|कितन|किस|من |ما |ماذا|متى|أين|كيف|لماذا|كم |هل |أي "
    r"|(?<!\w)(?:gì|ai|đâu|nào|bao nhiêu|tại sao|thế nào)(?!\w)",
    re.IGNORECASE,
)
_SENTENCE_WORDS = 7
_FUNCTION_SHARE = 0.3
"""A text with so many words, and so many of them function words, is a sentence."""


class QueryKind(StrEnum):
    """Kinds that want different weights."""

    PHRASE = "phrase"
    """Holds a quotation: the person knows the words."""
    IDENTIFIER = "identifier"
    """Names a part number, a function, a code."""
    QUESTION = "question"
    KEYWORDS = "keywords"


# From `tests/benchmarks/bench_retrieval.py` on five sets: equal shares are best, or within 0.01 of
# it, for questions and keywords; 0.4 gains 0.01 where code is named. Quotations were too few (19)
# to measure finely; the person who quotes knows the words.
_SHARES = {
    QueryKind.PHRASE: Shares(dense=0.4, keyword=0.6),
    QueryKind.IDENTIFIER: Shares(dense=0.4, keyword=0.6),
    QueryKind.QUESTION: Shares(dense=0.5, keyword=0.5),
    QueryKind.KEYWORDS: Shares(dense=0.5, keyword=0.5),
}


def classify(question: str) -> QueryKind:
    """Kind of a question; any text has one."""
    if _PHRASE.search(question):
        return QueryKind.PHRASE
    if _IDENTIFIER.search(_NO_CODE.sub("", question)):
        return QueryKind.IDENTIFIER
    return QueryKind.QUESTION if is_natural(question) else QueryKind.KEYWORDS


def is_natural(text: str) -> bool:
    """Whether it is a question or a sentence, not a list of words."""
    if _MARK.search(text) or _ASKING.match(text) or _ASKING_ANYWHERE.search(text):
        return True
    found = terms(text)
    function = sum(term in FUNCTION_WORDS for term in found)
    return len(found) >= _SENTENCE_WORDS and function >= _FUNCTION_SHARE * len(found)


NAMED_SHARE = 0.1
"""Of vectors in the fusion when keywords found the very name that was asked for. Of 60 names among
texts that share their parts (`tests/benchmarks/bench_identifiers.py`) all come first; with 0.2
three quarters do, with 0.4 half."""


def shares_for(question: str) -> Shares:
    """How much vectors and keywords count for this question; together 1."""
    return _SHARES[classify(question)]


_READING = {
    QueryKind.PHRASE: 0.5,
    QueryKind.IDENTIFIER: 0.5,
    QueryKind.QUESTION: 2.0,
    QueryKind.KEYWORDS: 0.5,
}


def reading_weight(question: str) -> float:
    """How much a cross-encoder's order counts for this question, against 1 for the own."""
    return _READING[classify(question)]
