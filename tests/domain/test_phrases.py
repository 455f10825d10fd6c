"""Word for word, however it is broken into lines."""

from __future__ import annotations

import pytest

from desktop_rag.domain.phrases import SECTION_END, holds_phrase


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Our Net Sales rose.", "net sales"),
        ("net\n   sales", "net sales"),
        ("the war-\nranty ends", "warranty ends"),
        ("the war\u00adranty ends", "warranty"),
        ("a well-\nknown fact", "well-known"),
        ("Höhere Gewalt", "hohere gewalt"),
        ("hohere Gewalt", "höhere GEWALT"),
        ("cafe\u0301 menu", "caf\u00e9 menu"),
        ("Beyonce\u2019s song", "beyoncé's"),
        ("costs (3.50 EUR)", "(3.50 EUR)"),
        ("東京都に住む", "京都"),
        ("a.b*c", "b*c"),
    ],
)
def test_held(text: str, phrase: str) -> None:
    assert holds_phrase(text, phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("internet sales", "net sales"),
        ("net salesman", "net sales"),
        ("net. sales", "net sales"),
        ("sales net", "net sales"),
        ("", "net"),
        ("aXb", "a.b"),
    ],
)
def test_not_held(text: str, phrase: str) -> None:
    assert not holds_phrase(text, phrase)


def test_no_phrase_reaches_from_a_heading_into_its_text() -> None:
    assert not holds_phrase(f"Shaft seal{SECTION_END}Shaft seals leak.", "seal shaft")
    assert holds_phrase(f"Shaft seal{SECTION_END}Oil leaks.", "shaft seal")
