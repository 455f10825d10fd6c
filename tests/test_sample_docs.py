"""The sample documents are what their script writes, so that they can be changed and trusted."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import io
import runpy
import zipfile
from typing import Any

import pymupdf
import pytest

from desktop_rag import paths


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(paths.shipped("packaging", "make_sample_docs.py")))


def committed(name: str) -> bytes:
    return paths.shipped("resources", "sample_docs", name).read_bytes()


def members(data: bytes) -> dict[str, bytes]:
    """Compared unpacked: another zlib compresses to other bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pages(data: bytes) -> list[tuple[str, str]]:
    with pymupdf.open(stream=data, filetype="pdf") as document:
        return [(page.get_label(), page.get_text()) for page in document]


def test_the_word_document(script: dict[str, Any]) -> None:
    assert members(script["protocol"]()) == members(committed("ward-7-sepsis-protocol.docx"))


def test_the_manual(script: dict[str, Any]) -> None:
    found = pages(committed("aurora-heat-pump-manual.pdf"))
    assert found == pages(script["manual"]())
    assert [label for label, _ in found] == ["i", "ii", "1", "2", "3"]
    assert "five years from the day of commissioning" in found[4][1]
