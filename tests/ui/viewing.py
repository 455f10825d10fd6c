"""Real files behind the viewer: the real readers run in this process, the real façade over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import (
    ChunkId,
    PageImage,
    ReadDocument,
    RecognisedLine,
    RecognisedPage,
)
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines.registry import build_reader
from desktop_rag.services.locating import Locator
from desktop_rag.ui.main_window import MainWindow
from tests.helpers.fakes import fake_engines

SCANNED = "Invoice 4711 is due on 31 March."


class WithRecognition:
    """The real readers, and a recogniser that always reads one line."""

    def __init__(self, reader: DocumentReader) -> None:
        self._reader = reader

    def read(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ReadDocument:
        return self._reader.read(path, recognised)

    def recognise(self, path: Path, page: int) -> RecognisedPage:
        line = RecognisedLine(SCANNED, 60, 100, 400, 118, 0.9)
        return RecognisedPage(page, (line,), engine="stub-1")

    def recogniser(self) -> str:
        return "stub-1"

    def digest(self, path: Path) -> str:
        return self._reader.digest(path)

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        return self._reader.render_page(path, page, scale)

    def versions(self) -> dict[str, str]:
        return self._reader.versions()


@pytest.fixture(scope="module")
def reader() -> DocumentReader:
    tokenizer = paths.shipped("models", "all-minilm-l6-v2-int8", "tokenizer.json")
    return WithRecognition(build_reader(tokenizer, 256))


@pytest.fixture
def library(tmp_path: Path, reader: DocumentReader) -> Iterator[App]:
    with App.open(tmp_path / "data", fake_engines(reader=reader)) as app:
        yield app


@pytest.fixture
def viewed(library: App, open_window: Callable[[App], MainWindow]) -> MainWindow:
    return open_window(library)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    return folder


def read(app: App, path: Path) -> None:
    app.add([path])
    app.start_indexing()
    assert app.wait_until_indexed(20)
    assert [file.failure for file in app.files() if file.path == str(path)] == [""]


def cite(app: App, path: Path, quote: str, number: int = 1) -> Citation:
    """A citation as an answer makes it."""
    catalog = app._catalog
    document = catalog.document_at(str(path))
    assert document is not None
    text = catalog.text(document)
    start = text.index(quote)
    end = start + len(quote)
    place = Locator(catalog).place(document, start, end)
    file = catalog.file(document)
    return Citation(
        number, document, ChunkId(1), file.path, file.title, "", place.page, place.label,
        text[start:end], start, end, file.sha256, 0.9, place.boxes, place.name,
    )  # fmt: skip
