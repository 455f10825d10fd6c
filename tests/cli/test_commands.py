"""Every command with fake engines: results, exit codes, and one clear sentence for bad input."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import filelock
import pytest

from desktop_rag import paths
from desktop_rag.cli.main import main
from desktop_rag.domain import errors
from tests.cli.conftest import Terminal


def test_from_a_folder_to_a_cited_answer(terminal: Terminal, folder: Path) -> None:
    added = terminal.json("add", folder)
    assert (added["files_queued"], [f["state"] for f in added["files"]]) == (1, ["ready"])
    answer = terminal.json("ask", "How many litres of oil does the pump hold?")
    assert answer["found"]
    (citation,) = answer["citations"]
    text = (folder / "pump.txt").read_text()
    assert citation["path"] == str(folder / "pump.txt")
    assert text[citation["start"] : citation["end"]] == citation["quote"]
    assert "four litres" in citation["quote"]
    assert citation["page"] is None
    assert answer["confidence"] in ("high", "medium", "low")
    assert answer["retrieval"]["timings_ms"]
    assert (answer["retrieval"]["searched_chunks"], answer["retrieval"]["searched_documents"]) == (
        terminal.json("status")["chunks"],
        1,
    )


def test_ask_prints_answer_and_sources_for_people(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    code, out, err = terminal.run("ask", "How long does the warranty last?")
    assert code == 0
    assert "[1]" in out
    assert str(folder / "pump.txt") in out
    assert "Confidence" in err


def test_what_is_not_there_is_said_without_asking_the_model(
    terminal: Terminal, folder: Path
) -> None:
    terminal.run("add", folder)
    answer = terminal.json("ask", "Who won the chess championship in Reykjavik?")
    assert (answer["found"], answer["citations"], answer["model"]) == (False, [], "")
    assert answer["confidence"] == "none"


def test_search_lists_passages_best_first(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    passages = terminal.json("search", "warranty years", "-k", "1")["passages"]
    assert [p["text"] for p in passages] == ["The warranty lasts seven years."]
    code, out, _ = terminal.run("search", "warranty years")
    assert code == 0
    assert "seven years" in out


def test_files_shows_why_a_file_is_not_searchable(terminal: Terminal, folder: Path) -> None:
    (folder / "locked.txt").write_text("ENCRYPTED")
    _, out, _ = terminal.run("add", folder)
    assert "1 of 2 files" in out
    assert "needs a password" in out
    states = {Path(f["path"]).name: f["failure_code"] for f in terminal.json("files")}
    assert states == {"pump.txt": "", "locked.txt": "encrypted"}


def test_removed_files_are_out_of_answers(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    assert terminal.json("remove", folder) == {"removed": 1}
    assert terminal.json("files") == []
    assert terminal.index.state().vectors == 0
    assert (folder / "pump.txt").exists()


def test_status_counts(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    status = terminal.json("status")
    assert (status["ready"], status["failed"], status["queued"]) == (1, 0, 0)
    assert status["indexed_chunks"] == status["chunks"] == terminal.index.state().vectors
    assert status["sources"][0]["path"] == str(folder)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["add", "nowhere"], errors.NotFound),
        (["remove", "nowhere"], errors.NotFound),
        (["ask", ""], errors.InvalidInput),
        (["ask", "What is there?"], errors.NothingIndexed),
        (["search", "What is there?"], errors.NothingIndexed),
        (["search", "x", "-k", "0"], errors.InvalidInput),
        (["search", "x", "-k", "-3"], errors.InvalidInput),
    ],
)
def test_bad_input_is_one_sentence_and_an_exit_code(
    terminal: Terminal, arguments: list[str], error: type[errors.DesktopRagError]
) -> None:
    code, _, err = terminal.run(*arguments)
    assert code == error.exit_code
    assert err.strip().splitlines()[-1].endswith(".")


def test_a_missing_part_of_the_frozen_program_is_named(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    is_here, gone = paths.shipped, tmp_path / "gone"
    monkeypatch.setattr(
        paths,
        "shipped",
        lambda *parts: (is_here if parts[1:2] != ("prompts",) and parts else gone.joinpath)(*parts),
    )
    code, _, err = terminal.run("status")
    assert code == errors.UserError.exit_code
    assert str(gone / "resources" / "prompts") in err
    assert err.endswith("install Desktop RAG again.\n")


def test_a_library_that_is_open_elsewhere_is_left_alone(terminal: Terminal, folder: Path) -> None:
    terminal.data_dir.mkdir()
    with filelock.FileLock(paths.DataDir(terminal.data_dir).lock):
        code, _, err = terminal.run("add", folder)
    assert code == errors.LibraryLocked.exit_code
    assert "open in another window or command" in err


def test_a_newer_library_is_refused(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    with sqlite3.connect(paths.DataDir(terminal.data_dir).database) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    code, out, _ = terminal.run("status", "--json")
    assert code == errors.LibraryTooNew.exit_code
    assert json.loads(out)["error"]["code"] == "library-too-new"


def test_a_data_folder_that_cannot_be_made_is_named(
    terminal: Terminal, tmp_path: Path, folder: Path
) -> None:
    (tmp_path / "file").write_text("x")
    terminal.data_dir = tmp_path / "file" / "data"
    code, _, err = terminal.run("add", folder)
    assert code == errors.UserError.exit_code
    assert "--data-dir" in err


def test_a_worker_that_is_off_ends_the_command_with_its_reason(
    terminal: Terminal, folder: Path
) -> None:
    terminal.index.failure = errors.RoleUnavailable("Search is off for now. Try again later.")
    code, _, err = terminal.run("add", folder)
    assert code == errors.RoleUnavailable.exit_code
    assert "Search is off for now" in err
    terminal.index.failure = None
    assert [f["state"] for f in terminal.json("add", folder)["files"]] == ["ready"]


def test_help_documents_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    for code, _ in errors.exit_codes():
        assert f"\n  {code:>3}  " in text


def test_an_edit_is_known_to_the_next_question(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    (folder / "pump.txt").write_text("The pump holds nine litres of oil.")
    passages = terminal.json("search", "litres of oil")["passages"]
    assert [p["text"] for p in passages] == ["The pump holds nine litres of oil."]
    (folder / "pump.txt").unlink()
    code, _, _ = terminal.run("search", "litres of oil")
    assert code == errors.NothingIndexed.exit_code


def test_what_is_indexed_is_found_while_indexing_pauses(
    terminal: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal.run("add", folder)
    (folder / "new.txt").write_text("Something new.")

    def refuse(_texts: object) -> list[bytes]:
        raise errors.DiskFull("The disk is full. Free some space.")

    monkeypatch.setattr(terminal.index, "embed", refuse)
    code, out, err = terminal.run("search", "warranty")
    assert code == 0
    assert "seven years" in out
    assert "The disk is full" in err


@pytest.mark.parametrize("option", [["add", ""], ["remove", " "], ["--data-dir", "", "status"]])
def test_an_empty_path_is_not_here(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(option)
    assert stopped.value.code == 2
    assert "the path is empty" in capsys.readouterr().err


def test_a_path_no_system_has_does_not_stop_the_others(terminal: Terminal, folder: Path) -> None:
    code, out, err = terminal.run("add", "a" * 5000, folder)
    assert code == errors.NotFound.exit_code
    assert "no path this system can have" in err
    assert "1 of 1 file" in out


def test_a_question_that_is_no_text_is_searched_as_far_as_it_is(
    terminal: Terminal, folder: Path
) -> None:
    terminal.run("add", folder)
    broken = b"\xff\xe9 warranty".decode("utf-8", "surrogateescape")
    assert "seven years" in terminal.json("search", broken)["passages"][0]["text"]
    assert terminal.json("ask", broken)["citations"]


def test_a_stopped_answer_says_so_with_its_own_code(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    terminal.generator.answer = " ".join(map(str, range(1000)))
    terminal.generator.delay_s = 0.1
    # A suite that was started in the background of a shell inherits a Ctrl+C that is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    press_ctrl_c = threading.Timer(0.7, os.kill, [os.getpid(), signal.SIGINT])
    press_ctrl_c.start()
    try:
        code, _, err = terminal.run("ask", "How long does the warranty last?")
    finally:
        press_ctrl_c.join()
        signal.signal(signal.SIGINT, before)
    assert code == errors.Cancelled.exit_code
    assert "Stopped" in err


def test_names_cannot_steer_the_terminal(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "bad\x1b[2J.txt").write_text("Text of a file with an odd name.")
    terminal.run("add", tmp_path / "bad\x1b[2J.txt")
    _, out, _ = terminal.run("files")
    assert "\x1b" not in out
    assert "\\x1b[2J" in out


def test_what_a_reader_noted_is_shown(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    with sqlite3.connect(paths.DataDir(terminal.data_dir).database) as db:
        db.execute("""UPDATE documents SET notes = '["Page 2 could not be read."]'""")
    db.close()
    assert "Page 2 could not be read." in terminal.run("files")[1]
    assert "Page 2 could not be read." in terminal.run("add", folder)[1]


def test_a_question_may_be_several_words(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    assert "seven years" in terminal.run("search", "warranty", "years")[1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_behind_the_output_has_its_exit_code(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "desktop_rag", "--data-dir", str(tmp_path), "status"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == errors.DiskFull.exit_code
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems name files in Unicode")
def test_another_locale_forgets_no_file(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "Zoë.txt").write_text("Quokkas live on Rottnest.")
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHON"))}
    command = [sys.executable, "-m", "desktop_rag", "--data-dir", str(tmp_path / "data")]
    subprocess.run([*command, "add", str(tmp_path / "docs")], check=True, capture_output=True)
    found = subprocess.run(
        [*command, "search", "quokkas", "--json"],
        env={**plain, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        check=True,
    )
    assert json.loads(found.stdout)["passages"][0]["path"].endswith("Zoë.txt")


def test_a_collection_and_a_tag_narrow_what_is_asked(terminal: Terminal, folder: Path) -> None:
    (folder / "tea.txt").write_text("# Tea\n\nThe pump for tea holds two litres.")
    terminal.json("add", folder)
    terminal.json("collection", "add", "Kitchen", folder / "tea.txt")
    terminal.json("tag", "add", "manuals", folder / "pump.txt")
    for options, name in ((("--in", "Kitchen"), "tea"), (("--tag", "manuals"), "pump")):
        found = terminal.json("search", "litres in the pump", *options)["passages"]
        assert {Path(passage["path"]).stem for passage in found} == {name}
    answer = terminal.json("ask", "How much does the pump hold?", "--in", "Kitchen")
    assert {Path(c["path"]).stem for c in answer["citations"]} <= {"tea"}
    assert terminal.json("collection", "list")[0]["files"] == 1
    assert terminal.json("tag", "list") == [{"tag": "manuals", "files": 1}]


def test_an_unknown_collection_is_told(terminal: Terminal, folder: Path) -> None:
    terminal.json("add", folder)
    code, _, err = terminal.run("ask", "pump?", "--in", "Nope")
    assert code == errors.NotFound.exit_code
    assert "Nope" in err
