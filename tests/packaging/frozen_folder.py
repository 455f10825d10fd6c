"""A frozen program of a few files, with the lists that PyInstaller writes."""

from __future__ import annotations

import shutil
from importlib.metadata import distribution
from pathlib import Path

from release.licences import write_index
from release.plan import ROOT, Plan

Entry = tuple[str, str, str]


def small_program(folder: Path) -> Plan:
    """One file of each kind of origin; what PyInstaller knows of them lies beside it."""
    plan = Plan("9.9.9", dist=folder / "dist")
    collected: list[Entry] = [
        ("msgspec/_core.so", _installed("msgspec", "msgspec/__init__.py"), "EXTENSION"),
        (
            "PySide6/Qt/lib/libQt6Core.so.6",
            _installed("shiboken6", "shiboken6/_config.py"),
            "BINARY",
        ),
        (
            "PySide6/Qt/lib/libicudata.so.73",
            _installed("shiboken6", "shiboken6/_config.py"),
            "BINARY",
        ),
        ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK"),
        ("llama_cpp/lib/libllama.so", str(ROOT / "LICENSE"), "BINARY"),
        ("resources/icons/app.svg", str(ROOT / "resources" / "icons" / "app.svg"), "DATA"),
        ("resources/licences/LICENSE", str(ROOT / "LICENSE"), "DATA"),
    ]
    for place, origin, kind in collected:
        target = plan.libraries / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if kind == "SYMLINK":
            target.symlink_to(origin)
        else:
            shutil.copyfile(origin, target)
    model = plan.libraries / "models" / "all-minilm-l6-v2-int8" / "model.onnx"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"weights")
    (plan.libraries / "base_library.zip").write_bytes(b"modules")
    (plan.program / "desktop-rag").write_bytes(b"program")
    write_lists(plan, collected, [("attr", _installed("attrs", "attr/__init__.py"), "PYMODULE")])
    return plan


def with_licences(plan: Plan) -> Plan:
    """With the list of the step `licences`, which every step that packs the program asks for."""
    plan.licences.mkdir(parents=True)
    write_index(plan, [], plan.licences)
    return plan


def write_lists(plan: Plan, collected: list[Entry], modules: list[Entry]) -> None:
    """What was collected, and what is inside the executable."""
    folder = plan.work / "desktop-rag"
    folder.mkdir(parents=True)
    (folder / "COLLECT-00.toc").write_text(repr((collected,)), encoding="utf-8")
    (folder / "PYZ-00.toc").write_text(repr(("PYZ-00.pyz", modules)), encoding="utf-8")


def _installed(library: str, file: str) -> str:
    return str(distribution(library).locate_file(file))
