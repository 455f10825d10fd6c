"""Text recognition with the real models on pages drawn by script: words, turns, skew, places."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from desktop_rag import paths
from desktop_rag.domain.documents import RecognisedPage
from desktop_rag.domain.errors import (
    Damaged,
    InvalidInput,
    ModelDamaged,
    ModelMissing,
    NotFound,
    Unsupported,
)
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.engines import ocr_models
from desktop_rag.engines.ocr_reading import LineReader, Reading, squeeze_for
from desktop_rag.engines.ocr_regions import Region, skew_of
from desktop_rag.engines.page_recogniser import OcrChoice, PageRecogniser
from desktop_rag.engines.pdf_pymupdf import PdfParser
from tests.helpers.scans import A4, PROSE, make_scan, similarity

PARSER = PdfParser()


@pytest.fixture(scope="session")
def recogniser() -> PageRecogniser:
    return PageRecogniser(OcrChoice(threads=2))


def text_of(page: RecognisedPage) -> str:
    return "\n".join(line.text for line in page.lines)


def test_a_scan_is_read_word_for_word(tmp_path: Path, recogniser: PageRecogniser) -> None:
    page = recogniser.recognise(PARSER, make_scan(tmp_path / "scan.pdf", PROSE), 1)
    assert text_of(page) == "\n".join(PROSE)
    assert (page.number, page.rotation, page.engine) == (1, 0, recogniser.name)
    assert abs(page.skew) < 0.3
    assert min(line.confidence for line in page.lines) > 0.9
    first, last = page.lines[0], page.lines[-1]
    # `drawn_page` sets the first baseline at (60, 80) and the next ones 16 points below.
    assert first.x0 == pytest.approx(59, abs=4)
    assert first.y0 == pytest.approx(69, abs=5)
    assert last.y1 == pytest.approx(83 + 16 * (len(PROSE) - 1), abs=5)


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_turned_scan_is_set_upright_with_boxes_as_displayed(
    tmp_path: Path, recogniser: PageRecogniser, rotation: int
) -> None:
    """`rotation` sets upright, so the scan is turned the other way."""
    path = make_scan(tmp_path / "turned.pdf", PROSE[:6], turn=-rotation % 360)
    page = recogniser.recognise(PARSER, path, 1)
    assert page.rotation == rotation
    assert text_of(page) == "\n".join(PROSE[:6])
    width, height = A4
    x, y = 60.0, 80.0
    beginning = {90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}[rotation]
    first = page.lines[0]
    corner = {90: (first.x1, first.y1), 180: (first.x1, first.y0), 270: (first.x0, first.y0)}
    assert corner[rotation] == pytest.approx(beginning, abs=6)


@pytest.mark.parametrize("skew", [-12.0, 2.0])
def test_an_inclined_scan_is_read_and_its_rows_are_kept(
    tmp_path: Path, recogniser: PageRecogniser, reader: DocumentReader, skew: float
) -> None:
    rows = [(f"Region {n}", f"{n * 37}.5", f"{n * 91}") for n in range(1, 8)]
    path = make_scan(tmp_path / "table.pdf", [PROSE[0], *rows], skew=skew)
    page = recogniser.recognise(PARSER, path, 1)
    assert page.skew == pytest.approx(skew, abs=0.5)
    text = reader.read(path, [page]).document.text
    for row in rows:
        assert any(all(cell in line for cell in row) for line in text.splitlines()), (row, text)


def test_columns_are_read_one_after_the_other(tmp_path: Path, recogniser: PageRecogniser) -> None:
    columns = [
        (f"{left} of the left column here", f"{left} of the right one")
        for left in ("First line", "Second line", "Third line", "Fourth line", "Fifth line")
    ]
    page = recogniser.recognise(PARSER, make_scan(tmp_path / "c.pdf", columns), 1)
    assert [line.text for line in page.lines] == [c[0] for c in columns] + [c[1] for c in columns]


def test_noise_and_low_resolution_cost_few_characters(
    tmp_path: Path, recogniser: PageRecogniser
) -> None:
    path = make_scan(tmp_path / "fax.pdf", PROSE[:8], dpi=110, noise=20, quality=35)
    assert similarity(text_of(recogniser.recognise(PARSER, path, 1)), PROSE[:8]) > 0.98


def test_scripts(tmp_path: Path, recogniser: PageRecogniser) -> None:
    lines = [
        "Größe, façade, señor, žluťoučký kůň",
        "机器学习是人工智能的一个分支",
        "東京の天気は晴れです",
    ]
    path = make_scan(tmp_path / "scripts.pdf", lines, font="china-s")
    assert similarity(text_of(recogniser.recognise(PARSER, path, 1)), lines) > 0.9


def test_a_page_without_text_has_no_lines(tmp_path: Path, recogniser: PageRecogniser) -> None:
    page = recogniser.recognise(PARSER, make_scan(tmp_path / "blank.pdf", []), 1)
    assert page == RecognisedPage(1, (), engine=recogniser.name)


def test_what_cannot_be_recognised_is_told(tmp_path: Path, reader: DocumentReader) -> None:
    path = make_scan(tmp_path / "scan.pdf", PROSE[:1])
    with pytest.raises(NotFound, match="no page 2"):
        reader.recognise(path, 2)
    note = tmp_path / "note.txt"
    note.write_text("no pages here")
    with pytest.raises(Unsupported, match=r"note\.txt"):
        reader.recognise(note, 1)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(Damaged, match=r"scan\.pdf"):
        reader.recognise(path, 1)
    path.unlink()
    with pytest.raises(NotFound, match=r"scan\.pdf"):
        reader.recognise(path, 1)


def test_reading_with_the_recognised_page_gives_its_text(
    tmp_path: Path, reader: DocumentReader
) -> None:
    path = make_scan(tmp_path / "scan.pdf", PROSE)
    assert reader.read(path).document.coverage.waiting == (1,)
    read = reader.read(path, [reader.recognise(path, 1)])
    assert read.document.coverage.waiting == ()
    assert read.document.coverage.recognised == (1,)
    assert read.chunks
    assert " ".join(PROSE[:2]) in " ".join(read.document.text.split())


def test_nothing_is_loaded_before_the_first_page() -> None:
    import subprocess

    code = (
        "import sys; from desktop_rag.engines.page_recogniser import *;"
        "print(PageRecogniser(OcrChoice()).name);"
        "print(*[m for m in ('cv2', 'PIL', 'rapidocr', 'requests')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    name, loaded = done.stdout.split("\n")[:2]
    assert name.startswith("ocr-1/PP-OCRv6_det_small+PP-OCRv6_rec_small/auto")
    assert loaded == ""


def test_a_missing_model_is_named_and_never_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Any] = []
    monkeypatch.setattr(socket.socket, "connect", lambda *args: tried.append(args))
    monkeypatch.setattr(paths, "recogniser_dir", lambda: tmp_path)
    recogniser = PageRecogniser(OcrChoice())
    assert recogniser.name == ""
    scan = make_scan(tmp_path / "scan.pdf", PROSE[:1])
    with pytest.raises(ModelMissing, match=r"PP-OCRv6_det_small\.onnx"):
        recogniser.recognise(PARSER, scan, 1)
    assert not tried


def test_switched_off(tmp_path: Path) -> None:
    recogniser = PageRecogniser(OcrChoice(language="off"))
    assert recogniser.name == ""
    with pytest.raises(Unsupported, match="switched off"):
        recogniser.recognise(PARSER, make_scan(tmp_path / "scan.pdf", PROSE[:1]), 1)


def test_a_model_of_ones_own_is_used(tmp_path: Path) -> None:
    shipped = ocr_models.find_models("auto", None)
    folder = tmp_path / "ocr" / "mine"
    folder.mkdir(parents=True)
    (folder / "rec.onnx").write_bytes(shipped.recogniser.read_bytes())
    recogniser = PageRecogniser(OcrChoice("mine", tmp_path, threads=2))
    assert recogniser.name.endswith("/mine")
    page = recogniser.recognise(PARSER, make_scan(tmp_path / "scan.pdf", PROSE[:1]), 1)
    assert text_of(page) == PROSE[0]
    with pytest.raises(ModelMissing, match=r"rec.onnx.*other"):
        ocr_models.find_models("other", tmp_path)
    with pytest.raises(InvalidInput):
        ocr_models.find_models("../mine", tmp_path)
    (folder / "rec.onnx").write_bytes(b"something else")
    with pytest.raises(ModelDamaged, match=r"rec\.onnx cannot be loaded"):
        PageRecogniser(OcrChoice("mine", tmp_path)).recognise(
            PARSER, make_scan(tmp_path / "scan.pdf", PROSE[:1]), 1
        )


class Passes:
    """A recogniser that says what it is told, pass by pass: a letter and how sure it is."""

    def __init__(self, *answers: tuple[str, float]) -> None:
        self.widths: list[int] = []
        self._answers = list(answers)

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name="x")]

    def run(self, _outputs: None, inputs: dict[str, Any]) -> list[Any]:
        self.widths.append(inputs["x"].shape[-1])
        letter, confidence = self._answers.pop(0)
        likely = np.zeros((1, 1, 4), np.float32)
        likely[0, 0, 1 + "ab".index(letter)] = confidence
        return [likely]


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        ([("a", 0.99)], "a"),
        ([("a", 0.6), ("b", 0.9)], "b"),
        ([("a", 0.6), ("b", 0.5)], "a"),
    ],
)
def test_a_doubtful_line_is_read_again_wider_and_the_surer_reading_stays(
    answers: list[tuple[str, float]], text: str
) -> None:
    session = Passes(*answers)
    page = np.full((100, 400), 255, np.uint8)
    reading = LineReader(session, "ab").read(page, Region(200, 50, 300, 40, 0.0), 0.8)
    assert (reading.text, len(session.widths)) == (text, len(answers))
    assert session.widths == sorted(set(session.widths))


def test_strips_are_squeezed_as_far_as_their_characters_allow() -> None:
    assert squeeze_for([]) == 1.0
    assert squeeze_for([Reading("a" * 10, 0.9, 10)]) == 1.0
    assert squeeze_for([Reading("a" * 5, 0.9, 10), Reading("a" * 5, 0.9, 10)]) == pytest.approx(0.8)
    assert squeeze_for([Reading("a", 0.9, 100)]) == 0.7


def test_skew_is_that_of_the_long_lines() -> None:
    def region(width: float, angle: float) -> Region:
        return Region(0, 0, width, 10, angle)

    assert skew_of([]) == 0
    assert skew_of([region(500, 3.0), region(400, 3.2), region(60, -20.0), region(12, 40.0)]) == 3.0
