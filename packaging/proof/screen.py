"""A display without a monitor: what is on it, and a hand on mouse and keyboard."""

from __future__ import annotations

import os
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from PIL import Image, ImageChops
from release.plan import BuildFailed

WIDTH, HEIGHT = 1280, 820
Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two are outside."""
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Screen:
    """The display `name`, whose pixels Xvfb keeps in a file."""

    name: str
    frame: Path

    def picture(self) -> Image.Image:
        """What is on the display now."""
        data = self.frame.read_bytes()
        head = struct.unpack(">25I", data[:100])
        head_bytes, line_bytes, colours = head[0], head[12], head[19]
        start = head_bytes + 12 * colours
        pixels = data[start : start + line_bytes * HEIGHT]
        return Image.frombytes("RGB", (WIDTH, HEIGHT), pixels, "raw", "BGRX", line_bytes)

    def hand(self, *words: str) -> str:
        """Let xdotool do something; returns what it says."""
        done = subprocess.run(
            ["xdotool", *words],
            env={**os.environ, "DISPLAY": self.name},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout.strip()

    def click(self, x: int, y: int) -> None:
        """Press and let go of the left button, where a person would."""
        self.hand("mousemove", str(x), str(y), "sleep", "0.2", "click", "1")


@contextmanager
def display(folder: Path) -> Iterator[Screen]:
    """A display of its own; its pixels lie in `folder`.

    Raises:
        BuildFailed: there is no Xvfb, or it does not start.
    """
    reader, writer = os.pipe()
    size = f"{WIDTH}x{HEIGHT}x24"
    server = subprocess.Popen(
        [
            "Xvfb", "-displayfd", str(writer), "-screen", "0", size,
            "-nolisten", "tcp", "-ac", "-fbdir", str(folder),
        ],
        pass_fds=(writer,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        if not number:
            raise BuildFailed("Xvfb did not start: run it by hand to see why.")
        yield Screen(f":{number}", folder / "Xvfb_screen0")
    finally:
        server.terminate()
        server.wait()


def where(picture: Image.Image, colour: Colour, within: Box, tolerance: int = 0) -> Image.Image:
    """A mask: white where that colour is, within a part of the picture."""
    bands = picture.crop(within).split()
    mask = Image.new("L", (within[2] - within[0], within[3] - within[1]), 255)
    for band, wanted in zip(bands, colour, strict=True):
        near = [255 if abs(value - wanted) <= tolerance else 0 for value in range(256)]
        mask = ImageChops.multiply(mask, band.point(near))
    return mask


def count(mask: Image.Image) -> int:
    """How many pixels are white."""
    return mask.histogram()[255]


def wait_for(what: str, look: Callable[[], Found | None], timeout_s: float) -> Found:
    """Look until there is something.

    Raises:
        BuildFailed: there is nothing in that time.
    """
    end = time.monotonic() + timeout_s
    while (found := look()) is None:
        if time.monotonic() > end:
            raise BuildFailed(f"{what} did not come within {timeout_s:.0f} s.")
        time.sleep(0.25)
    return found
