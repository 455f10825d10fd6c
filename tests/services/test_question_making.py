"""Questions made from documents: where they point, and which a model's are thrown away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from desktop_rag.domain.answers import Role, Turn
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.ports import GenerationLimits
from desktop_rag.services.question_making import make_questions
from desktop_rag.services.question_writing import Complete, write_questions

PUMP = (
    "The circulation pump P-200 holds two litres of oil in its gear case. The oil is changed after "
    "five hundred hours, and from then on every four thousand hours. Old oil is hazardous waste "
    "and goes to a collection point in the harbour, where it is taken on Saturdays without charge."
)
GATE = (
    "The garden gate is painted green every second spring by the porter, who keeps the paint in "
    "the shed behind the greenhouse. In the year of the flood it was carried away and came back "
    "on a hay cart from Lower Mill, two miles down the river, with nothing but one hinge missing."
)
TEXTS = {"pump.txt": f"Manual\n\n{PUMP}", "gate.txt": f"Notes\n\n{GATE}"}


def replies(question: str, answer: str) -> tuple[Complete, list[Sequence[Turn]]]:
    """A model that always writes the same, and the turns it was given."""
    seen: list[Sequence[Turn]] = []

    def complete(turns: Sequence[Turn], limits: GenerationLimits) -> str:
        assert limits.grammar
        seen.append(turns)
        return answer if turns[-2].content == question else question + "\n"

    return complete, seen


def test_questions_from_sentences_point_at_them() -> None:
    made = make_questions(TEXTS, 4)
    assert {one.places[0].file for one in made} == {"pump.txt", "gate.txt"}
    for one in made:
        (place,) = one.places
        assert place.span is not None
        assert TEXTS[place.file][slice(*place.span)] == place.quote
        assert place.quote not in one.text
    assert made == make_questions(TEXTS, 4)
    assert "____" in made[0].text
    assert "____" not in made[1].text


def test_a_written_question_keeps_the_place_of_its_answer() -> None:
    complete, seen = replies("When must the lubricant be renewed?", "“every FOUR thousand hours”.")
    written = write_questions({"pump.txt": TEXTS["pump.txt"]}, 3, complete)
    (one,) = written.questions
    assert one.text == "When must the lubricant be renewed?"
    assert one.places[0].quote == "every four thousand hours"
    assert one.places[0].span is not None
    assert TEXTS["pump.txt"][slice(*one.places[0].span)] == "every four thousand hours"
    first, second = seen
    assert [turn.role for turn in first][-1] is Role.USER
    assert PUMP in first[-1].content
    # The model need not read the passage a second time.
    assert second[: len(first)] == first


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("When is it?", "every fifty hours", "not answered"),
        ("When is the lubricant renewed?", "none", "not answered"),
        ("When is the lubricant renewed?", "", "not answered"),
        ("Are four thousand hours right?", "four thousand hours", "not answered"),
        ("What does the passage say about this text?", "four thousand hours", "about the text"),
        ("Was sagt der Text über Öl?", "four thousand hours", "about the text"),
        ("Why?", "four thousand hours", "not a question"),
        ("why " * 50 + "?", "four thousand hours", "not a question"),
        (f"Is it true that {PUMP}?", "on Saturdays", "not a question"),
        ("Is circulation a hazardous collection of thousand things?", "on Saturdays", "copied"),
    ],
)
def test_what_is_no_good_is_thrown_away(question: str, answer: str, reason: str) -> None:
    good, _ = replies("Who keeps the paint?", "the porter")

    def complete(turns: Sequence[Turn], limits: GenerationLimits) -> str:
        if any(GATE in turn.content for turn in turns):
            return good(turns, limits)
        return answer if turns[-1].content.startswith("Copy") else question

    written = write_questions(TEXTS, 2, complete)
    assert [one.places[0].file for one in written.questions] == ["gate.txt"]
    ((told, times),) = written.rejected.items()
    assert (reason in told, times) == (True, 1)


def test_a_model_that_writes_nothing_useful() -> None:
    complete, _ = replies("no question", "none")
    with pytest.raises(InvalidInput, match="try a larger model"):
        write_questions(TEXTS, 2, complete)


def test_a_question_is_asked_once() -> None:
    texts = {f"{n}.txt": PUMP for n in range(3)}
    complete, _ = replies("When must the lubricant be renewed?", "every four thousand hours")
    written = write_questions(texts, 3, complete)
    assert len(written.questions) == 1
    assert written.rejected == {"asked before": 2}


@pytest.mark.parametrize(
    "make", [make_questions, lambda texts, n: write_questions(texts, n, replies("", "")[0])]
)
def test_documents_without_sentences_make_no_questions(
    make: Callable[[dict[str, str], int], object],
) -> None:
    with pytest.raises(InvalidInput, match="hold no"):
        make({"a.txt": "1 2 3"}, 5)
    with pytest.raises(InvalidInput, match="not 0"):
        make(TEXTS, 0)


def test_a_sentence_of_two_files_is_not_asked_for() -> None:
    copies = TEXTS | {"gate (1).txt": f"Notes of May\n\n{GATE}"}
    asked = make_questions(copies, 100)
    assert {place.file for one in asked for place in one.places} == {"pump.txt"}
