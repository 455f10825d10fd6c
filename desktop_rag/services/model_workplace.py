"""Where models are put together before they stand on the shelf: locks, scratch room, progress."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from desktop_rag import paths
from desktop_rag.domain.errors import FileBusy
from desktop_rag.domain.events import Event, ModelProgress
from desktop_rag.storage.model_files import OnBytes, check_room, disk_errors

_PROGRESS_EVERY_S = 0.1
_SCRATCH = "adding"


class Workplace:
    """The models folder as whoever writes to it sees it."""

    def __init__(self, folder: Path, publish: Callable[[Event], None]) -> None:
        self.folder = folder
        self.publish = publish

    @contextmanager
    def alone(self, model_id: str) -> Iterator[None]:
        """Hold the model against other processes: the window and a terminal, say.

        Raises:
            FileBusy, UserError: somebody else holds it, or the folder cannot be written to.
        """
        with disk_errors(self.folder):
            paths.make_private(self.folder)
        lock = filelock.FileLock(self.folder / f".{model_id}.lock", timeout=0)
        try:
            with disk_errors(self.folder):
                lock.acquire()
        except filelock.Timeout as exc:
            raise FileBusy(_taken(model_id)) from exc
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def scratch_folder(self, size: int) -> Iterator[Path]:
        """A folder on the same disk with room for `size` bytes, removed afterwards.

        There is one at a time: any other is what a killed run left. It goes first, as it may be
        what takes the room.

        Raises:
            DiskFull: there is no room.
            FileBusy, UserError: somebody else has one, or the folder cannot be written to.
        """
        if not self._left_over():  # then nothing at all is written for want of room
            with disk_errors(self.folder):
                check_room(self.folder, size)
        with self.alone(_SCRATCH):
            for left in self._left_over():
                shutil.rmtree(left, ignore_errors=True)
            with disk_errors(self.folder):
                check_room(self.folder, size)
                made = tempfile.TemporaryDirectory(prefix=f"{_SCRATCH}-", dir=self.folder)
            with made as folder:
                yield Path(folder)

    def _left_over(self) -> list[Path]:
        return list(self.folder.glob(f"{_SCRATCH}-*"))

    def reporter(self, model_id: str, total: int, stage: str) -> OnBytes:
        """Publishes progress a few times a second, never going backwards."""
        best, last = 0, 0.0

        def report(done: int) -> None:
            nonlocal best, last
            now = time.monotonic()
            if done > best and (now - last >= _PROGRESS_EVERY_S or done >= total):
                best, last = done, now
                self.publish(ModelProgress(model_id, done, total, stage))

        return report


def _taken(model_id: str) -> str:
    if model_id == _SCRATCH:
        return "Another Desktop RAG is adding or importing models: wait for it."
    return f"{model_id} is being installed or checked by another Desktop RAG: wait for it."


def shifted(report: OnBytes, start: int) -> OnBytes:
    """Reports what is done of one part of a whole, `start` bytes of which are done already."""
    return lambda done: report(start + done)


def tidy(name: str) -> str:
    """A model's name as an identifier and a file name."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-.") or "model"
