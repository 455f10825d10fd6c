"""Writes a file a person asked for, somewhere outside the data folder: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path

from desktop_rag.domain.errors import DiskFull, InvalidInput, UserError
from desktop_rag.storage.flushing import move_into_place


def write_whole(path: Path, contents: bytes, *, may_replace: bool) -> None:
    """Write `contents` to `path` in one step; on any error what was there stays as it was.

    Raises:
        InvalidInput: there is such a file already and `may_replace` is not set.
        DiskFull: there is no room for it.
        UserError: the folder is not there or cannot be written.
    """
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder; name a file in it.")
    if path.exists() and not (may_replace and path.is_file()):  # a device is never replaced
        raise InvalidInput(f"{path} exists already. Choose another name, or say to replace it.")
    partial = path.with_name(f".{secrets.token_hex(6)}.partial")
    try:
        with partial.open("xb") as file:
            file.write(contents)
        move_into_place(partial, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise _told(path, error) from error


def _told(path: Path, error: OSError) -> UserError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(
            f"The disk that holds {path.parent} is full. Free some space, or choose another place."
        )
    if not path.parent.is_dir():
        return UserError(f"There is no folder {path.parent}; choose another place.")
    return UserError(
        f"{path} cannot be written ({os.strerror(error.errno or 0)}). Choose another folder, or "
        "check the permissions of this one."
    )
