"""What is left out of the frozen program, by the names PyInstaller gives it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from release.needs import needed_by
from release.plan import PACKAGING, ROOT
from release.trim import is_unused, is_wanted, without_dangling, without_unlinked

needs_readelf = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not shutil.which("readelf"), reason="no readelf"
)


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6\\plugins\\platforms\\qwindows.dll",
        "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
        "PySide6/Qt/plugins/iconengines/libqsvgicon.so",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so",
        "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
        "PySide6/Qt/translations/qtbase_zh_CN.qm",
        "libxcb-cursor.so.0",
        "stdnum/iban.dat",
        "chromadb-1.5.9.dist-info/METADATA",
        "resources/translations/de.mo",
        "cv2/config.py",
    ],
)
def test_what_the_program_uses_stays(place: str) -> None:
    assert is_wanted(place)


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/plugins/platforms/libqeglfs.so",
        "PySide6/Qt/plugins/platforms/libqminimal.so",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6\\plugins\\tls\\qschannelbackend.dll",
        "PySide6/Qt/plugins/imageformats/libqwebp.so",
        "PySide6/Qt/translations/qtbase_fi.qm",
        "libstdc++.so.6",
        "stdnum/oui.dat",
        "pymupdf/layout/model.onnx",
        "chromadb-1.5.9.dist-info/RECORD",
        "pymupdf/mupdf-devel/include/mupdf/fitz.h",
    ],
)
def test_what_nothing_uses_goes(place: str) -> None:
    assert not is_wanted(place)


def test_a_part_is_left_out_with_all_that_is_below_it() -> None:
    assert is_unused("grpc")
    assert is_unused("grpc.aio._call")
    assert not is_unused("grpcio")
    assert not is_unused("opentelemetry.sdk.trace")


def test_all_that_the_program_imports_can_do_without_what_is_left_out() -> None:
    """Imports inside functions as well: a frozen program would only fail when it gets there."""
    told = subprocess.run(
        [sys.executable, "-c", _IMPORT_ALL],
        env={
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(PACKAGING)]),
        },
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert told.stdout.splitlines()[-1] == "[]"


_IMPORT_ALL = """
import ast, importlib, sys
from pathlib import Path
from release.trim import is_unused

class LeftOut:
    def find_spec(self, name, path=None, target=None):
        if is_unused(name):
            raise ModuleNotFoundError(f"left out: {name}", name=name)

sys.meta_path.insert(0, LeftOut())
names = set()
for file in Path("desktop_rag").rglob("*.py"):
    names.add(".".join(file.with_suffix("").parts).removesuffix(".__init__"))
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
import desktop_rag.engines
failed = []
for name in sorted(names):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if str(error).startswith("left out"):
            failed.append(f"{name}: {error}")
print(failed)
"""


@needs_readelf
def test_only_what_something_links_to_stays() -> None:
    """The interpreter stands for Qt, and one of the libraries it links to for the rest."""
    name = needed_by([Path(sys.executable).resolve()])[Path(sys.executable).resolve()][0]
    entries = [
        ("tool", str(Path(sys.executable).resolve()), "BINARY"),
        (name, f"/usr/lib/{name}", "BINARY"),
        ("libgtk-3.so.0", "/usr/lib/libgtk-3.so.0", "BINARY"),
        ("pillow.libs/libavif-1.so.16", "/wheels/pillow.libs/libavif-1.so.16", "BINARY"),
        ("libavif-1.so.16", "pillow.libs/libavif-1.so.16", "SYMLINK"),
        ("PIL/_imaging.so", "/wheels/PIL/_imaging.so", "EXTENSION"),
        ("libpython3.11.so.1.0", "/usr/lib/libpython3.11.so.1.0", "BINARY"),
    ]
    assert [entry[0] for entry in without_unlinked(entries)] == [
        "tool",
        name,
        "PIL/_imaging.so",
        "libpython3.11.so.1.0",
    ]


def test_links_to_what_was_left_out_go_with_it() -> None:
    binaries = [("Qt/lib/libCore.so.6", "/wheels/libCore.so.6", "BINARY")]
    stay = [
        ("libCore.so.6", "Qt/lib/libCore.so.6", "SYMLINK"),
        ("Qt/libCore.so", "lib/libCore.so.6", "SYMLINK"),
        ("libCore.so", "libCore.so.6", "SYMLINK"),
        ("notes.txt", "/notes.txt", "DATA"),
    ]
    go = [
        ("libGL.so.1", "Qt/lib/libGL.so.1", "SYMLINK"),
        ("libGL.so", "libGL.so.1", "SYMLINK"),
    ]
    assert without_dangling([*go, *stay], binaries) == stay
