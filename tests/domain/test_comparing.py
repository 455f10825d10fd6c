from __future__ import annotations

import pytest

from desktop_rag.domain.comparing import balanced, by_side, holds, missing, sides_of
from tests.helpers.passages import make_passage


@pytest.mark.parametrize(
    ("question", "labels", "queries"),
    [
        (
            "What is the difference between the lease and the contract?",
            ("the lease", "the contract"),
            ("the lease", "the contract"),
        ),
        (
            "What is the difference in warranty between the X100 and the X200?",
            ("the X100", "the X200"),
            ("in warranty the X100", "in warranty the X200"),
        ),
        ("A100 vs B200", ("A100", "B200"), ("A100", "B200")),
        ("compare 2022 and 2023", ("2022", "2023"), ("2022", "2023")),
        ("revenue 2022 vs. 2023", ("2022", "2023"), ("revenue 2022", "revenue 2023")),
        (
            "Compare the revenue in 2022 and 2023",
            ("2022", "2023"),
            ("the revenue in 2022", "the revenue in 2023"),
        ),
        ("Compare 2022 and 2023 revenue", ("2022", "2023"), ("revenue 2022", "revenue 2023")),
        (
            "Compare the profit of Apple with Microsoft",
            ("Apple", "Microsoft"),
            ("the profit of Apple", "the profit of Microsoft"),
        ),
        ("How does the X100 differ from the X200?", ("the X100", "the X200"), None),
        (
            "Which is cheaper, the X100 or the X200?",
            ("the X100", "the X200"),
            ("cheaper the X100", "cheaper the X200"),
        ),
        (
            "Is the X100 heavier than the X200?",
            ("the X100", "the X200"),
            ("heavier the X100", "heavier the X200"),
        ),
        (
            "Compare cats and dogs in terms of cost",
            ("cats", "dogs"),
            ("cost cats", "cost dogs"),
        ),
        ("Unterschied zwischen Miete und Pacht", ("Miete", "Pacht"), ("Miete", "Pacht")),
        ("Vergleiche Tarif A mit Tarif B", ("Tarif A", "Tarif B"), None),
        ("Quelle est la différence entre le bail et le contrat ?", ("le bail", "le contrat"), None),
    ],
)
def test_both_sides_and_what_to_search_for_them(
    question: str, labels: tuple[str, str], queries: tuple[str, str] | None
) -> None:
    sides = sides_of(question)
    assert tuple(side.label for side in sides) == labels
    assert tuple(side.query for side in sides) == (queries or labels)


@pytest.mark.parametrize("question", ["", "Compare", "What is a lease?", "How high is the rent?"])
def test_other_questions_have_no_sides(question: str) -> None:
    assert sides_of(question) == ()


SIDES = sides_of("Compare the warranty of the X100 and the X200")
FIRST = [make_passage(f"The X100 has {n} years of warranty.", chunk=n) for n in (1, 2, 3)]
SECOND = [make_passage(f"The X200 has {n} years of warranty.", chunk=n) for n in (11, 12)]


def test_passages_of_both_sides_come_in_turn() -> None:
    everything = [*FIRST, *SECOND]
    found = balanced(SIDES, [everything, everything])
    assert [one.chunk for one in found] == [1, 11, 2, 12, 3]
    assert [one.chunk for one in by_side(SIDES, found)] == [1, 2, 3, 11, 12]


def test_a_side_that_no_passage_names_is_missing() -> None:
    assert [side.label for side in missing(SIDES, FIRST)] == ["the X200"]
    assert missing(SIDES, [*FIRST, *SECOND]) == []
    assert [one.chunk for one in balanced(SIDES, [FIRST, FIRST])] == [1, 2, 3]


def test_the_file_may_name_the_side() -> None:
    sides = sides_of("compare 2022 and 2023")
    passage = make_passage("Revenue was 5 million.", path="/documents/report_2022.pdf")
    assert holds(sides[0], passage)
    assert not holds(sides[1], passage)


def test_common_words_need_not_stand_in_the_passage() -> None:
    sides = sides_of("Compare cats and dogs")
    felines = [make_passage("Felines sleep all day.")]
    hounds = [make_passage("Hounds bark.", chunk=2)]
    assert balanced(sides, [felines, hounds]) == [*felines, *hounds]
    assert missing(sides, felines) == []
