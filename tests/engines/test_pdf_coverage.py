"""PDF: which pages wait for recognition, and what becomes of every page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from desktop_rag.domain.documents import Coverage, ParsedDocument, RecognisedLine, RecognisedPage
from desktop_rag.domain.errors import NoText
from desktop_rag.domain.places import boxes_for
from desktop_rag.engines import pdf_pages
from desktop_rag.engines.pdf_pymupdf import PdfParser
from tests.helpers.documents import filler, make_pdf, make_scan

mupdf: Any = pymupdf
SHIFTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM",
)


def parse(path: Path, recognised: Sequence[RecognisedPage] = ()) -> ParsedDocument:
    document = PdfParser().parse(path, recognised)
    assert_every_page_counts_once(document.coverage)
    return document


def assert_every_page_counts_once(coverage: Coverage) -> None:
    named = [
        *coverage.recognised,
        *coverage.waiting,
        *coverage.blank,
        *(page for page, _ in coverage.skipped),
    ]
    assert len(named) == len(set(named))
    assert coverage.read + len(named) == coverage.pages


def ocr(number: int, *lines: tuple[str, tuple[float, float, float, float]]) -> RecognisedPage:
    found = [RecognisedLine(text, *box, 0.95) for text, box in lines]
    return RecognisedPage(number, tuple(found), 0, "fake-1")


def scan_with(path: Path, texts: Sequence[tuple[float, float, str, int]], pages: int = 1) -> Path:
    """A scan with the same texts on every page: x, y, text and render mode."""
    document = mupdf.open(make_scan(path.with_suffix(".scan.pdf"), pages=pages))
    for page in document:
        for x, y, text, mode in texts:
            page.insert_text((x, y), text, fontsize=9, render_mode=mode)
    document.save(path)
    document.close()
    return path


class TestWaiting:
    def test_a_scan_waits_with_all_its_pages(self, tmp_path: Path) -> None:
        document = parse(make_scan(tmp_path / "scan.pdf", pages=3))
        assert document.coverage.waiting == (1, 2, 3)
        assert (document.text, len(document.pages)) == ("", 3)

    def test_a_page_of_outlined_letters_waits(self, tmp_path: Path) -> None:
        source = mupdf.open(make_pdf(tmp_path / "a.pdf", [filler(60)]))
        svg = source[0].get_svg_image(text_as_path=True)
        source.close()
        pictured = mupdf.open("pdf", mupdf.open("svg", svg.encode()).convert_to_pdf())
        pictured.save(tmp_path / "outlined.pdf")
        pictured.close()
        assert parse(tmp_path / "outlined.pdf").coverage.waiting == (1,)

    def test_a_stamp_does_not_make_a_scan_a_text_and_stays_beside_it(self, tmp_path: Path) -> None:
        path = scan_with(tmp_path / "s.pdf", [(60, 20, "BATES 000471", 0)])
        document = parse(path)
        assert document.coverage.waiting == (1,)
        assert document.text == "BATES 000471"
        stamp = ("BATE5 00O471", (60, 11, 125, 23))
        read = parse(path, [ocr(1, stamp, ("This text is only a picture.", (72, 84, 330, 106)))])
        assert read.coverage.recognised == (1,)
        assert read.text == "BATES 000471\n\nThis text is only a picture."

    def test_a_stamp_that_runs_over_all_pages_leaves_nothing(self, tmp_path: Path) -> None:
        document = mupdf.open(make_scan(tmp_path / "scan.pdf", pages=4))
        for number, page in enumerate(document, start=1):
            page.insert_text(
                (60, 20), f"Case 21-1009   Filed 09/14/21   Page {number} of 4", fontsize=8
            )
        document.save(tmp_path / "stamped.pdf")
        document.close()
        parsed = parse(tmp_path / "stamped.pdf")
        assert (parsed.text, parsed.coverage.waiting) == ("", (1, 2, 3, 4))

    def test_a_scanned_page_among_others_waits_alone(self, tmp_path: Path) -> None:
        document = mupdf.open(make_scan(tmp_path / "s.pdf"))
        document.new_page().insert_text((72, 72), "one page with text")
        document.new_page()
        document.save(tmp_path / "mixed.pdf")
        document.close()
        parsed = parse(tmp_path / "mixed.pdf")
        assert "one page with text" in parsed.text
        assert parsed.coverage == Coverage(pages=3, read=1, waiting=(1,), blank=(3,))

    def test_a_text_page_with_a_logo_does_not_wait(self, tmp_path: Path) -> None:
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", ["A short letter."]))
        picture = mupdf.open(make_scan(tmp_path / "l.pdf"))[0].get_pixmap().tobytes("png")
        document[0].insert_image((400, 20, 560, 60), stream=picture)
        document.save(tmp_path / "b.pdf")
        document.close()
        assert parse(tmp_path / "b.pdf").coverage == Coverage(pages=1, read=1)

    def test_letters_that_are_no_language_wait_and_are_replaced(self, tmp_path: Path) -> None:
        rubbish = "\n".join(filler(9, seed=n).translate(SHIFTED) for n in range(30))
        path = make_pdf(tmp_path / "r.pdf", [rubbish, filler(9)])
        document = parse(path)
        assert document.coverage.waiting == (1,)
        assert "recognised from the picture" in document.notes[0]
        read = parse(path, [ocr(1, ("The pressure rose.", (72, 80, 200, 92)))])
        assert read.text.startswith("The pressure rose.")
        assert rubbish.split()[0] not in read.text
        assert (read.coverage.recognised, read.coverage.read, read.notes) == ((1,), 1, ())

    def test_a_recognised_page_with_nothing_is_blank(self, tmp_path: Path) -> None:
        document = mupdf.open(make_scan(tmp_path / "s.pdf"))
        document.new_page().insert_text((72, 72), "one page with text")
        document.save(tmp_path / "m.pdf")
        document.close()
        assert parse(tmp_path / "m.pdf", [ocr(1)]).coverage == Coverage(pages=2, read=1, blank=(1,))
        with pytest.raises(NoText, match=r"s\.pdf.*not even in pictures"):
            parse(tmp_path / "s.pdf", [ocr(1)])

    def test_recognised_lines_have_their_boxes(self, tmp_path: Path) -> None:
        line = ("This text is only a picture.", (72.0, 84.0, 330.0, 106.0))
        document = parse(make_scan(tmp_path / "s.pdf"), [ocr(1, line)])
        (box,) = boxes_for(document.pages, document.text, 0, len(document.text))
        assert (box.x0, box.y0, box.x1, box.y1) == line[1]

    def test_what_is_not_waited_for_is_not_put_in(self, tmp_path: Path) -> None:
        path = make_pdf(tmp_path / "a.pdf", [filler(80)])
        assert parse(path, [ocr(1, ("Something else", (72, 80, 200, 92)))]).text == parse(path).text


class TestLayers:
    def test_a_good_layer_over_a_scan_is_its_text(self, tmp_path: Path) -> None:
        words = "This text is only a picture."
        document = parse(scan_with(tmp_path / "s.pdf", [(72, 100, words, 3)]))
        assert document.text == words
        assert document.coverage == Coverage(pages=1, read=1)
        assert document.notes == ()

    def test_a_bad_layer_waits_and_serves_until_then(self, tmp_path: Path) -> None:
        bad = "«T.hi5 t3xt» (s 0nIy| a_ p1c;turc. xq~ vVn rn,m lI1| #;: wz. qk~ x^ 7h1s I5~ b;ad"
        path = scan_with(tmp_path / "s.pdf", [(72, 98, f"{bad} {bad}", 3)])
        document = parse(path)
        assert document.coverage.waiting == (1,)
        assert "turc" in document.text
        read = parse(path, [ocr(1, ("This text is only a picture.", (72, 84, 330, 106)))])
        assert read.text == "This text is only a picture."


class TestPageCounts:
    def test_tables_are_counted(self, tmp_path: Path) -> None:
        document = mupdf.open()
        page = document.new_page()
        for row in range(5):
            page.insert_text((72, 100 + 14 * row), f"Item {row}")
            page.insert_text((300, 100 + 14 * row), f"{row * 31}.50")
        document.save(tmp_path / "t.pdf")
        document.close()
        assert parse(tmp_path / "t.pdf").coverage.tables == 1

    def test_lost_pages_are_skipped_as_damaged(self, tmp_path: Path) -> None:
        document = mupdf.open()
        for number in range(4):
            document.new_page().insert_textbox((50, 50, 550, 800), filler(300, seed=number))
        document.save(tmp_path / "a.pdf", deflate=True)
        document.close()
        data = (tmp_path / "a.pdf").read_bytes()
        (tmp_path / "b.pdf").write_bytes(data[: data.index(b"endstream") + 20])
        coverage = parse(tmp_path / "b.pdf").coverage
        assert coverage.skipped == ((2, "damaged"), (3, "damaged"), (4, "damaged"))

    def test_a_page_with_endless_instructions_is_skipped(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pdf_pages, "_LARGE_CONTENT", 2_000)
        monkeypatch.setattr(pdf_pages, "_MAX_CONTENT", 1_000_000)
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", [filler(50), "bomb"]))
        (xref,) = document[1].get_contents()
        document.update_stream(xref, b"BT /helv 9 Tf (x) Tj ET\n" * 100_000, compress=True)
        document.save(tmp_path / "b.pdf")
        document.close()
        assert parse(tmp_path / "b.pdf").coverage.skipped == ((2, "limit"),)
