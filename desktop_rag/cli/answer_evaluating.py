"""`eval --answers`: asks a set's questions of the whole program, as a person would."""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from collections.abc import Sequence

from desktop_rag.app import App
from desktop_rag.cli.answer_report import AnswerReport, as_json, print_report
from desktop_rag.cli.measured_library import library_of
from desktop_rag.cli.output import print_json, say
from desktop_rag.domain.errors import Cancelled, DesktopRagError
from desktop_rag.domain.evaluation import EvaluationSet
from desktop_rag.domain.events import AnswerDelta, Event
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.services.answer_judging import Judge
from desktop_rag.services.evaluating_answers import AnswerEvaluation, Given, evaluate_answers
from desktop_rag.services.llm_choosing import LLM_VARIABLE


def measure_answers(
    made: EvaluationSet, rules: Sequence[RetrievalRules], args: argparse.Namespace
) -> int:
    """Run the set under each of the rules and print what came of it.

    Ctrl+C ends the asking; what was measured until then is printed.
    """
    if args.model:
        os.environ[LLM_VARIABLE] = args.model
    runs: list[AnswerEvaluation] = []
    with library_of(made, args.data_dir if args.library else None) as library:
        model, note = _model(library.app, is_wanted=bool(args.model))
        say(note or f"Answers are written and judged by {model}.")
        for one in rules:
            asking = Asking(library.app)
            judge = Judge(library.app.complete) if model else None
            run = evaluate_answers(
                library.questions, asking, library.name_of, one, judge, Progress()
            )
            runs.append(run)
            if not run.is_complete:
                break
    report = AnswerReport(made.name, tuple(one for one in runs if one.outcomes), model, note)
    if report.runs:
        print_json(as_json(report)) if args.json else print_report(report)
    if all(run.is_complete for run in runs):
        return 0
    say("Stopped: these are the figures of what was asked until then.")
    return Cancelled.exit_code


def _model(app: App, *, is_wanted: bool) -> tuple[str, str]:
    """The language model's name; without one nothing, and a sentence that says so.

    Raises:
        DesktopRagError: a certain one is wanted and cannot be used.
    """
    try:
        return app.language_model().id, ""
    except DesktopRagError as error:
        if is_wanted:
            raise
        return "", (
            "Answers are quotations from the documents and nothing is judged, because there is no "
            f"language model: {error.message}"
        )


class Asking:
    """Asks one question after the other, each in a chat that is deleted afterwards."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._words_at: list[float] = []

    def __call__(self, question: str, rules: RetrievalRules) -> Given:
        """The answer with its times; Ctrl+C stops it and is passed on."""
        self._words_at.clear()
        begin = time.perf_counter()
        stop_listening = self._app.bus.subscribe(self._note)
        handle = self._app.ask_apart(question, rules)
        try:
            answer = handle.result()
        except KeyboardInterrupt:
            handle.cancel()
            # It is stored once it has stopped; only then can its chat be deleted.
            with contextlib.suppress(DesktopRagError):
                handle.result()
            raise
        finally:
            stop_listening()
            self._app.delete_conversation(handle.conversation)
        seconds = time.perf_counter() - begin
        first = self._words_at[0] - begin if self._words_at else None
        return Given(answer, seconds, first)

    def _note(self, event: Event) -> None:
        if isinstance(event, AnswerDelta):
            self._words_at.append(time.perf_counter())


class Progress:
    """A line for every question, with how long the rest will take."""

    def __init__(self) -> None:
        self._stage, self._begin, self._first = "", 0.0, 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """A question was asked, or an answer judged."""
        if stage != self._stage:
            # The first of a stage is slow: the model is loaded. The rest is told by the others.
            self._stage, self._begin, self._first = stage, time.monotonic(), done
        passed = done - self._first
        left = (time.monotonic() - self._begin) / passed * (total - done) if passed else 0
        minutes = f", about {left / 60:.0f} min left" if left >= 90 else ""
        what = "Question" if stage == "asked" else "Verdict"
        say(f"{what} {done} of {total}{minutes}")
