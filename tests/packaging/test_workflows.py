"""The workflow files run on servers that are not here: hold what they call to what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from release import macos, windows
from release.plan import PACKAGING, ROOT

_FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.name)
def test_actions_are_pinned_by_hash(file: Path) -> None:
    used = re.findall(r"uses: (\S+)", _text(file))
    assert used
    assert [action for action in used if not re.search(r"@[0-9a-f]{40}$", action)] == []


@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.name)
def test_files_and_systems_that_are_called_exist(file: Path) -> None:
    text = _text(file)
    called = set(re.findall(r"(?:packaging/\w+\.py|launch\.py)", text))
    assert called
    assert all((ROOT / name).exists() for name in called)
    systems = re.search(r"system: \[(.+)\]", text)
    assert systems
    assert [name.split("-")[0] for name in systems[1].split(", ")] == ["ubuntu", "windows", "macos"]


def test_all_that_signs_is_explained() -> None:
    text = "".join(map(_text, _FILES))
    hooks = {windows.SIGN_VARIABLE, macos.IDENTITY_VARIABLE, macos.PROFILE_VARIABLE}
    held = set(re.findall(r"\b(?:secrets|vars)\.(\w+)", text))
    assert hooks == set(re.findall(r"\b(DESKTOP_RAG_\w+)=", text))
    assert len(held) == 9
    explained = set(re.findall(r"`([A-Z_]+)`", _text(PACKAGING / "README.md")))
    assert hooks | held <= explained


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")
