"""How well the extractive model finds the words that answer, and tells when there are none.

Run with `python -m tests.benchmarks.bench_spotting FOLDER [OTHER…] [--work FOLDER]`; FOLDER as in
`bench_answers`, questions of the others are off-topic. No language model takes part: passages are
what the program finds. `domain.spotting` has its levels from here.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.app import App
from desktop_rag.domain.answer_scoring import contains, token_f1
from desktop_rag.domain.answers import Passage
from desktop_rag.domain.evaluation import percentile
from desktop_rag.domain.question_kinds import QuestionKind
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.domain.spotting import STATED_FROM, UNSTATED_BELOW, Spot, sentence_of
from desktop_rag.services.retrieval import CONSIDERED
from desktop_rag.services.spotting import Spotting
from tests.benchmarks.answer_levels import area
from tests.benchmarks.answer_runs import Asking, library
from tests.benchmarks.answer_sets import Asked, Kind, answer_set

_NOWHERE = -1000.0


@dataclass(frozen=True, slots=True)
class Look:
    """What the model made of one question."""

    asked: Asked
    spots: tuple[Spot, ...]
    is_found: bool
    """Search found the paragraph among the passages that the model read."""
    is_right: bool
    """The best words stand in the paragraph."""
    was_first: bool
    """The passage that search puts first does."""
    seconds: float

    @property
    def margin(self) -> float:
        """Of the best words."""
        return self.spots[0].margin if self.spots else _NOWHERE

    @property
    def words(self) -> str:
        """The best ones."""
        return self.spots[0].words if self.spots else ""

    @property
    def sentence(self) -> str:
        """Where they stand."""
        if not self.spots:
            return ""
        start, end = sentence_of(self.spots[0])
        return self.spots[0].passage.text[start:end]


def look(app: App, spotting: Spotting, asking: Asking, asked: Asked) -> Look:
    """Search, then have the model look."""
    found = app.find(asked.text, CONSIDERED, DEFAULT_RULES)
    begin = time.perf_counter()
    spots = spotting.spots(found, QuestionKind.FACT)
    seconds = time.perf_counter() - begin
    truth = asking.truth(asked)

    def is_in(passage: Passage) -> bool:
        if truth is None or Path(passage.path).name != truth[0]:
            return False
        return passage.start < truth[2] and truth[1] < passage.end

    return Look(
        asked,
        spots,
        any(is_in(one.passage) and contains(one.passage.text, asked.gold) for one in spots),
        bool(spots) and is_in(spots[0].passage),
        bool(found.passages) and is_in(found.passages[0]),
        seconds,
    )


def mean(looks: Sequence[Look], value: Callable[[Look], float]) -> str:
    """As a percentage, with how many there were."""
    if not looks:
        return "-"
    return f"{100 * sum(map(value, looks)) / len(looks):5.1f} % of {len(looks)}"


def parted(upper: Sequence[Look], lower: Sequence[Look]) -> float:
    """In which share of pairs the upper one has the larger margin."""
    return area([one.margin for one in upper], [one.margin for one in lower] or [0.0])


def report(looks: Sequence[Look]) -> None:
    """Print all figures, of the questions that ask for words."""
    asked = len(looks)
    looks = [one for one in looks if one.spots]
    print(f"a few words can answer       {len(looks)} of {asked}")
    by_kind = {kind: [one for one in looks if one.asked.kind is kind] for kind in Kind}
    answerable = by_kind[Kind.ANSWERABLE]
    found = [one for one in answerable if one.is_found]
    print(f"words hold the gold          {mean(found, lambda o: contains(o.words, o.asked.gold))}")
    print(
        f"their sentence holds it      {mean(found, lambda o: contains(o.sentence, o.asked.gold))}"
    )
    stated = [one for one in answerable if one.margin >= STATED_FROM]
    print(
        f"so where it is quoted        {mean(stated, lambda o: contains(o.sentence, o.asked.gold))}"
    )
    print(f"token F1 of the words        {mean(found, lambda o: token_f1(o.words, o.asked.gold))}")
    print(f"best words in the paragraph  {mean(found, lambda o: o.is_right)}")
    print(f"search's first is there      {mean(found, lambda o: o.was_first)}")
    for kind in (Kind.MISLEADING, Kind.OFF_TOPIC):
        print(f"parted from {kind:11s}      {parted(answerable, by_kind[kind]):.3f}")
    levels = sorted({UNSTATED_BELOW, STATED_FROM, *range(-8, 10, 1)})
    print("share below a margin   " + " ".join(f"{kind:>14s}" for kind in Kind))
    for level in levels:
        shares = (mean(by_kind[kind], lambda o, at=level: o.margin < at) for kind in Kind)  # type: ignore[misc]
        print(f"{level:+19.1f}    " + " ".join(f"{share:>14s}" for share in shares))
    times = [one.seconds * 1000 for one in looks if one.spots]
    print(f"ms a question: p50 {percentile(times, 0.5):.0f}, p95 {percentile(times, 0.95):.0f}")


def main() -> None:
    """Ask everything and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("others", nargs="*", type=Path)
    parser.add_argument("--answerable", type=int, default=300)
    parser.add_argument("--unanswerable", type=int, default=300)
    parser.add_argument("--off-topic", type=int, default=100)
    parser.add_argument(
        "--work", type=Path, default=Path(tempfile.gettempdir(), "desktop-rag-spotting")
    )
    options = parser.parse_args()
    wanted = {
        Kind.ANSWERABLE: options.answerable,
        Kind.MISLEADING: options.unanswerable,
        Kind.OFF_TOPIC: options.off_topic,
    }
    made = answer_set(options.folder, options.others, wanted)
    with library(made, options.work) as (app, meter):
        asking, spotting = Asking(app, meter), Spotting(app._retrieval)
        report([look(app, spotting, asking, one) for one in made.questions])


if __name__ == "__main__":
    main()
