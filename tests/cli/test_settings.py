"""Settings, pause and resume from the command line."""

from __future__ import annotations

from pathlib import Path

import filelock

from desktop_rag import paths
from desktop_rag.domain import errors
from tests.cli.conftest import Terminal


def test_all_settings_are_listed_with_their_meaning(terminal: Terminal) -> None:
    code, out, _ = terminal.run("settings")
    assert code == 0
    assert "ocr = on\n    recognise text in scans and pictures; on or off" in out
    listed = terminal.json("settings")
    assert listed["cpu"]["value"] == "balanced"
    assert listed["sweep_minutes"]["takes"] == "a whole number from 1 to 1440"


def test_one_is_shown_changed_and_taken_back(terminal: Terminal) -> None:
    assert terminal.run("settings", "cpu", "low")[:2] == (0, "cpu = low\n")
    assert "cpu = low" in terminal.run("settings", "cpu")[1]
    assert "by default balanced" in terminal.run("settings", "cpu")[1]
    assert terminal.json("settings", "cpu", "default")["value"] == "balanced"


def test_nonsense_is_told_with_what_is_allowed(terminal: Terminal) -> None:
    code, _, err = terminal.run("settings", "cpu", "warp")
    assert code == errors.InvalidInput.exit_code
    assert err == "The setting cpu takes low, balanced or full, not 'warp'.\n"
    assert terminal.run("settings", "colour", "red")[0] == errors.NotFound.exit_code
    assert terminal.run("settings", "colour")[0] == errors.NotFound.exit_code


def test_a_file_with_nonsense_stops_every_command_until_it_is_put_right(
    terminal: Terminal,
) -> None:
    terminal.data_dir.mkdir()
    (terminal.data_dir / "settings.toml").write_text('cpu = "warp"\n')
    code, _, err = terminal.run("status")
    assert code == errors.InvalidInput.exit_code
    assert "`desktop-rag settings cpu default`" in err
    assert terminal.run("settings", "cpu", "default")[0] == 0
    assert terminal.run("status")[0] == 0


def test_while_the_window_is_open_a_setting_is_kept_for_the_next_start(
    terminal: Terminal,
) -> None:
    terminal.data_dir.mkdir()
    with filelock.FileLock(paths.DataDir(terminal.data_dir).lock):
        code, out, err = terminal.run("settings", "ocr", "off")
    assert (code, out) == (0, "ocr = off\n")
    assert "when it is started again" in err


def test_switching_recognition_on_reads_the_scans(terminal: Terminal, tmp_path: Path) -> None:
    scan = tmp_path / "scan.pdf"
    scan.write_text("[scan]The boiler runs at eighty degrees.")
    terminal.run("settings", "ocr", "off")
    code, out, _ = terminal.run("add", scan)
    assert "turn it on with `desktop-rag settings ocr on`" in out
    terminal.run("settings", "ocr", "on")
    code, out, err = terminal.run("add", scan)
    assert (code, "Searchable there: 1 of 1 file" in out) == (0, True)
    assert "Recognising page 1 of 1" in err
    assert "boiler" in terminal.run("search", "boiler degrees")[1]
    assert terminal.json("files")[0]["coverage"]["recognised"] == [1]


def test_a_pause_is_kept_told_and_ended(terminal: Terminal, folder: Path) -> None:
    assert terminal.run("pause")[0] == 0
    code, _, err = terminal.run("add", folder)
    assert code == errors.Paused.exit_code
    assert "`desktop-rag resume`" in err
    status = terminal.json("status")
    assert (status["is_paused"], status["queued"], status["ready"]) == (True, 1, 0)
    assert "Indexing is paused" in terminal.run("status")[1]
    assert terminal.json("resume")["queued"] == 1
    assert terminal.run("add", folder)[0] == 0
    assert terminal.json("status")["ready"] == 1


def test_questions_are_answered_during_a_pause(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    terminal.run("pause")
    (folder / "new.txt").write_text("A new file about valves.")
    code, out, err = terminal.run("search", "warranty years")
    assert (code, "seven years" in out) == (0, True)
    assert "Still to be read: 1" in err
