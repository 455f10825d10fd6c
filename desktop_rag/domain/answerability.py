"""Decides whether the passages found are about the question at all, before any model is asked.

Two signals, each too weak alone: the best cosine, and how much of the question's wording the
passages hold. `evidence = cosine + 0.6 * coverage`, where coverage is the mean of the best single
passage's share of content words and the share that the first five hold together.

Measured with all-MiniLM-L6-v2 int8 on four sets (Wikipedia, product documentation, Rust code,
multi-hop questions): 600 questions of their own, and 1,200 asked of each other's texts
(`tests/benchmarks/bench_answerability.py`). Refused below 0.72:

- off-topic questions: 97.9 % (cosine alone, at the same false refusals: 92 %). What gets through
  is mostly a question of one encyclopedia asked of another.
- questions of the set's own: 3.1 % (Wikipedia 3.0, product documentation 0, multi-hop 0, Rust code
  9.5 because the embedder knows little code); counting only those whose answer stood in the first
  three passages: 1.5 %. Of 60 questions on quarterly reports none was refused. In conversations
  11.5 %, mostly follow-ups that do not stand alone: rewrite or join them first.

How often the answer stood in the first three passages: high 95 %, medium 84 %, low 86 % (of 29).
Questions in a language that the embedder does not know are judged by their words instead, by
`Passage.word_evidence`. Measured on twelve languages, every second article left out
(`tests/benchmarks/bench_languages.py`): 54 to 83 % of off-topic questions are refused, and 0 to 6 %
of the others; by cosines it was 0 to 82 and 0 to 16.

A question on the right topic whose answer is missing is *not* caught here: its passages look as
good; that is for the model and the check of its citations.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.answers import Confidence, Passage
from desktop_rag.domain.scoring import held_stems, stems_of

NOT_FOUND_BELOW = 0.72
LOW_BELOW = 0.80
MEDIUM_BELOW = 1.0
LIKELY = 0.3
"""Relevance from which a passage counts as just enough evidence."""

_COVERAGE_WEIGHT = 0.6
_PASSAGES_TOGETHER = 5
_PASSAGES_ALONE = 3
# Stands in when no passage has a cosine (keyword search only): words alone must then decide.
_COSINE_UNKNOWN = 0.4


def judge(question: str, passages: Sequence[Passage]) -> Confidence:
    """How far the passages can be trusted to hold the answer.

    Args:
        question: as asked, or as rewritten to stand alone: every word in it counts.
        passages: best first; only the first few are looked at.

    Returns:
        `NONE` when they are about something else: say so, and ask no model.
    """
    evidence = evidence_for(question, passages)
    if evidence < NOT_FOUND_BELOW:
        return Confidence.NONE
    if evidence < LOW_BELOW:
        return Confidence.LOW
    return Confidence.MEDIUM if evidence < MEDIUM_BELOW else Confidence.HIGH


def evidence_for(question: str, passages: Sequence[Passage]) -> float:
    """The number behind `judge`, from 0 to about 1.6; 0 without passages.

    What people are shown as likely must not be refused in the same breath: it is never too little.
    """
    top = passages[:_PASSAGES_TOGETHER]
    if not top:
        return 0.0
    is_likely = max(one.relevance for one in top) >= LIKELY
    return max(_evidence(question, top), NOT_FOUND_BELOW if is_likely else 0.0)


def _evidence(question: str, top: Sequence[Passage]) -> float:
    by_words = [one.word_evidence for one in top if one.word_evidence is not None]
    if by_words:
        return NOT_FOUND_BELOW * max(by_words)
    cosines = [one.similarity for one in top if one.similarity is not None]
    return max(cosines, default=_COSINE_UNKNOWN) + _COVERAGE_WEIGHT * coverage(question, top)


def coverage(question: str, passages: Sequence[Passage]) -> float:
    """Share in [0, 1] of the question's content words that the passages hold.

    The mean of what the best of the first three holds alone and what all hold together: a fact
    stands in one passage, a comparison in several. 0 for a question of function words only.
    """
    wanted = stems_of(question)
    if not wanted or not passages:
        return 0.0
    found = [wanted & held_stems(one) for one in passages]
    alone = max(len(words) for words in found[:_PASSAGES_ALONE])
    together = len(set().union(*found))
    return (alone + together) / (2 * len(wanted))
