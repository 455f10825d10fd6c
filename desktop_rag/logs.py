"""Log files in the data folder. No document text and no question above DEBUG; ids, not titles."""

from __future__ import annotations

import contextlib
import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from desktop_rag import paths

_FORMAT = "%(asctime)s %(levelname)s %(process)d %(threadName)s %(name)s: %(message)s"
_MAX_BYTES = 2_000_000


class _QuietHandler(RotatingFileHandler):
    """A full disk costs log lines, never the work that was to be logged."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Called when a record could not be written."""


def write_to(folder: Path, name: str = "desktop-rag.log") -> logging.Handler:
    """Send the program's log to `folder/name`, rotating at 2 MB; returns the handler to remove."""
    paths.make_private(folder)
    handler = _QuietHandler(
        folder / name, maxBytes=_MAX_BYTES, backupCount=2, encoding="utf-8", delay=True
    )
    handler.setFormatter(logging.Formatter(_FORMAT))
    logger = logging.getLogger("desktop_rag")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return handler


def stop_writing(handler: logging.Handler) -> None:
    """Undo `write_to`."""
    logging.getLogger("desktop_rag").removeHandler(handler)
    with contextlib.suppress(OSError):
        handler.close()
