"""What each role can be asked, with types of arguments and result. Both sides read this table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from desktop_rag.domain.answers import Ranking, Turn
from desktop_rag.domain.documents import ChunkId, PageImage, ReadDocument, RecognisedPage
from desktop_rag.domain.models_of_text import ModelFacts, ModelHints
from desktop_rag.domain.ports import (
    EmbedderInfo,
    Embedding,
    GenerationLimits,
    GeneratorInfo,
    HeldCount,
    IndexBatch,
    IndexState,
    Reranking,
    RerankItem,
    TextFacts,
)
from desktop_rag.domain.spans import Span
from desktop_rag.domain.tuning import Tuning
from desktop_rag.domain.variants import Trial

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Method(Generic[R]):
    """A method of a role. `result` is the type of the value, or of each item of a stream."""

    name: str
    arguments: Any
    """A `tuple[…]` type."""
    result: type[R]
    is_urgent: bool = False
    """Overtakes queued calls that are not."""
    is_stream: bool = False


Nothing = type(None)

READ = Method("read", tuple[Path, list[RecognisedPage]], ReadDocument)
RECOGNISE = Method("recognise", tuple[Path, int], RecognisedPage)
RECOGNISER = Method("recogniser", tuple[()], str, is_urgent=True)
DIGEST = Method("digest", tuple[Path], str)
RENDER_PAGE = Method("render_page", tuple[Path, int, float], PageImage, is_urgent=True)
VERSIONS = Method("versions", tuple[()], dict[str, str], is_urgent=True)

EMBEDDER = Method("embedder", tuple[()], EmbedderInfo, is_urgent=True)
EMBED = Method("embed", tuple[list[str]], list[Embedding])
LOOK_AT = Method("look_at", tuple[list[str]], list[TextFacts])
STATE = Method("state", tuple[()], IndexState, is_urgent=True)
COUNT_AMONG = Method("count_among", tuple[list[ChunkId]], HeldCount)
APPLY = Method("apply", tuple[IndexBatch], IndexState)
SETTLE = Method("settle", tuple[()], Nothing)
CLEAR = Method("clear", tuple[()], Nothing)
RERANK = Method("rerank", tuple[str, list[RerankItem]], Reranking, is_urgent=True)
SPANS = Method("spans", tuple[str, list[str]], list[Span], is_urgent=True)
READ_AGAIN = Method("read_again", tuple[str, list[str]], tuple[float, ...], is_urgent=True)
SELECT = Method(
    "select", tuple[list[str], list[str], list[ChunkId] | None], list[ChunkId], is_urgent=True
)
SEARCH = Method("search", tuple[str, int, list[ChunkId] | None], Ranking, is_urgent=True)

PROBE = Method("probe", tuple[Path, ModelHints], ModelFacts)
TRY_VARIANTS = Method("try_variants", tuple[list[str]], Trial, is_stream=True)

INFO = Method("info", tuple[()], GeneratorInfo)
COUNT_TOKENS = Method("count_tokens", tuple[list[str]], list[int])
STREAM = Method("stream", tuple[list[Turn], GenerationLimits], str, is_stream=True)
WEIGH = Method("weigh", tuple[list[Turn], list[str]], tuple[float, ...], is_stream=True)
TUNE = Method("tune", tuple[()], Tuning, is_stream=True)

IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Host:
    """A role's engine inside a child.

    A plain method is called with its arguments. A stream is called with its arguments and an
    `IsCancelled`, and returns an iterator. All run on the child's main thread, one at a time.
    """

    methods: Mapping[Method[Any], Callable[..., Any]]
    close: Callable[[], None]
