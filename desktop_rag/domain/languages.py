"""What is different for questions in a language that the embedder does not know.

Vectors of such texts say little, and what they say is misleading. So keywords rank, and keywords
tell whether there is an answer. nDCG@10, mean of eleven languages: keywords alone 0.946, fused with
a share of 0.05, 0.1, 0.2, 0.5 for vectors: 0.946, 0.947, 0.924, 0.832
(`tests/benchmarks/bench_languages.py`).
"""

from __future__ import annotations

FOREIGN_SHARE = 0.1
"""Of vectors in the fusion: they order what keywords do not find at all."""

_ENOUGH = 0.14
# Pairs of characters are many and rare, syllables few and frequent.
_ENOUGH_OF = {"chinese": 0.08, "japanese": 0.08, "thai": 0.27, "vietnamese": 0.27}


def foreign_note(language: str) -> str:
    """What the search model cannot do for such a question, and what to do; empty for none.

    Args:
        language: `Ranking.language`.
    """
    if not language:
        return ""
    name = "this script" if language == "other" else language.capitalize()
    return (
        f"The search model knows English best, so this was searched by its words, not its meaning: "
        f"use the words of the documents, or add a search model that knows {name} with "
        "`desktop-rag models add FOLDER`."
    )


def word_evidence(score: float, possible: float, language: str) -> float:
    """How much the words that a passage holds say for its being about the question.

    From 240 paragraphs and 400 questions in each of twelve languages: at 1 a question is as likely
    off topic as any; 94 to 100 % of the answerable ones lie above, 54 to 83 % of the others below.

    Args:
        score: of the passage in keyword search.
        possible: what a passage full of all the question's words would score.
        language: of the question, by its English name in small letters.

    Returns:
        1 where it is just enough to show the passage; 0 or more.
    """
    if possible <= 0:
        return 0.0
    return score / possible / _ENOUGH_OF.get(language, _ENOUGH)
