"""The `index` role: embedder, vector store and keyword store. Sole owner of the index folder."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import msgspec

from desktop_rag.workers import methods
from desktop_rag.workers.methods import Host

logger = logging.getLogger(__name__)


class IndexOptions(msgspec.Struct, frozen=True):
    """`discards_stores`: begin empty, because opening what is there crashed the last child."""

    index_dir: str
    embedder_dir: str
    threads: int
    reranker_dir: str = ""
    extractor_dir: str = ""
    discards_stores: bool = False


def open_host(options: IndexOptions) -> Host:
    """Open the stores and load the embedder."""
    index_dir = Path(options.index_dir)
    if options.discards_stores:
        discard_stores(index_dir)
    from desktop_rag.engines.hybrid_index import open_index

    reranker_dir = Path(options.reranker_dir) if options.reranker_dir else None
    extractor_dir = Path(options.extractor_dir) if options.extractor_dir else None
    index = open_index(
        index_dir,
        Path(options.embedder_dir),
        options.threads,
        reranker_dir=reranker_dir,
        extractor_dir=extractor_dir,
    )
    return Host(
        {
            methods.EMBEDDER: index.embedder,
            methods.EMBED: index.embed,
            methods.LOOK_AT: index.look_at,
            methods.STATE: index.state,
            methods.COUNT_AMONG: index.count_among,
            methods.APPLY: index.apply,
            methods.SETTLE: index.settle,
            methods.CLEAR: index.clear,
            methods.SEARCH: index.search,
            methods.SELECT: index.select,
            methods.RERANK: index.rerank,
            methods.SPANS: index.spans,
            methods.READ_AGAIN: index.read_again,
        },
        close=index.close,
    )


def discard_stores(index_dir: Path) -> None:
    """Remove everything inside the index folder. Nothing is lost: the catalog has it all."""
    if not index_dir.is_dir():
        return
    logger.warning("discarding the index stores: opening them crashed")
    for entry in index_dir.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
