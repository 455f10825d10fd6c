"""What of a passage is shown for a question."""

from __future__ import annotations

import pytest

from desktop_rag.domain.excerpts import Excerpt, excerpt

LONG = f"{'Some opening words. ' * 40}The warranty lasts five years. {'Closing remarks. ' * 40}"


def marked(piece: Excerpt) -> list[str]:
    return [piece.text[start:end] for start, end in piece.marks]


def test_it_shows_where_the_words_stand() -> None:
    piece = excerpt(LONG, "how many years of WARRANTIES?", 120)
    assert marked(piece) == ["warranty", "years"]
    assert piece.text.startswith("… ")
    assert piece.text.endswith(" …")
    assert len(piece.text) <= 120 + 4


def test_the_most_different_words_win() -> None:
    text = f"oil oil oil oil {'x ' * 200} the oil pump holds {'x ' * 200}"
    assert marked(excerpt(text, "oil pump", 100)) == ["oil", "pump"]


def test_a_short_text_is_shown_whole() -> None:
    assert excerpt("Tea\n is  hot.", "tea") == Excerpt("Tea is hot.", ((0, 3),))


def test_without_a_match_it_is_the_beginning() -> None:
    piece = excerpt(LONG, "zebra", 50)
    assert piece == Excerpt("Some opening words. Some opening words. Some …", ())


def test_a_match_near_the_end() -> None:
    piece = excerpt(f"{'word ' * 100}warranty", "warranty", 60)
    assert marked(piece) == ["warranty"]
    assert piece.text.endswith("warranty")


@pytest.mark.parametrize(
    ("text", "question", "words"),
    [
        ("Höhere Gewalt", "hohere", ["Höhere"]),
        ("人々は東京都に住む", "東京都", ["東京都"]),
        ("a" * 5000 + " warranty", "warranty", ["warranty"]),
        ("", "warranty", []),
        ("the of and", "the of and", []),
    ],
)
def test_any_text(text: str, question: str, words: list[str]) -> None:
    assert marked(excerpt(text, question, 100)) == words
