"""The check-up of a library: is everything there, does it agree, and what to do when it does not.

Every check gives findings, one sentence each. A check that cannot be made says so; none of them
ends the check-up, however damaged the library is. Only `Mending` writes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from desktop_rag import paths, settings
from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.errors import DesktopRagError, LibraryDamaged
from desktop_rag.domain.ports import DocumentReader, SearchIndex
from desktop_rag.services.model_shelf import ModelState
from desktop_rag.services.models import ModelLibrary
from desktop_rag.storage import backups, inspection, repairs
from desktop_rag.storage.archives import STAGING
from desktop_rag.storage.database import SCHEMA_VERSION, Database, open_read_only
from desktop_rag.storage.folders import device_of
from desktop_rag.storage.rereading import count_rereading
from desktop_rag.storage.sources import NOT_SEEN_HERE

_LEAST_FREE = 500_000_000
"""Bytes; below, indexing soon pauses."""
_SAMPLE = 500
"""Passages that a quick check-up looks for in the search index."""
_ID_BATCH = 5_000
_INOTIFY_LIMIT = Path("/proc/sys/fs/inotify/max_user_watches")
_EVERYONE = stat.S_IRGRP | stat.S_IROTH | stat.S_IXGRP | stat.S_IXOTH


class Outcome(StrEnum):
    """What a check says."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; nothing is wrong."""
    PROBLEM = "problem"
    SKIPPED = "skipped"
    """It could not be made now; the sentence says why."""


