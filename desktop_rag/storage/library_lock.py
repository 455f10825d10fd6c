"""One process at a time has a library open."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import filelock

from desktop_rag import paths
from desktop_rag.domain.errors import LibraryLocked, UserError
from desktop_rag.storage.handing_over import HandingOver
from desktop_rag.storage.lock_holder import Holder, HolderNote

_HAND_OVER_S = 8.0
"""The holder looks every second, and then has its workers to end."""


@contextlib.contextmanager
def locked(folder: paths.DataDir) -> Iterator[None]:
    """Hold the library's lock.

    An MCP server that has nothing to do lets go of it within seconds.

    Raises:
        LibraryLocked: another process has it.
        UserError: the data folder cannot be used.
    """
    lock, note = filelock.FileLock(folder.lock), HandingOver(folder)
    holder = HolderNote(folder)
    try:
        # Whoever else uses this computer has no business among somebody's texts.
        paths.make_private(folder.root)
        _acquire(lock, note)
    except filelock.Timeout as error:
        raise LibraryLocked(
            f"The library in {folder.root} is open in another window or command of Desktop RAG. "
            "Use that one, or try again when it has ended.",
            **_details(holder.read()),
        ) from error
    except OSError as error:
        raise UserError(_unusable(folder.root, os.strerror(error.errno or 0))) from error
    note.withdraw()  # of a holder that crashed
    holder.write()
    try:
        yield
    finally:
        holder.remove()
        note.withdraw()
        lock.release()


def _unusable(root: Path, reason: str) -> str:
    if root == paths.portable_dir():
        return (
            f"This portable program keeps everything in {root}, which cannot be used ({reason}). "
            "Take off the write protection, or choose another folder with --data-dir."
        )
    return (
        f"The data folder {root} cannot be used ({reason}). "
        "Check its permissions, or choose another one with --data-dir."
    )


def _details(holder: Holder | None) -> dict[str, str]:
    return {} if holder is None else {"pid": str(holder.pid), "command": holder.command}


def _acquire(lock: filelock.BaseFileLock, note: HandingOver) -> None:
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        if not note.ask():
            raise
        lock.acquire(timeout=_HAND_OVER_S)
