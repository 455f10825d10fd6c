"""Names that stand in a text: what multi-hop search goes from passage to passage by.

Rules, no model: runs of capitalised words ("Bank of England"), quoted
names, identifiers (`CVE-2024-1234`, `snake_case`, e-mail addresses), acronyms, runs of katakana.
What a passage is *about* (its title, its heading, the name it begins with) is kept apart from what
it merely names: that relation is what links one text to another, as a hyperlink would. Years and
dates are left out: they join texts that have nothing else in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from desktop_rag.domain.terms import FUNCTION_WORDS, fold

MAX_ENTITIES = 40
"""A passage that names more is a list or an index, and links everything with everything."""
MAX_WORDS = 8
_HEADING_CHARS = 100
_MAX_QUESTION_WORDS = 60
_MIN_CHARS = 3
_MIN_WORDS_OF_NOUNS = 12
_NOUNS_SHARE = 0.15

_TOKEN = re.compile(r"[\w.%+-]+@[\w-]+(?:\.[\w-]+)+|\w+(?:[-'’_&/:]+\w+)*")
_QUOTED = re.compile(r"[“„\"«「『《]\s*([^“”„\"«»「」『』《》\n]{2,60}?)\s*[”“\"»」』》]")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}")
_BRACKETS = re.compile(r"\s*[(（\[][^)）\]]*[)）\]]")
_POSSESSIVE = re.compile(r"['’]s?$")
_CAMEL = re.compile(r"[a-z][A-Z]")
_BORDER = re.compile(r"[.!?:;。！？\n•|]")
_PARTICLES = frozenset(
    """
    of the de del der den des di da do du la le van von al el bin ibn for & y e
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
_ARTICLES = frozenset(
    """
    der die das dem den ein eine einer le la les un une el los las il lo gli het een os um uma det
    en et im am beim vom zum zur auf mit bei nach aus in
    """.split()  # noqa: SIM905
)
_IGNORED = FUNCTION_WORDS | _ARTICLES

_Token = tuple[str, int, int]
"""Text, start, end."""


def entities(text: str, headings: Sequence[str] = ()) -> dict[str, bool]:
    """Names of a passage as they are compared, and whether the passage is about them.

    Args:
        text: of the passage.
        headings: titles it stands below: of its document, of its section.

    Returns:
        at most `MAX_ENTITIES`, what the passage is about first.
    """
    first, _, rest = text.partition("\n")
    is_headed = bool(rest) and _is_heading(first)
    found: dict[str, bool] = {}
    for heading in (*headings, *([first] if is_headed else [])):
        for key in _subjects(heading):
            found[key] = True
    body = rest if is_headed else text
    for key, start in _named(body):
        is_subject = start == len(body) - len(body.lstrip()) and " " in key
        found[key] = found.get(key, False) or is_subject
    ordered = sorted(found.items(), key=lambda one: not one[1])
    return dict(ordered[:MAX_ENTITIES])


def candidates(question: str) -> list[str]:
    """All that may be a name in a question, longest first, as it is compared.

    People write names in lower case, so every run of words is one: the library knows which are. A
    single word must look like a name, or any word that heads a section would be one.
    """
    words = [token for token, _, _ in _tokens(question)[:_MAX_QUESTION_WORDS]]
    keys = [_key([word]) for word in words]
    found: dict[str, None] = {}
    for length in range(min(MAX_WORDS, len(keys)), 0, -1):
        for start in range(len(keys) - length + 1):
            run = keys[start : start + length]
            is_framed = run[0] in _IGNORED or run[-1] in _IGNORED
            if not is_framed and (length > 1 or _is_name_like(words[start])):
                found[" ".join(run)] = None
    found.update(dict.fromkeys(fold(one) for one in _KATAKANA.findall(question)))
    return [key for key in found if _is_long_enough(key)]


def _subjects(heading: str) -> Iterator[str]:
    """A heading as a name, with and without what it adds in brackets: `Lilu (mythology)`."""
    for form in (heading, _BRACKETS.sub("", heading)):
        words = [token for token, _, _ in _tokens(form)]
        key = _key(_without_lead(words))
        if _is_long_enough(key) and len(words) <= MAX_WORDS:
            yield key