class Repair(StrEnum):
    """What `Mending` can do about a problem."""

    SQLITE_INDEXES = "sqlite-indexes"
    READ_AGAIN = "read-again"
    QUEUE = "queue"
    VECTORS = "vectors"
    UNUSED = "unused"
    INDEX = "index"
    LEFTOVERS = "leftovers"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the check-up: what was looked at, what it says, what to do about it."""

    check: str
    outcome: Outcome
    message: str
    remedy: str = ""
    repair: Repair | None = None


@dataclass(slots=True)
class _Seen:
    """What one check learnt and another needs."""

    documents: list[DocumentId] = field(default_factory=list)
    leftovers: list[Path] = field(default_factory=list)
    fingerprint: str = ""


class CheckUp:
    """One look at a data folder.

    Args:
        folder: the data folder; the caller holds its lock when `index` or `reader` is given.
        models: the person's models.
        index: the search index; `None` leaves it out.
        reader: tells today's readers; `None` leaves out how much they have to read again.
        is_full: look at everything instead of samples, and hash models.
        without_index: why there is no `index`, in a sentence.
    """

    def __init__(
        self,
        folder: paths.DataDir,
        models: ModelLibrary,
        index: SearchIndex | None,
        reader: DocumentReader | None,
        *,
        is_full: bool,
        without_index: str = "",
    ) -> None:
        self._folder = folder
        self._without_index = without_index
        self._models = models
        self._index = index
        self._reader = reader
        self._is_full = is_full
        self.seen = _Seen()

    def run(self) -> Iterator[Finding]:
        """All findings, each as soon as it is known."""
        yield from self._data_folder()
        yield from self._room()
        yield from self._settings()
        yield from self._logs()
        yield from self._leftovers()
        yield from self._library()
        yield from self._model_files()

    # ------------------------------------------------------------------ the folder

    def _data_folder(self) -> Iterator[Finding]:
        root, name = self._folder.root, "data folder"
        if not root.is_dir():
            yield Finding(name, Outcome.NOTE, f"{root} does not exist yet.")
            return
        wanted = [root, *(p for p in (self._folder.database, self._folder.index) if p.exists())]
        refused = [str(p) for p in wanted if not os.access(p, os.R_OK | os.W_OK)]
        if refused:
            yield _problem(
                name, f"{refused[0]} cannot be written.", "Give yourself the right to write there."
            )
        elif is_open_to_others(root):
            yield Finding(
                name,
                Outcome.NOTE,
                f"Other people who use this computer can read {root}.",
                f"If they must not: chmod 700 {root}",
            )
        else:
            yield _ok(name, f"{root} can be written.")

    def _room(self) -> Iterator[Finding]:
        if not self._folder.root.is_dir():
            return
        free = shutil.disk_usage(self._folder.root).free
        said = f"{free / 1e9:.1f} GB are free."
        if free < _LEAST_FREE:
            yield _problem("disk", said, "Free some space; indexing pauses when there is none.")
        else:
            yield _ok("disk", said)

    def _settings(self) -> Iterator[Finding]:
        try:
            settings.load(self._folder.settings)
        except DesktopRagError as error:
            yield _problem("settings", error.message)
        else:
            yield _ok("settings", "All settings can be used.")

    def _logs(self) -> Iterator[Finding]:
        folder = self._folder.logs
        if folder.exists() and not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
            yield _problem("logs", f"{folder} cannot be written.", "Delete it or mend its rights.")
            return
        size = sum(file.stat().st_size for file in folder.glob("*") if file.is_file())
        yield _ok("logs", f"{folder} holds {size / 1e6:.1f} MB.")

    def _leftovers(self) -> Iterator[Finding]:
        root = self._folder.root
        found = [*backups.partial_files(root), *root.glob("*.partial*")]
        found = sorted({*found, *([root / STAGING] if (root / STAGING).exists() else [])})
        self.seen.leftovers = found
        if found:
            yield _problem(
                "leftovers",
                f"{len(found)} files or folders of an interrupted step take room: "
                f"{', '.join(path.name for path in found[:3])}.",
                repair=Repair.LEFTOVERS,
            )
        else:
            yield _ok("leftovers", "Nothing was left behind by an interrupted step.")

    # ------------------------------------------------------------------ the library

    def _library(self) -> Iterator[Finding]:
        path = self._folder.database
        if not path.exists():
            yield Finding("library", Outcome.NOTE, f"There is no library in {path.parent} yet.")
            return
        if not path.stat().st_size:
            yield _problem("library", f"{path} is empty.", self._restore_hint())
            return
        try:
            with contextlib.closing(open_read_only(path)) as db:
                yield from self._catalog(db)
        except LibraryDamaged as error:
            yield _problem("library", error.message, self._restore_hint())
        except DesktopRagError as error:
            yield _problem("library", error.message)
        except sqlite3.DatabaseError as error:
            yield _problem(
                "library", f"The catalog cannot be read on ({error}).", self._restore_hint()
            )

    def _catalog(self, db: sqlite3.Connection) -> Iterator[Finding]:
        damage = inspection.integrity(db, is_full=self._is_full)
        if inspection.only_indexes_are_wrong(damage):
            yield _problem(
                "library",
                f"An index inside the catalog is wrong ({damage[0]}).",
                repair=Repair.SQLITE_INDEXES,
            )
        elif damage:
            yield _problem(
                "library", f"The catalog is damaged ({damage[0]}).", self._restore_hint()
            )
        else:
            yield _ok("library", "The catalog's file is whole.")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version < SCHEMA_VERSION:
            yield Finding(
                "library",
                Outcome.NOTE,
                "The library is of an older version; it is brought up to date when it is opened.",
            )
            return
        yield from self._contents(db)
        yield from self._sources(db)
        yield from self._search_index(db)

    def _restore_hint(self) -> str:
        copies = backups.kept_copies(self._folder.root)
        command = backups.restore_command(self._folder.root, copies[0] if copies else None)
        return (
            f"Restore {'the newest copy' if copies else 'a backup'} with {command}. Your documents "
            "themselves are untouched."
        )

    def _contents(self, db: sqlite3.Connection) -> Iterator[Finding]:
        self.seen.fingerprint = self._fingerprint()
        found = inspection.contradictions(db, self.seen.fingerprint, is_full=self._is_full)
        self.seen.documents = list(found.documents)
        files, chunks = db.execute(
            "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM chunks)"
        ).fetchone()
        if found.documents:
            path, reason = self._example(db, found)
            yield _problem(
                "texts",
                f"{len(found.documents)} of {files} files must be read again; {path}: {reason}.",
                repair=Repair.READ_AGAIN,
            )
        else:
            yield _ok("texts", f"{files} files and {chunks} passages agree.")
        yield from self._vectors(found)
        yield from self._queue(db, found)
        if found.unused_vectors or found.unused_pages:
            yield Finding(
                "unused",
                Outcome.NOTE,
                f"{found.unused_vectors} vectors and {found.unused_pages} recognised pages are of "
                "no use any more.",
                "`desktop-rag doctor --repair` removes them.",
                Repair.UNUSED,
            )

    def _fingerprint(self) -> str:
        try:
            return self._index.embedder().fingerprint if self._index else ""
        except DesktopRagError:
            return ""

    @staticmethod
    def _example(db: sqlite3.Connection, found: inspection.Contradictions) -> tuple[str, str]:
        document, reason = next(iter(found.documents.items()))
        row = db.execute("SELECT path FROM documents WHERE id = ?", (document,)).fetchone()
        return (row[0] if row else f"file {document}"), reason

    def _vectors(self, found: inspection.Contradictions) -> Iterator[Finding]:
        if not self.seen.fingerprint:
            yield Finding("vectors", Outcome.SKIPPED, "The search model is not loaded.")
        elif found.odd_vectors:
            yield _problem(
                "vectors", f"{found.odd_vectors} vectors are damaged.", repair=Repair.VECTORS
            )
        elif found.without_vector:
            yield Finding(
                "vectors",
                Outcome.NOTE,
                f"{found.without_vector} passages wait for a vector of this search model; keywords "
                "find them meanwhile.",
                "Indexing makes them by itself.",
                Repair.VECTORS,
            )
        else:
            yield _ok("vectors", "Every passage has its vector.")

    def _queue(self, db: sqlite3.Connection, found: inspection.Contradictions) -> Iterator[Finding]:
        waiting = db.execute("SELECT count(*) FROM jobs").fetchone()[0]
        if found.without_job:
            yield Finding(
                "queue",
                Outcome.NOTE,
                f"{found.without_job} files wait without a place in the queue.",
                "The next start of the program gives them one.",
                Repair.QUEUE,
            )
        else:
            yield _ok("queue", f"{waiting} files wait to be read." if waiting else "It is empty.")
        if self._reader is not None:
            with contextlib.suppress(DesktopRagError):
                again = count_rereading(db, set(self._reader.versions().values()))
                if again.waiting:
                    yield Finding("readers", Outcome.NOTE, again.sentence)

    def _sources(self, db: sqlite3.Connection) -> Iterator[Finding]:
        rows = db.execute("SELECT path, device FROM sources ORDER BY path").fetchall()
        offline = [row["path"] for row in rows if not _is_there(row["path"], row["device"])]
        if offline:
            yield Finding(
                "sources",
                Outcome.NOTE,
                f"{len(offline)} of {len(rows)} cannot be reached now ({offline[0]}); what was "
                "read from them stays searchable.",
                "Connect the drive or share, or remove the folder from the library.",
            )
        else:
            yield _ok("sources", f"{len(rows)} folders and files can be reached.")
        yield from self._watching(db)

    def _watching(self, db: sqlite3.Connection) -> Iterator[Finding]:
        """Each watched folder takes one of the system's watches (inotify, Linux only)."""
        try:
            limit = int(_INOTIFY_LIMIT.read_text())
        except (OSError, ValueError):
            return
        folders = {os.path.dirname(row[0]) for row in db.execute("SELECT path FROM documents")}  # noqa: PTH120 - paths of any system
        if len(folders) > limit // 2:
            yield Finding(
                "watching",
                Outcome.NOTE,
                f"At least {len(folders)} folders are to be watched and the system allows {limit}; "
                "changes are found by the periodic comparison then.",
                "sudo sysctl fs.inotify.max_user_watches=524288",
            )
        else:
            yield _ok(
                "watching", f"{limit} watches are allowed, {len(folders)} folders have files."
            )

    # ------------------------------------------------------------------ the search index

    def _search_index(self, db: sqlite3.Connection) -> Iterator[Finding]:
        name = "search index"
        if self._index is None:
            yield Finding(
                name,
                Outcome.SKIPPED,
                self._without_index,
            )
            return
        try:
            yield self._index_finding(db, self._index)
        except DesktopRagError as error:
            yield _problem(name, error.message, repair=Repair.INDEX)

    def _index_finding(self, db: sqlite3.Connection, index: SearchIndex) -> Finding:
        name, state = "search index", index.state()
        chunks = db.execute("SELECT count(*) FROM chunks").fetchone()[0]
        row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'changes'").fetchone()
        if state.applied_seq != (row[0] if row else 0):
            return Finding(
                name,
                Outcome.NOTE,
                f"It holds {state.keywords} of {chunks} passages and catches up when indexing "
                "runs.",
                "`desktop-rag doctor --repair` does it now.",
                Repair.INDEX,
            )
        if state.vectors != chunks or state.keywords != chunks:
            return _problem(
                name,
                f"It holds {state.vectors} vectors and {state.keywords} keyword rows for {chunks} "
                "passages.",
                repair=Repair.INDEX,
            )
        missing = self._missing(db, index, chunks)
        if missing:
            return _problem(
                name, f"{missing} passages of the catalog are not in it.", repair=Repair.INDEX
            )
        return _ok(name, f"{chunks} passages are in both of its stores.")

    def _missing(self, db: sqlite3.Connection, index: SearchIndex, chunks: int) -> int:
        """How many passages (of a sample, unless the check-up is full) a store lacks."""
        step = 1 if self._is_full else max(1, chunks // _SAMPLE)
        ids = [ChunkId(row[0]) for row in db.execute("SELECT id FROM chunks ORDER BY id")][::step]
        missing = 0
        for start in range(0, len(ids), _ID_BATCH):
            batch = ids[start : start + _ID_BATCH]
            held = index.count_among(batch)
            missing += len(batch) - min(held.vectors, held.keywords)
        return missing

    # ------------------------------------------------------------------ models

    def _model_files(self) -> Iterator[Finding]:
        try:
            self._models.embedder_dir()
            entries = self._models.verify() if self._is_full else self._models.entries()
        except DesktopRagError as error:
            yield _problem("models", error.message)
            return
        damaged = [one.id for one in entries if one.state is ModelState.DAMAGED]
        for one in damaged:
            yield _problem(
                "models",
                f"The files of {one} are damaged.",
                f"`desktop-rag models remove {one}`, then install or add it again.",
            )
        if not damaged:
            ready = [one.id for one in entries if one.state is ModelState.READY]
            how = "match their checksums" if self._is_full else "have their sizes"
            yield _ok("models", f"The files of {len(ready)} models {how}.")
        yield from self._speed()

    def _speed(self) -> Iterator[Finding]:
        """How the language model in use runs here; nothing without one."""
        try:
            model = self._models.choose_llm().model_id
            speed = self._models.speed(model)
        except DesktopRagError:
            return
        if speed is not None and speed.is_measured:
            yield _ok("speed", f"{model} {speed.sentence}.")
        else:
            told = speed.sentence if speed is not None else "was not tried on this computer yet"
            remedy = "`desktop-rag models measure` finds out; the window does it by itself."
            yield Finding("speed", Outcome.NOTE, f"{model} {told}.", remedy)


class Mending:
    """Carries out the repairs that findings name. The caller holds the folder's lock.

    `clear_index` empties a search index that is in use; without it, its folder is deleted.
    """

    def __init__(
        self,
        folder: paths.DataDir,
        seen: _Seen,
        clear_index: Callable[[], object] | None = None,
    ) -> None:
        self._folder = folder
        self._seen = seen
        self._clear_index = clear_index or self._delete_index

    def mend(self, findings: Sequence[Finding]) -> list[str]:
        """Do what can be done; returns a sentence for each thing that was done.

        Catalogs that cannot be read are left alone: restoring a backup is the person's decision.
        Files are read and the index is filled when indexing runs next.
        """
        wanted = {one.repair for one in findings if one.repair is not None}
        done = [self._remove_leftovers()] if Repair.LEFTOVERS in wanted else []
        steps: dict[Repair, tuple[Callable[[Database], None], str]] = {
            Repair.SQLITE_INDEXES: (
                repairs.make_indexes_again,
                "Made the catalog's indexes again.",
            ),
            Repair.READ_AGAIN: (
                lambda db: repairs.read_again(db, self._seen.documents),
                f"Queued {len(self._seen.documents)} files to be read again.",
            ),
            Repair.QUEUE: (repairs.queue_waiting, "Queued the files that wait."),
            Repair.VECTORS: (
                lambda db: repairs.drop_odd_vectors(db, self._seen.fingerprint),
                "Removed damaged vectors; they are made again.",
            ),
            Repair.UNUSED: (
                lambda db: repairs.drop_unused(db, self._seen.fingerprint),
                "Removed what is of no use any more.",
            ),
        }
        in_catalog = [steps[repair] for repair in steps if repair in wanted]
        if in_catalog:
            with contextlib.closing(Database(self._folder.database)) as database:
                for step, sentence in in_catalog:
                    step(database)
                    done.append(sentence)
        if wanted & {Repair.INDEX, Repair.VECTORS}:
            self._clear_index()
            done.append("The search index is made again from the catalog.")
        return done

    def _delete_index(self) -> None:
        shutil.rmtree(self._folder.index, ignore_errors=True)

    def _remove_leftovers(self) -> str:
        for path in self._seen.leftovers:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        return f"Removed {len(self._seen.leftovers)} leftovers."


def _ok(check: str, message: str) -> Finding:
    return Finding(check, Outcome.OK, message)


def _problem(check: str, message: str, remedy: str = "", repair: Repair | None = None) -> Finding:
    if repair is not None and not remedy:
        remedy = "`desktop-rag doctor --repair` mends it."
    return Finding(check, Outcome.PROBLEM, message, remedy, repair)


def _is_there(path: str, device: int) -> bool:
    place = Path(path)
    return device != NOT_SEEN_HERE and place.is_absolute() and device_of(place) is not None


def is_open_to_others(root: Path) -> bool:
    """Whether other users of this computer can get at what is in the folder (POSIX)."""
    if os.name != "posix":
        return False
    if not root.stat().st_mode & _EVERYONE:
        return False
    passage = stat.S_IXGRP | stat.S_IXOTH
    return all(parent.stat().st_mode & passage for parent in root.resolve().parents)
