"""Follows one file from the folder it lies in to the search index, and says where it got lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.coverage import ranges, waiting_words
from desktop_rag.domain.documents import Coverage
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.domain.tracing import Mark, NextStep, Step, Way
from desktop_rag.services.scanning import Scanning
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.folders import is_ignored
from desktop_rag.storage.skipped import LeftOut
from desktop_rag.storage.sources import Sources, StoredSource
from desktop_rag.storage.text_search import TextSearch

ADDED, SCANNED, READ, TEXT, PASSAGES, INDEX = (
    "Added",
    "Found in its folder",
    "Read",
    "Text",
    "Passages",
    "Search index",
)
_LEFT_OUT_STEPS = {
    "rule": ("Change what is read of its folder.", NextStep.RULES),
    "too-large": ("Raise the limit for the size of files.", NextStep.LIMIT),
    "unsupported": ("Save it as PDF, DOCX or text and add that.", NextStep.OPEN),
    "offline": ("Connect the drive; it is looked at again by itself.", NextStep.NONE),
}
_FAILED_STEPS = {
    "encrypted": ("Save a copy without the password, then read it again.", NextStep.OPEN),
    "too-large": ("Raise the limit for the size of files.", NextStep.LIMIT),
    "recognition-off": ("Switch text recognition on.", NextStep.RECOGNISE),
    "unsupported": ("Save it as PDF, DOCX or text and add that.", NextStep.OPEN),
    "damaged": ("Open it in its own program, save it again, then retry.", NextStep.OPEN),
}


@dataclass(frozen=True, slots=True)
class FileTracing:
    """Looks at a file. Usable from any thread; *may block* shortly for a look at the disk."""

    catalog: Catalog
    sources: Sources
    scanning: Scanning
    texts: TextSearch
    is_paused: Callable[[], bool]

    def trace(self, path: str) -> Way:
        """The way of the file at this absolute path."""
        return Way(path, tuple(self._steps(path)))

    def _steps(self, path: str) -> Iterator[Step]:
        source = self._source_of(path)
        document = self.catalog.document_at(path)
        if source is None:
            yield _not_added(path)
            return
        yield Step(ADDED, Mark.PASSED, f"It belongs to {source.path}.", path=source.path)
        if document is None:
            yield self._why_not_known(source, path)
            return
        file = self.catalog.file(document)
        yield self._scanned(source, path)
        yield self._read(file)
        if file.state is FileState.READY or file.chunks:
            yield _text(file)
            yield _passages(file)
            yield self._index(file)

    def _source_of(self, path: str) -> StoredSource | None:
        """The innermost source that covers a path."""
        covering = [one for one in self.sources.all() if Path(path).is_relative_to(one.path)]
        return max(covering, key=lambda one: len(one.path), default=None)

    # ------------------------------------------------------------------ not in the library

    def _why_not_known(self, source: StoredSource, path: str) -> Step:
        excluded = [one for one in self.sources.excluded() if Path(path).is_relative_to(one)]
        if excluded:
            return Step(
                SCANNED,
                Mark.STOPPED,
                f"{excluded[0]} was removed from the library.",
                "Add it again to have it read.",
                NextStep.ADD,
                excluded[0],
            )
        if not self.scanning.is_online(source):
            return _offline(source)
        if not Path(path).exists():
            return Step(SCANNED, Mark.STOPPED, "There is no such file.", "Check its name.")
        if (hidden := _hidden_part(source, path)) is not None:
            return Step(
                SCANNED,
                Mark.STOPPED,
                f"Hidden and temporary files are passed over, and {hidden} is one.",
                "Rename it to have it read.",
            )
        if (left_out := self._left_out(source, path)) is not None:
            return _left_out_step(left_out, source)
        return Step(
            SCANNED, Mark.OPEN, "The folder was not looked at since this file is there.",
            "It is looked at in a moment.",
        )  # fmt: skip

    def _left_out(self, source: StoredSource, path: str) -> LeftOut | None:
        """As the file lies there now; of a folder above it, as it was last seen."""
        if (now := self.scanning.why_left_out(source, path)) is not None:
            return now
        above = [one for one in Path(path).parents if one.is_relative_to(source.path)]
        met = (self.sources.skipped.at(str(one)) for one in (Path(path), *above))
        return next((one for one in met if one is not None), None)

    # ------------------------------------------------------------------ in the library

    def _scanned(self, source: StoredSource, path: str) -> Step:
        if not self.scanning.is_online(source):
            return Step(
                SCANNED,
                Mark.NOTE,
                "Its folder cannot be reached now; what was read of it is still found.",
                "Connect the drive, or say where the folder lies now.",
                NextStep.RELOCATE,
                source.path,
            )
        del path
        return Step(SCANNED, Mark.PASSED, "It was found in its folder and is not left out.")

    def _read(self, file: LibraryFile) -> Step:
        if file.state is FileState.FAILED:
            remedy, step = _FAILED_STEPS.get(
                file.failure_code, ("Have it read again.", NextStep.RETRY)
            )
            return Step(READ, Mark.STOPPED, file.failure, remedy, step, file.path)
        if file.state is FileState.READY:
            when = file.indexed_at.replace("T", " ")[:16]
            return Step(READ, Mark.PASSED, f"It was read on {when} (UTC).", path=file.path)
        if self.is_paused():
            return Step(
                READ, Mark.STOPPED, "Indexing is paused, and this file is still to be read.",
                "Let indexing go on.", NextStep.RESUME, file.path,
            )  # fmt: skip
        state = "being read now" if file.state is FileState.READING else "still to be read"
        return Step(READ, Mark.OPEN, f"It is {state}.", "Ask again in a moment.")

    def _index(self, file: LibraryFile) -> Step:
        waiting = self.texts.unindexed(file.id)
        if waiting:
            return Step(
                INDEX, Mark.OPEN, f"{waiting} of its passages are not in the search index yet.",
                "Ask again in a moment.",
            )  # fmt: skip
        return Step(INDEX, Mark.PASSED, "The search index holds all its passages.")


def _not_added(path: str) -> Step:
    if not Path(path).exists():
        sentence = "It is in no folder of the library, and there is nothing at this place."
        return Step(ADDED, Mark.STOPPED, sentence, "Check its name and the drive it is on.")
    sentence = "It is in no folder that was added to the library."
    remedy = "Add it, or the folder it is in."
    return Step(ADDED, Mark.STOPPED, sentence, remedy, NextStep.ADD, path)


def _offline(source: StoredSource) -> Step:
    return Step(
        SCANNED,
        Mark.STOPPED,
        f"{source.path} cannot be reached now.",
        "Connect the drive, or say where the folder lies now.",
        NextStep.RELOCATE,
        source.path,
    )


def _hidden_part(source: StoredSource, path: str) -> str | None:
    parts = Path(path).relative_to(source.path).parts
    return next((part for part in parts if is_ignored(part)), None)


def _left_out_step(left_out: LeftOut, source: StoredSource) -> Step:
    remedy, step = _LEFT_OUT_STEPS.get(left_out.code, ("", NextStep.NONE))
    target = source.path if step is NextStep.RULES else left_out.path
    return Step(SCANNED, Mark.STOPPED, left_out.reason, remedy, step, target)


def _text(file: LibraryFile) -> Step:
    coverage = file.coverage
    if coverage.waiting:
        sentence = f"{waiting_words(coverage).capitalize()}."
        return Step(TEXT, Mark.NOTE, sentence, "They are recognised by themselves.")
    if coverage.skipped:
        pages = ranges(page for page, _ in coverage.skipped)
        is_off = any("text recognition is off" in reason for _, reason in coverage.skipped)
        return Step(
            TEXT,
            Mark.NOTE,
            f"{with_text(coverage)}; not read: page {pages} ({coverage.skipped[0][1]}).",
            "Switch text recognition on." if is_off else "",
            NextStep.RECOGNISE if is_off else NextStep.NONE,
            file.path,
        )
    sentence = f"{with_text(coverage)}." if coverage.pages else "Its text was read."
    return Step(TEXT, Mark.PASSED, sentence)


def with_text(coverage: Coverage) -> str:
    """`12 of 14 pages have text`."""
    read = coverage.read + len(coverage.recognised)
    if coverage.pages == 1:
        return "The page has text" if read else "The page has no text"
    return f"{read} of {coverage.pages} pages have text"


def _passages(file: LibraryFile) -> Step:
    if not file.chunks:
        return Step(PASSAGES, Mark.STOPPED, "Nothing of it can be searched: it holds no text.")
    noun = "passage" if file.chunks == 1 else "passages"
    return Step(PASSAGES, Mark.PASSED, f"{file.chunks} {noun}.", "", NextStep.SHOW, file.path)
