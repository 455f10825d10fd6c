"""How soon the viewer shows a cited place in documents of any size, and how smooth it stays.

Usage: python -m tests.benchmarks.bench_viewer

Stores a text of 20 MB, a sheet of 200,000 rows, a PDF of 2,000 pages and 5 MB of code in a catalog
and opens each at a place in its middle or beyond; for the PDF's pages, the picture is a real one
from the process that draws them, once cold, once ready, and once while another process reads a PDF
of 2,000 pages. `stall` is the longest gap between beats of a 2 ms timer on the GUI thread.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path

_PAGES, _LINES, _ROWS = 2_000, 40, 200_000
_TEXT_CHARS = 20_000_000
_WAIT_S = 30.0


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        _pages(Path(folder))
        _documents(Path(folder))


def _row(name: str, ms: float, more: str = "") -> None:
    print(f"{name:44s} {ms:8.0f} ms   {more}")


def _pages(folder: Path) -> None:
    """The first picture of a page, with the real processes."""
    from desktop_rag import paths
    from desktop_rag.domain.errors import DesktopRagError
    from desktop_rag.workers.remote import start_engines
    from tests.helpers.documents import make_pdf

    lines = [f"Line {n}: the quick brown fox jumps over the lazy dog." for n in range(_LINES)]
    small = make_pdf(folder / "small.pdf", ["\n".join(lines)] * 3)
    large = _many(small, folder / "large.pdf")
    (folder / "data" / "logs").mkdir(parents=True)
    embedder = paths.shipped("models", "all-minilm-l6-v2-int8")
    pool = start_engines(paths.DataDir(folder / "data"), embedder, lambda: _no_model())

    def read() -> None:
        try:
            pool.reader.read(large)
        except DesktopRagError as error:
            print(error)

    try:
        for name in ("first page, its process to be started", "first page, its process ready"):
            began = time.perf_counter()
            pool.reader.render_page(small, 1, 1.5)
            _row(name, (time.perf_counter() - began) * 1000)
        reading = threading.Thread(target=read)
        reading.start()
        time.sleep(2)
        began = time.perf_counter()
        pool.reader.render_page(small, 2, 1.5)
        state = "reading" if reading.is_alive() else "read already"
        _row("a page while 2,000 pages are read", (time.perf_counter() - began) * 1000, state)
        reading.join()
    finally:
        pool.close()


def _many(small: Path, large: Path) -> Path:
    """The first page of a PDF, many times."""
    import pymupdf

    document = pymupdf.open(small)
    for _ in range(_PAGES):
        document.fullcopy_page(0)
    document.save(large)
    document.close()
    return large


def _no_model():
    raise AssertionError("no language model is asked")


def _documents(folder: Path) -> None:
    from PySide6.QtWidgets import QApplication

    from desktop_rag.app import App
    from desktop_rag.ui.main_window import MainWindow
    from desktop_rag.ui.theme import Theme
    from tests.helpers.fakes import fake_engines

    qt = QApplication([])
    with App.open(folder / "library", fake_engines()) as app:
        window = MainWindow(Theme(qt))
        window.resize(1280, 820)
        window.show()
        window.attach(app)
        watch = _Watch(qt)
        watch.until(lambda: False, 0.5)
        for name, document, quote in _stored(app, folder):
            _open(watch, window, app, name, document, quote)
        window.close()


def _open(watch, window, app, name: str, document, quote: str) -> None:
    from desktop_rag.domain.answers import Passage
    from desktop_rag.domain.documents import ChunkId

    file = app.document(document).file
    start = app.document(document).text.index(quote)
    place = Passage(
        ChunkId(1), document, file.path, file.title, "", quote, start, start + len(quote),
        file.sha256, None, "", 1.0, None, None, None,
    )  # fmt: skip
    body = window.viewer.body

    def is_shown() -> bool:
        shown = body.stack.currentWidget()
        if shown is body.pages:
            return bool(body.pages.view.highlight_rects())
        view = body.texts.view if shown is body.texts else body.grid
        return not body.is_state_shown and view.marked_text() == quote and view.is_mark_in_view()

    ms, stall = watch.timed(lambda: window.show_place(place), is_shown)
    _row(name, ms, f"stall {stall:4.0f} ms, {_memory():4.0f} MB")
    ms, stall = watch.timed(lambda: body.find_bar.begin("99"), lambda: bool(body.finder.spans))
    _row("  and finds in it", ms, f"stall {stall:4.0f} ms, {len(body.finder.spans):,} places")
    body.find_bar.close_search()


class _Watch:
    """Runs the event loop and counts how long it does not run."""

    def __init__(self, qt) -> None:
        from PySide6.QtCore import QTimer

        self._qt = qt
        self._gaps: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setInterval(2)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self._gaps.append(now - self._last)
        self._last = now

    def until(self, is_done, seconds: float = _WAIT_S) -> bool:
        """Run it until then; whether that came."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._qt.processEvents()
            if is_done():
                return True
            time.sleep(0.001)
        return False

    def timed(self, act, is_done) -> tuple[float, float]:
        """Milliseconds until it is done, and the longest stall on the way and just after."""
        self._gaps.clear()
        began = self._last = time.perf_counter()
        act()
        if not self.until(is_done):
            print("never done:", end=" ")
        ms = (time.perf_counter() - began) * 1000
        self.until(lambda: False, 0.3)
        return ms, max(self._gaps) * 1000


