"""Who waits for a library learns who has it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.domain.errors import LibraryLocked
from desktop_rag.paths import DataDir
from desktop_rag.storage.library_lock import locked
from desktop_rag.storage.lock_holder import HolderNote, command_of


def test_who_waits_is_told_process_and_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["desktop-rag", "--data-dir", "x", "add", "/secret"])
    folder = DataDir(tmp_path)
    with locked(folder), pytest.raises(LibraryLocked) as raised, locked(folder):
        pass
    assert raised.value.details == {"pid": str(os.getpid()), "command": "add"}
    assert "secret" not in str(raised.value.details)
    assert not folder.holder.exists(), "the note goes with the lock"


def test_a_note_of_a_process_that_is_gone_says_nothing(tmp_path: Path) -> None:
    folder = DataDir(tmp_path)
    for text in ('{"pid": 99999999, "command": ""}', "{", "[]", '{"pid": "x", "command": ""}'):
        folder.holder.write_text(text)
        assert HolderNote(folder).read() is None


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        ([], ""),
        (["--data-dir", "add"], ""),
        (["--data-dir=x", "mcp"], "mcp"),
        (["open", "a.pdf"], ""),
        (["/a/path"], ""),
        (["ask", "what ails him?"], "ask"),
    ],
)
def test_only_the_name_of_a_command_is_noted(argv: list[str], command: str) -> None:
    assert command_of(argv) == command
