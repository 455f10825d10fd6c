"""Procedures: no step is missing."""

from __future__ import annotations

from desktop_rag.domain.parents import Neighbour
from desktop_rag.domain.procedures import fitting, procedure_around, steps_in


def chunks(*sections: str, chars: int = 100) -> list[Neighbour]:
    return [
        Neighbour(n, n * chars, (n + 1) * chars - 1, section, "", None)
        for n, section in enumerate(sections)
    ]


def ordinals(found: list[Neighbour]) -> list[int]:
    return [one.ordinal for one in found]


def test_the_steps_of_a_section_belong_together() -> None:
    around = chunks("Care", "Descaling", "Descaling", "Descaling", "Repair")
    assert ordinals(procedure_around(2, around)) == [1, 2, 3]


def test_steps_with_headings_of_their_own_belong_together() -> None:
    sections = [
        "Guide",
        *(f"Guide > Step {n}" for n in (1, 2, 3)),
        "Guide > Care",
        "Guide > Step 9",
    ]
    assert ordinals(procedure_around(2, chunks(*sections))) == [1, 2, 3]
    numbered = ["Guide > 1. Fill", "Guide > 2. Press", "Other > 3. Rinse"]
    assert ordinals(procedure_around(1, chunks(*numbered))) == [0, 1]


def test_chapters_are_no_steps() -> None:
    assert ordinals(procedure_around(1, chunks("Pumps", "Filters", "Motors"))) == [1]


def test_what_fits_begins_with_the_procedure_or_just_before_what_was_found() -> None:
    steps = chunks(*["Descaling"] * 9)
    assert ordinals(fitting(steps, 400, 499)) == list(range(9))
    assert ordinals(fitting(steps, 400, 499, most_chars=350)) == [3, 4, 5]
    assert ordinals(fitting(steps, 400, 499, most_chars=150)) == [4]
    assert ordinals(fitting(steps, 400, 499, most_chars=50)) == [4]


def test_steps_are_the_items_of_a_list() -> None:
    text = (
        "To descale:\n1. Fill the tank.\n2) Press clean.\n\n- Rinse.\nStep 4: Dry.\nIt lasts long."
    )
    found = [text[start:end] for start, end in steps_in(text)]
    assert found == ["Fill the tank.", "Press clean.", "Rinse.", "Dry."]


def test_prose_and_a_single_item_have_no_steps() -> None:
    assert steps_in("1932 was a year.\n2 bars are enough.") == []
    assert steps_in("1. Only this.") == []
    assert steps_in("") == []
