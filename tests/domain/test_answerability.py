"""Refusing questions that the passages are not about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.answerability import coverage, evidence_for, judge
from desktop_rag.domain.answers import Confidence, Passage
from desktop_rag.domain.documents import ChunkId, DocumentId

WARRANTY = "The warranty covers parts and labour for twenty-four months from the purchase."
OIL = "The oil embargo of 1973 raised the price of crude oil to twelve dollars."


def passage(text: str, similarity: float | None, title: str = "") -> Passage:
    return Passage(
        chunk=ChunkId(1),
        document=DocumentId(1),
        path="a.pdf",
        title=title,
        section="",
        text=text,
        start=0,
        end=len(text),
        sha256="",
        pages=None,
        page_label="",
        score=0.01,
        similarity=similarity,
        dense_rank=1,
        keyword_rank=1,
    )


def test_nothing_found_is_nothing() -> None:
    assert judge("How long is the warranty?", []) is Confidence.NONE
    assert evidence_for("How long is the warranty?", []) == 0


def test_words_and_meaning_together_are_sure() -> None:
    found = [passage(WARRANTY, 0.6), passage(OIL, 0.1)]
    assert judge("How long does the warranty cover parts?", found) is Confidence.HIGH


def test_another_topic_is_refused() -> None:
    found = [passage(WARRANTY, 0.22), passage(OIL, 0.2)]
    assert judge("Who won the chess championship?", found) is Confidence.NONE


def test_one_shared_word_is_not_enough() -> None:
    found = [passage(OIL, 0.3)]
    assert judge("What is the price of a chess board in Paris?", found) is Confidence.NONE


def test_other_words_for_the_same_thing_are_enough() -> None:
    assert judge("guarantee duration", [passage(WARRANTY, 0.73)]) is not Confidence.NONE


def test_without_cosines_words_decide() -> None:
    assert judge("warranty months", [passage(WARRANTY, None)]) is not Confidence.NONE
    assert judge("chess board", [passage(WARRANTY, None)]) is Confidence.NONE


def test_confidence_grows_with_evidence() -> None:
    order = [Confidence.NONE, Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH]
    judged = [judge("guarantee", [passage(WARRANTY, x)]) for x in (0.5, 0.75, 0.9, 1.0)]
    assert judged == order


def test_an_inflected_word_is_covered() -> None:
    assert coverage("covering warranties purchased", [passage(WARRANTY, 0.5)]) == 1


def test_title_counts() -> None:
    assert coverage("crane manual", [passage("Grease it weekly.", 0.5, "Crane manual")]) == 1


def test_coverage_of_several_passages_counts_half() -> None:
    both = [passage(WARRANTY, 0.5), passage(OIL, 0.5)]
    assert coverage("warranty oil", both) == pytest.approx(0.75)


@pytest.mark.parametrize("question", ["", "what is it", "\U0001f600"])
def test_a_question_without_content_is_refused(question: str) -> None:
    assert judge(question, [passage(WARRANTY, 0.3)]) is Confidence.NONE


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (0.0, Confidence.NONE),
        (0.99, Confidence.NONE),
        (1.05, Confidence.LOW),
        (1.2, Confidence.MEDIUM),
        (2.0, Confidence.HIGH),
    ],
)
def test_words_decide_where_cosines_mean_nothing(evidence: float, expected: Confidence) -> None:
    found = [replace(passage(WARRANTY, None), word_evidence=evidence), passage(OIL, None)]
    assert judge("Wie lange gilt die Garantie?", found) is expected


def test_what_is_shown_as_likely_is_not_refused() -> None:
    found = [replace(passage(WARRANTY, 0.22), relevance=relevance) for relevance in (0.1, 0.29)]
    assert judge("Who won the chess championship?", found) is Confidence.NONE
    found.append(replace(found[0], relevance=0.3))
    assert judge("Who won the chess championship?", found) is Confidence.LOW
