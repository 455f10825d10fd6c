"""Starts the program when the person logs in: one entry of theirs in the system's own place.

Every class does the same for one system; none asks for rights, and removal leaves nothing.
"""

from __future__ import annotations

import hashlib
import os
import plistlib
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QSettings

from desktop_rag import paths
from desktop_rag.domain.errors import UserError

_RUN_KEY = r"HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Run"


class Autostart(Protocol):
    """Reads and writes the entry. *Touches the disk or the registry*: not on the GUI thread."""

    def is_on(self) -> bool:
        """Whether there is an entry."""
        ...

    def switch(self, *, is_on: bool) -> None:
        """Make or remove it. Raises UserError when the system refuses."""
        ...


class XdgAutostart:
    """Linux and other free desktops: a `.desktop` file in `~/.config/autostart`."""

    def __init__(self, folder: Path, name: str, command: Sequence[str], workdir: str = "") -> None:
        self.file = folder / f"{name}.desktop"
        self._command = command
        self._workdir = workdir

    def is_on(self) -> bool:
        """Whether the file is there and not switched off by the desktop's own settings."""
        try:
            text = self.file.read_text(encoding="utf-8")
        except OSError:
            return False
        return not re.search(r"^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$", text, re.M)

    def switch(self, *, is_on: bool) -> None:
        """Write or delete the file."""
        _write(self.file, self._contents().encode() if is_on else None)

    def _contents(self) -> str:
        lines = [
            "[Desktop Entry]",
            "Type=Application",
            "Name=Desktop RAG",
            "Exec=" + " ".join(_quoted_for_exec(one) for one in self._command),
            "Icon=desktop-rag",
            "Terminal=false",
            "X-GNOME-Autostart-enabled=true",
        ]
        if self._workdir:
            lines.append("Path=" + self._workdir.replace("\\", "\\\\"))
        return "\n".join(lines) + "\n"


class LaunchAgent:
    """macOS: a property list in `~/Library/LaunchAgents`."""

    def __init__(self, folder: Path, name: str, command: Sequence[str], workdir: str = "") -> None:
        self._label = f"app.{name}"
        self.file = folder / f"{self._label}.plist"
        self._command = command
        self._workdir = workdir

    def is_on(self) -> bool:
        """Whether the file is there."""
        return self.file.exists()

    def switch(self, *, is_on: bool) -> None:
        """Write or delete the file; the system reads it at the next log-in."""
        _write(self.file, plistlib.dumps(self._contents()) if is_on else None)

    def _contents(self) -> dict[str, object]:
        contents: dict[str, object] = {
            "Label": self._label,
            "ProgramArguments": list(self._command),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
        }
        if self._workdir:
            contents["WorkingDirectory"] = self._workdir
        return contents


class RunKey:
    """Windows: a value under `Run` in the person's own part of the registry."""

    def __init__(self, name: str, command: Sequence[str], store: QSettings | None = None) -> None:
        self._name = name
        self._command = command
        self._store = store or QSettings(_RUN_KEY, QSettings.Format.NativeFormat)

    def is_on(self) -> bool:
        """Whether the value is there."""
        self._store.sync()
        return self._store.contains(self._name)

    def switch(self, *, is_on: bool) -> None:
        """Set or remove the value."""
        if is_on:
            self._store.setValue(self._name, subprocess.list2cmdline(self._command))
        else:
            self._store.remove(self._name)
        self._store.sync()
        if self._store.status() != QSettings.Status.NoError:
            raise UserError(
                "Windows did not let Desktop RAG change what starts at log-in. Change it in the "
                "Settings of Windows, under Apps, Startup."
            )


class NoAutostart:
    """A portable program leaves nothing on the computer it is used on."""

    def is_on(self) -> bool:
        """Never."""
        return False

    def switch(self, *, is_on: bool) -> None:
        """Nothing is made, so that there is nothing to remove."""
        if is_on:
            raise UserError("A portable program does not start by itself when you log in.")


def autostart(data_dir: Path, platform: str = sys.platform) -> Autostart:
    """The way of this system; each data folder has an entry of its own."""
    if paths.portable_dir() is not None:
        return NoAutostart()
    name, command = _name(data_dir), start_command(data_dir)
    hidden = [*command, "--hidden"]
    if platform == "win32":
        return RunKey(name, hidden)
    if platform == "darwin":
        return LaunchAgent(Path.home() / "Library" / "LaunchAgents", name, hidden, _workdir())
    return XdgAutostart(_config_home() / "autostart", name, hidden, _workdir())


def start_command(data_dir: Path) -> list[str]:
    """What starts this program again over this data folder."""
    is_default = paths.is_default_data_dir(data_dir)
    rest = [] if is_default else ["--data-dir", str(data_dir.absolute())]
    return [*_program(), *rest]


def _program() -> list[str]:
    if image := os.environ.get("APPIMAGE"):  # the file itself: what it unpacks is gone tomorrow
        return [image]
    if paths.is_frozen():
        return [str(_lasting(Path(sys.executable)))]
    script = Path(sys.argv[0])
    if script.stem == "desktop-rag" and script.is_file():
        return [str(script.absolute())]
    return [sys.executable, "-m", "desktop_rag"]


def _lasting(executable: Path) -> Path:
    """Through the link `current`, if it leads here: an upgrade removes the folder itself."""
    current = executable.parent.with_name("current")
    is_linked = current.is_symlink() and current.resolve() == executable.parent.resolve()
    return current / executable.name if is_linked else executable


def _workdir() -> str:
    """Where `python -m desktop_rag` finds the package when it was not installed."""
    return str(paths.shipped()) if "-m" in _program() else ""


def _name(data_dir: Path) -> str:
    if paths.is_default_data_dir(data_dir):
        return paths.APP_NAME
    mark = hashlib.sha256(str(data_dir.absolute()).encode()).hexdigest()[:10]
    return f"{paths.APP_NAME}-{mark}"


def _config_home() -> Path:
    named = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home() / ".config"


def _quoted_for_exec(argument: str) -> str:
    """As the Desktop Entry Specification wants it, and then escaped as any value of the file."""
    quoted = re.sub(r'(["`$\\])', r"\\\1", argument).replace("%", "%%")
    return '"' + quoted.replace("\\", "\\\\") + '"'


def _write(path: Path, contents: bytes | None) -> None:
    """Replace a file in one step; `None` deletes it."""
    try:
        if contents is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        partial.write_bytes(contents)
        partial.replace(path)
    except OSError as error:
        raise UserError(
            f"{path} cannot be changed ({error.strerror}). Check the permissions of that folder."
        ) from error
