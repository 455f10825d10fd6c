"""Whether two texts are in different languages, as far as their smallest words or letters tell."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from desktop_rag.domain.terms import fold

_WORDS = {
    "english": """
        the of and to in is was that for it with as his on be at by had are this from or not have
        which were an but they their has been would will there when who its if
        """,
    "german": """
        der die und das ist nicht ein eine den von zu mit sich des im dem auf als auch es an
        werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum
        war haben nur oder aber vor zur bis mehr durch man
        """,
    "french": """
        le la les des et est une du en que dans qui pour pas au sur par ce il sont plus avec ne se
        cette aux mais ses ont elle comme ou leur nous vous été être
        """,
    "spanish": """
        el la los las de y que en un una es por con para se del al lo como más su no pero sus le
        ha este son fue entre está también hasta
        """,
    "italian": """
        il lo gli di e che un una è per con del della non si da dei le nel alla più come anche
        sono ma al dal questo ha
        """,
    "portuguese": """
        o os as de e que um uma é em para com não do da dos das no na por mais se ao como foi são
        mas pelo pela
        """,
    "dutch": """
        de het een en van is dat op te in met voor niet zijn aan er om ook als bij naar uit door
        over worden
        """,
}
_SETS = {name: frozenset(map(fold, words.split())) for name, words in _WORDS.items()}
_WORD = re.compile(r"[^\W\d_]+")
_LEAST = 2
"""Small words that must tell for one language more than for another."""
_MOST_WORDS = 150


@lru_cache(maxsize=512)
def tongue(text: str) -> str:
    """The language of a text, or its script when that tells more; empty when it is not clear."""
    words = [fold(one) for one in _WORD.findall(text)[:_MOST_WORDS]]
    script = _script(text)
    if script != "latin":
        return script
    counts = Counter({name: sum(word in known for word in words) for name, known in _SETS.items()})
    (best, most), (_, second) = counts.most_common(2)
    return best if most >= _LEAST and most > second else ""


def is_foreign(text: str, other: str) -> bool:
    """Whether both are clearly in languages, and in different ones."""
    one, two = tongue(text), tongue(other)
    return bool(one and two) and one != two


def _script(text: str) -> str:
    letters = [one for one in text[:400] if one.isalpha()]
    names = Counter(unicodedata.name(one, "?").split(" ")[0] for one in letters)
    return names.most_common(1)[0][0].lower() if names else ""
