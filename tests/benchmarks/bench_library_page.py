"""How quickly the library page opens, filters and follows indexing with many files.

    QT_QPA_PLATFORM=offscreen .venv/bin/python -m tests.benchmarks.bench_library_page [FILES]

A library of that many files is written straight into the catalog; nothing is read or embedded.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QTimer
from PySide6.QtWidgets import QApplication

from desktop_rag.app import App
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.events import LibraryChanged
from desktop_rag.domain.library import LibraryFile
from desktop_rag.storage.database import Database
from desktop_rag.ui.library.file_filter import Order, Show, SortBy
from desktop_rag.ui.library.filter_bar import FilterBar
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Appearance, Theme
from tests.helpers.fakes import fake_engines

_COVERAGE = '{"pages": 12, "read": 12}'


def fill(folder: Path, files: int) -> None:
    """Write the catalog."""
    database = Database(folder / "library.sqlite3")
    rows = [
        (
            n % 5 + 1, f"/home/ada/Folder {n % 5}/sub {n % 37}/Report {n:06}.pdf", 20_000 + n,
            "failed" if n % 50 == 0 else "ready", f"Report {n}", _COVERAGE,
        )
        for n in range(files)
    ]  # fmt: skip
    with database.write() as db:
        for number in range(1, 6):
            db.execute(
                "INSERT INTO sources (id, path, is_folder, device, added_at)"
                " VALUES (?, ?, 1, 0, '')",
                (number, f"/home/ada/Folder {number - 1}"),
            )
        db.executemany(
            "INSERT INTO documents (source_id, path, size, mtime_ns, ctime_ns, state, format,"
            " title, page_count, chunk_count, coverage) VALUES (?, ?, ?, 0, 0, ?, 'pdf', ?, 12,"
            " 30, ?)",
            rows,
        )
    database.close()


class Watchdog(QTimer):
    """The longest time the event loop did not turn, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.worst = 0
        self._clock = QElapsedTimer()
        self._clock.start()
        self.setInterval(1)
        self.timeout.connect(self._on_turn)
        self.start()

    def _on_turn(self) -> None:
        self.worst = max(self.worst, self._clock.restart())


def until(condition: Callable[[], bool], timeout_s: float = 60) -> None:
    """Let the event loop run."""
    end = time.monotonic() + timeout_s
    while not condition():
        QApplication.processEvents()
        if time.monotonic() > end:
            raise TimeoutError


def timed(name: str, do: Callable[[], object]) -> None:
    """Print how long the GUI thread works, with painting; other programs do not count."""
    begin, worked = time.perf_counter(), time.thread_time()
    do()
    QApplication.processEvents()
    worked, took = time.thread_time() - worked, time.perf_counter() - begin
    print(f"{name:44} {1000 * worked:7.1f} ms of work in {1000 * took:7.1f} ms")


def main(files: int) -> None:
    """Measure and print."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    with tempfile.TemporaryDirectory() as root:
        data = Path(root) / "data"
        data.mkdir()
        fill(data, files)
        theme = Theme(application, Appearance.LIGHT)
        with App.open(data, fake_engines()) as app:
            window = MainWindow(theme)
            window.resize(1280, 820)
            window.show()
            window.attach(app)
            until(lambda: bool(window.sidebar.counts.text()))
            measure(window, app, files)
            window.close()


def measure(window: MainWindow, app: App, files: int) -> None:
    """All of it, in the order a person would do it."""
    page = window.library
    timed("open the page", window.show_library)
    begin = time.perf_counter()
    dog = Watchdog()
    until(lambda: page.model.total == files)
    print(f"{'list read in the background':44} {1000 * (time.perf_counter() - begin):7.1f} ms")
    print(f"{'longest stall while it was read':44} {dog.worst:7} ms")
    timed("back to the chat", window.show_chat)
    timed("open it again", window.show_library)
    bar = page.filters
    timed("filter by text", lambda: look_for(bar, "004"))
    timed("filter by another text", lambda: look_for(bar, "report 00012"))
    timed("clear the filter", bar.reset)
    timed("only problems", lambda: bar.show_states(Show.FAILED))
    timed("all again", lambda: bar.show_states(Show.ALL))
    timed("order by size", lambda: page._on_order(Order(SortBy.SIZE)))
    until(lambda: page.model.order.by is SortBy.SIZE)
    timed("order by folder", lambda: page._on_order(Order()))
    until(lambda: page.model.order.by is SortBy.FOLDER)
    follow(window, app, files)


def look_for(bar: FilterBar, text: str) -> None:
    """Type a text at once."""
    bar.search.setText(text)
    bar.search.returnPressed.emit()


def follow(window: MainWindow, app: App, files: int) -> None:
    """Ten files a second become different for some seconds, as while a library is indexed."""
    reads = [0, 0]
    whole, some = app.files, app.files_of

    def counted_whole() -> list[LibraryFile]:
        reads[0] += 1
        return whole()

    def counted(documents: Sequence[DocumentId]) -> list[LibraryFile]:
        reads[1] += len(documents)
        return some(documents)

    app.files = counted_whole  # type: ignore[method-assign]
    app.files_of = counted  # type: ignore[method-assign]

    def change() -> None:
        for number in range(100):
            app.bus.publish(LibraryChanged((DocumentId(1 + number * 7 % files),)))
            time.sleep(0.03)

    dog = Watchdog()
    thread = threading.Thread(target=change)
    thread.start()
    until(lambda: not thread.is_alive())
    until(lambda: reads[1] >= 90)
    thread.join()
    print(f"{'100 changes: whole lists read, files read':44} {reads[0]:7} {reads[1]}")
    print(f"{'longest stall meanwhile':44} {dog.worst:7} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
