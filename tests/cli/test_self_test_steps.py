"""What a damaged or talkative installation makes of the self-test's steps."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

from desktop_rag import network, paths
from desktop_rag.app import App
from desktop_rag.cli import self_test
from desktop_rag.cli import self_test_steps as steps
from desktop_rag.cli.self_test_steps import StepFailed, StepSkipped
from desktop_rag.domain.spans import Span
from desktop_rag.engines.scan_drawing import draw_scan
from desktop_rag.services.models import ModelLibrary
from tests.helpers.fakes import FakeIndex, fake_engines

PROGRAM = {"version": "1.0.0", "commit": "0123abc", "date": "2026-01-02"}
NO_PART = json.dumps({"program": PROGRAM, "parts": [{}]})


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "models"))
    with App.open(tmp_path / "data", fake_engines()) as opened:
        yield opened


class TestTheSearchModel:
    def test_is_told_with_its_checksum(self, app: App) -> None:
        assert "model.onnx has the SHA-256 a599d297" in steps.search_model(app)

    def test_that_is_damaged_fails(
        self, app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = tmp_path / app.models.embedder_dir().name
        shutil.copytree(app.models.embedder_dir(), folder)
        with (folder / "tokenizer.json").open("r+b") as file:
            file.write(b"!")
        monkeypatch.setattr(app.models, "embedder_dir", lambda: folder)
        with pytest.raises(StepFailed, match=r"tokenizer\.json is damaged"):
            steps.search_model(app)


class TestExactWords:
    @pytest.fixture
    def index(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeIndex:
        """An index whose model seems to be there."""
        monkeypatch.setattr(ModelLibrary, "extractor_dir", lambda _: tmp_path / "marks")
        return FakeIndex()

    def told(self, index: FakeIndex, folder: Path) -> str:
        with App.open(folder / "library", fake_engines(index=index)) as opened:
            return steps.exact_words(opened)

    def test_that_are_marked_are_told(self, index: FakeIndex, tmp_path: Path) -> None:
        index.extractor = lambda _, text: Span(text.find("42"), 59, 3.0 if "42" in text else -5.0)
        assert self.told(index, tmp_path) == "“42 litres ”"

    def test_that_are_not_marked_fail(self, index: FakeIndex, tmp_path: Path) -> None:
        with pytest.raises(StepFailed, match="does not load"):
            self.told(index, tmp_path)

    def test_that_are_others_fail(self, index: FakeIndex, tmp_path: Path) -> None:
        index.extractor = lambda _question, _text: Span(0, 14, 1.0)
        with pytest.raises(StepFailed, match="“The lighthouse” was marked"):
            self.told(index, tmp_path)

    @pytest.mark.parametrize(("is_frozen", "error"), [(False, StepSkipped), (True, StepFailed)])
    def test_without_their_model(
        self,
        app: App,
        monkeypatch: pytest.MonkeyPatch,
        error: type[Exception],
        *,
        is_frozen: bool,
    ) -> None:
        monkeypatch.setattr(app.models, "extractor_dir", lambda: None)
        monkeypatch.setattr(paths, "is_frozen", lambda: is_frozen)
        with pytest.raises(error, match="model that marks exact words"):
            steps.exact_words(app)


def test_a_llamacpp_that_is_gone_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(self_test, "library_folder", lambda: tmp_path / "lib")
    with pytest.raises(StepFailed, match=r"llama\.cpp is missing"):
        self_test._processor(tmp_path)


class TestLicences:
    @pytest.fixture
    def frozen(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """Where the texts of a frozen program lie."""
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
        folder = tmp_path / "resources" / "licences"
        folder.mkdir(parents=True)
        (folder / "MIT.txt").write_text("Permission is hereby granted")
        return folder

    def write(self, folder: Path, *files: str) -> None:
        parts = [{"name": "part", "version": "1", "licence": "MIT", "files": list(files)}]
        (folder / "index.json").write_text(json.dumps({"program": PROGRAM, "parts": parts}))

    def test_of_a_frozen_program_are_there(self, frozen: Path) -> None:
        self.write(frozen, "MIT.txt")
        assert steps.licences() == "texts of 1 parts"

    @pytest.mark.parametrize("files", [(), ("MIT.txt", "gone.txt")])
    def test_that_are_missing_fail(self, frozen: Path, files: tuple[str, ...]) -> None:
        self.write(frozen, *files)
        with pytest.raises(StepFailed, match=r"1 parts lack .*part"):
            steps.licences()

    @pytest.mark.parametrize("text", [None, "no json", "[]", '{"parts": [{}]}', NO_PART])
    def test_without_a_list_fail(self, frozen: Path, text: str | None) -> None:
        if text is not None:
            (frozen / "index.json").write_text(text)
        with pytest.raises(StepFailed, match="cannot be read"):
            steps.licences()

    def test_of_a_checkout_are_not_asked_for(self) -> None:
        with pytest.raises(StepSkipped):
            steps.licences()


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_connection_that_was_tried_fails(
    app: App, monkeypatch: pytest.MonkeyPatch, *, is_refused: bool
) -> None:
    record = network.Record()
    monkeypatch.setattr(network, "record", record)
    monkeypatch.setattr(app.connections, "_record", record)
    before = steps.tries()
    assert steps.connections(app, before).startswith("none")
    kind = network.UseKind.CONNECTION
    record.add(network.Use(0.0, "index", kind, "192.0.2.1:9", is_refused=is_refused))
    with pytest.raises(StepFailed, match=r"^1, the last one by index to 192\.0\.2\.1:9"):
        steps.connections(app, before)


def test_a_quote_that_is_nowhere_fails(app: App, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("The lamp burns oil.")
    app.add([tmp_path / "note.txt"])
    app.start_indexing()
    assert app.wait_until_indexed(20)
    with pytest.raises(StepFailed, match="does not stand in"):
        steps.cite(app, "note.txt", "The lamp burns gas")
    with pytest.raises(StepFailed, match="leads to no page"):
        steps.cite(app, "note.txt", "The lamp burns oil")


def test_a_scan_that_is_not_recognised_fails(app: App, tmp_path: Path) -> None:
    """The engines of this test read no scans."""
    app.start_indexing()
    with pytest.raises(StepFailed, match="ferry-scan"):
        steps.recognise(app, tmp_path, 20)


def test_the_scan_is_a_picture_of_text(tmp_path: Path) -> None:
    draw_scan(tmp_path / "scan.pdf", ("One line", "Another"))
    with pymupdf.open(tmp_path / "scan.pdf") as document:  # type: ignore[no-untyped-call]
        assert document[0].get_text() == ""
        assert len(document[0].get_images()) == 1
