"""Gates of how documents are cut."""

from __future__ import annotations

from desktop_rag.domain.gates.gate import Gate, Judgement, Severity, fact
from desktop_rag.domain.retrieval_plan import RetrievalPlan, Strategy

_PASSAGE_TOKENS = (64, 512)
_SENTENCE_TOKENS = (10, 128)
_BY_SENTENCE = frozenset({Strategy.SENTENCES, Strategy.SEMANTIC, Strategy.PROPOSITIONS})
"""Strategies whose short passages are meant, and are cut where nothing is torn."""
_OVERLAP = (0.10, 0.20)
_MEASURED_OVERLAP = (0.05, 0.25)
"""Whole sentences are shared, so single overlaps are shorter or longer than what is asked for."""
_LEAST_OVERLAPPING = 0.5


def _chunk_limit(plan: RetrievalPlan) -> Judgement:
    cut, limit = plan.chunking, plan.embedder.max_tokens
    longest = cut.measured_longest or cut.size
    if longest is None or limit is None:
        return None
    tokens = cut.in_tokens(longest)
    return tokens <= limit, f"Passages of up to {tokens:.0f} tokens; the embedder reads {limit}."


def _size(plan: RetrievalPlan) -> Judgement:
    if (tokens := plan.chunking.typical_tokens) is None:
        return None
    is_short = plan.chunking.strategy in _BY_SENTENCE
    least, most = _SENTENCE_TOKENS if is_short else _PASSAGE_TOKENS
    return least <= tokens <= most, f"Passages of typically {tokens:.0f} tokens."


def _overlap(plan: RetrievalPlan) -> Judgement:
    cut = plan.chunking
    if cut.strategy in _BY_SENTENCE:
        return True, f"Cut between statements, so nothing need be shared: {cut.strategy}."
    if cut.measured_overlap is not None and cut.overlapping_cuts is not None:
        low, high = _MEASURED_OVERLAP
        is_enough = cut.overlapping_cuts >= _LEAST_OVERLAPPING
        return (
            is_enough and low <= cut.measured_overlap <= high,
            f"{cut.overlapping_cuts:.0%} of the cut paragraphs share sentences between their "
            f"two passages, {cut.measured_overlap:.0%} of a passage.",
        )
    if cut.size is None or cut.overlap is None:
        return None
    share = cut.overlap / cut.size
    return _OVERLAP[0] <= share <= _OVERLAP[1], f"Neighbours share {share:.0%} of a passage."


def _structure(plan: RetrievalPlan) -> Judgement:
    if (strategy := plan.chunking.strategy) is None:
        return None
    return strategy is not Strategy.FIXED, f"Documents are cut like this: {strategy}."


CHUNK_GATES = (
    Gate(
        "chunk-limit",
        "No passage is longer than the embedder reads.",
        "What stands beyond that is in no vector: nothing finds it by its meaning.",
        Severity.ERROR,
        ("chunking.size", "embedder.max_tokens"),
        _chunk_limit,
        "Make `chunking.size` smaller, or take an embedder that reads more.",
        "Leave the window open until nothing is waiting: files are read again for another search "
        "model. If it stays like that, report it.",
    ),
    Gate(
        "chunk-size",
        "Passages come to 64 to 512 tokens, to 10 to 128 where each is a sentence.",
        "Shorter ones lose what they are about; in longer ones the one right sentence drowns.",
        Severity.WARNING,
        ("chunking.size",),
        _size,
        "Choose a `chunking.size` of about 200 tokens.",
        "Nothing is wrong with the settings: your files are very short or in many small parts. "
        "Search names the file all the same; ask about names that stand in them.",
    ),
    Gate(
        "chunk-overlap",
        "Neighbouring passages share 10 to 20 %, in whole sentences.",
        "Otherwise a statement that is cut in two is found in neither half; more is waste.",
        Severity.WARNING,
        ("chunking.size", "chunking.overlap"),
        _overlap,
        "Set `chunking.overlap` to 10 to 20 % of `chunking.size`.",
        "Your documents have sentences too long to be said twice. If an answer misses half of a "
        "statement, open the cited page: the rest stands beside it.",
    ),
    Gate(
        "chunk-structure",
        "Documents are cut along their own structure.",
        "A cut every so many characters tears tables and sentences.",
        Severity.WARNING,
        ("chunking.strategy",),
        _structure,
        "Choose `recursive` or `structure-aware` as `chunking.strategy`.",
        "Take the choice back: documents are then cut along their headings and sentences.",
    ),
    Gate(
        "chunk-header",
        "A passage is embedded with its title and section.",
        "“It lasts seven years” is found for the pump only if the pump is named with it.",
        Severity.INFO,
        ("chunking.header",),
        fact(
            lambda plan: plan.chunking.header,
            "Passages carry their title and section.",
            "Passages stand alone.",
        ),
        "Put the document's title and the headings in front of each passage.",
        "Give files a title or headings; names like scan0012.pdf say nothing.",
    ),
    Gate(
        "chunk-parents",
        "The prompt gets what stands around a passage.",
        "Short passages are found well; a model answers better from the whole section.",
        Severity.INFO,
        ("chunking.parents",),
        fact(
            lambda plan: plan.chunking.parents,
            "A short passage is read with what stands around it.",
            "The model reads the passage alone.",
        ),
        "Keep sections beside the passages and give those to the model.",
        "Take the choice of other rules back.",
    ),
)
