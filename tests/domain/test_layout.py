"""Reading order, rows, tables and running heads from rectangles alone."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.domain.documents import BlockKind
from desktop_rag.domain.layout.blocks import page_layout_blocks
from desktop_rag.domain.layout.columns import reading_regions
from desktop_rag.domain.layout.fragments import Fragment, LayoutBlock, TextStyle
from desktop_rag.domain.layout.headings import heading_levels
from desktop_rag.domain.layout.rows import rows_of
from desktop_rag.domain.running_heads import without_running_heads

STYLE = TextStyle(size=10, is_bold=False)


def fragment(
    text: str, x: float, y: float, *, size: float = 10, width: float = 0, is_bold: bool = False
) -> Fragment:
    x1 = x + (width or len(text) * size * 0.5)
    box = (x, y, x1, y + 1.2 * size)
    return Fragment(text, *box, size, is_bold, box)


def lines(texts: Sequence[str], x: float, y: float = 100) -> list[Fragment]:
    return [fragment(text, x, y + 13 * n, width=140) for n, text in enumerate(texts)]


def cells(fragments: Sequence[Fragment]) -> list[list[str]]:
    """The texts of all cells, row by row."""
    return [["".join(f.text for f in cell) for cell in row.cells] for row in rows_of(fragments)]


def words(number: int) -> list[str]:
    return [f"column {number} has line {n} of it" for n in range(6)]


def test_three_columns_under_a_title() -> None:
    title = fragment("A title over all of the columns of this page", 50, 60, width=480)
    page = [title, *lines(words(1), 50), *lines(words(2), 220), *lines(words(3), 390)]
    regions = reading_regions(page[::-1])
    order = [f.text[:8] for region in regions for f in region]
    firsts = [text for n, text in enumerate(order) if n == 0 or order[n - 1] != text]
    assert firsts == ["A title ", "column 1", "column 2", "column 3"]


def test_text_between_columns_and_below_them_splits_the_bands() -> None:
    wide = fragment("A heading that reaches over both of the columns", 50, 200, width=320)
    page = [*lines(words(1), 50), *lines(words(2), 230), wide]
    page += [*lines(words(3), 50, 230), *lines(words(4), 230, 230)]
    order = [f.text[:8] for region in reading_regions(page) for f in region]
    assert list(dict.fromkeys(order)) == [
        "column 1", "column 2", "A headin", "column 3", "column 4",
    ]  # fmt: skip


def test_a_table_is_not_taken_for_columns() -> None:
    page = [fragment(f"Revenue of segment {n}", 50, 100 + 13 * n) for n in range(8)]
    page += [fragment(f"{n},000", 300, 100 + 13 * n) for n in range(8)]
    assert len(reading_regions(page)) == 1
    (block,) = page_layout_blocks(page, STYLE)
    assert (block.kind, len(block.rows)) == (BlockKind.TABLE, 8)


def test_signs_join_their_figure_and_close_figures_stay_apart() -> None:
    row = [
        fragment("Net income", 50, 100), fragment("$", 200, 100), fragment("9,243", 230, 100),
        fragment("$", 260, 100), fragment("680", 290, 100), fragment("(12", 310, 100),
        fragment(")", 326, 100),
    ]  # fmt: skip
    assert cells(row) == [["Net income", "$9,243", "$680", "(12)"]]


def test_a_footnote_mark_belongs_to_its_row() -> None:
    label = fragment("Services", 50, 100)
    mark = fragment("(3)", label.x1 + 1, 96, size=6)
    row = [mark, label, fragment("19,604", 300, 100), fragment("17,486", 400, 100)]
    assert cells(row) == [["Services(3)", "19,604", "17,486"]]


def test_rows_of_arabic_and_hebrew_begin_on_the_right() -> None:
    row = [fragment("עולם", 100, 100), fragment("שלום", 125, 100)]
    assert [[f.text for f in cell] for cell in rows_of(row)[0].cells] == [["שלום", "עולם"]]
    table = [fragment("١٢", 50, 100), fragment("مجموع كلي", 300, 100)]
    assert cells(table) == [["مجموع كلي", "١٢"]]


def test_wide_word_spaces_in_justified_text_are_no_table() -> None:
    page = [
        fragment("dictum gravida mauris.", 50, 100), fragment("Nam arcu libero,", 190, 100),
        fragment("id magna.", 50, 113), fragment("Donec vehicula augue eu neque.", 120, 113),
        fragment("and the last line", 50, 126),
    ]  # fmt: skip
    assert {block.kind for block in page_layout_blocks(page, STYLE)} == {BlockKind.PARAGRAPH}


def test_levels_of_headings() -> None:
    def heading(text: str, size: float) -> LayoutBlock:
        return LayoutBlock(BlockKind.HEADING, rows_of([fragment(text, 50, 100, size=size)]))

    blocks = [
        heading("Report", 20), heading("Chapter", 14), heading("PART I", 10),
        heading("Item 1. Statements", 10), heading("Revenue", 10),
    ]  # fmt: skip
    levels = heading_levels(blocks, STYLE)
    assert levels == sorted(set(levels))


PLACED = st.builds(
    lambda text, x, y, size: fragment(text, x, y, size=size),
    st.sampled_from(["word", "$", "1,234", "two words here", "(1)", "•", "A. x", "—", "2023"]),
    st.floats(0, 500),
    st.floats(0, 700),
    st.sampled_from([5.0, 8.0, 10.0, 18.0]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PLACED, max_size=60))
def test_no_fragment_is_lost_or_read_twice(page: list[Fragment]) -> None:
    blocks = page_layout_blocks(page, STYLE)
    seen = [id(f) for b in blocks for row in b.rows for cell in row.cells for f in cell]
    assert Counter(seen) == Counter(id(f) for f in page)


def test_a_page_with_very_many_labels_takes_seconds_not_minutes() -> None:
    page = [
        fragment("x1", (n * 7919) % 560, (n * 104729) % 7900 / 10, size=8 if n % 3 else 5)
        for n in range(10_000)
    ]
    began = time.monotonic()
    page_layout_blocks(page, STYLE)
    assert time.monotonic() - began < 30


class TestRunningHeads:
    def remaining(self, pages: Sequence[Sequence[Fragment]]) -> list[list[str]]:
        return [
            [f.text for f in page] for page in without_running_heads(pages, [800.0] * len(pages))
        ]

    def page(self, *extra: Fragment) -> list[Fragment]:
        return [*extra, *lines(words(1), 50, 150)]

    def test_foot_with_a_changing_chapter_loses_its_fixed_parts(self) -> None:
        pages = [
            self.page(
                fragment("Statements", 50, 770), fragment(f"Chapter {'ABCDE'[n]}", 200, 770),
                fragment(str(n + 4), 500, 770),
            )
            for n in range(5)
        ]  # fmt: skip
        kept = self.remaining(pages)
        assert [page[0] for page in kept] == [f"Chapter {letter}" for letter in "ABCDE"]
        assert all(len(page) == 7 for page in kept)

    def test_roman_numbers_and_prefixes(self) -> None:
        pages = [
            self.page(fragment(label, 300, 20))
            for label in ("i", "ii", "iii", "Page 1 of 3", "Page 2 of 3", "Page 3 of 3")
        ]
        assert self.remaining(pages) == [words(1)] * 6

    def test_large_print_is_no_running_head(self) -> None:
        pages = [self.page(fragment("Results", 50, 20, size=24)) for _ in range(4)]
        assert all(page[0] == "Results" for page in self.remaining(pages))

    def test_the_head_of_a_table_over_many_pages_stays(self) -> None:
        head = ("Date", "Company", "Place")
        pages = [
            [fragment(t, 50 + 150 * n, 50) for n, t in enumerate(head)]
            + [
                fragment(f"{p}{r}{n}", 50 + 150 * n, 63 + 13 * r)
                for r in range(9)
                for n in range(3)
            ]
            for p in range(5)
        ]
        assert all(page[:3] == list(head) for page in self.remaining(pages))

    def test_records_that_count_with_the_pages_stay(self) -> None:
        pages = [[fragment(f"Record {n}", 50, 100), *lines(words(1), 50, 113)] for n in range(1, 6)]
        assert all(page[0] == f"Record {n}" for n, page in enumerate(self.remaining(pages), 1))

    @pytest.mark.parametrize("count", [0, 1, 2])
    def test_short_documents_keep_everything(self, count: int) -> None:
        pages = [self.page(fragment("Head", 50, 20)) for _ in range(count)]
        assert all(page[0] == "Head" for page in self.remaining(pages))


def test_a_label_keeps_the_words_behind_it_and_figures_keep_their_column() -> None:
    assert cells([fragment("Name:", 50, 100), fragment("Ada", 110, 100)]) == [["Name:Ada"]]
    assert cells([fragment("Sum:", 50, 100), fragment("1,405", 110, 100)]) == [["Sum:", "1,405"]]


def test_one_row_of_wide_word_gaps_is_no_table() -> None:
    rows = [
        fragment("The pressure in the valve rose and fell again in June.", 50, 100 - 13, width=400)
    ]
    rows += [fragment("A sentence ends.", 50, 100, width=180), fragment("Another", 250, 100)]
    assert BlockKind.TABLE not in [block.kind for block in page_layout_blocks(rows, STYLE)]
