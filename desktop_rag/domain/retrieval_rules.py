"""The knobs of retrieval as one value, so that two settings can be compared on one index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from desktop_rag.domain.answerability import NOT_FOUND_BELOW
from desktop_rag.domain.budget import MAX_PASSAGES
from desktop_rag.domain.compression import WHOLE_PASSAGES
from desktop_rag.domain.dedup import NEARLY_SAME
from desktop_rag.domain.diversity import MMR_LAMBDA
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.fusion import BY_SCORE, RRF_K
from desktop_rag.domain.parents import WINDOW_CHARS
from desktop_rag.domain.scoring import RELEVANCE_FLOOR

_MAX_COUNT = 10_000
_MOST_LOOKED_AT = 500
_SHARES = frozenset({"dense_share", "late_share", "mmr_lambda", "relevance_floor"})
_COUNTS = frozenset(
    {"candidates", "passages", "whole_passages", "rrf_k", "window_chars", "looked_at", "read_again"}
)


@dataclass(frozen=True, slots=True)
class RetrievalRules:
    """How passages are found. The defaults are what the program does."""

    candidates: int = 50
    """Asked of each of the two stores."""
    passages: int = MAX_PASSAGES
    """The most that an answer is written from."""
    whole_passages: int = WHOLE_PASSAGES
    """How many of the best are never cut to their best sentences; `passages` or more: none is."""
    window_chars: int = WINDOW_CHARS
    """Up to which a short passage grows into its section, while the prompt has room; 0: never."""
    duplicate_above: float = NEARLY_SAME
    """Cosine above which a passage repeats another; above 1: only equal texts do."""
    mmr_lambda: float = MMR_LAMBDA
    """Weight of the ranking against diversity, in [0, 1] (`domain.diversity`); 1: ranking alone."""
    relevance_floor: float = RELEVANCE_FLOOR
    """Relevance in [0, 1] below which a passage is not shown; 0: all are."""
    not_found_below: float = NOT_FOUND_BELOW
    """Evidence below which the program says that nothing was found."""
    dense_share: float | None = None
    """Of vectors against keywords, in [0, 1]; without one the kind of question decides."""
    score_weight: float = BY_SCORE
    """Of the ranking by joined scores, against 1 for those by rank."""
    rrf_k: int = RRF_K
    """How much the first ranks are levelled."""
    looked_at: int = 50
    """Candidates that are re-ranked by a closer look; 0: none is."""
    late_share: float = 0.3
    """Of that closer look (late interaction) in the fusion, in [0, 1]."""
    read_again: int = 30
    """Best candidates that a cross-encoder reads with the question, where the person has chosen
    one: what lies below rarely holds the answer; 0: none."""
    deep_queries: bool = False
    """Also search what the language model says the question is in other words."""
    deep_parts: bool = False
    """Also search the questions that the language model takes it apart into."""
    deep_hyde: bool = False
    """Also search by a passage that the language model makes up as an answer."""
    deep_weight: float = 0.3
    """Of all that deep search adds together, against 1 for the question itself."""
    graph_hops: int = 0
    """How far names are followed from document to document: 0 (not at all), 1 or 2."""

    @property
    def is_deep(self) -> bool:
        """Whether the language model is asked before the search."""
        return self.deep_queries or self.deep_parts or self.deep_hyde


DEFAULT_RULES = RetrievalRules()


def rules_for(*, deep: bool = False, graph: bool = False) -> RetrievalRules:
    """The program's own rules, for the ways of searching that a person can ask for.

    Deep search takes the question apart and makes an answer up. With the default language model
    that gains a point of nDCG@10 on multi-hop questions and on product documentation and loses
    nothing on two other sets; other wordings take longer and add nothing to these.
    """
    return replace(
        DEFAULT_RULES,
        deep_parts=deep,
        deep_hyde=deep,
        graph_hops=1 if graph else 0,
    )


def rules_from(values: Mapping[str, object], origin: str) -> RetrievalRules:
    """Rules from the keys of a configuration; what is not named keeps its default.

    Raises:
        InvalidInput: an unknown key, or a value that makes no sense; `origin` is named.
    """
    known = {field.name for field in fields(RetrievalRules)}
    for key, value in values.items():
        if key not in known:
            raise InvalidInput(
                f"{origin} sets “{key}”, which is no rule of retrieval; use one of "
                f"{', '.join(sorted(known))}."
            )
        _check(key, value, origin)
    return replace(DEFAULT_RULES, **values)  # type: ignore[arg-type]


def _check(key: str, value: object, origin: str) -> None:
    if isinstance(getattr(DEFAULT_RULES, key), bool):
        is_good, wanted = isinstance(value, bool), "true or false"
    elif key == "graph_hops":
        is_good, wanted = type(value) is int and 0 <= value <= 2, "0, 1 or 2"
    elif key in _COUNTS:
        least = 0 if key in {"window_chars", "looked_at", "read_again"} else 1
        most = _MOST_LOOKED_AT if key in {"looked_at", "read_again"} else _MAX_COUNT
        is_good = type(value) is int and least <= value <= most
        wanted = f"a whole number from {least} to {most}"
    else:
        top = 1.0 if key in _SHARES else 1000.0
        is_good = type(value) in (int, float) and 0 <= float(str(value)) <= top
        wanted = f"a number from 0 to {top:g}"
    if not is_good:
        raise InvalidInput(f"In {origin}, “{key}” must be {wanted}, not {value!r}.")