def _stored(app, folder: Path):
    """Documents as their readers would make them, straight into the catalog."""
    from desktop_rag.domain.documents import Block, BlockKind, Line, Page, Part, PartKind

    paragraph = "The quick brown fox jumps over the lazy dog and on into the wood. " * 5
    count = _TEXT_CHARS // (len(paragraph) + 10)
    texts = [f"{number:07d} {paragraph}" for number in range(count)]
    text, step = "\n\n".join(texts), len(texts[0]) + 2
    blocks = [Block(BlockKind.PARAGRAPH, n * step, n * step + step - 2) for n in range(count)]
    yield "20 MB of text", _store(app, folder, "a.txt", text, blocks), f"{count // 2:07d} The quick"
    rows = "\n".join(f"Item {n} | {n * 3} | note {n} | 2026-01-01" for n in range(_ROWS))
    sheet = Part(PartKind.SHEET, 0, len(rows), "", 0, tuple(range(1, _ROWS + 1)))
    table = [Block(BlockKind.TABLE, 0, len(rows))]
    stored = _store(app, folder, "a.csv", rows, table, parts=(sheet,))
    yield "a sheet of 200,000 rows", stored, f"Item {_ROWS * 3 // 4} | {_ROWS * 9 // 4}"
    words, pages, position = [], [], 0
    for number in range(1, _PAGES + 1):
        begin, lines = position, []
        for row in range(_LINES):
            words.append(f"Page {number} line {row} with some words of the page in it")
            y = 72 + row * 16
            lines.append(Line(position, position + len(words[-1]), 72, y, 500, y + 12))
            position += len(words[-1]) + 1
        pages.append(Page(number, str(number), begin, position - 1, 595, 842, tuple(lines)))
    text = "\n".join(words)
    stored = _store(app, folder, "a.pdf", text, [Block(BlockKind.PARAGRAPH, 0, len(text))], pages)
    yield "a PDF of 2,000 pages", stored, f"Page {_PAGES * 3 // 4} line 20 with some words"
    line = "value_{n} = compute({n}, 'a rather long line of code', 1)"
    code = "\n".join(line.format(n=n) for n in range(90_000))
    numbered = Part(PartKind.LINES, 0, len(code))
    block = [Block(BlockKind.CODE, 0, len(code))]
    stored = _store(app, folder, "a.py", code, block, parts=(numbered,))
    yield "5 MB of code", stored, "value_60000"


def _store(app, folder: Path, name: str, text: str, blocks, pages=(), parts=()):
    from desktop_rag.domain.documents import BlockKind, Chunk, ParsedDocument, ReadDocument
    from desktop_rag.storage.catalog import FileStamp

    catalog, stamp = app._catalog, FileStamp(1, 0)
    path = folder / name
    path.write_text("x\f" * max(len(pages), 1), encoding="utf-8")
    with catalog._database.write() as db:
        db.execute(
            "INSERT OR IGNORE INTO sources (id, path, is_folder, device, added_at)"
            " VALUES (1, ?, 1, 0, '')",
            (str(folder),),
        )
    catalog.enqueue(1, str(path), stamp)
    document = catalog.document_at(str(path))
    parsed = ParsedDocument(path.suffix[1:], text, tuple(blocks), tuple(pages), parts=tuple(parts))
    chunk = Chunk(0, 0, 10, text[:10], "", "", BlockKind.PARAGRAPH)
    catalog.replace(document, ReadDocument(parsed, (chunk,), "x"), stamp, name, {}, "f")
    return document


def _memory() -> float:
    import psutil

    return float(psutil.Process().memory_info().rss) / 2**20


if __name__ == "__main__":
    main()
