"""Days in any notation."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_rag.domain.dates import dates_in

DAY = ["2023-05-03", "2023-05"]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "3 May 2023",
            "May 3, 2023",
            "the 3rd of May, 2023",
            "2023-05-03",
            "2023/5/3",
            "3.5.2023",
        ),
        *("03.05.2023", "3. 5. 2023", "am 3. Mai 2023", "3 de mayo de 2023", "3 mai\n2023"),
        *("le 3 mai 2023", "2023年5月3日", "2023년 5월 3일", "2023. május 3.", "3 maja 2023 r."),
        *("ngày 3 tháng 5 năm 2023", "3 мая 2023 года", "3. toukokuuta 2023", "3 Mayıs 2023"),
        *("3 Μαΐου 2023", "20 chairs, 2023-05-03T10:00Z"),
    ],
)
def test_a_day(text: str) -> None:
    assert dates_in(text) == DAY


def test_some_put_the_month_first() -> None:
    assert set(dates_in("03/05/2023")) == {"2023-05-03", "2023-05", "2023-03-05", "2023-03"}
    assert dates_in("13/05/2023") == ["2023-05-13", "2023-05"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in May 2023", ["2023-05"]),
        ("mai de 2023 and January 1999", ["2023-05", "1999-01"]),
        ("from 2019 to 2023", []),
        ("2019-2020", []),
        ("99.99.2023", []),
        ("version 3.10.7", []),
        ("house 2023 of street 5", []),
        ("", []),
    ],
)
def test_months_and_what_is_no_date(text: str, expected: list[str]) -> None:
    assert dates_in(text) == expected


@given(st.text(max_size=60))
@example("١٢/٠٥/2023")
@example("²/5/2023")
def test_any_text(text: str) -> None:
    assert all(len(one) in {7, 10} for one in dates_in(f"{text} 2023 {text}"))
