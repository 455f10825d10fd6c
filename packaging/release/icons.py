"""Draws the program's icon in the sizes that desktops ask for. Needs Qt, but no screen."""

from __future__ import annotations

import shutil
from pathlib import Path

from release.plan import ROOT

SOURCE = ROOT / "resources" / "icons" / "app.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def write_hicolor(theme: Path, name: str = "desktop-rag") -> None:
    """Fill `theme` (a folder named `hicolor`) with pictures in `SIZES` and the drawing itself."""
    for size in SIZES:
        write_png(theme / f"{size}x{size}" / "apps" / f"{name}.png", size)
    scalable = theme / "scalable" / "apps" / f"{name}.svg"
    scalable.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SOURCE, scalable)


def write_png(path: Path, size: int) -> None:
    """The icon as a square picture with a transparent background."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SOURCE)).render(painter)
    painter.end()
    path.parent.mkdir(parents=True, exist_ok=True)
    if not image.save(str(path)):
        raise OSError(f"{path} could not be written.")
