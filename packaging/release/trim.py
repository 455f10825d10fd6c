"""What PyInstaller would put into the program and nothing there uses.

Called by `desktop-rag.spec`. With everything named here taken out, the frozen program's own test,
documents of every kind, a scan, an answer and the window with a page worked as in a checkout.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from release.needs import FROM_THE_SYSTEM, is_elf, needed_by

Entry = tuple[str, str, str]
"""Of PyInstaller: the place in the program, the file on this machine, the kind."""

UNUSED_MODULES = (
    # Of chromadb only the embedded client is used; its server and cluster client are 150 MB. The
    # exporter of traces, which it imports, is a stand-in (`desktop_rag.engines`).
    "chromadb.test", "chromadb.server", "chromadb.cli", "kubernetes", "uvicorn", "uvloop",
    "httptools", "fastapi", "huggingface_hub", "hf_xet", "bcrypt", "grpc", "google.protobuf",
    "opentelemetry.exporter", "opentelemetry.proto",
    # The reader refuses both (`desktop_rag.engines`): layout models of 50 MB.
    "pymupdf.layout", "pymupdf4llm",
    # rapidocr brings the recogniser's models; its code downloads what it misses.
    "rapidocr", "omegaconf", "shapely", "pyclipper",
    "onnxruntime.tools", "onnxruntime.quantization", "onnxruntime.transformers",
    "llama_cpp.server", "lxml.objectify", "lxml.isoschematron", "numpy.f2py", "numpy.testing",
    # AVIF is no format of the program; Tk and screenshots are no business of it.
    "PIL._avif", "PIL.AvifImagePlugin", "PIL._imagingtk", "PIL.ImageTk", "PIL.ImageQt",
    # pyqtgraph takes QtTest when it is there; it does not start without QtOpenGL.
    "PySide6.QtTest", "PySide6.QtQml", "PySide6.QtQuick",
    "readline", "tkinter", "pip", "setuptools", "pytest", "hypothesis", "mypy",
)  # fmt: skip

# Qt's own buttons in the languages of the window (`ui.translation`).
_QT_TEXTS = tuple(f"/qtbase_{name}.qm" for name in ("de", "es", "fr", "ar", "zh_CN"))

_UNUSED_PLUGINS = (
    # Screens without a window system, remote ones, and their keyboards.
    "/egldeviceintegrations/", "/generic/", "qeglfs", "qlinuxfb", "qvkkhrdisplay", "qvnc",
    "platforms/libqminimal", "platforms/qminimal",
    # Nothing draws with OpenGL; its drivers would only be loaded for nothing.
    "/xcbglintegrations/", "/wayland-graphics-integration-client/",
    # No connection is ever made.
    "/tls/", "/networkinformation/",
    # GTK's dialogs are 15 MB of libraries, and a GTK of another version than the system's fails on
    # the system's modules. Colours and fonts come from the desktop's settings without it.
    "libqgtk3",
    # Shells of cars and of single-window screens.
    "libivi-shell", "libqt-shell", "libfullscreen-shell", "libwl-shell",
)  # fmt: skip

# Pages come as PNG, which Qt reads itself; icons are SVG, and ICO on Windows.
_IMAGE_FORMATS = ("qsvg", "qico")

_UNUSED_DATA = ("/mupdf-devel/", "/sboms/", "/chromadb/test/", "/pymupdf/layout/")
_SYSTEM = ("/lib/", "/usr/lib/", "/lib64/", "/usr/lib64/")


def is_unused(module: str) -> bool:
    """Whether a module belongs to a part that is left out."""
    return any(module == part or module.startswith(part + ".") for part in UNUSED_MODULES)


def is_wanted(place: str) -> bool:
    """Whether the file at this place in the program is used."""
    path = PurePosixPath(place.replace("\\", "/"))
    name = f"/{path}"
    if "/translations/" in name and "PySide6" in name:
        return name.endswith(_QT_TEXTS)
    if "/plugins/" in name and "PySide6" in name:
        return is_wanted_plugin(name)
    if name.startswith("/stdnum/"):
        return path.name == "iban.dat"  # the only list that a validator in use reads
    if FROM_THE_SYSTEM.fullmatch(path.name):
        return False
    if any(part in name for part in _UNUSED_DATA):
        return False
    return path.suffix not in (".h", ".a", ".cmake", ".pyi", ".pyx", ".pxd") and (
        path.name not in ("RECORD", "INSTALLER", "WHEEL", "REQUESTED", "py.typed", ".gitignore")
    )


def is_wanted_plugin(name: str) -> bool:
    """Whether the window uses this plugin of Qt."""
    if "/imageformats/" in name:
        return PurePosixPath(name).stem.removeprefix("lib") in _IMAGE_FORMATS
    return not any(part in name for part in _UNUSED_PLUGINS)


def without_unlinked(entries: Iterable[Entry]) -> list[Entry]:
    """Drop libraries of the system, of Qt and of wheels that nothing links to any more."""
    kept = list(entries)
    while True:
        places = {place for place, _, kind in kept if kind != "SYMLINK"}
        files = {Path(source) for _, source, kind in kept if kind != "SYMLINK"}
        links = needed_by(path for path in files if is_elf(path))
        needed = {name for names in links.values() for name in names}
        left = [entry for entry in kept if _is_used(entry, needed, places)]
        if len(left) == len(kept):
            return kept
        kept = left


def without_dangling(entries: Iterable[Entry], binaries: Iterable[Entry]) -> list[Entry]:
    """Drop links to libraries that were left out; PyInstaller keeps such links with the data."""
    kept, others = list(entries), {place for place, *_ in binaries}
    while True:
        places = others | {place for place, *_ in kept}
        left = [one for one in kept if one[2] != "SYMLINK" or _target(one) in places]
        if len(left) == len(kept):
            return kept
        kept = left


def _target(link: Entry) -> str:
    """Where in the program a link leads; it says so from where it lies itself."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(link[0]), link[1]))


def _is_used(entry: Entry, needed: set[str], places: set[str]) -> bool:
    """Whether a file is linked to, or is not there for that; whether a link leads anywhere."""
    place, source, kind = entry
    if kind == "SYMLINK":
        return source in places
    path = PurePosixPath(place)
    is_only_linked = (
        source.startswith(_SYSTEM)
        or place.startswith("PySide6/Qt/lib/")
        or path.parts[0].endswith(".libs")
    ) and ".so" in path.name
    is_named = kind == "EXTENSION" or path.name.startswith("libpython")
    return path.name in needed or is_named or not is_only_linked
