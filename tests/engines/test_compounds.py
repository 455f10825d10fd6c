"""Compounds and the words they are made of find each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.engines.analysis import shipped_analyzer
from desktop_rag.engines.compounds import compounds, halves
from desktop_rag.engines.keywords_bm25s import KeywordIndex

OTHERS = [
    "Die Heizung wird im Herbst geprüft und es ist nicht kalt.",
    "Der Hund ist weggelaufen, und das war nicht im Sommer.",
    "Das Buch liegt auf dem Tisch und wurde nicht gelesen.",
]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Frist für die Kündigung", "Die Kündigungsfrist ist drei Monate und nicht vier."),
        ("Was ist die Kündigungsfrist?", "Für die Kündigung ist es eine Frist von vier Wochen."),
        ("Wie ist die Heizungswartung geregelt?", "Die Wartung der Heizung ist nicht im Preis."),
        ("Wie wird der Vertrag über die Miete beendet?", "Ein Mietvertrag ist nicht mündlich."),
        ("Mietvertrag", "Der Vertrag über die Miete ist nicht mündlich."),
        ("Hoe werkt het huurcontract?", "Het contract van de huur is niet in deze kast."),
        ("Vad är ett försäkringsbolag?", "Det bolag som har en försäkring ska inte vara här."),
    ],
)
def test_both_find_each_other_first(tmp_path: Path, question: str, text: str) -> None:
    index = KeywordIndex.create(tmp_path / "index", shipped_analyzer())
    index.apply(list(enumerate([*OTHERS, text])), [])
    assert index.search(question, 1).chunks == (len(OTHERS),)
    index.close()


def test_an_english_question_is_not_taken_apart(tmp_path: Path) -> None:
    index = KeywordIndex.create(tmp_path / "index", shipped_analyzer())
    index.apply(list(enumerate([*OTHERS, "Keep under the stand.", "We understand it all."])), [])
    assert index.search("what do you understand", 5).chunks == (4,)
    index.close()


def test_halves_are_words_of_the_index() -> None:
    held = {"kündigung", "frist", "haus", "tür", "miete", "vertrag"}

    def term(word: str) -> str:
        return word if word in held else ""

    assert halves("kündigungsfrist", term) == ("kündigung", "frist")
    assert halves("mietvertrag", term) == ("miete", "vertrag")
    assert halves("frist", term) == ()
    assert halves("haustür", term) == ()  # too short a half to be sure of
    assert list(
        compounds(["Frist", "Kündigung"], lambda one: one * (one == "kündigungsfrist"))
    ) == ["kündigungsfrist"]


@given(st.text(max_size=40))
def test_any_word_may_be_asked(word: str) -> None:
    assert len(halves(word, lambda half: half)) in {0, 2}
