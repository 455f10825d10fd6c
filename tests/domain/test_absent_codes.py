from __future__ import annotations

import pytest

from desktop_rag.domain.absent_codes import absent_code, is_of_one_each
from tests.helpers.passages import make_passage

PUMPS = [
    make_passage("The HX-250 weighs 112 kg. Error E07: restart it.", path="/pumps/manual.pdf"),
    make_passage("HX-200 | 7.5 | 400", path="/pumps/KX-310 list.csv"),
]


def test_a_model_that_nothing_found_names_is_told_with_its_sisters() -> None:
    sentence = "What comes closest is about HX-200, HX-250, not about HX-400."
    assert absent_code("What does the HX-400 weigh?", PUMPS) == sentence
    assert absent_code("What does error E08 mean?", PUMPS).endswith("not about E08.")


@pytest.mark.parametrize(
    "question",
    [
        "What does the HX-250 weigh?",
        "What does the hx 250 weigh?",
        "What does the HX250 weigh?",
        "What does the KX-310 cost?",  # in a file's name
        "What does COVID-19 do to pumps?",  # no sister is there
        "What did pumps earn in Q3?",
        "How heavy is the pump?",
        "What happened in 2024?",
        "How heavy are 12V pumps?",
    ],
)
def test_anything_else_is_left_to_closer_looks(question: str) -> None:
    assert absent_code(question, PUMPS) == ""


def test_a_number_with_a_dot_is_found_in_its_own_text() -> None:
    networks = [make_passage("X.25 and Frame Relay connect; X.75 links networks.")]
    assert absent_code("What were X.25 and Frame Relay used for?", networks) == ""
    assert absent_code("What is X.29 used for?", networks).endswith("X.25, X.75, not about X.29.")


def test_without_passages_nothing_is_said() -> None:
    assert absent_code("What does the HX-400 weigh?", []) == ""


def test_numbers_of_different_families_belong_together() -> None:
    assert is_of_one_each("What does error E09 mean on the HX-200?")
    assert not is_of_one_each("Is the HX-250 heavier than the HX-200?")
    assert not is_of_one_each("What does error E09 mean?")
