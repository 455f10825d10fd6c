"""The reader takes office files and books by their content, whatever they are called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.domain.ports import DocumentReader
from tests.helpers.documents import (
    make_docx,
    make_epub,
    make_opendocument,
    make_pptx,
    make_text,
)

MAKERS: dict[str, Callable[[Path], Path]] = {
    "docx": lambda path: make_docx(path, ["text"]),
    "pptx": lambda path: make_pptx(path, [["text", "line"]]),
    "odt": lambda path: make_opendocument(path, "text", "<text:p>text</text:p>"),
    "odp": lambda path: make_opendocument(
        path,
        "presentation",
        "<draw:page><draw:frame><draw:text-box><text:p>text</text:p></draw:text-box></draw:frame>"
        "</draw:page>",
    ),
    "rtf": lambda path: make_text(path, "{\\rtf1 text}"),
    "epub": lambda path: make_epub(path, {"a.xhtml": "<p>text</p>"}),
}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("name", ["a.{}", "a.txt", "a", "a.doc"])
def test_content_decides(tmp_path: Path, reader: DocumentReader, kind: str, name: str) -> None:
    made = MAKERS[kind](tmp_path / f"made.{kind}")
    path = made.rename(tmp_path / name.format(kind))
    read = reader.read(path)
    assert read.document.format == kind
    assert read.reader.startswith(f"{kind}-")
    assert read.chunks[0].text.startswith("text")


def test_slides_and_chapters_are_places(tmp_path: Path, reader: DocumentReader) -> None:
    deck = make_pptx(tmp_path / "a.pptx", [["Pumps", "Flow"]])
    assert reader.read(deck).chunks[0].place == "slide 1"
    book = make_epub(
        tmp_path / "a.epub", {"a.xhtml": "<p>text</p>"}, contents=[("a.xhtml", "Storm")]
    )
    assert reader.read(book).chunks[0].place == "chapter 1 (Storm)"
