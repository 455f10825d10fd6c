"""What one answer is worth: text, citations, sentences, refusals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.answer_grading import cites, claim_spans, graded, is_free_form
from desktop_rag.domain.answers import Answer, Citation, Confidence, RetrievalFigures
from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.evaluation import Place, Question

FIGURES = RetrievalFigures(0, 0, 0, 0, 0)
ASKED = Question(
    "q", "How much oil?", places=(Place("pump", span=(10, 30)),), answers=("4 litres",)
)


def citation(number: int = 1, path: str = "pump", start: int = 0, end: int = 20) -> Citation:
    return Citation(
        number, DocumentId(1), ChunkId(1), path, "", "", 3, "", "holds four litres of oil", start,
        end, "", 0.5,
    )  # fmt: skip


def answer(text: str, *cited: Citation, found: bool = True) -> Answer:
    return Answer("?", text, cited, Confidence.HIGH, found, FIGURES)


def values(question: Question, given: Answer) -> dict[str, float]:
    return graded(question, given, lambda path: path)


def test_a_right_answer() -> None:
    assert values(ASKED, answer("4 litres [1].", citation())) == {
        "answered": 1,
        "token F1": 1,
        "contains gold": 1,
        "exact match": 1,
        "citation precision": 1,
        "citation recall": 1,
        "faithfulness": 1,
    }


def test_a_citation_of_another_place_costs_precision() -> None:
    given = answer("4 litres [1][2].", citation(), citation(2, start=30, end=40))
    found = values(ASKED, given)
    assert (found["citation precision"], found["citation recall"]) == (0.5, 1)
    without = values(ASKED, answer("4 litres."))
    assert (without["citation precision"], without["citation recall"]) == (0, 0)


def test_a_place_that_is_not_cited_costs_recall() -> None:
    asked = replace(ASKED, places=(*ASKED.places, Place("seal")))
    found = values(asked, answer("4 litres [1].", citation()))
    assert (found["citation precision"], found["citation recall"]) == (1, 0.5)
    graded_texts = replace(ASKED, places=(), grades={"pump": 1, "seal": 2})
    found = values(graded_texts, answer("4 litres [1].", citation(), citation(2, "gate")))
    assert (found["citation precision"], found["citation recall"]) == (0.5, 0.5)


def test_marked_sentences_are_not_faithful() -> None:
    text = "It holds 4 litres [1]. Nobody knows why."
    given = replace(answer(text, citation()), unsupported=((23, len(text)),))
    assert values(ASKED, given)["faithfulness"] == 0.5


def test_a_false_refusal_holds_no_gold_and_is_asked_nothing_else() -> None:
    # The text of a refusal is the program's, so nothing in it counts.
    assert values(ASKED, answer("No 4 litres found.", found=False)) == {
        "answered": 0,
        "refusal precision": 0,
        "token F1": 0,
        "contains gold": 0,
        "exact match": 0,
    }


def test_refusing_what_nothing_answers() -> None:
    asked = replace(ASKED, is_misleading=True, answers=())
    refused = values(asked, answer("Not found.", found=False))
    assert refused == {"refusal recall": 1, "refusal precision": 1}
    assert values(asked, answer("4 litres [1].", citation())) == {
        "refusal recall": 0,
        "faithfulness": 1,
    }


def test_a_long_answer_on_record_is_not_looked_for_word_for_word() -> None:
    long = "because the oil is thick when it is cold and thin when it is hot"
    assert is_free_form([long])
    assert not is_free_form([long, "thick oil"])
    assert not is_free_form([])
    found = values(replace(ASKED, answers=(long,)), answer("Cold oil is thick [1].", citation()))
    assert "contains gold" not in found
    assert 0 < found["token F1"] < 1


@pytest.mark.parametrize(
    ("place", "is_right"),
    [
        (Place("pump"), True),
        (Place("seal"), False),
        (Place("pump", span=(19, 40)), True),
        (Place("pump", span=(20, 40)), False),
        (Place("pump", quote="The pump holds four litres of oil and more"), True),
        (Place("pump", quote="four litres"), True),
        (Place("pump", quote="ninety bar"), False),
        (Place("pump", pages=(2, 3)), True),
        (Place("pump", pages=(2,)), False),
    ],
)
def test_where_a_citation_leads(place: Place, is_right: bool) -> None:
    assert cites(citation(), "pump", place) is is_right


def test_numbers_of_citations_alone_say_nothing() -> None:
    text = "It holds oil [1].\n[2]\n- "
    assert [text[a:b] for a, b in claim_spans(text)] == ["It holds oil [1]."]
