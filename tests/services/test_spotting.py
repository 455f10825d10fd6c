from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from desktop_rag.domain.answers import Confidence, Turn
from desktop_rag.domain.budget import Effort
from desktop_rag.domain.errors import RoleUnavailable
from desktop_rag.domain.events import AnswerDelta, ExtractFound, SourcesFound
from desktop_rag.domain.revisions import can_go_on
from desktop_rag.domain.spans import NOWHERE, Span
from desktop_rag.domain.spotting import STATED_FROM, UNSTATED_BELOW
from desktop_rag.services.revising import Revising
from desktop_rag.services.safeguards import Safeguards
from desktop_rag.storage.database import Database
from tests.services.test_answering import BRIDGE, CRISIS, TIMEOUT_S, Desk

OPENING = "The harbour bridge opened in 1932."
OPENED = "When did the harbour bridge open?"
SPANS = 'These words of the passage may answer it: "{}"'


class Extractor:
    """Finds the given words where a text holds them, by the margin given."""

    def __init__(self, words: str, margin: float) -> None:
        self.words, self.margin = words, margin
        self.read: list[tuple[str, ...]] = []

    def spans(self, question: str, texts: Sequence[str]) -> list[Span]:
        self.read.append(tuple(texts))
        return [self._span(text) for text in texts]

    def _span(self, text: str) -> Span:
        at = text.find(self.words)
        return Span(at, at + len(self.words), self.margin) if at >= 0 else NOWHERE


@pytest.fixture
def desk(database: Database) -> Iterator[Desk]:
    desk = Desk(database)
    yield desk
    desk.answering.close()


def give(desk: Desk, words: str, margin: float, patch: pytest.MonkeyPatch) -> Extractor:
    extractor = Extractor(words, margin)
    patch.setattr(desk.index, "spans", extractor.spans)
    return extractor


def asked_of_the_model(desk: Desk) -> int:
    """How often the language model was to read or write something."""
    return len(desk.generator.prompts) + len(desk.generator.weighed)


def last_words(prompt: Sequence[Turn]) -> str:
    return prompt[-1].content.splitlines()[-1]


def test_the_words_choose_the_sentence_that_is_quoted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(desk, "eight years", 1.0, monkeypatch)
    desk.ask(OPENED)
    [quoted] = desk.of(ExtractFound)
    assert isinstance(quoted, ExtractFound)
    assert quoted.citation.quote == "It took eight years to build."


