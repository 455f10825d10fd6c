"""The reader as a whole: the right parser for name and content, the right reason for no parser."""

from __future__ import annotations

import random
import time
import zipfile
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from desktop_rag.domain.chunking import VERSION
from desktop_rag.domain.errors import (
    Damaged,
    Encrypted,
    ModelDamaged,
    ModelMissing,
    NoText,
    NotFound,
    PermanentError,
    TooLarge,
    Unsupported,
)
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines import parsers
from desktop_rag.engines.registry import build_reader
from desktop_rag.engines.sniffing import sniff
from desktop_rag.engines.tokenizing import TokenCounter
from tests.helpers.documents import filler, make_docx, make_pdf, make_text, make_xlsx


def test_a_document_of_every_format(tmp_path: Path, reader: DocumentReader) -> None:
    paths = [
        make_pdf(tmp_path / "a.pdf", ["# Pumps\n" + "Pressure rises.", "More."]),
        make_docx(tmp_path / "a.docx", ["# Pumps", "Pressure rises."]),
        make_text(tmp_path / "a.md", "# Pumps\n\nPressure rises.\n"),
        make_text(tmp_path / "a.html", "<h1>Pumps</h1><p>Pressure rises.</p>"),
        make_text(tmp_path / "a.txt", "Pumps\n=====\n\nPressure rises.\n"),
    ]
    for path in paths:
        read = reader.read(path)
        assert read.reader == reader.versions()[path.suffix]
        assert VERSION in read.reader
        assert read.chunks[0].section == "Pumps"
        for chunk in read.chunks:
            assert chunk.text == read.document.text[chunk.start : chunk.end]
        assert bool(read.document.pages) is (path.suffix == ".pdf")
        assert bool(read.chunks[0].pages) is (path.suffix == ".pdf")


def test_chunks_fit_the_embedder(
    tmp_path: Path, reader: DocumentReader, counter: TokenCounter
) -> None:
    read = reader.read(make_pdf(tmp_path / "a.pdf", [filler(300, seed=n) for n in range(5)]))
    assert max(counter.count(chunk.embedding_text) for chunk in read.chunks) <= 254


def test_a_file_without_title_is_called_by_its_name(tmp_path: Path, reader: DocumentReader) -> None:
    read = reader.read(make_text(tmp_path / "Q3_results.txt", "Sales rose."))
    assert read.document.title == "Q3 results"
    assert read.chunks[0].header == "Q3 results"


@pytest.mark.parametrize("name", ["a.txt", "a", "a.docx", "a.unknown"])
def test_content_wins_over_the_name(tmp_path: Path, reader: DocumentReader, name: str) -> None:
    pdf = make_pdf(tmp_path / "real.pdf", ["text of a PDF"])
    path = pdf.rename(tmp_path / name)
    assert reader.read(path).document.format == "pdf"
    assert reader.render_page(path, 1, 0.2).png.startswith(b"\x89PNG")


def test_more_disguises(tmp_path: Path, reader: DocumentReader) -> None:
    word = make_docx(tmp_path / "w.docx", ["text"]).rename(tmp_path / "w.txt")
    assert reader.read(word).document.format == "docx"
    page = make_text(tmp_path / "p.txt", "<!DOCTYPE html><html><body>text</body></html>")
    assert reader.read(page).document.format == "html"
    readme = make_text(tmp_path / "r.md", "<html>\n\n# Markdown after all\n")
    assert reader.read(readme).document.format == "markdown"
    assert reader.read(make_text(tmp_path / "README", "plain")).document.format == "text"


def test_one_endless_word_does_not_fill_the_index(tmp_path: Path, reader: DocumentReader) -> None:
    read = reader.read(make_text(tmp_path / "a.txt", "Pumps.\n\n" + "x" * 500_000))
    assert len(read.chunks) <= 3
    assert "499,800 characters" in read.document.notes[-1]


def png() -> bytes:
    mupdf: Any = pymupdf
    data: bytes = mupdf.Pixmap(mupdf.csRGB, mupdf.IRect(0, 0, 9, 9), 0).tobytes("png")
    return data


def test_reasons(tmp_path: Path, reader: DocumentReader) -> None:
    def refused(error: type[PermanentError], name: str, data: bytes, says: str) -> None:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(error, match=says) as caught:
            reader.read(tmp_path / name)
        assert name in caught.value.message

    refused(NoText, "picture.txt", png(), "no text was found in the picture")
    refused(
        Unsupported, "picture.pdf", bytes(4) + b"ftypheic" + bytes(9), "named .pdf and is a HEIC"
    )
    refused(NoText, "zero.pdf", b"", "empty")
    refused(NoText, "zero.txt", b"", "empty")
    refused(Damaged, "text.pdf", b"just words", "not a readable PDF")
    refused(Damaged, "text.docx", b"just words", "not a whole Word document")
    refused(Unsupported, "model.step", b"ISO-10303-21;", ".step")
    refused(Unsupported, "noise.txt", bytes(range(256)) * 9, "binary")
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    refused(Damaged, "old.doc", ole + bytes(99), "not a whole Word document")
    refused(Damaged, "half.zip", b"PK\x03\x04" + bytes(99), "not a whole archive")
    locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    refused(Encrypted, "locked.docx", locked, "password")
    whole = make_docx(tmp_path / "x.docx", ["x"]).read_bytes()
    refused(Damaged, "half.docx", whole[:800], "not a whole Word document")


