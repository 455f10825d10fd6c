"""Whether there is a screen: without one Qt ends the process, with a message about its plugins."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

NO_SCREEN = (
    "There is no screen to open a window on. Use the commands in this terminal instead "
    "(`desktop-rag --help`), or start it from a desktop."
)
_LOCAL_DISPLAY = re.compile(r"(?:unix)?:(\d+)(?:\.\d+)?")
_TIMEOUT_S = 2.0


def has_screen(environment: Mapping[str, str] = os.environ) -> bool:
    """On Linux a window needs a display server that answers, or Qt was told to do without."""
    if not sys.platform.startswith("linux"):
        return True
    if environment.get("QT_QPA_PLATFORM"):
        return True
    return _has_wayland(environment) or _has_x11(environment)


def _has_wayland(environment: Mapping[str, str]) -> bool:
    name = environment.get("WAYLAND_DISPLAY", "")
    return bool(name) and _answers(str(Path(environment.get("XDG_RUNTIME_DIR", "/")) / name))


def _has_x11(environment: Mapping[str, str]) -> bool:
    name = environment.get("DISPLAY", "")
    local = _LOCAL_DISPLAY.fullmatch(name)
    if local is None:
        return bool(name)  # of another computer: Qt will see
    place = f"/tmp/.X11-unix/X{local[1]}"
    return _answers(place) or _answers(f"\0{place}")


def _answers(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(_TIMEOUT_S)
        try:
            one.connect(address)
        except OSError:
            return False
    return True
