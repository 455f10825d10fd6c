"""What is told and found out about a text model that a person adds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ModelHints:
    """What the files beside a model say about it."""

    name: str
    is_reranker: bool = False
    max_tokens: int = 0
    """0: nothing is said."""
    pooling: str = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What running a model has shown."""

    role: str
    """`embedder` or `reranker`."""
    dimensions: int
    max_tokens: int
    """Of a passage (with the question, for a re-ranker) that are read."""
    pooling: str
    languages: tuple[str, ...]
    """Those an embedder knows, by their English names in small letters; empty: all."""
    elapsed_ms: float
    """Of embedding a passage of 60 words, or of re-ranking one search."""


Probe = Callable[[Path, ModelHints], ModelFacts]
"""Runs a model in a process of its own; raises `ModelDamaged` when it cannot be used."""
