from __future__ import annotations

import pytest

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.citing import Place
from desktop_rag.domain.extracting import LOOKED_AT, best_of, likely_stretches
from tests.helpers.passages import make_passage

BRIDGE = make_passage(
    "The harbour bridge is a landmark. Engineer Anna Berg designed the harbour bridge. "
    "The harbour bridge opened to traffic on 3 May 1932. Sixteen workers died because the bridge "
    "was built in a hurry. The harbour bridge carries 160,000 cars a day.",
    title="Bridges",
    start=50,
)


def place(passage: Passage, start: int, end: int) -> Place:
    return Place(start // 100 + 1, f"p{start // 100 + 1}")


def extract(question: str, *passages: Passage) -> Citation:
    found = best_of(likely_stretches(question, passages), (), place)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("When did the harbour bridge open?", "1932"),
        ("How many cars does the harbour bridge carry?", "160,000"),
        ("Who was the designer of the harbour bridge?", "Anna Berg"),
        ("Why did workers of the harbour bridge die?", "in a hurry"),
        ("Wann wurde die Harbour Bridge opened?", "1932"),
    ],
)
def test_the_sentence_holds_the_kind_of_thing_asked_for(question: str, part: str) -> None:
    assert part in extract(question, BRIDGE).quote


def test_what_the_question_says_itself_is_no_answer() -> None:
    loud = make_passage("In 1932 people liked the harbour bridge. It carries 160,000 cars a day.")
    assert "160,000" in extract("How many cars did the harbour bridge carry in 1932?", loud).quote


def test_the_place_is_that_of_the_quote() -> None:
    citation = extract("When did the harbour bridge open?", BRIDGE)
    assert BRIDGE.text[citation.start - 50 : citation.end - 50] == citation.quote
    assert (citation.number, citation.page) == (1, citation.start // 100 + 1)


def test_a_heading_is_no_quoted_answer() -> None:
    lease = make_passage(
        "Rent and deposit\n\nThe deposit is 1,780 EUR and is paid before moving in. Pets may stay.",
        title="Lease",
    )
    assert "1,780 EUR" in extract("What is the deposit?", lease).quote


def test_a_better_ranked_passage_wins_among_equals() -> None:
    other = make_passage(BRIDGE.text, chunk=9, title="Copy")
    assert extract("When did the harbour bridge open?", BRIDGE, other).title == "Bridges"


def test_only_the_first_passages_are_looked_at() -> None:
    dull = make_passage("Nothing of interest is said here at all, as usual.")
    found = extract("When did the harbour bridge open?", *[dull] * LOOKED_AT, BRIDGE)
    assert found.quote == dull.text


def test_without_passages_there_is_nothing_to_quote() -> None:
    assert best_of(likely_stretches("When?", ()), (), place) is None


def test_a_closer_look_decides_where_there_is_one() -> None:
    likely = likely_stretches("When did the harbour bridge open?", [BRIDGE])
    closest = [0.1 * number for number in range(len(likely))]
    found = best_of(likely, closest, place)
    assert found is not None
    assert found.quote == likely[-1].text
    missing = best_of(likely, [*closest[:-1], None], place)
    assert missing is not None
    assert missing.quote == likely[0].text, "half a comparison is none"


DOSES = make_passage(
    "1. Adults Adults receive 1 g every 6 hours. The maximum daily dose is 4 g.\n"
    "2. Children Children receive 15 mg per kg every 6 hours. The maximum daily dose for children "
    "is 60 mg per kg.",
    title="Paracetamol",
)


@pytest.mark.parametrize(
    ("question", "part", "not_part"),
    [
        ("What is the maximum daily dose of paracetamol for adults?", "4 g", "60 mg"),
        ("What is the maximum daily dose of paracetamol for children?", "60 mg", "4 g"),
        ("How much paracetamol do children get?", "15 mg", "1 g"),
    ],
)
@pytest.mark.parametrize("lead", [0.0, 0.05])
def test_sentences_on_somebody_else_lose(
    question: str, part: str, not_part: str, lead: float
) -> None:
    likely = likely_stretches(question, [DOSES])
    scores = [0.6 + (lead if not_part in one.text else 0.0) for one in likely]
    found = best_of(likely, scores, place)
    assert found is not None
    assert part in found.quote
    assert not_part not in found.quote


def test_the_section_tells_sentences_apart_too() -> None:
    same = "Everybody receives 0.1 mg per kg every 4 hours."
    adults = make_passage(f"Adults\n\n{same}", title="Morphine", section="Adults")
    children = make_passage(f"Children\n\n{same}", title="Morphine", section="Children", chunk=2)
    found = extract("What is the dose of morphine for children?", adults, children)
    assert found.chunk == children.chunk
