"""From saving a file to finding it, in the real program with default settings.

    python -m tests.benchmarks.bench_watching [--saves 10] [--pages 10] [--files 200]

A library of small text files is open and idle. Ten-page PDFs are copied into its folder one at a
time, renamed, and deleted; each time is from the moment the system call returned until a search
(once a tenth of a second) shows it. Says how much processor the idle program takes, too.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from desktop_rag.app import App
from desktop_rag.domain.events import Event, IndexingProgress
from tests.helpers.documents import filler, make_pdf

_WORDS_A_PAGE = 300
_LINE_WORDS = 14
_TIMEOUT_S = 120.0
_POLL_S = 0.1


def main() -> None:
    """Print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        folder = _small_files(Path(scratch) / "docs", options.files)
        drafts = Path(scratch) / "drafts"
        drafts.mkdir()
        saved = [_draft(drafts, number, options.pages) for number in range(options.saves)]
        with App.open(Path(scratch) / "data") as app:
            _get_ready(app, folder)
            _idle(app)
            _show("saved to searchable", [_save(app, folder, path) for path in saved])
            reads: list[str] = []
            stop_listening = app.bus.subscribe(lambda event: _note_read(event, reads))
            _show("renamed to renamed", [_rename(app, folder, path) for path in saved])
            print(f"files read because of the renames: {len(reads)}")
            stop_listening()
            _show("deleted to gone", [_delete(app, folder, path) for path in saved])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--saves", type=int, default=10)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--files", type=int, default=200)
    return parser.parse_args()


def _small_files(folder: Path, count: int) -> Path:
    for number in range(count):
        path = folder / str(number % 10) / f"note {number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Note {number}. {filler(60, seed=number)}")
    return folder


def _draft(folder: Path, number: int, pages: int) -> Path:
    # The seed in the words keeps chunks apart: equal text would share one vector.
    texts = []
    for page in range(pages):
        words = f"{_mark(number)} {filler(_WORDS_A_PAGE, seed=number * 100 + page + 7)}".split()
        texts.append(
            "\n".join(
                " ".join(words[i : i + _LINE_WORDS]) for i in range(0, len(words), _LINE_WORDS)
            )
        )
    return make_pdf(folder / f"draft {number}.pdf", texts, title=f"Draft {number}", font_size=9)


def _mark(number: int) -> str:
    return f"zebrafish{number}x"


def _get_ready(app: App, folder: Path) -> None:
    app.add([folder])
    app.start_indexing()
    app.start_watching()
    app.wait_until_indexed()
    app.search("anything")
    time.sleep(3.0)


def _idle(app: App) -> None:
    del app
    me = psutil.Process()
    family = [me, *me.children(recursive=True)]
    before = sum(sum(one.cpu_times()[:2]) for one in family)
    time.sleep(10.0)
    after = sum(sum(one.cpu_times()[:2]) for one in family)
    print(f"processor while idle: {(after - before) / 10.0:.2%} of one core")


def _note_read(event: Event, reads: list[str]) -> None:
    if isinstance(event, IndexingProgress) and event.path:
        reads.append(event.path)


def _save(app: App, folder: Path, draft: Path) -> float:
    shutil.copyfile(draft, folder / draft.name)
    word = _mark(int(draft.stem.split()[1]))
    return _timed(lambda: word in _best(app, word))


def _rename(app: App, folder: Path, draft: Path) -> float:
    (folder / draft.name).rename(folder / f"final {draft.name}")
    word = _mark(int(draft.stem.split()[1]))
    return _timed(lambda: app.search(word).passages[0].path.endswith(f"final {draft.name}"))


def _delete(app: App, folder: Path, draft: Path) -> float:
    (folder / f"final {draft.name}").unlink()
    word = _mark(int(draft.stem.split()[1]))
    return _timed(lambda: word not in _best(app, word))


def _best(app: App, word: str) -> str:
    passages = app.search(word).passages
    return passages[0].text if passages else ""


def _timed(is_true: Callable[[], bool]) -> float:
    began = time.perf_counter()
    while not is_true():
        if time.perf_counter() - began > _TIMEOUT_S:
            raise TimeoutError("the change was never noticed")
        time.sleep(_POLL_S)
    elapsed_s = time.perf_counter() - began
    time.sleep(1.0)
    return elapsed_s


def _show(what: str, seconds: list[float]) -> None:
    middle, worst = statistics.median(seconds), max(seconds)
    print(f"{what:24}p50 {middle:5.2f} s   max {worst:5.2f} s   ({len(seconds)} times)")


if __name__ == "__main__":
    main()
