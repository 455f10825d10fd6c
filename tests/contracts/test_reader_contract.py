"""What every `DocumentReader` keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.errors import NoText, NotFound, PermanentError, Unsupported
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.workers.remote import WorkerPool
from tests.contracts.conftest import keeps_all

TEXT = """# Harbour report

The harbour was dredged in March. Ships of twelve metres draught may enter.

## Prices

Äpfel cost two euros – naïve readers may be surprised 🙂.
"""


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


class TestReaderContract:
    def test_chunks_are_exact_spans_of_the_text(self, reader: DocumentReader, report: Path) -> None:
        read = reader.read(report)
        assert read.chunks
        for chunk in read.chunks:
            assert chunk.text == read.document.text[chunk.start : chunk.end]
            assert chunk.text.strip()

    def test_nothing_of_the_text_is_lost(self, reader: DocumentReader, report: Path) -> None:
        chunks = " ".join(chunk.text for chunk in reader.read(report).chunks)
        for sentence in ("The harbour was dredged in March.", "Äpfel cost two euros", "🙂"):
            assert sentence in chunks

    def test_blocks_are_in_order_and_do_not_overlap(
        self, reader: DocumentReader, report: Path
    ) -> None:
        document = reader.read(report).document
        ends = [0, *(block.end for block in document.blocks)]
        assert all(b.start >= end for b, end in zip(document.blocks, ends, strict=False))
        assert all(b.start < b.end <= len(document.text) for b in document.blocks)

    def test_ordinals_count_from_zero(self, reader: DocumentReader, report: Path) -> None:
        chunks = reader.read(report).chunks
        assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))

    def test_no_page_is_invented(self, reader: DocumentReader, report: Path) -> None:
        read = reader.read(report)
        assert read.document.pages == ()
        assert all(chunk.pages is None for chunk in read.chunks)

    def test_versions_name_what_read_records(self, reader: DocumentReader, report: Path) -> None:
        versions = reader.versions()
        assert {".pdf", ".docx", ".md", ".html", ".txt"} <= versions.keys()
        assert reader.read(report).reader == versions[".md"]

    def test_reading_is_repeatable(self, reader: DocumentReader, report: Path) -> None:
        assert reader.read(report) == reader.read(report)

    def test_an_empty_file_is_said_to_hold_no_text(
        self, reader: DocumentReader, tmp_path: Path
    ) -> None:
        path = tmp_path / "empty.txt"
        path.write_text(" \n\n", encoding="utf-8")
        with pytest.raises(NoText, match=r"empty\.txt"):
            reader.read(path)

    def test_a_file_that_is_gone_is_named(self, reader: DocumentReader, tmp_path: Path) -> None:
        with pytest.raises(NotFound, match=r"missing\.txt"):
            reader.read(tmp_path / "missing.txt")

    def test_a_program_is_not_a_document(self, reader: DocumentReader, tmp_path: Path) -> None:
        path = tmp_path / "program.exe"
        path.write_bytes(b"MZ\x00\x01binary")
        with pytest.raises(Unsupported, match=r"program\.exe"):
            reader.read(path)

    def test_after_an_error_the_next_file_is_read(
        self, reader: DocumentReader, tmp_path: Path, report: Path
    ) -> None:
        path = tmp_path / "broken.pdf"
        path.write_bytes(b"\xff\xfe%PDF-1.7 and then nothing")
        with pytest.raises(PermanentError, match=r"broken\.pdf"):
            reader.read(path)
        assert reader.read(report).chunks


def test_the_engine_in_its_child_keeps_the_contract(
    engines: WorkerPool, report: Path, tmp_path: Path
) -> None:
    values = {"reader": engines.reader, "report": report, "tmp_path": tmp_path}
    keeps_all(TestReaderContract, values.__getitem__)
