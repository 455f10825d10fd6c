"""Every file of a folder of real documents is read or refused with its right reason, in bounds.

When a `manifest.tsv` lies in the folder (columns `path`, `format`, `password`, `why_interesting`),
it also says what is right for a file.
"""

from __future__ import annotations

import csv
import os
import time
from pathlib import Path

import pytest

from desktop_rag.domain.documents import ReadDocument
from desktop_rag.domain.errors import (
    Damaged,
    Encrypted,
    NoText,
    PermanentError,
    TooLarge,
    Unsupported,
)
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines.tokenizing import TokenCounter

FOLDER = os.environ.get("DESKTOP_RAG_CORPUS", "")
MAX_SECONDS = 60
OLD_OFFICE = frozenset({".doc", ".xls", ".ppt", ".wps", ".dot", ".pot", ".pps"})
"""Some of these want a program that may not be installed."""


def read_or_reason(reader: DocumentReader, path: Path) -> ReadDocument | PermanentError:
    try:
        return reader.read(path)
    except PermanentError as exc:
        return exc


def manifest() -> dict[str, dict[str, str]]:
    listed = Path(FOLDER) / "manifest.tsv"
    if not listed.is_file():
        return {}
    with listed.open(encoding="utf-8", newline="") as file:
        return {row["path"]: row for row in csv.DictReader(file, delimiter="\t")}


def needs_password(path: Path, about: dict[str, str]) -> bool:
    """An owner's password alone forbids printing and copying, not reading."""
    password = about.get("password", "")
    if "none for" in password:
        return False  # the row speaks of several files
    is_owners = "owner" in f"{password} {path.stem}".lower()
    return "(user)" in password or bool(password and not is_owners)


def right_reasons(path: Path, about: dict[str, str], suffixes: set[str]) -> tuple[type, ...]:
    """Reasons that are right for a file; an empty tuple when it must be read."""
    suffix = path.suffix.lower()
    if path.stat().st_size == 0:
        return (NoText,)
    if needs_password(path, about):
        return (Encrypted,)
    if suffix not in suffixes:
        return (Unsupported,)
    if suffix in OLD_OFFICE:
        return (Unsupported, Encrypted, Damaged, NoText)
    why = about.get("why_interesting", "").lower()
    if "encrypt" in why:
        return (Encrypted, Damaged, NoText)
    suspicious = ("corrupt", "broken", "truncated", "damaged", "malformed", "invalid", "fuzzed",
                  "cyclic", "bomb", "empty", "edge cases", "binary")  # fmt: skip
    if any(word in why for word in suspicious) or suffix == ".pdf" or not about:
        return (Damaged, NoText, TooLarge, Encrypted)
    return ()


def assert_sound(result: ReadDocument, counter: TokenCounter, path: Path) -> None:
    """What holds for every document that was read."""
    document = result.document
    assert result.chunks or document.coverage.waiting, path
    for chunk in result.chunks:
        assert chunk.text == document.text[chunk.start : chunk.end]
        assert counter.count(chunk.embedding_text) + 2 <= 256, path
    for page in document.pages:
        assert all(page.start <= line.start < line.end <= page.end for line in page.lines)
    for part in document.parts:
        assert 0 <= part.start <= part.end <= len(document.text), path
        if part.rows:
            lines = document.text.count("\n", part.start, part.end) + 1
            assert len(part.rows) == lines, path
    if document.parts and document.parts[0].start == 0 and not document.pages:
        assert result.chunks[0].place, path


@pytest.mark.corpus
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not FOLDER, reason="DESKTOP_RAG_CORPUS names no folder")
def test_every_file_is_read_or_refused_with_its_right_reason(
    reader: DocumentReader, counter: TokenCounter
) -> None:
    files = sorted(path for path in Path(FOLDER).rglob("*") if path.is_file())
    assert files
    listed, suffixes = manifest(), set(reader.versions())
    wrong: list[str] = []
    for path in files:
        began = time.monotonic()
        result = read_or_reason(reader, path)
        about = listed.get(path.relative_to(FOLDER).as_posix(), {})
        allowed = right_reasons(path, about, suffixes)
        if isinstance(result, ReadDocument):
            assert_sound(result, counter, path)
            if allowed in ((NoText,), (Encrypted,)):
                wrong.append(f"{path.name}: was read, {allowed} expected")
        else:
            assert path.name in result.message
            assert result.message.endswith(".")
            if not isinstance(result, allowed):
                wrong.append(f"{path.name}: {result.code}: {result.message}")
        assert time.monotonic() - began < MAX_SECONDS, path
    assert not wrong, "\n".join(wrong)
