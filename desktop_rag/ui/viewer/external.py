"""Hands a file over to the desktop: open it, or show it in its folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def open_file(path: Path) -> bool:
    """Open with the program the person has chosen for this kind of file; false when it is gone."""
    return path.exists() and QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def show_in_folder(path: Path) -> bool:
    """Open the folder, with the file selected where the desktop can; false when it is gone."""
    if not path.parent.exists():
        return False
    if sys.platform == "win32":
        subprocess.Popen(["explorer", f"/select,{path}"])
        return True
    if sys.platform == "darwin":
        subprocess.Popen(["open", "-R", str(path)])
        return True
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
