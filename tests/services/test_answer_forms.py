"""Comparisons and instructions, through the whole composer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from desktop_rag.domain.answers import Answer, Confidence, Turn
from desktop_rag.domain.errors import ModelMissing
from desktop_rag.services.bus import Bus
from desktop_rag.services.composing import Composer
from desktop_rag.services.drafts import Question
from desktop_rag.services.retrieval import Retrieval
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.database import Database
from tests.helpers.fakes import FakeGenerator, FakeIndex
from tests.helpers.library import fill_library
from tests.helpers.reading import read_document

X100 = [
    f"The X100 pump has a {part} with a warranty of {n} years."
    for n, part in enumerate("abcdefgh", 2)
]
X200 = ["Warranty of the X200 pump: 12 years for everything."]
STEPS = [
    "Descaling the machine takes ten minutes.\n1. Fill the tank with one litre of water.",
    "2. Add the powder and stir it well.\n3. Press the clean button for 5 seconds.",
    "4. Rinse the tank twice with cold water.\n5. Dry everything with a soft cloth.",
]


class Desk:
    """A composer over a small library."""

    def __init__(self, database: Database, *texts: Sequence[str]) -> None:
        index = FakeIndex()
        self.generator = FakeGenerator()
        documents = [read_document(*one, title=one[0].split()[0]) for one in texts]
        catalog = fill_library(database, index, documents)
        retrieval = Retrieval(index, catalog, Collections(database))
        self.composer = Composer(
            retrieval, self.generator, catalog, Bus(), lambda *_: Confidence.HIGH
        )

    def ask(self, question: str) -> Answer:
        return self.composer.compose(Question(1, question, (question,)), lambda: False)

    @property
    def prompt(self) -> str:
        return self.generator.prompts[-1][-1].content


def all_lines(keep: Callable[[str], bool]) -> Callable[[Sequence[Turn]], str]:
    """What a good model writes: all lines of its passages that say something of the kind."""

    def answer(turns: Sequence[Turn]) -> str:
        number, lines = "1", []
        for line in turns[-1].content.partition("Question:")[0].splitlines():
            if found := re.match(r"\[(\d+)\]", line):
                number = found[1]
            elif keep(line):
                lines.append(f"{line.rstrip('.')} [{number}].")
        return "\n".join(lines)

    return answer


def test_both_sides_of_a_comparison_have_their_passages(database: Database) -> None:
    desk = Desk(database, X100, X200)
    desk.generator.answer = all_lines(lambda line: "warranty" in line.casefold())
    answer = desk.ask("Compare the warranty of the X100 pump and the X200 pump")
    assert "12 years" in desk.prompt, "one passage among eight that read much the same"
    assert desk.prompt.index("X100 pump has") < desk.prompt.index("Warranty of the X200")
    assert "what they say about the X200 pump" in desk.prompt
    assert {citation.document for citation in answer.citations} == {1, 2}
    assert answer.kind == "comparison"


def test_a_side_that_was_not_found_is_said_and_not_invented(database: Database) -> None:
    desk = Desk(database, X100, X200)
    desk.generator.answer = all_lines(lambda line: "warranty" in line)
    answer = desk.ask("Compare the warranty of the X100 pump and the Z999 pump")
    assert answer.text.endswith("\n\nNothing was found about the Z999 pump in your documents.")
    assert "Write only what the passages say about the X100 pump" in desk.prompt
    assert answer.unsupported == ()


def test_without_a_model_both_sides_are_quoted(database: Database) -> None:
    desk = Desk(database, X100, X200)
    desk.generator.failure = ModelMissing("Install one.")
    answer = desk.ask("Compare the warranty of the X100 pump and the X200 pump")
    assert {citation.document for citation in answer.citations} == {1, 2}
    assert "12 years" in answer.text
    assert answer.unsupported == ()


def test_without_a_model_the_side_that_is_missing_is_said_too(database: Database) -> None:
    desk = Desk(database, X100)
    desk.generator.failure = ModelMissing("Install one.")
    answer = desk.ask("What is the difference between the X100 and the Z999?")
    assert "X100" in answer.text
    assert "Nothing was found about the Z999" in answer.text


@pytest.mark.parametrize("question", ["How do I descale the machine?", "how to press the button"])
def test_all_steps_reach_the_prompt_in_order(database: Database, question: str) -> None:
    desk = Desk(database, STEPS, X100)
    desk.generator.answer = all_lines(lambda line: line[:1].isdigit())
    answer = desk.ask(question)
    places = [desk.prompt.index(words) for words in ("Fill", "Add", "Press", "Rinse", "Dry")]
    assert places == sorted(places)
    assert "numbered list" in desk.prompt
    assert len(answer.text.splitlines()) == 5
    assert answer.unsupported == ()
    assert {citation.document for citation in answer.citations} == {1}


def test_without_a_model_the_steps_are_quoted(database: Database) -> None:
    desk = Desk(database, STEPS, X100)
    desk.generator.failure = ModelMissing("Install one.")
    answer = desk.ask("How do I descale the machine?")
    lines = answer.text.splitlines()
    assert len(lines) == 5
    assert [line[:1] for line in lines] == list("12345")
    assert "Rinse the tank twice" in lines[3]
    assert answer.confidence is Confidence.LOW


def test_a_fact_is_asked_for_as_ever(database: Database) -> None:
    desk = Desk(database, STEPS, X100)
    desk.ask("Who presses the clean button?")
    assert desk.prompt.rstrip().endswith("Who presses the clean button?")
