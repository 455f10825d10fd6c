"""Placeholders: one for a value, back again, and offsets that go along."""

from __future__ import annotations

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from desktop_rag.domain.masking import Mask, Private, PrivateSpan, unfinished

_WORD = re.compile(r"\b(?:[\w.]+@[\w.]+|\d{6,})\b")


def find(text: str) -> list[PrivateSpan]:
    return [
        PrivateSpan(
            found.start(),
            found.end(),
            Private.EMAIL if "@" in found.group() else Private.PHONE,
            found.group().casefold(),
        )
        for found in _WORD.finditer(text)
    ]


@pytest.fixture
def mask() -> Mask:
    return Mask(find)


def test_one_value_has_one_placeholder_for_ever(mask: Mask) -> None:
    assert mask.masked("Ask a@b.org or c@d.org.").text == "Ask EMAIL_1 or EMAIL_2."
    assert mask.masked("C@D.org, 123456").text == "EMAIL_2, PHONE_1"
    assert mask.masked("Nothing here.").text == "Nothing here."


def test_the_data_comes_back(mask: Mask) -> None:
    mask.masked("Ask a@b.org or 123456.")
    assert mask.unmasked("EMAIL_1 and PHONE 1, not EMAIL_7.") == "a@b.org and 123456, not EMAIL_7."


class SlowText(str):
    """Lets other threads go on where it is looked through for a placeholder."""

    __slots__ = ()

    def __contains__(self, word: object) -> bool:
        time.sleep(0.02)
        return str(word) in str(self)


def test_one_value_has_one_placeholder_in_all_threads(mask: Mask) -> None:
    start = threading.Barrier(4)

    def masked(text: str) -> str:
        start.wait()
        return mask.masked(text).text

    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(masked, [SlowText("Ask a@b.org.")] * 4))
    assert texts == ["Ask EMAIL_1."] * 4


def test_a_document_may_hold_such_words_itself(mask: Mask) -> None:
    text = "Column EMAIL_1 holds a@b.org."
    masked = mask.masked(text).text
    assert masked == "Column EMAIL_1 holds EMAIL_2."
    assert mask.unmasked(masked) == text


def test_offsets_move_with_the_text(mask: Mask) -> None:
    text = "Ask anna.maria@example.org today or 123456 later."
    masked = mask.masked(text)
    for word in ("Ask", "today", " or ", "later"):
        moved = masked.moved(text.index(word))
        assert masked.text[moved:].startswith(word)
    assert masked.moved(len(text)) == len(masked.text)
    assert masked.moved(text.index("maria")) == masked.text.index("EMAIL_1")


def test_different_values_are_counted_by_kind(mask: Mask) -> None:
    counted = mask.count(["a@b.org and A@b.org", "c@d.org, 123456"])
    assert counted == (("e-mail address", 2), ("phone number", 1))
    assert mask.count(["none"]) == ()


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Ask EMA", "EMA"),
        ("Ask EMAIL_", "EMAIL_"),
        ("Ask EMAIL_12", "EMAIL_12"),
        ("Ask EMAIL_12 ", ""),
        ("I", "I"),
        ("The", ""),
        ("HID", ""),
        ("", ""),
    ],
)
def test_what_may_still_become_a_placeholder(text: str, rest: str) -> None:
    assert text[unfinished(text) :] == rest
