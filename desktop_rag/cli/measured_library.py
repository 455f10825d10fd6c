"""The library that a test set is asked of: one made for it and thrown away, or the person's own."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.app import App
from desktop_rag.cli.output import ProgressLine, say
from desktop_rag.domain.answers import Passage
from desktop_rag.domain.errors import InvalidInput, Paused, UserError
from desktop_rag.domain.evaluation import EvaluationSet, Place, Question
from desktop_rag.domain.grading import quote_span
from desktop_rag.domain.library import FileState, FolderRules
from desktop_rag.storage.evaluation_sets import QUESTIONS

_NO_NAME = re.compile(r'[\x00-\x1f<>:"/\\|?*]|^[. ]+|[. ]+$')
"""What no file may be called on some system."""
_NAME_CHARS = 80
_LONG_AGO_S = 1_000_000_000
"""Any time in the past: a file written this moment is not read at once, in case more follows."""


@dataclass(frozen=True, slots=True)
class MeasuredLibrary:
    """An open library with the set's questions; spans are those of the texts as it read them."""

    app: App
    questions: tuple[Question, ...]
    ids: dict[str, str]
    """Of the set's texts, by the folder that each was written to."""

    def name(self, passage: Passage) -> str:
        """Of the text or file that a passage comes from, as the questions call it."""
        return self.name_of(passage.path)

    def name_of(self, path: str) -> str:
        """As `name`, of a file."""
        return self.ids.get(Path(path).parent.name, path)


@contextmanager
def library_of(made: EvaluationSet, data_dir: Path | None = None) -> Iterator[MeasuredLibrary]:
    """Index the set in a library of its own, or open the one in `data_dir` as it is.

    Raises:
        InvalidInput: `data_dir` is named and the set has texts instead of files.
        UserError: something that answers questions cannot be searched.
    """
    if data_dir is not None and made.texts:
        raise InvalidInput("--library needs a set of questions about files, not one with texts.")
    with tempfile.TemporaryDirectory(prefix="desktop-rag-eval-") as scratch:
        texts = Path(scratch, "texts")
        ids = _written(made, texts)
        with App.open(data_dir or Path(scratch, "data")) as app:
            if data_dir is None:
                index(app, Path(made.files) if made.files else texts)
            library = MeasuredLibrary(app, made.questions, ids)
            files = {library.name_of(path): text for path, text in readable(app).items()}
            yield replace(library, questions=_located(made.questions, files))


@contextmanager
def temporary_library(place: Path, *, needs_llm: bool = False) -> Iterator[App]:
    """A library of a file or folder that is gone afterwards.

    Raises:
        ModelMissing, ModelDamaged, NotEnoughMemory: a language model is needed and there is none.
    """
    with (
        tempfile.TemporaryDirectory(prefix="desktop-rag-eval-") as scratch,
        App.open(Path(scratch)) as app,
    ):
        if needs_llm:
            say(f"Questions are written by {app.language_model().id}.")
        index(app, place)
        yield app


def index(app: App, place: Path) -> None:
    """Add a file or folder and wait until it is searchable.

    Raises:
        UserError: it cannot be read at all.
        Paused: indexing stopped.
    """
    stop_listening = app.bus.subscribe(ProgressLine())
    say(f"Indexing {place} …")
    rules = FolderRules(exclude=(QUESTIONS,)) if place.is_dir() else FolderRules()
    report = app.add([place], rules)
    if report.skipped:
        raise UserError(report.skipped[0][1])
    app.start_indexing()
    if not app.wait_until_indexed() or app.is_paused():
        raise Paused("Indexing did not finish, so there is nothing to measure; try again.")
    stop_listening()


def readable(app: App) -> dict[str, str]:
    """The text of every searchable file, by path."""
    ready = [one for one in app.files() if one.state is FileState.READY]
    return {one.path: app.document(one.id).text for one in ready}


def _written(made: EvaluationSet, folder: Path) -> dict[str, str]:
    """A file for each text, called by its title as somebody would; returns ids by folder.

    In a folder each, because titles repeat, and because a number in the name would be read.
    """
    ids: dict[str, str] = {}
    for number, one in enumerate(made.texts, 1):
        place = folder / f"{number:06d}"
        place.mkdir(parents=True)
        title = " ".join(_NO_NAME.sub(" ", one.title).split())[:_NAME_CHARS]
        path = place / f"{title or place.name}.txt"
        # Public sets have texts that are empty but for their title.
        path.write_text(one.text if one.text.strip() else one.title, encoding="utf-8")
        os.utime(path, (_LONG_AGO_S, _LONG_AGO_S))
        ids[place.name] = one.id
    return ids


def _located(questions: Sequence[Question], files: dict[str, str]) -> tuple[Question, ...]:
    """Questions with spans in the text as it was read, which may differ in white space.

    A file that could not be read must not pass for one that was not found.
    """
    missing = sorted({p.file for one in questions for p in one.places} - files.keys())
    if missing:
        raise UserError(
            f"{len(missing)} files that answer questions are not searchable, the first is "
            f"{missing[0]}; mend or leave out these questions."
        )
    return tuple(
        replace(one, places=tuple(_moved(place, one.id, files) for place in one.places))
        for one in questions
    )


def _moved(place: Place, question: str, files: dict[str, str]) -> Place:
    if place.span is None or not place.quote:
        return place
    span = quote_span(files[place.file], place.quote, place.span[0])
    if span is None:
        raise InvalidInput(
            f"The quote of question “{question}” does not stand in {place.file} as the program "
            "reads it; mend the quote, or leave it out."
        )
    return replace(place, span=span)
