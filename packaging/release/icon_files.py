"""The program's icon in the one-file forms of Windows and macOS."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image

from release.icons import write_png

ICO_SIDES = (256, 64, 48, 40, 32, 24, 20, 16)
ICNS_SIDES = (1024, 512, 256, 128, 64, 32)


def write_ico(path: Path) -> None:
    """The icon of a program and an installer for Windows; each size is drawn, none is scaled."""
    first, *others = drawn(ICO_SIDES)
    path.parent.mkdir(parents=True, exist_ok=True)
    sizes = [(side, side) for side in ICO_SIDES]
    first.save(path, format="ICO", sizes=sizes, append_images=others)


def write_icns(path: Path) -> None:
    """The icon of an application for macOS."""
    first, *others = drawn(ICNS_SIDES)
    path.parent.mkdir(parents=True, exist_ok=True)
    first.save(path, format="ICNS", append_images=others)


def drawn(sides: tuple[int, ...]) -> list[Image.Image]:
    """The icon as pictures of these sides, in pixels."""
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        for side in sides:
            file = Path(folder) / f"{side}.png"
            write_png(file, side)
            with Image.open(file) as picture:
                pictures.append(picture.copy())
    return pictures