@pytest.mark.parametrize(
    ("inside", "says"),
    [("notes/a.txt", "unpack it and add the folder"), ("META-INF/MANIFEST.MF", "Java")],
)
def test_archives_are_named(tmp_path: Path, reader: DocumentReader, inside: str, says: str) -> None:
    with zipfile.ZipFile(tmp_path / "z.txt", "w") as archive:
        archive.writestr(inside, "x")
    with pytest.raises(Unsupported, match=says):
        reader.read(tmp_path / "z.txt")


@pytest.mark.parametrize(
    ("member", "kind"),
    [
        ("xl/workbook.xml", "xlsx"),
        ("xl/workbook.bin", "xlsb"),
        ("ppt/presentation.xml", "pptx"),
        ("word/document.xml", "docx"),
        ("META-INF/container.xml", "epub"),
    ],
)
def test_packages_are_told_by_what_is_in_them(tmp_path: Path, member: str, kind: str) -> None:
    with zipfile.ZipFile(tmp_path / "z", "w") as archive:
        archive.writestr(member, "x")
    assert sniff(tmp_path / "z").kind == kind


def test_opendocument_with_and_without_password(tmp_path: Path) -> None:
    for manifest, kind in (("<encryption-data/>", "encrypted-office"), ("<file-entry/>", "ods")):
        with zipfile.ZipFile(tmp_path / "z", "w") as archive:
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            archive.writestr("META-INF/manifest.xml", manifest)
        assert sniff(tmp_path / "z").kind == kind


def test_a_workbook_with_another_name_is_a_workbook(tmp_path: Path, reader: DocumentReader) -> None:
    path = make_xlsx(tmp_path / "a.xlsx", {"Stock": [["Pump", "Flow"], ["P-7", 12]]})
    read = reader.read(path.rename(tmp_path / "a.docx"))
    assert read.document.format == "xlsx"
    assert read.reader == reader.versions()[".xlsx"]


def test_text_exports_named_like_old_office_files(tmp_path: Path, reader: DocumentReader) -> None:
    table = make_text(tmp_path / "export.xls", "Pump\tFlow\nP-7\t12\n")
    assert reader.read(table).document.text == "Pump | Flow\nP-7 | 12"
    page = make_text(tmp_path / "page.xls", "<html><table><tr><td>a<td>b</table></html>")
    assert reader.read(page).document.format == "html"
    letter = make_text(tmp_path / "letter.doc", "Dear Ada")
    assert reader.read(letter).document.text == "Dear Ada"


def test_words_that_begin_like_a_picture_are_text(tmp_path: Path, reader: DocumentReader) -> None:
    for word in ("BMW sells cars.", "MZ is short.", "RIFFs are played.", "GIFs are pictures."):
        path = make_text(tmp_path / "w.txt", word)
        assert reader.read(path).document.text == word


def test_missing_folder_and_size(
    tmp_path: Path, reader: DocumentReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotFound, match=r"gone\.pdf"):
        reader.read(tmp_path / "gone.pdf")
    with pytest.raises(Unsupported, match="folder"):
        reader.read(tmp_path)
    monkeypatch.setattr(parsers, "MAX_FILE_BYTES", 3)
    with pytest.raises(TooLarge, match=r"big\.txt"):
        reader.read(make_text(tmp_path / "big.txt", "more than three"))


def test_only_pdf_has_pages_to_show(tmp_path: Path, reader: DocumentReader) -> None:
    with pytest.raises(Unsupported, match=r"a\.md"):
        reader.render_page(make_text(tmp_path / "a.md", "text"), 1, 1.0)


def test_the_tokenizer_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        build_reader(tmp_path / "none.json", 256)
    with pytest.raises(ModelDamaged):
        build_reader(make_text(tmp_path / "bad.json", "{"), 256)


def test_counting_ignores_the_truncation_a_tokenizer_file_asks_for(counter: TokenCounter) -> None:
    assert counter.count("word " * 5000) == 5000
    assert counter.count("word") == 1
    assert len(counter.map("word " * 30_000)) == 30_000


def test_tokens_are_those_of_the_tokenizer_whatever_stands_between_words(
    counter: TokenCounter,
) -> None:
    dice = random.Random(1)
    alphabet = "abXY 0.,-é\u0301\u200b\x1c\x85\xa0\u3000日本ไทยअ🙂\n\t\r\x00[SEP]\ufeffß\u0130"
    for _ in range(500):
        text = "".join(dice.choices(alphabet, k=30))
        whole = counter._tokenizer.encode(text, add_special_tokens=False)
        starts = [start for start, end in whole.offsets if end > start]
        assert list(counter.map(text)._starts) == starts, repr(text)
        assert counter.count(text) == len(whole.ids), repr(text)


def test_a_word_of_any_length_counts_by_its_characters(counter: TokenCounter) -> None:
    assert len(counter.map("short " + "x" * 5000 + " word")) == 5002


def test_encoded_data_is_never_one_word_for_the_tokenizer(
    counter: TokenCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths: list[int] = []
    tokens = counter._tokens

    def spy(text: str) -> Any:
        lengths.append(len(text))
        return tokens(text)

    monkeypatch.setattr(counter, "_tokens", spy)
    counter.map("x" * 120_000)
    counter.count("y" * 120_000)
    assert max(lengths) <= 50_000


def test_what_is_left_out_is_not_tokenised(tmp_path: Path, reader: DocumentReader) -> None:
    data = "".join(random.Random(1).choices("abcdefghij0123456789+/", k=3_000_000))
    began = time.monotonic()
    read = reader.read(make_text(tmp_path / "a.txt", f"Before it.\n\n{data}\n\nAfter it.\n"))
    assert time.monotonic() - began < 3  # ten with all of it
    assert [chunk.text[:6] for chunk in read.chunks] == ["Before", "After "]
