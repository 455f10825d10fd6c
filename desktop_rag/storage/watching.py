"""Hears from the operating system which paths changed. A hint, never the truth.

On Linux exactly the folders that are walked are watched: not what rules leave out, and not what
links lead to (the library underneath would follow them). macOS and Windows watch whole trees
themselves, cheaply and without following links.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.storage.folders import is_ignored
from desktop_rag.storage.ignoring import IGNORE_FILE

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

logger = logging.getLogger(__name__)

_WATCHES_TREES = sys.platform in ("win32", "darwin")
_GROUP_MS = 200
"""Changes within so long of the first are told together: both ends of a rename belong together."""
_TRIES = 5
_STEP_MS = 100
"""How often the native thread is asked for news; also how long it has to be quiet."""
_REMOTE_TYPES = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afpfs", "webdav", "davfs", "9p", "ncpfs", "afs"}
)
_REMOTE_PREFIXES = ("fuse.sshfs", "fuse.rclone", "fuse.gvfs", "fuse.davfs", "fuse.s3fs")


class FolderWatch:
    """A running watch. Used on one thread; `close` ends it."""

    def __init__(self, trees: Mapping[str, Collection[str]]) -> None:
        """Start watching.

        Args:
            trees: by path of a source, the folders in it that are walked.

        Raises:
            OSError: the system refuses, mostly because its limit of watches is reached.
        """
        self.places = watched_places(trees)
        self._notify = _started(self.places)

    def hints(self, timeout_s: float, stop: threading.Event) -> set[str]:
        """Paths that were made, changed or removed; waits up to `timeout_s` for the first.

        Ends early when `stop` is set. Hidden files are left out, except those with rules: then
        their folder is named. When the system told something that cannot be understood, such as a
        name that is no valid text, everything that is watched is named.
        """
        if self._notify is None:
            stop.wait(timeout_s)
            return set()
        try:
            told = self._notify.watch(_GROUP_MS, _STEP_MS, max(1, round(timeout_s * 1000)), stop)
        except RuntimeError as error:
            # Once it failed it fails for ever, and what came with the failure is lost.
            logger.info("Watching begins anew: %s", type(error).__name__)
            self.close()
            self._notify = _started(self.places)
            return set(self.places)
        if isinstance(told, str):  # 'timeout', 'stop' or 'signal'
            return set()
        return {hint for _, path in told if (hint := _hint(path))}

    def close(self) -> None:
        """Stop watching."""
        if self._notify is not None:
            self._notify.close()
            self._notify = None


def watched_places(trees: Mapping[str, Collection[str]]) -> frozenset[str]:
    """What is to be watched for these sources on this system."""
    if _WATCHES_TREES:
        return frozenset(trees)
    return frozenset(folder for folders in trees.values() for folder in folders)


def _started(places: Collection[str]) -> RustNotify | None:
    for _ in range(_TRIES):
        present = [place for place in sorted(places) if os.access(place, os.R_OK)]
        if not present:
            return None
        # Here, not above: it is needed long after the window shows, and not by every command.
        from watchfiles._rust_notify import RustNotify

        try:
            # The last argument would pass over folders we may not read. It must be false on Linux:
            # there it passes over the system's limit of watches in silence, too.
            return RustNotify(present, False, False, 0, _WATCHES_TREES, _WATCHES_TREES)  # noqa: FBT003
        except FileNotFoundError:
            continue  # a folder went away since we looked
        except RuntimeError as error:
            raise OSError(str(error)) from error
    raise OSError("folders come and go too fast to be watched")


def _hint(path: str) -> str:
    name = Path(path).name
    if name == IGNORE_FILE:
        return str(Path(path).parent)
    return "" if is_ignored(name) else path


def is_remote(path: str) -> bool:
    """Whether a path is on a network drive, whose changes elsewhere no system tells us.

    Windows' and macOS' own drives of that kind are recognised, others are by their names.
    """
    import psutil

    best, kind = "", ""
    for partition in psutil.disk_partitions(all=True):
        point = partition.mountpoint
        is_longer = len(point) >= len(best) and Path(path).is_relative_to(point)
        if is_longer:
            best, kind = point, f"{partition.fstype} {partition.opts}".lower()
    fstype = kind.partition(" ")[0]
    is_windows_share = path.startswith("\\\\") or "remote" in kind.split(" ", 1)[-1].split(",")
    return fstype in _REMOTE_TYPES or fstype.startswith(_REMOTE_PREFIXES) or is_windows_share
