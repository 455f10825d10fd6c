"""What every `Generator` keeps."""

from __future__ import annotations

from contextlib import closing

import pytest

from desktop_rag.domain.answers import Role, Turn
from desktop_rag.domain.ports import GenerationLimits, Generator
from tests.contracts.conftest import keeps_all

TURNS = [
    Turn(Role.SYSTEM, "Answer from the passages and cite them as [1]."),
    Turn(Role.USER, "[1] Weather\nIt rains in June.\n\nWhen does it rain? Answer at length."),
]
LIMITS = GenerationLimits(max_tokens=24, temperature=0.0)


class TestGeneratorContract:
    def test_it_describes_itself(self, generator: Generator) -> None:
        info = generator.info()
        assert info.id
        assert info.context_tokens >= 1024

    def test_tokens_are_counted_text_by_text(self, generator: Generator) -> None:
        short, long, nothing = generator.count_tokens(["rain", "rain in June and July", ""])
        assert nothing == 0
        assert 0 < short < long
        assert generator.count_tokens([]) == []

    def test_text_arrives_in_pieces(self, generator: Generator) -> None:
        pieces = list(generator.stream(TURNS, LIMITS, lambda: False))
        assert len(pieces) > 1
        assert all(isinstance(piece, str) for piece in pieces)
        assert "".join(pieces).strip()

    def test_max_tokens_is_kept(self, generator: Generator) -> None:
        limits = GenerationLimits(max_tokens=3, temperature=0.0)
        text = "".join(generator.stream(TURNS, limits, lambda: False))
        assert sum(generator.count_tokens([text])) <= 6

    def test_openings_are_weighed_in_their_order(self, generator: Generator) -> None:
        (weights,) = generator.weigh(TURNS, ["Yes", "No"], lambda: False)
        (turned,) = generator.weigh(TURNS, ["No", "Yes"], lambda: False)
        assert weights == pytest.approx(tuple(reversed(turned)), abs=0.05)
        assert all(weight < 0 for weight in weights)
        assert list(generator.weigh(TURNS, ["Yes"], lambda: True)) == []

    def test_cancelled_from_the_start_yields_nothing_and_raises_nothing(
        self, generator: Generator
    ) -> None:
        assert list(generator.stream(TURNS, LIMITS, lambda: True)) == []

    def test_it_stops_quietly_when_cancelled(self, generator: Generator) -> None:
        pieces: list[str] = []
        for piece in generator.stream(TURNS, LIMITS, lambda: len(pieces) >= 2):
            pieces.append(piece)
        assert len(pieces) == 2

    def test_tuning_that_is_cancelled_finds_nothing_and_hurts_nothing(
        self, generator: Generator
    ) -> None:
        assert list(generator.tune(lambda: True)) == []
        assert "".join(generator.stream(TURNS, LIMITS, lambda: False)).strip()

    def test_closing_the_iterator_stops_it_and_the_next_answer_works(
        self, generator: Generator
    ) -> None:
        with closing(generator.stream(TURNS, LIMITS, lambda: False)) as stream:  # type: ignore[type-var]
            next(stream)
        assert "".join(generator.stream(TURNS, LIMITS, lambda: False)).strip()


@pytest.mark.llm
def test_the_engine_in_its_child_keeps_the_contract(llm: Generator) -> None:
    keeps_all(TestGeneratorContract, lambda _: llm)
