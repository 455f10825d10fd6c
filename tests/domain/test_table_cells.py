"""Values of the rows a question is about carry the names of their columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.domain.support import terms
from desktop_rag.domain.table_cells import with_column_names

ASKED = terms("What were total sales?")


def test_groups_of_columns_are_spread_over_them() -> None:
    text = (
        "Three Months | Nine Months\nJuly 2023 | June 2022 | July 2023 | June 2022\n"
        "Pumps | 1 | 2 | 3 | 4\nTotal sales | $81 | $82 | $293 | $304"
    )
    assert with_column_names(text, "", ASKED).splitlines()[2:] == [
        "Pumps | 1 | 2 | 3 | 4",
        "Total sales: $81 (Three Months July 2023), $82 (Three Months June 2022),"
        " $293 (Nine Months July 2023), $304 (Nine Months June 2022)",
    ]


def test_the_rest_of_a_table_uses_the_names_it_was_given() -> None:
    assert with_column_names("Total sales | 81 | 82", "Item | 2023 | 2022", ASKED) == (
        "Total sales: 81 (2023), 82 (2022)"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Total sales | 81 | 82",  # no names at all
        "2021 | 2022 | 2023\nTotal sales | 81 | 82",  # names that do not fit
        "Item | 2023\nPumps | 4",  # not asked for
        "Total sales were 81 in 2023.",  # no table
    ],
)
def test_what_cannot_be_named_stays_as_it_is(text: str) -> None:
    assert with_column_names(text, "", ASKED) == text


def test_a_second_table_does_not_get_the_first_ones_names() -> None:
    text = "Item | 2023\nPumps | 4\nItem | 1999\nTotal sales | 7"
    assert with_column_names(text, "", ASKED).endswith("Total sales: 7 (1999)")


def test_prose_ends_a_table() -> None:
    prose = "This paragraph is long enough to be prose and not a heading within a table."
    text = f"Item | 2023\nPumps | 4\n{prose}\nTotal sales | 7"
    assert with_column_names(text, "", ASKED) == text


def test_a_table_of_words_has_its_first_row_for_header() -> None:
    text = "Source | First choice | Allergic\nUnknown | Drug A | Drug B\nLungs | Drug C | Drug D"
    assert with_column_names(text, "", terms("first choice for lungs?")).splitlines() == [
        "Source | First choice | Allergic",
        "Unknown | Drug A | Drug B",
        "Lungs: First choice Drug C, Allergic Drug D",
    ]


def test_the_right_row_stands_out_of_a_long_table() -> None:
    rows = [f"Brass valve {n} | C-{n} | {3 * n}" for n in range(40)]
    text = "\n".join([*rows, "Copper elbow 22 mm | K-17 | 348", "", "Counted in May."])
    asked = terms("On which shelf are the copper elbows?")
    assert with_column_names(text, "Article | Shelf | Count", asked).splitlines() == [
        "Copper elbow 22 mm: Shelf K-17, Count 348",
        "",
        "Counted in May.",
    ]


def test_rows_with_a_word_of_the_question_in_any_cell_stay() -> None:
    rows = [f"{n} | valve | {3 * n}" for n in range(1, 9)]
    text = "\n".join(["Number | Kind | Count", *rows, "9 | elbow | 7", "Elbows | all | 7"])
    shown = with_column_names(text, "", terms("How many elbows?")).splitlines()
    assert shown[1:] == ["9 | elbow | 7", "Elbows: Kind all, Count 7"]


def test_rows_with_a_number_of_the_question_stay() -> None:
    rows = [f"{year} | {year - 1900} | open" for year in range(2010, 2026)]
    text = "\n".join(["Period | Amount | State", *rows, "Invoices in all | 900 | paid"])
    shown = with_column_names(text, "", terms("What was the amount of the invoices in 2021?"))
    assert "2021 | 121 | open" in shown.splitlines()
    assert "2020 | 120 | open" not in shown.splitlines()


@given(st.text(alphabet="ab1 |\n$,.()", max_size=200), st.text(alphabet="a1 |/", max_size=40))
def test_no_value_of_a_line_about_the_question_is_lost(text: str, columns: str) -> None:
    asked = terms("a b")
    written = with_column_names(text, columns, asked)
    about = [line for line in text.splitlines() if terms(line).words & asked.words]
    assert terms("\n".join(about)).numbers <= terms(written).numbers
