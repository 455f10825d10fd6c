"""What the program keeps on this computer: where, how much, and how to be rid of it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from desktop_rag.domain.errors import InvalidInput
from desktop_rag.paths import DataDir
from desktop_rag.services.erasing import Erasure
from desktop_rag.storage.stored_figures import StoredFigure, StoredFigures


class Kind(StrEnum):
    """Each is a row of the page Privacy."""

    LIBRARY = "library"
    INDEX = "index"
    MODELS = "models"
    RECOGNISED = "recognised"
    CHATS = "chats"
    ANSWERS = "answers"
    QUERY_LOG = "query-log"
    LOGS = "logs"
    BACKUPS = "backups"
    SETTINGS = "settings"
    WINDOW = "window"


@dataclass(frozen=True, slots=True)
class Stored:
    """One kind of what is kept."""

    kind: Kind
    path: Path
    """The file or folder; of a part of the catalog, the catalog's."""
    size: int
    """Bytes; of a part of the catalog, roughly."""
    count: int = 0
    """Entries of a part of the catalog, files of a folder."""
    is_in_library: bool = False
    """A part of the catalog's file, whose size holds it, too."""
    is_clearable: bool = False


_PARTS = frozenset({Kind.RECOGNISED, Kind.CHATS, Kind.QUERY_LOG})
_CLEARABLE = frozenset({Kind.RECOGNISED, Kind.ANSWERS, Kind.QUERY_LOG, Kind.LOGS})


class StoredData:
    """The façade's part for this. All methods *may block*.

    Args:
        folder: the data folder.
        models: the folder of installed models.
        figures: of what the catalog holds.
        forget: how kept answers and the query log are emptied by those who write them.
        erasure: of everything.
    """

    def __init__(
        self,
        folder: DataDir,
        models: Path,
        figures: StoredFigures,
        forget: dict[Kind, Callable[[], object]],
        erasure: Erasure,
    ) -> None:
        self._folder = folder
        self._models = models
        self._figures = figures
        self._erasure = erasure
        self._clear = {
            Kind.RECOGNISED: figures.forget_recognised,
            Kind.LOGS: lambda: _empty_logs(folder.logs),
            **forget,
        }

    @property
    def folder(self) -> Path:
        """The data folder."""
        return self._folder.root

    def all(self) -> list[Stored]:
        """Every kind, in the order of the page."""
        return [self._measured(kind) for kind in Kind]

    def clear(self, kind: Kind) -> None:
        """Delete one kind.

        Raises:
            InvalidInput: it cannot be deleted by itself.
        """
        if kind not in self._clear:
            raise InvalidInput(f"“{kind}” cannot be deleted by itself.")
        self._clear[kind]()

    def delete_everything(self, *, with_models: bool) -> None:
        """Delete all of it once this library is closed, or at the next start if that fails.

        Raises:
            DiskFull, UserError: it cannot be written down; nothing will be deleted.
        """
        self._erasure.request(with_models=with_models)

    def _measured(self, kind: Kind) -> Stored:
        if kind in _PARTS:
            part = self._part(kind)
            return Stored(
                kind,
                self._folder.database,
                part.size,
                part.count,
                is_in_library=True,
                is_clearable=kind in _CLEARABLE,
            )
        paths = self._paths(kind)
        sizes = [_size_of(path) for path in paths]
        size, count = sum(s for s, _ in sizes), sum(n for _, n in sizes)
        return Stored(kind, paths[0], size, count, is_clearable=kind in _CLEARABLE)

    def _part(self, kind: Kind) -> StoredFigure:
        readers = {
            Kind.RECOGNISED: self._figures.recognised,
            Kind.CHATS: self._figures.chats,
            Kind.QUERY_LOG: self._figures.query_log,
        }
        return readers[kind]()

    def _paths(self, kind: Kind) -> list[Path]:
        folder, database = self._folder, self._folder.database
        places = {
            Kind.LIBRARY: [database, *(database.with_name(database.name + end) for end in _LOGGED)],
            Kind.INDEX: [folder.index],
            Kind.MODELS: [self._models],
            Kind.ANSWERS: [folder.kept_answers],
            Kind.LOGS: [folder.logs],
            Kind.BACKUPS: [folder.backups],
            Kind.SETTINGS: [folder.settings],
            Kind.WINDOW: [folder.window],
        }
        return places[kind]


_LOGGED = ("-wal", "-shm")
"""Files that SQLite keeps beside the catalog."""


def _size_of(place: Path) -> tuple[int, int]:
    """Bytes and files; nought of what is not there. Links are neither counted nor followed."""
    try:
        with os.scandir(place) as listing:
            entries = list(listing)
    except NotADirectoryError:
        return place.stat().st_size, 1
    except OSError:
        return 0, 0
    size = count = 0
    for entry in entries:
        with contextlib.suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                inner, files = _size_of(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                inner, files = entry.stat(follow_symlinks=False).st_size, 1
            else:
                continue
            size, count = size + inner, count + files
    return size, count


def _empty_logs(folder: Path) -> None:
    """Old logs go; those that are being written are emptied, because others have them open."""
    for path in folder.glob("*.log*"):
        with contextlib.suppress(OSError):
            if path.is_symlink() or path.suffix != ".log" or path.name.endswith(".old.log"):
                path.unlink()
            else:
                os.truncate(path, 0)
