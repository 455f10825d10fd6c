"""What keyword search cuts text into."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_rag import paths
from desktop_rag.domain.terms import FUNCTION_WORDS, MAX_TERM_CHARS, content_terms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CVE-2024-1234", ["cve", "2024", "1234", "cve2024-1234"]),
        ("snake_case", ["snake", "case", "snakecase"]),
        ("getUserName", ["get", "user", "name", "getusername"]),
        ("XC23", ["xc23"]),
        ("XC-23", ["xc", "23", "xc23"]),
        ("C++ and C#", ["c++", "and", "c#"]),
        ("3.14 of 1,234,567", ["3", "14", "3.14", "of", "1234567"]),
        ("1.234,50 or 1.234", ["1234", "50", "1234.50", "or", "1", "234", "1.234"]),
        ("Łódź, Øre", ["lodz", "ore"]),
        ("U.S.", ["u", "s", "us"]),
        ("the user's", ["the", "user"]),
        ("Ölpreis café cafe\u0301 Straße", ["olpreis", "cafe", "cafe", "strasse"]),
        ("ﬁnance ＦＵＬＬ", ["finance", "full"]),
        ("保修期为", ["保修", "修期", "期为"]),
        ("iPhone手机 漢", ["i", "phone", "iphone", "手机", "漢"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("\U0001f600 --- '); DROP", ["drop"]),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_a_very_long_run_is_cut() -> None:
    assert terms("a" * 5000) == ["a" * MAX_TERM_CHARS]


def test_content_terms_leave_out_function_words_and_repeats() -> None:
    assert content_terms("What is the warranty of the warranty card?") == ["warranty", "card"]


def test_function_words_are_those_of_the_shipped_list() -> None:
    lines = paths.shipped("resources", "stopwords", "english.txt").read_text("utf-8").splitlines()
    assert {line for line in lines if line and not line.startswith("#")} == FUNCTION_WORDS


@given(st.text(max_size=200))
@example("\ufc70")
def test_any_text_gives_terms(text: str) -> None:
    for term in terms(text):
        assert 0 < len(term) <= MAX_TERM_CHARS
        assert not any(character.isspace() for character in term)
