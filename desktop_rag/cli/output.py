"""How the command line speaks: results on stdout, everything else on stderr."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Sequence
from typing import TextIO

from desktop_rag.domain.events import Event, IndexingPaused, IndexingProgress

_LINE_EVERY_FILES = 25
_LINE_EVERY_PAGES = 10
_LINE_EVERY_S = 30.0
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def print_json(value: object) -> None:
    """One JSON document on stdout, readable by people too."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def say(text: str) -> None:
    """A remark that is not the result."""
    print(printable(text), file=sys.stderr, flush=True)


def show(text: str, end: str = "\n") -> None:
    """A part of the result, for people."""
    print(printable(text), end=end, flush=True)


def show_marked(text: str, marks: Sequence[tuple[int, int]], end: str = "\n") -> None:
    """A part of the result with some spans of it in bold, where a terminal shows that."""
    if not shows_bold():
        marks = ()
    position = 0
    for start, stop in marks:
        show(text[position:start], end="")
        print(f"{_BOLD}{printable(text[start:stop])}{_PLAIN}", end="")
        position = stop
    show(text[position:], end)


def shows_bold() -> bool:
    """Whether standard output is a terminal that follows ANSI sequences (no-color.org)."""
    is_old_console = sys.platform == "win32" and "WT_SESSION" not in os.environ
    is_dumb = os.environ.get("TERM") == "dumb" or is_old_console
    return is_terminal(sys.stdout) and not is_dumb and not os.environ.get("NO_COLOR")


def printable(text: str) -> str:
    """Text that cannot steer a terminal: names and documents may hold escape sequences."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found.group()):02x}", text)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person watches; a closed stream is `None`."""
    return stream is not None and stream.isatty()


def speak_any_language() -> None:
    """Let streams replace what their encoding lacks instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_table(rows: Sequence[Sequence[str]], headings: Sequence[str]) -> None:
    """Columns as wide as their longest cell; the last one is as long as it likes."""
    table = [list(headings), *[list(row) for row in rows]]
    widths = [max(len(row[i]) for row in table) for i in range(len(headings) - 1)]
    for row in table:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        show("  ".join([*cells, row[-1]]).rstrip())


class ProgressLine:
    """Shows indexing on stderr: one line that updates on a terminal, a line now and then else."""

    def __init__(self) -> None:
        self._is_terminal = is_terminal(sys.stderr)
        self._is_open = False
        self._next_to_tell = 0
        self._told_page = ("", 0)
        self._next_steps_at = 0.0

    def __call__(self, event: Event) -> None:
        """A bus listener; called on worker threads."""
        if isinstance(event, IndexingPaused):
            self._end_line()
            say(f"Indexing pauses: {event.reason}")
        elif isinstance(event, IndexingProgress) and event.path:
            self._tell(event)
        elif isinstance(event, IndexingProgress):
            self._end_line()

    def _tell(self, event: IndexingProgress) -> None:
        finished = event.done + event.failed
        left = _remaining(event.remaining_s)
        if event.page:
            text = f"Recognising page {event.page} of {event.pages}{left}: {event.path}"
        elif event.steps:
            text = f"Cutting, {event.step} of {event.steps} done: {event.path}"
        else:
            place = f"{min(finished + 1, event.total)} of {event.total}"
            text = f"Reading {place}{left}: {event.path}"
        text = printable(text)
        if self._is_terminal:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r{text[:width].ljust(width)}", end="", file=sys.stderr, flush=True)
            self._is_open = True
        elif event.page:
            told, self._told_page = self._told_page, (event.path, event.page)
            is_due = told[0] != event.path or event.page % _LINE_EVERY_PAGES == 0
            if is_due and told != self._told_page:
                say(text)
        elif event.steps:
            self._tell_now_and_then(text)
        elif finished >= self._next_to_tell:
            self._next_to_tell = finished + _LINE_EVERY_FILES
            say(text)

    def _tell_now_and_then(self, text: str) -> None:
        if time.monotonic() >= self._next_steps_at:
            self._next_steps_at = time.monotonic() + _LINE_EVERY_S
            say(text)

    def _end_line(self) -> None:
        if self._is_open:
            width = shutil.get_terminal_size().columns - 1
            print("\r" + " " * width + "\r", end="", file=sys.stderr, flush=True)
            self._is_open = False


def _remaining(seconds: float | None) -> str:
    if seconds is None or seconds < 1:
        return ""
    if seconds < 90:
        return f", about {seconds:.0f} s left"
    return f", about {seconds / 60:.0f} min left"


def in_units(size: int) -> str:
    """A size in bytes for people: 1.2 MB."""
    value = float(size)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
