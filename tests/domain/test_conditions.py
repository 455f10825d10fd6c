from datetime import date

import pytest

from desktop_rag.domain.conditions import select
from desktop_rag.domain.table_columns import number_in, numbers_in
from desktop_rag.domain.table_records import Record, Table

TODAY = date(2024, 6, 15)
ROWS = (
    ("Anna", "Berlin", "31", "2023-03-05", "open", "yes", "1.200,50 €"),
    ("Ben", "New York", "45", "2023-11-20", "closed", "no", "90,00 €"),
    ("Cleo", "York", "45", "2022-03-01", "open", "no", "300,00 €"),
    ("Dan", "Berlin", "60", "2024-05-30", "open", "yes", "2.000,00 €"),
)
TABLE = Table(
    ("name", "city", "age", "joined", "status", "paid", "revenue"),
    tuple(Record(cells, 10 * n, 10 * n + 9) for n, cells in enumerate(ROWS)),
)


def chosen(condition: str) -> str | None:
    """Initials of those whom a condition lets through; `None`: it is not understood."""
    selected = select(TABLE, condition, TODAY)
    return None if selected is None else "".join(one.cells[0][0] for one in selected.records)


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("", "ABCD"),
        ("are there", "ABCD"),
        ("are from Berlin", "AD"),
        ("kommen aus Berlin", "AD"),
        ("viennent de Berlin", "AD"),
        ("from New York", "B"),
        ("from York", "C"),
        ("from Berlin or York", "ACD"),
        ("from Berlin and York", "ACD"),
        ("from Berlin are open", "AD"),
        ("from Berlin with status closed", ""),
        ("where the status is open", "ACD"),
        ("are paid", "AD"),
        ("open", "ACD"),
        ("older than 45", "D"),
        ("are at least 45 years old", "BCD"),
        ("under 45", None),
        ("with age under 45", "A"),
        ("have a revenue over 1,000 €", "AD"),
        ("haben einen revenue über 1000", "AD"),
        ("joined in 2023", "AB"),
        ("since 2023", "ABD"),
        ("joined since November 2023", "BD"),
        ("before 2023", "C"),
        ("until 2023", "ABC"),
        ("after 2023", "D"),
        ("in March 2023", "A"),
        ("in March", "AC"),
        ("im März 2023", "A"),
        ("in 2022-03", "C"),
        ("last month", "D"),
        ("in 1999", ""),
    ],
)
def test_understood(condition: str, names: str | None) -> None:
    assert chosen(condition) == names


@pytest.mark.parametrize(
    "condition",
    [
        "are from Germany",
        "are not from Berlin",
        "have no revenue",
        "without revenue",
        "nicht aus Berlin",
        "from Berlin or closed",
        "per city",
        "were lost",
        "are 45 or 60 or happy",
        "with a revenue over many",
    ],
)
def test_what_is_not_understood_to_the_last_word_selects_nothing(condition: str) -> None:
    assert chosen(condition) is None


def test_a_condition_says_how_it_was_understood() -> None:
    selected = select(TABLE, "from Berlin since 2024", TODAY)
    assert selected is not None
    assert selected.said == (
        "a date since 2024 in the column joined",
        "“Berlin” in the column city",
    )


def test_a_large_number_is_told_as_people_write_it() -> None:
    selected = select(TABLE, "have a revenue over 2,500,001 €", TODAY)
    assert selected is not None
    assert selected.said == ("a number > 2500001 in the column revenue",)


def test_a_month_is_not_guessed_from_dates_that_may_be_two() -> None:
    records = (Record(("a", "03/05/2023"), 0, 1), Record(("b", "04/05/2023"), 2, 3))
    table = Table(("name", "date"), records)
    assert select(table, "in March 2023", TODAY) is None
    in_2023 = select(table, "in 2023", TODAY)
    assert in_2023 is not None
    assert len(in_2023.records) == 2


def test_numbers_of_a_column_are_read_in_one_notation_or_not_at_all() -> None:
    assert numbers_in(["1.200,50", "", "300,00"]) == [1200.5, None, 300.0]
    assert numbers_in(["$1,200.50", "300"]) == [1200.5, 300.0]
    assert numbers_in(["1.200", "3.400"]) is None
    assert numbers_in(["1.200,5", "3,400.5"]) is None
    assert numbers_in(["12", "many"]) is None
    assert (number_in("1,000 €"), number_in("1.000"), number_in("2,5")) == (1000, 1000, 2.5)


def test_between_and_the_only_amount() -> None:
    assert chosen("with age between 40 and 50") == "BC"
    orders = Table(
        ("order no", "amount"),
        tuple(Record((str(n), str(n * 100)), n, n + 1) for n in range(1, 6)),
    )
    selected = select(orders, "are over 300", TODAY)
    assert selected is not None
    assert [one.cells[0] for one in selected.records] == ["4", "5"]
