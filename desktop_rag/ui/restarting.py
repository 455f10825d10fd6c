"""Starts the program again, once this process has let go of the library."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from desktop_rag import paths
from desktop_rag.ui.autostart import start_command


def start_again(data_dir: Path) -> None:
    """A process of its own, which outlives this one."""
    # A frozen program must unpack itself anew instead of using what this process takes with it.
    environment = {**os.environ, "PYINSTALLER_RESET_ENVIRONMENT": "1"}
    command = start_command(data_dir)
    subprocess.Popen(
        command,
        env=environment,
        cwd=paths.shipped() if "-m" in command[:2] else None,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
    )
