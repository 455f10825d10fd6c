"""Deletes everything the program keeps, when the library is closed, or at the next start.

The engines and the catalog are closed by then, and the lock is still held: nobody writes what is
being deleted, and nobody opens what is half gone.
"""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.paths import DataDir
from desktop_rag.services.models import ModelLibrary
from desktop_rag.storage import erasing
from desktop_rag.storage.erasing import Erased

logger = logging.getLogger(__name__)


class Erasure:
    """One data folder. `finish` and `vacate` are steps of opening and closing it.

    Args:
        folder: the data folder.
        models: the folder of installed models.
        shipped: what came with the program, which is never deleted.
    """

    def __init__(self, folder: DataDir, models: Path, shipped: Path) -> None:
        self._folder = folder
        self._models = models
        self._shipped = shipped
        self._is_done = False

    def request(self, *, with_models: bool) -> None:
        """Write down that everything is to be deleted; `finish` does it.

        Raises:
            DiskFull, UserError: it cannot be written down, so nothing will be deleted.
        """
        erasing.request(self._folder, with_models=with_models)

    def finish(self) -> Erased | None:
        """Delete what was asked for, also by a program that was ended half-way; else nothing.

        Called while the lock is held and nothing else is open.
        """
        if not erasing.is_requested(self._folder):
            return None
        if erasing.wants_models(self._folder):
            self._remove_models()
        done = erasing.erase(self._folder)
        self._is_done = True
        for path in done.left:
            logger.info("Not deleted, because it is not ours or in use: %s", path.name)
        return done

    def vacate(self) -> None:
        """Called after the lock was let go: the folder itself goes, if it is empty."""
        if self._is_done:
            erasing.vacate(self._folder)

    def _remove_models(self) -> None:
        library = ModelLibrary(self._models, self._shipped, lambda _: None)
        for model in library.entries():
            link = self._models / model.id
            with contextlib.suppress(OSError, DesktopRagError):
                if link.is_symlink():
                    link.unlink()
                elif model.spare or not model.is_shipped:
                    library.remove(model.id)
        erasing.erase_beside_models(self._models)
