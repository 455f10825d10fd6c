"""Starting at log-in: one entry in the system's own place, and nothing left when it is removed."""

from __future__ import annotations

import plistlib
import re
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from desktop_rag import paths
from desktop_rag.domain.errors import UserError
from desktop_rag.ui import autostart as module
from desktop_rag.ui.autostart import (
    LaunchAgent,
    RunKey,
    XdgAutostart,
    autostart,
    start_command,
)

AWKWARD = ["/opt/My Apps/desktop-rag", "--data-dir", '/home/é/a "b" $c `d` \\e 100%', "--hidden"]


def exec_of(text: str) -> list[str]:
    """The command line as a desktop reads it: value escapes, then field codes, then quotes."""
    line = next(one for one in text.splitlines() if one.startswith("Exec="))
    value = line.removeprefix("Exec=").replace("\\\\", "\\").replace("%%", "%")
    quoted = re.findall(r'"((?:\\.|[^"\\])*)"', value)
    return [re.sub(r"\\(.)", r"\1", one) for one in quoted]


def test_linux_gets_a_desktop_file(tmp_path: Path) -> None:
    entry = XdgAutostart(tmp_path / "autostart", "desktop-rag", AWKWARD, "/opt/x")
    assert not entry.is_on()
    entry.switch(is_on=True)
    assert entry.is_on()
    text = entry.file.read_text()
    assert exec_of(text) == AWKWARD
    assert text.startswith("[Desktop Entry]\nType=Application\n")
    assert "\nPath=/opt/x\n" in text
    entry.switch(is_on=False)
    entry.switch(is_on=False)
    assert list((tmp_path / "autostart").iterdir()) == []


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_a_desktop_that_switched_it_off_is_believed(tmp_path: Path, line: str) -> None:
    entry = XdgAutostart(tmp_path, "desktop-rag", ["desktop-rag"])
    entry.file.write_text(f"[Desktop Entry]\nType=Application\nExec=desktop-rag\n{line}\n")
    assert not entry.is_on()
    entry.switch(is_on=True)
    assert entry.is_on()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("a file in its place")
    with pytest.raises(UserError, match="Check the permissions"):
        XdgAutostart(tmp_path / "autostart", "desktop-rag", ["x"]).switch(is_on=True)


def test_macos_gets_a_launch_agent(tmp_path: Path) -> None:
    entry = LaunchAgent(tmp_path, "desktop-rag", AWKWARD)
    entry.switch(is_on=True)
    assert entry.is_on()
    contents = plistlib.loads(entry.file.read_bytes())
    assert contents["ProgramArguments"] == AWKWARD
    assert contents["RunAtLoad"] is True
    assert entry.file.name == f"{contents['Label']}.plist"
    entry.switch(is_on=False)
    assert list(tmp_path.iterdir()) == []


def test_windows_gets_a_value_of_the_registry(tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "run.ini"), QSettings.Format.IniFormat)
    entry = RunKey("desktop-rag", [r"C:\Program Files\Desktop RAG\desktop-rag.exe", "--x"], store)
    assert not entry.is_on()
    entry.switch(is_on=True)
    assert entry.is_on()
    assert store.value("desktop-rag") == r'"C:\Program Files\Desktop RAG\desktop-rag.exe" --x'
    entry.switch(is_on=False)
    assert store.allKeys() == []


def test_each_system_has_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(Path, "home", classmethod(lambda cls: cls(tmp_path)))
    usual = paths.default_data_dir()
    linux, mac = autostart(usual, "linux"), autostart(usual, "darwin")
    assert isinstance(linux, XdgAutostart)
    assert linux.file == tmp_path / ".config" / "autostart" / "desktop-rag.desktop"
    assert isinstance(mac, LaunchAgent)
    assert mac.file == tmp_path / "Library" / "LaunchAgents" / "app.desktop-rag.plist"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "elsewhere"))
    moved = autostart(usual, "linux")
    assert isinstance(moved, XdgAutostart)
    assert moved.file.parent == tmp_path / "elsewhere" / "autostart"


def test_two_libraries_have_two_entries(tmp_path: Path) -> None:
    one, other = autostart(tmp_path / "a", "linux"), autostart(tmp_path / "b", "linux")
    assert isinstance(one, XdgAutostart)
    assert isinstance(other, XdgAutostart)
    assert one.file != other.file


def test_the_command_starts_this_program_over_this_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/lib/x/__main__.py"])
    assert start_command(paths.default_data_dir()) == [sys.executable, "-m", "desktop_rag"]
    assert start_command(tmp_path)[-2:] == ["--data-dir", str(tmp_path)]
    script = tmp_path / "desktop-rag"
    script.write_text("")
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert start_command(paths.default_data_dir()) == [str(script)]
    monkeypatch.setenv("APPIMAGE", "/apps/Desktop RAG.AppImage")
    assert start_command(paths.default_data_dir()) == ["/apps/Desktop RAG.AppImage"]
    monkeypatch.delenv("APPIMAGE")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert module.start_command(paths.default_data_dir()) == [sys.executable]
