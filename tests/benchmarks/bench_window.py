"""How soon the window is on screen, what it weighs, and how smooth it stays at work.

Usage: python -m tests.benchmarks.bench_window [--runs 3] [--data FOLDER] [--stacks]

Makes a library of 10,000 files and 500 chats first (`--data` keeps it for the next time). Every
run is a fresh process over the real façade with its real workers, and finds the program compiled
to bytecode as an installed one is:

- `visible`: from the start of the process (before the interpreter) to the first painted frame,
  and to the frame that shows the chats and the counts of the library;
- `opened`: from the click on a chat of 2,000 messages until its last ones are painted;
- `frame`: the wheel turns 60 times a second through that chat, up and down; from the moment a
  turn is due until it is painted; its processor time is the same on a busy machine;
- `memory`: resident and unique (USS) size of the window's process afterwards;
- `quotation`: from Enter until the best sentence is on screen, the search included;
- `beat`: gaps between beats of a 4 ms timer on the GUI thread while files are read, embedded and
  indexed and an answer of 600 words streams into the long chat at 120 a second; more than 50 ms
  is a stall; its own processor time is the same on a busy machine.

Prints one row per figure with its target; it is a measurement, not a test. With `--stacks` it
says what the GUI thread did during the stalls.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_STARTED = "BENCH_WINDOW_STARTED"
_WORDS = 600
_NEW_FILES = 400
_STEPS = 240
_ROWS = (
    ("first frame", "frame_s", 0.8, "s"),
    ("chats and counts shown", "filled_s", 0.8, "s"),
    ("processor time until then", "filled_cpu_s", 0.8, "s"),
    ("chat of 2,000 messages opened", "opened_ms", 200.0, "ms"),
    ("frame while scrolling, median", "scroll_median_ms", 16.7, "ms"),
    ("frame while scrolling, p95", "scroll_p95_ms", 16.7, "ms"),
    ("frame while scrolling, worst", "scroll_max_ms", 50.0, "ms"),
    ("its own processor time, p95", "scroll_cpu_p95_ms", 16.7, "ms"),
    ("quotation while files are read", "quote_ms", 1000.0, "ms"),
    ("beat at work, median", "beat_median_ms", 8.0, "ms"),
    ("beat at work, p99", "beat_p99_ms", 33.0, "ms"),
    ("beat at work, worst", "beat_max_ms", 50.0, "ms"),
    ("stalls over 50 ms", "stalls", 0.0, ""),
    ("its own processor time, worst", "beat_cpu_max_ms", 50.0, "ms"),
    ("memory (RSS)", "rss_mb", 250.0, "MB"),
    ("memory of its own (USS)", "uss_mb", 250.0, "MB"),
)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--compile", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.compile:
        _import_all()
        return
    if options.child:
        _child(options.child, is_told=options.stacks)
        return
    with tempfile.TemporaryDirectory() as scratch:
        data = options.data or Path(scratch)
        data.mkdir(parents=True, exist_ok=True)
        os.environ["PYTHONPYCACHEPREFIX"] = str(data / "bytecode")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        _python("tests.benchmarks.window_library", str(data))
        _python("tests.benchmarks.bench_window", "--compile", str(data))
        _print([_run(data, options) for _ in range(options.runs)])


def _import_all() -> None:
    """All that a start imports, so that its bytecode is there."""
    import importlib

    for name in ("app", "ui.application", "ui.presence", "ui.single_instance", "ui.opening_wishes"):
        importlib.import_module(f"desktop_rag.{name}")
    importlib.import_module("tests.benchmarks.window_watch")


def _print(found: list[dict[str, float]]) -> None:
    print(f"{'figure':<34}{'median':>12}{'worst run':>13}{'target':>11}")
    for label, key, target, unit in _ROWS:
        values = [one[key] for one in found]
        median, worst = statistics.median(values), max(values)
        verdict = "" if median <= target else "  missed"
        print(
            f"{label:<34}{median:>8.2f} {unit:<3}{worst:>9.2f} {unit:<3}{target:>7.1f} {unit:<3}"
            f"{verdict}"
        )


def _run(data: Path, options: argparse.Namespace) -> dict[str, float]:
    stacks = ["--stacks"] if options.stacks else []
    done = _python("tests.benchmarks.bench_window", "--child", str(data), *stacks)
    *lines, last = done.splitlines()
    print(*lines, sep="\n", end="\n" if lines else "")
    figures: dict[str, float] = json.loads(last)
    return figures


def _python(module: str, *arguments: str) -> str:
    environment = {**os.environ, _STARTED: repr(time.time())}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(
        command, env=environment, cwd=_ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def _child(data: Path, *, is_told: bool) -> None:
    """The measured process. Imports happen here, as they do in the program."""
    from desktop_rag.ui import application
    from desktop_rag.ui.smoothness import take_short_turns

    qt = application._application()
    take_short_turns()
    desktop = application.Desktop(qt, lambda: _open(data / "library"), data / "library")
    figures = _start(qt, desktop)
    figures |= _scroll(qt, desktop, is_told=is_told)
    figures |= _work(qt, desktop, data, is_told=is_told)
    figures |= _memory()
    desktop.window.close()
    desktop.finish()
    print(json.dumps(figures))


def _open(library: Path):
    """The real façade; only the language model is a fake that writes at a steady pace."""
    from dataclasses import replace

    from desktop_rag.app import App
    from tests.helpers.fakes import FakeGenerator

    words = " ".join(f"word{n}" if n % 40 else "\n\nA [1] new" for n in range(_WORDS))
    pen = FakeGenerator(words, delay_s=1 / 120)
    start = App._start_engines
    App._start_engines = lambda app: replace(start(app), generator=pen)  # type: ignore[assignment,method-assign]
    return App.open(library)


def _start(qt, desktop) -> dict[str, float]:
    from tests.benchmarks.window_watch import Painted, wait

    window, begin = desktop.window, float(os.environ[_STARTED])
    figures: dict[str, float] = {}

    def frame() -> None:
        figures.setdefault("frame_s", time.time() - begin)

    def filled() -> None:
        if window.sidebar.counts.text() and window.sidebar.history.model.rowCount() >= 500:
            figures.setdefault("filled_s", time.time() - begin)
            figures.setdefault("filled_cpu_s", time.process_time())

    watches = [
        Painted(window, frame),
        Painted(window.sidebar.history.list.viewport(), filled),
        Painted(window.sidebar.counts, filled),
    ]
    desktop.start()
    wait(qt, lambda: len(figures) == 3)
    for watch in watches:
        watch.deleteLater()
    return figures


def _rest(qt, desktop) -> None:
    """Until the start is over: folders compared, engines loaded."""
    from tests.benchmarks.window_watch import wait

    wait(qt, lambda: desktop.window.chat.composer._can_send())
    done: list[bool] = []
    desktop.window.background.run(lambda: desktop._app.wait_until_indexed(60), done.append)
    wait(qt, lambda: bool(done))


def _scroll(qt, desktop, *, is_told: bool) -> dict[str, float]:
    from tests.benchmarks.window_library import LONG_CHAT
    from tests.benchmarks.window_watch import frames_of_scrolling, told, wait, watched

    window, messages = desktop.window, desktop.window.chat.messages
    _rest(qt, desktop)
    chats = desktop._app.conversations()
    begin = time.perf_counter()
    window.history.open(next(one.id for one in chats if one.title == LONG_CHAT))
    wait(qt, lambda: any(not one.visibleRegion().isEmpty() for one in messages.answers()))
    window.repaint()
    opened_ms = (time.perf_counter() - begin) * 1000
    view = messages.viewport()
    with watched() as beats:
        frames = frames_of_scrolling(qt, view, 1, _STEPS)
        frames += frames_of_scrolling(qt, view, -1, _STEPS)
        messages.verticalScrollBar().setValue(messages.verticalScrollBar().maximum() // 2)
        frames += frames_of_scrolling(qt, view, 1, _STEPS)
    waited = sorted(frame.waited for frame in frames)
    computed = sorted(frame.computed for frame in frames)
    p95 = int(len(frames) * 0.95)
    if is_told:
        print(*told(beats.stalls), sep="\n")
    return {
        "opened_ms": opened_ms,
        "scroll_median_ms": statistics.median(waited),
        "scroll_p95_ms": waited[p95],
        "scroll_max_ms": waited[-1],
        "scroll_cpu_p95_ms": computed[p95],
    }


def _work(qt, desktop, data: Path, *, is_told: bool) -> dict[str, float]:
    """Add files, ask, and watch; what was added is taken away again."""
    from tests.benchmarks.window_watch import STALL_MS, told, wait, watched

    window, app = desktop.window, desktop._app
    with tempfile.TemporaryDirectory() as scratch:
        # In a process of its own: what makes test files is heavier than the window.
        _python("tests.benchmarks.window_library", scratch, str(_NEW_FILES))
        new = Path(scratch) / "new"
        with watched() as beats:
            window.add_paths([new])
            wait(qt, lambda: _is_reading(window))
            quote_ms = _ask(qt, window)
            wait(qt, lambda: not window.session.is_busy and not _is_reading(window))
            assert app.wait_until_indexed(60)
        app.remove([new])
    gaps = sorted(beats.gaps)
    if is_told:
        print(*told(beats.stalls), sep="\n")
    return {
        "quote_ms": quote_ms,
        "beat_median_ms": statistics.median(gaps),
        "beat_p99_ms": gaps[int(len(gaps) * 0.99)],
        "beat_max_ms": gaps[-1],
        "stalls": beats.over(STALL_MS),
        "beat_cpu_max_ms": max(beats.computed),
    }


def _is_reading(window) -> bool:
    """By what the window knows: asking the façade here would be the stall."""
    return not window.sidebar.progress.isHidden()


def _ask(qt, window) -> float:
    from tests.benchmarks.window_watch import Painted, wait

    window.chat.composer.edit.setPlainText("What are the findings of note 77?")
    begin = time.perf_counter()
    window.chat.composer.send()
    answer = window.chat.messages.answers()[-1]
    painted: list[float] = []
    watches = [
        Painted(one, lambda: painted.append(time.perf_counter()))
        for one in (answer.extract, answer.text.viewport())
    ]
    wait(qt, lambda: bool(painted))
    for watch in watches:
        watch.deleteLater()
    return (painted[0] - begin) * 1000


def _memory() -> dict[str, float]:
    import psutil

    used = psutil.Process().memory_full_info()
    return {"rss_mb": used.rss / 1e6, "uss_mb": used.uss / 1e6}


if __name__ == "__main__":
    main()
