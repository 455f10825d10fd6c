"""The launcher's parts that need no network: refusals, sentences, the quick second start."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def path_to_launcher(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(ROOT)
    before = set(sys.modules)
    yield
    sys.path[:] = [entry for entry in sys.path if entry != str(ROOT / "packaging")]
    for name in ("launch", "environment", "pip_view", "qt_libraries"):
        if name not in before:
            sys.modules.pop(name, None)


@pytest.fixture
def launch(path_to_launcher: None) -> ModuleType:
    import launch

    return launch


@pytest.fixture
def environment(launch: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The environment module with everything it writes moved into `tmp_path`."""
    import environment

    monkeypatch.setattr(environment, "VENV", tmp_path)
    monkeypatch.setattr(environment, "STAMP", tmp_path / "stamp.json")
    monkeypatch.setattr(environment, "LOG", tmp_path / "log")
    return environment


def test_refuses_an_old_python_in_one_sentence(
    launch: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    assert launch.main(["try"]) == 1
    assert capsys.readouterr().out == (
        "Desktop RAG needs Python 3.11 or newer: install it and run this again with it.\n"
    )


@pytest.mark.parametrize("name", ["launch.py", "environment.py", "pip_view.py", "qt_libraries.py"])
def test_an_old_python_can_read_the_launcher(name: str) -> None:
    path = ROOT / name if name == "launch.py" else ROOT / "packaging" / name
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize(("argv", "code"), [([], 0), (["--help"], 0), (["dance"], 2)])
def test_says_how_it_is_used(
    launch: ModuleType, argv: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert launch.main(argv) == code
    assert "python3 launch.py try" in capsys.readouterr().out


def test_a_finished_set_up_is_not_repeated(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = {
        name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
        for name in ("requirements.txt", "requirements-dev.txt")
    }
    environment.STAMP.write_text(json.dumps({**stamp, "root": str(ROOT)}), encoding="utf-8")
    monkeypatch.setattr(environment, "PYTHON", Path(sys.executable))
    started = time.monotonic()
    environment.set_up(is_dev=True)
    assert time.monotonic() - started < 1.0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"requirements.txt": "other", "root": "/"}'])
def test_anything_else_sets_up_again(
    environment: ModuleType, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Reached(Exception):
        pass

    def reached() -> None:
        raise Reached

    environment.STAMP.write_text(text, encoding="utf-8")
    monkeypatch.setattr(environment, "check_disk", reached)
    with pytest.raises(Reached):
        environment.set_up(is_dev=False)


def test_the_pinned_pip_is_taken_from_the_requirements(environment: ModuleType) -> None:
    text = environment.requirement_of("pip")
    assert re.fullmatch(r"pip==[\d.]+( \\\n    --hash=sha256:[0-9a-f]{64})+\n", text)


def test_a_missing_compiler_is_named_with_its_remedy(
    environment: ModuleType, launch: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PROGRAMFILES(X86)", "nowhere")
    monkeypatch.setattr(shutil, "which", lambda name: "/x" if name == "apt-get" else None)
    with pytest.raises(launch.SetupFailed, match="compiler is needed: run `"):
        environment.check_compiler()


def test_too_little_disk_is_said_first(
    environment: ModuleType, launch: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        environment.shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9, 8, 1)
    )
    with pytest.raises(launch.SetupFailed, match="GB of free disk"):
        environment.check_disk()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (["WARNING: Retrying after NewConnectionError: x", "ERROR: none"], "cannot be reached"),
        (["OSError: [Errno 28] No space left on device"], "disk is full"),
        (["ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"], "DO NOT MATCH THE HASHES"),
        ([], "log"),
    ],
)
def test_words_what_pip_said(launch: ModuleType, said: list[str], sentence: str) -> None:
    import pip_view

    message = str(pip_view.pip_failure(said, Path("x.log")))
    assert sentence in message
    assert "\n" not in message


def test_tells_the_steps_of_pip(launch: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    import pip_view

    view = pip_view.View()
    view.show("Collecting numpy==2.4 (from -r requirements.txt (line 3))")
    view.show("Progress 1000000 of 5000000")
    view.show("  Building wheel for llama-cpp-python (pyproject.toml): started")
    view.show("Installing collected packages: a, b, c")
    view.close()
    lines = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "Downloading package 1: numpy==2.4",
        "Compiling llama-cpp-python (some minutes)",
        "Installing 3 packages",
    ]


def test_links_the_program_without_building_it(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "v")], check=True)
    folder = tmp_path / "v" / ("Scripts" if os.name == "nt" else "bin")
    monkeypatch.setattr(environment, "BIN", folder)
    monkeypatch.setattr(environment, "PYTHON", folder / "python")
    environment.link_program()
    found = subprocess.check_output(
        [folder / "python", "-c", "import desktop_rag; print(desktop_rag.__file__)"],
        text=True,
        cwd=tmp_path,
    )
    assert Path(found.strip()) == ROOT / "desktop_rag" / "__init__.py"
    assert (folder / ("desktop-rag.cmd" if os.name == "nt" else "desktop-rag")).exists()
