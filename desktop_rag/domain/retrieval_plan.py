"""What can be said about how passages are found: a plan on paper, or a library as it is.

Every value may be missing: then it is unknown, and what depends on it cannot be judged. Bounds and
meanings stand beside the fields, because the JSON schema is made from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

_MANY = 1_000_000
_TOKENS_PER = {"tokens": 1.0, "words": 1.33, "characters": 0.25}
"""Of English text with a WordPiece tokenizer."""


class Unit(StrEnum):
    """What sizes of passages are counted in."""

    TOKENS = "tokens"
    WORDS = "words"
    CHARACTERS = "characters"


class Strategy(StrEnum):
    """How documents are cut into passages; the program's own ways have its own names."""

    FIXED = "fixed"
    RECURSIVE = "recursive"
    STRUCTURE = "structure"
    SENTENCES = "sentences"
    SEMANTIC = "semantic"
    LATE = "late"
    PROPOSITIONS = "propositions"
    CONTEXT = "context"


class Mode(StrEnum):
    """A way of finding candidates."""

    DENSE = "dense"
    KEYWORD = "keyword"
    GRAPH = "graph"


class FusionMethod(StrEnum):
    """How rankings become one."""

    RRF = "rrf"
    SCORES = "scores"
    NONE = "none"


class Reranker(StrEnum):
    """What looks at the candidates a second time."""

    NONE = "none"
    LATE_INTERACTION = "late-interaction"
    CROSS_ENCODER = "cross-encoder"
    LLM = "llm"


class Similarity(StrEnum):
    """What duplicates are told by."""

    COSINE = "cosine"
    JACCARD = "jaccard"


class Citations(StrEnum):
    """What is said about where a statement stands."""

    NONE = "none"
    LISTED = "listed"
    CHECKED = "checked"


@dataclass(frozen=True, slots=True)
class Says:
    """What a value means, and between which bounds it makes sense."""

    meaning: str
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are cut into passages."""

    strategy: Annotated[Strategy | None, Says("how documents are cut")] = None
    size: Annotated[float | None, Says("what a passage should come to", 1, _MANY)] = None
    overlap: Annotated[float | None, Says("what neighbouring passages share", 0, _MANY)] = None
    unit: Annotated[
        Unit | None, Says("what sizes are counted in; tokens of the embedder when missing")
    ] = None
    measured_size: Annotated[
        float | None, Says("median of the passages that were made", 1, _MANY)
    ] = None
    measured_longest: Annotated[float | None, Says("the longest of them", 1, _MANY)] = None
    measured_overlap: Annotated[
        float | None,
        Says(
            "median of what neighbours share where they share something, as a share of a passage",
            0,
            1,
        ),
    ] = None
    overlapping_cuts: Annotated[
        float | None, Says("of the cut paragraphs whose two passages share something", 0, 1)
    ] = None
    header: Annotated[
        bool | None, Says("whether a passage is embedded with its title and section")
    ] = None
    parents: Annotated[
        bool | None, Says("whether the prompt gets the section around a passage")
    ] = None

    def in_tokens(self, size: float) -> float:
        """A size of this plan in tokens of an embedder, roughly when it is in another unit."""
        return size * _TOKENS_PER[self.unit or Unit.TOKENS]

    @property
    def typical_tokens(self) -> float | None:
        """Size of the usual passage in tokens, as measured if it was."""
        size = self.measured_size or self.size
        return None if size is None else self.in_tokens(size)


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each ranking counts; only their proportion matters."""

    dense: Annotated[float | None, Says("of vectors", 0, _MANY)] = None
    keyword: Annotated[float | None, Says("of keywords", 0, _MANY)] = None


@dataclass(frozen=True, slots=True)
class Fusion:
    """How rankings become one."""

    method: Annotated[
        FusionMethod | None, Says("by ranks (reciprocal rank fusion), by scores, or not")
    ] = None
    k: Annotated[
        float | None, Says("how much reciprocal rank fusion levels the first ranks", 0, _MANY)
    ] = None
    weights: Weights = field(default_factory=Weights)


@dataclass(frozen=True, slots=True)
class Reranking:
    """The second look at candidates."""

    kind: Annotated[Reranker | None, Says("what looks a second time")] = None
    candidates: Annotated[int | None, Says("how many candidates it looks at", 0, _MANY)] = None
    covered: Annotated[float | None, Says("of the passages that it can look at", 0, 1)] = None


