from __future__ import annotations

import pytest

from desktop_rag.domain.amendments import amendments
from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.citing import Place, citation_of
from tests.helpers.passages import make_passage

LEASE = make_passage(
    "The notice period is six months to the end of a quarter.", path="/lease.docx", document=1
)
QUESTION = "What is the notice period of the lease?"


def cited(passage: Passage) -> Citation:
    return citation_of(1, passage, 0, len(passage.text), lambda *_: Place(1))


def later(text: str) -> Passage:
    return make_passage(text, path="/amendment.docx", document=2, chunk=2)


@pytest.mark.parametrize(
    "sentence",
    [
        "Clause 5 is replaced: The notice period is nine months to the end of a quarter.",
        "The notice period is hereby amended to nine months.",
        "From May the notice period is nine months, no longer six.",
    ],
)
def test_what_changes_the_answer_is_quoted(sentence: str) -> None:
    expected = (f"amendment.docx may change this: “{sentence}”",)
    found = [LEASE, later(f"Amendment\n{sentence}")]
    assert amendments(QUESTION, [cited(LEASE)], found) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The notice period is nine months.",  # changes nothing
        "Clause 3 is replaced: The monthly rent is 4,650 pounds.",
        "All oil filters are replaced every nine months.",
    ],
)
def test_what_changes_nothing_asked_about_is_not(sentence: str) -> None:
    assert amendments(QUESTION, [cited(LEASE)], [LEASE, later(sentence)]) == ()


def test_an_answer_from_the_amendment_needs_no_remark() -> None:
    new = later("Clause 5 is replaced: The notice period is nine months.")
    assert amendments(QUESTION, [cited(new)], [LEASE, new]) == ()


def test_replacing_things_is_no_change_where_that_was_asked_about() -> None:
    new = make_passage("Cannulas are replaced when clinically indicated.", document=1)
    old = later("Cannulas are replaced routinely every 72 hours.")
    question = "When are cannulas replaced?"
    assert amendments(question, [cited(new)], [new, old]) == ()
