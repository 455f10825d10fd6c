"""Tells what pip is doing in a few readable lines, and what went wrong in one sentence."""

from __future__ import annotations

import queue
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path


class SetupFailed(Exception):
    """Something the person can mend; the message is one sentence with the next step."""


def narrate(process: subprocess.Popen[str], said: list[str]) -> None:
    """Turn pip's output into a few readable lines that show it is alive."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in process.stdout or ():
            lines.put(line.rstrip())
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    view = View()
    while True:
        try:
            line = lines.get(timeout=1.0)
        except queue.Empty:
            view.tick()
            continue
        if line is None:
            view.close()
            return
        if not line.startswith("Progress "):
            said.append(line)
        view.show(line)


class View:
    """One moving line on a terminal; elsewhere a line at every step and one each half minute."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._step = "Starting pip"
        self._started = time.monotonic()
        self._printed = 0.0
        self._packages = 0

    def show(self, line: str) -> None:
        """Look at a line of pip's output."""
        words = line.split()
        if line.startswith("Progress ") and len(words) == 4:
            self._print(f"{int(words[1]) / 1e6:,.0f} of {int(words[3]) / 1e6:,.0f} MB")
        elif words[:1] in (["Collecting"], ["Processing"]):
            self._packages += 1
            self._begin(f"Downloading package {self._packages}: {words[1].split('/')[-1]}")
        elif line.lstrip().startswith("Building wheel for"):
            if "started" in line:
                self._begin(f"Compiling {words[3]} (some minutes)", is_milestone=True)
        elif line.startswith("Installing collected packages"):
            self._begin(f"Installing {line.count(',') + 1} packages", is_milestone=True)

    def tick(self) -> None:
        """Nothing was said for a second."""
        self._print("")

    def close(self) -> None:
        """Leave the line."""
        if self._is_terminal:
            print(flush=True)

    def _begin(self, step: str, *, is_milestone: bool = False) -> None:
        self._step, self._started = step, time.monotonic()
        if is_milestone:
            self._printed = 0.0
        self._print("")

    def _print(self, detail: str) -> None:
        now = time.monotonic()
        if not self._is_terminal and now - self._printed < 30:
            return
        if self._is_terminal and now - self._printed < 0.1:
            return
        self._printed = now
        text = f"{self._step}  {detail}  {duration(now - self._started)}"
        if self._is_terminal:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\x1b[2K{text[:width]}", end="", flush=True)
        else:
            print(text, flush=True)


def pip_failure(said: list[str], log: Path) -> SetupFailed:
    """One sentence from a page of pip's."""
    text = "\n".join(said)
    if "No space left" in text:
        return SetupFailed("The disk is full: make room and run the same command again.")
    signs = ("NewConnectionError", "ConnectionError", "name resolution", "timed out", "getaddrinfo")
    if any(sign in text for sign in signs):
        return SetupFailed(
            "The package index cannot be reached: check the connection and run the same command "
            "again; it goes on where it stopped."
        )
    errors = [line.strip() for line in said if line.lstrip().startswith(("ERROR", "error:"))]
    reason = errors[-1] if errors else "pip gave no reason"
    return SetupFailed(f"Installing failed: {reason}. The whole output is in {log}.")


def duration(seconds: float) -> str:
    """Minutes and seconds, e.g. `4:05`."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
