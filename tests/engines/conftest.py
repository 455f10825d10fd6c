"""The real tokenizer and reader, shared by the tests of all formats."""

from __future__ import annotations

import pytest

from desktop_rag import paths
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines.registry import build_reader
from desktop_rag.engines.tokenizing import TokenCounter

TOKENIZER = paths.shipped("models", "all-minilm-l6-v2-int8", "tokenizer.json")


@pytest.fixture(scope="session")
def counter() -> TokenCounter:
    return TokenCounter(TOKENIZER)


@pytest.fixture(scope="session")
def reader() -> DocumentReader:
    return build_reader(TOKENIZER, 256)
