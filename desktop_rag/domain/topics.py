"""What a question is about, as a person would name it: what "it" stands for in the next question.

Rules, no model: the names in it, else the first run of words that carry meaning, without what asks
("how long is the coffee machine covered?" is about the coffee machine).
"""

from __future__ import annotations

import re

from desktop_rag.domain.terms import FUNCTION_WORDS, fold

_MAX_WORDS = 6
_TOKEN = re.compile(r"[^\W_]+(?:[-'’.&/_®+#]+[^\W_]+)*[®+#]*|\S")
_PARTICLES = frozenset({"of", "the", "for", "de", "la", "von", "van", "der", "du", "del", "&"})
_ARTICLES = frozenset({"the", "my", "our", "a", "an"})
_ASKING = frozenset(
    """
    how what which who whom whose when where why is are was were do does did can could should
    would will has have had may might must tell explain describe list show give find name mean
    means meant long much many often far old tall high big large deep kind type sort difference
    different define summarize summarise compare please know want need like think say says said
    get gets got getting go goes going make makes made use uses using work works working happen
    happens take takes begin begins began start starts started open opens opened end ends ended
    cost costs come comes came become last lasts help there any anything something everything
    someone good best wants wanted wonder wondering wd pls plz able possible sense one ones
    thing things way ways step steps reason reasons benefit benefits advantage advantages issue
    issues number part new common main major specific current certain recommend understand
    understanding submit first second next another either over versus vs used effective
    long-term expense expenses average price prices free available information details detail hi
    hello ok okay yes no thanks also really correct true right i'm i've i'd i'll it's that's
    what's don't doesn't can't isn't wer wann wo warum wie welche welcher welches ist sind hat
    haben kann wird der die das ein eine einen den dem des und oder von zu mit für auf im in am
    an bei nach aus qui que quoi quand où pourquoi comment quel quelle est sont le les un une et
    ou en au aux quién qué cuándo dónde cómo cuál el los las y o es son
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
_POSSESSIVE = re.compile(r"(?:['’]s?)+$")
_VERB = re.compile(r".{3,}(?:ed|ing)$")


def topic_of(question: str) -> str:
    """The thing that a question is about, in its own words; empty when it names none."""
    return _POSSESSIVE.sub("", _named(question) or _phrase(question))


def names_in(text: str) -> list[str]:
    """Runs of capitalised words and identifiers, in order; what only begins a sentence is none."""
    found: list[str] = []
    run: list[str] = []
    is_start = True
    tokens = [*_TOKEN.findall(text), "."]
    for token, following in zip(tokens, [*tokens[1:], "."], strict=True):
        is_plain = is_start and _is_plain(token, following)
        is_name = _is_name(token) and not is_plain
        if is_name or (run and token in _PARTICLES):
            run.append(token)
        else:
            found += _finished(run)
            run = []
        is_start = token in ".?!:;"
    return list(dict.fromkeys(found))


def _finished(run: list[str]) -> list[str]:
    while run and run[-1] in _PARTICLES:
        run = run[:-1]
    while run and run[0] in _PARTICLES:
        run = run[1:]
    return [" ".join(run)] if run else []


def _is_name(token: str) -> bool:
    if not any(char.isalpha() for char in token) or len(token) < 2:
        return False
    return (token[0].isupper() and fold(token) not in _ASKING) or any(
        c.isupper() for c in token[1:]
    )


def _is_plain(token: str, following: str) -> bool:
    """Whether a capital at the start of a sentence says nothing, as no name follows it."""
    return fold(token) in FUNCTION_WORDS or (token[1:].islower() and not _is_name(following))


def _named(question: str) -> str:
    names = names_in(question)
    return max(names, key=len) if names else ""


def _phrase(question: str) -> str:
    """The first run of words that carry meaning, over an "of" between two; rather no verb alone."""
    run: list[str] = []
    verb = article = ""
    for token in [*_TOKEN.findall(question), "?"]:
        word = fold(token)
        carries = word[0].isalnum() and word not in _ASKING and word not in FUNCTION_WORDS
        if carries or (run and word in _PARTICLES and word != "the"):
            run.append(token)
        elif run and not (word == "the" and run[-1] in _PARTICLES):
            phrase = _trimmed(run)
            if phrase and not _VERB.match(phrase):
                return article + phrase
            verb, run = verb or phrase, []
        if not run:
            article = "the " if word in _ARTICLES else ""
    return verb


def _trimmed(run: list[str]) -> str:
    while run and (run[-1] in _PARTICLES or (len(run) > 1 and _VERB.match(run[-1]))):
        run = run[:-1]
    while run and (run[0] in _PARTICLES or (len(run) > 1 and _VERB.match(run[0]))):
        run = run[1:]
    return " ".join(run[:_MAX_WORDS])