@dataclass(frozen=True, slots=True)
class Duplicates:
    """What is left out because it repeats a better passage."""

    above: Annotated[
        float | None, Says("similarity from which a passage repeats another", 0, 1000)
    ] = None
    similarity: Annotated[
        Similarity | None, Says("what similarity is meant; cosine when missing")
    ] = None
    keeps_differing_facts: Annotated[
        bool | None, Says("whether passages that differ in a number, date or name both stay")
    ] = None


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How passages are found for a question."""

    modes: Annotated[tuple[Mode, ...] | None, Says("how candidates are found")] = None
    fusion: Fusion = field(default_factory=Fusion)
    candidates: Annotated[int | None, Says("asked of each mode", 0, _MANY)] = None
    reranker: Reranking = field(default_factory=Reranking)
    duplicates: Duplicates = field(default_factory=Duplicates)
    passages: Annotated[int | None, Says("the most that an answer is written from", 0, _MANY)] = (
        None
    )
    context_tokens: Annotated[int | None, Says("what they may take of the prompt", 0, _MANY)] = None


@dataclass(frozen=True, slots=True)
class Embedder:
    """The model that makes vectors."""

    id: Annotated[str | None, Says("its name")] = None
    dimensions: Annotated[int | None, Says("of a vector", 1, _MANY)] = None
    max_tokens: Annotated[int | None, Says("what it reads of a passage", 1, _MANY)] = None
    languages: Annotated[
        tuple[str, ...] | None, Says("it was made for, as in english; * for any")
    ] = None


@dataclass(frozen=True, slots=True)
class Documents:
    """What is searched."""

    languages: Annotated[
        tuple[str, ...] | None,
        Says("of the documents, as in english"),
    ] = None
    unreadable: Annotated[float | None, Says("of the files that could not be read", 0, 1)] = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How it is known that retrieval works."""

    questions: Annotated[int | None, Says("of the test set with known answers", 0, _MANY)] = None
    metrics: Annotated[
        tuple[str, ...] | None, Says("what is measured, as in Recall@5, nDCG@10, MRR")
    ] = None
    gate: Annotated[bool | None, Says("whether every change is measured and a drop stops it")] = (
        None
    )
    thresholds: Annotated[dict[str, float] | None, Says("what a metric must reach")] = None
    age_days: Annotated[float | None, Says("since it was last measured", 0, _MANY)] = None


@dataclass(frozen=True, slots=True)
class Freshness:
    """How soon changes of documents are found."""

    watching: Annotated[bool | None, Says("whether changes are noticed at once")] = None
    sweep_minutes: Annotated[
        float | None, Says("between two complete comparisons with the files; 0: never", 0, _MANY)
    ] = None
    index_age_hours: Annotated[
        float | None,
        Says("since the oldest change of a file that is not in the index; 0: all are", 0, _MANY),
    ] = None
    waiting: Annotated[float | None, Says("of the files that are still to be read", 0, 1)] = None
    unindexed: Annotated[
        float | None, Says("of the passages that the index does not hold yet", 0, 1)
    ] = None


@dataclass(frozen=True, slots=True)
class Monitoring:
    """How it is noticed that retrieval gets worse."""

    query_log: Annotated[bool | None, Says("whether it is kept how searches went")] = None
    queries: Annotated[int | None, Says("that the figures are from", 0)] = None
    zero_result_rate: Annotated[float | None, Says("of the queries that found nothing", 0, 1)] = (
        None
    )
    p95_ms: Annotated[float | None, Says("what 95 % of the searches take at most", 0)] = None


@dataclass(frozen=True, slots=True)
class Answers:
    """What an answer owes."""

    citations: Annotated[
        Citations | None, Says("whether statements name their place, and are checked")
    ] = None
    says_not_found: Annotated[
        bool | None, Says("whether it says so when the documents do not tell")
    ] = None


@dataclass(frozen=True, slots=True)
class Safety:
    """Who learns of documents and questions."""

    telemetry: Annotated[bool | None, Says("whether usage is reported to anybody")] = None
    local_only: Annotated[
        bool | None, Says("whether documents and questions stay on the computer")
    ] = None
    private_folder: Annotated[
        bool | None, Says("whether only its owner can read the library's folder")
    ] = None


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """A retrieval system, planned or running. What is left out is unknown and is not judged."""

    chunking: Chunking = field(default_factory=Chunking)
    embedder: Embedder = field(default_factory=Embedder)
    retrieval: Retrieval = field(default_factory=Retrieval)
    documents: Documents = field(default_factory=Documents)
    evaluation: Evaluation = field(default_factory=Evaluation)
    freshness: Freshness = field(default_factory=Freshness)
    monitoring: Monitoring = field(default_factory=Monitoring)
    answers: Answers = field(default_factory=Answers)
    safety: Safety = field(default_factory=Safety)


def contradictions(plan: RetrievalPlan) -> Iterator[str]:
    """What cannot be true together, a sentence with the paths for each."""
    cut, found = plan.chunking, plan.retrieval
    if cut.size is not None and cut.overlap is not None and cut.overlap >= cut.size:
        yield (
            f"`chunking.overlap` ({cut.overlap:g}) must be smaller than `chunking.size` "
            f"({cut.size:g})"
        )
    sizes = (cut.measured_size, cut.measured_longest)
    if None not in sizes and sizes[0] > sizes[1]:  # type: ignore[operator]
        yield "`chunking.measured_size` is above `chunking.measured_longest`"
    weights = found.fusion.weights
    if weights.dense == 0 and weights.keyword == 0:
        yield "`retrieval.fusion.weights` are all 0, so nothing would be found"
