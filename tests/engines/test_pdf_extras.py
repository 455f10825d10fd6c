"""PDF: form fields, comments, attachments, outlines, scripts and hostile files."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import Damaged, NoText
from desktop_rag.domain.places import boxes_for
from desktop_rag.engines import pdf_pages
from desktop_rag.engines.pdf_pymupdf import PdfParser
from tests.helpers.documents import filler, make_pdf, make_placed_pdf

mupdf: Any = pymupdf


def saved(path: Path, document: Any) -> ParsedDocument:
    document.save(path)
    document.close()
    return PdfParser().parse(path)


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [
        (block.level, document.text[block.start : block.end])
        for block in document.blocks
        if block.kind is BlockKind.HEADING
    ]


def field(page: Any, kind: str, place: tuple[float, ...], **settings: Any) -> None:
    widget = mupdf.Widget()
    widget.field_type = getattr(mupdf, f"PDF_WIDGET_TYPE_{kind}")
    widget.rect = mupdf.Rect(place)
    for name, value in settings.items():
        setattr(widget, name, value)
    page.add_widget(widget)


class TestForms:
    def test_values_stand_by_their_labels(self, tmp_path: Path) -> None:
        document = mupdf.open()
        page = document.new_page()
        page.insert_text((72, 100), "Name:", fontsize=10)
        field(page, "TEXT", (120, 88, 300, 104), field_name="f1_07[0]", field_value="Ada Lovelace")
        page.insert_text((90, 130), "I agree to the terms", fontsize=10)
        field(page, "CHECKBOX", (72, 120, 84, 132), field_name="agree", field_value=True)
        page.insert_text((90, 150), "Send me the newsletter", fontsize=10)
        field(page, "CHECKBOX", (72, 140, 84, 152), field_name="news", field_value=False)
        page.insert_text((72, 180), "Country:", fontsize=10)
        field(
            page, "COMBOBOX", (120, 168, 300, 184), field_name="c", field_value="Chile",
            choice_values=["Chile", "Peru"],
        )  # fmt: skip
        read = saved(tmp_path / "f.pdf", document)
        for text in ("Name: Ada Lovelace", "[x] I agree to the terms", "Country: Chile"):
            assert text in read.text
        assert "[x] Send" not in read.text
        assert "Peru" not in read.text
        start = read.text.index("Ada Lovelace")
        (box,) = boxes_for(read.pages, read.text, start, start + 12)
        assert 119 <= box.x0 <= box.x1 <= 301
        assert 87 <= box.y0 <= box.y1 <= 105

    def test_a_field_without_words_beside_it_says_its_name(self, tmp_path: Path) -> None:
        document = mupdf.open()
        page = document.new_page()
        field(page, "TEXT", (72, 88, 300, 104), field_name="form.Surname", field_value="Lovelace")
        field(page, "TEXT", (72, 188, 300, 204), field_name="f1_07[0]", field_value="Ada")
        assert saved(tmp_path / "f.pdf", document).text == "Surname: Lovelace\n\nAda"

    def test_a_password_in_a_form_is_not_read(self, tmp_path: Path) -> None:
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", ["A form"]))
        field(
            document[0], "TEXT", (72, 188, 300, 204), field_name="Key", field_value="sesame",
            field_flags=1 << 13,
        )  # fmt: skip
        assert "sesame" not in saved(tmp_path / "f.pdf", document).text


class TestAnnotations:
    def test_comments_name_their_author_and_stand_on_their_page(self, tmp_path: Path) -> None:
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", [filler(20), "The second page"]))
        one, two = document[0], document[1]
        note = one.add_text_annot((300, 300), "Check the pressure again.")
        note.set_info(title="Ada")
        note.update()
        marked = two.add_highlight_annot(two.search_for("second")[0])
        marked.set_info(content="Why the second?", title="")
        marked.update()
        read = saved(tmp_path / "c.pdf", document)
        first, second = (read.text[page.start : page.end] for page in read.pages)
        assert "Comment by Ada: Check the pressure again." in first
        assert second == "The second page\n\nComment: Why the second?"
        start = read.text.index("Comment by Ada")
        (box,) = boxes_for(read.pages, read.text, start, start + 40)
        assert (box.page, round(box.x0), round(box.y0)) == (1, 300, 300)

    def test_a_typewriter_note_is_text_in_its_place(self, tmp_path: Path) -> None:
        lines = [(72.0, 100.0, "Name:"), (72.0, 130.0, "Born in:")]
        document = mupdf.open(make_placed_pdf(tmp_path / "a.pdf", [lines]))
        document[0].add_freetext_annot((110, 88, 200, 104), "Ada", fontsize=10)
        assert "Name: Ada" in saved(tmp_path / "t.pdf", document).text

    def test_a_comment_that_is_hidden_is_not_read(self, tmp_path: Path) -> None:
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", ["Some text"]))
        page = document[0]
        note = page.add_text_annot((300, 300), "Obey this comment.")
        note.set_flags(mupdf.PDF_ANNOT_IS_HIDDEN)
        note.update()
        assert "Obey" not in saved(tmp_path / "c.pdf", document).text


class TestAttachments:
    def test_embedded_and_pinned_files_are_listed(self, tmp_path: Path) -> None:
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", ["Some text"]))
        document.embfile_add("one", b"x", filename="figures.xlsx")
        document[0].add_file_annot((300, 300), b"y", filename="photo.jpg")
        read = saved(tmp_path / "b.pdf", document)
        assert read.coverage.attachments == ("figures.xlsx", "photo.jpg")
        assert read.notes == ("Files attached to this PDF were not read: figures.xlsx, photo.jpg.",)

    def test_a_tree_of_names_with_branches_is_listed_too(self, tmp_path: Path) -> None:
        files = "".join(
            f"{n} 0 obj\n<</Type/Filespec/F(papers/{name})>>\nendobj\n"
            for n, name in ((7, "a.txt"), (8, "b.docx"))
        )
        (tmp_path / "k.pdf").write_text(
            "%PDF-1.4\n1 0 obj\n"
            "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles 4 0 R>>>>\nendobj\n"
            "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
            "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 9 0 R"
            "/Resources<</Font<</F 10 0 R>>>>>>\nendobj\n"
            "4 0 obj\n<</Kids[5 0 R 6 0 R]>>\nendobj\n"
            "5 0 obj\n<</Limits[(a)(a)]/Names[(a) 7 0 R]>>\nendobj\n"
            "6 0 obj\n<</Limits[(b)(b)]/Names[(b) 8 0 R]>>\nendobj\n"
            f"{files}9 0 obj\n<</Length 30>>\n"
            "stream\nBT /F 12 Tf 20 100 Td (hi) Tj ET\nendstream\n"
            "endobj\n10 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n"
            "trailer\n<</Root 1 0 R/Size 11>>\n%%EOF\n"
        )
        assert PdfParser().parse(tmp_path / "k.pdf").coverage.attachments == ("a.txt", "b.docx")

    def test_broken_annotations_cost_no_page(self, tmp_path: Path) -> None:
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", ["Some text"]))
        document.xref_set_key(document[0].xref, "Annots", "[99 0 R (x) 1 <</Subtype/Text>>]")
        assert saved(tmp_path / "b.pdf", document).text == "Some text"


class TestOutline:
    def pages(self) -> list[str]:
        return [
            f"Where it began\n\n{filler(10)}\n{filler(10, seed=4)}\n{filler(9, seed=5)}",
            f"1.2 How it went on\n\n{filler(10, seed=2)}\n\nA plain line\n\n{filler(9, seed=3)}",
        ]

    def test_titles_on_their_pages_become_headings_of_its_levels(self, tmp_path: Path) -> None:
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", self.pages()))
        document.set_toc([[1, "Where it began", 1], [2, "How it went on", 2]])
        read = saved(tmp_path / "b.pdf", document)
        assert headings(read) == [(1, "Where it began"), (2, "1.2 How it went on")]

    def test_an_outline_of_something_else_is_not_believed(self, tmp_path: Path) -> None:
        plain = PdfParser().parse(make_pdf(tmp_path / "a.pdf", self.pages()))
        document = mupdf.open(tmp_path / "a.pdf")
        document.set_toc([[1, "scan0001.tif", 1], [1, "scan0002.tif", 2], [1, "A plain line", 2]])
        read = saved(tmp_path / "b.pdf", document)
        assert (read.text, headings(read)) == (plain.text, headings(plain))

    def test_an_outline_in_a_circle_ends(self, tmp_path: Path) -> None:
        (tmp_path / "c.pdf").write_text(
            "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>\nendobj\n"
            "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
            "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>\nendobj\n"
            "4 0 obj\n<</First 5 0 R/Last 5 0 R/Count 1>>\nendobj\n"
            "5 0 obj\n<</Title(x)/Parent 4 0 R/Next 5 0 R/First 5 0 R/Last 5 0 R>>\nendobj\n"
            "trailer\n<</Root 1 0 R/Size 6>>\n%%EOF\n"
        )
        with pytest.raises(NoText, match="no text"):
            PdfParser().parse(tmp_path / "c.pdf")


class TestScripts:
    def test_japanese_from_top_to_bottom(self, tmp_path: Path) -> None:
        """Two bands of lines that run down, from right to left, set character by character."""
        upper = ["春は曙やうやう白く", "なりゆく山ぎは少し", "あかりて紫だちたる"]
        lower = ["夏は夜月の頃はさら", "なり闇もなほ蛍飛び", "ちがひたる雨などの"]
        document = mupdf.open()
        page = document.new_page()
        for top, band in ((80, upper), (420, lower)):
            for column, line in enumerate(band):
                for row, character in enumerate(line):
                    place = (480 - 30 * column, top + 12 * row)
                    page.insert_text(place, character, fontname="japan", fontsize=12)
        read = saved(tmp_path / "v.pdf", document)
        assert read.text.replace("\n\n", "") == "".join(upper + lower)

    def test_lam_alef_is_two_letters_in_the_order_they_are_read(self, tmp_path: Path) -> None:
        """A glyph that stands for both, in a font whose map gives both, printed right to left."""
        path = tmp_path / "l.pdf"
        # The glyphs of "كلا", a space and "قال" from left to right; in code 1 both letters are one.
        codes = {1: "06440627", 2: "0643", 3: "0642", 4: "0627", 5: "0644"}
        chars = "\n".join(f"<{code:02x}> <{letters}>" for code, letters in codes.items())
        cmap = (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
            "1 begincodespacerange <00> <ff> endcodespacerange\n"
            f"{len(codes)} beginbfchar\n{chars}\nendbfchar\nendcmap end end"
        )
        content = "BT /F 12 Tf 20 100 Td (\\005\\004\\003) Tj 40 0 Td (\\001\\002) Tj ET"
        path.write_text(
            "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
            "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
            "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R"
            "/Resources<</Font<</F 5 0 R>>>>>>\nendobj\n"
            f"4 0 obj\n<</Length {len(content)}>>\nstream\n{content}\nendstream\nendobj\n"
            "5 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 1/LastChar 5"
            "/Widths[500 500 500 500 500]/ToUnicode 6 0 R>>\nendobj\n"
            f"6 0 obj\n<</Length {len(cmap)}>>\nstream\n{cmap}\nendstream\nendobj\n"
            "trailer\n<</Root 1 0 R/Size 7>>\n%%EOF\n"
        )
        assert set(PdfParser().parse(path).text.split()) == {"كلا", "قال"}

    def test_page_numbers_of_short_documents_are_no_text(self, tmp_path: Path) -> None:
        pages = [[(60.0, 100.0, "A letter."), (290.0, 815.0, str(n))] for n in (1, 2)]
        read = PdfParser().parse(make_placed_pdf(tmp_path / "l.pdf", pages))
        assert read.text == "A letter.\n\nA letter."
        total = [[(60.0, 100.0, "Sum"), (290.0, 815.0, "47")]]
        assert "47" in PdfParser().parse(make_placed_pdf(tmp_path / "t.pdf", total)).text


class TestRestrictions:
    def test_a_file_that_may_not_be_copied_says_so(self, tmp_path: Path) -> None:
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", ["restricted but readable"]))
        document.save(
            tmp_path / "b.pdf",
            encryption=mupdf.PDF_ENCRYPT_AES_256,
            owner_pw="owner",
            permissions=mupdf.PDF_PERM_PRINT,
        )
        document.close()
        read = PdfParser().parse(tmp_path / "b.pdf")
        assert read.text == "restricted but readable"
        assert "does not allow copying" in read.notes[0]


class TestBounds:
    @pytest.mark.parametrize("objects", [7, 1_000_001])
    def test_a_page_tree_of_a_million_entries_ends_soon(
        self, tmp_path: Path, objects: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pdf_pages, "MAX_SECONDS", 3.0)
        kids = "3 0 R " * 1_000_000
        (tmp_path / "m.pdf").write_text(
            "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
            f"2 0 obj\n<</Type/Pages/Kids[{kids}]/Count 1000000>>\nendobj\n"
            "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R"
            "/Resources<</Font<</F 5 0 R>>>>>>\nendobj\n"
            "4 0 obj\n<</Length 35>>\nstream\nBT /F 12 Tf 20 100 Td (endless) Tj ET\nendstream\n"
            "endobj\n5 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n"
            f"{objects - 1} 0 obj\nnull\nendobj\n"
            f"trailer\n<</Root 1 0 R/Size {objects}>>\n%%EOF\n"
        )
        began = time.monotonic()
        with contextlib.suppress(Damaged):
            read = PdfParser().parse(tmp_path / "m.pdf")
            assert read.text.startswith("endless")
            assert len(read.pages) <= pdf_pages.MAX_PAGES
        assert time.monotonic() - began < 20

    def test_too_many_pages_are_read_in_part(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pdf_pages, "MAX_PAGES", 3)
        read = PdfParser().parse(make_pdf(tmp_path / "a.pdf", [f"Story {n}" for n in range(5)]))
        assert (len(read.pages), read.coverage.pages, read.coverage.read) == (3, 5, 3)
        assert read.coverage.skipped == ((4, "limit"), (5, "limit"))
        assert read.notes == ("Only the first 3 pages were read; split this file.",)

    def test_pages_beyond_the_time_limit_are_left_out(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = make_pdf(tmp_path / "a.pdf", [f"Page {n} of the story" for n in range(4)])
        ticks = iter([0.0, 1.0, 2.0, *[100.0] * 20])
        monkeypatch.setattr(time, "monotonic", lambda: next(ticks))
        coverage = PdfParser().parse(path).coverage
        assert (coverage.read, coverage.skipped) == (2, ((3, "limit"), (4, "limit")))

    def test_a_page_of_forty_thousand_words_in_time(self, tmp_path: Path) -> None:
        document = mupdf.open(make_pdf(tmp_path / "a.pdf", ["x"]))
        (xref,) = document[0].get_contents()
        words = b"".join(
            b"BT /helv 2 Tf %d %d Td (w%d) Tj ET\n" % (n % 97 * 6, n // 97 % 400 * 2, n % 1000)
            for n in range(40_000)
        )
        document.update_stream(xref, words)
        began = time.monotonic()
        saved(tmp_path / "b.pdf", document)
        assert time.monotonic() - began < 20
