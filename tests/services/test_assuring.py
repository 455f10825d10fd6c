from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_rag.domain.answers import Passage, Role, Turn
from desktop_rag.domain.assurance import Levels
from desktop_rag.domain.prompting import PromptTexts, build
from desktop_rag.domain.spotting import Spot
from desktop_rag.services.assuring import (
    MOST_READ,
    Assured,
    alone,
    likeliest_first,
    most_assured,
)
from desktop_rag.services.filling import Budget
from tests.helpers.fakes import FakeGenerator
from tests.helpers.passages import make_passage

TEXTS = PromptTexts(system="Be brief.", user="{passages}\n\nQuestion: {question}", check="Sure?")
LEVELS = Levels(refuse_below=0.0, enough=2.0, medium_from=3.0, high_from=4.0, doubted_below=0.5)


def passage(chunk: int, text: str) -> Passage:
    return make_passage(text, chunk=chunk, document=chunk, title=f"Text {chunk}")


class Doubting(FakeGenerator):
    """Is as sure as `odds` says of the text that a prompt holds; cancels after `most` readings."""

    def __init__(self, odds: dict[str, float], most: int = 99) -> None:
        super().__init__()
        self.odds = odds
        self.most = most

    def weigh(
        self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: object
    ) -> Iterator[tuple[float, ...]]:
        self.weighed.append(tuple(turns))
        sure = max(odds for text, odds in self.odds.items() if text in turns[-1].content)
        yield (-1.0, -1.0 - sure)


def read(generator: Doubting, *texts: str) -> Assured | None:
    portions = [(passage(n, text),) for n, text in enumerate(texts, start=1)]
    return most_assured(
        generator,
        TEXTS,
        portions,
        lambda some: build(TEXTS, "Who?", some),
        LEVELS,
        lambda: len(generator.weighed) >= generator.most,
    )


def test_one_convincing_passage_is_all_that_is_read() -> None:
    generator = Doubting({"Ida": 2.5, "Otto": 9.0})
    found = read(generator, "Ida did.", "Otto did.")
    assert found is not None
    assert [one.text for one in found.passages] == ["Ida did."]
    assert found.log_odds == 2.5
    (asked,) = generator.weighed
    assert asked[-1].content.endswith("Sure?")
    assert "Otto" not in asked[-1].content


def test_reading_goes_on_until_convinced() -> None:
    found = read(Doubting({"Ida": 1.0, "Otto": 2.5, "Uwe": 9.0}), "Ida.", "Otto.", "Uwe.")
    assert found is not None
    assert [one.text for one in found.passages] == ["Otto."]
    assert [one.text for one in found.read] == ["Ida.", "Otto."]
    assert found.turns[-1] == Turn(Role.USER, found.turns[-1].content)
    assert "[1] Text 2" in found.turns[-1].content


def test_without_conviction_the_best_of_all_counts() -> None:
    found = read(Doubting({"Ida": -1.0, "Otto": 0.5, "Uwe": -3.0}), "Ida.", "Otto.", "Uwe.")
    assert found is not None
    assert (found.log_odds, len(found.read)) == (0.5, 3)
    assert [one.text for one in found.passages] == ["Otto."]


def test_a_passage_behind_must_convince_clearly() -> None:
    found = read(Doubting({"Ida": 0.5, "Otto": 0.75}), "Ida.", "Otto.")
    assert found is not None
    assert [one.text for one in found.passages] == ["Ida."]
    assert found.log_odds == 0.75


def test_stop_ends_the_reading() -> None:
    generator = Doubting({"Ida": -1.0, "Otto": 0.5}, most=1)
    read(generator, "Ida.", "Otto.")
    assert len(generator.weighed) == 1
    assert read(Doubting({}, most=0)) is None


def test_the_best_passages_stand_alone_and_whole() -> None:
    ranked = [passage(n, f"Text number {n}.") for n in range(1, 7)]
    cut = replace(ranked[1], excerpt=((0, 4),))
    budget = Budget(30, lambda texts: [len(text.split()) for text in texts])
    likely = likeliest_first([ranked[0], ranked[4], ranked[2], cut], ranked, ())
    portions = alone(likely, "text", budget)
    assert [one.chunk for (one,) in portions] == [1, 2, 3]
    assert len(portions) == MOST_READ
    assert portions[1][0].excerpt == ()


def test_words_that_answer_bring_their_passage_to_the_front() -> None:
    ranked = [passage(n, f"Text number {n}.") for n in range(1, 5)]
    spots = [Spot(ranked[3], 0, 4, 9.0), Spot(ranked[1], 0, 4, 1.0)]
    likely = likeliest_first(ranked[::-1], ranked, spots)
    assert [one.chunk for one in likely] == [4, 2, 1, 3]


def test_a_passage_too_long_by_itself_stays_cut() -> None:
    long = replace(passage(1, "word " * 50), excerpt=((0, 4),))
    budget = Budget(30, lambda texts: [len(text.split()) for text in texts])
    assert alone([long], "word", budget) == [(long,)]
