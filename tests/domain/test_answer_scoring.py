"""The words of an answer against those of one on record."""

from __future__ import annotations

import pytest

from desktop_rag.domain.answer_scoring import contains, is_exact, normalised, token_f1


def test_case_punctuation_articles_and_marks_do_not_count() -> None:
    assert normalised("The  “Oil-crisis”, [1] an  END [12].") == ["oilcrisis", "end"]


@pytest.mark.parametrize(
    ("text", "wanted", "is_held"),
    [
        ("It began in October 1973 [1].", ["October 1973"], True),
        ("It cost nearly $12 [2].", ["$12"], True),
        ("In 1994 [1].", ["4"], False),
        ("The price rose.", ["fell", "rose"], True),
        ("Nothing.", [], False),
        ("Nothing.", ["the"], False),
        ("首都是北京。", ["北京"], True),
    ],
)
def test_an_answer_contains_whole_words_of_any_gold(
    text: str, wanted: list[str], is_held: bool
) -> None:
    assert contains(text, wanted) is is_held


def test_exact_is_all_words_and_no_others() -> None:
    assert is_exact("The Normans [1].", ["Vikings", "normans"])
    assert not is_exact("The Normans came [1].", ["Normans"])


def test_f1_takes_the_nearest_gold() -> None:
    # Two of three words are wanted and both that are wanted are there: 2 * 2 / (3 + 2).
    assert token_f1("It was Norse", ["was norse", "Danish"]) == pytest.approx(0.8)
    assert token_f1("Danish", ["Norse"]) == 0
    assert token_f1("", []) == 0
