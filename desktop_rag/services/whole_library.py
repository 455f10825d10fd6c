"""Everything in a scope, to be gone through once: files and their texts, with progress and Stop."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import Cancelled
from desktop_rag.domain.library import FileState
from desktop_rag.domain.matching import DocumentFacts, selected, suffixes
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.tally import count, enumerated
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.holdings import HeldFile, Holdings

_REPORT_EVERY_S = 0.3
_CUT_SHORT = "Read up to"
"""How the notes of files begin that were too long to be read to the end."""


@dataclass(frozen=True, slots=True)
class WholeLibrary:
    """The files a question is about, and a way through their texts; made for one answer."""

    catalog: Catalog
    holdings: Holdings
    files: list[HeldFile]
    today: date
    report: Callable[[int, int], None]
    """Told how many texts of how many were gone through."""
    is_cancelled: Callable[[], bool]

    @property
    def facts(self) -> list[DocumentFacts]:
        """What conditions look at, of all files."""
        return [one.facts for one in self.files]

    def narrowed(self, scope: Scope) -> list[HeldFile]:
        """The files that a condition's scope lets through."""
        chosen = {one.id for one in selected(self.facts, scope)}
        return [one for one in self.files if one.file.id in chosen]

    def texts(self, files: Sequence[HeldFile]) -> Iterator[tuple[HeldFile, str]]:
        """The texts of those files that were read.

        Raises:
            Cancelled: Stop was pressed.
        """
        by_id = {one.file.id: one for one in files if one.is_read}
        reported = time.monotonic()
        for done, (document, text) in enumerate(self.holdings.texts(list(by_id))):
            if self.is_cancelled():
                raise Cancelled("Stopped before everything was looked at.")
            if time.monotonic() - reported > _REPORT_EVERY_S:
                reported = time.monotonic()
                self.report(done, len(by_id))
            yield by_id[document], text


def labels(files: Sequence[HeldFile]) -> dict[DocumentId, str]:
    """The files' names; with its folder where another file is called the same."""
    paths = {one.file.id: PurePath(one.file.path.replace("\\", "/")) for one in files}
    times = Counter(path.name for path in paths.values())
    return {
        key: path.name if times[path.name] < 2 else f"{path.parent.name}/{path.name}"
        for key, path in paths.items()
    }


def named(some: Sequence[HeldFile], files: Sequence[HeldFile], most: int = 3) -> str:
    """Names of some of the files, for a sentence."""
    names = labels(files)
    return enumerated(list(dict.fromkeys(names[one.file.id] for one in some)), most)


def unread_tables(files: Sequence[HeldFile]) -> list[HeldFile]:
    """Those of the files that would have held tables, and were not read."""
    sheets = suffixes("spreadsheet")
    return [o for o in files if not o.is_read and o.facts.names[-1].rpartition(".")[2] in sheets]


def gaps(files: Sequence[HeldFile]) -> tuple[str, ...]:
    """Sentences on what of the files is not known."""
    failed = [one for one in files if one.file.state is FileState.FAILED and not one.is_read]
    waiting = [one for one in files if not one.is_read and one.file.state is not FileState.FAILED]
    cut = [one for one in files if any(n.startswith(_CUT_SHORT) for n in one.file.notes)]
    unrecognised = [one for one in files if one.is_read and one.file.coverage.waiting]
    skipped = [one for one in files if one.is_read and one.file.coverage.skipped]
    told = (
        (failed, "could not be read"),
        (waiting, "has still to be read"),
        (cut, "was not read to its end, because it is too long"),
        (unrecognised, "has scanned pages still to be recognised"),
        (skipped, "has pages that could not be read"),
    )
    return tuple(_gap(some, what) for some, what in told if some)


def _gap(files: Sequence[HeldFile], what: str) -> str:
    names = named(files, files)
    verb = what if len(files) == 1 else what.replace("has ", "have ").replace("was ", "were ")
    verb = verb.replace("its end", "their ends" if len(files) > 1 else "its end")
    return f"{count(len(files), 'file').capitalize()} {verb} ({names})."


def told_copies(doubles: Sequence[tuple[HeldFile, HeldFile]], files: Sequence[HeldFile]) -> str:
    """`a (copy).pdf of a.pdf and b (copy).pdf of b.pdf`."""
    names = labels(files)
    return enumerated([f"{names[a.file.id]} of {names[b.file.id]}" for a, b in doubles])


def copies(texts: Sequence[tuple[HeldFile, str]]) -> list[tuple[HeldFile, HeldFile]]:
    """(copy, the file it is a copy of) for files with the same bytes or the same words."""
    seen: dict[str, HeldFile] = {}
    found: list[tuple[HeldFile, HeldFile]] = []
    # `report.pdf` before `report (copy).pdf`: copies have longer names.
    for file, text in sorted(texts, key=lambda one: (len(one[0].file.path), one[0].file.path)):
        key = hashlib.sha256("".join(text.split()).encode()).hexdigest()
        first = seen.setdefault(key, file)
        if first is not file:
            found.append((file, first))
    return found
