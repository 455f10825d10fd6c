"""Clean characters, lines and mended words; sentence borders; token maps."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.domain.sentences import line_spans, sentence_spans, trimmed
from desktop_rag.domain.text_cleaning import (
    clean_block,
    clean_characters,
    clean_line,
    hyphenated_words,
    is_broken_word,
)
from desktop_rag.domain.tokens import TokenMap


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("ﬁne oﬃce", "fine office"),
        ("cafe\u0301", "café"),
        ("a\u00a0b\u2003c", "a b c"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("soft\u00adhyphen", "softhyphen"),
        ("  many   spaces\t", "many spaces"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("bidi\u202e!", "bidi!"),
    ],
)
def test_clean_line(raw: str, clean: str) -> None:
    assert clean_line(raw) == clean


@given(st.text())
def test_cleaning_is_stable_and_normalised(text: str) -> None:
    once = clean_characters(text)
    assert clean_characters(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert clean_block(clean_block(text)) == clean_block(text)


def test_clean_block_keeps_lines() -> None:
    assert clean_block("\r\na  \r\n\r\n\r\n\r\n  b\r") == "a\n\n  b"


@pytest.mark.parametrize(
    ("before", "after", "is_broken"),
    [
        ("exam-", "ple", True),
        ("year-", "end", False),
        ("pre-", "War", False),
        ("1990-", "2000", False),
        ("a –", "dash", False),
        ("exam\u00ad", "ple", True),
    ],
)
def test_broken_words(before: str, after: str, is_broken: bool) -> None:
    assert is_broken_word(before, after, hyphenated_words("The Year-End report")) is is_broken


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def test_sentences() -> None:
    assert split("One. Two! “Three?” Four") == ["One.", "Two!", "“Three?”", "Four"]
    assert split("Apple Inc. grew 3.5 % in the U.S. Market by 2 p.m. today.") == [
        "Apple Inc. grew 3.5 % in the U.S. Market by 2 p.m. today."
    ]
    assert split("第一句。第二句！第三") == ["第一句。", "第二句！", "第三"]
    assert split("row one\nrow two\n\n") == ["row one", "row two"]
    assert split("3. Oil is filled. 4.1. Bolts\n12. End") == [
        "3. Oil is filled.",
        "4.1. Bolts",
        "12. End",
    ]


@given(st.text(st.sampled_from("aB .!?\n。\"'")))
def test_sentences_cover_all_text_in_order(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert spans == sorted(spans)
    lines = line_spans(text, 0, len(text))
    assert [text[a:b] for a, b in lines] == [s.strip() for s in text.split("\n") if s.strip()]


@given(st.text(alphabet="ab \n\u3000"), st.integers(0, 20), st.integers(0, 20))
def test_spans_are_trimmed_as_their_text(text: str, start: int, end: int) -> None:
    first, last = trimmed(text, start, end)
    assert text[first:last] == text[start:end].strip()
    assert first < last or (first, last) == (start, start)


def test_cutting_a_line_of_megabytes_copies_nothing() -> None:
    class Text(str):
        __slots__ = ()

        def __getitem__(self, key: object) -> str:
            assert isinstance(key, int)
            return super().__getitem__(key)

    assert trimmed(Text("  one two "), 0, 10) == (2, 9)


def test_token_map_counts_and_fits() -> None:
    tokens = TokenMap([0, 4, 8, 12], [3, 7, 11, 15])
    assert tokens.count(0, 15) == 4
    assert tokens.count(3, 4) == 0
    assert tokens.count(5, 9) == 2
    assert tokens.count(9, 5) == 0
    assert tokens.fit(0, 15, 2) == 8
    assert tokens.fit(4, 15, 9) == 15


def test_printed_shapes_of_arabic_and_hebrew_become_letters() -> None:
    assert clean_line("\ufedf\ufea0\ufeae \ufefb \ufb2a") == "لجر لا ש\u05c1"
    assert clean_line("²③ｆ") == "²③ｆ"


def test_noncharacters_go() -> None:
    assert clean_line("a\uffffb\ufffe") == "ab"
