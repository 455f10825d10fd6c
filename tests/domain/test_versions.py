from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.library import Tier
from desktop_rag.domain.naming import Holding, file_names
from desktop_rag.domain.versions import has_version, newest, versions_of

RULES = """Employees get 20 days of annual leave. The notice period is three months in all cases.
Anna Smith answers all questions about pay. Doors close at 18 o'clock on every working day."""
REVISED = RULES.replace("20 days", "25 days").replace("18 o'clock", "19 o'clock")
OTHER = """A pump moves water from a well. Its filter is cleaned with soap every second week.
The motor must never run dry for longer than one minute. Screws are tightened by hand only."""


def holding(number: int, path: str, title: str = "", mtime_ns: int = 0) -> Holding:
    return Holding(DocumentId(number), path, title, mtime_ns=mtime_ns or number)


def family(texts: dict[str, str]) -> list[str]:
    """Files that are versions of the first one."""
    holdings = [holding(number, path) for number, path in enumerate(texts)]
    by_id = {one.document: texts[one.path] for one in holdings}
    return [one.path for one in versions_of(holdings[0], holdings, by_id.__getitem__)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("handbook-v2.docx", "handbook-v3.docx"),
        ("Handbook.docx", "handbook (1).docx"),
        ("Copy of handbook.docx", "handbook.docx"),
        ("HandbookV2.docx", "handbook_final.pdf"),
        ("manual rev A.pdf", "manual rev B.pdf"),
        ("handbook.docx", "handbook.pdf"),
        ("old/handbook.docx", "new/handbook.docx"),
        ("handbook 2022-01-31.docx", "handbook 2023-02-01.docx"),
    ],
)
def test_versions_are_known_by_name_and_text(one: str, other: str) -> None:
    # Only the number of days differs: three of four sentences are the same word for word.
    revised = RULES.replace("20 days", "25 days")
    assert family({one: RULES, other: revised}) == [one, other]
    assert family({one: RULES, other: OTHER}) == [one]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("report 2022.pdf", "report 2023.pdf"),
        ("AAPL Q1 2023.pdf", "AAPL Q2 2023.pdf"),
        ("2022/report.pdf", "2023/report.pdf"),
        ("manual-x100.pdf", "manual-x200.pdf"),
        ("handbook.docx", "policy.docx"),
    ],
)
def test_editions_and_other_products_are_no_versions(one: str, other: str) -> None:
    assert family({one: RULES, other: REVISED}) == [one]


def test_two_cases_from_one_template_are_no_versions() -> None:
    other = RULES.replace("Anna Smith", "Robert Jones")
    assert family({"a/contract.pdf": RULES, "b/contract.pdf": other}) == ["a/contract.pdf"]
    names = ["a/contract.pdf", "b/contract.pdf"]
    assert family(dict.fromkeys(names, RULES)) == names


def test_minutes_of_two_meetings_are_no_versions() -> None:
    names = ["minutes 2023-05-03.docx", "minutes 2023-06-07.docx"]
    head = "Minutes of the meeting of the board.\n"
    assert family({names[0]: head + RULES, names[1]: head + OTHER}) == names[:1]


def test_the_highest_number_is_the_newest_whatever_the_time() -> None:
    versions = [holding(1, "h-v10.docx", mtime_ns=1), holding(2, "h-v9.docx", mtime_ns=9)]
    assert newest(versions).path == "h-v10.docx"


def test_without_numbers_dates_in_names_and_then_the_time_decide() -> None:
    dated = [holding(1, "h 2024-01-31.docx", mtime_ns=1), holding(2, "h 31.12.2023.docx")]
    assert newest(dated).document == 1
    assert newest([holding(1, "h.docx"), holding(2, "h (1).docx")]).document == 2
    assert newest([holding(1, "h.docx"), holding(2, "h draft.docx")]).document == 1


def test_a_primary_folder_counts_more_than_time() -> None:
    first = replace(holding(1, "a/h.docx"), tier=Tier.PRIMARY)
    assert newest([first, holding(2, "b/h.docx", mtime_ns=99)]) == first


@pytest.mark.parametrize(
    ("question", "is_about_one"),
    [
        ("What does version 2 of the handbook say on leave?", True),
        ("What did the old handbook say on leave?", True),
        ("How old must applicants be?", False),
        ("How many days of leave are there?", False),
    ],
)
def test_whether_a_question_is_about_a_version(
    question: str,
    is_about_one: bool,
) -> None:
    assert has_version(question) == is_about_one


def test_files_of_one_name_are_told_with_their_folders() -> None:
    same = [holding(1, "/x/a/h.docx"), holding(2, "/x/b/h.docx"), holding(3, "/x/b/i.docx")]
    assert file_names(same) == ["a/h.docx", "b/h.docx", "i.docx"]
