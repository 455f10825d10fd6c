from __future__ import annotations

import pytest

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.naming import Holding, called, in_folder_called, name_words
from desktop_rag.domain.summary_request import read_request


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("summarise the lease", "lease"),
        ("Summarize the handbook.", "handbook"),
        ("What is the handbook about?", "handbook"),
        ("Give me a short summary of the annual report 2023", "annual report 2023"),
        ("What does the travel policy say?", "travel policy"),
        ("lease summary", "lease"),
        ("tl;dr lease", "lease"),
        ("sum up the meeting minutes of May in three sentences", "meeting minutes of May"),
        ("Fasse den Mietvertrag zusammen", "Mietvertrag"),
        ("Zusammenfassung vom Handbuch", "Handbuch"),
        ("de quoi parle le manuel ?", "manuel"),
        ("Résume le contrat", "contrat"),
        ("summary", ""),
        ("Summarise", ""),
        ("Summarise my documents", ""),
        ("Summarise it", ""),
        ("summarize everything", ""),
    ],
)
def test_what_is_to_be_summarised(question: str, subject: str) -> None:
    assert read_request(question).subject == subject


@pytest.mark.parametrize(
    ("question", "is_full"),
    [
        ("full summary of handbook.pdf", True),
        ("a complete and detailed summary of the lease", True),
        ("ausführliche Zusammenfassung vom Handbuch", True),
        ("Summarise the full-time contract", False),
        ("summary of the detailed plan", False),
    ],
)
def test_how_thorough(question: str, is_full: bool) -> None:
    assert read_request(question).is_full == is_full


def test_a_folder_is_meant_when_it_is_said() -> None:
    request = read_request("Summarise the folder contracts")
    assert request.is_folder
    assert request.words == ("contracts",)


def holding(number: int, path: str, title: str = "") -> Holding:
    return Holding(DocumentId(number), path, title)


SHELF = [
    holding(1, "/home/me/Lease.pdf", "Residential agreement"),
    holding(2, "/home/me/contracts/lease_of_the_garage.docx"),
    holding(3, "/home/me/contracts/EmployeeHandbook2023.docx", "Welcome"),
    holding(4, "/home/me/contracts/x.txt", "The Annual Report 2023"),
]


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("lease", [1, 2]),
        ("leases", [1, 2]),
        ("garage lease", [2]),
        ("residential agreement", [1]),
        ("employee handbook", [3]),
        ("annual report", [4]),
        ("annual report 2022", []),
        ("release", []),
        ("handbook.docx", [3]),
        ("", []),
    ],
)
def test_documents_are_found_by_title_and_file_the_closest_first(
    said: str, numbers: list[int]
) -> None:
    assert [one.document for one in called(name_words(said), SHELF)] == numbers


def test_folders_are_found_by_name() -> None:
    found = in_folder_called(name_words("contracts"), SHELF)
    assert [one.document for one in found] == [2, 3, 4]
    assert in_folder_called((), SHELF) == []
