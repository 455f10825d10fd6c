"""Words near to a misspelled one."""

from __future__ import annotations

import random
import string
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.engines.analysis import shipped_analyzer
from desktop_rag.engines.keywords_bm25s import KeywordIndex
from desktop_rag.engines.vocabulary import Vocabulary


@pytest.fixture
def vocabulary(tmp_path: Path) -> Iterator[Vocabulary]:
    made = Vocabulary(tmp_path / "words.txt")
    yield made
    made.close()


TEXT = (
    "The Protocol of the experiments; governments manage the database, and Überweisung, café. "
    "get_user XC23 NASA iPhone fooBar 東京都に住 привет"
)


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("protocl", [("protocol", 1)]),
        ("Protokol", [("protocol", 1)]),
        ("porotcol", [("protocol", 2)]),
        ("prtoocol", [("protocol", 1)]),
        ("experimnets", [("experiments", 1)]),
        ("exprimnts", [("experiments", 2)]),
        ("uberweisnug", [("überweisung", 1)]),
        ("mange", [("manage", 1)]),
        ("mnge", []),
        ("privet", []),
        ("превет", [("привет", 1)]),
        ("protocol", []),
        ("x" * 100, []),
        ("", []),
    ],
)
def test_near_words(vocabulary: Vocabulary, typed: str, near: list[tuple[str, int]]) -> None:
    vocabulary.add([TEXT])
    assert vocabulary.nearest(typed) == near


def test_only_plain_words_are_learned(vocabulary: Vocabulary, tmp_path: Path) -> None:
    vocabulary.add([TEXT, TEXT])
    vocabulary.add(["PROTOCOL Manage"])
    learned = (tmp_path / "words.txt").read_text(encoding="utf-8").split()
    assert len(set(learned)) == len(learned)
    assert set(learned) == {
        *("protocol", "experiments", "governments", "manage", "database", "überweisung", "café"),
        "привет",
    }


def test_it_is_read_again(vocabulary: Vocabulary, tmp_path: Path) -> None:
    vocabulary.add(["warranty"])
    again = Vocabulary(tmp_path / "words.txt")
    assert (again.is_new, vocabulary.is_new) == (False, True)
    again.add(["harbour"])
    assert "WARRANTY" in again
    assert again.nearest("harbor") == [("harbour", 1)]
    again.clear()
    assert again.nearest("harbor") == []
    again.close()


def test_a_hundred_thousand_words_are_compared_in_a_moment(vocabulary: Vocabulary) -> None:
    dice = random.Random(1)
    letters = string.ascii_lowercase
    vocabulary.add(
        " ".join("".join(dice.choices(letters, k=dice.randint(5, 12))) for _ in range(1000))
        for _ in range(100)
    )
    vocabulary.add(["management"])
    assert vocabulary.nearest("managment")[0] == ("management", 1)
    begin = time.perf_counter()
    for _ in range(10):
        vocabulary.nearest("managment")
    # 3 ms on an idle machine; here others may be at work.
    assert time.perf_counter() - begin < 1.0


TEXTS = {
    1: "The warranty covers parts and labour for twenty-four months of the database.",
    2: "A warrant was issued twice; the warrant names nobody.",
    3: "The heat pump is made for cold winters.",
    4: "Die Überweisung dauert zwei Tage, sagt die Bank, und das ist nicht viel für uns.",
}


@pytest.fixture
def keywords(tmp_path: Path, vocabulary: Vocabulary) -> Iterator[KeywordIndex]:
    made = KeywordIndex.create(tmp_path / "keywords", shipped_analyzer())
    made.apply(list(TEXTS.items()), [])
    vocabulary.add(TEXTS.values())
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "corrections"),
    [
        ("how long is the waranty", [("waranty", "warranty")]),
        ("warranyt", [("warranyt", "warranty")]),
        ("Uberweisnug", [("Uberweisnug", "überweisung")]),
        ("the data base", [("data base", "database")]),
        ("heatpump", [("heatpump", "heat pump")]),
        ("warranties", []),
        ("uberweisung", []),
        ('is there a "waranty" or `mnths`', []),
        ("XC32 wrrnt2 WRNT whch", []),
        ("qwertzuiop", []),
        ("", []),
    ],
)
def test_misspelled_words_of_a_question(
    keywords: KeywordIndex,
    vocabulary: Vocabulary,
    question: str,
    corrections: list[tuple[str, str]],
) -> None:
    assert keywords.corrections(question, vocabulary) == corrections


def test_words_that_are_gone_are_not_suggested(
    keywords: KeywordIndex, vocabulary: Vocabulary
) -> None:
    keywords.apply([], [2])
    assert keywords.corrections("warranyt", vocabulary) == [("warranyt", "warranty")]


def test_corrected_words_are_searched_and_count_less(
    keywords: KeywordIndex, vocabulary: Vocabulary
) -> None:
    corrections = keywords.corrections("waranty", vocabulary)
    assert keywords.search("waranty", 5).chunks == ()
    corrected = keywords.search("waranty", 5, corrections=corrections)
    typed_right = keywords.search("warranty", 5)
    assert corrected.chunks == typed_right.chunks == (1,)
    assert 0 < corrected.scores[0] < typed_right.scores[0]
