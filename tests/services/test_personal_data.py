"""Personal data is found in the forms of many countries, and numbers that are none stay."""

from __future__ import annotations

from itertools import pairwise

import pytest

from desktop_rag.domain.masking import Private
from desktop_rag.services.personal_data import find
from tests.benchmarks.bench_personal_data import measured


def pieces(text: str) -> list[tuple[str, str]]:
    return [(str(span.kind), text[span.start : span.end]) for span in find(text)]


def test_precision_and_recall_on_numbers_made_by_chance() -> None:
    figures = measured()
    assert figures.missed == ()
    assert figures.wrong == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("DE89 3704 0044 0532 0130 00 BIC COBADEFF", "DE89 3704 0044 0532 0130 00"),
        ("65 170839 J 003", "65 170839 J 003"),
        ("15070649C103", "15070649C103"),
        ("2 95 10 99 126 111 93", "2 95 10 99 126 111 93"),
        ("54362315K", "54362315K"),
        ("RCCMNL83S18D969H", "RCCMNL83S18D969H"),
        ("36 574 261 809", "36 574 261 809"),
        ("4111-1111-1111-1111", "4111-1111-1111-1111"),
    ],
)
def test_numbers_from_the_rules_themselves(text: str, found: str) -> None:
    assert [piece for _, piece in pieces(text)] == [found]


@pytest.mark.parametrize(
    "text",
    [
        "DE89 3704 0044 0532 0130 01",
        "65 170839 J 004",
        "2 95 10 99 126 111 92",
        "54362315A",
        "RCCMNL83S18D969A",
        "36 574 261 808",
        "4111-1111-1111-1112",
    ],
)
def test_a_wrong_check_digit_makes_it_another_number(text: str) -> None:
    assert pieces(text) == []


def test_one_value_however_it_is_written() -> None:
    text = (
        "DE89 3704 0044 0532 0130 00, DE89370400440532013000, A@x.org, a@X.org, "
        "+49 30 1234567, 0049 30 1234567"
    )
    assert [span.value for span in find(text)] == [
        "DE89370400440532013000",
        "DE89370400440532013000",
        "a@x.org",
        "a@x.org",
        "49301234567",
        "49301234567",
    ]


def test_spans_are_in_order_and_apart() -> None:
    text = "Tel. 030 1234567, mail a@b.org, card 4111 1111 1111 1111, tel +49 30 1234567."
    spans = find(text)
    assert [span.kind for span in spans] == [
        Private.PHONE,
        Private.EMAIL,
        Private.CARD,
        Private.PHONE,
    ]
    assert all(one.end <= other.start for one, other in pairwise(spans))


def test_a_long_text_takes_no_time_that_grows_faster_than_it() -> None:
    for text in ("1" * 20_000, "1 " * 10_000, "a@" * 10_000, "tel " * 5_000, "A1" * 10_000):
        assert isinstance(find(text), tuple)
