"""Finds the system libraries Qt misses, and installs them where it may."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# What a bare Debian or Ubuntu lacks: drawing, keyboard, fonts, and the X11 window itself.
QT_PACKAGES = (
    "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0 fonts-dejavu-core "
    "libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 "
    "libxcb-render-util0 libxcb-shape0 libxcb-xkb1"
)


def check_qt(python: Path) -> None:
    """Install what Qt lacks where we may; else name the one line that does."""
    if not sys.platform.startswith("linux"):
        return
    problem = qt_problem(python)
    if not problem:
        return
    line = f"apt-get install -y --no-install-recommends {QT_PACKAGES}"
    if shutil.which("apt-get") and os.geteuid() == 0:
        print("Installing system libraries for the window …", flush=True)
        apt(["update"])
        apt(line.split()[1:])
        problem = qt_problem(python)
    if not problem:
        return
    remedy = f"`sudo {line}`" if shutil.which("apt-get") else "your system's Qt 6 packages"
    print(f"The window lacks a system library ({problem}). Install it with:\n  {remedy}\n")


def qt_problem(python: Path) -> str:
    """Which shared library Qt misses, or empty when a window can open."""
    code = (
        "import os; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from PySide6 import QtWidgets, QtSvg\n"
        "QtWidgets.QApplication([])\n"
        "import pathlib, PySide6\n"
        "print(pathlib.Path(PySide6.__file__).parent / 'Qt/plugins/platforms/libqxcb.so')\n"
    )
    probe = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False)
    if probe.returncode:
        return probe.stderr.strip().splitlines()[-1] if probe.stderr.strip() else "unknown"
    plugin = probe.stdout.strip().splitlines()[-1]
    if not shutil.which("ldd"):
        return ""
    linked = subprocess.run(["ldd", plugin], capture_output=True, text=True, check=False).stdout
    missing = [line.split()[0] for line in linked.splitlines() if "not found" in line]
    return ", ".join(missing)


def apt(arguments: list[str]) -> None:
    """Run apt-get quietly; a failure shows in the probe that follows."""
    subprocess.run(
        ["apt-get", "-q", *arguments],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
