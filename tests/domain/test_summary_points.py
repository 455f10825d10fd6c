from __future__ import annotations

import pytest

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.citing import Place
from desktop_rag.domain.summary_parts import chosen_within, parts_of, without_overlap
from desktop_rag.domain.summary_points import Point, borne_out, laid_out, whole_sentences
from desktop_rag.domain.summary_report import Reading, scope_note
from tests.helpers.passages import make_passage

RENT = make_passage("The rent is 900 euros a month.", title="Lease")
PETS = make_passage("Pets need the consent of the landlord.", chunk=2, start=40, title="Lease")
PUMP = make_passage("The pump weighs 3 kg.", chunk=3, document=2, title="Pump", path="/d/pump.md")


def nowhere(*_: object) -> Place:
    return Place(None)


@pytest.mark.parametrize(
    ("written", "count", "expected"),
    [
        ("- The rent is 900 euros.\n- Pets are fine.", 2, "The rent is 900 euros.\nPets are fine."),
        ("1. One is first.\n2. Two is next.\n3. Three is", 5, "One is first.\nTwo is next."),
        ("One is first. Two is next.", 1, "One is first."),
        ("Cut short in the mid", 2, "Cut short in the mid"),
        ("", 2, ""),
    ],
)
def test_only_whole_sentences_are_kept(written: str, count: int, expected: str) -> None:
    assert whole_sentences(written, count) == expected


def test_what_no_passage_bears_out_is_dropped() -> None:
    written = "The rent is 900 euros a month.\nThe rent is 950 euros a month.\nElephants can fly."
    points = borne_out(written, [RENT, PETS], nowhere)
    assert [point.sentence for point in points] == ["The rent is 900 euros a month."]
    assert points[0].passages == (RENT,)


def test_points_are_a_list_with_the_document_where_there_are_several() -> None:
    rent, pump = Point("The rent is 900 euros.", (RENT,)), Point("It weighs 3 kg", (PUMP,))
    assert laid_out([], [rent]) == ("- The rent is 900 euros [1].", [RENT])
    text, passages = laid_out([rent], [rent, pump])
    assert text == "The rent is 900 euros [1].\n\n- Lease: The rent is 900 euros [1].\n" + (
        "- Pump: It weighs 3 kg [2]."
    )
    assert passages == [RENT, PUMP]


def test_documents_of_one_title_are_told_apart_by_their_files() -> None:
    other = make_passage(
        "The rent is 700 euros.", chunk=9, document=9, title="Lease", path="/d/b.md"
    )
    text, _ = laid_out([], [Point("One.", (RENT,)), Point("Two.", (other,))])
    assert text == "- report.pdf: One [1].\n- b.md: Two [2]."


def long(chunk: int, section: str = "", document: int = 1) -> Passage:
    text = "x" * 100
    return make_passage(text, chunk=chunk, start=chunk * 200, section=section, document=document)


def test_parts_end_where_they_are_full_and_where_a_section_or_document_does() -> None:
    def chunks(passages: list[Passage], chars: int) -> list[list[int]]:
        return [[one.chunk for one in part.passages] for part in parts_of(passages, chars)]

    assert chunks([long(n) for n in range(1, 6)], 250) == [[1, 2], [3, 4], [5]]
    sections = [long(1, "A"), long(2, "A"), long(3, "B"), long(4, "B")]
    assert chunks(sections, 350) == [[1, 2], [3, 4]]
    assert chunks([long(1), long(2, document=2)], 999) == [[1], [2]]
    assert chunks([long(1)], 10) == [[1]]
    assert chunks([], 10) == []


def test_beginnings_and_what_is_central_are_read_first() -> None:
    passages = [long(n + 1, document=1 + n // 4) for n in range(8)]
    parts = parts_of(passages, 100)

    def worth(numbers: range) -> float:  # the third and the last are most central
        return {2: 0.9, 7: 0.8}.get(numbers[0], 0.1)

    def chosen(count: int) -> list[int]:
        return [part.first for part in chosen_within(parts, count, worth)]  # type: ignore[arg-type]

    assert chosen(2) == [0, 4]
    assert chosen(4) == [0, 2, 4, 7]
    assert chosen(99) == list(range(8))


def test_overlaps_are_read_once() -> None:
    first = make_passage("One is. Two is.", start=0)
    second = make_passage("Two is. Three is.", start=8, chunk=2)
    other = make_passage("Two is.", start=8, chunk=3, document=2)
    found = without_overlap([first, second, other])
    assert [one.text for one in found] == ["One is. Two is.", " Three is.", "Two is."]
    assert found[1].end - found[1].start == len(found[1].text)


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        (Reading("a.pdf", 12, 4, 4), "All 12 pages of a.pdf."),
        (Reading("a.md", 0, 1, 1), "All of a.md."),
        (Reading("a.pdf", 12, 0, 0), "The most central sentences of all 12 pages of a.pdf, word"),
        (Reading("a.pdf", 12, 4, 2, is_stopped=True), "Stopped after 2 of 4 parts of a.pdf."),
        (
            Reading("a.pdf", 340, 120, 8, part_s=20.0),
            "The first and the most central parts of a.pdf: 8 of 120 parts, about 23 of 340 pages; "
            "of others, central sentences are quoted. A full summary would take about 40 minutes: "
            "ask for a “full summary of a.pdf”.",
        ),
        (
            Reading("35 files", 0, 9, 2, part_s=60.0, is_named=False),
            "The first and the most central parts of 35 files: 2 of 9 parts; of others, central "
            "sentences are quoted. A full summary would take about 9 minutes: ask for a “full "
            "summary” of them.",
        ),
        (Reading("a.md", 0, 900, 8, part_s=20.0), "The first and the most central parts of a.md: "),
    ],
)
def test_what_was_read_is_said(reading: Reading, expected: str) -> None:
    assert scope_note(reading).startswith(expected)
