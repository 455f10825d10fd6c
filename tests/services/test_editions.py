from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from desktop_rag.domain.answers import Answer, Confidence, Turn
from desktop_rag.domain.scope import Scope
from desktop_rag.services.bus import Bus
from desktop_rag.services.composing import Composer
from desktop_rag.services.drafts import Question
from desktop_rag.services.retrieval import EVERYTHING, Retrieval
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeGenerator, FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

QUESTION = "How many days of annual leave do employees get?"
REST = (
    "The notice period is three months for both sides in all cases.",
    "Anna Smith in the office answers all questions about pay and taxes.",
)


def leave(days: int) -> str:
    return f"Employees get {days} days of annual leave."


def first_about_leave(turns: Sequence[Turn]) -> str:
    """What a good model says: the first sentence of the passages that gives a number of days."""
    number, sentence = "1", ""
    for line in turns[-1].content.splitlines():
        if line.startswith("["):
            number = line[1 : line.index("]")]
        if " days" in line and "?" not in line and not sentence:
            sentence = f"{line.rstrip('.')} [{number}]."
    return sentence


def ask(
    database: Database,
    files: Mapping[str, Sequence[str]],
    question: str = QUESTION,
    scope: Scope = EVERYTHING,
) -> Answer:
    index, generator, bus = FakeIndex(), FakeGenerator(first_about_leave), Bus()
    documents = [read_document(*texts, title="Staff rules") for texts in files.values()]
    catalog = fill_library(database, index, documents, list(files))
    retrieval = Retrieval(index, catalog, Collections(database))
    composer = Composer(retrieval, generator, catalog, bus, lambda *_: Confidence.HIGH)
    return composer.compose(Question(1, question, (question,), scope=scope), lambda: False)


def test_the_newest_copy_answers_is_named_and_the_older_one_is_shown(database: Database) -> None:
    answer = ask(
        database,
        {
            "handbook-v3.docx": (leave(25), *REST),
            "handbook-v1.docx": (leave(15), *REST),
            "handbook-v2.docx": (leave(20), *REST),
        },
    )
    assert "25 days" in answer.text
    assert {citation.path for citation in answer.citations} == {"/documents/handbook-v3.docx"}
    used, *older = answer.conflicts
    assert used == (
        "From handbook-v3.docx, the newest of 3 versions; "
        "older: handbook-v1.docx, handbook-v2.docx."
    )
    assert sorted(older)[1] == (
        f"handbook-v3.docx says “{leave(25)}”, but handbook-v2.docx, an older copy, says "
        f"“{leave(20)}”"
    )


def test_what_only_an_older_copy_holds_is_said_to_be_old(database: Database) -> None:
    answer = ask(
        database,
        {"handbook-v1.docx": (leave(15), *REST), "handbook-v2.docx": ("Cats are welcome.", *REST)},
    )
    assert "15 days" in answer.text
    assert answer.conflicts == (
        "From handbook-v1.docx, an older version: handbook-v2.docx is newer and does not hold "
        "this passage.",
    )


def test_who_asks_for_a_version_gets_it(database: Database) -> None:
    files = {"handbook-v2.docx": (leave(20), *REST), "handbook-v3.docx": (leave(25), *REST)}
    answer = ask(
        database, files, "How many days of annual leave did version 2 of the handbook give?"
    )
    assert "20 days" in answer.text
    assert answer.conflicts == (
        "From handbook-v2.docx, as asked; handbook-v3.docx is the newest of 2 versions.",
    )


@pytest.mark.parametrize("other", ["memo.txt", "leave.txt"])
def test_files_that_disagree_are_both_named(database: Database, other: str) -> None:
    files = {
        "handbook.docx": (leave(25), *REST),
        other: ("Annual leave for employees is 20 days.",),
    }
    answer = ask(database, files)
    assert len(answer.conflicts) == 1
    assert "25 days" in answer.conflicts[0]
    assert "20 days" in answer.conflicts[0]
    assert "handbook.docx" in answer.conflicts[0]
    assert other in answer.conflicts[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("plant A100.docx", "plant B200.docx"),
    ],
)
def test_other_products_do_not_disagree(database: Database, one: str, other: str) -> None:
    answer = ask(database, {one: (leave(25), *REST), other: (leave(20), *REST)})
    assert answer.conflicts == ()


@pytest.mark.parametrize("times", [("2022", "2023"), ("Q1", "Q2")])
def test_the_same_for_another_year_is_named_unless_the_question_names_one(
    database: Database, times: tuple[str, str]
) -> None:
    files = {
        f"rules {time}.docx": (leave(days), *REST)
        for time, days in zip(times, (25, 20), strict=True)
    }
    assert ask(database, files).conflicts == (
        f"Found for another time, may say otherwise: rules {times[1]}.docx. "
        "To ask it, name the year.",
    )


def test_a_question_that_names_a_year_is_not_told_of_others(database: Database) -> None:
    files = {"rules 2022.docx": (leave(25), *REST), "rules 2023.docx": (leave(20), *REST)}
    answer = ask(database, files, f"{QUESTION[:-1]} by the rules of 2022?")
    assert answer.conflicts == ()


def test_files_that_agree_are_not_mentioned(database: Database) -> None:
    answer = ask(database, {"handbook.docx": (leave(25), *REST), "memo.txt": (leave(25), "Hello.")})
    assert answer.conflicts == ()


def test_in_a_narrowed_search_nothing_is_replaced(database: Database) -> None:
    files = {"handbook-v2.docx": (leave(20), *REST), "handbook-v3.docx": (leave(25), *REST)}
    answer = ask(database, files, f"file:handbook-v2.docx {QUESTION}")
    assert "20 days" in answer.text
    assert answer.conflicts == ()
