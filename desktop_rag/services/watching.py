"""Makes changes on the disk searchable at once: hears of them, waits for rest, has them looked at.

What is heard only decides where `Scanning` looks. A complete sweep every few minutes makes up for
everything that was not heard: limits of the system, network drives, drives that come back.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import LibraryChanged, WatchingChanged
from desktop_rag.domain.stability import Stability
from desktop_rag.services.bus import Bus
from desktop_rag.services.scanning import Scanning, SweepReport
from desktop_rag.settings import Settings
from desktop_rag.storage.folders import FoundFile
from desktop_rag.storage.watching import FolderWatch, is_remote

logger = logging.getLogger(__name__)

_TICK_S = 0.25
"""How often files that were restless are thought of."""
_IDLE_TICK_S = 1.0
_RETURN_S = 5.0
"""How often it is tried whether a drive that was offline is back."""
_CLOSE_S = 5.0


class Watch(Protocol):
    """A running watch, see `storage.watching.FolderWatch`."""

    places: frozenset[str]

    def hints(self, timeout_s: float, stop: threading.Event) -> set[str]:
        """Paths that changed."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


OpenWatch = Callable[[Mapping[str, Collection[str]]], Watch]


class Watching:
    """One thread that watches all sources. `start`, `close`, `limit` are for any thread."""

    def __init__(
        self,
        scanning: Scanning,
        bus: Bus,
        wake_indexer: Callable[[], None],
        wait_for_first_sweep: Callable[[float], bool],
        settings: Callable[[], Settings] = Settings,
        open_watch: OpenWatch = FolderWatch,
        is_remote: Callable[[str], bool] = is_remote,
    ) -> None:
        self._scanning = scanning
        self._bus = bus
        self._wake_indexer = wake_indexer
        self._wait_for_first_sweep = wait_for_first_sweep
        self._settings = settings
        self._open_watch = open_watch
        self._is_remote = is_remote
        self._stability = Stability()
        self._stop = threading.Event()
        # Callers of `start` and `close` wait here for microseconds only.
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        # The rest belongs to the watcher thread.
        self._watch: Watch | None = None
        self._version = -1
        """Of `scanning.trees`, which is watched; -1 when watching is switched off."""
        self._renewed: frozenset[str] = frozenset()
        """Watched folders that may be others under the same name now."""
        self._refused: frozenset[str] = frozenset()
        self._refusal = ""
        self._limit = ""
        self._remote: dict[str, bool] = {}
        self._sweep_at = 0.0
        self._return_at = 0.0
        self._offline: tuple[str, ...] = ()

    # ------------------------------------------------------------------ from any thread

    def start(self) -> None:
        """Watch from now on, or only sweep while watching is switched off. Idempotent."""
        with self._lock:
            if self._thread is None and not self._stop.is_set():
                # A daemon: a drive that never answers must not keep the program alive.
                self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(_CLOSE_S)

    @property
    def limit(self) -> str:
        """Where changes are not noticed at once and why, in one sentence; empty: nowhere."""
        return self._limit

    # ------------------------------------------------------------------ watcher thread

    def _run(self) -> None:
        while not self._stop.is_set() and not self._is_swept():
            pass
        try:
            while not self._stop.is_set():
                self._round()
        finally:
            if self._watch is not None:
                self._watch.close()

    def _is_swept(self) -> bool:
        """Wait a little for the sweep of the start, which tells what folders there are."""
        try:
            return self._wait_for_first_sweep(_IDLE_TICK_S)
        except DesktopRagError:
            self._stop.wait(_RETURN_S)  # indexing pauses and has said why
            return False

    def _round(self) -> None:
        try:
            self._follow_folders()
            # First, so that a sweep comes even if hearing fails every time.
            if time.monotonic() >= self._sweep_at:
                self._sweep()
            hints = self._hear()
            now = time.monotonic()
            hints = {path for path in hints if not self._stability.is_waiting(path, now)}
            hints.update(self._stability.due(now))
            if hints:
                self._look_at(hints)
            if self._offline and now >= self._return_at:
                self._look_for_returned()
        except DesktopRagError as error:
            # The catalog or the reader is not at our service now; the next sweep makes up for it.
            logger.info("Watching waits: %s", error.code)
            self._sweep_soon(_RETURN_S)
            self._stop.wait(_RETURN_S)
        except Exception:  # supervisor: watching goes on, whatever one round ran into
            logger.exception("A round of watching failed")
            self._stop.wait(_RETURN_S)

    def _hear(self) -> set[str]:
        assert self._watch is not None
        is_busy = bool(self._stability)
        hints = self._watch.hints(_TICK_S if is_busy else _IDLE_TICK_S, self._stop)
        self._renewed = self._watch.places & hints
        return hints

    def _look_at(self, paths: Collection[str]) -> None:
        report = self._scanning.look_at(paths, self._is_at_rest)
        for path in paths:
            if path not in report.restless:
                self._stability.forget(path)
        self._tell(report)
        if report.offline:
            self._offline = report.offline
            self._return_at = time.monotonic() + _RETURN_S

    def _is_at_rest(self, file: FoundFile) -> bool:
        age_s = time.time() - file.stamp.mtime_ns / 1e9
        return self._stability.is_at_rest(file.path, file.stamp, age_s, time.monotonic())

    def _sweep(self) -> None:
        self._sweep_soon(self._settings().sweep_minutes * 60.0)
        report = self._scanning.sweep(self._is_at_rest)
        self._offline = report.offline
        self._return_at = time.monotonic() + _RETURN_S
        self._tell(report)

    def _sweep_soon(self, delay_s: float) -> None:
        self._sweep_at = time.monotonic() + delay_s

    def _look_for_returned(self) -> None:
        self._return_at = time.monotonic() + _RETURN_S
        if self._scanning.is_any_online(self._offline):
            self._sweep()

    def _tell(self, report: SweepReport) -> None:
        if report.has_changed:
            self._bus.publish(LibraryChanged())
        if report.queued or report.removed:
            self._wake_indexer()

    # ------------------------------------------------------------------ what is watched

    def _follow_folders(self) -> None:
        """Watch the folders that the last looks went through; begin anew when they changed."""
        is_on = self._settings().watch
        version = self._scanning.version if is_on else -1
        if self._watch is not None and version == self._version and not self._renewed:
            return
        trees = self._scanning.trees() if is_on else {}
        old = self._watch.places if self._watch is not None else frozenset[str]()
        # The new watch begins before the old one ends, so that nothing falls between them.
        opened = self._opened(trees)
        if self._watch is None:
            self._sweep_soon(0.0)  # what changed since the first sweep was not heard
        else:
            self._watch.close()
        unheard = (opened.places - old) | (self._renewed & opened.places)
        is_first, self._watch = self._watch is None, opened
        self._version, self._renewed = version, frozenset()
        self._note_limit(trees)
        if unheard and not is_first:
            self._look_at(unheard)

    def _opened(self, trees: Mapping[str, Collection[str]]) -> Watch:
        """A watch of as many sources as the system allows, the small ones first."""
        wanted = dict(trees)
        refused: set[str] = set()
        self._refusal = ""
        while True:
            try:
                watch = self._open_watch(wanted)
            except OSError as error:
                self._refusal = _worded(error)
                if not wanted:
                    raise
                largest = max(wanted, key=lambda path: (len(wanted[path]), path))
                del wanted[largest]
                refused.add(largest)
            else:
                self._refused = frozenset(refused)
                return watch

    def _note_limit(self, trees: Mapping[str, Collection[str]]) -> None:
        for path in trees:
            if path not in self._remote:
                self._remote[path] = self._is_remote(path)
        remote = sorted(p for p in trees if self._remote[p] and p not in self._refused)
        limit = " ".join(filter(None, (self._refusal_told(), _remote_told(remote, self._every()))))
        if limit != self._limit:
            self._limit = limit
            logger.info("Watching is limited: %d refused", len(self._refused))
            self._bus.publish(WatchingChanged(limit))

    def _refusal_told(self) -> str:
        if not self._refused:
            return ""
        return (
            f"Changes in {_named(sorted(self._refused))} are noticed {self._every()} only: "
            f"{self._refusal}."
        )

    def _every(self) -> str:
        minutes = self._settings().sweep_minutes
        return "every minute" if minutes == 1 else f"every {minutes} minutes"


def _remote_told(paths: list[str], every: str) -> str:
    if not paths:
        return ""
    return (
        f"Changes in {_named(paths)} that other computers make are noticed {every} only: network "
        "drives do not tell them."
    )


def _named(paths: list[str]) -> str:
    shown = ", ".join(paths[:3])
    return shown if len(paths) <= 3 else f"{shown} and {len(paths) - 3} more"


def _worded(error: OSError) -> str:
    text = str(error)
    if "limit reached" in text or "No space left" in text:
        return (
            "the system's limit of watched folders is reached (on Linux, raise "
            "fs.inotify.max_user_watches)"
        )
    if "Too many open files" in text:
        return "too many programs watch folders (on Linux, raise fs.inotify.max_user_instances)"
    return f"the system refuses to watch them ({text[:200]})"
