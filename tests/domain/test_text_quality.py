"""What counts as text, and what is better recognised from the picture of its page."""

from __future__ import annotations

import pytest

from desktop_rag.domain.text_quality import (
    is_badly_recognised,
    is_no_language,
    is_unreadable,
    sound_words,
)

ENGLISH = (
    "The committee met on Tuesday to discuss the budget for the coming year. Most of its members "
    "were in favour of the proposal, but two of them asked for more time to read the figures. "
) * 2
GERMAN = (
    "Der Ausschuss kam am Dienstag zusammen, um den Haushalt für das kommende Jahr zu beraten. Die "
    "meisten Mitglieder waren dafür, doch zwei baten um mehr Zeit, um die Zahlen zu prüfen. "
) * 2
TABLE = "\n".join(
    f"Segment {n} $ {n * 317:,} ({n * 91:,}) {n / 7:.2f}% Q{n % 4 + 1} 2023" for n in range(30)
)
CODES = "\n".join(f"AB-{n:05d}-XQ TXR{n * 37 % 1000:03d} GB00B{n * 977:07d} ZKJ" for n in range(30))
CODE = "\n".join(
    f"for (int i{n} = 0; i{n} < max[{n}]; ++i{n}) {{ sum += a[i{n}]; }}" for n in range(20)
)
FORM = "Name: ______________ Date: ____________\n" * 12
RUSSIAN = "Комитет собрался во вторник, чтобы обсудить бюджет на следующий год. " * 5
ONE_WORD = "xyzzy " * 200


@pytest.mark.parametrize("text", [ENGLISH, GERMAN, TABLE, CODES, CODE, FORM, RUSSIAN, ONE_WORD])
def test_text_of_any_kind_is_taken_as_it_is(text: str) -> None:
    assert not is_no_language(text)


def shifted(text: str, by: int) -> str:
    """The letters `by` places on in the alphabet, as a font with a wrong map gives them."""
    return "".join(
        chr((ord(c) - ord("a") + by) % 26 + ord("a")) if c.isascii() and c.isalpha() else c
        for c in text.lower()
    )


@pytest.mark.parametrize("text", [ENGLISH, GERMAN])
def test_letters_of_a_wrong_map_are_no_language(text: str) -> None:
    """A few maps give letters as common as a language's; most show."""
    assert sum(is_no_language(shifted(text, by)) for by in range(1, 26)) >= 20


def test_signs_in_the_place_of_letters_are_no_language() -> None:
    assert is_no_language("".join(chr(33 + (ord(c) * 7) % 15) if c != " " else c for c in ENGLISH))


@pytest.mark.parametrize(
    ("text", "unreadable", "expected"),
    [
        ("", 0, False),
        ("", 4, True),
        ("\ufffd\ufffd\ufffd", 3, True),
        (ENGLISH, 3, False),
        (ENGLISH, 80, True),
        ("The s\ufffdate of\ufffdCalif\ufffdrnia " * 8 + ENGLISH, 24, True),
        ("\ufffd Some text of a form \ufffd " * 8 + ENGLISH, 16, False),
        ("Some text of a slide with \uf0b7 \uf0b7 two bullets", 2, False),
    ],
)
def test_characters_without_meaning(text: str, unreadable: int, *, expected: bool) -> None:
    assert is_unreadable(text, unreadable) is expected


def test_bad_recognition_shows_in_its_words() -> None:
    bad = "«POAH «3E*»CM tanntxim. n u t , s*r;tiiR» and FRG&t OSZ 3s«»teership A l e t t e r l , "
    assert is_badly_recognised(bad * 3)
    assert not is_badly_recognised(ENGLISH)
    assert not is_badly_recognised(TABLE)
    assert not is_badly_recognised(RUSSIAN)
    assert sound_words(ENGLISH) == 1.0
