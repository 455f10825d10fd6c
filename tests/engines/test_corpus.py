"""Every file of a folder of real documents is read or refused with a reason, within bounds."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from desktop_rag.domain.documents import ReadDocument
from desktop_rag.domain.errors import PermanentError
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines.tokenizing import TokenCounter

FOLDER = os.environ.get("DESKTOP_RAG_CORPUS", "")
MAX_SECONDS = 60


def read_or_reason(reader: DocumentReader, path: Path) -> ReadDocument | str:
    try:
        return reader.read(path)
    except PermanentError as exc:
        return exc.message


@pytest.mark.corpus
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not FOLDER, reason="DESKTOP_RAG_CORPUS names no folder")
def test_every_file_is_read_or_refused_with_a_reason(
    reader: DocumentReader, counter: TokenCounter
) -> None:
    files = sorted(path for path in Path(FOLDER).rglob("*") if path.is_file())
    assert files
    read = 0
    for path in files:
        began = time.monotonic()
        result = read_or_reason(reader, path)
        if isinstance(result, str):
            assert path.name in result
            assert result.endswith(".")
        else:
            read += 1
            text = result.document.text
            for chunk in result.chunks:
                assert chunk.text == text[chunk.start : chunk.end]
                assert counter.count(chunk.embedding_text) + 2 <= 256, path
            for page in result.document.pages:
                assert all(page.start <= line.start < line.end <= page.end for line in page.lines)
        assert time.monotonic() - began < MAX_SECONDS, path
    assert read
