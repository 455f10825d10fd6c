"""Recognised pages go through the layout, and every box stays where the page shows it."""

from __future__ import annotations

import pytest

from desktop_rag.domain.documents import BlockKind, Box, RecognisedLine, RecognisedPage
from desktop_rag.domain.layout.recognised import recognised_text
from desktop_rag.domain.page_assembly import assemble_pages
from desktop_rag.domain.places import boxes_for

WIDTH, HEIGHT = 600.0, 800.0


def on_page(text: str, x: float, y: float, *, width: float = 0.0, size: float = 12) -> Box:
    """Where a line stands on the upright page."""
    return Box(1, x, y, x + (width or 0.5 * size * len(text)), y + size)


def scanned(lines: list[tuple[str, Box]], rotation: int) -> RecognisedPage:
    """The page as it is displayed when clockwise turns by `rotation` set it upright."""
    found = [RecognisedLine(text, *_shown(box, rotation), 0.9) for text, box in lines]
    return RecognisedPage(1, tuple(found), rotation, "fake-1")


def _shown(box: Box, rotation: int) -> tuple[float, float, float, float]:
    """Turn an upright box back, counterclockwise."""
    if rotation == 90:
        return box.y0, WIDTH - box.x1, box.y1, WIDTH - box.x0
    if rotation == 180:
        return WIDTH - box.x1, HEIGHT - box.y1, WIDTH - box.x0, HEIGHT - box.y0
    if rotation == 270:
        return HEIGHT - box.y1, box.x0, HEIGHT - box.y0, box.x1
    return box.x0, box.y0, box.x1, box.y1


def two_columns() -> list[tuple[str, Box]]:
    lines = [("A TITLE OVER THE COLUMNS", on_page("A TITLE OVER THE COLUMNS", 60, 40, size=24))]
    for x, side in ((60, "left"), (320, "right")):
        for n in range(6):
            text = f"this is line {n} on the {side} side"
            lines.append((text, on_page(text, x, 100 + 16 * n)))
    return sorted(lines, key=lambda line: line[1].y0)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_turned_scan_is_read_in_columns_with_its_boxes_as_displayed(rotation: int) -> None:
    page = scanned(two_columns(), rotation)
    size = (HEIGHT, WIDTH) if rotation in (90, 270) else (WIDTH, HEIGHT)
    document = assemble_pages([recognised_text(page, *size)])
    assert document.text.index("line 5 on the left") < document.text.index("line 0 on the right")
    heading = document.blocks[0]
    assert heading.kind is BlockKind.HEADING
    assert document.text[heading.start : heading.end] == "A TITLE OVER THE COLUMNS"
    start = document.text.index("this is line 3 on the right")
    whole = "this is line 3 on the right side"
    (box,) = boxes_for(document.pages, document.text, start, start + len(whole))
    expected = _shown(on_page(whole, 320, 148), rotation)
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx(expected)


def test_lines_of_other_letters_are_not_other_print() -> None:
    """Boxes of lines without descenders are lower; that makes neither headings nor paragraphs."""
    lines = [
        (text, on_page(text, 60, 100 + 16 * n, size=13 - 2.5 * (n % 2)))
        for n, text in enumerate(
            ["anyone may copy this page, they say", "we were not seen here"] * 4
        )
    ]
    document = assemble_pages([recognised_text(scanned(lines, 0), WIDTH, HEIGHT)])
    assert [block.kind for block in document.blocks] == [BlockKind.PARAGRAPH]


def test_touching_boxes_of_a_line_are_words_apart() -> None:
    lines = [
        ("Total amount", on_page("", 60, 100, width=70)),
        ("due", on_page("", 130, 100, width=20)),
    ]
    document = assemble_pages([recognised_text(scanned(lines, 0), WIDTH, HEIGHT)])
    assert document.text == "Total amount due"


def test_cells_side_by_side_become_a_table() -> None:
    lines = []
    for n, (name, value) in enumerate([("Apples", "12"), ("Pears", "7"), ("Plums", "1,405")]):
        lines += [
            (name, on_page(name, 60, 100 + 16 * n)),
            (value, on_page(value, 300, 100 + 16 * n)),
        ]
    document = assemble_pages([recognised_text(scanned(lines, 0), WIDTH, HEIGHT)])
    assert document.text == "Apples | 12\nPears | 7\nPlums | 1,405"


def test_an_empty_page_is_an_empty_page() -> None:
    document = assemble_pages([recognised_text(RecognisedPage(1, ()), WIDTH, HEIGHT)])
    assert document.text == ""
    assert (document.pages[0].width, document.pages[0].height) == (WIDTH, HEIGHT)
