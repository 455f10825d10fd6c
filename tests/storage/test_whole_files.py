from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from desktop_rag.domain.errors import DiskFull, InvalidInput, UserError
from desktop_rag.storage import whole_files


@pytest.mark.parametrize(
    ("code", "expected", "told"),
    [
        (errno.ENOSPC, DiskFull, "is full"),
        (errno.EROFS, UserError, "Read-only file system"),
        (errno.EACCES, UserError, "Permission denied"),
    ],
)
def test_what_was_there_stays_when_it_cannot_be_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    expected: type[UserError],
    told: str,
) -> None:
    path = tmp_path / "chat.html"
    path.write_text("before")

    def fail(partial: Path, _path: Path) -> None:
        assert partial.read_bytes() == b"after"
        raise OSError(code, "")

    monkeypatch.setattr(whole_files, "move_into_place", fail)
    with pytest.raises(expected, match=told):
        whole_files.write_whole(path, b"after", may_replace=True)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are pipes on POSIX only")
def test_a_pipe_or_a_device_is_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InvalidInput):
        whole_files.write_whole(pipe, b"after", may_replace=True)
    assert pipe.is_fifo()