def test_the_words_choose_the_passage(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = give(desk, "OPEC", STATED_FROM - 0.5, monkeypatch)
    desk.effort = Effort.FAST
    answer = desk.ask("Which bridge opened with an embargo?")
    [weighed] = desk.generator.weighed
    assert CRISIS in weighed[-1].content
    assert BRIDGE not in weighed[-1].content
    assert answer.text == f"OPEC: “{CRISIS}” [1]"
    assert extractor.read == [("Bridges\n" + BRIDGE, "Oil\n" + CRISIS)]
    [shown] = desk.of(SourcesFound)[-1:]
    assert isinstance(shown, SourcesFound)
    assert shown.passages[0].title == "Oil"


def test_whoever_writes_is_told_the_words(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    give(desk, "OPEC", STATED_FROM - 0.5, monkeypatch)
    desk.effort = Effort.THOROUGH
    desk.ask("Which bridge opened with an embargo?")
    [prompt] = desk.generator.prompts
    assert last_words(prompt) == SPANS.format("OPEC")


def test_what_is_stated_for_sure_is_quoted_at_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(desk, "1932", STATED_FROM, monkeypatch)
    answer = desk.ask(OPENED)
    assert answer.text == f"1932: “{BRIDGE}” [1]"
    assert [one.text for one in desk.of(AnswerDelta) if isinstance(one, AnswerDelta)] == [
        answer.text
    ]
    [cited] = answer.citations
    assert (cited.number, cited.quote, cited.title) == (1, OPENING, "Bridges")
    assert (answer.found, answer.confidence, answer.model) == (True, Confidence.MEDIUM, "")
    assert not can_go_on(answer)
    [shown] = desk.of(SourcesFound)[-1:]
    assert isinstance(shown, SourcesFound)
    assert shown.passages[0].chunk == cited.chunk
    assert asked_of_the_model(desk) == 0


def test_bare_words_are_not_told_where_personal_data_is_masked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number alone is not known for a telephone's; in its sentence it is."""
    give(desk, "1932", STATED_FROM, monkeypatch)
    monkeypatch.setattr(Safeguards, "is_masking", lambda _: True)
    assert desk.ask(OPENED).text == f"“{BRIDGE}” [1]"


def test_what_is_taken_back_beside_it_is_not_sure(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(database, ["The board meets on 8 June. It was later moved to 15 June."])
    try:
        give(desk, "8 June", STATED_FROM + 9, monkeypatch)
        assert desk.ask("When does the board meet?").confidence is Confidence.LOW
    finally:
        desk.answering.close()


def test_a_thorough_answer_is_written(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    give(desk, "1932", STATED_FROM, monkeypatch)
    desk.effort = Effort.THOROUGH
    assert desk.ask(OPENED).model
    assert desk.generator.prompts


def test_regenerating_has_the_model_write_what_was_quoted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(desk, "1932", STATED_FROM, monkeypatch)
    running = desk.answering.ask(OPENED)
    assert not running.result(TIMEOUT_S).model
    answer = (
        Revising(desk.answering, desk.conversations)
        .regenerate(running.conversation)
        .result(TIMEOUT_S)
    )
    assert answer.model
    [prompt] = desk.generator.prompts
    assert last_words(prompt) == SPANS.format("1932")
    assert desk.generator.weighed == [], "what is certain is not doubted"


def test_what_is_said_of_a_sister_model_is_not_quoted(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(database, ["The HX-250 holds 9 litres.", "The HX-400 is blue."])
    try:
        for margin in (STATED_FROM - 1, STATED_FROM + 5):
            give(desk, "9 litres", margin, monkeypatch)
            answer = desk.ask("How much does the HX-400 hold?")
            assert not answer.text.startswith("9 litres: ")
            assert asked_of_the_model(desk)
    finally:
        desk.answering.close()


def test_nothing_is_read_ahead_for_what_will_be_quoted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(desk, "1932", STATED_FROM, monkeypatch)
    desk.answering.prepare(OPENED)
    assert desk.ask(OPENED).found
    assert asked_of_the_model(desk) == 0


def test_what_may_be_stated_is_weighed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    give(desk, "1932", STATED_FROM - 0.5, monkeypatch)
    answer = desk.ask(OPENED)
    assert (answer.text, answer.model) == (f"1932: “{BRIDGE}” [1]", "")
    assert answer.confidence is Confidence.LOW
    assert not desk.generator.prompts, "nothing need be written"
    assert len(desk.generator.weighed) == 1
    assert "1932" not in last_words(desk.generator.weighed[0]), "the words would speak for a yes"


def test_only_what_may_state_it_is_read_besides(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.generator.weights["No"] = 9.0
    assert not desk.ask("Which bridge opened with an embargo?").found
    assert len(desk.generator.weighed) == 2
    give(desk, "OPEC", STATED_FROM - 0.5, monkeypatch)
    assert not desk.ask("Which bridge opened with one embargo?").found
    assert len(desk.generator.weighed) == 2 + 1


@pytest.mark.parametrize(("no", "is_answered"), [(-3.0, True), (-0.5, False)])
def test_what_is_stated_nowhere_must_convince_the_model(
    no: float, *, is_answered: bool, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(desk, "1932", UNSTATED_BELOW - 0.1, monkeypatch)
    desk.generator.weights["No"] = no
    answer = desk.ask(OPENED)
    assert answer.found is is_answered
    assert desk.generator.weighed


def test_doubtful_words_are_no_hint(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    give(desk, "1932", -0.1, monkeypatch)
    answer = desk.ask(OPENED)
    assert (answer.found, answer.confidence) == (True, Confidence.LOW)
    [prompt] = desk.generator.prompts
    assert not last_words(prompt).startswith(SPANS.format("")[:10])


def test_without_an_extractor_everything_is_as_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(question: str, texts: Sequence[str]) -> list[Span]:
        raise RoleUnavailable("The index is switched off.")

    plain = desk.ask(OPENED)
    monkeypatch.setattr(desk.index, "spans", unavailable)
    assert desk.ask(OPENED).text == plain.text


def test_what_several_places_answer_is_not_looked_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    extractor = give(desk, "1932", UNSTATED_BELOW - 1, monkeypatch)
    assert desk.ask("Compare the harbour bridge with the oil crisis.").found
    assert extractor.read == []


def test_what_a_few_words_do_not_answer_is_not_looked_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    extractor = give(desk, "1932", UNSTATED_BELOW - 1, monkeypatch)
    assert desk.ask("How was the harbour bridge built?").found
    assert extractor.read == []


def test_what_was_looked_for_while_typing_is_not_looked_for_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    extractor = give(desk, "1932", 9.0, monkeypatch)
    desk.answering.prepare(OPENED)
    desk.ask(OPENED)
    desk.ask(OPENED)
    assert len(extractor.read) == 1
