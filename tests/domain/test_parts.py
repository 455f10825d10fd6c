from dataclasses import replace

from desktop_rag.domain.documents import Part, PartKind
from desktop_rag.domain.parts import place_of

TEXT = "Plan\nAlpha\n\nNotes\nBeta\n\nName | Sum\nAda | 1\nBob | 2"
SLIDES = (Part(PartKind.SLIDE, 0, 10, number=1), Part(PartKind.SLIDE, 12, 22, number=2))
SHEET = Part(PartKind.SHEET, 24, len(TEXT), name="Sales", rows=(1, 4, 9))


def at(parts: tuple[Part, ...], quote: str) -> str:
    start = TEXT.index(quote)
    return place_of(parts, TEXT, start, start + len(quote))


def test_a_slide_is_named_by_its_number() -> None:
    assert at(SLIDES, "Beta") == "slide 2"


def test_a_span_over_two_slides_names_both() -> None:
    assert at(SLIDES, "Alpha\n\nNotes") == "slides 1-2"


def test_rows_are_those_of_the_file_not_of_the_text() -> None:
    assert at((SHEET,), "Ada | 1\nBob") == "sheet Sales, rows 4-9"
    assert at((SHEET,), "Bob | 2") == "sheet Sales, row 9"


def test_parts_inside_parts_are_named_from_the_outside_in() -> None:
    attachment = Part(PartKind.ATTACHMENT, 24, len(TEXT), name="q1.xlsx")
    assert at((attachment, SHEET), "Ada") == "attachment q1.xlsx, sheet Sales, row 4"


def test_a_chapter_has_number_and_name() -> None:
    chapter = Part(PartKind.CHAPTER, 0, len(TEXT), name="The Storm", number=3)
    assert at((chapter,), "Beta") == "chapter 3 (The Storm)"


def test_lines_are_counted_from_the_first_of_the_part() -> None:
    assert at((Part(PartKind.LINES, 0, len(TEXT)),), "Alpha\n\nNotes") == "lines 2-4"
    assert at((Part(PartKind.LINES, 12, len(TEXT), number=40),), "Beta") == "line 41"


def test_notes_are_named_as_such() -> None:
    parts = (SLIDES[1], Part(PartKind.NOTES, 18, 22))
    assert at(parts, "Beta") == "slide 2, notes"


def test_text_outside_all_parts_has_no_place() -> None:
    assert at((SHEET,), "Alpha") == ""


def test_rows_without_a_sheet_are_rows() -> None:
    assert at((replace(SHEET, name=""),), "Ada") == "row 4"


def test_pages_of_an_attachment() -> None:
    attachment = Part(PartKind.ATTACHMENT, 0, len(TEXT), name="a.pdf")
    pages = (Part(PartKind.PAGE, 0, 12, number=1), Part(PartKind.PAGE, 12, len(TEXT), number=2))
    assert at((attachment, *pages), "Beta") == "attachment a.pdf, page 2"
