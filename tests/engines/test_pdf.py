"""PDF: reading order, structure, places, and what is wrong with a file."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import Damaged, Encrypted, NotFound
from desktop_rag.domain.places import boxes_for
from desktop_rag.engines.pdf_drawing import MAX_PIXELS, render_page
from desktop_rag.engines.pdf_pymupdf import PdfParser
from tests.helpers.documents import filler, make_pdf, make_placed_pdf

mupdf: Any = pymupdf


def parse(path: Path) -> ParsedDocument:
    document = PdfParser().parse(path)
    assert_consistent(document)
    return document


def assert_consistent(document: ParsedDocument) -> None:
    """Spans of blocks, pages and lines lie where the contract says."""
    for before, after in pairwise(document.blocks):
        assert before.end <= after.start
    for page in document.pages:
        for line in page.lines:
            assert page.start <= line.start < line.end <= page.end
    for before_page, after_page in pairwise(document.pages):
        assert before_page.end <= after_page.start


def texts(document: ParsedDocument, kind: BlockKind) -> list[str]:
    return [document.text[b.start : b.end] for b in document.blocks if b.kind is kind]


def column(x: float, lines: list[str], top: float = 100) -> list[tuple[float, float, str]]:
    return [(x, top + 13 * number, line) for number, line in enumerate(lines)]


LEFT = [
    "The first column begins with this line",
    "and goes on with a second line of words",
    "then a third that says a little more and",
    "a fourth before the sentence is carried",
]
RIGHT = [
    "over to the other column where it ends.",
    "The second column has its own lines too",
    "with enough words in every one of them",
    "so that nobody takes it for a table row.",
]


class TestReadingOrder:
    def test_columns_are_read_left_then_right_and_the_sentence_stays_whole(
        self, tmp_path: Path
    ) -> None:
        page = [(60.0, 60.0, "# A title over both columns"), *column(60, LEFT), *column(320, RIGHT)]
        document = parse(make_placed_pdf(tmp_path / "two.pdf", [page]))
        assert "the sentence is carried over to the other column where it ends." in document.text
        assert document.text.index("fourth before") < document.text.index("second column has")

    def test_a_paragraph_over_a_page_break_stays_one_block(self, tmp_path: Path) -> None:
        first = column(60, [*LEFT[:3], "and a word that is bro-"])
        second = column(60, ["ken by the end of the page goes on here."])
        document = parse(make_placed_pdf(tmp_path / "break.pdf", [first, second]))
        assert "a word that is broken by the end" in document.text
        assert len(texts(document, BlockKind.PARAGRAPH)) == 1
        one, two = document.pages
        assert document.text[two.start : two.end].startswith("ken by")
        assert one.end <= two.start

    def test_a_real_hyphen_is_kept(self, tmp_path: Path) -> None:
        lines = ["The year-end figures are here and the year-", "end report follows in the summer."]
        document = parse(make_placed_pdf(tmp_path / "h.pdf", [column(60, lines)]))
        assert "the year-end report" in document.text

    def test_order_of_writing_does_not_matter(self, tmp_path: Path) -> None:
        page = list(reversed(column(60, LEFT)))
        document = parse(make_placed_pdf(tmp_path / "r.pdf", [page]))
        assert " ".join(LEFT) in document.text


class TestStructure:
    def test_headings_by_size_and_weight_get_levels(self, tmp_path: Path) -> None:
        page = [
            (60.0, 80.0, "# Annual report"),
            *column(60, LEFT, 110),
            (60.0, 190.0, "* Results of the year"),
            *column(60, RIGHT, 206),
        ]
        document = parse(make_placed_pdf(tmp_path / "h.pdf", [page]))
        headings = [
            (document.text[b.start : b.end], b.level)
            for b in document.blocks
            if b.kind is BlockKind.HEADING
        ]
        assert [title for title, _ in headings] == ["Annual report", "Results of the year"]
        assert headings[0][1] < headings[1][1]

    def test_table_rows_stay_rows(self, tmp_path: Path) -> None:
        rows = [
            ("Net sales", "$", "82,959", "81,434"),
            ("Cost of sales", "", "47,074", "46,179"),
            ("Gross margin", "", "35,885", "35,255"),
        ]
        page: list[tuple[float, float, str]] = [
            (300.0, 87.0, "June 2022"),
            (400.0, 87.0, "June 2021"),
        ]
        for number, (label, sign, now, then) in enumerate(rows):
            y = 100.0 + 13 * number
            page += [(60.0, y, label), (300.0, y, now), (400.0, y, then)]
            page += [(280.0, y, sign)] if sign else []
        document = parse(make_placed_pdf(tmp_path / "t.pdf", [page]))
        (table,) = texts(document, BlockKind.TABLE)
        assert table.split("\n") == [
            "June 2022 | June 2021",
            "Net sales | $82,959 | 81,434",
            "Cost of sales | 47,074 | 46,179",
            "Gross margin | 35,885 | 35,255",
        ]

    def test_a_missing_cell_keeps_its_place(self, tmp_path: Path) -> None:
        page: list[tuple[float, float, str]] = []
        for number, cells in enumerate([("A", "1", "2", "3"), ("B", "4", "", "6")]):
            for x, cell in zip((60.0, 200.0, 300.0, 400.0), cells, strict=True):
                page += [(x, 100.0 + 13 * number, cell)] if cell else []
        (table,) = texts(parse(make_placed_pdf(tmp_path / "t.pdf", [page])), BlockKind.TABLE)
        assert table == "A | 1 | 2 | 3\nB | 4 |  | 6"

    def test_a_label_on_two_lines_is_one_row(self, tmp_path: Path) -> None:
        page = [
            (60.0, 100.0, "Other income"), (300.0, 100.0, "12"), (400.0, 100.0, "13"),
            (60.0, 113.0, "Total change in unrealised gains on"),
            (60.0, 125.0, "securities"), (300.0, 125.0, "14"), (400.0, 125.0, "15"),
        ]  # fmt: skip
        (table,) = texts(parse(make_placed_pdf(tmp_path / "t.pdf", [page])), BlockKind.TABLE)
        assert table.split("\n")[1] == "Total change in unrealised gains on securities | 14 | 15"

    def test_list_items_are_lists(self, tmp_path: Path) -> None:
        page = column(60, ["• first item of the list", "• second item", "3) third item"])
        document = parse(make_placed_pdf(tmp_path / "l.pdf", [page]))
        assert len(texts(document, BlockKind.LIST)) == 3

    def test_running_heads_and_page_numbers_stay_out(self, tmp_path: Path) -> None:
        pages = [
            [
                (60.0, 30.0, "Acme Corp confidential"),
                *column(60, [f"Page body {filler(12, seed=number)}", *LEFT]),
                (290.0, 820.0, f"Page {number} of 4"),
            ]
            for number in range(1, 5)
        ]
        document = parse(make_placed_pdf(tmp_path / "n.pdf", pages))
        assert "confidential" not in document.text
        assert "of 4" not in document.text
        assert document.text.count("Page body") == 4

    def test_a_number_of_its_own_over_every_page_stays(self, tmp_path: Path) -> None:
        numbers = (4711, 4803, 4750, 4999)
        pages = [[(60.0, 40.0, f"Invoice {n}"), *column(60, LEFT, 120)] for n in numbers]
        document = parse(make_placed_pdf(tmp_path / "i.pdf", pages))
        assert all(f"Invoice {number}" in document.text for number in numbers)

    def test_ligatures_and_composed_accents_are_plain(self, tmp_path: Path) -> None:
        document = mupdf.open()
        page = document.new_page()
        page.insert_htmlbox((72, 72, 400, 200), "<p>The \ufb01nal cafe\u0301 o\ufb03ce</p>")
        document.save(tmp_path / "lig.pdf")
        document.close()
        assert "The final café office" in parse(tmp_path / "lig.pdf").text

    def test_metadata(self, tmp_path: Path) -> None:
        document = parse(make_pdf(tmp_path / "m.pdf", ["text"], title="A good title"))
        assert (document.title, document.created) == ("A good title", "2024-01-31")
        assert parse(make_pdf(tmp_path / "f.pdf", ["text"], title="scan0001.docx")).title == ""
        assert parse(make_pdf(tmp_path / "g.pdf", ["text"], title="0001018724-22")).title == ""


class TestPlaces:
    def test_page_labels_beside_physical_numbers(self, tmp_path: Path) -> None:
        labels = [
            {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
            {"startpage": 2, "prefix": "", "style": "D", "firstpagenum": 1},
        ]
        pages = ["preface", "contents", "chapter one", "chapter two"]
        document = parse(make_pdf(tmp_path / "l.pdf", pages, labels=labels))
        assert [(p.number, p.label) for p in document.pages] == [
            (1, "i"), (2, "ii"), (3, "1"), (4, "2"),
        ]  # fmt: skip

    @pytest.mark.parametrize("rotation", [0, 90, 180, 270])
    def test_boxes_cover_the_ink_and_little_else(self, tmp_path: Path, rotation: int) -> None:
        """Pixels: all ink of the page lies in the boxes, and every box holds ink."""
        page = [(60.0, 60.0, "# Heading"), *column(60, LEFT), *column(320, RIGHT)]
        path = make_placed_pdf(tmp_path / "r.pdf", [page], rotation=rotation)
        document = parse(path)
        outside, empty = ink_outside_boxes(path, document)
        assert outside == 0
        assert empty == 0
        if rotation in (90, 270):
            assert document.pages[0].width > document.pages[0].height

    def test_boxes_on_a_cropped_page(self, tmp_path: Path) -> None:
        source = make_placed_pdf(tmp_path / "full.pdf", [column(60, LEFT)])
        document = mupdf.open(source)
        document[0].set_cropbox(mupdf.Rect(40, 60, 400, 300))
        document.save(tmp_path / "crop.pdf")
        document.close()
        parsed = parse(tmp_path / "crop.pdf")
        assert (parsed.pages[0].width, parsed.pages[0].height) == (360, 240)
        assert ink_outside_boxes(tmp_path / "crop.pdf", parsed) == (0, 0)

    def test_part_of_a_line_gets_part_of_its_box(self, tmp_path: Path) -> None:
        document = parse(make_placed_pdf(tmp_path / "p.pdf", [column(60, LEFT)]))
        start = document.text.index("second line")
        (box,) = boxes_for(document.pages, document.text, start, start + len("second line"))
        expected = mupdf.get_text_length("and goes on with a ", fontname="helv", fontsize=10)
        assert box.x0 == pytest.approx(60 + expected, abs=2)
        assert box.y0 < 113 < box.y1

    def test_a_span_over_two_pages_has_boxes_on_both(self, tmp_path: Path) -> None:
        document = parse(make_pdf(tmp_path / "2.pdf", ["the end of one", "the start of two"]))
        boxes = boxes_for(document.pages, document.text, 0, len(document.text))
        assert {box.page for box in boxes} == {1, 2}

    def test_sideways_text_on_an_upright_page_is_read(self, tmp_path: Path) -> None:
        document = mupdf.open()
        page = document.new_page()
        for number, line in enumerate(LEFT):
            page.insert_text((100 + 14 * number, 700), line, fontsize=10, rotate=90)
        document.save(tmp_path / "side.pdf")
        document.close()
        parsed = parse(tmp_path / "side.pdf")
        assert " ".join(LEFT) in parsed.text
        assert ink_outside_boxes(tmp_path / "side.pdf", parsed) == (0, 0)


def ink_outside_boxes(path: Path, document: ParsedDocument, scale: float = 2.0) -> tuple[int, int]:
    """Dark pixels outside all boxes of page 1, and boxes without any dark pixel."""
    image = mupdf.Pixmap(render_page(path, 1, scale).png)
    gray = mupdf.Pixmap(mupdf.csGRAY, image)
    boxes = boxes_for(document.pages, document.text, document.pages[0].start, document.pages[0].end)
    filled = [False] * len(boxes)
    outside = 0
    for y in range(gray.height):
        row = gray.samples_mv[y * gray.stride : y * gray.stride + gray.width]
        for x in (x for x in range(gray.width) if row[x] < 128):
            hits = [
                n
                for n, b in enumerate(boxes)
                if b.x0 * scale - 1 <= x <= b.x1 * scale + 1
                and b.y0 * scale - 1 <= y <= b.y1 * scale + 1
            ]
            outside += not hits
            for number in hits:
                filled[number] = True
    return outside, filled.count(False)


class TestRendering:
    def test_scale_is_pixels_per_point(self, tmp_path: Path) -> None:
        path = make_pdf(tmp_path / "a.pdf", ["hello"])
        page = render_page(path, 1, 1.5)
        image = mupdf.Pixmap(page.png)
        assert (page.width, page.height) == (595, 842)
        assert image.width == pytest.approx(595 * 1.5, abs=1)

    def test_a_monstrous_page_is_drawn_within_bounds(self, tmp_path: Path) -> None:
        document = mupdf.open()
        document.new_page(width=14000, height=14000).insert_text((100, 100), "big")
        document.save(tmp_path / "big.pdf")
        document.close()
        image = mupdf.Pixmap(render_page(tmp_path / "big.pdf", 1, 4.0).png)
        assert image.width * image.height <= MAX_PIXELS * 1.01

    def test_a_page_that_does_not_exist(self, tmp_path: Path) -> None:
        with pytest.raises(NotFound, match="2 pages"):
            render_page(make_pdf(tmp_path / "a.pdf", ["1", "2"]), 3, 1.0)


def many_pages(path: Path) -> bytes:
    """Five pages of packed text; the bytes, which are also in `path`."""
    document = mupdf.open()
    for number in range(5):
        document.new_page().insert_textbox((50, 50, 550, 800), filler(300, seed=number))
    document.save(path, deflate=True)
    document.close()
    return path.read_bytes()


def nth(data: bytes, mark: bytes, number: int) -> int:
    """Offset of the `number`th `mark` in `data`."""
    return [found.start() for found in re.finditer(mark, data)][number - 1]


class TestBadFiles:
    def test_a_password_is_told_from_damage(self, tmp_path: Path) -> None:
        with pytest.raises(Encrypted, match=r"secret\.pdf.*password"):
            parse(make_pdf(tmp_path / "secret.pdf", ["x"], password="pw"))

    def test_an_owner_password_alone_opens(self, tmp_path: Path) -> None:
        document = mupdf.open()
        document.new_page().insert_text((72, 72), "restricted but readable")
        document.save(
            tmp_path / "o.pdf", encryption=mupdf.PDF_ENCRYPT_AES_256, owner_pw="o", user_pw=""
        )
        document.close()
        assert "restricted but readable" in parse(tmp_path / "o.pdf").text

    def test_rubbish_is_damaged(self, tmp_path: Path) -> None:
        (tmp_path / "x.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
        with pytest.raises(Damaged, match=r"x\.pdf"):
            parse(tmp_path / "x.pdf")

    def test_a_lost_cross_reference_is_repaired(self, tmp_path: Path) -> None:
        data = make_pdf(tmp_path / "a.pdf", ["still readable text"]).read_bytes()
        (tmp_path / "b.pdf").write_bytes(data[: data.rindex(b"startxref")])
        assert "still readable text" in parse(tmp_path / "b.pdf").text

    @pytest.mark.parametrize("whole", [1, 2, 4])
    def test_a_file_cut_off_says_which_pages_are_lost(self, tmp_path: Path, whole: int) -> None:
        data = many_pages(tmp_path / "a.pdf")
        end = nth(data, b"endstream", whole)
        (tmp_path / "b.pdf").write_bytes(data[: end + 20])
        document = parse(tmp_path / "b.pdf")
        lost = [page.number for page in document.pages if page.start == page.end]
        assert len(lost) == 5 - whole
        listed = ", ".join(map(str, lost))
        note = f"This PDF is damaged; {len(lost)} of 5 pages could not be read: page"
        assert document.notes[0].startswith(note)
        assert document.notes[0].endswith(f" {listed}.")

    def test_a_page_that_breaks_off_is_noted(self, tmp_path: Path) -> None:
        data = many_pages(tmp_path / "a.pdf")
        (tmp_path / "b.pdf").write_bytes(data[: nth(data, b"endstream", 3) - 500])
        assert "text may be missing on page 3 of 5" in parse(tmp_path / "b.pdf").notes[1]

    def test_a_whole_file_has_no_note_and_a_mended_one_a_mild_one(self, tmp_path: Path) -> None:
        data = many_pages(tmp_path / "a.pdf")
        assert parse(tmp_path / "a.pdf").notes == ()
        (tmp_path / "b.pdf").write_bytes(data.replace(b"startxref\n", b"startxref\n9"))
        assert "all its pages were read" in parse(tmp_path / "b.pdf").notes[0]
        (tmp_path / "c.pdf").write_bytes(data[: data.rindex(b"startxref")])
        assert "end of this PDF is missing" in parse(tmp_path / "c.pdf").notes[0]

    def test_nothing_left_of_a_damaged_file_is_not_called_a_file_without_text(
        self, tmp_path: Path
    ) -> None:
        data = make_pdf(tmp_path / "a.pdf", ["one", "two"]).read_bytes()
        (tmp_path / "b.pdf").write_bytes(data[: data.index(b"/Contents")])
        with pytest.raises(Damaged, match=r"b\.pdf.*not a readable PDF"):
            parse(tmp_path / "b.pdf")

    @pytest.mark.parametrize("kids", ["[2 0 R]", "[3 0 R]", "[3 0 R 3 0 R]", "[1 0 R]", "9"])
    @pytest.mark.parametrize("count", ["", "/Count 1", "/Count -1", "/Count 100000000"])
    def test_a_page_tree_that_leads_nowhere_is_damaged(
        self, tmp_path: Path, kids: str, count: str
    ) -> None:
        (tmp_path / "c.pdf").write_text(
            "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
            f"2 0 obj\n<</Type/Pages/Kids{kids}{count}>>\nendobj\n"
            "3 0 obj\n<</Type/Pages/Kids[2 0 R]/Count 1/Parent 2 0 R>>\nendobj\n"
            "trailer\n<</Root 1 0 R/Size 4>>\n%%EOF\n"
        )
        with pytest.raises(Damaged, match=r"c\.pdf.*not a readable PDF"):
            parse(tmp_path / "c.pdf")

    def test_a_page_tree_without_pages_cannot_be_drawn(self, tmp_path: Path) -> None:
        (tmp_path / "c.pdf").write_bytes(many_pages(tmp_path / "a.pdf")[:300])
        with pytest.raises(Damaged, match=r"c\.pdf"):
            render_page(tmp_path / "c.pdf", 1, 1.0)

    def test_mupdf_is_quiet(self, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        data = make_pdf(tmp_path / "a.pdf", ["text"]).read_bytes()
        (tmp_path / "b.pdf").write_bytes(data[:-40])
        parse(tmp_path / "b.pdf")
        assert capfd.readouterr() == ("", "")
