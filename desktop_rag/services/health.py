"""How the program does: workers, index, disk, versions, the check-up and what it can mend, the log.

The check-up is the one of `desktop-rag doctor`, made while the library is open.
"""

from __future__ import annotations

import contextlib
import platform
import re
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from desktop_rag import __version__
from desktop_rag.domain.health import WorkerFacts
from desktop_rag.domain.ports import DocumentReader, SearchIndex
from desktop_rag.paths import DataDir
from desktop_rag.services.models import ModelLibrary
from desktop_rag.services.upkeep import CheckUp, Finding, Mending
from desktop_rag.storage.index_age import IndexAge, IndexAges

_LOG = "desktop-rag.log"
_TAIL_BYTES = 64_000
_PATH = re.compile(r"(?<![\w<>~])(?:[A-Za-z]:\\|\\\\|/)[^\s\"'“”:;,()<>|*?][^\"“”:;,()<>|*?\n]*")
"""Anything that looks like a place on a disk."""


@dataclass(frozen=True, slots=True)
class HealthReport:
    """What can be told without looking far."""

    workers: tuple[WorkerFacts, ...]
    index: IndexAge
    free: int
    """Bytes on the disk of the library."""
    versions: tuple[tuple[str, str], ...]
    """Names and versions: program, language, database, system, computer."""


class Health:
    """The façade's part for this. All methods *may block*; any thread may call them.

    Args:
        folder: the data folder, which is open.
        models: the person's models.
        index, reader: the engines in use.
        workers: tells how each role does.
        ages: reads how old the index is.
        wake: has indexing look for work, after something was mended.
    """

    def __init__(
        self,
        folder: DataDir,
        models: ModelLibrary,
        index: SearchIndex,
        reader: DocumentReader,
        workers: Callable[[], Sequence[WorkerFacts]],
        ages: IndexAges,
        wake: Callable[[], object],
    ) -> None:
        self._folder = folder
        self._models = models
        self._index = index
        self._reader = reader
        self._workers = workers
        self._ages = ages
        self._wake = wake

    def report(self) -> HealthReport:
        """Everything that is known at once."""
        return HealthReport(
            workers=tuple(self._workers()),
            index=self._ages.now(),
            free=shutil.disk_usage(self._folder.root).free,
            versions=_versions(),
        )

    def check(self, *, is_full: bool = False) -> list[Finding]:
        """Look whether everything is there and agrees; a full look takes minutes."""
        return list(self._check_up(is_full=is_full).run())

    def repair(self) -> list[str]:
        """Mend what a new check-up finds; a sentence for each thing that was done."""
        check_up = self._check_up(is_full=False)
        findings = list(check_up.run())
        mending = Mending(self._folder, check_up.seen, clear_index=self._index.clear)
        done = mending.mend(findings)
        self._wake()
        return done

    def _check_up(self, *, is_full: bool) -> CheckUp:
        return CheckUp(self._folder, self._models, self._index, self._reader, is_full=is_full)

    # the log
    def log_tail(self, lines: int = 200) -> str:
        """The newest lines of the program's own log; empty when there are none."""
        with contextlib.suppress(OSError), (self._folder.logs / _LOG).open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL_BYTES))
            told = file.read().decode("utf-8", "replace").splitlines()
            # Of a line that is cut in two, the rest of a path would pass for words.
            whole = told[1:] if size > _TAIL_BYTES else told
            return self.shortened("\n".join(whole[-lines:]))
        return ""

    def shortened(self, text: str) -> str:
        """The text without what tells of a person: names of folders and files are left out."""
        for place, name in (
            (self._folder.root, "<data folder>"),
            (self._folder.root.resolve(), "<data folder>"),
            (Path.home(), "~"),
        ):
            text = text.replace(str(place), name)
        text = re.sub(r"(<data folder>|~)[/\\][^\s\"“”:;,()]*", r"\1/…", text)
        return _PATH.sub("<path>", text)


def _versions() -> tuple[tuple[str, str], ...]:
    memory = psutil.virtual_memory().total / 2**30
    return (
        ("Desktop RAG", __version__),
        ("Python", platform.python_version()),
        ("SQLite", sqlite3.sqlite_version),
        ("System", f"{platform.system()} {platform.release()} ({platform.machine()})"),
        ("Computer", f"{psutil.cpu_count(logical=False) or 1} cores, {memory:.0f} GB of memory"),
    )
