from __future__ import annotations

import pytest

from desktop_rag.domain.conflicts import Claim, are_other_things, claims_of, disagree
from tests.helpers.passages import make_passage

LEAVE = "How many days of annual leave do employees get?"


def claim(sentence: str, file: str = "handbook.docx", title: str = "", section: str = "") -> Claim:
    return Claim(sentence, f"/documents/{file}", title, section)


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (LEAVE, "Employees get 25 days of annual leave.", "Annual leave for employees is 20 days."),
        (LEAVE, "Employees get 25 days of annual leave.", "Employees get 20 days of annual leave."),
        (
            "What is the deposit?",
            "The deposit for the flat is 1,500.50 euros.",
            "The deposit for the flat is 1800 euros.",
        ),
        (
            "What did the new hall cost?",
            "The new hall cost 12345671 euros.",
            "The new hall cost 12345672 euros.",
        ),
        (
            "When did the harbour bridge open?",
            "The harbour bridge opened in 1932.",
            "The harbour bridge opened in 1934.",
        ),
        (
            "Who is the data protection officer?",
            "The data protection officer is Anna Smith.",
            "The data protection officer is Robert Jones.",
        ),
        (
            "Wie hoch ist die Kaution?",
            "Die Kaution beträgt 500 Euro.",
            "Die Kaution beträgt 700 Euro.",
        ),
    ],
)
def test_the_same_sentence_with_another_value_disagrees(
    question: str, one: str, other: str
) -> None:
    assert disagree(question, claim(one), claim(other, "memo.txt"))
    assert not disagree(question, claim(one), claim(one, "memo.txt"))


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # Another group of people.
        (LEAVE, "Employees get 25 days of annual leave.", "Trainees get 20 days of annual leave."),
        (
            LEAVE,
            "Employees get 25 days of annual leave.",
            "Part-time employees get 12 days of annual leave.",
        ),
        # Another year.
        (
            "What was the revenue?",
            "The revenue of the group was 5 million euros in 2022.",
            "The revenue of the group was 6 million euros in 2023.",
        ),
        # Two events, and nobody asked when.
        (
            "Did the fee rise?",
            "The yearly fee for members rose in 2019.",
            "The yearly fee for members rose in 2022.",
        ),
        # One says more than the other.
        (
            LEAVE,
            "Employees get 25 days of annual leave.",
            "Employees get 25 days of leave, 5 annual.",
        ),
        # Written in two ways.
        (
            "What is the deposit?",
            "The deposit for the flat is 1,500 euros.",
            "The deposit for the flat is 1500.00 euros.",
        ),
        # Another product.
        (
            "What is the maximum pressure?",
            "The maximum pressure of the Aqua pump is 5 bar.",
            "The maximum pressure of the Terra pump is 7 bar.",
        ),
        # Both may be true.
        ("Who joined in 2020?", "Anna Smith joined in 2020.", "Robert Jones joined in 2020."),
        # Hardly a statement.
        ("What is the total?", "Total: 500", "Total: 600"),
    ],
)
def test_what_is_about_something_else_does_not_disagree(
    question: str, one: str, other: str
) -> None:
    assert not disagree(question, claim(one), claim(other, "memo.txt"))
    assert not disagree(question, claim(other), claim(one, "memo.txt"))


def test_a_question_about_one_of_them_is_not_answered_by_the_other() -> None:
    one = claim("The monthly rent of the flat is 900 euros.", "miller.pdf", "Lease Miller")
    other = claim("The monthly rent of the flat is 700 euros.", "smith.pdf", "Lease Smith")
    assert disagree("What is the monthly rent of the flat?", one, other)
    assert not disagree("What monthly rent does Miller pay for the flat?", one, other)


def test_the_title_says_what_the_sentence_need_not() -> None:
    one = claim("The notice period is three months.", "lease.pdf", "Lease of the flat")
    other = claim("The notice period of the lease is two months.", "note.txt")
    assert disagree("What is the notice period?", one, other)


@pytest.mark.parametrize(
    ("one", "other", "is_other"),
    [
        ("report 2022.pdf", "report 2023.pdf", True),
        ("AAPL Q1 2023.pdf", "AAPL Q2 2023.pdf", True),
        ("manual-x100.pdf", "manual-x200.pdf", True),
        ("lease miller.pdf", "lease smith.pdf", True),
        ("handbook.docx", "memo.txt", False),
        ("handbook.docx", "handbook copy.docx", False),
    ],
)
def test_names_tell_other_periods_products_and_cases(
    one: str,
    other: str,
    is_other: bool,
) -> None:
    assert are_other_things(claim("a", one), claim("b", other)) == is_other


def test_rows_of_tables_are_no_claims() -> None:
    found = claims_of(make_passage("Name | Price\nBolt | 5\nThe bolt costs 5 euros apiece."))
    assert [one.sentence for one in found] == ["The bolt costs 5 euros apiece."]
