"""How soon the frozen program is on a screen, as the person before it sees it.

Usage: python -m tests.benchmarks.bench_frozen_start [PROGRAM] [--runs 5] [--data FOLDER]

Starts PROGRAM (default: the one `packaging/build.py freeze` made) in an Xvfb of its own and looks
at the screen every few milliseconds, from the moment it is executed:

- `first frame`: the screen shows more than its empty ground;
- `chats and counts`: the side bar looks as it does a while later. With `--data` that is a library
  of 10,000 files and 500 chats, which is made at the first time (a few minutes); without, an empty
  data folder, as at the very first start;
- `open`: so does the middle, where suggested questions stand once the library is open;
- `read`: megabytes that the window's process had to fetch from the disk until then.

`cold` is with everything dropped from the page cache that is not in use by another program (only as
root), `warm` right after it. The start is put before other work of a busy machine where it may be
(only as root; there, a session's processes share one weight). A measurement, not a test.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import argparse
import contextlib
import os
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PROGRAM = Path(__file__).resolve().parents[2] / "packaging/dist/desktop-rag/desktop-rag"
_SCREEN = (1280, 800)
_APART, _IN_SIDE_BAR = 40, 6
_LOOK_S = 0.004
_SETTLED_S = 2.5
_LIMIT_S = 60.0
_TARGET_S = 1.5


@dataclass(frozen=True, slots=True)
class Start:
    """One start, in seconds."""

    frame: float
    filled: float
    opened: float
    read_mb: float


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", type=Path, default=_PROGRAM)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--data", type=Path, help="keeps the large library for the next time")
    options = parser.parse_args()
    if options.data:
        from tests.benchmarks.window_library import make

        options.data.mkdir(parents=True, exist_ok=True)
        make(options.data)
    with _display(), tempfile.TemporaryDirectory() as scratch:
        data = options.data / "library" if options.data else Path(scratch)
        _measure(options.program.resolve(), data, options.runs)


def _measure(program: Path, data: Path, runs: int) -> None:
    eye = _Eye()
    _start(program, data, eye)  # what a first start writes is not measured
    if os.geteuid() == 0:
        _tell("cold", [_cold(program, data, eye) for _ in range(runs)])
    else:
        print("cold: only root can drop the page cache")
    _tell("warm", [_start(program, data, eye) for _ in range(runs)])


def _tell(kind: str, starts: list[Start]) -> None:
    frame = statistics.median(one.frame for one in starts)
    told = [
        _told("first frame", [one.frame for one in starts]),
        _told("chats and counts", [one.filled for one in starts]),
        _told("open", [one.opened for one in starts]),
        f"read {statistics.median(one.read_mb for one in starts):.0f} MB",
    ]
    verdict = "" if frame <= _TARGET_S else f" (missed: {_TARGET_S} s)"
    print(f"{kind}: {', '.join(told)}{verdict}", flush=True)


def _told(what: str, seconds: list[float]) -> str:
    return f"{what} {statistics.median(seconds):.2f} s (worst {max(seconds):.2f})"


def _cold(program: Path, data: Path, eye: _Eye) -> Start:
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")
    return _start(program, data, eye)


def _start(program: Path, data: Path, eye: _Eye) -> Start:
    ground = eye.look()
    environment = {**os.environ, "DESKTOP_RAG_DATA_DIR": str(data), "QT_QPA_PLATFORM": "xcb"}
    begin = time.monotonic()
    process = subprocess.Popen([program], env=environment, start_new_session=True)
    _prefer(process.pid)
    try:
        changes = _changes(eye, ground, begin)
        read_mb = _read_bytes(process.pid) / 1e6
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    while eye.look() != ground:
        time.sleep(_LOOK_S)
    filled = [when for when, is_side_bar in changes if is_side_bar]
    return Start(changes[0][0], filled[-1], changes[-1][0], read_mb)


def _changes(eye: _Eye, ground: list[bytes], begin: float) -> list[tuple[float, bool]]:
    """When the screen changed, and whether the side bar did; until it has rested for a while."""
    changes: list[tuple[float, bool]] = []
    seen = ground
    while True:
        now, looks = time.monotonic() - begin, eye.look()
        if looks != seen:
            changes.append((now, looks[:_IN_SIDE_BAR] != seen[:_IN_SIDE_BAR]))
            seen = looks
        if now > (changes[-1][0] + _SETTLED_S if changes else _LIMIT_S):
            assert changes, f"nothing on the screen after {_LIMIT_S:.0f} s"
            return changes
        time.sleep(_LOOK_S)


class _Eye:
    """Looks at narrow columns in the left of the screen: cheap, and any text crosses one."""

    def __init__(self) -> None:
        from PySide6.QtGui import QGuiApplication

        self._qt = QGuiApplication([])
        self._screen = self._qt.primaryScreen()
        self._columns = range(4, _SCREEN[0] // 2, _APART)

    def look(self) -> list[bytes]:
        """What is in each column now."""
        grabbed = (self._screen.grabWindow(0, x, 0, 2, _SCREEN[1]) for x in self._columns)
        return [bytes(one.toImage().constBits()) for one in grabbed]


def _prefer(process: int) -> None:
    with contextlib.suppress(OSError):
        Path(f"/proc/{process}/autogroup").write_text("-10")


def _read_bytes(process: int) -> int:
    lines = Path(f"/proc/{process}/io").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("read_bytes")))


@contextlib.contextmanager
def _display() -> Iterator[None]:
    """An empty screen of its own for this process and those it starts."""
    reader, writer = os.pipe()
    size = "x".join(map(str, _SCREEN))
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as told:
        number = told.readline().strip()
    os.environ |= {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
    try:
        yield
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    main()
