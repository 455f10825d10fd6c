"""Rules, tiers and left-out files on the command line."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from desktop_rag.domain import errors
from tests.cli.conftest import Terminal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    for name in ("a.txt", "b.md", "drafts/c.txt", "setup.exe", "old.EXE"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(f"The text of {name}.")
    return made


def names(terminal: Terminal, state: str = "ready") -> list[str]:
    return [Path(f["path"]).name for f in terminal.json("files") if f["state"] == state]


def test_a_folder_is_added_with_rules_and_they_can_be_changed(
    terminal: Terminal, folder: Path
) -> None:
    terminal.run("add", folder, "--include", "*.TXT", "--exclude", "drafts/")
    assert names(terminal) == ["a.txt"]
    shown = terminal.json("folder", folder)
    assert shown["rules"] == {"include": ["*.TXT"], "exclude": ["drafts/"], "max_mb": 0}
    assert shown["tier"] == "normal"
    changed = terminal.json("folder", folder, "--exclude", "*.md", "--tier", "background")
    assert changed["rules"] == {"include": ["*.TXT"], "exclude": ["*.md"], "max_mb": 0}
    assert (changed["tier"], changed["files"]) == ("background", 2)
    assert names(terminal) == ["a.txt", "c.txt"]
    terminal.run("folder", folder, "--no-rules")
    assert names(terminal) == ["a.txt", "b.md", "c.txt"]
    code, out, _ = terminal.run("folder", folder)
    assert code == 0
    assert "Include  everything" in out
    assert "background" in out
    assert "background" in terminal.run("status")[1]


@pytest.mark.parametrize("pattern", ["[z-a]", "", "!", "# drafts"])
def test_a_pattern_that_means_nothing_is_one_sentence(
    terminal: Terminal, folder: Path, pattern: str
) -> None:
    code, _, err = terminal.run("add", folder, "--exclude", pattern)
    assert code == errors.InvalidInput.exit_code
    assert "no pattern" in err
    assert names(terminal) == []


def test_a_folder_that_was_not_added_has_no_rules(terminal: Terminal, folder: Path) -> None:
    terminal.run("add", folder)
    code, _, err = terminal.run("folder", folder / "drafts", "--tier", "primary")
    assert code == errors.NotFound.exit_code
    assert "status" in err


def test_left_out_files_are_summed_up_and_listed_on_demand(
    terminal: Terminal, folder: Path
) -> None:
    _, _, err = terminal.run("add", folder)
    assert "2 files left out" in err
    _, out, _ = terminal.run("files")
    assert "2 files: There is no reader for .exe files." in out
    assert "setup.exe" not in out
    _, out, _ = terminal.run("files", "--all")
    assert "setup.exe" in out
    assert "skipped" in out
    assert sorted(names(terminal, "skipped")) == ["old.EXE", "setup.exe"]
    assert terminal.json("status")["skipped"] == 2


def test_an_unsupported_file_that_is_named_says_why_each_time(
    terminal: Terminal, folder: Path
) -> None:
    terminal.run("add", folder)
    for _ in range(2):
        _, out, err = terminal.run("add", folder / "setup.exe")
        assert "There is no reader" in out
        assert "Already in the library" not in out + err


@pytest.mark.skipif(os.name == "nt", reason="other systems refuse such names")
def test_a_name_that_is_no_text_is_listed_escaped(terminal: Terminal, folder: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/bad\xff.txt")).write_text("x")
    except OSError:
        pytest.skip("this file system refuses such names")
    terminal.run("add", folder)
    assert "bad\\xff.txt" in names(terminal, "skipped")
    assert "no valid text" in terminal.run("files", "--all")[1]


def test_a_folder_that_lies_elsewhere_now_is_not_read_again(
    terminal: Terminal, tmp_path: Path
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    (old / "pump.txt").write_text("The pump holds four litres of oil.")
    terminal.json("add", old)
    terminal.json("collection", "add", "Pumps", old)
    embedded = terminal.index.embedded
    shutil.copytree(old, new, copy_function=shutil.copy)
    shutil.rmtree(old)
    assert terminal.json("folder", old, "--moved-to", new)["path"] == str(new)
    found = terminal.json("search", "oil in the pump", "--in", "Pumps")["passages"]
    assert [passage["path"] for passage in found] == [str(new / "pump.txt")]
    assert terminal.index.embedded == embedded


def test_a_folder_cannot_be_where_another_one_is(terminal: Terminal, tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(f"The {name} pump.")
        terminal.json("add", tmp_path / name)
    code, _, err = terminal.run("folder", tmp_path / "old", "--moved-to", tmp_path / "new")
    assert code == errors.InvalidInput.exit_code
    assert "Remove it first" in err
    code, _, err = terminal.run("folder", tmp_path / "old", "--moved-to", tmp_path / "nowhere")
    assert code == errors.NotFound.exit_code


def test_a_bracket_that_never_ends_is_no_pattern(terminal: Terminal, tmp_path: Path) -> None:
    terminal.json("add", tmp_path)
    code, _, err = terminal.run("folder", tmp_path, "--include", "[bad")
    assert code == errors.InvalidInput.exit_code
    assert "[bad" in err
    assert terminal.run("folder", tmp_path, "--include", "[a-z]*.txt")[0] == 0


def test_a_tier_nobody_knows_is_answered_with_the_names_of_those_there_are(
    terminal: Terminal, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        terminal.run("search", "x", "--tier", "silly")
    said = capsys.readouterr().err
    assert "background" in said
    assert "Tier" not in said


def test_removing_does_not_wait_for_what_is_still_to_be_read(
    terminal: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal.run("add", folder / "a.txt")
    (folder / "late.txt").write_text("Quinces.")
    terminal.run("pause")
    terminal.run("add", folder / "late.txt")
    assert terminal.json("remove", folder / "a.txt") == {"removed": 1}
    assert terminal.index.state().vectors == 0
