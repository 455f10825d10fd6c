"""The window as a person uses it: type a question, click the citation, look at what is marked.

The program tells nothing of itself here. Places are found by their colours in the picture of the
screen, mouse and keys come from outside.
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw
from release.plan import BuildFailed

from proof.room import Room, end
from proof.scan import GROUND
from proof.screen import HEIGHT, WIDTH, Box, Colour, Screen, count, wait_for, where

CHIP: Colour = (0xDF, 0xF1, 0xEE)
MARKER: Colour = (0xFF, 0xD8, 0x4D)
_SIDEBAR, _COMPOSER = 254, 660
"""The right edge of the sidebar and, with room for the rows of buttons, the top of the composer."""
_OPEN_S, _ANSWER_S, _VIEWER_S = 60, 180, 40
_STEADY_S = 2.5
_LEAST_PIXELS = 150
_CHIP_SIZES = range(12, 32)
"""Pixels across."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of one question."""

    chip: tuple[int, int]
    """Where it was clicked."""
    marked: int
    """Pixels under the marker in the opened document."""
    ground: int
    """Pixels of them that are on the coloured ground of the sought line; 0 in other documents."""


class Window:
    """The program's window on a display; used as a context."""

    def __init__(self, room: Room, screen: Screen, command: list[str], pictures: Path) -> None:
        self._room, self._screen, self._command = room, screen, command
        self._pictures = pictures
        self._process: subprocess.Popen[str] | None = None
        self.opened_s = 0.0
        """From the start to the first picture of it, with `strace` slowing it down."""

    def __enter__(self) -> Window:
        started = time.monotonic()
        self._process = self._room.start("window", self._command)
        name = wait_for("The window", self._name, _OPEN_S)
        self._screen.hand("windowsize", "--sync", name, str(WIDTH), str(HEIGHT))
        self._screen.hand("windowmove", name, "0", "0", "windowfocus", name)
        wait_for("The window's first picture", self._drawn, _OPEN_S)
        self.opened_s = time.monotonic() - started
        return self

    def __exit__(self, *_error: object) -> None:
        if self._process is not None:
            end(self._process)
            self._process.communicate()

    def quit(self) -> int:
        """Quit as a person does; returns the exit code."""
        assert self._process is not None
        self._screen.hand("key", "ctrl+q")
        try:
            return self._process.wait(30)
        except subprocess.TimeoutExpired:
            raise BuildFailed("The window did not close within 30 s.") from None

    def ask(self, question: str, name: str) -> Seen:
        """Ask in a new chat, click the first citation, and wait until the place is marked."""
        self._screen.hand("key", "ctrl+w", "sleep", "0.5", "key", "ctrl+n", "sleep", "0.5")
        self._screen.hand("type", "--delay", "25", question)
        self._screen.hand("key", "Return")
        chip = wait_for("A citation", self._steady_chip, _ANSWER_S)
        self._save(f"{name}-answer")
        self._screen.click(*chip)
        # The card of a citation goes when the mouse does.
        self._screen.hand("sleep", "0.5", "mousemove", str(chip[0]), str(_COMPOSER))
        wait_for("A marked passage", self._viewed, _VIEWER_S)
        time.sleep(1)  # scrolling to it takes a moment
        self._save(f"{name}-place")
        view = _viewer(self._screen.picture())
        marked = count(where(view, MARKER, _all(view), 6))
        ground = count(where(view, multiplied(GROUND, MARKER), _all(view), 14))
        return Seen(chip, marked + ground, ground)

    # looking
    def _name(self) -> str | None:
        process = self._process
        assert process is not None
        if process.poll() is not None:
            raise BuildFailed(f"The window did not open: {process.communicate()[0].strip()}")
        return (
            self._screen.hand("search", "--onlyvisible", "--name", "Desktop RAG").partition("\n")[0]
            or None
        )

    def _drawn(self) -> bool | None:
        """Whether the accent colour of its sign is there."""
        mask = where(self._screen.picture(), (0x0F, 0x76, 0x6E), (0, 0, _SIDEBAR, 60), 4)
        return True if count(mask) > 50 else None

    def _steady_chip(self) -> tuple[int, int] | None:
        """The middle of the first chip, once the answer has stood still for some seconds."""
        before = self._chat()
        if first_chip(before) is None:
            return None
        time.sleep(_STEADY_S)
        after = self._chat()
        if ImageChops.difference(before, after).getbbox() is not None:
            return None
        return first_chip(after)

    def _chat(self) -> Image.Image:
        """The picture without the composer, whose cursor blinks."""
        return self._screen.picture().crop((0, 0, WIDTH, _COMPOSER))

    def _viewed(self) -> bool | None:
        view = _viewer(self._screen.picture())
        marks = count(where(view, MARKER, _all(view), 6))
        marks += count(where(view, multiplied(GROUND, MARKER), _all(view), 14))
        return True if marks > _LEAST_PIXELS else None

    def _save(self, name: str) -> None:
        self._screen.picture().save(self._pictures / f"{name}.png")


def first_chip(picture: Image.Image) -> tuple[int, int] | None:
    """The middle of the topmost chip of an answer, the left one if there are several."""
    mask = where(picture, CHIP, (_SIDEBAR, 0, picture.width, picture.height))
    while (box := mask.getbbox()) is not None:
        row = mask.crop((0, box[1], mask.width, box[1] + 1)).getbbox()
        assert row is not None
        ImageDraw.floodfill(mask, (row[0], box[1]), 128)
        one = mask.point([0] * 128 + [255] + [0] * 127).getbbox()
        assert one is not None
        if all(size in _CHIP_SIZES for size in (one[2] - one[0], one[3] - one[1])):
            return _SIDEBAR + (one[0] + one[2]) // 2, (one[1] + one[3]) // 2
        mask = mask.point([0] * 255 + [255])  # a notice has the same ground: go on without it
    return None


def multiplied(ground: Colour, marker: Colour) -> Colour:
    """What a text marker makes of a ground."""
    red, green, blue = (one * other // 255 for one, other in zip(ground, marker, strict=True))
    return red, green, blue


def _viewer(picture: Image.Image) -> Image.Image:
    """The part of the window where a document is shown."""
    return picture.crop((WIDTH * 3 // 5, 140, WIDTH, HEIGHT))


def _all(picture: Image.Image) -> Box:
    return 0, 0, picture.width, picture.height
