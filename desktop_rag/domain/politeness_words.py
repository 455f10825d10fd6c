"""Takes courtesies off a question: `could you please tell me what …` asks `what …`.

They hold no meaning to search by, and weigh as much as the words that do.
"""

from __future__ import annotations

import re

from desktop_rag.domain.terms import content_terms, fold

_OPENINGS = (
    # English
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there)?[,!.]+",
    r"(?:can|could|would|will) you (?:please |kindly |maybe |possibly )*"
    r"(?:tell|show|explain(?: to)?|give|help|remind|let) me(?: know)?(?: to (?:find|understand))?"
    r"(?: about)?",
    r"(?:can|could|would|will) you (?:please |kindly )*"
    r"(?:explain|find(?: out)?|look up|search for|check)",
    r"(?:please|kindly) (?:tell|show|give|explain to|help|remind) me(?: about)?",
    r"(?:please|kindly),? ",
    r"i(?: would|'d|’d)? (?:like|want|need|love|wish) to "
    r"(?:know|find(?: out)?|learn|understand|ask(?: you)?)(?: about)?",
    r"i(?: am|'m|’m) (?:looking for|searching for|trying to find(?: out)?|wondering|curious about)",
    r"i was (?:just )?wondering",
    r"do you (?:happen to )?know",
    r"(?:may|can|could) i (?:ask|know)",
    r"tell me(?: about)?",
    # German, French, Spanish
    r"(?:kannst|könntest) du mir (?:bitte )?(?:sagen|zeigen|erklären),?",
    r"(?:können|könnten) sie mir (?:bitte )?(?:sagen|zeigen|erklären),?",
    r"(?:bitte|s'il (?:vous|te) pla[iî]t|por favor),? ",
    r"(?:ich (?:möchte|würde gerne?) wissen),?",
    r"(?:pouvez-vous|pourriez-vous|peux-tu|pourrais-tu) (?:s'il (?:vous|te) pla[iî]t )?(?:me )?"
    r"(?:dire|montrer|expliquer)",
    r"(?:puede|podría|puedes|podrías) (?:por favor )?(?:decirme|mostrarme|explicarme)",
)
_OPENING = re.compile(rf"^(?:{'|'.join(_OPENINGS)})(?=\W|\b)\s*", re.IGNORECASE)
_CLOSING = re.compile(
    r"[\s,.;]*\b(?:please|thanks(?: a lot| in advance)?|thank you(?: (?:very|so) much)?|"
    r"many thanks|if you (?:can|could|please)|bitte|danke|vielen dank|merci(?: beaucoup)?|"
    r"s'il (?:vous|te) pla[iî]t|por favor|gracias)(?P<end>\s*[?.!]*)$",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?:(?:can|could|would|will) you|(?:kannst|könntest) du|(?:können|könnten) sie|peux-tu|"
    r"pouvez-vous|pourriez-vous|puedes|podrías|puoi|potresti|podes|poderia|kun je)"
    r"(?:,? (?:please|kindly|bitte|por favor|per favore|alsjeblieft))?,?\s+(?=\S+\s+\S)",
    re.IGNORECASE,
)
_MARKS = " \t\n¿¡?.!:;؟？。！\"'“”„«»"


def plain_request(text: str) -> str:
    """The bare request in one line: without courtesies, `could you …`, and marks around it."""
    line = " ".join(text.split()).replace("’", "'").strip(_MARKS)
    return _REQUEST.sub("", without_politeness(line)).strip(_MARKS)


def folded_request(text: str) -> str:
    """`plain_request` as rules compare it: in small letters without accents."""
    return fold(plain_request(text))


def without_politeness(text: str) -> str:
    """The question without opening and closing courtesies, if enough is left of it."""
    shorter = text
    while (stripped := _OPENING.sub("", shorter, count=1)) != shorter:
        shorter = stripped
    while (stripped := _CLOSING.sub(r"\g<end>", shorter, count=1)) != shorter:
        shorter = stripped
    return shorter if content_terms(shorter) else text
