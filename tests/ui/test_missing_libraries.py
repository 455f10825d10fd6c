"""A system library that Qt needs and the system lacks: said before Qt aborts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rag import __main__ as program
from desktop_rag import paths
from desktop_rag.domain.errors import UserError
from desktop_rag.ui import missing_libraries
from desktop_rag.ui.missing_libraries import without_platform, without_qt

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere Qt brings everything"
)

_EGL = "libEGL.so.1: cannot open shared object file: No such file or directory"


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of Qt's platforms, one of which needs a library that is nowhere."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    folder = tmp_path / "Qt" / "plugins" / "platforms"
    folder.mkdir(parents=True)
    code, needed = tmp_path / "one.c", tmp_path / "libxcb-cursor.so.0"
    code.write_text("int one(void) { return 1; }\n", encoding="utf-8")
    shared = [compiler, "-shared", "-fPIC", "-Wl,--no-as-needed", str(code)]
    subprocess.run([*shared, "-Wl,-soname,libxcb-cursor.so.0", "-o", needed], check=True)
    other = tmp_path / "libmade-up.so.3"
    subprocess.run([*shared, "-Wl,-soname,libmade-up.so.3", "-o", other], check=True)
    subprocess.run([*shared, needed, other, "-o", folder / "libqxcb.so"], check=True)
    subprocess.run([*shared, "-o", folder / "libqwayland.so"], check=True)
    needed.unlink()
    other.unlink()
    monkeypatch.setattr(missing_libraries, "_qt", lambda: tmp_path)
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":1")
    return folder


def test_the_packages_of_two_families_are_named(plugins: Path) -> None:
    sentence = without_platform()
    assert "libmade-up.so.3" in sentence
    if not shutil.which("ldd"):
        pytest.skip("without ldd only the first library is known")
    if "libxcb-cursor.so.0" in sentence:  # this system does not have it
        assert "sudo apt install libxcb-cursor0" in sentence
        assert "sudo dnf install xcb-util-cursor" in sentence


def test_another_desktop_that_works_is_enough(
    plugins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert without_platform({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":1"}) == ""
    assert without_platform({"QT_QPA_PLATFORM": "wayland"}) == ""
    assert without_platform({"QT_QPA_PLATFORM": "xcb:opt"}) != ""
    assert without_platform({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":1"}) == ""


def test_what_qt_will_not_use_is_not_loaded(plugins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"wayland": ""}  # and to be asked for another is a KeyError
    monkeypatch.setattr(missing_libraries, "_missing_for", answers.__getitem__)
    assert without_platform({"DISPLAY": ":1", "WAYLAND_DISPLAY": "wayland-0"}) == ""


def test_what_is_not_there_is_left_to_qt(plugins: Path) -> None:
    (plugins / "libqxcb.so").unlink()
    assert without_platform() == ""
    (plugins / "libqxcb.so").write_bytes(b"no library")
    assert without_platform() == ""


def test_qt_itself_may_lack_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing_libraries, "_not_found", lambda: ["libEGL.so.1", "libGL.so.1"])
    sentence = without_qt(ImportError(_EGL))
    assert sentence.startswith("The window needs a system library")
    assert "apt install libegl1 libgl1`" in sentence
    assert "dnf install libglvnd-egl libglvnd-glx`" in sentence
    assert without_qt(ImportError("No module named 'colours'")) == ""


def test_what_the_frozen_program_brings_is_not_asked_of_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(missing_libraries, "_not_found", list)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    own = "libQt6Core.so.6: cannot open shared object file: No such file or directory"
    for reason in (own, "No module named 'PySide6.QtWidgets'"):
        sentence = without_qt(ImportError(reason))
        assert sentence.endswith(": install Desktop RAG again.")
        assert reason in sentence
    assert "apt install libegl1" in without_qt(ImportError(_EGL))


def test_the_program_says_it_and_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(missing_libraries, "_not_found", list)
    assert program._without_qt(ImportError(_EGL)) == UserError.exit_code
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "libegl1" in said
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert program._without_qt(ImportError(_EGL)) == UserError.exit_code
    assert "There is no screen" in capsys.readouterr().err
    with pytest.raises(ImportError, match="colours"):
        program._without_qt(ImportError("No module named 'colours'"))


def test_this_checkout_can_show_a_window_or_says_what_it_lacks(tmp_path: Path) -> None:
    """Without a trace of Qt's own message, whatever this system has."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "",
        "DISPLAY": ":4711",
        "WAYLAND_DISPLAY": "",
        paths.DATA_DIR_VARIABLE: str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-m", "desktop_rag"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == UserError.exit_code
    assert len(done.stderr.splitlines()) == 1
    assert "There is no screen" in done.stderr or "system library" in done.stderr
