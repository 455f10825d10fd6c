"""Which system libraries a window lacks, and the packages that have them: said before Qt aborts.

Imports nothing of Qt, whose libraries may be the ones that cannot be loaded.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from desktop_rag import paths

_MISSING = re.compile(r"(lib\S+\.so[.\d]*): cannot open shared object file")

_PACKAGES = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl"),
    "libGL.so.1": ("libgl1", "libglvnd-glx"),
    "libOpenGL.so.0": ("libopengl0", "libglvnd-opengl"),
    "libGLX.so.0": ("libglx0", "libglvnd-glx"),
    "libX11.so.6": ("libx11-6", "libX11"),
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb"),
    "libXext.so.6": ("libxext6", "libXext"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libstdc++.so.6": ("libstdc++6", "libstdc++"),
    "libwayland-client.so.0": ("libwayland-client0", "libwayland-client"),
    "libwayland-cursor.so.0": ("libwayland-cursor0", "libwayland-cursor"),
    "libwayland-egl.so.1": ("libwayland-egl1", "libwayland-egl"),
    "libxcb.so.1": ("libxcb1", "libxcb"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
}
"""What Qt links to: the packages of Debian and Ubuntu, and of Fedora."""


def without_qt(error: ImportError) -> str:
    """A sentence when Qt itself could not be imported for want of a library; else empty.

    The frozen program has all else with it, so that any other want is a damaged installation.
    """
    found = _MISSING.search(str(error))
    if paths.is_frozen() and (found is None or found[1] not in _PACKAGES):
        return f"A part of the program is missing ({error}): install Desktop RAG again."
    return _sentence(found[1]) if found else ""


def without_platform(environment: Mapping[str, str] = os.environ) -> str:
    """A sentence when Qt's part for this desktop cannot be loaded, where Qt would abort.

    The first that loads stays loaded, and Qt needs it next, so that no start gets slower by this.
    """
    first = ""
    for name in _platforms(environment) if sys.platform.startswith("linux") else ():
        if not (missing := _missing_for(name)):
            return ""
        first = first or missing
    return _sentence(first) if first else ""


def _platforms(environment: Mapping[str, str]) -> list[str]:
    """In the order in which Qt tries them; any that loads is enough."""
    if named := environment.get("QT_QPA_PLATFORM"):
        return [name for name in ("xcb", "wayland") if named.split(":")[0] == name]
    displays = (("wayland", "WAYLAND_DISPLAY"), ("xcb", "DISPLAY"))
    return [name for name, variable in displays if environment.get(variable)]


def _missing_for(platform: str) -> str:
    """The library that keeps a platform from loading; empty when it loads."""
    plugin = _plugin(platform)
    if not plugin.is_file():  # Qt comes from somewhere else, or does not have it
        return ""
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        found = _MISSING.search(str(error))
        return found[1] if found else ""
    return ""


def _plugin(platform: str) -> Path:
    return _qt() / "Qt" / "plugins" / "platforms" / f"libq{platform}.so"


def _qt() -> Path:
    if not paths.is_frozen():
        spec = importlib.util.find_spec("PySide6")
        if spec is not None and spec.submodule_search_locations:
            return Path(spec.submodule_search_locations[0])
    return paths.shipped("PySide6")


def _sentence(first: str) -> str:
    missing = list(dict.fromkeys([first, *_not_found()]))
    known = [_PACKAGES[name] for name in missing if name in _PACKAGES]
    debian = " ".join(dict.fromkeys(package for package, _ in known))
    fedora = " ".join(dict.fromkeys(package for _, package in known))
    remedy = (
        f"Install it with `sudo apt install {debian}` (Debian, Ubuntu) or "
        f"`sudo dnf install {fedora}` (Fedora)"
        if known
        else "Install the package of your system that has it"
    )
    return (
        f"The window needs a system library that is missing here: {', '.join(missing)}. "
        f"{remedy}; the commands in this terminal work without it (`desktop-rag --help`)."
    )


def _not_found() -> list[str]:
    """All libraries that a window lacks: the loader tells only the first. Asks `ldd`."""
    plugins = [_plugin(name) for name in _platforms(os.environ)]
    command = ["ldd", *map(str, plugins)]
    environment = {**os.environ, "LC_ALL": "C", "LD_LIBRARY_PATH": str(paths.shipped())}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return re.findall(r"^\s*(\S+) => not found", done.stdout, re.MULTILINE)
