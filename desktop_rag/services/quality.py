"""Measures the library on the person's own questions, and tells how searches and answers went.

Everything stays in the library. A run asks the program's own search, so it takes turns with the
person's questions; between two questions it looks whether it is to stop.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import Cancelled, InvalidInput, NothingIndexed
from desktop_rag.domain.evaluation import Question
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.domain.quality import (
    Day,
    Spread,
    by_day,
    retrieval_figures,
    share_without_result,
    spread,
)
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.services.evaluating import Find, ask_question
from desktop_rag.services.feedback import Judgements
from desktop_rag.services.question_making import make_questions
from desktop_rag.storage.evaluation_sets import read_set
from desktop_rag.storage.evaluations import Evaluations, StoredEvaluation
from desktop_rag.storage.index_age import IndexAge, IndexAges
from desktop_rag.storage.quality_records import QualityRecords

QUESTIONS = 30
"""Of a small set: some seconds, and an interval of about a sixth to each side."""
_MOST_FILES = 60
_CUTOFFS = (1, 5, 10)


class Origin(StrEnum):
    """Where the questions of a run come from."""

    DOCUMENTS = "documents"
    """Made from sentences of the library's own documents."""
    GOOD_ANSWERS = "good answers"
    """Asked by the person, who found the answer good: are its sources still found?"""
    FILE = "file"
    """A file of questions."""


@dataclass(frozen=True, slots=True)
class QualityFigures:
    """What is known without measuring."""

    is_log_on: bool
    searches: Spread
    first_word: Spread
    """Of written answers in the chats."""
    without_result: float
    """Share of the searches in the log, from 0 to 1."""
    days: tuple[Day, ...]
    age: IndexAge
    good: int
    """Answers that the person found good."""
    bad: int
    reasons: tuple[tuple[str, int], ...]
    """What was wrong, the most frequent first (`domain.feedback.Reason`)."""
    runs: tuple[StoredEvaluation, ...]
    """Oldest first."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The library as a run needs it."""

    files: Callable[[], Sequence[LibraryFile]]
    text: Callable[[DocumentId], str]
    find: Find


class Quality:
    """The façade's part for this. All methods *may block*; any thread may call them."""

    def __init__(
        self,
        texts: Texts,
        records: QualityRecords,
        runs: Evaluations,
        ages: IndexAges,
        feedback: Judgements,
        is_log_on: Callable[[], bool],
    ) -> None:
        self._texts = texts
        self._records = records
        self._runs = runs
        self._ages = ages
        self._feedback = feedback
        self._is_log_on = is_log_on

    def figures(self) -> QualityFigures:
        """Everything at once, as a page shows it."""
        searches = self._records.searches()
        verdicts = [one.rating for one in self._feedback.all()]
        bad = [one.reason.value for one in verdicts if not one.is_good]
        reasons = sorted(set(bad), key=lambda reason: (-bad.count(reason), reason))
        return QualityFigures(
            is_log_on=self._is_log_on(),
            searches=spread([one.search_ms for one in searches]),
            first_word=spread(self._records.first_words_ms()),
            without_result=share_without_result(searches),
            days=tuple(by_day(searches)),
            age=self._ages.now(),
            good=len(verdicts) - len(bad),
            bad=len(bad),
            reasons=tuple((reason, bad.count(reason)) for reason in reasons),
            runs=tuple(self._runs.all()),
        )

    def measure(
        self,
        origin: Origin = Origin.DOCUMENTS,
        count: int = QUESTIONS,
        file: Path | None = None,
        tell: Callable[[int, int], None] = lambda _done, _total: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> StoredEvaluation:
        """Ask questions whose places are known, and keep how often those were found.

        Args:
            origin: where the questions come from.
            count: how many at most.
            file: of questions, for `Origin.FILE`.
            tell: called with how many questions were asked, and of how many.
            is_cancelled: asked between two questions; then nothing is kept.

        Raises:
            NothingIndexed: there is nothing to ask about.
            InvalidInput, NotFound: the questions cannot be had; the message says why.
            Cancelled: it was stopped.
        """
        questions = self._questions(origin, count, file)
        outcomes = []
        for done, question in enumerate(questions):
            if is_cancelled():
                raise Cancelled("Stopped; nothing was kept of this run.")
            tell(done, len(questions))
            outcomes.append(
                ask_question(question, self._texts.find, _path_of, DEFAULT_RULES, _CUTOFFS)
            )
        tell(len(questions), len(questions))
        name = file.name if origin is Origin.FILE and file is not None else origin.value
        return self._runs.add(name, retrieval_figures(outcomes))

    def forget_runs(self) -> None:
        """Delete what was measured so far."""
        self._runs.clear()

    def _questions(self, origin: Origin, count: int, file: Path | None) -> Sequence[Question]:
        ready = [one for one in self._texts.files() if one.state is FileState.READY]
        if not ready:
            raise NothingIndexed("No document is searchable yet, so there is nothing to measure.")
        if origin is Origin.DOCUMENTS:
            return make_questions(self._some_texts(ready), count)
        if origin is Origin.FILE and file is not None:
            questions: Iterable[Question] = _of_files(file)
            missing = "None of its questions is about a file that is searchable here."
        else:
            questions = self._records.good_questions()
            missing = (
                "There is no answer yet that you found good and whose file is still here: press "
                "thumbs up below answers in your chats."
            )
        known = {one.path for one in ready}
        usable = [one for one in questions if _is_about(one, known)][:count]
        if not usable:
            raise InvalidInput(missing)
        return usable

    def _some_texts(self, ready: Sequence[LibraryFile]) -> dict[str, str]:
        """Of a large library a part, another one with every run."""
        chosen = random.sample(list(ready), min(_MOST_FILES, len(ready)))
        return {one.path: self._texts.text(one.id) for one in chosen}


def _of_files(file: Path) -> Sequence[Question]:
    made = read_set(file)
    if made.texts:
        raise InvalidInput(
            f"{file.name} belongs to texts of its own; measure it with `desktop-rag eval`."
        )
    return made.questions


def _is_about(question: Question, known: set[str]) -> bool:
    return bool(question.places) and all(place.file in known for place in question.places)


def _path_of(passage: Passage) -> str:
    return passage.path
