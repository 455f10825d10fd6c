"""Reads a request for a summary: of what, and how thorough."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_rag.domain.naming import name_words
from desktop_rag.domain.terms import FUNCTION_WORDS, terms

_NOUN = (
    r"(?:summar(?:y|ies)|overview|synopsis|gist|abstract|outline|tl;?dr|(?:key|main) points"
    r"|zusammenfassung|überblick|résumé|resumen|riassunto|samenvatting)"
)
_FULL = re.compile(
    r"\b(?:full|complete|whole|entire|thorough|detailed|vollständige\w*|ausführliche\w*|komplette\w*"
    r"|complète?|détaillée?|completo|detallado)\b(?=(?:\W+\w+){0,2}?\W+(?:"
    + _NOUN
    + r"|summari[sz]))|\b(?:summari[sz]e|sum up) fully\b|\bin full\b",
    re.IGNORECASE,
)
_REQUESTS = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"^.{{0,60}}?\b{_NOUN}\s*(?:of|for|on|from|about|:|vom|von|zu|über|d[eu]s?|del|di|van)\b"
        r"\s*(?P<what>.+)$",
        rf"^.{{0,60}}?\b{_NOUN}\s*:\s*(?P<what>.+)$",
        r"^.{0,60}?\b(?:summari[sz]e|sum up|outline|resume|résume[rz]?|resum[ea]|resumir|riassumi"
        r"|vat)\b\s*(?P<what>.+)$",
        r"^.{0,40}?\bfass(?:e|t|en sie)?\b\s*(?:mir |bitte )*(?P<what>.+?)\s*\bzusammen\b.*$",
        r"^\W*(?:tell me )?what(?:'s| is| are|’s) (?P<what>.+?) (?:all )?about\W*$",
        r"^\W*what does (?P<what>.+?) (?:say|cover|contain|deal with)(?: overall| in short)?\W*$",
        r"^\W*(?:worum geht es in|was steht in|wovon handelt) (?P<what>.+)$",
        r"^\W*(?:de quoi (?:parle|traite)|de qué (?:trata|habla)|di cosa parla) (?P<what>.+)$",
        rf"^\W*(?P<what>.+?)\W+{_NOUN}\W*$",
    )
)
_ASKED = re.compile(rf"\b(?:{_NOUN}|summari[sz]e|sum up|resume|résume[rz]?)\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"\b(?:in|with|using) (?:about |at most |no more than )?(?:\d+|one|two|three|four|five|six|ten"
    r"|a few)(?:[ -](?:short|brief))? (?:sentences?|words?|lines?|points?|bullets?|paragraphs?)\b"
    r"|\b(?:briefly|in short|in brief|for me|kurz|bitte|please|as bullet points)\b",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"^(?:(?:documents?|files?|pdfs?|text|report called|the|an?|my|our|this|that|these|those|all|of"
    r"|every|each|contents?|dokuments?|datei|das|die|der|des|dem|den|meine?|le|la|les|du|el)\s+)+"
    r"(?=\S)",
    re.IGNORECASE,
)
_FOLDER = re.compile(
    r"\b(?:folder|directory|ordner|verzeichnis|dossier|carpeta|cartella)\b", re.IGNORECASE
)
_ABOUT = re.compile(
    r"^\W*(?:tell me )?what(?:'s| is| are|’s| does)\b|^\W*(?:worum|wovon|was steht|de quoi|de qué"
    r"|di cosa)\b",
    re.IGNORECASE,
)
_EVERYTHING = frozenset(
    """
    document documents file files pdf pdfs folder folders library everything all it them this these
    those that collection content contents text texts page pages mine dokument dokumente datei
    dateien alles documento documentos fichier fichiers tout todo
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
"""Words that name no document."""


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What is to be summarised."""

    subject: str
    """Words that name it; empty: whatever the filters let through."""
    is_full: bool
    """Whether it may take as long as it takes."""
    is_folder: bool
    """Whether a folder is meant."""
    is_certain: bool = True
    """Whether a summary was asked for in so many words; `what is X about` may be any question."""

    @property
    def words(self) -> tuple[str, ...]:
        """Words of the subject that can stand in a name, folded."""
        return name_words(_FOLDER.sub(" ", self.subject))


def read_request(question: str) -> SummaryRequest:
    """What a request for a summary names. Any text: without a known form, all its words."""
    text = " ".join(_LENGTH.sub(" ", question).split())
    found = next(filter(None, (one.match(text) for one in _REQUESTS)), None)
    what = found["what"] if found else _ASKED.sub(" ", text)
    subject = _KIND.sub("", what.strip(" .,;:!?\"'“”")).strip(" .,;:!?\"'“”")
    is_named = any(term not in _EVERYTHING | FUNCTION_WORDS for term in terms(subject))
    return SummaryRequest(
        subject=subject if is_named else "",
        is_full=_FULL.search(question) is not None,
        is_folder=_FOLDER.search(what) is not None,
        is_certain=_ABOUT.search(question) is None,
    )
