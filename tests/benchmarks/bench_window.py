"""How soon the window is on screen, what it weighs, how smooth it stays while words stream.

Usage: python -m tests.benchmarks.bench_window [RUNS]

Every run is a fresh process over the library from memory, so nothing but the window is measured:

- `visible`: from the start of the process (before the interpreter) to the first painted frame;
- `memory`: resident and unique (USS) size after an answer, a page and the library were shown;
- `quotation`: from Enter until the best sentence is on screen, the search aside (an answer's
  `timings_ms` have that as `find` and `extract`);
- `stalls`: gaps between beats of a 4 ms timer while 800 words (a long answer) stream at 250 a
  second into a chat of 40 messages.

Prints one row per figure with its target; it is a measurement, not a test.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_STARTED = "BENCH_WINDOW_STARTED"
_WORDS = int(os.environ.get("BENCH_WINDOW_WORDS", "800"))


def main() -> None:
    """Run and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    found = [_run() for _ in range(runs)]
    rows = (
        ("window visible, median", "visible_s", 1.0, "s"),
        ("memory (RSS)", "rss_mb", 200.0, "MB"),
        ("memory of its own (USS)", "uss_mb", 200.0, "MB"),
        ("quotation after Enter", "quote_ms", 300.0, "ms"),
        ("stall while streaming, median", "stall_median_ms", 16.0, "ms"),
        ("stall while streaming, p99", "stall_p99_ms", 33.0, "ms"),
        ("stall while streaming, worst", "stall_max_ms", 100.0, "ms"),
    )
    print(f"{'figure':<32}{'value':>10}{'worst run':>12}{'target':>10}")
    for label, key, target, unit in rows:
        values = [one[key] for one in found]
        median, worst = statistics.median(values), max(values)
        print(f"{label:<32}{median:>7.2f} {unit:<3}{worst:>8.2f} {unit:<3}{target:>7.1f} {unit}")


def _run() -> dict[str, float]:
    environment = {**os.environ, _STARTED: repr(time.time())}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    command = [sys.executable, "-m", "tests.benchmarks.bench_window", "--child"]
    done = subprocess.run(
        command, env=environment, cwd=_ROOT, check=True, capture_output=True, text=True
    )
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _child() -> None:
    """The measured process. Imports happen here, as they do in the program."""
    import tempfile

    from desktop_rag.ui import application

    qt = application._application()
    with tempfile.TemporaryDirectory() as folder:
        desktop = application.Desktop(qt, _library, Path(folder))
        watch = _FirstFrame(desktop)
        desktop.start()
        _wait(qt, lambda: watch.visible_s > 0 and desktop._app is not None)
        figures = {"visible_s": watch.visible_s, **_quote(qt, desktop)}
        figures |= {**_stream(qt, desktop), **_memory(qt, desktop)}
        desktop.window.close()
        desktop.finish()
    print(json.dumps(figures))


def _library():  # type: ignore[no-untyped-def]
    """Imported and made on the opener thread, like the real one."""
    from tests.helpers.fake_app import FakeApp, with_sample_chats, with_sample_library

    words = " ".join(f"word{n}" if n % 40 else "\n\nA [1] new" for n in range(_WORDS))
    app = with_sample_chats(with_sample_library(FakeApp(step_s=0.004)))
    app.answer_text = words
    number = next(iter(app.chats))
    title, said = app.chats[number]
    app.chats[number] = (title, [said[n % 2] for n in range(40)])
    return app


class _FirstFrame:
    """Notes when the window has painted itself for the first time."""

    def __init__(self, desktop) -> None:  # type: ignore[no-untyped-def]
        from PySide6.QtCore import QEvent, QObject

        watch = self
        self.visible_s = 0.0

        class Filter(QObject):
            def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
                if event.type() == QEvent.Type.Paint and not watch.visible_s:
                    watch.visible_s = time.time() - float(os.environ[_STARTED])
                return False

        self._filter = Filter()
        desktop.window.installEventFilter(self._filter)


def _quote(qt, desktop) -> dict[str, float]:  # type: ignore[no-untyped-def]
    window = desktop.window
    _wait(qt, lambda: window.chat.composer._can_send())
    window.chat.composer.edit.setPlainText("How soon is it there?")
    begin = time.perf_counter()
    window.chat.composer.send()
    answer = window.chat.messages.answers()[-1]
    _wait(qt, answer.extract.isVisible)
    window.repaint()
    elapsed_ms = (time.perf_counter() - begin) * 1000
    window.session.stop()
    _wait(qt, lambda: not window.session.is_busy)
    return {"quote_ms": elapsed_ms}


def _stream(qt, desktop) -> dict[str, float]:  # type: ignore[no-untyped-def]
    from PySide6.QtCore import Qt, QTimer

    window = desktop.window
    chats = desktop._app.chats
    window.session.open(max(chats, key=lambda number: len(chats[number][1])))
    _wait(qt, lambda: len(window.chat.messages.widgets()) == 40)
    gaps: list[float] = []
    last = [time.perf_counter()]

    def beat() -> None:
        now = time.perf_counter()
        gaps.append((now - last[0]) * 1000)
        last[0] = now

    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(beat)
    timer.start(4)
    window.session.ask("How smooth is it?")
    _wait(qt, lambda: not window.session.is_busy)
    timer.stop()
    gaps.sort()
    return {
        "stall_median_ms": statistics.median(gaps),
        "stall_p99_ms": gaps[int(len(gaps) * 0.99)],
        "stall_max_ms": gaps[-1],
    }


def _memory(qt, desktop) -> dict[str, float]:  # type: ignore[no-untyped-def]
    import psutil

    from tests.helpers.fake_app import paint_pages

    desktop._app.pages = paint_pages()
    window = desktop.window
    window.show_place(desktop._app.citations()[0])
    _wait(qt, lambda: window.viewer.body.pages.view.has_picture)
    window.show_library()
    _wait(qt, lambda: window.library.list.isVisible())
    used = psutil.Process().memory_full_info()
    return {"rss_mb": used.rss / 1e6, "uss_mb": used.uss / 1e6}


def _wait(qt, until, limit_s: float = 60.0) -> None:  # type: ignore[no-untyped-def]
    from PySide6.QtCore import QEventLoop

    end = time.monotonic() + limit_s
    while not until():
        if time.monotonic() > end:
            raise TimeoutError("the window did not get there")
        qt.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 20)


if __name__ == "__main__":
    _child() if "--child" in sys.argv else main()