def _is_heading(line: str) -> bool:
    bare = line.strip()
    return 0 < len(bare) <= _HEADING_CHARS and bare[-1] not in ".!?:;,。"


def _named(text: str) -> Iterator[tuple[str, int]]:
    """Names in a text with where they begin."""
    runs = list(_runs(text))
    sure = {_key(words) for words, _, is_initial in runs if not is_initial or len(words) > 1}
    are_nouns_capital = _capitalises_nouns(text, runs)
    for words, start, _ in runs:
        key = _key(words)
        is_common = are_nouns_capital and len(words) == 1 and not _is_identifier(words[0])
        if key in sure and not is_common and _is_long_enough(key):
            yield key, start
    for match in (*_QUOTED.finditer(text), *_KATAKANA.finditer(text)):
        words = [token for token, _, _ in _tokens(match[match.lastindex or 0])] or [match[0]]
        key = _key(words)
        if len(words) <= MAX_WORDS and _is_long_enough(key) and key not in _IGNORED:
            yield key, match.start()


def _runs(text: str) -> Iterator[tuple[list[str], int, bool]]:
    """Runs of name-like words: words, start, and whether a single word only begins a sentence."""
    run: list[_Token] = []
    end_before = 0
    is_initial = True
    for token in _tokens(text):
        gap = text[end_before : token[1]]
        if run and not _continues(run[-1][0], gap):
            yield from _finished(run, is_initial=is_initial)
            run = []
        if _is_name_like(token[0]):
            if not run:
                is_initial = end_before == 0 or bool(_BORDER.search(gap))
            run.append(token)
        elif not (run and token[0] in _PARTICLES):
            yield from _finished(run, is_initial=is_initial)
            run = []
        else:
            run.append(token)
        end_before = token[2]
    yield from _finished(run, is_initial=is_initial)


def _finished(run: list[_Token], *, is_initial: bool) -> Iterator[tuple[list[str], int, bool]]:
    while run and not _is_name_like(run[-1][0]):
        run = run[:-1]
    while run and fold(run[0][0]) in _IGNORED and not _is_acronym(run[0][0]):
        run, is_initial = run[1:], False
    if run and len(run) <= MAX_WORDS:
        is_sure = _is_identifier(run[0][0])
        yield [token for token, _, _ in run], run[0][1], is_initial and not is_sure
    # "Engineers of NASA" began a sentence: the first word may be none of the name.
    rest = run[1:]
    while rest and not _is_name_like(rest[0][0]):
        rest = rest[1:]
    if is_initial and (len(rest) > 1 or (rest and _is_identifier(rest[0][0]))):
        yield [token for token, _, _ in rest], rest[0][1], False


def _continues(before: str, gap: str) -> bool:
    """Whether a run goes on over a gap: a space, or the point of an initial (`E. B. White`)."""
    return not gap.strip(" \u00a0") or (gap.strip() in {".", "& "} and len(before) == 1)


def _tokens(text: str) -> list[_Token]:
    return [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def _is_name_like(token: str) -> bool:
    return token[0].isupper() or _is_identifier(token)


def _is_identifier(token: str) -> bool:
    if token.isalpha():
        return _is_acronym(token) or bool(_CAMEL.search(token))
    has_letter = any(char.isalpha() for char in token)
    has_digit = any(char.isdigit() for char in token)
    return has_letter and ("_" in token or "@" in token or (has_digit and not token[0].isdigit()))


def _is_acronym(token: str) -> bool:
    return len(token) > 1 and token.isupper()


def _capitalises_nouns(text: str, runs: Sequence[tuple[list[str], int, bool]]) -> bool:
    """Whether the language writes every noun with a capital, as German does."""
    count = text.count(" ") + 1
    single = sum(1 for words, _, is_initial in runs if len(words) == 1 and not is_initial)
    return count >= _MIN_WORDS_OF_NOUNS and single > _NOUNS_SHARE * count


def _without_lead(words: list[str]) -> list[str]:
    while len(words) > 1 and fold(words[0]) in _IGNORED:
        words = words[1:]
    return words


def _key(words: Sequence[str]) -> str:
    return " ".join(fold(_POSSESSIVE.sub("", word)) for word in words)


def _is_long_enough(key: str) -> bool:
    return len(key) >= _MIN_CHARS and any(char.isalpha() for char in key)
